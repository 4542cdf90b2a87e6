/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_BIU_ALIGN_H
#define MC2_BIU_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How streams of cores without start stamps get a common zero: by the first mark that all of them have. */

#define BIU_MARK_IDS 4096u

/* When each mark came first in a stream; UINT64_MAX: never. */
typedef struct BiuFirsts {
    uint64_t *times; /* BIU_MARK_IDS of them; NULL: there was no mark */
} BiuFirsts;

/* Note a mark. False without memory. */
bool BiuFirstsNote(BiuFirsts *firsts, uint16_t id, uint64_t time);

/* The mark that all streams have, of several the one that is first in the first stream. False if none. */
bool BiuFirstsCommon(const BiuFirsts *const *streams, size_t count, uint16_t *ret_id);

void BiuFirstsFinish(BiuFirsts *firsts);

#endif
