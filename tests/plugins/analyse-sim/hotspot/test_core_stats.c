/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/analyse-sim/hotspot/core_stats.c. */
#include "plugins/analyse-sim/hotspot/core_stats.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define TICKS 4000u
#define PCS 40u
#define ROWS 2000u
#define BASE UINT64_C(0x10f86000)
#define MARK_PIPE 77u
#define CORE 5u

static OpprofBatchPool *rows_pool;
static OpprofBatchPool *marks_pool;
static OpprofBatchPool *details_pool;

static void setup(void)
{
    rows_pool = OpprofBatchPoolCreate(&opprof_sim_instruction_type, ROWS, 0);
    marks_pool = OpprofBatchPoolCreate(&opprof_sim_mark_type, 64, 0);
    details_pool = OpprofBatchPoolCreate(&opprof_sim_pc_details_type, 64, 0);
    ck_assert(rows_pool != NULL && marks_pool != NULL && details_pool != NULL);
}

static void teardown(void)
{
    OpprofBatchPoolDestroy(rows_pool);
    OpprofBatchPoolDestroy(marks_pool);
    OpprofBatchPoolDestroy(details_pool);
}

static CoreStats *create(OpprofSource *source)
{
    CoreStats *core = CoreStatsCreate(CORE, MARK_PIPE, source);

    ck_assert_ptr_nonnull(core);
    return core;
}

static void put_row(OpprofBatch *batch, uint64_t pc, uint64_t start, uint64_t end,
                    const char *detail)
{
    OpprofSimInstruction *row = OpprofBatchAppend(batch);

    ck_assert_ptr_nonnull(row);
    *row = (OpprofSimInstruction){ .pc = pc, .start = start, .end = end, .name = 3, .pipe = 4 };
    ck_assert_int_eq(OpprofBatchAppendText(batch, detail, strlen(detail), &row->detail), OPPROF_OK);
}

static void put_mark(OpprofBatch *batch, uint64_t pc, uint64_t start, uint64_t end)
{
    OpprofSimMark *mark = OpprofBatchAppend(batch);

    ck_assert_ptr_nonnull(mark);
    *mark = (OpprofSimMark){ .pc = pc, .start = start, .end = end, .name = 9 };
    ck_assert_int_eq(OpprofBatchAppendText(batch, "SPR:LPCNT", 9, &mark->detail), OPPROF_OK);
}

/* What a plain sum over all rows gives for an address. */
typedef struct Model {
    uint64_t calls;
    uint64_t cycles;
    bool busy[TICKS];
} Model;

static Model models[PCS];

static int by_end(const void *a, const void *b)
{
    const OpprofSimInstruction *x = a;
    const OpprofSimInstruction *y = b;

    return x->end != y->end ? (x->end > y->end ? 1 : -1) : (x->pc > y->pc) - (x->pc < y->pc);
}

/* Rows of an address do not overtake each other. */
static void make_rows(OpprofBatch *batch)
{
    uint64_t starts[PCS] = { 0 };

    memset(models, 0, sizeof models);
    for (unsigned i = 0; i < ROWS; i++) {
        const unsigned pc = (unsigned) rand() % PCS;
        const uint64_t start = starts[pc] + (uint64_t) rand() % 60;
        const uint64_t end = start + pc;

        if (end >= TICKS) {
            continue;
        }
        starts[pc] = start;
        put_row(batch, BASE + 4 * pc, start, end, "x");
        models[pc].calls++;
        models[pc].cycles += end - start;
        memset(&models[pc].busy[start], true, end - start);
    }
    qsort(batch->records, batch->count, sizeof(OpprofSimInstruction), by_end);
}

START_TEST(sums_of_addresses_are_those_of_a_plain_count)
{
    OpprofBatch *batch = OpprofBatchPoolTake(rows_pool);
    CoreStats *core = create(NULL);

    srand((unsigned) _i);
    make_rows(batch);
    ck_assert(CoreStatsInstructions(core, batch));
    ck_assert(CoreStatsFinish(core));
    for (unsigned pc = 0; pc < PCS; pc++) {
        const PcStats *stats = CoreStatsPc(core, BASE + 4 * pc);
        uint64_t busy = 0;

        for (unsigned tick = 0; tick < TICKS; tick++) {
            busy += models[pc].busy[tick];
        }
        ck_assert_uint_eq(models[pc].calls, stats == NULL ? 0 : stats->calls);
        ck_assert(stats == NULL || stats->cycles == models[pc].cycles);
        ck_assert(stats == NULL || OpprofBusyTimeTotal(&stats->busy) == busy);
    }
    ck_assert_uint_eq(CoreStatsRough(core), 0);
    ck_assert_ptr_null(CoreStatsPc(core, BASE + 4 * PCS));
    CoreStatsDestroy(core);
    OpprofBatchUnref(batch);
}
END_TEST

