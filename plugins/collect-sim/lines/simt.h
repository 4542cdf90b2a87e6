/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_SIMT_H
#define COLLECT_SIM_SIMT_H

/*
 * What operands tell about SIMT threads, in texts without blanks. 64 bytes after them are
 * readable.
 */

#include <stdint.h>

/* Warp from "[warpId:w]" (1 or 2 digits) followed later by "[schId:s]" (0 to 3); both -1 if that is
 * not there. */
void SimtReadWarp(const char *at, const char *end, int16_t *ret_warp, int16_t *ret_scheduler);

/*
 * Active threads: bits that are set in both masks of "[prdctMask:h],[execMask:h]", each of 1 to 8
 * hexadecimal digits; -1 if that is not there.
 */
int32_t SimtReadThreads(const char *at, const char *end);

#endif
