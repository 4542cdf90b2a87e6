/* SPDX-License-Identifier: Apache-2.0 */
/* Each contract of the core's functions is broken once, see broken_contract.h. */
#include "broken_contract.h"
#include "tests/core/suites.h"

#include <pthread.h>

static const OpprofRecordType other =
    OPPROF_RECORD_TYPE(Record, 1, "test.other", "A value.", 0, fields, NULL, NULL);

static void typing_error(const Site *site)
{
    OpprofParamsInt(site->params, "cuont");
}
static void wrong_type(const Site *site)
{
    OpprofParamsString(site->params, "count");
}
static void no_params(const Site *site)
{
    (void) site;
    OpprofParamsIsSet(NULL, "count");
}
static void no_param_name(const Site *site)
{
    OpprofParamsBool(site->params, NULL);
}
static void no_stage(const Site *site)
{
    (void) site;
    OpprofStageId(NULL);
}
static void far_port(const Site *site)
{
    OpprofStageHasReader(site->stage, 7);
}
static void early_batch(const Site *site)
{
    OpprofStageNewBatch(site->stage, 0);
}
static void no_message(const Site *site)
{
    const char *volatile nothing = NULL;
    const char *format = nothing; /* out of the compiler's sight */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    OpprofStageWarn(site->stage, format);
#pragma GCC diagnostic pop
}
static void no_count_name(const Site *site)
{
    OpprofStageCount(site->stage, NULL, 1);
}
static void no_text(const Site *site)
{
    OpprofStageIntern(site->stage, NULL, 3);
}
static void no_clock(const Site *site)
{
    OpprofStageClock(site->stage, NULL);
}
static void no_track(const Site *site)
{
    OpprofStageTrack(site->stage, NULL);
}
static void no_record(const Site *site)
{
    OpprofStageAppend(site->stage, 0, 0, NULL);
}

static OpprofBatch *batch_of(const Site *site)
{
    OpprofBatch *batch = OpprofStageNewBatch(site->stage, 0);

    *(Record *) OpprofBatchAppend(batch) = (Record){ 1 };
    return batch;
}

static void push_in_start(const Site *site)
{
    OpprofStagePush(site->stage, 0, batch_of(site));
}
static void append_in_stop(const Site *site)
{
    OpprofStageAppend(site->stage, 0, 0, &(Record){ 1 });
}
static void foreign_type(const Site *site)
{
    OpprofBatchPool *pool = OpprofBatchPoolCreate(&other, 4, 0);
    OpprofBatch *batch = OpprofBatchPoolTake(pool);

    *(Record *) OpprofBatchAppend(batch) = (Record){ 1 };
    OpprofStagePush(site->stage, 0, batch);
}
static void pushed_twice(const Site *site)
{
    OpprofBatch *batch = batch_of(site);

    OpprofBatchRef(batch);
    OpprofStagePush(site->stage, 0, batch);
    OpprofStagePush(site->stage, 0, batch);
}
static void no_sentence(const Site *site)
{
    OpprofStageAdvise(site->stage, 0, 0, &(OpprofAdviceText){ .topic = "topic" });
}
static void odd_severity(const Site *site)
{
    const OpprofAdviceText advice = { .severity = 3, .topic = "topic", .sentence = "sentence" };

    OpprofStageAdvise(site->stage, 0, 0, &advice);
}
static void no_batch(const Site *site)
{
    (void) site;
    OpprofBatchRef(NULL);
}
static void given_back_twice(const Site *site)
{
    OpprofBatch *batch = batch_of(site);

    OpprofBatchUnref(batch);
    OpprofBatchUnref(batch);
}
/* Taken by a thread that is not the stage's, so that the stage does not hold it. */
static void *take_elsewhere(void *pool)
{
    return OpprofBatchPoolTake(pool);
}
static void foreign_batch(const Site *site)
{
    OpprofBatchPool *pool = OpprofBatchPoolCreate(&type, 1, 0);
    pthread_t thread;
    void *batch = NULL;

    (void) site;
    ck_assert_int_eq(pthread_create(&thread, NULL, take_elsewhere, pool), 0);
    pthread_join(thread, &batch);
    OpprofBatchUnref(batch);
}
static void shared_batch(const Site *site)
{
    OpprofBatch *batch = OpprofBatchRef(batch_of(site));

    OpprofBatchReserveText(batch, 3);
}
static void no_batch_text(const Site *site)
{
    OpprofText text;

    OpprofBatchAppendText(batch_of(site), NULL, 3, &text);
}
static void no_pool(const Site *site)
{
    (void) site;
    OpprofBatchPoolTake(NULL);
}

