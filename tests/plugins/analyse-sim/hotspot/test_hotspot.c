/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/analyse-sim/hotspot/sim_hotspot.c, with common/launches.c. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <opprof/records/hotspot.h>
#include <opprof/records/sim.h>

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const OpprofPlugin opprof_plugin_v0;

#define KERNEL TEST_BUILD_DIR "/tests/data/source/mapped.o"
#define CUSTOM TEST_DATA_DIR "/source/add_custom.cpp"
#define MHZ UINT64_C(1850)

enum { PORT_MARKS, PORT_INSTRUCTIONS, PORT_DETAILS, PORT_ENDS };

static const OpprofRecordType *const types[] = { &opprof_sim_mark_type,
                                                 &opprof_sim_instruction_type,
                                                 &opprof_sim_pc_details_type,
                                                 &opprof_sim_core_end_type };

#define MANY 64u

static OpprofHotAddress addresses[MANY]; /* with their operands in `operands` */
static char *operands[MANY];
static const char *folders[MANY]; /* of addresses */
static _Atomic unsigned address_count;
static OpprofHotLine lines[MANY];
static unsigned line_count;
static char *texts[MANY]; /* core, name, file of rows, to be freed */
static unsigned text_count;

/* Each output has a consumer, in a thread of its own. */
static const char *keep(const char *text)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    char *copy = strdup(text);

    pthread_mutex_lock(&lock);
    ck_assert_uint_lt(text_count, MANY);
    texts[text_count++] = copy;
    pthread_mutex_unlock(&lock);
    return copy;
}

static const char *address_cores[MANY];
static const char *address_lines[MANY];
static const char *line_cores[MANY];

static void see_addresses(const OpprofStage *stage, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofHotAddress *row = OpprofBatchRecord(batch, i);
        const char *detail = OpprofBatchText(batch, row->detail);

        ck_assert_uint_lt(address_count, MANY);
        const char *partition = OpprofStageString(stage, batch->partition);
        const char *slash = strrchr(partition, '/');

        ck_assert_str_eq(OpprofStageString(stage, row->core),
                         slash == NULL ? partition : slash + 1);
        ck_assert_str_eq(OpprofStageString(stage, row->name), row->only_marks ? "Mark 0x3" : "ADD");
        operands[address_count] = strndup(detail, row->detail.length);
        address_cores[address_count] = keep(OpprofStageString(stage, row->core));
        address_lines[address_count] = keep(OpprofStageString(stage, row->line));
        folders[address_count] = keep(OpprofStageString(stage, row->folder));
        addresses[address_count] = *row;
        address_count++;
    }
}

static void see_lines(const OpprofStage *stage, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofHotLine *row = OpprofBatchRecord(batch, i);

        ck_assert_uint_lt(line_count, MANY);
        ck_assert_str_eq(OpprofStageString(stage, row->file), CUSTOM);
        line_cores[line_count] = keep(OpprofStageString(stage, row->core));
        lines[line_count++] = *row;
    }
}

static const OpprofHotAddress *find_address(const char *core, uint64_t pc)
{
    for (unsigned i = 0; i < address_count; i++) {
        if (addresses[i].pc == pc && strcmp(address_cores[i], core) == 0) {
            return &addresses[i];
        }
    }
    return NULL;
}

static const OpprofHotLine *find_line(const char *core, uint32_t line, uint64_t pc)
{
    for (unsigned i = 0; i < line_count; i++) {
        if (lines[i].line == line && lines[i].pc == pc && strcmp(line_cores[i], core) == 0) {
            return &lines[i];
        }
    }
    return NULL;
}

static void setup(void)
{
    HarnessSetup();
    address_count = line_count = 0;
}

static void teardown(void)
{
    HarnessTeardown();
    for (unsigned i = 0; i < address_count; i++) {
        free(operands[i]);
    }
    while (text_count > 0) {
        free(texts[--text_count]);
    }
}

static const char *run(HarnessProduce *produce, const char *params, OpprofRunOutcome outcome)
{
    HarnessSource("source", produce, types, OPPROF_COUNT(types));
    HarnessPlugin("hotspot", &opprof_plugin_v0, params);
    HarnessSink("addresses", see_addresses, "hot.address");
    HarnessSink("lines", see_lines, "hot.line");
    return HarnessRun(outcome);
}

static OpprofBatch *begin(OpprofStage *stage, uint32_t port, const char *core)
{
    const OpprofClock clock = { .name = "core", .hz = MHZ * 1000000 };
    OpprofBatch *batch = OpprofStageNewBatch(stage, port);

    ck_assert_ptr_nonnull(batch);
    batch->partition = HarnessIntern(stage, core);
    batch->clock = OpprofStageClock(stage, &clock);
    return batch;
}

