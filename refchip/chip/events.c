/* SPDX-License-Identifier: Apache-2.0 */
/* Which events of a series are which counts of the chip. Tested by
 * tests/refchip/test_profiling.sh. */
#include "counts.h"
#include <stddef.h>
#include <string.h>

typedef struct Event {
    uint16_t id;
    uint16_t unit; /* how many of the count make one event */
    CountKind count;
    CountKind more; /* is added to it */
} Event;

typedef struct Series {
    const char *prefix;
    const Event *events;
    size_t count;
} Series;

/* Events that are not here stay 0: the chip has no such thing (other types,
 * flags between cores). */
static const Event events_910b[] = {
    { 1, 1, COUNT_vector_instr, COUNT_none },
    { 3, 1, COUNT_cube_instr, COUNT_none },
    { 4, 1, COUNT_mte1_instr, COUNT_none },
    { 5, 1, COUNT_mte2_instr, COUNT_none },
    { 6, 1, COUNT_mte3_instr, COUNT_none },
    { 8, 1, COUNT_vector_busy, COUNT_none },
    { 9, 1, COUNT_scalar_busy, COUNT_none },
    { 10, 1, COUNT_cube_busy, COUNT_none },
    { 12, 1, COUNT_mte2_busy, COUNT_none },
    { 13, 1, COUNT_mte3_busy, COUNT_none },
    { 19, 512, COUNT_l0c_out_bytes, COUNT_none },
    { 27, 512, COUNT_l0a_read_bytes, COUNT_none },
    { 28, 256, COUNT_l0a_write_bytes, COUNT_none },
    { 33, 512, COUNT_l0b_read_bytes, COUNT_none },
    { 34, 128, COUNT_l0b_write_bytes, COUNT_none },
    { 40, 1024, COUNT_l0c_read_bytes, COUNT_none },
    { 42, 1024, COUNT_l0c_write_bytes, COUNT_none },
    { 49, 256, COUNT_l1_read_bytes, COUNT_none },
    { 50, 256, COUNT_l1_write_bytes, COUNT_none },
    { 61, 128, COUNT_ub_store_bytes, COUNT_none },
    { 62, 128, COUNT_ub_load_bytes, COUNT_none },
    { 67, 256, COUNT_ub_read_bytes, COUNT_none },
    { 68, 256, COUNT_ub_write_bytes, COUNT_none },
    { 73, 1, COUNT_cube_steps, COUNT_none },
    { 75, 1, COUNT_vector_repeats, COUNT_none },
    { 84, 1, COUNT_fetches, COUNT_none },
    { 85, 1, COUNT_fetch_misses, COUNT_none },
    { 87, 1, COUNT_scalar_wait, COUNT_none },
    { 88, 1, COUNT_cube_wait, COUNT_none },
    { 89, 1, COUNT_vector_wait, COUNT_none },
    { 90, 1, COUNT_mte1_wait, COUNT_none },
    { 91, 1, COUNT_mte2_wait, COUNT_none },
    { 92, 1, COUNT_mte3_wait, COUNT_none },
    { 100, 1, COUNT_conflict_cycles, COUNT_none },
    { 107, 1, COUNT_mte1_stall, COUNT_none },
    { 108, 1, COUNT_mte2_stall, COUNT_none },
    { 109, 1, COUNT_mte3_stall, COUNT_none },
    { 110, 1, COUNT_cube_stall, COUNT_none },
    { 111, 1, COUNT_vector_stall, COUNT_none },
    { 112, 1, COUNT_scalar_instr, COUNT_none },
    { 114, 1, COUNT_fetch_wait, COUNT_none },
    { 524, 128, COUNT_l0c_out_bytes, COUNT_none },
    { 526, 1, COUNT_fix_instr, COUNT_none },
    { 770, 1, COUNT_mte1_busy, COUNT_none },
    { 771, 1, COUNT_fix_busy, COUNT_none },
    { 1032, 1, COUNT_mmads, COUNT_none },
    { 1280, 1, COUNT_l2_write_hits, COUNT_none },
    { 1282, 1, COUNT_l2_write_misses, COUNT_none },
    { 1284, 1, COUNT_l2_read_hits, COUNT_none },
    { 1286, 1, COUNT_l2_read_misses, COUNT_none },
    { 1288, 1, COUNT_l2_read_hits_odd, COUNT_none },
    { 1290, 1, COUNT_l2_read_misses_odd, COUNT_none },
    { 1292, 1, COUNT_gm_write_words, COUNT_none },
    { 1293, 1, COUNT_gm_read_words, COUNT_none },
    { 1294, 1, COUNT_gm_read_words_odd, COUNT_none },
};