static OpprofOutputFile *file_of(const Site *site)
{
    OpprofOutputFile *file = NULL;

    OpprofOutputFileCreate(OpprofStageOutput(site->stage), "file", &file, NULL);
    return file;
}

static void no_file(const Site *site)
{
    (void) site;
    OpprofOutputFileOffset(NULL);
}
static void no_file_data(const Site *site)
{
    OpprofOutputFileWrite(file_of(site), NULL, 3, NULL);
}
static void closed_source(const Site *site)
{
    OpprofOutputFileCopyOpen(file_of(site), -1, "it", 0, 1, NULL);
}
static void no_output(const Site *site)
{
    OpprofOutputFile *file;

    (void) site;
    OpprofOutputFileCreate(NULL, "file", &file, NULL);
}
static void no_output_name(const Site *site)
{
    OpprofOutputFile *file;

    OpprofOutputFileCreate(OpprofStageOutput(site->stage), NULL, &file, NULL);
}
static void too_much_committed(const Site *site)
{
    OpprofOutputFile *file = file_of(site);

    OpprofOutputFileReserve(file, 3);
    OpprofOutputFileCommit(file, 1u << 30);
}
static void patch_of_the_future(const Site *site)
{
    OpprofOutputFilePatch(file_of(site), 1, "a", 1, NULL);
}

static void no_error_format(const Site *site)
{
    const char *volatile nothing = NULL;
    const char *format = nothing; /* out of the compiler's sight */
    OpprofError *error = NULL;

    (void) site;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    OpprofErrorSet(&error, OPPROF_E_DATA, format);
#pragma GCC diagnostic pop
}
static void no_log_format(const Site *site)
{
    const char *volatile nothing = NULL;
    const char *format = nothing;

    (void) site;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    OpprofLog(OPPROF_LOG_ERROR, "careless", format);
#pragma GCC diagnostic pop
}

/* A mistake that is one call. `site` has what it may need. */
#define MISTAKE(name, call)                                                                        \
    static void name(const Site *site)                                                             \
    {                                                                                              \
        (void) site;                                                                               \
        call;                                                                                      \
    }

