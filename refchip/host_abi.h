/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_HOST_ABI_H
#define REFCHIP_HOST_ABI_H

/*
 * The part of libprofapi.so, libascend_dump.so and libdcmi.so that the reference chip has. Natural
 * LP64 layout. Declarations only.
 */

#include <stdbool.h>
#include <stdint.h>

#define HOST_VISIBLE __attribute__((visibility("default")))

/* ---- libprofapi.so ---- */

#define PROFAPI_COMMAND_BYTES 5424u
#define PROFAPI_COMMAND_SWITCH 1u /* type of a callback that takes a command */
#define PROFAPI_REPORTERS 14u     /* kinds of functions that take reports */
#define PROFAPI_ADDITIONAL 5      /* one of them */
#define PROFAPI_INFO_BYTES 256u

typedef struct MsprofCommandHandle {
    uint64_t profSwitch;
    uint64_t profSwitchHi;
    uint32_t devNums;
    uint32_t devIdList[64];
    uint32_t modelId;
    uint32_t type; /* 0 init, 1 start, 2 stop, 3 finalize */
    uint32_t cacheFlag;
    char params[5132];
} MsprofCommandHandle;

_Static_assert(sizeof(MsprofCommandHandle) == PROFAPI_COMMAND_BYTES, "as the library's");

typedef int32_t MsprofCallback(uint32_t type, void *data, uint32_t length);
typedef int32_t MsprofReporter(uint32_t aging, const void *data, uint32_t length);

HOST_VISIBLE int32_t MsprofRegisterCallback(uint32_t module, MsprofCallback *callback);
HOST_VISIBLE int32_t MsprofNotifySetDevice(uint32_t chip, uint32_t device, bool is_open);
HOST_VISIBLE int32_t profSetProfCommand(void *command, uint32_t length);
HOST_VISIBLE int32_t MsprofRegisterProfileCallback(int32_t type, void *callback, uint32_t length);
HOST_VISIBLE int32_t MsprofReportAdditionalInfo(uint32_t aging, const void *data, uint32_t length);
HOST_VISIBLE uint64_t MsprofSysCycleTime(void);

/* ---- libascend_dump.so ---- */

/* `space` words of 8 bytes in a ring, and a number for them; NULL: the ring has no room. */
HOST_VISIBLE void *AdumpGetDFXInfoAddrForDynamic(uint32_t space, uint64_t *index);

/* ---- libdcmi.so ---- */

typedef struct DcmiHbmProductInfo {
    uint16_t vendor; /* 86, 87 or 88 */
    uint8_t reserved[62];
} DcmiHbmProductInfo;

_Static_assert(sizeof(DcmiHbmProductInfo) == 64, "as the library's");

HOST_VISIBLE int dcmi_init(void);
HOST_VISIBLE int dcmi_get_card_id_device_id_from_logicid(int32_t *card, int32_t *device,
                                                         uint32_t logical);
HOST_VISIBLE int dcmi_get_device_hbm_product_info(int32_t card, int32_t device,
                                                  DcmiHbmProductInfo *info);

#endif
