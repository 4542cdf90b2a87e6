/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HARNESS_CHECK_ALLOCATIONS_H
#define HARNESS_CHECK_ALLOCATIONS_H

#include <stdbool.h>

/* Every allocation of the process, counted. */

/* False under sanitizers, which have an allocator of their own: then nothing
 * below means anything. */
bool AllocationsAreSeen(void);
/* Blocks that are allocated now. */
long AllocationsLive(void);
/*
 * Count allocations from now on until AllocationsStop; the one of number `fail_at`, from 1, fails.
 * 0: none does. `inside` is an address in the only module whose calls count; NULL: all count.
 */
void AllocationsCount(long fail_at, const void *inside);
/* How many there were. */
long AllocationsStop(void);

#endif
