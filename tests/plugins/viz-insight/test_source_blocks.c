/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/viz-insight/source_blocks.c. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <opprof/records/block.h>
#include <opprof/records/hotspot.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUSTOM TEST_DATA_DIR "/source/add_custom.cpp"
#define MISSING TEST_DATA_DIR "/source/there_is_none.cpp"
extern const OpprofPlugin opprof_plugin_v0;

#define BLOCK_MAX (UINT32_C(100) << 20)

enum { PORT_ADDRESSES, PORT_LINES };

static const OpprofRecordType *const types[] = { &opprof_hot_address_type, &opprof_hot_line_type };

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

static const char *run_with(HarnessProduce *produce, const char *params, OpprofRunOutcome outcome)
{
    HarnessSource("source", produce, types, 2);
    HarnessPlugin("page", &opprof_plugin_v0, params);
    HarnessSink("sink", see_blocks, "insight.block");
    return HarnessRun(outcome);
}

static const char *run(HarnessProduce *produce, OpprofRunOutcome outcome)
{
    return run_with(produce, NULL, outcome);
}

static OpprofHotAddress address_of(OpprofStage *stage, uint32_t core, uint64_t pc, uint64_t calls,
                                   uint64_t cycles)
{
    return (OpprofHotAddress){ .pc = pc,
                               .calls = calls,
                               .cycles = cycles,
                               .core = core,
                               .name = HarnessIntern(stage, "ADD"),
                               .pipe = HarnessIntern(stage, "SCALAR"),
                               .line = OPPROF_NA_STRING,
                               .process_bytes = OPPROF_NA_I64,
                               .icache_cycles = OPPROF_NA_I64,
                               .ccu_cycles = OPPROF_NA_I64,
                               .vector_utilization = OpprofNaF64(),
                               .gpr_count = OPPROF_NA_I32,
                               .read_conflict = OPPROF_NA_I32,
                               .write_conflict = OPPROF_NA_I32 };
}

static OpprofStatus push_address(OpprofStage *stage, OpprofHotAddress *address, const char *detail,
                                 size_t length)
{
    const OpprofStatus status =
        OpprofStageText(stage, PORT_ADDRESSES, address->core, detail, length, &address->detail);

    return status == OPPROF_OK ? OpprofStageAppend(stage, PORT_ADDRESSES, address->core, address)
                               : status;
}

static OpprofStatus put_address(OpprofStage *stage, const char *core, uint64_t pc, uint64_t calls,
                                uint64_t cycles)
{
    OpprofHotAddress address = address_of(stage, HarnessIntern(stage, core), pc, calls, cycles);

    return push_address(stage, &address, "XD:X1=0x5,", 10);
}

static OpprofStatus produce_two_cores(OpprofStage *stage, OpprofError **error)
{
    OpprofStatus status = put_address(stage, "core1.veccore0", 0x2000, 1, 10);

    (void) error;
    status = status == OPPROF_OK ? put_address(stage, "core1.veccore0", 0x300, 1, 1) : status;
    return status == OPPROF_OK
               ? put_address(stage, "core0.veccore0", 0x2000, 1, UINT64_C(3000000000))
               : status;
}

