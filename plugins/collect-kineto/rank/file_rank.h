/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_FILE_RANK_H
#define COLLECT_KINETO_RANK_FILE_RANK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The rank of a trace that does not name it: of "profiler_info_N.json" beside an Ascend trace, of
 * "rank" and a number in the name of the file, or in those of the two directories above it. False
 * if none.
 */
bool FileRankFind(const char *path, int64_t *ret_rank);

#endif
