/* SPDX-License-Identifier: Apache-2.0 */
/* Records that a plugin appends one by one, and the text of their fields. */
#include <opprof/opprof.h>

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORES 3
#define RECORDS 1000
#define FAIL_AFTER 77

/* A record with a field of each kind. */
typedef struct Row {
    uint64_t address;
    uint64_t number;
    int64_t signed_number;
    double real;
    double fixed;
    uint32_t core;
    uint32_t track;
    OpprofText text;
    uint32_t small;
    int32_t signed_small;
    int16_t tiny;
    int16_t unused;
    uint32_t unused_too;
} Row;

static const OpprofField row_fields[] = {
    OPPROF_FIELD(Row, address, OPPROF_FIELD_HEX, .meaning = "Address."),
    OPPROF_FIELD(Row, number, OPPROF_FIELD_U64, .meaning = "Number."),
    OPPROF_FIELD(Row, signed_number, OPPROF_FIELD_I64, .meaning = "Number."),
    OPPROF_FIELD(Row, real, OPPROF_FIELD_F64, .meaning = "Real."),
    OPPROF_FIELD(Row, fixed, OPPROF_FIELD_F64, .meaning = "Real.", .decimals = 3),
    OPPROF_FIELD(Row, core, OPPROF_FIELD_STRING, .meaning = "Name.", .heading = "Core"),
    OPPROF_FIELD(Row, track, OPPROF_FIELD_TRACK, .meaning = "Track."),
    OPPROF_FIELD(Row, text, OPPROF_FIELD_TEXT, .meaning = "Text."),
    OPPROF_FIELD(Row, small, OPPROF_FIELD_U32, .meaning = "Number."),
    OPPROF_FIELD(Row, signed_small, OPPROF_FIELD_I32, .meaning = "Number."),
    OPPROF_FIELD(Row, tiny, OPPROF_FIELD_I16, .meaning = "Number."),
};

static const OpprofRecordType row_type = {
    .struct_size = sizeof row_type,
    .version = 1,
    .name = "test.row",
    .size = sizeof(Row),
    .fields = row_fields,
    .field_count = OPPROF_COUNT(row_fields),
};

static bool fails;
static OpprofStage *the_reader;
static uint32_t seen_rows, seen_batches, seen_clock;
static char shown[OPPROF_COUNT(row_fields)][64];
static double numbers[OPPROF_COUNT(row_fields)]; /* of those that are numbers */

static OpprofStatus remember(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    (void) error;
    *ret_self = stage;
    return OPPROF_OK;
}

static OpprofStatus append_row(OpprofStage *stage, uint32_t i)
{
    static const char *const names[CORES] = { "core0", "core1", "core2" };
    const OpprofTrack track = { .document = "doc", .process = "chip", .thread = names[i % CORES] };
    const uint32_t core = OpprofStageIntern(stage, names[i / 100 % CORES], 5);
    Row row = { .address = i,
                .number = i,
                .signed_number = -(int64_t) i,
                .real = i / 8.0,
                .fixed = i,
                .core = core,
                .small = i,
                .signed_small = -(int32_t) i,
                .tiny = 7 };
    OpprofStatus status;

    row.track = OpprofStageTrack(stage, &track);
    status = OpprofStageText(stage, 0, core, "operand", 1 + i % 7, &row.text);
    if (status == OPPROF_OK && i % 3 == 0) {
        void *room = NULL;

        status = OpprofStageRoom(stage, 0, core, &room);
        ck_assert_mem_eq(room, &(Row){ .address = 0 }, sizeof row);
        memcpy(room, &row, sizeof row);
        return status;
    }
    return status == OPPROF_OK ? OpprofStageAppend(stage, 0, core, &row) : status;
}

static OpprofStatus produce(void *self, uint32_t port, const OpprofBatch *nothing,
                            OpprofError **error)
{
    const OpprofClock clock = { .name = "test", .hz = 1000 };

    (void) port;
    (void) nothing;
    OpprofStageSetClock(self, 0, OpprofStageClock(self, &clock));
    for (uint32_t i = 0; i < RECORDS; i++) {
        if (fails && i == FAIL_AFTER) {
            return OpprofErrorSet(error, OPPROF_E_DATA, "Told to fail");
        }
        ck_assert_int_eq(append_row(self, i), OPPROF_OK);
    }
    return OPPROF_END;
}

