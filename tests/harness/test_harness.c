/* SPDX-License-Identifier: Apache-2.0 */
/* The harness: records in, records out, partitions, limits, failures on purpose, and a clock that
 * is made up. */
#include <opprof/harness.h>
#include <opprof/opprof.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {
    uint64_t value;
    uint32_t name;
    uint32_t reserved;
} Row;

static const OpprofField fields[] = {
    OPPROF_FIELD(Row, name, OPPROF_FIELD_STRING, .meaning = "A name."),
    OPPROF_FIELD(Row, value, OPPROF_FIELD_U64, .meaning = "A value.", .absent = "unknown"),
};
static const OpprofRecordType type =
    OPPROF_RECORD_TYPE(Row, 1, "test.row", "A row.", 0, fields, NULL, NULL);

/* Doubles values; keeps count of what is done to it. */
typedef struct Doubler {
    OpprofStage *stage;
    int64_t factor;
} Doubler;

static unsigned creations, starts, stops, destructions, calls;
static bool hangs;
static _Atomic uint64_t made_up_now;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Doubler *self = calloc(1, sizeof *self);

    (void) error;
    creations++;
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *instance, const OpprofParams *params, OpprofError **error)
{
    (void) error;
    ((Doubler *) instance)->factor = OpprofParamsInt(params, "factor");
    return OPPROF_OK;
}

static OpprofStatus start(void *instance, OpprofError **error)
{
    (void) instance;
    (void) error;
    starts++;
    return OPPROF_OK;
}

static OpprofStatus process(void *instance, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    const Doubler *self = instance;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    (void) error;
    calls++;
    if (hangs) {
        made_up_now += UINT64_C(1000000000000); /* the timeout and all patience are over */
        while (!OpprofStageStopRequested(self->stage)) {
        }
    }
    for (uint32_t i = 0; i < batch->count && status == OPPROF_OK; i++) {
        Row row = *(const Row *) OpprofBatchRecord(batch, i);

        row.value = row.value == OPPROF_NA_U64 ? row.value : row.value * (uint64_t) self->factor;
        status = OpprofStageAppend(self->stage, 0, batch->partition, &row);
    }
    return status;
}

static OpprofStatus stop(void *instance, OpprofError **error)
{
    (void) instance;
    (void) error;
    stops++;
    return OPPROF_OK;
}

static void destroy(void *instance)
{
    destructions++;
    free(instance);
}

static const OpprofPort inputs[] = {
    { .name = "in", .type = "test.row", .record_type = &type, .summary = "Rows." }
};
static const OpprofPort outputs[] = { { .name = "out", .record_type = &type, .summary = "Rows." } };
static const OpprofParam params[] = {
    { .name = "factor", .type = OPPROF_PARAM_INT, .default_value = "2", .summary = "Factor." }
};
static const OpprofPluginOps ops = { .struct_size = sizeof ops,
                                     .create = create,
                                     .configure = configure,
                                     .start = start,
                                     .process = process,
                                     .stop = stop,
                                     .destroy = destroy };
static const OpprofPlugin doubler = { .struct_size = sizeof doubler,
                                      .abi_major = OPPROF_ABI_MAJOR,
                                      .abi_minor = OPPROF_ABI_MINOR,
                                      .name = "doubler",
                                      .version = "1",
                                      .license = "Apache-2.0",
                                      .summary = "Doubles values.",
                                      .kind = OPPROF_ANALYSIS,
                                      .inputs = inputs,
                                      .input_count = 1,
                                      .outputs = outputs,
                                      .output_count = 1,
                                      .params = params,
                                      .param_count = 1,
                                      .ops = &ops };

static OpprofHarness *harness;

static void set_up(void)
{
    creations = starts = stops = destructions = calls = 0;
    hangs = false;
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
}

static void make(const OpprofHarnessOptions *options)
{
    ck_assert_int_eq(OpprofHarnessCreate(&doubler, options, &harness, NULL), OPPROF_OK);
}

static void give(const char *partition, uint64_t first, uint32_t count)
{
    Row rows[16];

    for (uint32_t i = 0; i < count; i++) {
        rows[i] = (Row){ first + i, OpprofHarnessIntern(harness, "x"), 0 };
    }
    rows[count - 1].value = first == 100 ? OPPROF_NA_U64 : rows[count - 1].value;
    ck_assert_int_eq(
        OpprofHarnessGive(
            harness, 0,
            &(OpprofHarnessRecords){ .records = rows, .count = count, .partition = partition },
            NULL),
        OPPROF_OK);
}