START_TEST(instructions_of_all_cores_are_in_one_block)
{
    run(produce_two_cores, OPPROF_RUN_COMPLETE);
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

static OpprofStatus put_line(OpprofStage *stage, const char *core, const char *file, uint32_t line,
                             uint64_t pc, uint64_t calls, uint64_t cycles)
{
    const OpprofHotLine row = { .pc = pc,
                                .calls = calls,
                                .cycles = cycles,
                                .core = HarnessIntern(stage, core),
                                .file = HarnessIntern(stage, file),
                                .line = line };

    return OpprofStageAppend(stage, PORT_LINES, row.core, &row);
}

/* Line 20 on one core, with details; lines 9 and 12 on another, line 12 by a mark. */
static OpprofStatus produce_lines(OpprofStage *stage, OpprofError **error)
{
    OpprofHotAddress detailed = address_of(stage, HarnessIntern(stage, "core0"), 0x14, 1, 10);
    OpprofHotAddress mark = address_of(stage, HarnessIntern(stage, "core1"), 0, 1, 4);
    OpprofStatus status = OPPROF_OK;

    (void) error;
    detailed.line = HarnessIntern(stage, CUSTOM ":9");
    detailed.gpr_count = 4;
    detailed.process_bytes = INT64_C(5000000000); /* of 64 bits in the viewer */
    detailed.vector_utilization = 0.392156862745098;
    detailed.read_conflict = 1;
    detailed.icache_cycles = 3;
    detailed.ccu_cycles = 2;
    mark.only_marks = 1;
    status = push_address(stage, &detailed, "XD:X1=0x5,", 10);
    status = status == OPPROF_OK ? put_address(stage, "core0", 0x18, 1, 10) : status;
    status = status == OPPROF_OK ? push_address(stage, &mark, "", 0) : status;
    status = status == OPPROF_OK ? put_address(stage, "core1", 0x20, 1, 2) : status;
    status = status == OPPROF_OK ? put_line(stage, "core1", CUSTOM, 9, 0x20, 1, 2) : status;
    status = status == OPPROF_OK ? put_line(stage, "core0", CUSTOM, 20, 0x18, 2, 20) : status;
    status = status == OPPROF_OK ? put_line(stage, "core0", CUSTOM, 20, 0x14, 2, 20) : status;
    status = status == OPPROF_OK ? put_line(stage, "core1", MISSING, 3, 0x20, 1, 2) : status;
    return status == OPPROF_OK ? put_line(stage, "core1", CUSTOM, 12, 0, 1, 4) : status;
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
        "\"Instructions Executed\":[2,0],\"Line\":20,\"Process Bytes\":[5000000000,-1]},"
        "{\"Address Range\":[[\"0x00000020\",\"0x00000020\"]],\"Cycles\":[0,2],\"GPR Count\":[0,0],"
        "\"Instructions Executed\":[0,1],\"Line\":9,\"Process Bytes\":[-1,-1]}]"
        ",\"Source\":\"" CUSTOM "\"}]";

    run(produce_lines, OPPROF_RUN_COMPLETE);
    ck_assert_msg(strstr(blocks[3], lines) != NULL, "%s", blocks[3]);
    ck_assert_uint_eq(block_counts[1], 1);
    ck_assert_ptr_nonnull(strstr(blocks[1], "class AddCustom"));
    ck_assert_ptr_nonnull(strstr(blocks[4], "\"AscendC Inner Code\":\"" CUSTOM ":9\""));
    ck_assert_ptr_nonnull(strstr(blocks[4],
                                 "\"CcuCycles\":[2,0],\"Cycles\":[10,0],\"GPR Count\":[4,0],"
                                 "\"ICacheCycles\":[3,0],\"Instructions Executed\":[1,0],"));
    ck_assert_ptr_nonnull(strstr(blocks[4], "\"Process Bytes\":[5000000000,-1],"
                                            "\"ScalarCycles\":[5,0],\"Source\":\"ADD "));
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
        OpprofHotAddress address = address_of(stage, HarnessIntern(stage, "core0"), 4 * i, 1, 1);

        status = push_address(stage, &address, operands, sizeof operands);
    }
    return status;
}

START_TEST(a_block_that_the_viewer_would_refuse_is_left_out)
{
    const char *reason = run(produce_too_much, OPPROF_RUN_INCOMPLETE);

    ck_assert_msg(strstr(reason, "lacks the instructions") != NULL, "%s", reason);
    ck_assert_uint_eq(block_counts[4], 0);
}
END_TEST

#define MANY_CORES 60u
#define MANY_ADDRESSES 10u

/* Which of the values differ from core to core. */
static unsigned differing;

/*
 * Six cells of eleven bytes and one of five on each of 60 cores: 10 addresses take 42,600 bytes as
 * arrays. If only cycles and executions are left, 13,200 bytes of cells and 10 x 150 of the rest;
 * as values, 11 bytes a column.
 */
static OpprofStatus produce_many_cores(OpprofStage *stage, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    char name[32];

    (void) error;
    for (uint32_t c = 0; status == OPPROF_OK && c < MANY_CORES; c++) {
        snprintf(name, sizeof name, "core%02u", c);
        OpprofHotAddress address = address_of(stage, HarnessIntern(stage, name), 0, 1000000, 1);

        for (uint64_t i = 0; status == OPPROF_OK && i < MANY_ADDRESSES; i++) {
            address.pc = 0x10000000 + 4 * i;
            address.cycles = 1000000000 + (differing > 1 ? c * 1000000 : 0);
            address.calls = 1000000000 + (differing > 2 ? c : 0);
            address.process_bytes = 1000000000 + (differing > 0 ? c : 0);
            address.gpr_count = 1000000000 + (differing > 0 ? (int32_t) c : 0);
            address.read_conflict = 1000000000 + (differing > 0 ? (int32_t) c : 0);
            address.write_conflict = 1000000000 + (differing > 0 ? (int32_t) c : 0);
            status = push_address(stage, &address, "X", 1);
        }
    }
    return status;
}