MISTAKE(clock_given, OpprofClockDuration(NULL, 1))
MISTAKE(grow_array, OpprofGrow(NULL, NULL, 1, 1))
MISTAKE(library_given, OpprofLibraryLoad("libm.so.6", NULL, NULL, NULL))
MISTAKE(intern_given, OpprofInternCount(NULL))
MISTAKE(intern_limits, OpprofInternCreate(1, NULL))
MISTAKE(json_name_given, OpprofJsonIsComment(NULL))
MISTAKE(json_text_given, OpprofJsonValue(NULL, 3, 0))
MISTAKE(json_result_given, OpprofJsonLoad("file", NULL, NULL))
MISTAKE(map_given, OpprofMapPut(NULL, 1, 1))
MISTAKE(map_text_given, OpprofTextMapFind(&(OpprofTextMap){ 0 }, NULL, 3))
MISTAKE(text_given, OpprofTextTame(NULL, false))
MISTAKE(stage_result_given, OpprofStageMissing(site->stage, NULL))
MISTAKE(text_next_given, OpprofTextNext("x", 1, NULL))
MISTAKE(stream_given, DataStreamPush(NULL, NULL))
MISTAKE(stream_reader_given, DataStreamPop(NULL, NULL))
MISTAKE(stream_readers_given, OpprofDataStreamPopAny(NULL, 1, NULL, NULL))
MISTAKE(stream_result_given, OpprofDataStreamPopAny(NULL, 0, NULL, NULL))
static void stream_batch_given(const Site *site)
{
    (void) site;
    DataStreamPush(OpprofDataStreamCreate(NULL), NULL);
}
static void stream_one_bell(const Site *site)
{
    OpprofDataStream *stream = OpprofDataStreamCreate(NULL);
    OpprofDataStreamReader *readers[2] = { OpprofDataStreamAttach(stream, NULL),
                                           OpprofDataStreamAttach(stream, NULL) };
    OpprofBatch *batch;
    uint32_t which;

    (void) site;
    OpprofDataStreamPopAny(readers, 2, &which, &batch);
}
MISTAKE(open_batch_given, OpprofOpenBatchRoom(NULL))
MISTAKE(field_given, OpprofFieldHeading(NULL))
MISTAKE(field_type_given, OpprofFieldFind(NULL, "value", 5))
MISTAKE(record_types_given, OpprofRecordTypeIsSame(NULL, NULL))
MISTAKE(field_record_given, OpprofFieldPrint(site->stage, NULL, fields, NULL, NULL, NULL))
MISTAKE(field_number_given, OpprofFieldNumber(fields, NULL, NULL))
MISTAKE(param_given, OpprofParamRangeText(NULL))
MISTAKE(plugin_visit_given, OpprofPluginVisitUsed(NULL, NULL))
MISTAKE(scratch_given, OpprofScratchPath(NULL))
MISTAKE(scratch_result_given, OpprofScratchMake(NULL, NULL, NULL))
MISTAKE(probe_given, OpprofProbePath(NULL))
MISTAKE(probe_file_given, OpprofProbeFile((const OpprofProbe *) site->stage, NULL, 0))