static void show(const OpprofBatch *batch, const Row *row)
{
    for (uint32_t f = 0; f < OPPROF_COUNT(row_fields); f++) {
        char number[OPPROF_TEXT_NUMBER];
        size_t length;
        const char *text =
            OpprofFieldPrint(the_reader, batch, &row_fields[f], row, number, &length);

        snprintf(shown[f], sizeof shown[f], "%.*s", (int) length, text == NULL ? "" : text);
        ck_assert(OpprofFieldIsText(&row_fields[f]) ||
                  OpprofFieldNumber(&row_fields[f], row, &numbers[f]));
    }
}

static OpprofStatus consume(void *self, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    (void) self;
    (void) port;
    (void) error;
    seen_batches++;
    seen_clock = batch->clock;
    for (uint32_t i = 0; i < batch->count; i++, seen_rows++) {
        Row row;

        memcpy(&row, OpprofBatchRecord(batch, i), sizeof row);
        ck_assert_uint_eq(row.number, seen_rows);
        ck_assert_uint_eq(row.core, batch->partition);
        ck_assert_uint_eq(row.text.length, 1 + seen_rows % 7);
        ck_assert_mem_eq(OpprofBatchText(batch, row.text), "operand", row.text.length);
        if (seen_rows == 33) {
            show(batch, &row);
        }
        if (seen_rows == 34) { /* the record as it is when nothing is known */
            Row absent = { .address = OPPROF_NA_U64,
                           .number = OPPROF_NA_U64,
                           .signed_number = OPPROF_NA_I64,
                           .real = OpprofNaF64(),
                           .fixed = 1.0 / 0.0,
                           .core = OPPROF_NA_STRING,
                           .track = OPPROF_NA_U32,
                           .text = { OPPROF_NA_U32, 0 },
                           .small = OPPROF_NA_U32,
                           .signed_small = OPPROF_NA_I32,
                           .tiny = OPPROF_NA_I16 };
            for (uint32_t f = 0; f < OPPROF_COUNT(row_fields); f++) {
                char number[OPPROF_TEXT_NUMBER];
                size_t length = 1;

                ck_assert_ptr_null(
                    OpprofFieldPrint(the_reader, batch, &row_fields[f], &absent, number, &length));
                ck_assert_uint_eq(length, 0);
                ck_assert(OpprofFieldIsText(&row_fields[f]) ||
                          !OpprofFieldNumber(&row_fields[f], &absent, &numbers[f]));
            }
        }
    }
    return OPPROF_OK;
}

#define TURNS 100
static uint32_t part_rows[CORES], part_batches[CORES];
static uint64_t part_watermark[CORES];

/* Rows of two cores in turns, each in a batch of its own, and one that is dropped. */
static OpprofStatus fill_two(void *self, uint32_t port, const OpprofBatch *nothing,
                             OpprofError **error)
{
    OpprofOpenBatch open[CORES];

    (void) port;
    (void) nothing;
    (void) error;
    for (uint32_t core = 0; core < CORES; core++) {
        open[core] = (OpprofOpenBatch){ .stage = self, .partition = core + 1, .most_text = 1000 };
    }
    for (uint32_t i = 0; i < TURNS; i++) {
        for (uint32_t core = 0; core < 2; core++) {
            const Row row = { .number = i, .core = core };

            ck_assert_int_eq(OpprofOpenBatchRoom(&open[core]), OPPROF_OK);
            memcpy(OpprofBatchAppend(open[core].batch), &row, sizeof row);
        }
    }
    ck_assert_int_eq(OpprofOpenBatchRoom(&open[2]), OPPROF_OK);
    OpprofOpenBatchDrop(&open[2]);
    OpprofOpenBatchDrop(NULL);
    ck_assert_int_eq(OpprofOpenBatchPush(&open[2]), OPPROF_OK);
    open[1].watermark = 77;
    ck_assert_int_eq(OpprofOpenBatchPush(&open[0]), OPPROF_OK);
    ck_assert_int_eq(OpprofOpenBatchPush(&open[1]), OPPROF_OK);
    ck_assert_ptr_null(open[0].batch);
    return OPPROF_END;
}

