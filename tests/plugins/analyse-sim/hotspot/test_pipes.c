/* SPDX-License-Identifier: Apache-2.0 */
/* Times of pipes and barriers, added up by hand. A tick is 10 ns. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <opprof/records/sim.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0;

static const OpprofRecordType *const types[] = { &opprof_sim_instruction_type };

/* The rows that came, as texts "core pipe member=value …". */
static char *rows[16];
static unsigned row_count;

static void print_field(FILE *out, const OpprofStage *stage, const OpprofField *field,
                        const char *record)
{
    uint32_t id;
    uint64_t count;
    double number;

    memcpy(&id, record + field->offset, sizeof id);
    if (field->kind == OPPROF_FIELD_STRING && id != OPPROF_NA_STRING) {
        fprintf(out, "%s ", OpprofStageString(stage, id));
    } else if (field->kind == OPPROF_FIELD_U64) {
        memcpy(&count, record + field->offset, sizeof count);
        if (count != OPPROF_NA_U64) {
            fprintf(out, "%s=%llu ", field->name, (unsigned long long) count);
        }
    } else if (field->kind == OPPROF_FIELD_F64) {
        memcpy(&number, record + field->offset, sizeof number);
        if (!OpprofIsNaF64(number)) {
            fprintf(out, "%s=%.2f ", field->name, number);
        }
    }
}

static void see(const OpprofStage *stage, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        size_t size;
        FILE *out;

        ck_assert_uint_lt(row_count, OPPROF_COUNT(rows));
        out = open_memstream(&rows[row_count++], &size);
        ck_assert_ptr_nonnull(out);
        for (uint32_t f = 0; f < batch->type->field_count; f++) {
            print_field(out, stage, &batch->type->fields[f], OpprofBatchRecord(batch, i));
        }
        fclose(out);
    }
}

static void setup(void)
{
    HarnessSetup();
    row_count = 0;
}

static void teardown(void)
{
    HarnessTeardown();
    while (row_count > 0) {
        free(rows[--row_count]);
    }
}

static void run(HarnessProduce *produce, const char *type)
{
    HarnessSource("source", produce, types, 1);
    HarnessPlugin("hotspot", &opprof_plugin_v0, NULL);
    HarnessSink("sink", see, type);
    HarnessRun(OPPROF_RUN_COMPLETE);
}

/* The row that begins with a core and a pipe. */
static const char *row_of(const char *beginning)
{
    for (unsigned i = 0; i < row_count; i++) {
        if (strncmp(rows[i], beginning, strlen(beginning)) == 0) {
            return rows[i];
        }
    }
    ck_abort_msg("no row of %s", beginning);
    return NULL;
}

static OpprofBatch *begin(OpprofStage *stage, const char *core)
{
    const OpprofClock clock = { .name = "core", .hz = 100000000 };
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);

    ck_assert_ptr_nonnull(batch);
    batch->partition = HarnessIntern(stage, core);
    batch->clock = OpprofStageClock(stage, &clock);
    return batch;
}

/* An instruction; one address for each name and pipe. */
static void put(OpprofStage *stage, OpprofBatch *batch, const char *pipe, const char *name,
                const char *detail, uint64_t start, uint64_t end)
{
    OpprofSimInstruction *row = OpprofBatchAppend(batch);

    ck_assert_ptr_nonnull(row);
    *row = (OpprofSimInstruction){ .start = start,
                                   .end = end,
                                   .core = batch->partition,
                                   .name = HarnessIntern(stage, name),
                                   .pipe = HarnessIntern(stage, pipe) };
    row->pc = (uint64_t) row->name * 65536 + row->pipe;
    ck_assert_int_eq(OpprofBatchAppendText(batch, detail, strlen(detail), &row->detail), OPPROF_OK);
}

#define FROM_STORE "PIPE:MTE3,TRIGGERPIPE:MTE2,FLAGID:0,"