static const Mistake mistakes[] = {
    { "params-name", "OpprofParamsInt", "configure", typing_error },
    { "params-type", "OpprofParamsString", "configure", wrong_type },
    { "params-given", "OpprofParamsIsSet", "process", no_params },
    { "params-name-given", "OpprofParamsBool", "configure", no_param_name },
    { "stage-given", "OpprofStageId", "process", no_stage },
    { "stage-port", "OpprofStageHasReader", "process", far_port },
    { "stage-batch-early", "OpprofStageNewBatch", "configure", early_batch },
    { "stage-push-phase", "OpprofStagePush", "start", push_in_start },
    { "stage-append-phase", "OpprofStageAppend", "stop", append_in_stop },
    { "stage-push-type", "OpprofStagePush", "process", foreign_type },
    { "stage-push-once", "OpprofStagePush", "process", pushed_twice },
    { "stage-message", "OpprofStageWarn", "process", no_message },
    { "stage-count-name", "OpprofStageCount", "process", no_count_name },
    { "stage-text-given", "OpprofStageIntern", "process", no_text },
    { "stage-clock-given", "OpprofStageClock", "create", no_clock },
    { "stage-track-given", "OpprofStageTrack", "process", no_track },
    { "stage-record-given", "OpprofStageAppend", "process", no_record },
    { "stage-advice-given", "OpprofStageAdvise", "process", no_sentence },
    { "stage-advice-severity", "OpprofStageAdvise", "process", odd_severity },
    { "batch-given", "OpprofBatchRef", "process", no_batch },
    { "batch-live", "OpprofBatchUnref", "process", given_back_twice },
    { "batch-held", "OpprofBatchUnref", "process", foreign_batch },
    { "batch-owner", "OpprofBatchReserveText", "process", shared_batch },
    { "batch-text-given", "OpprofBatchAppendText", "process", no_batch_text },
    { "pool-given", "OpprofBatchPoolTake", "process", no_pool },
    { "file-given", "OpprofOutputFileOffset", "process", no_file },
    { "file-data-given", "OpprofOutputFileWrite", "process", no_file_data },
    { "file-source-open", "OpprofOutputFileCopyOpen", "process", closed_source },
    { "output-given", "OpprofOutputFileCreate", "process", no_output },
    { "output-name-given", "OpprofOutputFileCreate", "process", no_output_name },
    { "file-commit-size", "OpprofOutputFileCommit", "process", too_much_committed },
    { "file-patch-range", "OpprofOutputFilePatch", "process", patch_of_the_future },
    { "scratch-given", "OpprofScratchPath", "process", scratch_given },
    { "scratch-result-given", "OpprofScratchMake", "process", scratch_result_given },
    { "error-format", "OpprofErrorSetAt", "process", no_error_format },
    { "log-format", "OpprofLog", "process", no_log_format },
    { "clock-given", "OpprofClockDuration", "process", clock_given },
    { "grow-array", "OpprofGrow", "process", grow_array },
    { "library-given", "OpprofLibraryLoad", "process", library_given },
    { "intern-given", "OpprofInternCount", "process", intern_given },
    { "intern-limits", "OpprofInternCreate", "process", intern_limits },
    { "json-name-given", "OpprofJsonIsComment", "process", json_name_given },
    { "json-text-given", "OpprofJsonValue", "process", json_text_given },
    { "json-result-given", "OpprofJsonLoad", "process", json_result_given },
    { "map-given", "OpprofMapPut", "process", map_given },
    { "map-text-given", "OpprofTextMapFind", "process", map_text_given },
    { "text-given", "OpprofTextTame", "process", text_given },
    { "stage-result-given", "OpprofStageMissing", "process", stage_result_given },
    { "text-next-given", "OpprofTextNext", "process", text_next_given },
    { "stream-given", "DataStreamPush", "process", stream_given },
    { "stream-batch-given", "DataStreamPush", "process", stream_batch_given },
    { "stream-reader-given", "DataStreamPop", "process", stream_reader_given },
    { "stream-readers-given", "OpprofDataStreamPopAny", "process", stream_readers_given },
    { "stream-result-given", "OpprofDataStreamPopAny", "process", stream_result_given },
    { "stream-one-bell", "OpprofDataStreamPopAny", "process", stream_one_bell },
    { "open-batch-given", "OpprofOpenBatchRoom", "process", open_batch_given },
    { "field-given", "OpprofFieldHeading", "process", field_given },
    { "field-type-given", "OpprofFieldFind", "process", field_type_given },
    { "field-number-given", "OpprofFieldNumber", "process", field_number_given },
    { "record-types-given", "OpprofRecordTypeIsSame", "process", record_types_given },
    { "field-record-given", "OpprofFieldPrint", "process", field_record_given },
    { "param-given", "OpprofParamRangeText", "process", param_given },
    { "plugin-visit-given", "OpprofPluginVisitUsed", "process", plugin_visit_given },
    { "probe-given", "OpprofProbePath", "process", probe_given },
    { "probe-file-given", "OpprofProbeFile", "process", probe_file_given },
};

START_TEST(a_broken_contract_aborts_and_names_who_broke_it)
{
    check_broken_contract(&mistakes[_i]);
}
END_TEST

START_TEST(every_contract_is_broken_here)
{
    check_all_are_broken("core", mistakes, OPPROF_COUNT(mistakes));
}
END_TEST

static Suite *require_suite(void)
{
    return contract_suite(a_broken_contract_aborts_and_names_who_broke_it,
                          every_contract_is_broken_here, OPPROF_COUNT(mistakes));
}
TEST_SUITE(require_suite)