static void put_row(OpprofStage *stage, OpprofBatch *batch, uint64_t pc, uint64_t start,
                    uint64_t end)
{
    OpprofSimInstruction *row = OpprofBatchAppend(batch);

    ck_assert_ptr_nonnull(row);
    *row = (OpprofSimInstruction){ .pc = pc,
                                   .start = start,
                                   .end = end,
                                   .core = batch->partition,
                                   .name = HarnessIntern(stage, "ADD"),
                                   .pipe = HarnessIntern(stage, "SCALAR") };
    ck_assert_int_eq(OpprofBatchAppendText(batch, "XD:X1=0x5,", 10, &row->detail), OPPROF_OK);
}

static OpprofStatus produce_two_cores(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *first = begin(stage, PORT_INSTRUCTIONS, "core1.veccore0");
    OpprofBatch *second = begin(stage, PORT_INSTRUCTIONS, "core0.veccore0");
    OpprofStatus status;

    (void) error;
    put_row(stage, first, 0x2000, 10, 20);
    put_row(stage, first, 0x300, 30, 31);
    put_row(stage, second, 0x2000, 0, UINT64_C(3000000000));
    status = OpprofStagePush(stage, PORT_INSTRUCTIONS, first);
    return status == OPPROF_OK ? OpprofStagePush(stage, PORT_INSTRUCTIONS, second) : status;
}