static const Event events_950[] = {
    { 0, 1, COUNT_scalar_instr, COUNT_none },
    { 1, 1, COUNT_scalar_busy, COUNT_none },
    { 10, 1, COUNT_scalar_wait, COUNT_none },
    { 11, 1, COUNT_cube_wait, COUNT_none },
    { 12, 1, COUNT_vector_wait, COUNT_none },
    { 13, 1, COUNT_mte1_wait, COUNT_none },
    { 14, 1, COUNT_mte2_wait, COUNT_none },
    { 15, 1, COUNT_mte3_wait, COUNT_none },
    { 36, 1, COUNT_fix_wait, COUNT_none },
    { 52, 1, COUNT_fetches, COUNT_none },
    { 53, 1, COUNT_fetch_misses, COUNT_none },
    { 512, 1, COUNT_mte2_instr, COUNT_none },
    { 513, 1, COUNT_mte3_instr, COUNT_none },
    { 514, 1, COUNT_mte2_busy, COUNT_none },
    { 515, 1, COUNT_mte3_busy, COUNT_none },
    { 516, 128, COUNT_ub_store_bytes, COUNT_none },
    { 518, 128, COUNT_ub_load_bytes, COUNT_none },
    { 768, 1, COUNT_cube_instr, COUNT_none },
    { 772, 64, COUNT_l0a_read_bytes, COUNT_none },
    { 774, 256, COUNT_l0b_read_bytes, COUNT_none },
    { 776, 1024, COUNT_l0c_write_bytes, COUNT_none },
    { 778, 1024, COUNT_l0c_read_bytes, COUNT_none },
    { 789, 1, COUNT_cube_instr, COUNT_none },
    { 808, 1, COUNT_cube_busy, COUNT_none },
    { 810, 1, COUNT_cube_busy, COUNT_none },
    { 1058, 1, COUNT_gm_read_words, COUNT_gm_read_words_odd },
    { 1059, 1, COUNT_gm_write_words, COUNT_none },
    { 1060, 1, COUNT_l2_read_hits, COUNT_none },
    { 1061, 1, COUNT_l2_read_misses, COUNT_none },
    { 1063, 1, COUNT_l2_read_hits_odd, COUNT_none },
    { 1064, 1, COUNT_l2_read_misses_odd, COUNT_none },
    { 1066, 1, COUNT_l2_write_hits, COUNT_none },
    { 1067, 1, COUNT_l2_write_misses, COUNT_none },
    { 1281, 1, COUNT_vector_busy, COUNT_none },
    { 1284, 1, COUNT_simt_cycles, COUNT_none },
    { 1344, 1, COUNT_conflict_cycles, COUNT_none },
    { 1393, 256, COUNT_ub_read_bytes, COUNT_none },
    { 1394, 256, COUNT_ub_write_bytes, COUNT_none },
    { 1466, 1, COUNT_simt_issued, COUNT_none },
    { 1468, 1, COUNT_simt_moved, COUNT_none },
    { 1792, 1, COUNT_mte1_instr, COUNT_none },
    { 1794, 1, COUNT_mte1_busy, COUNT_none },
    { 1795, 256, COUNT_l0a_write_bytes, COUNT_none },
    { 1797, 256, COUNT_l0b_write_bytes, COUNT_none },
    { 1799, 256, COUNT_l1_read_bytes, COUNT_none },
    { 1801, 256, COUNT_l1_write_bytes, COUNT_none },
    { 1812, 1, COUNT_fix_busy, COUNT_none },
    { 1813, 1, COUNT_fix_instr, COUNT_none },
};

