/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libascend_hal.so: the driver's profiling channels and what it reports about a device.
 * Tested by tests/refchip/test_profiling.sh.
 */
#include "refchip/chip/execute.h"
#include "refchip/chip/fault.h"
#include "refchip/chip/profile.h"
#include "refchip/chip/window.h"
#include "refchip/hal_abi.h"
#include <string.h>

#define API_VERSION 0x072419
#define VERSION_310P 4
#define VERSION_910B 5
#define VERSION_950 15

/* ---- channels ---- */

int prof_drv_start(uint32_t device, uint32_t channel, prof_start_para *para)
{
    ProfileSetup setup;

    if (para == NULL) {
        return HAL_ERROR_VALUE;
    }
    setup = (ProfileSetup){ .kind = para->channel_type,
                            .period = para->sample_period,
                            .real_time = para->real_time,
                            .data = para->user_data,
                            .size = para->user_data_size };
    return RefchipProfileStart(device, channel, &setup) == 0 ? 0 : HAL_ERROR_VALUE;
}

int prof_stop(uint32_t device, uint32_t channel)
{
    return RefchipProfileStop(device, channel);
}

int prof_channel_read(uint32_t device, uint32_t channel, char *data, uint32_t size)
{
    return RefchipProfileRead(device, channel, data, size);
}

int prof_channel_poll(prof_poll_info *ready, int most, int seconds)
{
    ProfileReady found[PROFILE_CHANNELS];
    const int room = most < (int) PROFILE_CHANNELS ? most : (int) PROFILE_CHANNELS;
    const int count = room < 1 ? -1 : RefchipProfilePoll(found, room, seconds);

    for (int i = 0; i < count; i++) {
        ready[i] = (prof_poll_info){ found[i].device, found[i].channel };
    }
    return count;
}

int halProfDataFlush(uint32_t device, uint32_t channel, uint32_t *length)
{
    (void) device;
    *length = 0;
    return channel >= PROFILE_TRACE_FIRST && channel <= PROFILE_TRACE_LAST ? HAL_NOT_SUPPORTED : 0;
}

/* ---- registers ---- */

static bool is_core(const res_map_info *info)
{
    return info != NULL && info->target_proc_type == 0 && info->res_type == 0;
}

int halResMap(uint32_t device, res_map_info *info, unsigned long *address, unsigned *length)
{
    void *window = RefchipFault(FAULT_AT_map, device) != FAULT_FAILS && is_core(info) &&
                           address != NULL && length != NULL
                       ? RefchipWindowMap(device, info->res_id)
                       : NULL;

    if (window == NULL) {
        return HAL_ERROR_VALUE;
    }
    *address = (unsigned long) (uintptr_t) window;
    *length = WINDOW_BYTES;
    return 0;
}

int halResUnmap(uint32_t device, res_map_info *info)
{
    return RefchipFault(FAULT_AT_unmap, device) != FAULT_FAILS && is_core(info) &&
                   RefchipWindowUnmap(device, info->res_id)
               ? 0
               : HAL_ERROR_VALUE;
}

/* Words between registers and memory; a part of a word is refused. */
static int move_registers(uint32_t device, res_map_info *info, void *data, uint32_t length,
                          bool is_write)
{
    uint32_t *window = is_core(info) && data != NULL && length % 4 == 0 && length <= WINDOW_BYTES
                           ? RefchipWindowMap(device, info->res_id)
                           : NULL;

    if (window == NULL) {
        return HAL_ERROR_VALUE;
    }
    for (uint32_t i = 0; i < length / 4; i++) {
        uint32_t *word = (uint32_t *) data + i;

        if (is_write) {
            __atomic_store_n(&window[i], *word, __ATOMIC_RELEASE);
        } else {
            *word = __atomic_load_n(&window[i], __ATOMIC_ACQUIRE);
        }
    }
    return RefchipWindowUnmap(device, info->res_id) ? 0 : HAL_ERROR_VALUE;
}

int halResRead(uint32_t device, res_map_info *info, void *data, uint32_t length)
{
    return move_registers(device, info, data, length, false);
}

int halResWrite(uint32_t device, res_map_info *info, void *data, uint32_t length)
{
    return move_registers(device, info, data, length, true);
}

uint32_t halGetMaxResMapType(void)
{
    return 3;
}

/* ---- what it is ---- */

int drvMemGetAttribute(void *address, DVattribute *attribute)
{
    uint32_t device;

    if (attribute == NULL || !RefchipMemoryFind((uint64_t) (uintptr_t) address, &device)) {
        return HAL_ERROR_VALUE;
    }
    *attribute = (DVattribute){ .memType = 4, .devId = device, .pageSize = 4096 };
    return 0;
}

int halGetAPIVersion(int32_t *version)
{
    *version = API_VERSION;
    return 0;
}

int halGetDeviceInfo(uint32_t device, int32_t module, int32_t info, int64_t *value)
{
    const RefchipConfig *config = RefchipConfigShare();

    if (device >= config->devices || value == NULL) {
        return HAL_ERROR_VALUE;
    }
    if (module == HAL_MODULE_SYSTEM && info == HAL_INFO_VERSION) {
        *value = (config->has_ids   ? VERSION_950
                  : config->is_310p ? VERSION_310P
                                    : VERSION_910B)
                 << 8;
    } else if (module == HAL_MODULE_SYSTEM && info == HAL_INFO_TICK_KHZ) {
        *value = config->tick_khz;
    } else if (module == HAL_MODULE_AICORE && info == HAL_INFO_CORE_COUNT) {
        *value = config->cores;
    } else if (module == HAL_MODULE_AICORE && info == HAL_INFO_FREQUENCY) {
        *value = config->mhz;
    } else {
        return HAL_NOT_SUPPORTED;
    }
    return 0;
}

int halGetDeviceInfoByBuff(uint32_t device, int32_t module, int32_t info, void *data, int32_t *size)
{
    const RefchipConfig *config = RefchipConfigShare();
    const uint32_t mhz = config->mhz;

    if (device >= config->devices || data == NULL || size == NULL || *size < (int32_t) sizeof mhz) {
        return HAL_ERROR_VALUE;
    }
    if (module != HAL_MODULE_AICORE || info != HAL_INFO_CURRENT_FREQUENCY) {
        return HAL_NOT_SUPPORTED;
    }
    memcpy(data, &mhz, sizeof mhz);
    *size = sizeof mhz;
    return 0;
}

int halGetSocVersion(uint32_t device, char *name, uint32_t size)
{
    const RefchipConfig *config = RefchipConfigShare();

    if (device >= config->devices || name == NULL || strlen(config->soc) >= size) {
        return HAL_ERROR_VALUE;
    }
    memcpy(name, config->soc, strlen(config->soc) + 1);
    return 0;
}