START_TEST(what_goes_in_comes_out_as_text)
{
    make(&(OpprofHarnessOptions){ .params_json = "{\"factor\": 3}" });
    give("core0", 1, 2);
    give("core1", 100, 1);
    ck_assert_int_eq(OpprofHarnessRun(harness, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofHarnessReport(harness)->outcome, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(OpprofHarnessCount(harness, 0), 3);
    ck_assert_str_eq(OpprofHarnessLine(harness, 0, 0), "name=x\tvalue=3");
    ck_assert_str_eq(OpprofHarnessLine(harness, 0, 1), "name=x\tvalue=6");
    ck_assert_str_eq(OpprofHarnessLine(harness, 0, 2), "name=x");
    ck_assert_str_eq(OpprofHarnessPartition(harness, 0, 0), "core0");
    ck_assert_str_eq(OpprofHarnessPartition(harness, 0, 2), "core1");
    ck_assert_ptr_null(OpprofHarnessLine(harness, 0, 3));
    ck_assert_uint_eq(OpprofHarnessDestroy(harness), 0);
}
END_TEST

START_TEST(batches_are_as_small_as_wanted_and_partitions_come_in_either_order)
{
    make(&(OpprofHarnessOptions){ .batch_records = 2,
                                  .flags = OPPROF_HARNESS_REVERSED | OPPROF_HARNESS_READ_ONLY });
    give("a", 1, 5);
    give("b", 11, 2);
    ck_assert_int_eq(OpprofHarnessRun(harness, NULL), OPPROF_OK);
    ck_assert_uint_eq(calls, 4);
    ck_assert_str_eq(OpprofHarnessPartition(harness, 0, 0), "b");
    ck_assert_str_eq(OpprofHarnessLine(harness, 0, 0), "name=x\tvalue=22");
    ck_assert_str_eq(OpprofHarnessLine(harness, 0, 6), "name=x\tvalue=10");
    ck_assert_uint_eq(OpprofHarnessDestroy(harness), 0);
}
END_TEST

START_TEST(parameters_that_are_refused_say_why)
{
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofHarnessCreate(&doubler,
                                         &(OpprofHarnessOptions){ .params_json = "{\"facto\": 1}" },
                                         &harness, &error),
                     OPPROF_E_ARGUMENT);
    ck_assert_ptr_null(harness);
    char *text = OpprofErrorText(error, false);
    ck_assert_ptr_nonnull(strstr(text, "factor"));
    free(text);
    OpprofErrorDestroy(error);
    ck_assert_uint_eq(creations, destructions);
}
END_TEST

START_TEST(each_failure_is_unwound)
{
    static const struct {
        uint32_t failure;
        unsigned starts, stops;
    } wanted[] = { { OPPROF_HARNESS_FAIL_START, 0, 0 }, { OPPROF_HARNESS_FAIL_NEIGHBOUR, 1, 1 } };

    for (size_t i = 0; i < 2; i++) {
        set_up();
        make(&(OpprofHarnessOptions){ .failure = wanted[i].failure });
        give("a", 1, 5);
        ck_assert_int_eq(OpprofHarnessRun(harness, NULL), OPPROF_E_IO);
        ck_assert_uint_eq(OpprofHarnessDestroy(harness), 0);
        ck_assert_uint_eq(starts, wanted[i].starts);
        ck_assert_uint_eq(stops, wanted[i].stops);
        ck_assert_uint_eq(destructions, 1);
        ck_assert_uint_eq(calls, 0);
    }
    set_up();
    ck_assert_int_eq(
        OpprofHarnessCreate(&doubler,
                            &(OpprofHarnessOptions){ .failure = OPPROF_HARNESS_FAIL_CONFIGURE },
                            &harness, NULL),
        OPPROF_E_ARGUMENT);
    ck_assert_uint_eq(creations, 1);
    ck_assert_uint_eq(destructions, 1);
}
END_TEST

START_TEST(an_input_that_fails_and_an_abort_end_the_run)
{
    make(&(OpprofHarnessOptions){ .failure = OPPROF_HARNESS_FAIL_INPUT, .batch_records = 1 });
    give("a", 1, 10);
    ck_assert_int_eq(OpprofHarnessRun(harness, NULL), OPPROF_E_DATA);
    ck_assert_uint_eq(OpprofHarnessCount(harness, 0), 5);
    OpprofHarnessDestroy(harness);
    make(&(OpprofHarnessOptions){
        .failure = OPPROF_HARNESS_FAIL_ABORT, .batch_records = 1, .queue_batches = 1 });
    give("a", 1, 10);
    OpprofHarnessRun(harness, NULL);
    ck_assert_int_eq(OpprofHarnessReport(harness)->outcome, OPPROF_RUN_ABORTED);
    OpprofHarnessDestroy(harness);
}
END_TEST

static uint64_t now(void)
{
    return made_up_now;
}

START_TEST(time_is_what_the_test_says)
{
    made_up_now = 1;
    hangs = true;
    make(&(OpprofHarnessOptions){
        .timeout_s = 100, .now = now, .batch_records = 1, .queue_batches = 1 });
    give("a", 1, 10);
    OpprofHarnessRun(harness, NULL);
    ck_assert_ptr_nonnull(OpprofHarnessReport(harness)->reason);
    ck_assert_ptr_nonnull(strstr(OpprofHarnessReport(harness)->reason, "the timeout was reached"));
    OpprofHarnessDestroy(harness);
}
END_TEST

START_TEST(a_type_that_nobody_knows_is_asked_for)
{
    static const OpprofPort strange[] = {
        { .name = "in", .type = "test.strange", .summary = "?" }
    };
    OpprofPlugin plugin = doubler;
    OpprofError *error = NULL;

    plugin.inputs = strange;
    ck_assert_int_eq(OpprofHarnessCreate(&plugin, NULL, &harness, &error), OPPROF_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "'test.strange' of input 'in'"));
    OpprofErrorDestroy(error);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("harness");
    TCase *tcase = tcase_create("harness");
    SRunner *runner;
    int failures;

    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_test(tcase, what_goes_in_comes_out_as_text);
    tcase_add_test(tcase, batches_are_as_small_as_wanted_and_partitions_come_in_either_order);
    tcase_add_test(tcase, parameters_that_are_refused_say_why);
    tcase_add_test(tcase, each_failure_is_unwound);
    tcase_add_test(tcase, an_input_that_fails_and_an_abort_end_the_run);
    tcase_add_test(tcase, time_is_what_the_test_says);
    tcase_add_test(tcase, a_type_that_nobody_knows_is_asked_for);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failures == 0 ? 0 : 1;
}
