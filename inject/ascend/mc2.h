/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INJECT_ASCEND_MC2_H
#define INJECT_ASCEND_MC2_H

/* Operators that communicate: the kernel of the AI CPU that belongs to the thread's next launch,
 * and communicators. */

#include "inject/ascend/ascend.h"
#include "refchip/hccl_abi.h"

/* Whether the thread has kept a kernel of the AI CPU that a kernel of the cores belongs to. */
bool Mc2Matches(const char *kernel);
/* Launch what was kept, and keep it. */
AbiError Mc2Launch(void);
/* Launch it, if there is anything, and keep it no longer. */
AbiError Mc2Flush(void);
/* Keep it no longer. */
void Mc2Drop(void);
/* The stream that it is launched on. */
AbiStream Mc2Stream(void);
/* Whether a device has a communicator. */
bool Mc2HasComm(int32_t device);
/* Let a stream wait until all ranks of the device's communicator are there. False if the device has
 * no communicator. */
bool Mc2Barrier(int32_t device, AbiStream stream);

#endif
