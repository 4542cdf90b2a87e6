/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins counts of blocks, samples, registers and memory traffic by instruction.
 * Tested by tests/plugins/analyse-dbi/test_hot_spots.
 */
#include "hot_spots.h"

#include <opprof/grow.h>

#include <stdlib.h>

/* The blocks of a function. */
typedef struct Range {
    uint64_t start;
    uint64_t end;
    uint32_t function;
} Range;

typedef struct Ranges {
    Range *list; /* by start */
    size_t count;
    size_t capacity;
} Ranges;

bool SpotsAddBlock(Spots *spots, const OpprofDbiBlockCount *block)
{
    if (!OpprofGrow(&spots->blocks, &spots->block_capacity, spots->block_count + 1,
                    sizeof *spots->blocks)) {
        return false;
    }
    spots->blocks[spots->block_count++] = *block;
    return true;
}

bool SpotsAddSample(Spots *spots, const OpprofDbiSample *sample)
{
    if (!OpprofGrow(&spots->samples, &spots->sample_capacity, spots->sample_count + 1,
                    sizeof *spots->samples)) {
        return false;
    }
    spots->samples[spots->sample_count++] = *sample;
    return true;
}

bool SpotsAddRegister(Spots *spots, const OpprofDbiRegister *one)
{
    if (!OpprofGrow(&spots->registers, &spots->register_capacity, spots->register_count + 1,
                    sizeof *spots->registers)) {
        return false;
    }
    spots->registers[spots->register_count++] = *one;
    return true;
}

bool SpotsAddMoves(Spots *spots, const OpprofDbiPc *moves)
{
    if (!OpprofGrow(&spots->moves, &spots->move_capacity, spots->move_count + 1,
                    sizeof *spots->moves)) {
        return false;
    }
    spots->moves[spots->move_count++] = *moves;
    return true;
}

void SpotsFinish(Spots *spots)
{
    free(spots->blocks);
    free(spots->samples);
    free(spots->registers);
    free(spots->moves);
    free(spots->list);
    OpprofMapFinish(&spots->places);
    *spots = (Spots){ .count = 0 };
}

/* ---- functions ---- */

