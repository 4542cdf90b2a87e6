/* SPDX-License-Identifier: Apache-2.0 */
/* Advice about pipes that wait, with times added up by hand. A tick is 10 ns. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <opprof/records/sim.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0;

static const OpprofRecordType *const types[] = { &opprof_sim_instruction_type };

/* The advice that came; texts to be freed. */
static unsigned advice_count;
static uint32_t severity;
static char *subject;
static char *sentence;
static char *numbers;
static double value;
static double gain;

static char *copy(const OpprofBatch *batch, OpprofText text)
{
    return strndup(OpprofBatchText(batch, text), text.length);
}

static void see_advice(const OpprofStage *stage, const OpprofBatch *batch)
{
    const OpprofAdvice *row = OpprofBatchRecord(batch, 0);

    ck_assert_uint_eq(batch->count, 1);
    ck_assert_uint_eq(advice_count++, 0);
    ck_assert_str_eq(OpprofStageString(stage, row->topic), "pipes");
    severity = strcmp(OpprofStageString(stage, row->severity), "hint") == 0 ? OPPROF_SEVERITY_HINT
                                                                            : OPPROF_SEVERITY_NOTE;
    subject = strdup(OpprofStageString(stage, row->subject));
    sentence = copy(batch, row->sentence);
    numbers = copy(batch, row->numbers);
    value = row->value;
    gain = row->gain;
}

static void setup(void)
{
    HarnessSetup();
    advice_count = 0;
    subject = sentence = numbers = NULL;
}

static void teardown(void)
{
    HarnessTeardown();
    free(subject);
    free(sentence);
    free(numbers);
}

static void run(HarnessProduce *produce, OpprofRunOutcome outcome)
{
    HarnessSource("source", produce, types, 1);
    HarnessPlugin("hotspot", &opprof_plugin_v0, NULL);
    HarnessSink("advice", see_advice, "advice");
    HarnessRun(outcome);
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

START_TEST(a_busiest_pipe_that_waits_is_a_hint)
{
    run(produce_single, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(advice_count, 1);
    ck_assert_uint_eq(severity, OPPROF_SEVERITY_HINT);
    ck_assert_str_eq(subject, "core0.veccore0");
    ck_assert_str_eq(sentence, "MTE2, the busiest pipe, waits for flags 20 % of the time, most for "
                               "MTE3; double buffering could save up to 0.20 us");
    ck_assert_str_eq(numbers, "duration=1.00 us, worked=0.80 us, waited=0.20 us");
    ck_assert_double_eq(value, 0.2);
    ck_assert_double_eq_tol(gain, 20.0, 1e-9);
}
END_TEST

/* Another core takes four times as long, with less work. */
static OpprofStatus produce_longer(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, "core1.veccore0");

    put(stage, batch, "SCALAR", "ADD", "", 0, 10);
    put(stage, batch, "SCALAR", "ADD", "", 390, 400);
    ck_assert_int_eq(OpprofStagePush(stage, 0, batch), OPPROF_OK);
    return produce_single(stage, error);
}

START_TEST(a_gain_is_a_part_of_the_longest_core)
{
    run(produce_longer, OPPROF_RUN_COMPLETE);
    ck_assert_str_eq(subject, "core0.veccore0");
    ck_assert_ptr_nonnull(strstr(sentence, "waits for flags 20 % of the time"));
    ck_assert_double_eq_tol(gain, 5.0, 1e-9);
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
    run(produce_in_flight, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(advice_count, 1);
    ck_assert_str_eq(numbers, "duration=1.00 us, worked=0.85 us, waited=0.15 us");
    ck_assert_ptr_nonnull(strstr(sentence, "most for VECTOR;"));
    ck_assert_double_eq(value, 0.6); /* of the whole execution, as in the table */
}
END_TEST

static OpprofStatus produce_busy(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, "core0.veccore0");

    (void) error;
    put(stage, batch, "MTE2", "MOV_OUT_TO_UB", "", 0, 75);
    put(stage, batch, "MTE2", "WAIT_FLAG", FROM_STORE, 75, 80);
    put(stage, batch, "SCALAR", "BAR", "PIPE:ALL", 0, 100);
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(a_pipe_that_hardly_waits_is_a_note)
{
    run(produce_busy, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(advice_count, 1);
    ck_assert_uint_eq(severity, OPPROF_SEVERITY_NOTE);
    ck_assert_str_eq(sentence, "MTE2, the busiest pipe, works 75 % of the time and waits for flags "
                               "5 %: less work for it makes the core faster");
    ck_assert_double_eq(value, 1.0);
    ck_assert(OpprofIsNaF64(gain));
}
END_TEST

static OpprofStatus produce_idle(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, "core0.veccore0");

    (void) error;
    put(stage, batch, "MTE2", "MOV_OUT_TO_UB", "", 0, 60);
    put(stage, batch, "VECTOR", "VADD", "", 95, 100);
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(nothing_is_said_of_a_pipe_that_neither_works_nor_waits_much)
{
    run(produce_idle, OPPROF_RUN_INCOMPLETE); /* the run writes nothing else */
    ck_assert_uint_eq(advice_count, 0);
}
END_TEST

static OpprofStatus push_core(OpprofStage *stage, const char *name, uint64_t work)
{
    OpprofBatch *batch = begin(stage, name);

    put(stage, batch, "VECTOR", "VADD", "", 0, work);
    return OpprofStagePush(stage, 0, batch);
}

static OpprofStatus produce_cores(OpprofStage *stage, OpprofError **error)
{
    OpprofStatus status = push_core(stage, "core2.veccore0", 90);

    (void) error;
    status = status == OPPROF_OK ? push_core(stage, "core1.veccore0", 90) : status;
    return status == OPPROF_OK ? push_core(stage, "core0.veccore0", 80) : status;
}

START_TEST(the_core_whose_pipe_works_longest_is_told_of)
{
    run(produce_cores, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(advice_count, 1);
    ck_assert_str_eq(subject, "core1.veccore0");
}
END_TEST

static Suite *pipes_suite(void)
{
    Suite *suite = suite_create("pipes");
    TCase *tcase = tcase_create("pipes");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_busiest_pipe_that_waits_is_a_hint);
    tcase_add_test(tcase, a_gain_is_a_part_of_the_longest_core);
    tcase_add_test(tcase, only_the_time_without_work_is_waiting);
    tcase_add_test(tcase, a_pipe_that_hardly_waits_is_a_note);
    tcase_add_test(tcase, nothing_is_said_of_a_pipe_that_neither_works_nor_waits_much);
    tcase_add_test(tcase, the_core_whose_pipe_works_longest_is_told_of);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(pipes_suite)