#define SHORT_ROWS 1500u

/*
 * Short executions with gaps between them, all of which a long one of the same address covers that
 * ends last; the short ones run 5 of every 10 ticks, the long one from half of them on.
 */
static void make_overlapping(OpprofBatch *batch, bool tells_reach)
{
    const uint64_t long_start = SHORT_ROWS / 2 * 10, long_end = SHORT_ROWS * 10 + 7;

    for (unsigned i = 0; i < SHORT_ROWS; i++) {
        OpprofSimInstruction *row;
        uint64_t floor = (i + 1) * 10u;

        put_row(batch, BASE, i * 10u, i * 10u + 5, "x");
        row = (OpprofSimInstruction *) batch->records + i;
        floor = floor < long_start ? floor : long_start; /* of all later rows */
        row->reach = tells_reach && floor < row->end ? (uint32_t) (row->end - floor) : tells_reach;
    }
    put_row(batch, BASE, long_start, long_end, "x");
}

START_TEST(executions_that_cover_many_others_count_exactly)
{
    OpprofBatch *batch = OpprofBatchPoolTake(rows_pool);
    CoreStats *core = create(NULL);
    const PcStats *stats;

    make_overlapping(batch, _i == 1);
    ck_assert(CoreStatsInstructions(core, batch));
    ck_assert(CoreStatsFinish(core));
    stats = CoreStatsPc(core, BASE);
    ck_assert_uint_eq(stats->calls, SHORT_ROWS + 1);
    ck_assert_uint_eq(OpprofBusyTimeTotal(&stats->busy),
                      SHORT_ROWS / 2 * 5 + SHORT_ROWS / 2 * 10 + 7);
    ck_assert_uint_eq(CoreStatsRough(core), 0);
    CoreStatsDestroy(core);
    OpprofBatchUnref(batch);
}
END_TEST

/* Executions that do not reach back need no more room, however many there are. */
START_TEST(what_is_over_is_not_kept)
{
    OpprofBatch *batch = OpprofBatchPoolTake(rows_pool);
    CoreStats *core = create(NULL);
    const PcStats *stats;

    for (unsigned i = 0; i < SHORT_ROWS; i++) {
        put_row(batch, BASE, i * 10u, i * 10u + 5, "x");
        ((OpprofSimInstruction *) batch->records + i)->reach = 1;
    }
    ck_assert(CoreStatsInstructions(core, batch));
    stats = CoreStatsPc(core, BASE);
    ck_assert_uint_eq(OpprofBusyTimeTotal(&stats->busy), SHORT_ROWS * 5);
    ck_assert_uint_le(stats->busy.capacity, 8);
    CoreStatsDestroy(core);
    OpprofBatchUnref(batch);
}
END_TEST

/* A mark that ends late may begin before all of them. */
START_TEST(marks_reach_back_as_far_as_they_like)
{
    OpprofBatch *batch = OpprofBatchPoolTake(rows_pool);
    OpprofBatch *marks = OpprofBatchPoolTake(marks_pool);
    CoreStats *core = create(NULL);
    const PcStats *stats;

    put_mark(marks, BASE, 3, 100000);
    put_mark(marks, BASE, 2000, 3000);
    ck_assert(CoreStatsMarks(core, marks));
    for (unsigned i = 0; i < SHORT_ROWS; i++) {
        put_row(batch, BASE, i * 10u, i * 10u + 5, "x");
        ((OpprofSimInstruction *) batch->records + i)->reach = 1;
    }
    ck_assert(CoreStatsInstructions(core, batch));
    ck_assert(CoreStatsFinish(core));
    stats = CoreStatsPc(core, BASE);
    ck_assert_uint_eq(OpprofBusyTimeTotal(&stats->busy), 100000);
    ck_assert_uint_eq(CoreStatsRough(core), 0);
    CoreStatsDestroy(core);
    OpprofBatchUnref(batch);
    OpprofBatchUnref(marks);
}
END_TEST

