/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_IO_SPAWNED_H
#define KIT_IO_SPAWNED_H

#include <spawn.h>
#include <stdbool.h>

/*
 * How another program begins: as if a shell had started it, with no signal blocked, and those that
 * opprof-run ignores with their default actions. `is_group`: it leads a process group, to be ended
 * with all that it starts. To be destroyed.
 */
void SpawnedAttributes(bool is_group, posix_spawnattr_t *ret_attributes);

#endif
