/* SPDX-License-Identifier: Apache-2.0 */
/* Small files cut at every byte, a launch for each, all in one run of the module: what is whole
 * counts, the rest is reported. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"
#include "tests/plugins/parse-dbi/dbi_bytes.h"

#include <opprof/records/dbi.h>
#include <opprof/records/onboard.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

extern const OpprofPlugin opprof_plugin_v0;

#define MOST_BYTES 1024u
#define HEADER 176u /* of a slot */

static const OpprofRecordType *const types[] = { &opprof_onboard_chunk_type };
static const char *file_name;
static unsigned char file[MOST_BYTES];
static size_t file_length;
static uint64_t accesses[MOST_BYTES + 1]; /* of the launch with so many bytes */
static uint64_t last_pc[MOST_BYTES + 1];  /* absent: none */

static void see_accesses(const OpprofStage *stage, const OpprofBatch *batch)
{
    unsigned cut = MOST_BYTES + 1;

    ck_assert_int_eq(sscanf(OpprofStageString(stage, batch->partition), "cut%u", &cut), 1);
    ck_assert_uint_le(cut, file_length);
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofDbiAccess *access = OpprofBatchRecord(batch, i);

        accesses[cut] += access->count;
        last_pc[cut] = access->count > 0 ? access->pc : last_pc[cut];
    }
}

static void push_chunk(OpprofStage *stage, const char *launch, const char *name, size_t length)
{
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
    OpprofOnboardChunk chunk = { .file_size = length,
                                 .file = OPPROF_NA_STRING,
                                 .device = OPPROF_NA_STRING,
                                 .kernel = HarnessIntern(stage, launch),
                                 .order = OPPROF_NA_STRING };
    OpprofOnboardChunk *record;

    ck_assert_ptr_nonnull(batch);
    batch->partition = HarnessIntern(stage, launch);
    if (name != NULL) {
        chunk.file = HarnessIntern(stage, name);
        ck_assert_int_eq(OpprofBatchAppendText(batch, (const char *) file, length, &chunk.bytes),
                         OPPROF_OK);
    }
    record = OpprofBatchAppend(batch);
    ck_assert_ptr_nonnull(record);
    *record = chunk;
    ck_assert_int_eq(OpprofStagePush(stage, 0, batch), OPPROF_OK);
}

static OpprofStatus produce(OpprofStage *stage, OpprofError **error)
{
    char launch[32];

    (void) error;
    for (size_t cut = 0; cut <= file_length; cut++) {
        snprintf(launch, sizeof launch, "cut%zu", cut);
        push_chunk(stage, launch, file_name, cut);
        push_chunk(stage, launch, NULL, 0);
    }
    return OPPROF_OK;
}

/* The empty file is reported as such, and so many launches for where they are cut: the run tells
 * the first, and how many more. */
static void expect_cuts(const char *why, const char *first, unsigned count)
{
    const char *more = strstr(why, "(and ");
    char empty[64];
    unsigned others = 0;

    snprintf(empty, sizeof empty, "Launch 'cut0': '%s' is empty", file_name);
    ck_assert_msg(strstr(why, empty) != NULL, "%s", why);
    ck_assert_msg(strstr(why, first) != NULL, "%s", why);
    ck_assert_msg(more != NULL && sscanf(more, "(and %u more like this)", &others) == 1, "%s", why);
    ck_assert_uint_eq(others + 1, count);
}

static const char *run_cuts(const char *name)
{
    file_name = name;
    memset(accesses, 0, sizeof accesses);
    memset(last_pc, 0xff, sizeof last_pc);
    HarnessSource("source", produce, types, 1);
    HarnessPlugin("dbi", &opprof_plugin_v0, "{\"chip\": \"Ascend910B1\"}");
    HarnessSink("accesses", see_accesses, "dbi.access");
    return HarnessRun(OPPROF_RUN_INCOMPLETE);
}

