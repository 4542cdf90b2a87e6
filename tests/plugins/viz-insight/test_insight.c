/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/viz-insight/insight.c. */
#include "plugins/viz-insight/container.h"
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"
#include "tests/tools/container_reader.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0;

static const OpprofRecordType *const block_types[] = { &opprof_block_type };

#define LARGE ((3u << 20) + 1u) /* more than is kept in memory */

static OpprofText put(OpprofBatch *batch, const char *text)
{
    OpprofText where;

    ck_assert_int_eq(OpprofBatchAppendText(batch, text, strlen(text), &where), OPPROF_OK);
    return where;
}

static const OpprofText absent = { OPPROF_NA_U32, 0 };

static OpprofBlock *add_block(OpprofStage *stage, OpprofBatch **batch, uint32_t type,
                              uint32_t version)
{
    OpprofBlock *block;

    if (*batch == NULL) {
        *batch = OpprofStageNewBatch(stage, 0);
    }
    block = OpprofBatchAppend(*batch);
    ck_assert_ptr_nonnull(block);
    *block = (OpprofBlock){
        .block_type = type, .version = version, .path = absent, .bytes = absent, .file = absent
    };
    return block;
}

static void run(HarnessProduce *produce, OpprofRunOutcome outcome)
{
    HarnessSource("source", produce, block_types, 1);
    HarnessPlugin("insight", &opprof_plugin_v0, NULL);
    HarnessRun(outcome);
}

typedef FoundBlock Found;

/* Reads the container of the run; returns the number of blocks. */
static unsigned read_container(Found *found, unsigned max)
{
    OpprofError *error = NULL;
    size_t size = 0, count = 0;
    const char *bytes = HarnessFile("visualize_data.bin", &size);

    ck_assert_ptr_nonnull(bytes);
    ck_assert_msg(ContainerRead(bytes, size, found, max, &count, &error) == OPPROF_OK, "%s",
                  OpprofErrorMessage(error));
    return (unsigned) count;
}

static void check_content(const Found *found, unsigned type, const char *content)
{
    ck_assert_uint_eq(found->type, type);
    ck_assert_uint_eq(found->length, strlen(content));
    ck_assert_int_eq(memcmp(found->content, content, found->length), 0);
}

START_TEST(headers_tell_padded_size_and_padding)
{
    static const unsigned char expected[] = { 8, 0, 0, 0, 0, 0, 0, 0, 2, 3, 0x5a, 0x5a };
    static const unsigned char instructions[] = { 4, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0x5a };
    unsigned char header[BLOCK_HEADER_BYTES];

    ContainerPutHeader(header, OPPROF_BLOCK_TRACE, OPPROF_BLOCK_VERSION, 5);
    ck_assert_mem_eq(header, expected, sizeof expected);
    ContainerPutHeader(header, OPPROF_BLOCK_INSTRUCTIONS, 0, (UINT64_C(1) << 32) + 4);
    ck_assert_mem_eq(header, instructions, sizeof instructions);
}
END_TEST

