/* SPDX-License-Identifier: Apache-2.0 */
/* Which addresses are the memory of a device, for the driver to report. Tested by
 * tests/refchip/test_board.sh. */
#include "config.h"
#include "execute.h"
#include <pthread.h>

typedef struct Arena {
    uint64_t address;
    uint64_t size; /* 0: not there yet */
} Arena;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards arenas */
static Arena arenas[REFCHIP_MOST_DEVICES];

void RefchipMemoryNote(uint32_t device, uint64_t address, uint64_t size)
{
    pthread_mutex_lock(&lock);
    arenas[device % REFCHIP_MOST_DEVICES] = (Arena){ address, size };
    pthread_mutex_unlock(&lock);
}

bool RefchipMemoryFind(uint64_t address, uint32_t *ret_device)
{
    bool is_found = false;

    pthread_mutex_lock(&lock);
    for (uint32_t device = 0; device < REFCHIP_MOST_DEVICES && !is_found; device++) {
        is_found = address >= arenas[device].address &&
                   address - arenas[device].address < arenas[device].size;
        *ret_device = device;
    }
    pthread_mutex_unlock(&lock);
    return is_found;
}