/* ---- accesses that were decomposed already ---- */

#define CHART 56u

static void put_access(unsigned char *at, uint64_t pc)
{
    memset(at, 0, CHART);
    put(at, 0x1000 + 64 * pc, 8);
    put(at + 8, 0x200, 8);
    put(at + 16, 64, 8);
    put(at + 24, 64, 8);
    put(at + 32, pc, 8);
    at[52] = GM;
    at[53] = UB;
}

START_TEST(a_chart_cut_at_every_byte)
{
    const char *why;

    file_length = 5 * (size_t) CHART;
    for (unsigned i = 0; i < 5; i++) {
        put_access(file + i * CHART, 4 * i);
    }
    why = run_cuts("MemoryChart.bin");
    for (size_t cut = 0; cut <= file_length; cut++) {
        ck_assert_uint_eq(accesses[cut], cut / CHART);
        ck_assert_uint_eq(last_pc[cut], cut < CHART ? OPPROF_NA_U64 : 4 * (cut / CHART - 1));
    }
    expect_cuts(
        why,
        "Launch 'cut1': 'MemoryChart.bin' ends within a record at byte 0: 1 of 56 bytes are "
        "there",
        5 * (CHART - 1));
}
END_TEST

/* ---- the record area ---- */

static unsigned char *put_head(unsigned char *at, unsigned type)
{
    put(at, type, 4);
    put(at + 4, MAGIC, 4);
    return at + 8;
}

/* V1: three bursts. Returns the bytes of the record. */
static size_t put_move(unsigned char *at, uint64_t pc)
{
    unsigned char *body = put_head(at, 3);

    memset(body, 0, 48);
    put(body + 8, 0x1000, 8);
    put(body + 16, pc, 8);
    put(body + 32, 3, 2);
    put(body + 34, 4, 2);
    put(body + 36, 2, 2);
    put(body + 38, 1, 2);
    body[42] = UB;
    body[43] = GM;
    return 56;
}

/* V6: three blocks. */
static size_t put_load(unsigned char *at, uint64_t pc)
{
    unsigned char *body = put_head(at, 6);

    memset(body, 0, 44);
    put(body + 8, 0x10000, 8);
    put(body + 16, pc, 8);
    put(body + 34, 1, 2);
    put(body + 36, 2, 2);
    put(body + 38, 1, 2);
    body[40] = 3;
    body[41] = L1;
    body[42] = GM;
    return 52;
}

START_TEST(an_area_cut_at_every_byte)
{
    size_t ends[4], length = HEADER;
    const char *why;

    memset(file, 0, sizeof file);
    for (unsigned i = 0; i < 4; i++) {
        length += (i % 2 == 0 ? put_move : put_load)(file + length, 4 * i);
        ends[i] = length;
    }
    put(file, 4, 8);
    put(file + 8, length - HEADER, 8);
    file_length = length;
    why = run_cuts("DbiArea.bin");
    for (size_t cut = 0; cut <= file_length; cut++) {
        unsigned whole = 0;

        while (whole < 4 && ends[whole] <= cut) {
            whole++;
        }
        ck_assert_uint_eq(accesses[cut], 3 * whole);
        ck_assert_uint_eq(last_pc[cut], whole == 0 ? OPPROF_NA_U64 : 4 * (whole - 1));
    }
    expect_cuts(why,
                "Launch 'cut1': 'DbiArea.bin' at byte 1: slot 0: the file ends in the middle of "
                "the slot",
                (unsigned) file_length - 1);
}
END_TEST

static Suite *cuts_suite(void)
{
    Suite *suite = suite_create("cuts");
    TCase *tests = tcase_create("cuts");

    tcase_add_checked_fixture(tests, HarnessSetup, HarnessTeardown);
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, a_chart_cut_at_every_byte);
    tcase_add_test(tests, an_area_cut_at_every_byte);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(cuts_suite)
