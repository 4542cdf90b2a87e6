/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds which stamps are a start and an end of the same thing, and which are neither. Tests:
 * tests/plugins/mc2/test_marks.c.
 */
#include "core_marks.h"

#include "names.h"
#include <opprof/grow.h>
#include <opprof/kit/bytes.h>
#include <stdlib.h>

#define OLD_CUBES 50u      /* the first number of a cube block in the old format */
#define FIRST_USER 0xffffu /* the first id that users may have */

CoreMark CoreMarkRead(const unsigned char *record)
{
    return (CoreMark){ .time = OpprofLoadLe64(record),
                       .block = OpprofLoadLe32(record + 8),
                       .id = OpprofLoadLe32(record + 12),
                       .pc = OpprofLoadLe64(record + 16) };
}

CoreMark LcclMarkRead(const unsigned char *record)
{
    OpprofByteReader reader = OpprofByteReaderInit(record, LCCL_MARK_BYTES);
    CoreMark mark = { .id = OpprofByteReaderU32(&reader) };

    mark.block = OpprofByteReaderU32(&reader);
    mark.time = OpprofByteReaderU64(&reader);
    mark.pc = OpprofByteReaderU64(&reader);
    mark.operation = OpprofByteReaderU32(&reader);
    mark.reserved = OpprofByteReaderU32(&reader);
    return mark;
}

/* Little-endian; returns where the next number goes. */
static unsigned char *put_number(unsigned char *at, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        *at++ = (unsigned char) (number >> (8 * i));
    }
    return at;
}

uint32_t CoreMarkBytes(const CoreMark *mark, bool is_lccl, unsigned char *bytes)
{
    unsigned char *at = bytes;

    if (is_lccl) {
        at = put_number(at, mark->id, 4);
        at = put_number(at, mark->block, 4);
        at = put_number(at, mark->time, 8);
        at = put_number(at, mark->pc, 8);
        at = put_number(at, mark->operation, 4);
        at = put_number(at, mark->reserved, 4);
    } else {
        at = put_number(at, mark->time, 8);
        at = put_number(at, mark->block, 4);
        at = put_number(at, mark->id, 4);
        at = put_number(at, mark->pc, 8);
    }
    return (uint32_t) (at - bytes);
}

void BlockVote(BlockVotes *votes, uint32_t block)
{
    votes->has_upper = votes->has_upper || block >> 16 != 0;
    votes->has_low = votes->has_low || block < OLD_CUBES;
}

BlockFormat BlockVotesFormat(const BlockVotes *votes, const Blocks *blocks)
{
    const bool is_one_cube = blocks->cubes == 1 && blocks->vectors == 0;

    return votes->has_upper || (is_one_cube && votes->has_low) ? BLOCK_FORMAT_NEW
                                                               : BLOCK_FORMAT_OLD;
}

void BlockDecode(BlockFormat format, const Mc2Facts *facts, uint32_t block, bool *ret_is_cube,
                 uint32_t *ret_number)
{
    if (format == BLOCK_FORMAT_NEW) {
        *ret_is_cube = Mc2FactsIsCube(facts, block >> 16);
        *ret_number = block & 0xffff;
        return;
    }
    *ret_is_cube = block >= OLD_CUBES;
    *ret_number = *ret_is_cube ? block - OLD_CUBES : block;
}

/* The open mark of a key; NULL without memory. */
static OpenMark *find_open(MarkPairing *pairing, const CoreMark *mark, bool is_api, bool is_cube,
                           uint32_t number)
{
    const uint64_t id = is_api ? mark->id & ~1u : mark->id;
    const uint64_t key = id << 32 | (uint64_t) is_cube << 31 | (number & 0x7fffffffu);
    const uint32_t index = OpprofMapFind(&pairing->map, key);

    if (index != OPPROF_MAP_NONE) {
        return &pairing->open[index];
    }
    if (!OpprofGrow(&pairing->open, &pairing->capacity, pairing->count + 1,
                    sizeof *pairing->open) ||
        !OpprofMapPut(&pairing->map, key, (uint32_t) pairing->count)) {
        return NULL;
    }
    pairing->open[pairing->count] = (OpenMark){ .is_open = false };
    return &pairing->open[pairing->count++];
}

