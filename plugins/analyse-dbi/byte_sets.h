/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_BYTE_SETS_H
#define ANALYSE_DBI_BYTE_SETS_H

#include "cache.h"

/*
 * LRU sets, each in one line of the machine's cache: the caller's bytes, then a byte for each way,
 * most recently used first. One comparison finds a line among all ways, and one move of bytes
 * brings it to the front, at a fraction of the cost of words.
 */

#define BYTE_SETS_WAYS 32u /* at most */
#define BYTE_SETS_STRIDE (CACHE_SIDE_BYTES + BYTE_SETS_WAYS)

/* Access lines one after another. `sets` begins at a multiple of BYTE_SETS_STRIDE. */
void ByteSetsAccess(unsigned char *sets, uint32_t ways, const CacheTouch *touches, uint32_t count,
                    uint8_t *outcomes);

/* The same, with instructions that every machine has. */
void ByteSetsAccessPlainly(unsigned char *sets, uint32_t ways, const CacheTouch *touches,
                           uint32_t count, uint8_t *outcomes);

#endif