START_TEST(the_first_row_gives_name_and_operands)
{
    OpprofBatch *batch = OpprofBatchPoolTake(rows_pool);
    CoreStats *core = create(NULL);
    const PcStats *stats;

    put_row(batch, 8, 10, 20, "first");
    put_row(batch, 8, 11, 21, "second");
    ck_assert(CoreStatsInstructions(core, batch));
    stats = CoreStatsPc(core, 8);
    ck_assert_uint_eq(stats->detail_length, 5);
    ck_assert_mem_eq(core->texts + stats->detail, "first", 5);
    ck_assert_uint_eq(stats->name, 3);
    ck_assert_uint_eq(stats->cycles, 20);
    ck_assert_uint_eq(OpprofBusyTimeTotal(&stats->busy), 11);
    CoreStatsDestroy(core);
    OpprofBatchUnref(batch);
}
END_TEST

/* The later marks first, and some more after the first instructions. */
START_TEST(marks_may_come_in_several_batches)
{
    OpprofBatch *rows = OpprofBatchPoolTake(rows_pool);
    OpprofBatch *marks[3] = { OpprofBatchPoolTake(marks_pool), OpprofBatchPoolTake(marks_pool),
                              OpprofBatchPoolTake(marks_pool) };
    CoreStats *core = create(NULL);

    put_mark(marks[0], 0x100, 80, 90);
    put_mark(marks[1], 0x100, 20, 30);
    put_mark(marks[2], 0x100, 60, 75);
    put_row(rows, 0x200, 40, 50, "x");
    ck_assert(CoreStatsMarks(core, marks[0]));
    ck_assert(CoreStatsMarks(core, marks[1]));
    ck_assert(CoreStatsInstructions(core, rows));
    ck_assert_uint_eq(core->mark_count, 1);
    ck_assert_uint_eq(CoreStatsPc(core, 0x100)->cycles, 10);
    ck_assert(CoreStatsMarks(core, marks[2]));
    rows->count = 0;
    put_row(rows, 0x200, 70, 78, "x");
    ck_assert(CoreStatsInstructions(core, rows));
    ck_assert_uint_eq(core->mark_count, 1);
    ck_assert_uint_eq(CoreStatsPc(core, 0x100)->cycles, 10 + 15);
    ck_assert(CoreStatsFinish(core));
    ck_assert_uint_eq(CoreStatsPc(core, 0x100)->cycles, 10 + 15 + 10);
    CoreStatsDestroy(core);
    OpprofBatchUnref(rows);
    for (unsigned i = 0; i < 3; i++) {
        OpprofBatchUnref(marks[i]);
    }
}
END_TEST

START_TEST(marks_find_their_place_among_instructions)
{
    OpprofBatch *rows = OpprofBatchPoolTake(rows_pool);
    OpprofBatch *marks = OpprofBatchPoolTake(marks_pool);
    CoreStats *core = create(NULL);

    put_mark(marks, 0x100, 5, 100);
    put_mark(marks, 0x100, 2, 50);
    put_mark(marks, 0x200, 20, 10); /* ends before it starts */
    put_row(rows, 0x100, 70, 80, "x");
    ck_assert(CoreStatsMarks(core, marks));
    ck_assert(CoreStatsInstructions(core, rows));
    ck_assert_uint_eq(core->mark_count, 1); /* the one that ends later */
    ck_assert_uint_eq(CoreStatsPc(core, 0x100)->pipe, MARK_PIPE);
    ck_assert(CoreStatsFinish(core));
    ck_assert_uint_eq(CoreStatsPc(core, 0x100)->calls, 3);
    ck_assert_uint_eq(CoreStatsPc(core, 0x100)->cycles, 95 + 48 + 10);
    ck_assert_uint_eq(OpprofBusyTimeTotal(&CoreStatsPc(core, 0x100)->busy), 98);
    ck_assert(CoreStatsPc(core, 0x100)->has_instructions);
    ck_assert_uint_eq(CoreStatsPc(core, 0x200)->cycles, 0);
    ck_assert(!CoreStatsPc(core, 0x200)->has_instructions);
    CoreStatsDestroy(core);
    OpprofBatchUnref(rows);
    OpprofBatchUnref(marks);
}
END_TEST

START_TEST(details_without_executions_are_no_row)
{
    OpprofBatch *rows = OpprofBatchPoolTake(rows_pool);
    OpprofBatch *details = OpprofBatchPoolTake(details_pool);
    CoreStats *core = create(NULL);

    *(OpprofSimPcDetails *) OpprofBatchAppend(details) =
        (OpprofSimPcDetails){ .pc = 4, .gpr_count = 7 };
    *(OpprofSimPcDetails *) OpprofBatchAppend(details) =
        (OpprofSimPcDetails){ .pc = 8, .gpr_count = 9 };
    ck_assert(CoreStatsDetails(core, details));
    put_row(rows, 8, 1, 2, "x");
    ck_assert(CoreStatsInstructions(core, rows));
    ck_assert_ptr_null(CoreStatsPc(core, 4));
    ck_assert_int_eq(CoreStatsPc(core, 8)->details.gpr_count, 9);
    CoreStatsDestroy(core);
    OpprofBatchUnref(rows);
    OpprofBatchUnref(details);
}
END_TEST

