/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_BIU_ALIGN_H
#define MC2_BIU_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Gives streams of cores without start stamps a common zero: the first mark
 * that all of them have. */

#define BIU_MARK_IDS 4096u

/* When each mark first came in a stream; UINT64_MAX: never. */
typedef struct BiuFirsts {
    uint64_t *times; /* BIU_MARK_IDS of them; NULL: no mark so far */
} BiuFirsts;

/* Note a mark. False without memory. */
bool BiuFirstsNote(BiuFirsts *firsts, uint16_t id, uint64_t time);

/* The mark that all streams have; of several the one that comes first in the first stream. False if
 * none. */
bool BiuFirstsCommon(const BiuFirsts *const *streams, size_t count, uint16_t *ret_id);

void BiuFirstsFinish(BiuFirsts *firsts);

#endif
