/* SPDX-License-Identifier: Apache-2.0 */
/* State of the calling thread. Tested by tests/refchip/test_injection.sh. */
#include "inject/link/link.h"

static _Thread_local int depth __attribute__((tls_model("initial-exec")));
static _Thread_local int32_t device __attribute__((tls_model("initial-exec")));

static void forget(void)
{
    depth = 0;
}
ON_FORK(forget)

int *CallDepth(void)
{
    return &depth;
}

int32_t *CallDevice(void)
{
    return &device;
}