/*
 * Line 20 of the mapped kernel has the addresses 0x14 and 0x18, and line 9 what was inlined there.
 */
START_TEST(lines_join_the_times_of_their_addresses)
{
    const OpprofSourceOptions options = { .start_pc = BASE, .toolkit = "ascend-toolkit" };
    OpprofBatch *rows = OpprofBatchPoolTake(rows_pool);
    OpprofSource *source;
    CoreStats *core;
    const PcStats *pc;
    const LineStats *line;

    ck_assert_int_eq(
        OpprofSourceOpen(TEST_BUILD_DIR "/tests/data/source/mapped.o", &options, &source, NULL),
        OPPROF_OK);
    core = create(source);
    put_row(rows, BASE + 0x14, 1010, 1390, "x");
    put_row(rows, BASE + 0x18, 1011, 1391, "x");
    put_row(rows, BASE + 0x20, 1400, 1412, "x");
    put_row(rows, BASE + 0x24, 1400, 1420, "x"); /* without a line */
    put_row(rows, BASE + 0x20, 1410, 1425, "x");
    ck_assert(CoreStatsInstructions(core, rows));
    pc = CoreStatsPc(core, BASE + 0x14);
    ck_assert_uint_eq(pc->stack->count, 1);
    line = CoreStatsLine(core, pc->stack->lines[0]);
    ck_assert_uint_eq(line->calls, 2);
    ck_assert_uint_eq(line->cycles, 760);
    ck_assert_uint_eq(OpprofBusyTimeTotal(&line->busy), 381);
    pc = CoreStatsPc(core, BASE + 0x20);
    ck_assert_uint_eq(pc->stack->count, 2);
    ck_assert_uint_eq(pc->line_count, 1);
    ck_assert_ptr_null(CoreStatsLine(core, pc->stack->lines[0])); /* the toolkit's */
    ck_assert_uint_eq(OpprofBusyTimeTotal(&CoreStatsLine(core, pc->stack->lines[1])->busy), 25);
    ck_assert_uint_eq(CoreStatsPc(core, BASE + 0x24)->line_count, 0);
    CoreStatsDestroy(core);
    OpprofSourceClose(source);
    OpprofBatchUnref(rows);
}
END_TEST

START_TEST(memory_does_not_grow_with_the_rows)
{
    CoreStats *core = create(NULL);
    size_t stretches = 0;

    for (uint64_t round = 0; round < 200; round++) {
        OpprofBatch *batch = OpprofBatchPoolTake(rows_pool);

        for (uint64_t i = 0; i < ROWS; i++) {
            const uint64_t tick = (round * ROWS + i) * 10;

            put_row(batch, BASE + 4 * (i % PCS), tick, tick + 3, "operands");
            ((OpprofSimInstruction *) batch->records + i)->reach = 3;
        }
        ck_assert(CoreStatsInstructions(core, batch));
        OpprofBatchUnref(batch);
    }
    for (uint32_t i = 0; i < core->pc_count; i++) {
        stretches += core->pcs[i].busy.capacity;
        ck_assert_uint_eq(OpprofBusyTimeTotal(&core->pcs[i].busy), 200 * ROWS / PCS * 3);
    }
    ck_assert_uint_eq(core->pc_count, PCS);
    ck_assert_uint_le(stretches, 8 * PCS);
    ck_assert_uint_eq(core->text_bytes, 8 * PCS);
    CoreStatsDestroy(core);
}
END_TEST

static Suite *core_stats_suite(void)
{
    Suite *suite = suite_create("core_stats");
    TCase *tcase = tcase_create("core_stats");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, sums_of_addresses_are_those_of_a_plain_count, 0, 20);
    tcase_add_loop_test(tcase, executions_that_cover_many_others_count_exactly, 0, 2);
    tcase_add_test(tcase, what_is_over_is_not_kept);
    tcase_add_test(tcase, marks_reach_back_as_far_as_they_like);
    tcase_add_test(tcase, the_first_row_gives_name_and_operands);
    tcase_add_test(tcase, marks_find_their_place_among_instructions);
    tcase_add_test(tcase, marks_may_come_in_several_batches);
    tcase_add_test(tcase, details_without_executions_are_no_row);
    tcase_add_test(tcase, lines_join_the_times_of_their_addresses);
    tcase_add_test(tcase, memory_does_not_grow_with_the_rows);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(core_stats_suite)