static OpprofStatus consume_parts(void *self, uint32_t port, const OpprofBatch *batch,
                                  OpprofError **error)
{
    const uint32_t core = batch->partition - 1;

    (void) self;
    (void) port;
    (void) error;
    ck_assert_uint_lt(core, CORES);
    for (uint32_t i = 0; i < batch->count; i++) {
        const Row *row = OpprofBatchRecord(batch, i);

        ck_assert_uint_eq(row->number, part_rows[core]++);
        ck_assert_uint_eq(row->core, core);
    }
    part_batches[core]++;
    part_watermark[core] = batch->watermark;
    return OPPROF_OK;
}

static OpprofStatus remember_reader(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    the_reader = stage;
    return remember(stage, ret_self, error);
}

static const OpprofPort outputs[] = {
    { .name = "rows", .record_type = &row_type, .batch_records = 64, .summary = "Rows." }
};
static const OpprofPort inputs[] = { { .name = "rows", .type = "test.row", .summary = "Rows." } };
static const OpprofPluginOps source_ops = { .struct_size = sizeof source_ops,
                                            .create = remember,
                                            .process = produce };
static const OpprofPluginOps reader_ops = { .struct_size = sizeof reader_ops,
                                            .create = remember_reader,
                                            .process = consume };
static const OpprofPluginOps two_ops = { .struct_size = sizeof two_ops,
                                         .create = remember,
                                         .process = fill_two };
static const OpprofPluginOps parts_ops = { .struct_size = sizeof parts_ops,
                                           .create = remember_reader,
                                           .process = consume_parts };

#define PLUGIN(its_kind, its_name, ...)                                                            \
    {                                                                                              \
        .struct_size = sizeof(OpprofPlugin), .abi_major = OPPROF_ABI_MAJOR,                        \
        .abi_minor = OPPROF_ABI_MINOR, .name = (its_name), .version = "1",                         \
        .license = "Apache-2.0", .summary = "A test.", .kind = (its_kind), __VA_ARGS__             \
    }
static const OpprofPlugin source =
    PLUGIN(OPPROF_COLLECTOR, "rows", .outputs = outputs, .output_count = 1, .ops = &source_ops);
static const OpprofPlugin reader =
    PLUGIN(OPPROF_EXPORTER, "reader", .inputs = inputs, .input_count = 1, .ops = &reader_ops);
static const OpprofPlugin two =
    PLUGIN(OPPROF_COLLECTOR, "two", .outputs = outputs, .output_count = 1, .ops = &two_ops);
static const OpprofPlugin parts =
    PLUGIN(OPPROF_EXPORTER, "parts", .inputs = inputs, .input_count = 1, .ops = &parts_ops);

static OpprofRunOutcome run(const OpprofPlugin *from, const OpprofPlugin *to)
{
    char directory[] = "/tmp/opprof-append-XXXXXX";
    char command[100];
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    OpprofRunReport report = { 0 };
    OpprofRunOutcome outcome;

    seen_rows = seen_batches = 0;
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    ck_assert_ptr_nonnull(mkdtemp(directory));
    ck_assert_int_eq(OpprofPipelineSetOutput(pipeline, directory, true, NULL), OPPROF_OK);
    ck_assert_int_eq(AddPluginDescriptor(pipeline, "source", from, NULL, NULL), OPPROF_OK);
    ck_assert_int_eq(AddPluginDescriptor(pipeline, "reader", to, NULL, NULL), OPPROF_OK);
    RunAllPlugins(pipeline, &report, NULL);
    outcome = report.outcome;
    OpprofRunReportFinish(&report);
    OpprofPipelineDestroy(pipeline);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    ck_assert_int_eq(system(command), 0);
    return outcome;
}

