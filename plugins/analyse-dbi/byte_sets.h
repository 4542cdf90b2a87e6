/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_BYTE_SETS_H
#define ANALYSE_DBI_BYTE_SETS_H

#include "cache.h"

/*
 * LRU sets of one line of the machine's cache each: the caller's bytes, then a byte a way, the line that was used last
 * first. One comparison finds a line among all ways, and one move of bytes brings it to the front: a fraction of what words
 * cost.
 */

#define BYTE_SETS_WAYS 32u /* at most */
#define BYTE_SETS_STRIDE (CACHE_SIDE_BYTES + BYTE_SETS_WAYS)

/* Access lines, one after the other. `sets` begin at a multiple of BYTE_SETS_STRIDE. */
void ByteSetsAccess(unsigned char *sets, uint32_t ways, const CacheTouch *touches, uint32_t count,
                    uint8_t *outcomes);

/* The same with what every machine has. */
void ByteSetsAccessPlainly(unsigned char *sets, uint32_t ways, const CacheTouch *touches,
                           uint32_t count, uint8_t *outcomes);

#endif
