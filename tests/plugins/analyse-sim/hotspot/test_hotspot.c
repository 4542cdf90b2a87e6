/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/plugins/harness.h"

#include <opprof/records/block.h>
#include <opprof/records/sim.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0;

#define KERNEL TEST_BUILD_DIR "/tests/data/source/mapped.o"
#define CUSTOM TEST_DATA_DIR "/source/add_custom.cpp"
#define MHZ UINT64_C(1850)
#define BLOCK_MAX (UINT32_C(100) << 20)

enum { PORT_MARKS, PORT_INSTRUCTIONS, PORT_DETAILS };

static const OpprofRecordType *const types[] = { &opprof_sim_mark_type,
                                                 &opprof_sim_instruction_type,
                                                 &opprof_sim_pc_details_type };

static char *blocks[16]; /* the last one of each type, as text */
static unsigned block_counts[16];

static void see_blocks(const OpprofStage *stage, const OpprofBatch *batch)
{
    (void) stage;
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofBlock *block = OpprofBatchRecord(batch, i);
        const char *bytes = OpprofBatchText(batch, block->bytes);

        ck_assert_uint_lt(block->block_type, 16);
        ck_assert_uint_eq(block->version, block->block_type == 4 ? 0 : 0x5a);
        ck_assert_uint_le(block->bytes.length, BLOCK_MAX);
        ck_assert_ptr_nonnull(bytes);
        free(blocks[block->block_type]);
        blocks[block->block_type] = strndup(bytes, block->bytes.length);
        block_counts[block->block_type]++;
    }
}

static void setup(void)
{
    HarnessSetup();
    memset(block_counts, 0, sizeof block_counts);
}

static void teardown(void)
{
    HarnessTeardown();
    for (unsigned i = 0; i < 16; i++) {
        free(blocks[i]);
        blocks[i] = NULL;
    }
}

