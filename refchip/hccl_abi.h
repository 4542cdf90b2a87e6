/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_HCCL_ABI_H
#define REFCHIP_HCCL_ABI_H

/*
 * The part of libhccl.so's binary interface that the reference chip and the injection library know.
 * Declarations only; including this links nothing.
 */

#include "abi.h"

#define HCCL_ERROR_INTERNAL 4
#define HCCL_ERROR_PARAMETER 1
#define HCCL_ROOT_INFO_BYTES 4108

typedef struct HcclRootInfo {
    char internal[HCCL_ROOT_INFO_BYTES];
} HcclRootInfo;

typedef void *HcclComm;

#define HCCL_VISIBLE __attribute__((visibility("default")))

HCCL_VISIBLE int HcclGetRootInfo(HcclRootInfo *info);
HCCL_VISIBLE int HcclCommInitRootInfo(uint32_t ranks, const HcclRootInfo *info, uint32_t rank,
                                      HcclComm *comm);
HCCL_VISIBLE int HcclCommInitRootInfoConfig(uint32_t ranks, const HcclRootInfo *info, uint32_t rank,
                                            const void *config, HcclComm *comm);
/* A file that names the ranks: a table in JSON with a "rank_id" for each. */
HCCL_VISIBLE int HcclCommInitClusterInfo(const char *table, uint32_t rank, HcclComm *comm);
HCCL_VISIBLE int HcclCommInitClusterInfoConfig(const char *table, uint32_t rank, void *config,
                                               HcclComm *comm);
HCCL_VISIBLE int HcclCommInitAll(uint32_t devices, int32_t *list, HcclComm *comms);
HCCL_VISIBLE int HcclBarrier(HcclComm comm, AbiStream stream);
HCCL_VISIBLE int HcclCommDestroy(HcclComm comm);

#endif
