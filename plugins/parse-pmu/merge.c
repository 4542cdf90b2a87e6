/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges the counters of a launch over its replays. Tested by
 * tests/plugins/parse-pmu/test_records.
 */
#include "merge.h"

#include <opprof/compiler.h>
#include <opprof/grow.h>
#include <opprof/kit/bytes.h>
#include <opprof/record.h>

#include <stdlib.h>

#define MAX_ROUND UINT8_MAX
#define FIRST_KEYS 64u /* about the number of most launches */

void MergeInit(Merge *merge, const PmuLayout *layout, const Plan *plan)
{
    *merge = (Merge){ .layout = layout, .plan = plan };
}

void MergeFinish(Merge *merge)
{
    free(merge->keys);
    free(merge->values);
    free(merge->rounds);
    for (uint32_t kind = 0; kind < OPPROF_CORE_KINDS; kind++) {
        OpprofMapFinish(&merge->places[kind]);
    }
    MergeInit(merge, merge->layout, merge->plan);
}

/* ---- keys ---- */

static bool is_key(const MergeKey *key, uint32_t block, uint32_t sub_block, uint32_t kind)
{
    return key->block == block && key->sub_block == sub_block && key->kind == kind;
}

/* Key of the map of its kind of cores. */
static uint64_t name_of(uint32_t block, uint32_t sub_block)
{
    return (uint64_t) block << 32 | sub_block;
}

/* Room for one more key. The cells of all keys with room are made together; a chip may count no
 * events. */
static bool make_room(Merge *merge)
{
    if (merge->key_count < merge->room) {
        return true;
    }
    if (!OpprofGrow(&merge->keys, &merge->key_capacity,
                    merge->key_count < FIRST_KEYS ? FIRST_KEYS : (size_t) merge->key_count + 1,
                    sizeof *merge->keys)) {
        return false;
    }
    const size_t cells = merge->key_capacity * merge->layout->event_count + 1;
    if (!OpprofGrow(&merge->values, &merge->value_capacity, cells, sizeof *merge->values) ||
        !OpprofGrow(&merge->rounds, &merge->round_capacity, cells, sizeof *merge->rounds)) {
        return false;
    }
    merge->room = merge->key_capacity;
    return true;
}

static bool add_key(Merge *merge, uint32_t block, uint32_t sub_block, uint32_t kind)
{
    const size_t columns = merge->layout->event_count;
    const uint32_t index = merge->key_count;

    OpprofMap *places = &merge->places[kind];

    if (!make_room(merge) || (places->slots == NULL && !OpprofMapReserve(places, FIRST_KEYS)) ||
        !OpprofMapPut(places, name_of(block, sub_block), index)) {
        return false;
    }
    merge->keys[index] = (MergeKey){
        .block = block, .sub_block = sub_block, .kind = kind, .cycles_min = UINT64_MAX
    };
    memset(merge->values + index * columns, 0xff, columns * sizeof *merge->values);
    memset(merge->rounds + index * columns, 0, columns);
    merge->key_count++;
    merge->latest = index;
    return true;
}

/* Replays have the cores in almost the same order: the next key is usually the one that came next
 * before. */
static inline bool guess_key(Merge *merge, uint32_t block, uint32_t sub_block, uint32_t kind)
{
    const uint32_t next = merge->latest + 1 < merge->key_count ? merge->latest + 1 : 0;

    if (merge->key_count == 0) {
        return false;
    }
    if (is_key(&merge->keys[next], block, sub_block, kind)) {
        merge->latest = next;
        return true;
    }
    return is_key(&merge->keys[merge->latest], block, sub_block, kind);
}

/* find_key() for a key that was not guessed, so that guesses need no call. */
static __attribute__((noinline)) bool search_key(Merge *merge, uint32_t block, uint32_t sub_block,
                                                 uint32_t kind, bool *ret_is_there)
{
    const uint32_t place = OpprofMapFind(&merge->places[kind], name_of(block, sub_block));

    if (place != OPPROF_MAP_NONE) {
        merge->latest = place;
        return true;
    }
    if (merge->key_count == MERGE_MAX_KEYS) {
        merge->counts.beyond++;
        *ret_is_there = false;
        return true;
    }
    return add_key(merge, block, sub_block, kind);
}