static const char *run(HarnessProduce *produce, const char *params, OpprofRunOutcome outcome)
{
    HarnessSource("source", produce, types, 3);
    HarnessPlugin("hotspot", &opprof_plugin_v0, params);
    HarnessSink("sink", see_blocks, "insight.block");
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

START_TEST(instructions_of_all_cores_are_in_one_block)
{
    run(produce_two_cores, NULL, OPPROF_RUN_COMPLETE);
    ck_assert_str_eq(
        blocks[4],
        "{\"Cores\":[\"core0.veccore0\",\"core1.veccore0\"],\"Instructions\":["
        "{\"Address\":\"0x2000\",\"AscendC Inner Code\":\"\",\"Cycles\":[2147483647,10],"
        "\"GPR Count\":[0,0],\"Instructions Executed\":[1,1],\"Pipe\":\"SCALAR\","
        "\"Process Bytes\":[-1,-1],\"Source\":\"ADD XD:X1\",\"UB Read Conflict\":[-1,-1],"
        "\"UB Write Conflict\":[-1,-1],\"Vector Utilization Percentage\":[-1.0,-1.0]},"
        "{\"Address\":\"0x300\",\"AscendC Inner Code\":\"\",\"Cycles\":[0,1],"
        "\"GPR Count\":[0,0],\"Instructions Executed\":[0,1],\"Pipe\":\"SCALAR\","
        "\"Process Bytes\":[-1,-1],\"Source\":\"ADD XD:X1\",\"UB Read Conflict\":[-1,-1],"
        "\"UB Write Conflict\":[-1,-1],\"Vector Utilization Percentage\":[-1.0,-1.0]}],"
        "\"Instructions Dtype\":{\"Instructions\":{\"Address\":3,\"AscendC Inner Code\":3,"
        "\"Cycles\":1,\"GPR Count\":1,\"Instructions Executed\":1,\"Pipe\":3,\"Process Bytes\":1,"
        "\"Source\":3,\"UB Read Conflict\":1,\"UB Write Conflict\":1,"
        "\"Vector Utilization Percentage\":4}}}");
    ck_assert_uint_eq(block_counts[1], 0);
    ck_assert_uint_eq(block_counts[3], 0);
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
    static const char lines[] =
        "\"Lines\":["
        "{\"Address Range\":[[\"0x00000000\",\"0x00000000\"]],\"Cycles\":[0,4],\"GPR "
        "Count\":[0,-1],"
        "\"Instructions Executed\":[0,1],\"Line\":12,\"Process Bytes\":[-1,-1]},"
        "{\"Address Range\":[[\"0x00000014\",\"0x00000018\"]],\"Cycles\":[20,0],\"GPR "
        "Count\":[4,0],"
        "\"Instructions Executed\":[2,0],\"Line\":20,\"Process Bytes\":[512,-1]},"
        "{\"Address Range\":[[\"0x00000020\",\"0x00000020\"]],\"Cycles\":[0,2],\"GPR Count\":[0,0],"
        "\"Instructions Executed\":[0,1],\"Line\":9,\"Process Bytes\":[-1,-1]}]"
        ",\"Source\":\"" CUSTOM "\"}]";

    run(produce_lines, "{ \"kernel\": \"" KERNEL "\" }", OPPROF_RUN_COMPLETE);
    ck_assert_msg(strstr(blocks[3], lines) != NULL, "%s", blocks[3]);
    ck_assert_uint_eq(block_counts[1], 1);
    ck_assert_ptr_nonnull(strstr(blocks[1], "class AddCustom"));
    ck_assert_ptr_nonnull(strstr(blocks[4], "\"AscendC Inner Code\":\"" CUSTOM ":9\""));
    ck_assert_ptr_nonnull(strstr(blocks[4],
                                 "\"CcuCycles\":[2,0],\"Cycles\":[10,0],\"GPR Count\":[4,0],"
                                 "\"ICacheCycles\":[3,0],\"Instructions Executed\":[1,0],"));
    ck_assert_ptr_nonnull(
        strstr(blocks[4], "\"Process Bytes\":[512,-1],\"ScalarCycles\":[5,0],\"Source\":\"ADD "));
    ck_assert_ptr_nonnull(strstr(blocks[4],
                                 "\"UB Read Conflict\":[1,-1],\"UB Write Conflict\":[-1,-1],"
                                 "\"Vector Utilization Percentage\":[0.3921568691730499,-1.0]}"));
    ck_assert_ptr_nonnull(strstr(blocks[4], "\"GPR Count\":[0,-1]"));
    ck_assert_ptr_nonnull(strstr(blocks[4], "\"CcuCycles\":1,\"Cycles\":1"));
}
END_TEST

/* So many operands that the block of instructions is longer than the viewer takes. */
static OpprofStatus produce_too_much(OpprofStage *stage, OpprofError **error)
{
    static char operands[1 << 20];
    OpprofStatus status = OPPROF_OK;

    (void) error;
    memset(operands, 'x', sizeof operands);
    for (uint64_t i = 0; status == OPPROF_OK && i < 102; i++) {
        OpprofBatch *batch = begin(stage, PORT_INSTRUCTIONS, "core0");
        OpprofSimInstruction *row = OpprofBatchAppend(batch);

        *row = (OpprofSimInstruction){
            .pc = 4 * i, .start = i, .end = i + 1, .core = batch->partition
        };
        ck_assert_int_eq(OpprofBatchAppendText(batch, operands, sizeof operands, &row->detail),
                         OPPROF_OK);
        status = OpprofStagePush(stage, PORT_INSTRUCTIONS, batch);
    }
    return status;
}

START_TEST(a_block_that_the_viewer_would_refuse_is_left_out)
{
    const char *reason = run(produce_too_much, NULL, OPPROF_RUN_INCOMPLETE);

    ck_assert_msg(strstr(reason, "lacks the instructions") != NULL, "%s", reason);
    ck_assert_uint_eq(block_counts[4], 0);
}
END_TEST

START_TEST(a_kernel_that_is_none_costs_the_lines_only)
{
    const char *reason =
        run(produce_two_cores, "{ \"kernel\": \"" CUSTOM "\" }", OPPROF_RUN_INCOMPLETE);

    ck_assert_msg(strstr(reason, CUSTOM) != NULL, "%s", reason);
    ck_assert_uint_eq(block_counts[4], 1);
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
    ck_assert_uint_eq(block_counts[4], 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hotspot");
    TCase *tcase = tcase_create("hotspot");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, instructions_of_all_cores_are_in_one_block);
    tcase_add_test(tcase, lines_have_addresses_and_sums_of_each_core);
    tcase_add_test(tcase, a_block_that_the_viewer_would_refuse_is_left_out);
    tcase_add_test(tcase, a_kernel_that_is_none_costs_the_lines_only);
    tcase_add_test(tcase, nothing_gives_nothing);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
