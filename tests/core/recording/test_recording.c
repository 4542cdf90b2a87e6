/* SPDX-License-Identifier: Apache-2.0 */
/* What is recorded comes back; a file that is cut or changed anywhere gives what was whole, and a
 * reason. */
#include "recording/recording.h"

#include "run/stage.h"
#include "tests/core/suites.h"

#include <opprof/plugin.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Part {
    uint32_t name;
    uint32_t amount;
} Part;

typedef struct Row {
    uint64_t time;
    uint32_t name;
    uint32_t track;
    OpprofText detail;
    OpprofText parts;
    uint64_t in_no_table;
} Row;

static const OpprofField part_fields[] = {
    OPPROF_FIELD(Part, name, OPPROF_FIELD_STRING, .meaning = "Name."),
    OPPROF_FIELD(Part, amount, OPPROF_FIELD_U32, .unit = "1", .meaning = "Amount."),
};
static const OpprofElements elements[] = {
    OPPROF_RECORD_ELEMENTS(parts, Part, part_fields),
    { NULL, 0, 0, NULL },
};
static const OpprofField fields[] = {
    OPPROF_FIELD(Row, time, OPPROF_FIELD_TICK, .unit = "tick", .meaning = "When."),
    OPPROF_FIELD(Row, name, OPPROF_FIELD_STRING, .heading = "Name", .meaning = "Who.",
                 .absent = "nobody"),
    OPPROF_FIELD(Row, track, OPPROF_FIELD_TRACK, .meaning = "Where.", .absent = "nowhere"),
    OPPROF_FIELD(Row, detail, OPPROF_FIELD_TEXT, .meaning = "What.", .absent = "nothing"),
    OPPROF_FIELD(Row, parts, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_HIDDEN, .meaning = "Parts."),
};
static const OpprofRecordType row_type = OPPROF_RECORD_TYPE_WITH_ELEMENTS(
    Row, 3, "test.row", "A row.", OPPROF_RECORD_TABLE, fields, elements);

/* The run that is recorded has numbers of its own, which are not those of a file. */
static RunContext run;
static StageNode node = { .run = &run };
static OpprofStage stage = { .node = &node };
static uint32_t alpha, beta, gamma_nul, core0, track, clock_id;

static void make_run(void)
{
    const OpprofTrack other_track = { .document = "other", .process = "p" };
    const OpprofTrack own_track = { .document = "trace",
                                    .process = "core0",
                                    .thread = "MTE1",
                                    .process_sort = 3,
                                    .thread_sort = -1,
                                    .flags = OPPROF_TRACK_APART };

    run.strings = StringTableCreate();
    run.tracks = TrackTableCreate();
    run.clocks = ClockTableCreate();
    for (int i = 0; i < 70000; i++) { /* their numbers are in no recording */
        char other[16];

        snprintf(other, sizeof other, "other %d", i);
        StringTableIntern(run.strings, other, strlen(other));
    }
    core0 = StringTableIntern(run.strings, "core0", 5);
    gamma_nul = StringTableIntern(run.strings, "gamma with\0nul", 14);
    beta = StringTableIntern(run.strings, "beta", 4);
    alpha = StringTableIntern(run.strings, "alpha", 5);
    TrackTableDeclare(run.tracks, &other_track);
    track = TrackTableDeclare(run.tracks, &own_track);
    ClockTableDeclare(run.clocks, &(OpprofClock){ "other", 1, 0, 0 });
    clock_id = ClockTableDeclare(run.clocks, &(OpprofClock){ "core", 1000000000, -5, 77 });
}

static void destroy_run(void)
{
    TableDestroy(run.strings);
    TableDestroy(run.tracks);
    TableDestroy(run.clocks);
}

static void fill(OpprofBatch *batch)
{
    const Part parts[] = { { alpha, 11 }, { beta, 12 } };

    for (uint32_t i = 0; i < 3; i++) {
        Row *row = OpprofBatchAppend(batch);

        *row = (Row){ .time = 10 + i,
                      .name = i == 2   ? OPPROF_NA_STRING
                              : i == 1 ? beta
                                       : gamma_nul,
                      .track = i == 1 ? OPPROF_NA_U32 : track,
                      .detail = { OPPROF_NA_U32, 0 },
                      .parts = { OPPROF_NA_U32, 0 },
                      .in_no_table = UINT64_C(0x1234567890) };
        if (i == 0) {
            ck_assert_int_eq(OpprofBatchAppendText(batch, "text!", 5, &row->detail), OPPROF_OK);
            ck_assert_int_eq(
                OpprofBatchAppendText(batch, (const char *) parts, sizeof parts, &row->parts),
                OPPROF_OK);
        }
    }
    batch->partition = core0;
    batch->clock = clock_id;
    batch->watermark = 9;
}

