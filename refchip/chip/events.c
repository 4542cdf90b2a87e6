/* SPDX-License-Identifier: Apache-2.0 */
/* Which events of a series are which counts of the chip. Tested by tests/refchip/test_profiling.sh. */
#include "counts.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct Event {
    uint16_t id;
    uint16_t unit; /* how many of the count make one event */
    CountKind count;
} Event;

/* Events that are not here stay 0: the chip has no such thing (other types, flags between cores). */
static const Event events_910b[] = {
    { 1, 1, COUNT_vector_instr },         { 3, 1, COUNT_cube_instr },
    { 4, 1, COUNT_mte1_instr },           { 5, 1, COUNT_mte2_instr },
    { 6, 1, COUNT_mte3_instr },           { 8, 1, COUNT_vector_busy },
    { 9, 1, COUNT_scalar_busy },          { 10, 1, COUNT_cube_busy },
    { 12, 1, COUNT_mte2_busy },           { 13, 1, COUNT_mte3_busy },
    { 19, 512, COUNT_l0c_out_bytes },     { 27, 512, COUNT_l0a_read_bytes },
    { 28, 256, COUNT_l0a_write_bytes },   { 33, 512, COUNT_l0b_read_bytes },
    { 34, 128, COUNT_l0b_write_bytes },   { 40, 1024, COUNT_l0c_read_bytes },
    { 42, 1024, COUNT_l0c_write_bytes },  { 49, 256, COUNT_l1_read_bytes },
    { 50, 256, COUNT_l1_write_bytes },    { 61, 128, COUNT_ub_store_bytes },
    { 62, 128, COUNT_ub_load_bytes },     { 67, 256, COUNT_ub_read_bytes },
    { 68, 256, COUNT_ub_write_bytes },    { 73, 1, COUNT_cube_steps },
    { 75, 1, COUNT_vector_repeats },      { 84, 1, COUNT_fetches },
    { 85, 1, COUNT_fetch_misses },        { 87, 1, COUNT_scalar_wait },
    { 88, 1, COUNT_cube_wait },           { 89, 1, COUNT_vector_wait },
    { 90, 1, COUNT_mte1_wait },           { 91, 1, COUNT_mte2_wait },
    { 92, 1, COUNT_mte3_wait },           { 100, 1, COUNT_conflict_cycles },
    { 107, 1, COUNT_mte1_stall },         { 108, 1, COUNT_mte2_stall },
    { 109, 1, COUNT_mte3_stall },         { 110, 1, COUNT_cube_stall },
    { 111, 1, COUNT_vector_stall },       { 112, 1, COUNT_scalar_instr },
    { 114, 1, COUNT_fetch_wait },         { 524, 128, COUNT_l0c_out_bytes },
    { 526, 1, COUNT_fix_instr },          { 770, 1, COUNT_mte1_busy },
    { 771, 1, COUNT_fix_busy },           { 1032, 1, COUNT_mmads },
    { 1280, 1, COUNT_l2_write_hits },     { 1282, 1, COUNT_l2_write_misses },
    { 1284, 1, COUNT_l2_read_hits },      { 1286, 1, COUNT_l2_read_misses },
    { 1288, 1, COUNT_l2_read_hits_odd },  { 1290, 1, COUNT_l2_read_misses_odd },
    { 1292, 1, COUNT_gm_write_words },    { 1293, 1, COUNT_gm_read_words },
    { 1294, 1, COUNT_gm_read_words_odd },
};

#define COUNT_NAME(name) #name,

const char *CountName(CountKind kind)
{
    static const char *const names[] = { COUNTS(COUNT_NAME) };

    return names[kind];
}

CountKind EventCount(const char *series, uint32_t event, uint32_t *ret_unit)
{
    const bool is_910b =
        strncmp(series, "Ascend910B", 10) == 0 || strncmp(series, "Ascend910_93", 12) == 0;

    *ret_unit = 1;
    for (size_t i = 0; is_910b && i < sizeof events_910b / sizeof events_910b[0]; i++) {
        if (events_910b[i].id == event) {
            *ret_unit = events_910b[i].unit;
            return events_910b[i].count;
        }
    }
    return COUNT_none;
}