START_TEST(addresses_of_all_cores_come_with_their_sums)
{
    run(produce_two_cores, NULL, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(address_count, 3);
    ck_assert_uint_eq(line_count, 0);
    const OpprofHotAddress *row = find_address("core0.veccore0", 0x2000);
    ck_assert_uint_eq(row->cycles, UINT64_C(3000000000));
    ck_assert_uint_eq(row->calls, 1);
    ck_assert_uint_eq(row->line, OPPROF_NA_STRING);
    ck_assert_uint_eq(row->only_marks, 0);
    ck_assert_int_eq(row->gpr_count, OPPROF_NA_I32);
    ck_assert_int_eq(row->process_bytes, OPPROF_NA_I64);
    ck_assert(OpprofIsNaF64(row->vector_utilization));
    ck_assert_str_eq(operands[row - addresses], "XD:X1=0x5,");
    ck_assert_uint_eq(find_address("core1.veccore0", 0x300)->cycles, 1);
    ck_assert_uint_eq(find_address("core1.veccore0", 0x2000)->cycles, 10);
}
END_TEST

/* Line 20 on two cores, with details; line 9 through an inlined call. */
static OpprofStatus produce_lines(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *first = begin(stage, PORT_INSTRUCTIONS, "core0");
    OpprofBatch *details = begin(stage, PORT_DETAILS, "core0");
    OpprofBatch *second = begin(stage, PORT_INSTRUCTIONS, "core1");
    OpprofBatch *marks = begin(stage, PORT_MARKS, "core1");
    OpprofStatus status;

    (void) error;
    put_row(stage, first, 0x14, 10, 20);
    put_row(stage, first, 0x18, 15, 25);
    put_row(stage, second, 0x20, 1, 3);
    *(OpprofSimPcDetails *) OpprofBatchAppend(details) =
        (OpprofSimPcDetails){ .pc = 0x14,
                              .gpr_count = 4,
                              .process_bytes = 512,
                              .vector_utilization = 0.392156862745098,
                              .ub_read_conflict = 1,
                              .ub_write_conflict = OPPROF_NA_I32,
                              .icache_cycles = 3,
                              .ccu_cycles = 2 };
    *(OpprofSimMark *) OpprofBatchAppend(marks) =
        (OpprofSimMark){ .pc = 0,
                         .start = 5,
                         .end = 9,
                         .name = HarnessIntern(stage, "Mark 0x3"),
                         .detail = { OPPROF_NA_U32, 0 } };
    status = OpprofStagePush(stage, PORT_INSTRUCTIONS, first);
    status = status == OPPROF_OK ? OpprofStagePush(stage, PORT_DETAILS, details) : status;
    status = status == OPPROF_OK ? OpprofStagePush(stage, PORT_MARKS, marks) : status;
    return status == OPPROF_OK ? OpprofStagePush(stage, PORT_INSTRUCTIONS, second) : status;
}

START_TEST(lines_have_addresses_and_sums_of_each_core)
{
    run(produce_lines, "{ \"kernel\": \"" KERNEL "\" }", OPPROF_RUN_COMPLETE);
    const OpprofHotAddress *row = find_address("core0", 0x14);
    ck_assert_int_eq(row->gpr_count, 4);
    ck_assert_int_eq(row->process_bytes, 512);
    ck_assert_int_eq(row->read_conflict, 1);
    ck_assert_int_eq(row->write_conflict, OPPROF_NA_I32);
    ck_assert_int_eq(row->icache_cycles, 3);
    ck_assert_int_eq(row->ccu_cycles, 2);
    ck_assert_double_eq(row->vector_utilization, 0.392156862745098);
    ck_assert_str_eq(address_lines[row - addresses], CUSTOM ":20");
    row = find_address("core1", 0x20);
    ck_assert_str_eq(address_lines[row - addresses], CUSTOM ":9");
    ck_assert_uint_eq(find_address("core1", 0)->only_marks, 1);
    ck_assert_uint_eq(find_line("core0", 20, 0x14)->cycles, 20);
    ck_assert_uint_eq(find_line("core0", 20, 0x18)->calls, 2);
    ck_assert_uint_eq(find_line("core1", 9, 0x20)->cycles, 2);
    ck_assert_uint_eq(find_line("core1", 12, 0)->cycles, 4);
    ck_assert_ptr_null(find_line("core1", 20, 0x14));
}
END_TEST

START_TEST(a_kernel_that_is_none_costs_the_lines_only)
{
    const char *reason =
        run(produce_two_cores, "{ \"kernel\": \"" CUSTOM "\" }", OPPROF_RUN_INCOMPLETE);

    ck_assert_msg(strstr(reason, CUSTOM) != NULL, "%s", reason);
    ck_assert_uint_eq(address_count, 3);
}
END_TEST

static OpprofStatus push_end(OpprofStage *stage, const char *core, uint64_t instructions)
{
    OpprofBatch *batch = begin(stage, PORT_ENDS, core);

    *(OpprofSimCoreEnd *) OpprofBatchAppend(batch) =
        (OpprofSimCoreEnd){ .instructions = instructions, .cores = 2 };
    return OpprofStagePush(stage, PORT_ENDS, batch);
}

/* The details of a core, which are complete. */
static OpprofStatus push_details(OpprofStage *stage, const char *core)
{
    OpprofBatch *batch = begin(stage, PORT_DETAILS, core);

    *(OpprofSimPcDetails *) OpprofBatchAppend(batch) = (OpprofSimPcDetails){ .pc = 0x2000 };
    batch->watermark = UINT64_MAX;
    return OpprofStagePush(stage, PORT_DETAILS, batch);
}

/* Two instructions of a core, in two batches; its end comes before the second one. */
static void push_core(OpprofStage *stage, const char *core)
{
    for (uint64_t i = 0; i < 2; i++) {
        OpprofBatch *batch = begin(stage, PORT_INSTRUCTIONS, core);

        put_row(stage, batch, 0x2000 + 4 * i, 10 * i, 10 * i + 5);
        if (i == 1) {
            ck_assert_int_eq(push_end(stage, core, 2), OPPROF_OK);
            ck_assert_int_eq(push_details(stage, core), OPPROF_OK);
        }
        ck_assert_int_eq(OpprofStagePush(stage, PORT_INSTRUCTIONS, batch), OPPROF_OK);
    }
}

/* A core is over when all of it has come: its results do not wait for the end of the run. */
static OpprofStatus produce_launches(OpprofStage *stage, OpprofError **error)
{
    static const char *const cores[] = { "core0", "core1", "device0/add/0/core0",
                                         "device0/add/0/core1" };

    (void) error;
    for (unsigned i = 0; i < OPPROF_COUNT(cores); i++) {
        push_core(stage, cores[i]);
        for (unsigned tries = 0; address_count < 2 * (i + 1); tries++) {
            ck_assert_uint_lt(tries, 10000);
            usleep(1000);
        }
    }
    return OPPROF_OK;
}

START_TEST(each_launch_ends_by_itself_and_has_its_folder)
{
    unsigned with_folder = 0;

    run(produce_launches, NULL, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(address_count, 8);
    for (unsigned i = 0; i < address_count; i++) {
        with_folder += strcmp(folders[i], "device0/add/0") == 0;
        ck_assert_uint_eq(addresses[i].cycles, 5);
    }
    ck_assert_uint_eq(with_folder, 4);
}
END_TEST

static OpprofStatus produce_nothing(OpprofStage *stage, OpprofError **error)
{
    (void) stage;
    (void) error;
    return OPPROF_OK;
}

START_TEST(nothing_gives_nothing)
{
    run(produce_nothing, NULL, OPPROF_RUN_INCOMPLETE); /* the source says nothing of why */
    ck_assert_uint_eq(address_count, 0);
}
END_TEST

static Suite *hotspot_suite(void)
{
    Suite *suite = suite_create("hotspot");
    TCase *tcase = tcase_create("hotspot");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, addresses_of_all_cores_come_with_their_sums);
    tcase_add_test(tcase, lines_have_addresses_and_sums_of_each_core);
    tcase_add_test(tcase, a_kernel_that_is_none_costs_the_lines_only);
    tcase_add_test(tcase, each_launch_ends_by_itself_and_has_its_folder);
    tcase_add_test(tcase, nothing_gives_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(hotspot_suite)