static char path[64];

/* A recording of two batches; its bytes, for free(). */
static char *record(size_t *ret_size)
{
    const RecordingLink link = { "rows.out", "rows", "1.2", "0.1.0", &row_type };
    OpprofBatchPool *pool = OpprofBatchPoolCreate(&row_type, 8, 0);
    RecordingWriter *writer = NULL;
    OpprofError *error = NULL;
    char *bytes = malloc(1 << 16);
    FILE *file;

    ck_assert_int_eq(RecordingCreate(path, &link, &stage, &writer, &error), OPPROF_OK);
    for (int i = 0; i < 2; i++) {
        OpprofBatch *batch = OpprofBatchPoolTake(pool);

        fill(batch);
        ck_assert_int_eq(RecordingWrite(writer, batch, &error), OPPROF_OK);
        OpprofBatchUnref(batch);
    }
    ck_assert_int_eq(RecordingEnd(writer, 1, NULL, &error), OPPROF_OK);
    ck_assert_int_eq(RecordingClose(writer, &error), OPPROF_OK);
    OpprofBatchPoolDestroy(pool);
    file = fopen(path, "rb");
    *ret_size = fread(bytes, 1, 1 << 16, file);
    fclose(file);
    return bytes;
}

/* Reads all: the number of whole batches. */
static int read_all(char *bytes, size_t size, OpprofStatus *ret_status, OpprofError **error)
{
    Recording *recording = NULL;
    RecordingBatch batch;
    int count = 0;
    FILE *file = fmemopen(bytes, size, "rb");

    *ret_status = RecordingOpen(file, "memory", 0, &recording, error);
    while (*ret_status == OPPROF_OK) {
        *ret_status = RecordingNext(recording, &batch, error);
        count += *ret_status == OPPROF_OK ? 1 : 0;
    }
    RecordingDestroy(recording);
    return count;
}

START_TEST(what_is_recorded_comes_back)
{
    size_t size, length;
    char *bytes = record(&size);
    FILE *file = fmemopen(bytes, size, "rb");
    Recording *recording = NULL;
    RecordingBatch batch;
    OpprofError *error = NULL;
    const char *reasons;
    Row rows[3];
    Part parts[2];

    ck_assert_int_eq(RecordingOpen(file, "memory", 0, &recording, &error), OPPROF_OK);
    ck_assert_str_eq(RecordingAbout(recording)->link, "rows.out");
    ck_assert_str_eq(RecordingAbout(recording)->plugin_version, "1.2");
    const OpprofRecordType *type = RecordingAbout(recording)->type;
    ck_assert_str_eq(type->name, "test.row");
    ck_assert_uint_eq(type->version, 3);
    ck_assert_uint_eq(type->flags, OPPROF_RECORD_TABLE);
    ck_assert_ptr_null(type->title);
    ck_assert_uint_eq(type->field_count, 5);
    ck_assert_str_eq(type->fields[1].heading, "Name");
    ck_assert_str_eq(type->fields[1].absent, "nobody");
    ck_assert_ptr_null(type->fields[1].unit);
    ck_assert_uint_eq(type->fields[4].flags, OPPROF_FIELD_HIDDEN);
    ck_assert_str_eq(type->elements[0].field, "parts");
    ck_assert_ptr_null(type->elements[1].field);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(RecordingNext(recording, &batch, &error), OPPROF_OK);
        ck_assert_ptr_eq(batch.type, type);
        ck_assert_uint_eq(batch.count, 3);
        ck_assert_uint_eq(batch.watermark, 9);
        ck_assert_str_eq(RecordingString(recording, batch.partition, &length), "core0");
        ck_assert_uint_eq(RecordingClock(recording, batch.clock)->hz, 1000000000);
        ck_assert_int_eq(RecordingClock(recording, batch.clock)->offset_ps, -5);
        ck_assert_int_eq(RecordingClock(recording, batch.clock)->epoch_ns, 77);
        memcpy(rows, batch.records, sizeof rows);
        ck_assert_mem_eq(RecordingString(recording, rows[0].name, &length), "gamma with\0nul", 14);
        ck_assert_uint_eq(length, 14);
        ck_assert_str_eq(RecordingString(recording, rows[1].name, &length), "beta");
        ck_assert_uint_eq(rows[2].name, OPPROF_NA_STRING);
        ck_assert_str_eq(RecordingTrack(recording, rows[0].track)->thread, "MTE1");
        ck_assert_ptr_null(RecordingTrack(recording, rows[0].track)->thread_name);
        ck_assert_int_eq(RecordingTrack(recording, rows[0].track)->thread_sort, -1);
        ck_assert_uint_eq(rows[1].track, OPPROF_NA_U32);
        ck_assert_uint_eq(rows[2].in_no_table, UINT64_C(0x1234567890));
        ck_assert_mem_eq(batch.blob + rows[0].detail.offset, "text!", 5);
        memcpy(parts, batch.blob + rows[0].parts.offset, sizeof parts);
        ck_assert_str_eq(RecordingString(recording, parts[0].name, &length), "alpha");
        ck_assert_str_eq(RecordingString(recording, parts[1].name, &length), "beta");
        ck_assert_uint_eq(parts[1].amount, 12);
    }
    ck_assert_int_eq(RecordingNext(recording, &batch, &error), OPPROF_END);
    ck_assert_uint_eq(RecordingHowEnded(recording, &reasons), 1);
    ck_assert_str_eq(reasons, "");
    ck_assert_uint_eq(RecordingCountNames(recording).strings, 4);
    RecordingDestroy(recording);
    free(bytes);
}
END_TEST