START_TEST(values_that_all_cores_share_stand_once_in_a_block_that_is_too_long)
{
    differing = 0;
    run_with(produce_many_cores, "{ \"limit\": \"30KiB\" }", OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(block_counts[4], 1);
    ck_assert_ptr_nonnull(strstr(blocks[4], "\"Cycles\":1000000000,\"GPR Count\":1000000000,"
                                            "\"Instructions Executed\":1000000000,"));
    ck_assert_ptr_nonnull(strstr(blocks[4], "\"Vector Utilization Percentage\":-1.0}"));
    ck_assert_ptr_nonnull(strstr(blocks[4], "\"core59\"]"));
}
END_TEST

START_TEST(optional_columns_go_before_cores_do)
{
    const char *reason;

    differing = 1;
    reason = run_with(produce_many_cores, "{ \"limit\": \"24KiB\" }", OPPROF_RUN_INCOMPLETE);
    ck_assert_msg(strstr(reason, "instructions without optional columns") != NULL, "%s", reason);
    ck_assert_uint_eq(block_counts[4], 1);
    ck_assert_ptr_null(strstr(blocks[4], "GPR Count"));
    ck_assert_ptr_nonnull(strstr(blocks[4], "\"Cycles\":1000000000,"));
    ck_assert_ptr_nonnull(strstr(blocks[4], "\"core59\"]"));
}
END_TEST

START_TEST(the_least_busy_cores_go_last)
{
    const char *reason;

    differing = 3;
    reason = run_with(produce_many_cores, "{ \"limit\": \"12KiB\" }", OPPROF_RUN_INCOMPLETE);
    ck_assert_msg(strstr(reason, "busiest of 60 cores") != NULL, "%s", reason);
    ck_assert_uint_eq(block_counts[4], 1);
    ck_assert_ptr_null(strstr(blocks[4], "\"core00\""));
    ck_assert_ptr_nonnull(strstr(blocks[4], "\"core59\"]"));
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
    run(produce_nothing, OPPROF_RUN_INCOMPLETE); /* the source says nothing of why */
    ck_assert_uint_eq(block_counts[4], 0);
}
END_TEST

/* A file that was somewhere else when the kernel was built, and one of a relative path. */
static OpprofStatus produce_moved(OpprofStage *stage, OpprofError **error)
{
    OpprofStatus status = put_address(stage, "core0", 0x14, 1, 10);

    (void) error;
    status = status == OPPROF_OK
                 ? put_line(stage, "core0", "/nowhere/data/source/add_custom.cpp", 20, 0x14, 1, 10)
                 : status;
    return status == OPPROF_OK ? put_line(stage, "core0", "source/kernel.c", 3, 0x14, 1, 10)
                               : status;
}

static unsigned sources_with(const char *params)
{
    memset(block_counts, 0, sizeof block_counts);
    run_with(produce_moved, params, OPPROF_RUN_COMPLETE);
    return block_counts[1];
}

START_TEST(sources_are_not_found_without_a_place)
{
    ck_assert_uint_eq(sources_with("{}"), 0);
}
END_TEST

START_TEST(sources_are_found_in_directories_by_the_ends_of_their_paths)
{
    ck_assert_uint_eq(sources_with("{\"source\": [\"/none\", \"" TEST_DATA_DIR "\"]}"), 2);
    ck_assert_ptr_nonnull(blocks[1]);
}
END_TEST

START_TEST(the_name_alone_is_enough_in_its_directory)
{
    ck_assert_uint_eq(sources_with("{\"source\": [\"" TEST_DATA_DIR "/source\"]}"), 2);
}
END_TEST

START_TEST(relative_sources_are_found_beside_the_kernel)
{
    ck_assert_uint_eq(sources_with("{\"kernel\": \"" TEST_DATA_DIR "/kernel.o\"}"), 1);
}
END_TEST

START_TEST(relative_sources_are_found_in_the_directory_of_the_input)
{
    ck_assert_uint_eq(sources_with("{\"beside\": \"" TEST_DATA_DIR "\"}"), 1);
}
END_TEST

static Suite *source_blocks_suite(void)
{
    Suite *suite = suite_create("source_blocks");
    TCase *tcase = tcase_create("source_blocks");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, instructions_of_all_cores_are_in_one_block);
    tcase_add_test(tcase, lines_have_addresses_and_sums_of_each_core);
    tcase_add_test(tcase, a_block_that_the_viewer_would_refuse_is_left_out);
    tcase_add_test(tcase, values_that_all_cores_share_stand_once_in_a_block_that_is_too_long);
    tcase_add_test(tcase, optional_columns_go_before_cores_do);
    tcase_add_test(tcase, the_least_busy_cores_go_last);
    tcase_add_test(tcase, nothing_gives_nothing);
    tcase_add_test(tcase, sources_are_not_found_without_a_place);
    tcase_add_test(tcase, sources_are_found_in_directories_by_the_ends_of_their_paths);
    tcase_add_test(tcase, the_name_alone_is_enough_in_its_directory);
    tcase_add_test(tcase, relative_sources_are_found_beside_the_kernel);
    tcase_add_test(tcase, relative_sources_are_found_in_the_directory_of_the_input);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(source_blocks_suite)