static OpprofStatus produce_simulation(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = NULL;
    OpprofBlock *block = add_block(stage, &batch, OPPROF_BLOCK_INSTRUCTIONS, 0);

    (void) error;
    block->bytes = put(batch, "{\"Cores\":[]}");
    block = add_block(stage, &batch, OPPROF_BLOCK_FILES, OPPROF_BLOCK_VERSION);
    block->bytes = put(batch, "{\"Files\":[]}x}");
    block = add_block(stage, &batch, OPPROF_BLOCK_SOURCE, OPPROF_BLOCK_VERSION);
    block->path = put(batch, "/src/b.cpp");
    block->bytes = put(batch, "int b;\n");
    block = add_block(stage, &batch, OPPROF_BLOCK_SOURCE, OPPROF_BLOCK_VERSION);
    block->path = put(batch, "/src/a.cpp");
    block->bytes = put(batch, "");
    block = add_block(stage, &batch, OPPROF_BLOCK_TRACE, OPPROF_BLOCK_VERSION);
    block->bytes = put(batch, "{\"traceEvents\":[]}");
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(blocks_stand_in_the_viewers_order)
{
    Found found[8];

    run(produce_simulation, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(read_container(found, 8), 5);
    check_content(&found[0], 2, "{\"traceEvents\":[]}");
    check_content(&found[1], 1, "");
    ck_assert_str_eq(found[1].path, "/src/a.cpp");
    check_content(&found[2], 1, "int b;\n");
    ck_assert_str_eq(found[2].path, "/src/b.cpp");
    ck_assert_int_eq(found[2].path[4095], 0);
    check_content(&found[3], 3, "{\"Files\":[]}x}");
    check_content(&found[4], 4, "{\"Cores\":[]}");
    ck_assert_uint_eq(found[4].version, 0);
    ck_assert_uint_eq(found[0].version, 0x5a);
}
END_TEST

static OpprofStatus produce_large(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = NULL;
    OpprofBlock *block;

    (void) error;
    for (uint32_t type = OPPROF_BLOCK_LOAD_TABLE; type >= OPPROF_BLOCK_BASE_INFO; type--) {
        char *room;

        block = add_block(stage, &batch, type, OPPROF_BLOCK_VERSION);
        room = OpprofBatchReserveText(batch, LARGE);
        memset(room, (int) ('0' + type), LARGE);
        block->bytes = OpprofBatchCommitText(batch, LARGE);
    }
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(large_blocks_come_back_from_the_spool)
{
    Found found[4];

    run(produce_large, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(read_container(found, 4), 3);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_uint_eq(found[i].type, OPPROF_BLOCK_BASE_INFO + i);
        ck_assert_uint_eq(found[i].length, LARGE);
        for (uint64_t at = 0; at < LARGE; at += 1021) {
            ck_assert_int_eq(found[i].content[at], (int) ('0' + found[i].type));
        }
    }
}
END_TEST

static void put_piece(OpprofStage *stage, OpprofBatch **batch, uint32_t type, const char *text,
                      bool is_last)
{
    OpprofBlock *block = add_block(stage, batch, type, OPPROF_BLOCK_VERSION);

    block->bytes = put(*batch, text);
    block->flags = is_last ? 0 : OPPROF_BLOCK_MORE;
}

static OpprofStatus produce_pieces(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = NULL;

    (void) error;
    put_piece(stage, &batch, OPPROF_BLOCK_LOAD_TABLE, "{\"a\":[1", false);
    put_piece(stage, &batch, OPPROF_BLOCK_STORAGE_MAP, "{\"b\":[", false);
    put_piece(stage, &batch, OPPROF_BLOCK_LOAD_TABLE, ",2", false);
    put_piece(stage, &batch, OPPROF_BLOCK_LOAD_TABLE, ",3]}", true);
    put_piece(stage, &batch, OPPROF_BLOCK_LOAD_FIGURE, "{\"c\":[", false); /* its end is missing */
    put_piece(stage, &batch, OPPROF_BLOCK_STORAGE_MAP, "]}", true);
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(pieces_become_one_block_whatever_comes_between)
{
    Found found[3];

    run(produce_pieces, OPPROF_RUN_INCOMPLETE);
    ck_assert_uint_eq(read_container(found, 3), 2);
    check_content(&found[0], OPPROF_BLOCK_LOAD_TABLE, "{\"a\":[1,2,3]}");
    check_content(&found[1], OPPROF_BLOCK_STORAGE_MAP, "{\"b\":[]}");
}
END_TEST

static OpprofStatus produce_long(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = NULL;
    OpprofStatus status = OPPROF_OK;

    (void) error;
    for (unsigned i = 0; status == OPPROF_OK && i <= 100; i++) {
        OpprofBlock *block =
            add_block(stage, &batch, OPPROF_BLOCK_STORAGE_TABLE, OPPROF_BLOCK_VERSION);

        memset(OpprofBatchReserveText(batch, 1u << 20), 'x', 1u << 20);
        block->bytes = OpprofBatchCommitText(batch, 1u << 20);
        block->flags = i < 100 ? OPPROF_BLOCK_MORE : 0;
        status = OpprofStagePush(stage, 0, batch);
        batch = NULL;
    }
    put_piece(stage, &batch, OPPROF_BLOCK_LOAD_TABLE, "{}", true);
    return status == OPPROF_OK ? OpprofStagePush(stage, 0, batch) : status;
}

START_TEST(pieces_of_more_than_the_viewer_reads_are_left_out)
{
    Found found[2];

    run(produce_long, OPPROF_RUN_INCOMPLETE);
    ck_assert_uint_eq(read_container(found, 2), 1);
    check_content(&found[0], OPPROF_BLOCK_LOAD_TABLE, "{}");
}
END_TEST

static OpprofStatus produce_file(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = NULL;
    OpprofBlock *block = add_block(stage, &batch, OPPROF_BLOCK_TRACE, OPPROF_BLOCK_VERSION);
    OpprofOutputFile *file;
    char path[600];

    snprintf(path, sizeof path, "%s/trace.json", HarnessDirectory());
    ck_assert_int_eq(OpprofOutputFileCreate(OpprofStageOutput(stage), "trace.json", &file, error),
                     OPPROF_OK);
    ck_assert_int_eq(OpprofOutputFileWrite(file, "0123456789", 10, error), OPPROF_OK);
    ck_assert_int_eq(OpprofOutputFileFinish(file, error), OPPROF_OK);
    block->file = put(batch, path);
    block->file_offset = 2;
    block->file_length = 7;
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(ranges_of_files_are_copied)
{
    Found found[2];

    run(produce_file, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(read_container(found, 2), 1);
    check_content(&found[0], 2, "2345678");
}
END_TEST

static OpprofStatus produce_lonely_instructions(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = NULL;
    OpprofBlock *block = add_block(stage, &batch, OPPROF_BLOCK_INSTRUCTIONS, 0);

    (void) error;
    block->bytes = put(batch, "{}");
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(the_first_block_never_has_version_0)
{
    Found found[2];

    run(produce_lonely_instructions, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(read_container(found, 2), 1);
    ck_assert_uint_eq(found[0].version, 0x5a);
}
END_TEST

static OpprofStatus produce_duplicates(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = NULL;
    OpprofBlock *block;
    char text[16];

    (void) error;
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "{%d}", i);
        block = add_block(stage, &batch, OPPROF_BLOCK_BASE_INFO, OPPROF_BLOCK_VERSION);
        block->bytes = put(batch, text);
        block = add_block(stage, &batch, OPPROF_BLOCK_SOURCE, OPPROF_BLOCK_VERSION);
        block->path = put(batch, "a.cpp");
        block->bytes = put(batch, text);
    }
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(of_several_blocks_of_a_kind_one_stays)
{
    Found found[4];

    run(produce_duplicates, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(read_container(found, 4), 2);
    check_content(&found[0], 5, "{0}");
    check_content(&found[1], 1, "{2}");
}
END_TEST

static OpprofStatus produce_refused(OpprofStage *stage, OpprofError **error)
{
    static char path[5000];
    OpprofBatch *batch = NULL;
    OpprofBlock *block;

    (void) error;
    memset(path, 'p', sizeof path - 1);
    block = add_block(stage, &batch, 0x0a, OPPROF_BLOCK_VERSION);
    block->bytes = put(batch, "unknown type");
    block = add_block(stage, &batch, OPPROF_BLOCK_BASE_INFO, 0);
    block->bytes = put(batch, "unknown version");
    block = add_block(stage, &batch, OPPROF_BLOCK_SOURCE, OPPROF_BLOCK_VERSION);
    block->path = put(batch, path);
    block->bytes = put(batch, "path too long");
    block = add_block(stage, &batch, OPPROF_BLOCK_SOURCE, OPPROF_BLOCK_VERSION);
    block->bytes = put(batch, "no path");
    block = add_block(stage, &batch, OPPROF_BLOCK_INSTRUCTIONS, 0);
    block->bytes = put(batch, "[]");
    block = add_block(stage, &batch, OPPROF_BLOCK_LOAD_TABLE, OPPROF_BLOCK_VERSION);
    block->file = put(batch, "/does/not/matter");
    block->file_length = BLOCK_BODY_MAX + 1;
    block = add_block(stage, &batch, OPPROF_BLOCK_OCCUPANCY, OPPROF_BLOCK_VERSION);
    block->bytes = put(batch, ""); /* nothing to show: no complaint */
    block = add_block(stage, &batch, OPPROF_BLOCK_STALL_REASONS, OPPROF_BLOCK_VERSION);
    block->bytes = put(batch, "{}");
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(what_the_viewer_would_refuse_is_left_out)
{
    Found found[4];
    size_t length = 0;
    const char *reason;
    char *record;

    HarnessSource("source", produce_refused, block_types, 1);
    HarnessPlugin("insight", &opprof_plugin_v0, NULL);
    reason = HarnessRun(OPPROF_RUN_INCOMPLETE);
    ck_assert_ptr_nonnull(strstr(reason, "type 0x0a"));
    ck_assert_ptr_nonnull(strstr(reason, "and 5 more like this"));
    record = HarnessFile("run.json", &length);
    ck_assert_ptr_nonnull(record);
    ck_assert_ptr_nonnull(strstr(record, "type 0x05"));
    ck_assert_ptr_nonnull(strstr(record, "4095"));
    ck_assert_ptr_nonnull(strstr(record, "not a JSON object"));
    ck_assert_ptr_nonnull(strstr(record, "100 MiB"));
    ck_assert_ptr_null(strstr(record, "type 0x0c"));
    ck_assert_uint_eq(read_container(found, 4), 1);
    check_content(&found[0], 0x0f, "{}");
}
END_TEST

static OpprofStatus produce_nothing(OpprofStage *stage, OpprofError **error)
{
    (void) stage;
    (void) error;
    return OPPROF_OK;
}

START_TEST(without_blocks_there_is_no_file)
{
    run(produce_nothing, OPPROF_RUN_INCOMPLETE); /* the source says nothing of why */
    ck_assert_ptr_null(HarnessFile("visualize_data.bin", NULL));
}
END_TEST

static OpprofStatus produce_missing_file(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = NULL;
    OpprofBlock *block = add_block(stage, &batch, OPPROF_BLOCK_TRACE, OPPROF_BLOCK_VERSION);

    (void) error;
    block->file = put(batch, "/nonexistent/trace.json");
    block->file_length = 7;
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(a_failed_copy_leaves_no_half_file)
{
    HarnessSource("source", produce_missing_file, block_types, 1);
    HarnessPlugin("insight", &opprof_plugin_v0, NULL);
    ck_assert_ptr_nonnull(strstr(HarnessRunFailing(), "/nonexistent/trace.json"));
    ck_assert_ptr_null(HarnessFile("visualize_data.bin", NULL));
}
END_TEST

START_TEST(a_file_name_without_the_suffix_is_refused)
{
    const char *why = HarnessRefusal("insight", &opprof_plugin_v0, "{\"file\": \"data.dat\"}");

    ck_assert_ptr_nonnull(strstr(why, "'data.dat'"));
}
END_TEST

static Suite *insight_suite(void)
{
    Suite *suite = suite_create("insight");
    TCase *tcase = tcase_create("insight");

    tcase_add_checked_fixture(tcase, HarnessSetup, HarnessTeardown);
    tcase_add_test(tcase, headers_tell_padded_size_and_padding);
    tcase_add_test(tcase, blocks_stand_in_the_viewers_order);
    tcase_add_test(tcase, large_blocks_come_back_from_the_spool);
    tcase_add_test(tcase, pieces_become_one_block_whatever_comes_between);
    tcase_add_test(tcase, pieces_of_more_than_the_viewer_reads_are_left_out);
    tcase_add_test(tcase, ranges_of_files_are_copied);
    tcase_add_test(tcase, the_first_block_never_has_version_0);
    tcase_add_test(tcase, of_several_blocks_of_a_kind_one_stays);
    tcase_add_test(tcase, what_the_viewer_would_refuse_is_left_out);
    tcase_add_test(tcase, without_blocks_there_is_no_file);
    tcase_add_test(tcase, a_failed_copy_leaves_no_half_file);
    tcase_add_test(tcase, a_file_name_without_the_suffix_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(insight_suite)