START_TEST(a_file_cut_anywhere_gives_what_was_whole)
{
    size_t size;
    char *bytes = record(&size);
    int before = 0;

    for (size_t kept = 1; kept < size; kept++) {
        OpprofStatus status;
        OpprofError *error = NULL;
        const int count = read_all(bytes, kept, &status, &error);

        ck_assert_int_eq(status, OPPROF_E_DATA);
        ck_assert_ptr_nonnull(error);
        ck_assert_int_ge(count, before);
        ck_assert_int_le(count, 2);
        before = count;
        OpprofErrorDestroy(error);
    }
    ck_assert_int_eq(before, 2);
    free(bytes);
}
END_TEST

/* All but the four bytes of the version's minor number and those after it,
 * which mean nothing yet. */
START_TEST(a_byte_that_changed_is_noticed)
{
    size_t size;
    char *bytes = record(&size);

    for (size_t i = 0; i < size; i++) {
        OpprofStatus status;
        OpprofError *error = NULL;
        int count;

        if (i >= 10 && i < RECORDING_HEAD) {
            continue;
        }
        bytes[i] ^= 0x20;
        count = read_all(bytes, size, &status, &error);
        bytes[i] ^= 0x20;
        ck_assert_msg(status == OPPROF_E_DATA && count < 3, "byte %zu", i);
        ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "memory"));
        OpprofErrorDestroy(error);
    }
    free(bytes);
}
END_TEST

START_TEST(the_file_does_not_depend_on_the_numbers_of_the_run)
{
    static const unsigned char head[] = "OPPROFR\x1a\x01\0\x01\0\0\0\0";
    size_t size;
    char *bytes = record(&size);

    ck_assert_mem_eq(bytes, head, RECORDING_HEAD);
    for (size_t i = 0; i + 4 < size; i++) {
        ck_assert_uint_ne(OpprofLoadU32(bytes + i), core0);
    }
    free(bytes);
}
END_TEST

START_TEST(the_checksum_is_that_of_the_standard)
{
    ck_assert_uint_eq(RecordingCrc(0, "123456789", 9), 0xcbf43926u); /* the check value of CRC-32 */
    ck_assert_uint_eq(RecordingCrc(RecordingCrc(0, "1234", 4), "56789", 5), 0xcbf43926u);
}
END_TEST

START_TEST(a_file_that_cannot_be_made_is_named)
{
    const RecordingLink link = { "rows.out", "rows", NULL, "0.1.0", &row_type };
    RecordingWriter *writer = NULL;
    OpprofError *error = NULL;

    ck_assert_int_eq(RecordingCreate("/nowhere/at/all", &link, &stage, &writer, &error),
                     OPPROF_E_IO);
    ck_assert_ptr_null(writer);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "'/nowhere/at/all'"));
    OpprofErrorDestroy(error);
}
END_TEST

static void set_up(void)
{
    const char *directory = getenv("TMPDIR");

    snprintf(path, sizeof path, "%.30s/opprof-recording-%d", directory != NULL ? directory : "/tmp",
             (int) getpid());
    make_run();
}

static void tear_down(void)
{
    unlink(path);
    destroy_run();
}

static Suite *recording_suite(void)
{
    Suite *suite = suite_create("recording");
    TCase *cases = tcase_create("recording");

    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_set_timeout(cases, 1800);
    tcase_add_test(cases, what_is_recorded_comes_back);
    tcase_add_test(cases, a_file_cut_anywhere_gives_what_was_whole);
    tcase_add_test(cases, a_byte_that_changed_is_noticed);
    tcase_add_test(cases, the_file_does_not_depend_on_the_numbers_of_the_run);
    tcase_add_test(cases, the_checksum_is_that_of_the_standard);
    tcase_add_test(cases, a_file_that_cannot_be_made_is_named);
    suite_add_tcase(suite, cases);
    return suite;
}
TEST_SUITE(recording_suite)
