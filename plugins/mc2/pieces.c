/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files arrive in pieces whose ends have nothing to do with the records in them.
 * Tests: fuzz/fuzz_mc2.c, tests/plugins/mc2/test_vectors.sh.
 */
#include "pieces.h"

#include <string.h>

void PiecesBegin(Pieces *pieces, uint32_t size)
{
    pieces->size = size;
    pieces->have = 0;
}

bool PiecesFeed(Pieces *pieces, const unsigned char *bytes, size_t length, PiecesTake *take,
                void *context)
{
    if (pieces->have > 0) {
        const size_t wanted = pieces->size - pieces->have;
        const size_t taken = length < wanted ? length : wanted;
        memcpy(pieces->carry + pieces->have, bytes, taken);
        pieces->have += (uint32_t) taken;
        bytes += taken;
        length -= taken;
        if (pieces->have < pieces->size) {
            return true;
        }
        pieces->have = 0;
        if (!take(context, pieces->carry, 1)) {
            return false;
        }
    }
    const size_t count = length / pieces->size;
    if (count > 0 && !take(context, bytes, count)) {
        return false;
    }
    const size_t rest = length - count * pieces->size;
    if (rest > 0) {
        memcpy(pieces->carry, bytes + count * pieces->size, rest);
    }
    pieces->have = (uint32_t) rest;
    return true;
}