static int by_start(const void *a, const void *b)
{
    const OpprofDbiBlockCount *x = a;
    const OpprofDbiBlockCount *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

static int range_by_start(const void *a, const void *b)
{
    const Range *x = a;
    const Range *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

/* From the first block of each function to its last one. */
static bool find_ranges(const Spots *spots, Ranges *ranges)
{
    OpprofMap by_function = { .slots = NULL };
    bool is_good = true;

    for (size_t i = 0; is_good && i < spots->block_count; i++) {
        const OpprofDbiBlockCount *block = &spots->blocks[i];
        const uint32_t place = OpprofMapFind(&by_function, block->function);
        if (place != OPPROF_MAP_NONE) {
            Range *range = &ranges->list[place];
            range->start = block->start < range->start ? block->start : range->start;
            range->end = block->end > range->end ? block->end : range->end;
            continue;
        }
        is_good =
            OpprofGrow(&ranges->list, &ranges->capacity, ranges->count + 1, sizeof *ranges->list) &&
            OpprofMapPut(&by_function, block->function, (uint32_t) ranges->count);
        if (is_good) {
            ranges->list[ranges->count++] = (Range){ block->start, block->end, block->function };
        }
    }
    OpprofMapFinish(&by_function);
    if (ranges->count > 0) {
        qsort(ranges->list, ranges->count, sizeof *ranges->list, range_by_start);
    }
    return is_good;
}

/* The function that contains an address: the last one that begins at or before it; NULL if none. */
static const Range *range_of(const Ranges *ranges, uint64_t pc)
{
    size_t low = 0;
    size_t high = ranges->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ranges->list[middle].start <= pc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 || ranges->list[low - 1].end < pc ? NULL : &ranges->list[low - 1];
}

/* ---- instructions ---- */

/* Add an instruction unless it is there already. */
static bool add_spot(Spots *spots, uint64_t pc, uint32_t function)
{
    if (OpprofMapFind(&spots->places, pc) != OPPROF_MAP_NONE) {
        return true;
    }
    if (spots->count == SPOTS_MAX_PCS) {
        spots->is_cut = true;
        return true;
    }
    if (!OpprofGrow(&spots->list, &spots->capacity, spots->count + 1, sizeof *spots->list) ||
        !OpprofMapPut(&spots->places, pc, (uint32_t) spots->count)) {
        return false;
    }
    spots->list[spots->count++] = (Spot){
        .pc = pc, .calls = OPPROF_NA_U64, .function = function, .registers = OPPROF_NA_I32
    };
    return true;
}

/* If functions are known, addresses outside of them are not shown. */
static bool add_if_inside(Spots *spots, const Ranges *ranges, uint64_t pc)
{
    const Range *range = range_of(ranges, pc);

    if (ranges->count > 0 && range == NULL) {
        return true;
    }
    return add_spot(spots, pc, range == NULL ? OPPROF_NA_STRING : range->function);
}

/* Every address where an instruction may begin. */
static bool add_steps(Spots *spots, const Ranges *ranges)
{
    for (size_t i = 0; i < ranges->count; i++) {
        const Range *range = &ranges->list[i];
        for (uint64_t pc = range->start; pc <= range->end && !spots->is_cut; pc += SPOTS_STEP) {
            if (!add_spot(spots, pc, range->function)) {
                return false;
            }
            if (range->end - pc < SPOTS_STEP) {
                break;
            }
        }
    }
    return true;
}

static int by_pc(const void *a, const void *b)
{
    const Spot *x = a;
    const Spot *y = b;

    return (x->pc > y->pc) - (x->pc < y->pc);
}

static bool sort_spots(Spots *spots)
{
    if (spots->count > 0) {
        qsort(spots->list, spots->count, sizeof *spots->list, by_pc);
    }
    OpprofMapClear(&spots->places);
    for (size_t i = 0; i < spots->count; i++) {
        if (!OpprofMapPut(&spots->places, spots->list[i].pc, (uint32_t) i)) {
            return false;
        }
    }
    return true;
}

/* Liveness lists all instructions; without it all are assumed as long as the shortest. */
static bool find_spots(Spots *spots, const Ranges *ranges)
{
    bool is_good = true;

    for (size_t i = 0; is_good && i < spots->register_count; i++) {
        is_good = add_if_inside(spots, ranges, spots->registers[i].pc);
    }
    if (is_good && spots->register_count == 0) {
        is_good = add_steps(spots, ranges);
    }
    for (size_t i = 0; is_good && i < spots->move_count; i++) {
        is_good = add_if_inside(spots, ranges, spots->moves[i].pc);
    }
    for (size_t i = 0; is_good && ranges->count == 0 && i < spots->sample_count; i++) {
        if (spots->samples[i].pc != OPPROF_NA_U64) {
            is_good = add_if_inside(spots, ranges, spots->samples[i].pc);
        }
    }
    return is_good && sort_spots(spots);
}

/* ---- what is known of them ---- */

/*
 * Blocks and instructions are sorted by address, so one pass over both is enough. The last block
 * that begins at or before an instruction counts.
 */
static void set_calls(Spots *spots)
{
    size_t next = 0;

    for (size_t i = 0; i < spots->count; i++) {
        Spot *spot = &spots->list[i];
        while (next < spots->block_count && spots->blocks[next].start <= spot->pc) {
            next++;
        }
        if (next > 0 && spot->pc <= spots->blocks[next - 1].end) {
            spot->calls = spots->blocks[next - 1].count;
        }
    }
}

static Spot *find(const Spots *spots, uint64_t pc)
{
    const uint32_t place = OpprofMapFind(&spots->places, pc);

    return place == OPPROF_MAP_NONE ? NULL : &spots->list[place];
}

static void set_samples(Spots *spots)
{
    for (size_t i = 0; i < spots->sample_count; i++) {
        const OpprofDbiSample *sample = &spots->samples[i];
        Spot *spot = sample->pc == OPPROF_NA_U64 ? NULL : find(spots, sample->pc);
        spots->all_samples += sample->samples;
        if (spot == NULL) {
            spots->lost_samples += sample->samples;
            continue;
        }
        spot->samples += sample->samples;
        spot->waits += sample->is_issued ? 0 : sample->samples;
    }
}

static void set_registers(Spots *spots)
{
    for (size_t i = 0; i < spots->register_count; i++) {
        Spot *spot = find(spots, spots->registers[i].pc);
        if (spot != NULL) {
            spot->registers = spot->registers == OPPROF_NA_I32 ? 0 : spot->registers;
            spot->registers += spots->registers[i].name != OPPROF_NA_STRING;
        }
    }
}

static void set_moves(Spots *spots)
{
    for (size_t i = 0; i < spots->move_count; i++) {
        Spot *spot = find(spots, spots->moves[i].pc);
        if (spot == NULL) {
            spots->lost_moves++;
        } else {
            spot->moves = &spots->moves[i];
        }
    }
}

bool SpotsJoin(Spots *spots)
{
    Ranges ranges = { .count = 0 };

    if (spots->block_count > 0) {
        qsort(spots->blocks, spots->block_count, sizeof *spots->blocks, by_start);
    }
    const bool is_good = find_ranges(spots, &ranges) && find_spots(spots, &ranges);
    free(ranges.list);
    if (is_good) {
        set_calls(spots);
        set_samples(spots);
        set_registers(spots);
        set_moves(spots);
    }
    return is_good;
}
