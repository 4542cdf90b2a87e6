/* SPDX-License-Identifier: Apache-2.0 */
/* State of the calling thread. Tested by tests/refchip/test_injection.sh. */
#include "inject/link/link.h"

#include <pthread.h>
#include <stdlib.h>

static _Thread_local int depth __attribute__((tls_model("initial-exec")));
static _Thread_local int32_t device __attribute__((tls_model("initial-exec")));
static _Thread_local void *rooms[CALL_ROOMS] __attribute__((tls_model("initial-exec")));
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* its destructor frees the rooms of a thread */
static bool has_key;

static void forget(void)
{
    depth = 0;
}
ON_FORK(forget)

int *CallDepth(void)
{
    ForkNotice();
    return &depth;
}

int32_t *CallDevice(void)
{
    return &device;
}

/* Destructors of the program may run after this one, and launch: then there are new rooms. */
static void free_rooms(void *unused)
{
    (void) unused;
    for (unsigned i = 0; i < CALL_ROOMS; i++) {
        free(rooms[i]);
        rooms[i] = NULL;
    }
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, free_rooms) == 0;
}

void *CallRoom(CallRoomId which, size_t size)
{
    if (rooms[which] == NULL) {
        pthread_once(&key_once, make_key);
        rooms[which] = has_key && pthread_setspecific(key, rooms) == 0 ? calloc(1, size) : NULL;
    }
    return rooms[which];
}

void *CallRoomIfThere(CallRoomId which)
{
    return rooms[which];
}