/* Makes the key merge->latest. False without memory; *ret_is_there is false beyond the limit of
 * keys. */
static inline bool find_key(Merge *merge, uint32_t block, uint32_t sub_block, uint32_t kind,
                            bool *ret_is_there)
{
    *ret_is_there = true;
    return guess_key(merge, block, sub_block, kind) ||
           search_key(merge, block, sub_block, kind, ret_is_there);
}

bool MergeOnlyKey(Merge *merge, uint32_t *ret_key)
{
    bool is_there = false;

    if (!find_key(merge, 0, 0, 0, &is_there)) {
        return false;
    }
    *ret_key = merge->latest;
    return true;
}

/* ---- values ---- */

/* The all-ones pattern is the absent value. A round of 0, no value, wraps to one that is later than
 * any. */
static inline void set_cell(uint64_t *value, uint8_t *round, uint64_t new_value, uint8_t new_round)
{
    if ((uint8_t) (*round - 1) >= new_round) {
        *value = new_value == OPPROF_NA_U64 ? OPPROF_NA_U64 - 1 : new_value;
        *round = new_round;
    }
}

static uint8_t number_of(uint32_t round)
{
    return (uint8_t) (round < MAX_ROUND ? round : MAX_ROUND);
}

void MergeSet(Merge *merge, uint32_t key, uint16_t column, uint64_t value, uint32_t round)
{
    const size_t cell = (size_t) key * merge->layout->event_count + column;

    set_cell(&merge->values[cell], &merge->rounds[cell], value, number_of(round));
}

uint32_t MergeLacking(const Merge *merge, uint32_t round)
{
    uint32_t lacking = 0;

    for (uint32_t i = 0; i < merge->key_count; i++) {
        lacking += (merge->keys[i].seen >> (round - 1) & 1) == 0;
    }
    return lacking;
}

void MergeForgetCounters(Merge *merge)
{
    const size_t cells = (size_t) merge->key_count * merge->layout->event_count;

    if (cells > 0) {
        memset(merge->values, 0xff, cells * sizeof *merge->values);
        memset(merge->rounds, 0, cells * sizeof *merge->rounds);
    }
}

/* Counts over the records of one call; they can stay in registers. */
typedef struct Pass {
    uint32_t round;
    uint64_t records;
    uint64_t repeats;
    /* one tick before the first core began, so that 0, unknown, is later than any */
    uint64_t before_start;
} Pass;

static OPPROF_ALWAYS_INLINE Pass begin_pass(const Merge *merge, uint32_t round)
{
    return (Pass){ .round = round, .before_start = merge->starts[round - 1] - 1 };
}

static OPPROF_ALWAYS_INLINE void end_pass(Merge *merge, const Pass *pass)
{
    merge->counts.records += pass->records;
    merge->repeats[pass->round - 1] += pass->repeats;
    merge->starts[pass->round - 1] = pass->before_start + 1;
}

static OPPROF_ALWAYS_INLINE void note_record(Pass *pass, MergeKey *key, uint64_t start)
{
    const uint32_t bit = pass->round - 1;

    pass->records++;
    pass->repeats += key->seen >> bit & 1;
    key->seen |= UINT64_C(1) << bit;
    pass->before_start = start - 1 < pass->before_start ? start - 1 : pass->before_start;
}

static void take_cycles(MergeKey *key, uint32_t round, uint64_t cycles, uint32_t core)
{
    if (round >= key->cycles_round) {
        key->cycles = cycles;
        key->core = core;
        key->cycles_round = round;
    }
    key->cycles_min = cycles < key->cycles_min ? cycles : key->cycles_min;
    key->cycles_max = cycles > key->cycles_max ? cycles : key->cycles_max;
}

/*
 * From here on `width` is the width of all counters of all records, and the byte order of all
 * fields. MergeRecords() tests it once; a constant width makes each counter and each field one
 * load.
 */
