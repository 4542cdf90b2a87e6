/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_HAL_ABI_H
#define REFCHIP_HAL_ABI_H

/*
 * The part of the driver's binary interface (libascend_hal.so) that the reference chip and the
 * injection library know. Natural LP64 layout. Declarations only; including this links nothing.
 */

#include <stdbool.h>
#include <stdint.h>

#define HAL_ERROR_RESERVED 0xffff
#define HAL_ERROR_VALUE 8
#define HAL_NOT_SUPPORTED 0xfffe
#define HAL_RECORDS_LOST 2326 /* of prof_stop */

#define HAL_MODULE_SYSTEM 0
#define HAL_MODULE_AICORE 4
#define HAL_INFO_VERSION 1
#define HAL_INFO_CORE_COUNT 3
#define HAL_INFO_FREQUENCY 4 /* MHz, rated */
#define HAL_INFO_TICK_KHZ 25
#define HAL_INFO_CURRENT_FREQUENCY 32 /* MHz, by buffer */

typedef struct prof_start_para {
    uint32_t channel_type; /* 0 task scheduler, 1 peripheral */
    uint32_t sample_period;
    uint32_t real_time; /* 1 */
    void *user_data;
    uint32_t user_data_size;
} prof_start_para;

typedef struct prof_poll_info {
    uint32_t device_id;
    uint32_t channel_id;
} prof_poll_info;

_Static_assert(sizeof(prof_start_para) == 32, "as the driver's");
_Static_assert(sizeof(prof_poll_info) == 8, "as the driver's");

typedef struct DVattribute {
    uint32_t memType; /* 4: of a device */
    uint32_t resv1;
    uint32_t resv2;
    uint32_t devId;
    uint32_t pageSize;
    uint32_t resv[8];
} DVattribute;

_Static_assert(sizeof(DVattribute) == 52, "as the driver's");

/* Which resource's registers are to be mapped. */
typedef struct res_map_info {
    int32_t target_proc_type; /* 0: the process itself */
    int32_t res_type;         /* 0: an AI core's; 1 HSCB, 2 L2 buffer, 3 between chips */
    uint32_t res_id;          /* number of the core */
    uint32_t flag;
    uint32_t reserved;
} res_map_info;

_Static_assert(sizeof(res_map_info) == 20, "as the driver's");

#define HAL_VISIBLE __attribute__((visibility("default")))

HAL_VISIBLE int prof_drv_start(uint32_t device, uint32_t channel, prof_start_para *para);
HAL_VISIBLE int prof_stop(uint32_t device, uint32_t channel);
HAL_VISIBLE int prof_channel_read(uint32_t device, uint32_t channel, char *data, uint32_t size);
HAL_VISIBLE int prof_channel_poll(prof_poll_info *ready, int most, int seconds);
HAL_VISIBLE int halProfDataFlush(uint32_t device, uint32_t channel, uint32_t *length);
HAL_VISIBLE int drvMemGetAttribute(void *address, DVattribute *attribute);
HAL_VISIBLE int halGetAPIVersion(int32_t *version);
HAL_VISIBLE int halGetDeviceInfo(uint32_t device, int32_t module, int32_t info, int64_t *value);
HAL_VISIBLE int halGetDeviceInfoByBuff(uint32_t device, int32_t module, int32_t info, void *data,
                                       int32_t *size);
HAL_VISIBLE int halResMap(uint32_t device, res_map_info *info, unsigned long *address,
                          unsigned *length);
HAL_VISIBLE int halResUnmap(uint32_t device, res_map_info *info);
/* The same registers without a mapping, from the first one on. */
HAL_VISIBLE int halResRead(uint32_t device, res_map_info *info, void *data, uint32_t length);
HAL_VISIBLE int halResWrite(uint32_t device, res_map_info *info, void *data, uint32_t length);
/* The highest type of a resource that the driver knows. */
HAL_VISIBLE uint32_t halGetMaxResMapType(void);
HAL_VISIBLE int halGetSocVersion(uint32_t device, char *name, uint32_t size);

#endif
