/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions of programs to a chip that a toolkit simulates: the simulator answers for itself, so
 * the collector says what chip it is, in OPPROF_LIVE_CHIP. Tested by tests/refchip/test_calls.sh.
 */
#include "inject/ascend/hooks.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES 16 /* that the one device of a simulator stands for */
#define MODULE_AICORE 4
#define MODULE_VECTOR_CORE 7
#define INFO_CORE_COUNT 3

static struct {
    char name[64]; /* "": nothing is replaced */
    unsigned cube;
    unsigned vector;
} chip;

static void read_chip(void)
{
    const char *text = secure_getenv(OPPROF_LIVE_CHIP);

    if (text == NULL || sscanf(text, "%63s %u %u", chip.name, &chip.cube, &chip.vector) != 3) {
        chip.name[0] = '\0';
    }
}

const char *SimulatedName(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, read_chip);
    return chip.name[0] == '\0' ? NULL : chip.name;
}

static bool is_replaced(void)
{
    return *CallDepth() == 0 && SimulatedName() != NULL;
}

AbiError rtGetSocVersion(char *name, uint32_t size)
{
    if (!is_replaced() || strlen(chip.name) >= size) {
        return CALL_RT(rtGetSocVersion, name, size);
    }
    memcpy(name, chip.name, strlen(chip.name) + 1);
    return 0;
}

const char *aclrtGetSocNameImpl(void)
{
    const char *name;

    if (is_replaced()) {
        return chip.name;
    }
    MASKED(name, CALL(aclrtGetSocNameImpl, NULL));
    return name;
}

AbiError rtGetAiCoreCount(uint32_t *count)
{
    if (!is_replaced()) {
        return CALL_RT(rtGetAiCoreCount, count);
    }
    *count = chip.cube;
    return 0;
}

AbiError rtGetDeviceInfo(uint32_t device, int32_t module, int32_t info, int64_t *value)
{
    const bool is_cores =
        info == INFO_CORE_COUNT && (module == MODULE_AICORE || module == MODULE_VECTOR_CORE);

    if (!is_replaced()) {
        return CALL_RT(rtGetDeviceInfo, device, module, info, value);
    }
    if (!is_cores) {
        return CALL_RT(rtGetDeviceInfo, 0, module, info, value);
    }
    *value = module == MODULE_AICORE ? chip.cube : chip.vector;
    return 0;
}

AbiError aclrtGetDeviceInfoImpl(uint32_t device, int32_t attribute, int64_t *value)
{
    const bool is_cores = attribute == ACL_DEVICE_AI_CORES || attribute == ACL_DEVICE_CUBE_CORES ||
                          attribute == ACL_DEVICE_VECTOR_CORES;
    AbiError error;

    /* Each AI core has one for matrices. */
    if (is_replaced() && is_cores) {
        *value = attribute == ACL_DEVICE_VECTOR_CORES ? chip.vector : chip.cube;
        return 0;
    }
    if (is_replaced()) {
        device = 0;
    }
    MASKED(error, CALL_ACL(aclrtGetDeviceInfoImpl, device, attribute, value));
    return error;
}

AbiError rtGetDeviceCount(int32_t *count)
{
    if (!is_replaced()) {
        return CALL_RT(rtGetDeviceCount, count);
    }
    *count = DEVICES;
    return 0;
}

AbiError aclrtGetDeviceCountImpl(uint32_t *count)
{
    AbiError error;

    if (is_replaced()) {
        *count = DEVICES;
        return 0;
    }
    MASKED(error, CALL_ACL(aclrtGetDeviceCountImpl, count));
    return error;
}

AbiError rtDeviceStatusQuery(uint32_t device, uint32_t *status)
{
    return CALL_RT(rtDeviceStatusQuery, is_replaced() ? 0 : device, status);
}

AbiError aclrtQueryDeviceStatusImpl(int32_t device, int32_t *status)
{
    AbiError error;

    if (is_replaced()) {
        device = 0;
    }
    MASKED(error, CALL_ACL(aclrtQueryDeviceStatusImpl, device, status));
    return error;
}

ABI_VISIBLE int halGetSocVersion(uint32_t device, char *name, uint32_t size)
{
    __typeof__(&halGetSocVersion) call = DRIVER(halGetSocVersion);

    if (is_replaced() && strlen(chip.name) < size) {
        memcpy(name, chip.name, strlen(chip.name) + 1);
        return 0;
    }
    return call == NULL ? HAL_ERROR_RESERVED : call(device, name, size);
}