static OPPROF_ALWAYS_INLINE void take_counters(Merge *merge, uint32_t round, uint32_t kind,
                                               const unsigned char *record, CounterWidth width)
{
    const size_t row = (size_t) merge->latest * merge->layout->event_count;
    const uint16_t *columns = PlanRound(merge->plan, kind, round - 1);
    const unsigned char *counters = record + merge->layout->counters.slots_at;
    const uint32_t slots = merge->plan->slots;
    const uint8_t number = number_of(round);
    uint64_t *values = merge->values + row;
    uint8_t *rounds = merge->rounds + row;

    for (uint32_t slot = 0; slot < slots; slot++) {
        const uint16_t column = columns[slot];
        if (column != LAYOUT_NO_COLUMN) {
            set_cell(&values[column], &rounds[column], CounterGet(width, counters, slot), number);
        }
    }
}

/* Index of the kind of core; kind_count if none has that type. */
static OPPROF_ALWAYS_INLINE uint32_t kind_of(const PmuLayout *layout, const unsigned char *record,
                                             CounterWidth width)
{
    uint32_t kind = 0;

    if (layout->kind_count == 1) {
        return 0;
    }
    const uint64_t type = OpprofRecordBitsGetIn(&layout->counters.core_type, record, width.is_big);
    while (kind < layout->kind_count && layout->kinds[kind].type != type) {
        kind++;
    }
    return kind;
}

static void note_foreign(Merge *merge, const unsigned char *record)
{
    merge->counts.foreign++;
    if (merge->on_foreign != NULL) {
        merge->on_foreign(merge->context, record);
    }
}

/* False: the record is not counted. */
static OPPROF_ALWAYS_INLINE bool is_accepted(Merge *merge, const unsigned char *record,
                                             CounterWidth width)
{
    const OpprofCounterRecord *layout = &merge->layout->counters;
    const uint64_t function = OpprofRecordBitsGetIn(&layout->function, record, width.is_big);

    if (layout->accepted == 0 || LayoutHas(layout->accepted, function)) {
        return true;
    }
    if (LayoutHas(layout->known, function)) {
        merge->counts.skipped++;
    } else {
        note_foreign(merge, record);
    }
    return false;
}

static OPPROF_ALWAYS_INLINE bool take_record(Merge *merge, Pass *pass, const unsigned char *record,
                                             CounterWidth width)
{
    const uint32_t round = pass->round;
    const OpprofCounterRecord *layout = &merge->layout->counters;
    const uint32_t kind = kind_of(merge->layout, record, width);
    const uint64_t block = OpprofRecordBitsGetIn(&layout->block, record, width.is_big);
    const uint64_t sub_block = OpprofRecordBitsGetIn(&layout->sub_block, record, width.is_big);
    bool is_there = false;

    if (kind == merge->layout->kind_count) {
        note_foreign(merge, record);
        return true;
    }
    if (!find_key(merge, (uint32_t) block, (uint32_t) sub_block, kind, &is_there)) {
        return false;
    }
    if (!is_there) {
        return true;
    }
    MergeKey *key = &merge->keys[merge->latest];
    note_record(pass, key, OpprofRecordBitsGetIn(&layout->start, record, width.is_big));
    take_cycles(key, round, OpprofRecordBitsGetIn(&layout->cycles, record, width.is_big),
                (uint32_t) OpprofRecordBitsGetIn(&layout->core, record, width.is_big));
    if (round <= merge->plan->rounds) {
        take_counters(merge, round, kind, record, width);
    }
    return true;
}

static OPPROF_ALWAYS_INLINE bool take_records(Merge *merge, uint32_t round,
                                              const unsigned char *records, size_t count,
                                              CounterWidth width)
{
    const size_t size = merge->layout->counters.size;
    Pass pass = begin_pass(merge, round);
    bool is_good = true;

    for (size_t i = 0; is_good && i < count; i++) {
        const unsigned char *record = records + i * size;
        is_good = !is_accepted(merge, record, width) || take_record(merge, &pass, record, width);
    }
    end_pass(merge, &pass);
    return is_good;
}

bool MergeRecords(Merge *merge, uint32_t round, const unsigned char *records, size_t count)
{
    const CounterWidth width = merge->layout->width;

    if (round == 0 || round > MergeRounds(merge)) {
        return true;
    }
    return CounterIsWord(width) ? take_records(merge, round, records, count, counter_word)
                                : take_records(merge, round, records, count, width);
}
