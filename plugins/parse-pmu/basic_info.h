/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_BASIC_INFO_H
#define PARSE_PMU_BASIC_INFO_H

#include <opprof/kit/raw_names.h>

#include <stdbool.h>
#include <stddef.h>

#define BASIC_INFO_MAX_BYTES (1u << 20) /* of the file */

typedef enum BasicInfoKey {
    INFO_NAME,
    INFO_BLOCK_DIM,
    INFO_SOC,
    INFO_DEVICE_ID,
    INFO_PID,
    INFO_CUR_FREQ,
    INFO_RATED_FREQ,
    INFO_MC2,
    INFO_LCCL,
    INFO_SIMT,
    INFO_KEYS
} BasicInfoKey;

/* A value in the file's text; NULL: the key is missing. */
typedef struct BasicInfoValue {
    const char *text;
    size_t length;
} BasicInfoValue;

typedef struct BasicInfo {
    BasicInfoValue values[INFO_KEYS];
} BasicInfo;

/*
 * Read the facts of a launch: one "key=value" per line; a line counts only with exactly one
 * separator and text on both sides. If a key occurs twice, the last one counts. The values point
 * into `text`.
 */
void BasicInfoRead(const OpprofRawForm *form, const char *text, size_t length, BasicInfo *ret_info);

/* The key as the file spells it. */
const char *BasicInfoName(const OpprofRawForm *form, BasicInfoKey key);

/* True for the value "1". */
bool BasicInfoFlag(const BasicInfo *info, BasicInfoKey key);

/* The value as a number, if it is all digits and below 2^53. */
bool BasicInfoNumber(const BasicInfo *info, BasicInfoKey key, double *ret_value);

#endif
