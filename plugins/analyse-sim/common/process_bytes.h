/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_COMMON_PROCESS_BYTES_H
#define ANALYSE_SIM_COMMON_PROCESS_BYTES_H

#include "analyse-sim/common/names.h"

/*
 * Bytes that an instruction moves between memories: blocks times block size times repetitions.
 * 0: none, or operands are missing.
 */
int64_t ProcessBytes(const NameFacts *facts, const char *detail, size_t length);

#endif
