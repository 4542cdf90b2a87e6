/* SPDX-License-Identifier: Apache-2.0 */
/* libascend_dump.so: room where launches state the sizes of their arguments. Tested by
 * tests/refchip/test_host.c. */
#include "refchip/host_abi.h"
#include <pthread.h>
#include <stddef.h>

#define RING_WORDS 4096u

void *AdumpGetDFXInfoAddrForDynamic(uint32_t space, uint64_t *index)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
    static uint64_t ring[RING_WORDS];
    static uint32_t at;
    static uint64_t next = 1;
    uint64_t *found = NULL;

    if (space == 0 || space > RING_WORDS || index == NULL) {
        return NULL;
    }
    pthread_mutex_lock(&lock);
    if (space > RING_WORDS - at) {
        at = 0; /* the oldest ones are overwritten */
    }
    found = ring + at;
    at += space;
    *index = next++;
    pthread_mutex_unlock(&lock);
    return found;
}