START_TEST(all_records_come_in_order_with_their_texts)
{
    ck_assert_int_eq(run(&source, &reader), OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(seen_rows, RECORDS);
    ck_assert_uint_eq(seen_batches, 2 * RECORDS / 100); /* each 100 rows of a core are 64 and 36 */
    ck_assert_uint_ne(seen_clock, 0);
}
END_TEST

START_TEST(a_stage_fills_several_batches_of_a_port_at_once)
{
    ck_assert_int_eq(run(&two, &parts), OPPROF_RUN_COMPLETE);
    for (uint32_t core = 0; core < CORES; core++) {
        ck_assert_uint_eq(part_rows[core], core < 2 ? TURNS : 0);
        ck_assert_uint_eq(part_batches[core], core < 2 ? 2 : 0); /* 64 and 36 rows */
        ck_assert_uint_eq(part_watermark[core], core == 1 ? 77 : 0);
    }
}
END_TEST

START_TEST(records_before_a_failure_are_not_lost)
{
    fails = true;
    ck_assert_int_eq(run(&source, &reader), OPPROF_RUN_FAILED);
    fails = false;
    ck_assert_uint_eq(seen_rows, FAIL_AFTER);
}
END_TEST

START_TEST(every_kind_of_field_has_one_text)
{
    static const char *const expected[] = {
        "0x21", "33", "-33", "4.125", "33.00", "core0", "doc chip core0", "operan", "33", "-33", "7"
    };
    static const double values[] = { 33, 33, -33, 4.125, 33, 0, 0, 0, 33, -33, 7 };

    ck_assert_int_eq(run(&source, &reader), OPPROF_RUN_COMPLETE);
    for (uint32_t f = 0; f < OPPROF_COUNT(row_fields); f++) {
        ck_assert_str_eq(shown[f], expected[f]);
        ck_assert_double_eq(numbers[f], values[f]);
    }
    ck_assert_ptr_eq(OpprofFieldFind(&row_type, "real,fixed", 4), &row_fields[3]);
    ck_assert_ptr_null(OpprofFieldFind(&row_type, "realer", 6));
    ck_assert_str_eq(OpprofFieldHeading(&row_fields[5]), "Core");
    ck_assert_str_eq(OpprofFieldHeading(&row_fields[4]), "fixed");
    ck_assert_double_eq(OpprofUnitTime("ms"), 1000);
    ck_assert_double_lt(OpprofUnitTime("cycles"), 0);
    ck_assert_double_eq(OpprofUnitTime("byte"), 0);
    ck_assert_double_eq(OpprofUnitTime(NULL), 0);
}
END_TEST

START_TEST(types_of_a_table_are_the_same_when_their_fields_are)
{
    OpprofField fields[OPPROF_COUNT(row_fields)];
    OpprofRecordType other = row_type;

    memcpy(fields, row_fields, sizeof fields);
    other.fields = fields;
    ck_assert(OpprofRecordTypeIsSame(&row_type, &row_type));
    ck_assert(OpprofRecordTypeIsSame(&row_type, &other));
    fields[5].heading = "Unit";
    ck_assert(!OpprofRecordTypeIsSame(&row_type, &other));
    fields[5] = row_fields[5];
    fields[1].kind = OPPROF_FIELD_I64;
    ck_assert(!OpprofRecordTypeIsSame(&row_type, &other));
    fields[1] = row_fields[1];
    other.field_count--;
    ck_assert(!OpprofRecordTypeIsSame(&row_type, &other));
    ck_assert(!OpprofRecordTypeIsSame(&other, &row_type));
    other.field_count++;
    fields[OPPROF_COUNT(fields) - 1].flags |= OPPROF_FIELD_HIDDEN;
    OpprofRecordType shorter = other;
    shorter.field_count--;
    ck_assert(OpprofRecordTypeIsSame(&shorter, &other));
    ck_assert(OpprofRecordTypeIsSame(&other, &shorter));
    other = (OpprofRecordType){ .name = "test.other",
                                .fields = fields,
                                .field_count = OPPROF_COUNT(fields) };
    ck_assert(!OpprofRecordTypeIsSame(&row_type, &other));
}
END_TEST

static Suite *append_suite(void)
{
    Suite *suite = suite_create("append");
    TCase *cases = tcase_create("append");

    tcase_add_test(cases, all_records_come_in_order_with_their_texts);
    tcase_add_test(cases, a_stage_fills_several_batches_of_a_port_at_once);
    tcase_add_test(cases, records_before_a_failure_are_not_lost);
    tcase_add_test(cases, every_kind_of_field_has_one_text);
    tcase_add_test(cases, types_of_a_table_are_the_same_when_their_fields_are);
    suite_add_tcase(suite, cases);
    return suite;
}
TEST_SUITE(append_suite)
