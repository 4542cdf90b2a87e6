/* SPDX-License-Identifier: Apache-2.0 */
/* The module between made-up neighbours: pieces of logs in, requests out. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <opprof/records/sim.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0;

#define MOST_REQUESTS 8u

static const OpprofRecordType *const types[] = { &opprof_sim_mte_log_type };
static OpprofSimMte requests[MOST_REQUESTS];
static const char *units[MOST_REQUESTS];
static uint32_t request_count;
static uint64_t hz;

static void see_requests(const OpprofStage *stage, const OpprofBatch *batch)
{
    hz = OpprofStageClockInfo(stage, batch->clock)->hz;
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofSimMte *request = OpprofBatchRecord(batch, i);

        ck_assert_uint_lt(request_count, MOST_REQUESTS);
        units[request_count] = OpprofStageString(stage, request->unit);
        requests[request_count++] = *request;
    }
}

static void setup(void)
{
    HarnessSetup();
    request_count = 0;
    hz = 0;
}

static void add_stages(HarnessProduce *produce)
{
    HarnessSource("source", produce, types, 1);
    HarnessPlugin("mte", &opprof_plugin_v0, NULL);
    HarnessSink("requests", see_requests, "sim.mte");
}

static void put(OpprofStage *stage, OpprofBatch *batch, uint32_t core, const char *file,
                const char *lines)
{
    OpprofText text;
    OpprofSimMteLog *record;

    ck_assert_int_eq(OpprofBatchAppendText(batch, lines, strlen(lines), &text), OPPROF_OK);
    record = OpprofBatchAppend(batch);
    ck_assert_ptr_nonnull(record);
    *record = (OpprofSimMteLog){ .core = core,
                                 .file = HarnessIntern(stage, file),
                                 .lines = text,
                                 .chip = HarnessIntern(stage, "Ascend910B1") };
}

static OpprofBatch *begin(OpprofStage *stage)
{
    const OpprofClock clock = { .name = "core", .hz = 1650000000 };
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);

    ck_assert_ptr_nonnull(batch);
    batch->clock = OpprofStageClock(stage, &clock);
    return batch;
}

static OpprofStatus produce_two_logs(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage);

    (void) error;
    put(stage, batch, 3, "core3.mte_log.dump",
        "a head\n"
        "[info] 19333: BRIF send_req, addr: 0x10f74400, size: 256, instr_id: 4, req_id: 5259\n"
        "\n"
        "[info] 19400: UB1WIF send_data, size: 128, instr_id: 4, req_id: 5985\n");
    put(stage, batch, 3, "core3.mte_log.dump", "[info] 19689: BRIF recv, gid: 7, instr_id: 5\n");
    put(stage, batch, 4, "core4.mte_log.dump", "[info] 1: WEIRDRIF recv, instr_id: 5\n");
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(lines_become_requests_of_their_core)
{
    add_stages(produce_two_logs);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(request_count, 4);
    ck_assert_uint_eq(hz, 1650000000);
    ck_assert_uint_eq(requests[0].tick, 19333);
    ck_assert_uint_eq(requests[0].core, 3);
    ck_assert_uint_eq(requests[0].instruction_id, 4);
    ck_assert_uint_eq(requests[0].request_id, 5259);
    ck_assert_uint_eq(requests[0].size, 256);
    ck_assert_uint_eq(requests[0].is_write, 0);
    ck_assert_str_eq(units[0], "B");
    ck_assert_uint_eq(requests[1].is_write, 1);
    ck_assert_str_eq(units[1], "UB1");
    ck_assert_uint_eq(requests[2].request_id, 7);
    ck_assert_uint_eq(requests[2].size, OPPROF_NA_U64);
    ck_assert_uint_eq(requests[3].core, 4);
    ck_assert_str_eq(units[3], "other");
}
END_TEST

static OpprofStatus produce_an_empty_log(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage);

    (void) error;
    put(stage, batch, 3, "core3.mte_log.dump", "[info] 1: BRIF a, instr_id: 5\n");
    put(stage, batch, 4, "core4.mte_log.dump", "nothing\nof\nworth\n");
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(a_log_without_requests_makes_the_run_incomplete)
{
    add_stages(produce_an_empty_log);
    HarnessRun(OPPROF_RUN_INCOMPLETE);
    ck_assert_uint_eq(request_count, 1);
}
END_TEST

static Suite *parse_mte_suite(void)
{
    Suite *suite = suite_create("parse_mte");
    TCase *tests = tcase_create("parse-mte");

    tcase_add_checked_fixture(tests, setup, HarnessTeardown);
    tcase_add_test(tests, lines_become_requests_of_their_core);
    tcase_add_test(tests, a_log_without_requests_makes_the_run_incomplete);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(parse_mte_suite)
