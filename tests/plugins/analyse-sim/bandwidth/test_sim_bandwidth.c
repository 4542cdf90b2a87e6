/* SPDX-License-Identifier: Apache-2.0 */
/* The module between made-up neighbours: requests in, curves and table out. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <opprof/records/sim.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0;

#define HZ UINT64_C(1650000000)
#define RATE_256 244.140625 /* 256 bytes in a microsecond, in units of 2^20 bytes a second */
#define CURVES 6u
#define MOST_BINS 32u

static const OpprofRecordType *const types[] = { &opprof_sim_mte_type };

/* Curves as they came, by bin, and how many samples there were. */
static double curves[MOST_BINS][CURVES];
static uint64_t samples;
static uint64_t rows;

static void see_counters(const OpprofStage *stage, const OpprofBatch *batch)
{
    static const char *const names[CURVES] = { "GM_TO_UB", "GM_TO_L1", "GM_TO_TOTAL",
                                               "UB_TO_GM", "L1_TO_GM", "TOTAL_TO_GM" };

    /* Counters are partitioned by their document. */
    ck_assert_str_eq(OpprofStageString(stage, batch->partition), "trace");
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofCounter *counter = OpprofBatchRecord(batch, i);

        ck_assert_uint_eq(counter->time, samples / CURVES);
        ck_assert_uint_lt(counter->time, MOST_BINS);
        ck_assert_str_eq(OpprofStageString(stage, counter->name), names[samples % CURVES]);
        curves[counter->time][samples % CURVES] = counter->value;
        samples++;
    }
}

static void see_table(const OpprofStage *stage, const OpprofBatch *batch)
{
    (void) stage;
    rows += batch->count;
}

static void setup(void)
{
    HarnessSetup();
    memset(curves, 0, sizeof curves);
    samples = rows = 0;
}

static void add_stages(HarnessProduce *produce)
{
    HarnessSource("source", produce, types, 1);
    HarnessPlugin("bandwidth", &opprof_plugin_v0, NULL);
    HarnessSink("curves", see_counters, "counter");
    HarnessSink("table", see_table, "sim.mte-throughput");
}

static OpprofBatch *begin(OpprofStage *stage, uint64_t hz)
{
    const OpprofClock clock = { .name = "core", .hz = hz };
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);

    ck_assert_ptr_nonnull(batch);
    batch->clock = hz == 0 ? 0 : OpprofStageClock(stage, &clock);
    return batch;
}

static void put(OpprofStage *stage, OpprofBatch *batch, OpprofSimMte event, const char *unit)
{
    OpprofSimMte *record = OpprofBatchAppend(batch);

    ck_assert_ptr_nonnull(record);
    *record = event;
    record->unit = HarnessIntern(stage, unit);
}

/* Two requests: the size is that of the first event which has one, the time that of the last. */
static OpprofStatus produce_two_requests(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, HZ);

    (void) error;
    put(stage, batch,
        (OpprofSimMte){ .tick = 19333, .instruction_id = 4, .request_id = 5259, .size = 256 }, "B");
    put(stage, batch,
        (OpprofSimMte){
            .tick = 19400, .instruction_id = 4, .request_id = 5985, .size = 128, .is_write = 1 },
        "UB1");
    put(stage, batch,
        (OpprofSimMte){
            .tick = 19689, .instruction_id = 4, .request_id = 5259, .size = OPPROF_NA_U64 },
        "B");
    put(stage, batch,
        (OpprofSimMte){ .tick = 24183, .instruction_id = 53, .request_id = 8849, .size = 256 },
        "B");
    put(stage, batch,
        (OpprofSimMte){
            .tick = 24198, .instruction_id = 53, .request_id = 9011, .size = 128, .is_write = 1 },
        "UB0");
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(requests_become_curves_with_a_zero_behind_them)
{
    add_stages(produce_two_requests);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(samples, 16 * CURVES);
    ck_assert_uint_eq(rows, 2);
    for (uint32_t bin = 0; bin < 16; bin++) {
        const double rate = bin == 11 || bin == 14 ? RATE_256 : 0;

        for (uint32_t i = 0; i < CURVES; i++) {
            ck_assert_double_eq(curves[bin][i], i == 0 || i == 2 ? rate : 0);
        }
    }
}
END_TEST

/* One request of 0 bytes, and one of whose events none has a size. */
static OpprofStatus produce_without_size(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, HZ);

    (void) error;
    put(stage, batch, (OpprofSimMte){ .tick = 1650, .instruction_id = 1, .request_id = 1 }, "B");
    for (uint64_t tick = 1660; tick < 1670; tick++) {
        put(stage, batch,
            (OpprofSimMte){
                .tick = tick, .instruction_id = 1, .request_id = 2, .size = OPPROF_NA_U64 },
            "B");
    }
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(bytes_that_no_event_states_are_missed)
{
    add_stages(produce_without_size);
    ck_assert_ptr_nonnull(strstr(HarnessRun(OPPROF_RUN_INCOMPLETE), "1 request is without a size"));
}
END_TEST

static OpprofStatus produce_nothing(OpprofStage *stage, OpprofError **error)
{
    (void) stage;
    (void) error;
    return OPPROF_OK;
}

START_TEST(without_requests_there_are_no_curves)
{
    add_stages(produce_nothing);
    HarnessRun(OPPROF_RUN_INCOMPLETE); /* the source says nothing of why */
    ck_assert_uint_eq(samples, 0);
    ck_assert_uint_eq(rows, 0);
}
END_TEST

static OpprofStatus produce_without_clock(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, 0);

    (void) error;
    put(stage, batch, (OpprofSimMte){ .tick = 1, .instruction_id = 1, .request_id = 1, .size = 1 },
        "B");
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(requests_need_a_clock)
{
    add_stages(produce_without_clock);
    ck_assert_ptr_nonnull(strstr(HarnessRun(OPPROF_RUN_INCOMPLETE), "have no clock"));
}
END_TEST

static Suite *sim_bandwidth_suite(void)
{
    Suite *suite = suite_create("sim_bandwidth");
    TCase *tests = tcase_create("sim-bandwidth");

    tcase_add_checked_fixture(tests, setup, HarnessTeardown);
    tcase_add_test(tests, requests_become_curves_with_a_zero_behind_them);
    tcase_add_test(tests, bytes_that_no_event_states_are_missed);
    tcase_add_test(tests, without_requests_there_are_no_curves);
    tcase_add_test(tests, requests_need_a_clock);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(sim_bandwidth_suite)
