/* SPDX-License-Identifier: Apache-2.0 */
/* Finds who ran when, in the records with the counters of blocks. Tested by
 * tests/plugins/mc2/test_marks.c. */
#include "blocks.h"

#include "task_log.h"
#include <opprof/grow.h>
#include <stdlib.h>

#include <stdio.h>

/* A block has one cube core, whatever its sub-block number. */
static uint64_t key_of(bool is_cube, uint32_t block, uint32_t sub_block)
{
    return (uint64_t) is_cube << 63 | (uint64_t) block << 24 | (is_cube ? 0 : sub_block & 0xffffff);
}

static bool add_span(Blocks *blocks, const BlockSpan *span)
{
    const uint64_t key = key_of(span->is_cube, span->block, span->sub_block);
    const uint32_t index = OpprofMapFind(&blocks->map, key);

    if (index != OPPROF_MAP_NONE) {
        blocks->list[index] = *span;
        blocks->repeated++;
        return true;
    }
    if (!OpprofGrow(&blocks->list, &blocks->capacity, blocks->count + 1, sizeof *blocks->list) ||
        !OpprofMapPut(&blocks->map, key, (uint32_t) blocks->count)) {
        return false;
    }
    blocks->list[blocks->count++] = *span;
    blocks->cubes += span->is_cube;
    if (!span->is_cube && span->sub_block >= blocks->vectors) {
        blocks->vectors = span->sub_block + 1;
    }
    return true;
}

static bool take_record(Blocks *blocks, const unsigned char *record)
{
    const OpprofCounterRecord *layout = &blocks->layout->record;
    const uint64_t function = OpprofRecordBitsGet(&layout->function, record);

    if (layout->accepted != 0 && OpprofBitsGet(layout->accepted, (unsigned) function, 1) == 0) {
        return true;
    }
    const BlockSpan span = {
        .start = OpprofRecordBitsGet(&layout->start, record),
        .end = OpprofRecordBitsGet(&layout->end, record),
        .block = (uint32_t) OpprofRecordBitsGet(&layout->block, record),
        .sub_block = (uint32_t) OpprofRecordBitsGet(&layout->sub_block, record),
        .is_cube = OpprofRecordBitsGet(&layout->core_type, record) == blocks->layout->cube
    };
    blocks->records++;
    blocks->stream = (uint32_t) OpprofRecordBitsGet(&layout->stream, record);
    blocks->task = (uint32_t) OpprofRecordBitsGet(&layout->task, record);
    blocks->has_task = true;
    TaskNormalise(&blocks->stream, &blocks->task);
    if (span.start == 0 || span.end < span.start) {
        blocks->backwards++;
        return true;
    }
    return add_span(blocks, &span);
}

bool BlocksRecords(Blocks *blocks, const unsigned char *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!take_record(blocks, records + i * blocks->layout->record.size)) {
            return false;
        }
    }
    return true;
}

void BlocksReset(Blocks *blocks)
{
    const BlockLayout *layout = blocks->layout;

    BlocksFinish(blocks);
    blocks->layout = layout;
}

static int compare_lanes(const void *a, const void *b)
{
    const BlockSpan *left = a;
    const BlockSpan *right = b;

    if (left->block != right->block) {
        return left->block < right->block ? -1 : 1;
    }
    if (left->is_cube != right->is_cube) {
        return left->is_cube ? -1 : 1;
    }
    return (left->sub_block > right->sub_block) - (left->sub_block < right->sub_block);
}

void BlocksSort(Blocks *blocks)
{
    if (blocks->count == 0) {
        return;
    }
    qsort(blocks->list, blocks->count, sizeof *blocks->list, compare_lanes);
    for (size_t i = 0; i < blocks->count; i++) {
        const BlockSpan *span = &blocks->list[i];
        /* Every key exists already, so nothing is allocated. */
        OpprofMapPut(&blocks->map, key_of(span->is_cube, span->block, span->sub_block),
                     (uint32_t) i);
    }
}

const BlockSpan *BlocksFind(const Blocks *blocks, bool is_cube, uint32_t number)
{
    const uint32_t parts = is_cube ? 1 : blocks->vectors;

    if (parts == 0) {
        return NULL;
    }
    const uint32_t index =
        OpprofMapFind(&blocks->map, key_of(is_cube, number / parts, number % parts));
    return index == OPPROF_MAP_NONE ? NULL : &blocks->list[index];
}

uint32_t BlocksNumber(const Blocks *blocks, const BlockSpan *span)
{
    return span->is_cube ? span->block : span->block * blocks->vectors + span->sub_block;
}

uint64_t BlocksStart(const Blocks *blocks)
{
    uint64_t start = blocks->count == 0 ? 0 : UINT64_MAX;

    for (size_t i = 0; i < blocks->count; i++) {
        start = blocks->list[i].start < start ? blocks->list[i].start : start;
    }
    return start;
}

uint64_t BlocksLastEnd(const Blocks *blocks)
{
    uint64_t end = 0;

    for (size_t i = 0; i < blocks->count; i++) {
        end = blocks->list[i].end > end ? blocks->list[i].end : end;
    }
    return end;
}

void BlocksLane(const Blocks *blocks, bool is_cube, uint32_t number, char lane[LANE_NAME_ROOM])
{
    if (is_cube) {
        snprintf(lane, LANE_NAME_ROOM, "core%u.cubecore0", number);
    } else if (blocks->vectors == 0) {
        snprintf(lane, LANE_NAME_ROOM, "NA");
    } else {
        snprintf(lane, LANE_NAME_ROOM, "core%u.veccore%u", number / blocks->vectors,
                 number % blocks->vectors);
    }
}

void BlocksFinish(Blocks *blocks)
{
    OpprofMapFinish(&blocks->map);
    free(blocks->list);
    *blocks = (Blocks){ .layout = blocks->layout };
}
