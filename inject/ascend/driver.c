/* SPDX-License-Identifier: Apache-2.0 */
/* The driver's functions, and what they report about a device. Tested by
 * tests/refchip/test_board.sh. */
#include "inject/ascend/board.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Loaded with the runtime, usually, and kept. */
void *DriverFind(const char *name)
{
    static void *library;
    void *found = OriginalFind(name);
    void *opened = __atomic_load_n(&library, __ATOMIC_ACQUIRE);

    if (found != NULL) {
        return found;
    }
    if (opened == NULL) {
        opened = dlopen("libascend_hal.so", RTLD_LAZY);
        __atomic_store_n(&library, opened, __ATOMIC_RELEASE);
    }
    return opened == NULL ? NULL : dlsym(opened, name);
}

/* Where a process sees only some devices, the driver's numbers differ from its own. Older toolkits
 * have the second function alone. */
uint32_t DriverDevice(int32_t device)
{
    static atomic_bool is_noted;
    const char *visible = getenv("ASCEND_RT_VISIBLE_DEVICES");
    __typeof__(&aclrtGetPhyDevIdByLogicDevIdImpl) by_acl =
        ORIGINAL(aclrtGetPhyDevIdByLogicDevIdImpl);
    __typeof__(&rtGetVisibleDeviceIdByLogicDeviceId) by_rt =
        ORIGINAL(rtGetVisibleDeviceIdByLogicDeviceId);
    int32_t physical = device;

    if ((by_acl != NULL && by_acl(device, &physical) == 0) ||
        (by_rt != NULL && by_rt(device, &physical) == 0)) {
        return (uint32_t) physical;
    }
    if (visible != NULL && *visible != '\0' && !atomic_exchange(&is_noted, true)) {
        Note(0, OPPROF_LIVE_INCOMPLETE,
             "The runtime does not say which of the devices in ASCEND_RT_VISIBLE_DEVICES device %d "
             "is, so what is recorded may be of another one",
             (int) device);
    }
    return (uint32_t) device;
}

uint32_t DriverCurrentFrequency(uint32_t device)
{
    __typeof__(&halGetDeviceInfoByBuff) call = DRIVER(halGetDeviceInfoByBuff);
    uint32_t buffer[16] = { 0 };
    int32_t size = sizeof buffer[0];

    return call != NULL &&
                   call(device, HAL_MODULE_AICORE, HAL_INFO_CURRENT_FREQUENCY, buffer, &size) == 0
               ? buffer[0]
               : 0;
}

uint32_t DriverRatedFrequency(uint32_t device)
{
    __typeof__(&halGetDeviceInfo) call = DRIVER(halGetDeviceInfo);
    int64_t value = 0;

    return call != NULL && call(device, HAL_MODULE_AICORE, HAL_INFO_FREQUENCY, &value) == 0 &&
                   value > 0 && value < INT32_MAX
               ? (uint32_t) value
               : 0;
}
