/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_COMMON_PROCESS_BYTES_H
#define ANALYSE_SIM_COMMON_PROCESS_BYTES_H

#include "analyse-sim/common/names.h"

/*
 * Bytes that an instruction moves between memories: blocks times block size times repetitions, at
 * most INT32_MAX. 0: none, or operands are missing.
 */
int32_t ProcessBytes(const NameFacts *facts, const char *detail, size_t length);

#endif