static const Event events_310p[] = {
    { 1, 1, COUNT_vector_instr, COUNT_none },
    { 3, 1, COUNT_cube_instr, COUNT_none },
    { 4, 1, COUNT_mte1_instr, COUNT_none },
    { 5, 1, COUNT_mte2_instr, COUNT_none },
    { 6, 1, COUNT_mte3_instr, COUNT_none },
    { 8, 1, COUNT_vector_busy, COUNT_none },
    { 9, 1, COUNT_scalar_busy, COUNT_none },
    { 10, 1, COUNT_cube_busy, COUNT_none },
    { 11, 1, COUNT_mte1_busy, COUNT_none },
    { 12, 1, COUNT_mte2_busy, COUNT_none },
    { 13, 1, COUNT_mte3_busy, COUNT_none },
    { 18, 4, COUNT_gm_read_words, COUNT_gm_read_words_odd },
    { 19, 4, COUNT_gm_write_words, COUNT_none },
    { 27, 512, COUNT_l0a_read_bytes, COUNT_none },
    { 28, 256, COUNT_l0a_write_bytes, COUNT_none },
    { 33, 512, COUNT_l0b_read_bytes, COUNT_none },
    { 34, 128, COUNT_l0b_write_bytes, COUNT_none },
    { 40, 1024, COUNT_l0c_read_bytes, COUNT_none },
    { 42, 1024, COUNT_l0c_write_bytes, COUNT_none },
    { 49, 512, COUNT_l1_read_bytes, COUNT_none },
    { 50, 256, COUNT_l1_write_bytes, COUNT_none },
    { 61, 16, COUNT_ub_store_bytes, COUNT_none },
    { 62, 16, COUNT_ub_load_bytes, COUNT_none },
    { 67, 16, COUNT_ub_read_bytes, COUNT_none },
    { 68, 16, COUNT_ub_write_bytes, COUNT_none },
    { 73, 1, COUNT_cube_steps, COUNT_none },
    { 75, 1, COUNT_vector_repeats, COUNT_none },
    { 84, 1, COUNT_fetches, COUNT_none },
    { 85, 1, COUNT_fetch_misses, COUNT_none },
    { 87, 1, COUNT_scalar_wait, COUNT_none },
    { 88, 1, COUNT_cube_wait, COUNT_none },
    { 89, 1, COUNT_vector_wait, COUNT_none },
    { 90, 1, COUNT_mte1_wait, COUNT_none },
    { 91, 1, COUNT_mte2_wait, COUNT_none },
    { 92, 1, COUNT_mte3_wait, COUNT_none },
    { 100, 1, COUNT_conflict_cycles, COUNT_none },
};

/* Of the L2 cache by itself. */
static const Event l2_910b[] = {
    { 156, 1, COUNT_l2_evictions, COUNT_none },
};

static const Event l2_310p[] = {
    { 106, 1, COUNT_l2_read_hits, COUNT_l2_read_hits_odd },
    { 120, 1, COUNT_l2_read_hits, COUNT_l2_read_misses },
    { 121, 1, COUNT_l2_read_hits_odd, COUNT_l2_read_misses_odd },
};

#define ALL_OF(array) array, sizeof(array) / sizeof((array)[0])

static const Series cores[] = { { "Ascend910B", ALL_OF(events_910b) },
                                { "Ascend910_93", ALL_OF(events_910b) },
                                { "Ascend950", ALL_OF(events_950) },
                                { "Ascend310P", ALL_OF(events_310p) } };
static const Series caches[] = { { "Ascend910B", ALL_OF(l2_910b) },
                                 { "Ascend910_93", ALL_OF(l2_910b) },
                                 { "Ascend310P", ALL_OF(l2_310p) } };

#define COUNT_NAME(name) #name,

const char *CountName(CountKind kind)
{
    static const char *const names[] = { COUNTS(COUNT_NAME) };

    return names[kind];
}

static uint64_t value_of(const Series *series, uint32_t event, const uint64_t *counts)
{
    for (size_t i = 0; i < series->count; i++) {
        const Event *found = &series->events[i];

        if (found->id == event) {
            const uint64_t sum =
                counts[found->count] + (found->more == COUNT_none ? 0 : counts[found->more]);

            return (sum + found->unit - 1) / found->unit;
        }
    }
    return 0;
}

static uint64_t find(const Series *list, size_t count, const char *soc, uint32_t event,
                     const uint64_t *counts)
{
    for (size_t i = 0; i < count; i++) {
        if (strncmp(soc, list[i].prefix, strlen(list[i].prefix)) == 0) {
            return value_of(&list[i], event, counts);
        }
    }
    return 0;
}

uint64_t EventValue(const char *soc, uint32_t event, const uint64_t *counts)
{
    return find(ALL_OF(cores), soc, event, counts);
}

uint64_t CacheEventValue(const char *soc, uint32_t event, const uint64_t *counts)
{
    return find(ALL_OF(caches), soc, event, counts);
}