/* True if the mark counts at all. */
static bool is_known(MarkPairing *pairing, const CoreMark *mark, bool *ret_is_api)
{
    bool is_known;

    *ret_is_api = false;
    if (pairing->kind == CORE_MARKS_LCCL) {
        is_known = LcclPhase(mark->id) != NULL;
    } else {
        *ret_is_api = mark->id < FIRST_USER;
        is_known = !*ret_is_api || (pairing->kind == CORE_MARKS_MC2 && ApiFind(mark->id) != NULL);
    }
    pairing->counts.unknown += !is_known;
    return is_known;
}

/* A start inside of its block's time. */
static bool is_good_start(MarkPairing *pairing, const CoreMark *mark, const BlockSpan *block)
{
    const bool is_inside = mark->time >= block->start && mark->time <= block->end;

    pairing->counts.outside += !is_inside;
    return is_inside;
}

/* Whether an open start and an end make a pair; if not, the reason is counted. */
static bool is_good_pair(MarkPairing *pairing, const OpenMark *open, const CoreMark *end,
                         const BlockSpan *block, bool is_user)
{
    if (open->is_bad) {
        return false;
    }
    if (end->time < open->start.time || (is_user && end->time == open->start.time)) {
        pairing->counts.backwards++;
        return false;
    }
    if (end->time > block->end) {
        pairing->counts.outside++;
        return false;
    }
    return true;
}

/* A mark that begins something. */
static void take_start(MarkPairing *pairing, OpenMark *open, const CoreMark *mark,
                       const BlockSpan *block, bool is_api)
{
    if (open->is_open) {
        pairing->counts.repeated++;
        return;
    }
    if (open->latest != 0 && mark->time <= open->latest) {
        pairing->counts.again++;
        open->is_open = !is_api;
        open->is_bad = true;
        return;
    }
    const bool is_good = is_good_start(pairing, mark, block);
    /* The end of a call is marked as such; of two equal marks the second is the
     * end of the first. */
    open->is_open = is_good || !is_api;
    open->is_bad = !is_good;
    open->start = *mark;
}

bool MarkPairingTake(MarkPairing *pairing, const CoreMark *mark, MarkPair *ret_pair,
                     bool *ret_is_pair)
{
    bool is_api = false;
    bool is_cube = false;
    uint32_t number = 0;

    *ret_is_pair = false;
    pairing->counts.marks++;
    if (mark->time < pairing->zero) {
        pairing->counts.early++;
        return true;
    }
    if (!is_known(pairing, mark, &is_api)) {
        return true;
    }
    BlockDecode(pairing->format, pairing->facts, mark->block, &is_cube, &number);
    const BlockSpan *block = BlocksFind(pairing->blocks, is_cube, number);
    if (block == NULL) {
        pairing->counts.no_block++;
        return true;
    }
    OpenMark *open = find_open(pairing, mark, is_api, is_cube, number);
    if (open == NULL) {
        return false;
    }
    const bool is_user = !is_api && pairing->kind != CORE_MARKS_LCCL;
    if (is_api ? (mark->id & 1) == 0 : !open->is_open) {
        take_start(pairing, open, mark, block, is_api);
        return true;
    }
    if (!open->is_open) {
        pairing->counts.without_start++;
        return true;
    }
    open->is_open = false;
    if (is_good_pair(pairing, open, mark, block, is_user)) {
        open->latest = open->start.time;
        *ret_pair = (MarkPair){ .start = open->start,
                                .end = mark->time,
                                .number = number,
                                .is_cube = is_cube,
                                .is_user = is_user };
        *ret_is_pair = true;
        pairing->counts.pairs++;
    }
    return true;
}

void MarkPairingEnd(MarkPairing *pairing)
{
    pairing->counts.without_end = 0;
    for (size_t i = 0; i < pairing->count; i++) {
        pairing->counts.without_end += pairing->open[i].is_open && !pairing->open[i].is_bad;
    }
}

void MarkPairingFinish(MarkPairing *pairing)
{
    OpprofMapFinish(&pairing->map);
    free(pairing->open);
    pairing->open = NULL;
    pairing->count = 0;
    pairing->capacity = 0;
}