/* Loads work 40 + 40 of 100 ticks and wait 20; stores work less. */
static OpprofStatus produce_single(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, "core0.veccore0");

    (void) error;
    put(stage, batch, "MTE2", "MOV_OUT_TO_UB", "", 0, 40);
    put(stage, batch, "MTE2", "SET_FLAG", "PIPE:MTE2,TRIGGERPIPE:MTE3,FLAGID:0,", 1, 40);
    put(stage, batch, "MTE3", "WAIT_FLAG", "PIPE:MTE2,TRIGGERPIPE:MTE3,FLAGID:0,", 2, 41);
    put(stage, batch, "MTE3", "MOV_UB_TO_OUT", "", 41, 59);
    put(stage, batch, "MTE2", "WAIT_FLAG", FROM_STORE, 40, 60);
    put(stage, batch, "MTE2", "MOV_OUT_TO_UB", "", 60, 100);
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(a_pipe_works_waits_and_is_idle)
{
    run(produce_single, "sim.pipes");
    ck_assert_uint_eq(row_count, 2);
    ck_assert_str_eq(row_of("core0.veccore0 MTE2"),
                     "core0.veccore0 MTE2 duration_us=1.00 worked_us=0.80 waited_us=0.20 "
                     "idle_us=0.00 head_us=0.00 alone_us=0.02 start_us=0.00 "
                     "longest_us=0.20 longest_start_us=0.40 MTE3 ");
    /* It waits from 2 to 41, and has nothing to do from 59 on. */
    ck_assert_str_eq(row_of("core0.veccore0 MTE3"),
                     "core0.veccore0 MTE3 duration_us=1.00 worked_us=0.18 waited_us=0.39 "
                     "idle_us=0.43 head_us=0.00 alone_us=0.02 start_us=0.00 "
                     "longest_us=0.39 longest_start_us=0.02 MTE2 ");
}
END_TEST

/* The wait is issued while a load is still on its way: only 50 to 65 is waiting. */
static OpprofStatus produce_in_flight(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, "core0.veccore0");

    (void) error;
    put(stage, batch, "MTE2", "MOV_OUT_TO_UB", "", 0, 50);
    put(stage, batch, "MTE2", "wait_event", "pipe_type:VECTOR,tigger_pipe:MTE2,event_id:0,", 5, 65);
    put(stage, batch, "MTE2", "MOV_OUT_TO_UB", "", 65, 100);
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(only_the_time_without_work_is_waiting)
{
    run(produce_in_flight, "sim.pipes");
    ck_assert_str_eq(row_of("core0.veccore0 MTE2"),
                     "core0.veccore0 MTE2 duration_us=1.00 worked_us=0.85 waited_us=0.15 "
                     "idle_us=0.00 head_us=0.00 alone_us=0.15 start_us=0.00 "
                     "longest_us=0.15 longest_start_us=0.50 VECTOR ");
}
END_TEST

/* SCALAR works 0 to 20 and 50 to 70; MTE2 works 10 to 60. What it does before that is the head. */
static OpprofStatus produce_scalar(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, "core0.veccore0");

    (void) error;
    put(stage, batch, "SCALAR", "ADD", "", 0, 20);
    put(stage, batch, "MTE2", "MOV_OUT_TO_UB", "", 10, 60);
    put(stage, batch, "SCALAR", "ADD", "", 50, 70);
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(the_front_end_works_alone_where_no_other_pipe_does)
{
    run(produce_scalar, "sim.pipes");
    ck_assert_str_eq(row_of("core0.veccore0 SCALAR"),
                     "core0.veccore0 SCALAR duration_us=0.70 worked_us=0.40 waited_us=0.00 "
                     "idle_us=0.30 head_us=0.10 alone_us=0.10 start_us=0.00 ");
}
END_TEST

/* A barrier of two pipes, which overlap, before work; one that only scalar work follows; and the
 * last one. */
static OpprofStatus produce_barriers(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, "core0.veccore0");

    (void) error;
    put(stage, batch, "MTE2", "MOV_OUT_TO_UB", "", 0, 40);
    put(stage, batch, "SCALAR", "BAR", "PIPE:ALL", 5, 40);
    put(stage, batch, "MTE3", "BAR", "PIPE:MTE3", 30, 45);
    put(stage, batch, "MTE3", "MOV_UB_TO_OUT", "", 45, 80);
    put(stage, batch, "SCALAR", "BAR", "PIPE:ALL", 46, 80);
    put(stage, batch, "SCALAR", "ADD", "", 80, 81);
    put(stage, batch, "FLOWCTRL", "END", "", 81, 90);
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(a_barrier_counts_if_work_follows)
{
    run(produce_barriers, "sim.barriers");
    ck_assert_uint_eq(row_count, 2);
    ck_assert_str_eq(row_of("core0.veccore0 SCALAR"),
                     "core0.veccore0 SCALAR calls=1 waited_us=0.35 longest_start_us=0.05 ");
    ck_assert_str_eq(row_of("core0.veccore0 MTE3"),
                     "core0.veccore0 MTE3 calls=1 waited_us=0.05 longest_start_us=0.40 ");
}
END_TEST

static Suite *pipes_suite(void)
{
    Suite *suite = suite_create("pipes");
    TCase *tcase = tcase_create("pipes");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_pipe_works_waits_and_is_idle);
    tcase_add_test(tcase, only_the_time_without_work_is_waiting);
    tcase_add_test(tcase, the_front_end_works_alone_where_no_other_pipe_does);
    tcase_add_test(tcase, a_barrier_counts_if_work_follows);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(pipes_suite)
