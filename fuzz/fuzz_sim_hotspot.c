/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of hot spots, fed with odd but valid records. The first byte chooses: honest rows, which
 * come by end and say truly how far back later ones begin, are compared with a count tick by tick;
 * others are anything at all.
 *
 * Each row takes 4 bytes when honest (address, start, length, one of them a mark) and 26 otherwise.
 */
#include "fuzz/fuzz.h"
#include "plugins/analyse-sim/hotspot/core_stats.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 512u
#define TICKS 600u
#define ADDRESSES 4u

typedef struct Execution {
    uint64_t pc;
    uint64_t start;
    uint64_t end;
    uint32_t reach;
    bool is_mark;
} Execution;

static int by_end(const void *a, const void *b)
{
    const Execution *x = a;
    const Execution *y = b;

    return (x->end > y->end) - (x->end < y->end);
}

static void feed_row(CoreStats *core, OpprofBatchPool *pool, const Execution *row)
{
    OpprofBatch *batch = OpprofBatchPoolTake(pool);
    OpprofSimInstruction *record;

    FUZZ_REQUIRE(batch != NULL);
    record = OpprofBatchAppend(batch);
    *record = (OpprofSimInstruction){ .pc = row->pc,
                                      .start = row->start,
                                      .end = row->end,
                                      .reach = row->reach,
                                      .detail = { OPPROF_NA_U32, 0 } };
    FUZZ_REQUIRE(CoreStatsInstructions(core, batch));
    OpprofBatchUnref(batch);
}

static void feed_mark(CoreStats *core, OpprofBatchPool *pool, const Execution *row)
{
    OpprofBatch *batch = OpprofBatchPoolTake(pool);

    FUZZ_REQUIRE(batch != NULL);
    *(OpprofSimMark *) OpprofBatchAppend(batch) = (OpprofSimMark){
        .pc = row->pc, .start = row->start, .end = row->end, .detail = { OPPROF_NA_U32, 0 }
    };
    FUZZ_REQUIRE(CoreStatsMarks(core, batch));
    OpprofBatchUnref(batch);
}

static size_t read_honest(const uint8_t *data, size_t size, Execution *rows)
{
    uint64_t floor = UINT64_MAX;
    size_t count = 0;

    for (; size >= 4 && count < ROWS_MAX; data += 4, size -= 4) {
        const uint64_t start = (data[1] | (uint64_t) (data[2] & 1) << 8);

        rows[count++] = (Execution){ .pc = data[0] % ADDRESSES,
                                     .start = start,
                                     .end = start + data[3] % 64,
                                     .is_mark = data[2] >= 0xf0 };
    }
    qsort(rows, count, sizeof *rows, by_end);
    for (size_t i = count; i > 0;
         i--) { /* marks promise nothing, and nothing is promised of them */
        Execution *row = &rows[i - 1];

        row->reach = floor >= row->end ? 1 : (uint32_t) (row->end - floor);
        if (!row->is_mark && row->start < floor) {
            floor = row->start;
        }
    }
    return count;
}

static void compare(const CoreStats *core, const Execution *rows, size_t count)
{
    FUZZ_REQUIRE(CoreStatsRough(core) == 0);
    for (uint64_t pc = 0; pc < ADDRESSES; pc++) {
        const PcStats *stats = CoreStatsPc(core, pc);
        bool busy[TICKS] = { false };
        uint64_t total = 0, calls = 0;

        for (size_t i = 0; i < count; i++) {
            if (rows[i].pc == pc) {
                calls++;
                memset(busy + rows[i].start, true, rows[i].end - rows[i].start);
            }
        }
        for (unsigned tick = 0; tick < TICKS; tick++) {
            total += busy[tick];
        }
        FUZZ_REQUIRE((stats == NULL ? 0 : stats->calls) == calls);
        FUZZ_REQUIRE(stats == NULL || OpprofBusyTimeTotal(&stats->busy) == total);
    }
}

static size_t read_odd(const uint8_t *data, size_t size, Execution *rows)
{
    size_t count = 0;

    for (; size >= 26 && count < ROWS_MAX; data += 26, size -= 26, count++) {
        memcpy(&rows[count].pc, data, 8);
        memcpy(&rows[count].start, data + 8, 8);
        memcpy(&rows[count].end, data + 16, 8);
        rows[count].reach = data[24];
        rows[count].is_mark = data[25] >= 0xf0;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Execution rows[ROWS_MAX];
    const bool is_honest = size > 0 && (data[0] & 1) != 0;
    const size_t count = size == 0   ? 0
                         : is_honest ? read_honest(data + 1, size - 1, rows)
                                     : read_odd(data + 1, size - 1, rows);
    OpprofBatchPool *instructions = OpprofBatchPoolCreate(&opprof_sim_instruction_type, 1, 0);
    OpprofBatchPool *marks = OpprofBatchPoolCreate(&opprof_sim_mark_type, 1, 0);
    CoreStats *core = CoreStatsCreate(1, 2, NULL);

    FUZZ_REQUIRE(instructions != NULL && marks != NULL && core != NULL);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].is_mark) {
            feed_mark(core, marks, &rows[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!rows[i].is_mark) {
            feed_row(core, instructions, &rows[i]);
        }
    }
    FUZZ_REQUIRE(CoreStatsFinish(core));
    if (is_honest) {
        compare(core, rows, count);
    }
    CoreStatsDestroy(core);
    OpprofBatchPoolDestroy(instructions);
    OpprofBatchPoolDestroy(marks);
    return 0;
}
