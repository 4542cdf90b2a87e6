/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Environment and signals of a program that a run starts.
 * Tested by tests/kit/io/test_tool.c, and by tests/refchip/test_live.sh for a program that is
 * profiled.
 */
#include "kit/io/spawned.h"

#include <signal.h>

void SpawnedAttributes(bool is_group, posix_spawnattr_t *ret_attributes)
{
    static const int usual[] = { SIGINT, SIGTERM, SIGPIPE, SIGXFSZ };
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    sigset_t signals;

    posix_spawnattr_init(ret_attributes);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(ret_attributes, &signals);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        sigaddset(&signals, usual[i]);
    }
    posix_spawnattr_setsigdefault(ret_attributes, &signals);
    if (is_group) {
        posix_spawnattr_setpgroup(ret_attributes, 0);
        flags |= POSIX_SPAWN_SETPGROUP;
    }
    posix_spawnattr_setflags(ret_attributes, flags);
}
