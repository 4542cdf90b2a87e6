/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_REFCHIP_ADD_ONCE_H
#define TESTS_REFCHIP_ADD_ONCE_H

/* Launches of one kernel, vector_add. */

#include "refchip/abi.h"
#include <stdbool.h>

/* Register its ELF file, which DRIVER_KERNEL names; DRIVER_NAME calls it otherwise. Once. */
void AddRegister(void);
/* What it is launched by. */
const void *AddStub(void);
/* One launch of its own, with memory, on a device; false: something is wrong. */
bool AddOnce(int32_t device);

#endif
