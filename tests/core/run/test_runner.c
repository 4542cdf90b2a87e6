/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/run/runner.c. */
#include "run/pipeline.h"
#include "run/stage_run.h"
#include "tests/core/base/failing_alloc.h"
#include "tests/core/run/fixtures.h"
#include "tests/core/suites.h"

#include <check.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[256];
static OpprofPipeline *pipeline;
static OpprofRunReport report;
static OpprofError *error;

static void setup(void)
{
    const char *parent = getenv("TMPDIR");

    snprintf(directory, sizeof directory, "%s/opprof-runner-XXXXXX", parent ? parent : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    SeenReset();
    pipeline = OpprofPipelineCreate();
    ck_assert_ptr_nonnull(pipeline);
    ck_assert_int_eq(OpprofPipelineSetOutput(pipeline, directory, true, NULL), OPPROF_OK);
    report = (OpprofRunReport){ 0 };
    error = NULL;
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
}

static void teardown(void)
{
    char command[400];

    OpprofRunReportFinish(&report);
    OpprofErrorDestroy(error);
    OpprofPipelineDestroy(pipeline);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    ck_assert_int_eq(system(command), 0);
}

static void add(const char *id, const OpprofPlugin *plugin, const char *params)
{
    OpprofStatus status = AddPluginDescriptor(pipeline, id, plugin, params, &error);

    ck_assert_msg(status == OPPROF_OK, "%s", OpprofErrorMessage(error));
}

/* Instances inside of their plugins. */
static unsigned count_at_work(void)
{
    unsigned count = 0;

    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        for (uint32_t i = 0; i < pipeline->nodes[n]->instance_count; i++) {
            StageActivity activity = atomic_load(&pipeline->nodes[n]->instances[i]->activity);

            count += activity != STAGE_IDLE && activity != STAGE_WAITING_INPUT &&
                     activity != STAGE_WAITING_ROOM && activity != STAGE_ENDED;
        }
    }
    return count;
}

static uint64_t test_time;

static void pass_a_second(void)
{
    const uint64_t one = 1;

    test_time += 1000000000;
    ck_assert_int_eq(write(pipeline->wake.fd, &one, sizeof one), sizeof one);
}

/* A clock that goes on only while a plugin is stuck, until it is given up, and no other has
 * anything to do. */
static uint64_t now_while_stuck(void)
{
    if (atomic_load(&seen.inside) != 0 && atomic_load(&seen.release) == 0 &&
        pipeline->given_up == 0 && count_at_work() <= 1) {
        pass_a_second();
    }
    return test_time;
}

/* The same, up to the timeout; then the program itself is stopped for long, and the plugin goes on
 * some looks later. */
static uint64_t now_with_a_gap(void)
{
    static int looks; /* [main] */

    if (!atomic_load(&pipeline->run.stop_requested)) {
        looks = 0;
        return now_while_stuck();
    }
    looks++;
    if (looks == 1) {
        test_time += UINT64_C(1000000000000);
    }
    if (looks == 5) {
        atomic_store(&seen.release, 1);
    }
    return test_time;
}

/* The same, up to the timeout. */
static uint64_t now_until_timeout(void)
{
    return atomic_load(&pipeline->run.stop_requested) ? test_time : now_while_stuck();
}

/* One that goes on once records have arrived, up to the timeout. */
static uint64_t now_while_consuming(void)
{
    if (atomic_load(&seen.consumed) > 0 && !atomic_load(&pipeline->run.stop_requested)) {
        pass_a_second();
    }
    return test_time;
}

static void set_clock(uint64_t (*now)(void))
{
    test_time = 1;
    pipeline->now = now;
}

static OpprofStatus run(void)
{
    return RunAllPlugins(pipeline, &report, &error);
}

static json_t *read_record(void)
{
    char path[400];
    json_t *root;

    snprintf(path, sizeof path, "%s/run.json", directory);
    root = json_load_file(path, 0, NULL);
    ck_assert_ptr_nonnull(root);
    return root;
}

static const OpprofStageReport *stage(const char *id)
{
    for (size_t i = 0; i < report.stage_count; i++) {
        if (strcmp(report.stages[i].id, id) == 0) {
            return &report.stages[i];
        }
    }
    ck_abort_msg("no stage %s in the report", id);
}

START_TEST(every_record_reaches_the_end_of_a_chain)
{
    json_t *record;

    add("a", &numbers_plugin, "{\"count\": 100000}");
    add("b", &double_plugin, NULL);
    add("c", &sum_plugin, NULL);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_COMPLETE);
    ck_assert_ptr_null(report.reason);
    ck_assert_uint_eq(seen.sum, UINT64_C(99999) * 100000);
    ck_assert_uint_eq(stage("a")->records_out, 100000);
    ck_assert_uint_eq(stage("b")->records_in, 100000);
    ck_assert_uint_eq(stage("c")->records_in, 100000);
    ck_assert_uint_eq(seen.flushes, 3);
    ck_assert_uint_eq(seen.stops, 3);
    ck_assert_uint_eq(seen.open_to_signals, 0);
    record = read_record();
    ck_assert_str_eq(json_string_value(json_object_get(record, "outcome")), "complete");
    ck_assert(json_is_false(json_object_get(record, "cut")));
    ck_assert_uint_eq(json_array_size(json_object_get(record, "links")), 2);
    json_decref(record);
}
END_TEST

START_TEST(a_diamond_sees_every_record_on_both_ways)
{
    add("a", &numbers_plugin, "{\"count\": 50000}");
    add("b", &double_plugin, NULL);
    add("c", &sum_plugin, NULL);
    ck_assert_int_eq(OpprofPipelineLink(pipeline, "a", "b", &error), OPPROF_OK);
    ck_assert_int_eq(OpprofPipelineLink(pipeline, "a", "c", &error), OPPROF_OK);
    ck_assert_int_eq(OpprofPipelineLink(pipeline, "b", "c", &error), OPPROF_OK);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_uint_eq(seen.consumed, 100000);
    ck_assert_uint_eq(seen.sum, UINT64_C(3) * 49999 * 50000 / 2);
}
END_TEST

START_TEST(partitions_stay_whole_and_in_order)
{
    add("a", &numbers_plugin, "{\"count\": 200000, \"partitions\": 7}");
    add("b", &spread_plugin, NULL);
    add("c", &sum_plugin, NULL);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_uint_eq(seen.consumed, 200000);
    ck_assert_uint_eq(seen.out_of_order, 0);
    ck_assert_uint_eq(seen.sum, UINT64_C(199999) * 200000 / 2);
}
END_TEST

START_TEST(parallel_collectors_end_the_stream_together)
{
    add("a", &many_plugin, "{\"count\": 200000}");
    add("c", &sum_plugin, NULL);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_uint_eq(seen.consumed, 200000);
    ck_assert_uint_eq(seen.sum, UINT64_C(199999) * 200000 / 2);
}
END_TEST

START_TEST(a_failing_collector_keeps_what_was_read)
{
    json_t *record;

    add("a", &numbers_plugin, "{\"count\": 100000, \"fail_at\": 5000}");
    add("c", &sum_plugin, "{\"file\": \"sum.txt\"}");
    ck_assert_int_eq(run(), OPPROF_E_DATA);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_FAILED);
    ck_assert_uint_eq(seen.consumed, 5000);
    ck_assert_ptr_nonnull(strstr(report.reason, "Stage 'a' (numbers 1.0) failed"));
    ck_assert_ptr_nonnull(strstr(report.reason, "Told to fail at 5000"));
    ck_assert(stage("a")->failed);
    record = read_record();
    ck_assert_str_eq(json_string_value(json_object_get(record, "outcome")), "failed");
    json_decref(record);
}
END_TEST

START_TEST(a_failing_analysis_is_detached_and_the_rest_ends)
{
    add("a", &numbers_plugin, "{\"count\": 100000}");
    add("b", &double_plugin, "{\"fail_at\": 700}");
    add("c", &sum_plugin, NULL);
    ck_assert_int_eq(OpprofPipelineLink(pipeline, "a", "b", &error), OPPROF_OK);
    ck_assert_int_eq(OpprofPipelineLink(pipeline, "a", "c", &error), OPPROF_OK);
    ck_assert_int_eq(OpprofPipelineLink(pipeline, "b", "c", &error), OPPROF_OK);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_INCOMPLETE);
    ck_assert_uint_eq(stage("a")->records_out, 100000);
    ck_assert_uint_eq(seen.consumed, 100000 + 700);
    ck_assert(stage("b")->failed);
}
END_TEST

START_TEST(a_failing_exporter_stops_the_run_and_spares_the_other)
{
    add("a", &numbers_plugin, "{\"count\": 100000000}");
    add("c", &sum_plugin, "{\"fail_at\": 700}");
    add("d", &sum_plugin, "{\"file\": \"other.txt\"}");
    ck_assert_int_eq(run(), OPPROF_E_DATA);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_FAILED);
    ck_assert_uint_lt(seen.produced, 100000000);
    ck_assert_uint_eq(stage("d")->records_in, seen.produced);
}
END_TEST

static const char *const failing_calls[] = { "start", "flush", "stop" };

START_TEST(a_failure_in_any_call_ends_cleanly)
{
    char params[64];

    snprintf(params, sizeof params, "{\"fail_in\": \"%s\"}", failing_calls[_i]);
    add("a", &numbers_plugin, NULL);
    add("b", &double_plugin, NULL);
    add("c", &sum_plugin, params);
    ck_assert_int_eq(run(), OPPROF_E_DATA);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "Stage 'c' (sum 1.0) failed"));
    OpprofPipelineDestroy(pipeline);
    ck_assert_uint_ge(seen.destroys, 3);
    pipeline = NULL;
}
END_TEST

START_TEST(a_failing_configure_names_the_stage)
{
    ck_assert_int_eq(
        AddPluginDescriptor(pipeline, "a", &numbers_plugin, "{\"fail_in\": \"configure\"}", &error),
        OPPROF_E_DATA);
    ck_assert_str_eq(OpprofErrorMessage(error), "Stage 'a' (numbers 1.0) failed to be configured");
    ck_assert_uint_eq(pipeline->node_count, 0);
}
END_TEST

/* What calls may not return, and of which stage. */
static const struct {
    const char *stage;
    const char *call;
    const char *status;
    const char *said;
} odd_returns[] = {
    { "a", "process", "closed", "process returned 'closed' (3)" },
    { "a", "process", "seven", "process returned 'unknown status' (7)" },
    { "a", "flush", "end", "flush returned 'end' (1)" },
    { "a", "flush", "closed", "flush returned 'closed' (3)" },
    { "c", "process", "closed", "process returned 'closed' (3)" },
    { "c", "process", "seven", "process returned 'unknown status' (7)" },
    { "c", "flush", "again", "flush returned 'again' (2)" },
    { "c", "start", "end", "start returned 'end' (1)" },
    { "c", "start", "closed", "start returned 'closed' (3)" },
    { "c", "stop", "closed", "stop returned 'closed' (3)" },
    { "c", "configure", "end", "configure returned 'end' (1)" },
    { "c", "configure", "again", "configure returned 'again' (2)" },
    { "c", "configure", "closed", "configure returned 'closed' (3)" },
};

START_TEST(a_status_that_a_call_may_not_return_fails_the_stage)
{
    char params[100];
    const bool is_collector = strcmp(odd_returns[_i].stage, "a") == 0;
    OpprofStatus status;
    char *text;

    snprintf(params, sizeof params,
             "{\"count\": 1000, \"returns\": \"%s\", \"returns_in\": \"%s\"}",
             odd_returns[_i].status, odd_returns[_i].call);
    add("a", &numbers_plugin, is_collector ? params : NULL);
    status = AddPluginDescriptor(pipeline, "c", &sum_plugin, is_collector ? NULL : params, &error);
    if (status == OPPROF_OK) {
        status = run();
    }
    ck_assert_int_eq(status, OPPROF_E_CONTRACT);
    if (report.stage_count > 0) {
        ck_assert_int_eq(report.outcome, OPPROF_RUN_FAILED);
    }
    text = OpprofErrorText(error, false);
    ck_assert_ptr_nonnull(text);
    ck_assert_msg(strstr(text, odd_returns[_i].said) != NULL, "%s", text);
    free(text);
}
END_TEST

/* The call succeeded, so the run goes on, but the error is not lost. */
START_TEST(an_error_left_beside_ok_makes_the_run_incomplete)
{
    char params[100];

    snprintf(params, sizeof params, "{\"returns\": \"ok and an error\", \"returns_in\": \"%s\"}",
             failing_calls[_i]);
    add("a", &numbers_plugin, NULL);
    add("c", &sum_plugin, params);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_ptr_null(error);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_INCOMPLETE);
    ck_assert_msg(strstr(report.reason, "Left behind by") != NULL, "%s", report.reason);
    ck_assert_uint_eq(stage("c")->records_in, 1000);
}
END_TEST

START_TEST(a_consumer_that_ends_or_has_nothing_yet_gets_all_batches)
{
    add("a", &numbers_plugin, NULL);
    add("c", &sum_plugin, _i == 0 ? "{\"returns\": \"end\"}" : "{\"returns\": \"again\"}");
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(stage("c")->records_in, 1000);
}
END_TEST

START_TEST(a_collector_without_records_is_not_complete)
{
    add("a", &numbers_plugin, "{\"count\": 0}");
    add("c", &sum_plugin, "{\"file\": \"sum.txt\"}");
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_INCOMPLETE);
    ck_assert_str_eq(report.reason, "Stage 'a': No records came in, and the stage gave no reason");
}
END_TEST

/* An analysis that also looks at the input, and makes a number of what it sees there. */
static OpprofStatus look_create(OpprofStage *stage, void **ret_self, OpprofError **create_error)
{
    (void) create_error;
    *ret_self = stage;
    return OPPROF_OK;
}

static OpprofStatus look_process(void *self, uint32_t port, const OpprofBatch *batch,
                                 OpprofError **process_error)
{
    (void) self;
    (void) port;
    (void) batch;
    (void) process_error;
    return OPPROF_OK;
}

static OpprofStatus look_flush(void *self, OpprofError **flush_error)
{
    (void) flush_error;
    return OpprofStageAppend(self, 0, OPPROF_NA_STRING, &(Number){ 7, 0 });
}

static void look_destroy(void *self)
{
    (void) self;
}

START_TEST(a_collector_without_records_is_complete_if_another_stage_reads_the_input)
{
    static const OpprofPluginOps ops = { .struct_size = sizeof ops,
                                         .create = look_create,
                                         .process = look_process,
                                         .flush = look_flush,
                                         .destroy = look_destroy };
    static OpprofPlugin look_plugin;

    look_plugin = double_plugin;
    look_plugin.name = "look";
    look_plugin.param_count = 0;
    look_plugin.ops = &ops;
    add("a", &numbers_plugin, "{\"count\": 0}");
    add("b", &look_plugin, NULL);
    add("c", &sum_plugin, NULL);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(atomic_load(&seen.sum), 7);
}
END_TEST

static bool has_note(void)
{
    char path[400];

    snprintf(path, sizeof path, "%s/INCOMPLETE.txt", directory);
    return access(path, F_OK) == 0;
}

/* Whether run.json calls the file a part. */
static bool is_partial(const char *name)
{
    json_t *record = read_record();
    json_t *files = json_object_get(record, "files");
    bool partial = false;
    bool found = false;
    size_t i;
    json_t *file;

    json_array_foreach(files, i, file)
    {
        if (strcmp(json_string_value(json_object_get(file, "path")), name) == 0) {
            found = true;
            partial = json_is_true(json_object_get(file, "partial"));
            ck_assert_int_eq(json_integer_value(json_object_get(file, "bytes")), 4);
        }
    }
    json_decref(record);
    ck_assert(found);
    return partial;
}

START_TEST(files_of_a_complete_run_are_whole)
{
    char path[400];

    snprintf(path, sizeof path, "%s/INCOMPLETE.txt", directory); /* of the run before */
    fclose(fopen(path, "w"));
    add("a", &numbers_plugin, NULL);
    add("c", &sum_plugin, "{\"file\": \"sum.txt\"}");
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert(!is_partial("sum.txt"));
    ck_assert(!has_note());
}
END_TEST

/* The files of readers of what failed are parts, others' are whole. */
START_TEST(files_of_a_run_that_failed_in_part_are_marked)
{
    add("a", &numbers_plugin, "{\"count\": 100000}");
    add("b", &double_plugin, "{\"fail_at\": 700}");
    add("c", &sum_plugin, "{\"file\": \"part.txt\"}");
    add("d", &sum_plugin, "{\"file\": \"dir/whole.txt\"}");
    ck_assert_int_eq(OpprofPipelineLink(pipeline, "a", "b", &error), OPPROF_OK);
    ck_assert_int_eq(OpprofPipelineLink(pipeline, "b", "c", &error), OPPROF_OK);
    ck_assert_int_eq(OpprofPipelineLink(pipeline, "a", "d", &error), OPPROF_OK);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_INCOMPLETE);
    ck_assert(is_partial("part.txt"));
    ck_assert(!is_partial("dir/whole.txt"));
    ck_assert(has_note());
}
END_TEST

START_TEST(a_reason_without_memory_for_its_text_still_counts)
{
    add("a", &numbers_plugin, NULL);
    add("c", &sum_plugin, "{\"file\": \"sum.txt\"}");
    fail_allocation(1);
    OpprofStageIncomplete(pipeline->nodes[1]->instances[0], "half a line at the end");
    ck_assert(has_failed_allocation());
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_INCOMPLETE);
    ck_assert_str_eq(report.reason, "Stage 'c': Cannot keep 1 reason: out of memory");
    ck_assert(is_partial("sum.txt"));
}
END_TEST

START_TEST(partitions_keep_their_instance_when_the_table_cannot_grow)
{
    StageNode *node;
    uint32_t before[300];
    uint32_t known = 0;

    add("a", &numbers_plugin, NULL);
    add("b", &spread_plugin, NULL);
    node = pipeline->nodes[1];
    while (node->instance_count < 3) {
        ck_assert_int_eq(StageNodeAddInstance(node, &error), OPPROF_OK);
    }
    while (known < 300) {
        if (known == 40) {
            fail_allocation(1);
        }
        before[known] = StageNodeRoute(node, 3000 - 7 * known);
        known++;
    }
    ck_assert(has_failed_allocation());
    ck_assert(node->partitions_full);
    for (uint32_t i = 0; i < known; i++) {
        ck_assert_uint_eq(StageNodeRoute(node, 3000 - 7 * i), before[i]);
    }
}
END_TEST

static void *stop_when_inside(void *how_often)
{
    while (atomic_load(&seen.inside) == 0) {
        sched_yield();
    }
    for (int i = 0; i < *(int *) how_often; i++) {
        OpprofPipelineStop(pipeline, "a test");
    }
    atomic_store(&seen.release, 1);
    return NULL;
}

START_TEST(one_stop_drains_and_marks_the_run_cut)
{
    pthread_t thread;
    int once = 1;
    json_t *record;

    add("a", &numbers_plugin, "{\"count\": 1000000000, \"stuck\": true}");
    add("c", &sum_plugin, "{\"file\": \"sum.txt\"}");
    ck_assert_int_eq(pthread_create(&thread, NULL, stop_when_inside, &once), 0);
    ck_assert_int_eq(run(), OPPROF_OK);
    pthread_join(thread, NULL);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_INCOMPLETE);
    ck_assert_uint_eq(seen.consumed, seen.produced);
    ck_assert_uint_eq(seen.flushes, 2);
    ck_assert_str_eq(report.reason, "The run was cut short: a test");
    ck_assert(is_partial("sum.txt"));
    ck_assert(has_note());
    record = read_record();
    ck_assert(json_is_true(json_object_get(record, "cut")));
    json_decref(record);
}
END_TEST

START_TEST(two_stops_abort_without_flush)
{
    pthread_t thread;
    int twice = 2;

    add("a", &numbers_plugin, "{\"count\": 1000000000}");
    add("c", &sum_plugin, "{\"stuck\": true}");
    ck_assert_int_eq(pthread_create(&thread, NULL, stop_when_inside, &twice), 0);
    run();
    pthread_join(thread, NULL);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_ABORTED);
    ck_assert_uint_eq(seen.stops, 2);
}
END_TEST

static void put_in_the_way(const char *name)
{
    char path[400];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    ck_assert_int_eq(mkdir(path, 0700), 0);
}

START_TEST(a_record_that_cannot_be_written_is_told_beside_other_reasons)
{
    put_in_the_way("INCOMPLETE.txt");
    put_in_the_way("run.json");
    add("a", &numbers_plugin, NULL);
    add("c", &sum_plugin, "{\"fail_at\": 3}");
    add("d", &sum_plugin, "{\"file\": \"sum.txt\"}");
    ck_assert_int_eq(run(), OPPROF_E_DATA);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_FAILED);
    ck_assert_ptr_nonnull(strstr(report.reason, "Told to fail at 3"));
    ck_assert_ptr_nonnull(strstr(report.reason, "INCOMPLETE.txt': a directory is in the way"));
    ck_assert_ptr_nonnull(strstr(report.reason, "run.json': a directory is in the way"));
}
END_TEST

/* run.json describes the run even if its note cannot be written. */
START_TEST(a_note_that_cannot_be_written_does_not_keep_the_record)
{
    json_t *record;

    put_in_the_way("INCOMPLETE.txt");
    add("a", &numbers_plugin, NULL);
    add("c", &sum_plugin, "{\"fail_at\": 3}");
    add("d", &sum_plugin, "{\"file\": \"sum.txt\"}");
    ck_assert_int_eq(run(), OPPROF_E_DATA);
    record = read_record();
    ck_assert_str_eq(json_string_value(json_object_get(record, "outcome")), "failed");
    json_decref(record);
    ck_assert_ptr_nonnull(strstr(report.reason, "INCOMPLETE.txt': a directory is in the way"));
}
END_TEST

/* The plugin goes on once the run, which obeys the stops, takes nothing more. */
static void *release_when_aborted(void *unused)
{
    OpprofOutputFile *probe;

    while (atomic_load(&seen.inside) == 0) {
        sched_yield();
    }
    OpprofPipelineStop(pipeline, "a test");
    OpprofPipelineStop(pipeline, "a test");
    ck_assert_int_eq(OpprofOutputFileCreate(pipeline->nodes[0]->output, "probe", &probe, NULL),
                     OPPROF_OK);
    while (OpprofOutputFileWrite(probe, "x", 1, NULL) == OPPROF_OK) {
        sched_yield();
    }
    OpprofOutputFileDiscard(probe);
    atomic_store(&seen.release, 1);
    return unused;
}

START_TEST(an_abort_ends_the_writing_of_files)
{
    pthread_t thread;

    add("a", &numbers_plugin, NULL);
    add("c", &sum_plugin, "{\"stuck_in\": \"write\", \"file\": \"never.txt\"}");
    ck_assert_int_eq(pthread_create(&thread, NULL, release_when_aborted, NULL), 0);
    ck_assert_int_eq(run(), OPPROF_OK);
    pthread_join(thread, NULL);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_ABORTED);
    ck_assert_ptr_nonnull(strstr(report.reason, "never.txt': the run was aborted"));
    ck_assert(!stage("c")->failed);
}
END_TEST

START_TEST(a_timeout_cuts_the_run)
{
    add("a", &numbers_plugin, "{\"count\": 1000000000000}");
    add("c", &sum_plugin, NULL);
    OpprofPipelineSetTimeout(pipeline, 5);
    set_clock(now_while_consuming);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_INCOMPLETE);
    ck_assert_uint_eq(seen.consumed, seen.produced);
    ck_assert_str_eq(report.reason, "The run was cut short: the timeout was reached");
}
END_TEST

/* Stops the run once more when the timeout has stopped it, while the consumer is inside. */
static void *stop_after_timeout(void *unused)
{
    (void) unused;
    while (!atomic_load(&pipeline->run.stop_requested) || atomic_load(&seen.inside) == 0) {
        sched_yield();
    }
    OpprofPipelineStop(pipeline, "a test");
    atomic_store(&seen.release, 1);
    return NULL;
}

START_TEST(a_stop_after_the_timeout_is_the_first_and_does_not_abort)
{
    pthread_t thread;

    add("a", &numbers_plugin, "{\"count\": 1000000000000}");
    add("c", &sum_plugin, "{\"stuck\": true}");
    OpprofPipelineSetTimeout(pipeline, 5);
    set_clock(now_until_timeout);
    ck_assert_int_eq(pthread_create(&thread, NULL, stop_after_timeout, NULL), 0);
    ck_assert_int_eq(run(), OPPROF_OK);
    pthread_join(thread, NULL);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_INCOMPLETE);
    ck_assert_uint_eq(seen.consumed, seen.produced);
    ck_assert_str_eq(report.reason, "The run was cut short: the timeout was reached");
}
END_TEST

/* What it holds up is written by the others; only the pipeline cannot be freed. */
START_TEST(a_stage_that_hangs_is_given_up_after_the_timeout)
{
    json_t *record;

    add("a", &numbers_plugin,
        _i == 0 ? "{\"count\": 1000000000000}" : "{\"count\": 100, \"stuck\": true}");
    add("c", &sum_plugin, _i == 0 ? "{\"stuck\": true, \"file\": \"never.txt\"}" : NULL);
    add("d", &sum_plugin, "{\"file\": \"sum.txt\"}");
    OpprofPipelineSetTimeout(pipeline, 5);
    set_clock(now_while_stuck);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_FAILED);
    ck_assert_uint_eq(report.hanging, 1);
    ck_assert_msg(strstr(report.reason, _i == 0
                                            ? "Stage 'c': sum 1.0 did not come back from process"
                                            : "Stage 'a': numbers 1.0 did not come back from "
                                              "process") != NULL,
                  "%s", report.reason);
    ck_assert(is_partial("sum.txt"));
    record = read_record();
    ck_assert(json_is_true(json_object_get(record, "cut")));
    json_decref(record);
    atomic_store(&seen.release, 1);
}
END_TEST

/* Nothing has been read yet, so there is nothing to write. */
START_TEST(a_start_that_hangs_ends_the_run)
{
    add("a", &numbers_plugin, NULL);
    add("c", &sum_plugin, "{\"stuck_in\": \"start\"}");
    OpprofPipelineSetTimeout(pipeline, 5);
    set_clock(now_while_stuck);
    ck_assert_int_eq(run(), OPPROF_E_CRASH);
    ck_assert_str_eq(OpprofErrorMessage(error),
                     "Stage 'c': sum 1.0 did not come back from start after the timeout, and was "
                     "given up");
    ck_assert_uint_ge(test_time / 1000000000, 15);
    ck_assert_uint_eq(seen.produced, 0);
    atomic_store(&seen.release, 1);
}
END_TEST

/* As by Ctrl+Z: nobody could show a sign of life. */
START_TEST(nobody_is_given_up_because_the_program_was_stopped)
{
    static const char *const calls[] = { "start", "process", "write", "stop" };
    char params[64];

    snprintf(params, sizeof params, "{\"stuck_in\": \"%s\", \"stuck\": %s, \"file\": \"sum.txt\"}",
             calls[_i], strcmp(calls[_i], "process") == 0 ? "true" : "false");
    add("a", &numbers_plugin, "{\"count\": 100}");
    add("c", &sum_plugin, params);
    OpprofPipelineSetTimeout(pipeline, 5);
    set_clock(now_with_a_gap);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_uint_gt(test_time, UINT64_C(1000000000000));
    ck_assert_uint_eq(report.hanging, 0);
    ck_assert_int_ne(report.outcome, OPPROF_RUN_FAILED);
}
END_TEST

/* All files are written by then, and the others stop. */
START_TEST(a_stop_that_hangs_is_given_up)
{
    add("a", &numbers_plugin, "{\"stuck_in\": \"stop\"}");
    add("c", &sum_plugin, "{\"file\": \"sum.txt\"}");
    OpprofPipelineSetTimeout(pipeline, 5);
    set_clock(now_while_stuck);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_FAILED);
    ck_assert_uint_eq(report.hanging, 1);
    ck_assert_ptr_nonnull(strstr(report.reason, "Stage 'a': numbers 1.0 did not come back from "
                                                "stop"));
    ck_assert_uint_eq(seen.consumed, 1000);
    ck_assert_uint_eq(seen.stops, 2);
    atomic_store(&seen.release, 1);
}
END_TEST

/* There is no run yet: the timeout counts from the call. The stage is not added. */
START_TEST(a_configure_that_hangs_is_given_up)
{
    OpprofPipelineSetTimeout(pipeline, 5);
    set_clock(now_while_stuck);
    add("a", &numbers_plugin, NULL);
    ck_assert_int_eq(
        AddPluginDescriptor(pipeline, "c", &sum_plugin, "{\"stuck_in\": \"configure\"}", &error),
        OPPROF_E_CRASH);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "did not come back from configure"));
    ck_assert_uint_eq(pipeline->node_count, 1);
    atomic_store(&seen.release, 1);
}
END_TEST

START_TEST(a_destroy_that_hangs_is_given_up)
{
    OpprofPipeline *own = pipeline;

    add("a", &numbers_plugin, "{\"stuck_in\": \"destroy\"}");
    add("c", &sum_plugin, NULL);
    OpprofPipelineSetTimeout(pipeline, 5);
    set_clock(now_while_stuck);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_int_eq(report.outcome, OPPROF_RUN_COMPLETE);
    OpprofPipelineDestroy(pipeline);
    ck_assert_uint_eq(own->given_up, 1);
    ck_assert_uint_eq(seen.destroys, 1);
    atomic_store(&seen.release, 1);
    pipeline = NULL;
}
END_TEST

static char watchdog_line[512];

/* On a busy machine the watchdog may also report the collector, which waits for its turn. */
static void keep_line(void *context, OpprofLogLevel level, const char *line)
{
    (void) context;
    (void) level;
    if (strstr(line, "sum 1.0") != NULL) {
        snprintf(watchdog_line, sizeof watchdog_line, "%s", line);
        atomic_store(&seen.release, 1);
    }
}

/* The collector is full soon after; what is stuck is let go when that was told. */
static void keep_full_link(void *context, OpprofLogLevel level, const char *line)
{
    (void) context;
    (void) level;
    if (strstr(line, "is full") != NULL) {
        snprintf(watchdog_line, sizeof watchdog_line, "%s", line);
        atomic_store(&seen.release, 1);
    }
}

START_TEST(the_watchdog_names_the_reader_that_leaves_a_link_full)
{
    OpprofLogSetLevel(OPPROF_LOG_WARNING);
    OpprofLogSetSink(keep_full_link, NULL);
    set_clock(now_while_stuck);
    OpprofPipelineSetQueue(pipeline, 2, 0, 0);
    add("a", &numbers_plugin, "{\"count\": 5000}");
    add("before", &sum_plugin, NULL);
    add("c", &sum_plugin, "{\"stuck\": true}");
    add("after", &sum_plugin, NULL);
    ck_assert_int_eq(run(), OPPROF_OK);
    OpprofLogSetSink(NULL, NULL);
    ck_assert_ptr_nonnull(strstr(watchdog_line, "the link 'a.numbers' -> 'c' is full"));
}
END_TEST

START_TEST(the_watchdog_names_the_stage_that_is_stuck)
{
    OpprofLogSetLevel(OPPROF_LOG_WARNING);
    OpprofLogSetSink(keep_line, NULL);
    set_clock(now_while_stuck);
    add("a", &numbers_plugin, "{\"count\": 10}");
    add("c", &sum_plugin, "{\"stuck\": true}");
    ck_assert_int_eq(run(), OPPROF_OK);
    OpprofLogSetSink(NULL, NULL);
    ck_assert_ptr_nonnull(strstr(watchdog_line, "No progress for "));
    ck_assert_ptr_nonnull(strstr(watchdog_line, " s: sum 1.0 is still in process with a batch of "
                                                "its port 'numbers'"));
}
END_TEST

START_TEST(a_tap_writes_every_record)
{
    char path[400], line[100];
    FILE *file;
    int lines = 0;

    snprintf(path, sizeof path, "%s/tap.tsv", directory);
    add("a", &numbers_plugin, "{\"count\": 25}");
    ck_assert_int_eq(OpprofPipelineTap(pipeline, "a.numbers", path, &error), OPPROF_OK);
    ck_assert_int_eq(run(), OPPROF_OK);
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (lines == 0) {
            ck_assert_str_eq(line, "value\tpartition\n");
        }
        if (lines == 25) {
            ck_assert_str_eq(line, "24\t0\n");
        }
        lines++;
    }
    fclose(file);
    ck_assert_int_eq(lines, 26);
}
END_TEST

START_TEST(a_pipeline_runs_once)
{
    add("a", &numbers_plugin, NULL);
    ck_assert_int_eq(run(), OPPROF_OK);
    OpprofRunReportFinish(&report);
    ck_assert_int_eq(run(), OPPROF_E_CONTRACT);
}
END_TEST

static OpprofStatus count_odd_name(void *self, uint32_t port, const OpprofBatch *batch,
                                   OpprofError **failure)
{
    (void) port;
    (void) batch;
    (void) failure;
    OpprofStageCount(self, "odd \xff", 1);
    return OPPROF_END;
}

static OpprofStatus create_plain(OpprofStage *stage, void **ret_self, OpprofError **failure)
{
    (void) failure;
    *ret_self = stage;
    return OPPROF_OK;
}

START_TEST(names_that_are_not_utf8_do_not_cost_the_record)
{
    static const OpprofPluginOps ops = { .struct_size = sizeof ops,
                                         .create = create_plain,
                                         .process = count_odd_name };
    static OpprofRecordType type;
    static OpprofPort out, in;
    static OpprofPlugin giver, taker;

    type = number_type;
    out = numbers_plugin.outputs[0];
    in = sum_plugin.inputs[0];
    giver = numbers_plugin;
    taker = sum_plugin;
    type.name = "odd \xfe";
    out.record_type = &type;
    in.type = type.name;
    giver.outputs = &out;
    giver.ops = &ops;
    giver.param_count = 0;
    taker.inputs = &in;
    add("a", &giver, NULL);
    add("c", &taker, NULL);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_ptr_nonnull(strstr(OpprofPipelineRecord(pipeline), "\"odd \\uFFFD\": 1"));
    ck_assert_ptr_nonnull(strstr(OpprofPipelineRecord(pipeline), "\"type\": \"odd \\uFFFD\""));
}
END_TEST

START_TEST(a_record_is_copied_after_the_run)
{
    char path[400], text[4096] = "";
    FILE *file;

    snprintf(path, sizeof path, "%s/copy.json", directory);
    add("a", &numbers_plugin, NULL);
    ck_assert_int_eq(OpprofPipelineCopyRecord(pipeline, path, &error), OPPROF_E_CONTRACT);
    OpprofErrorDestroy(error);
    error = NULL;
    ck_assert_int_eq(access(path, F_OK), -1);
    ck_assert_int_eq(run(), OPPROF_OK);
    ck_assert_int_eq(OpprofPipelineCopyRecord(pipeline, path, &error), OPPROF_OK);
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_gt(fread(text, 1, sizeof text - 1, file), 0);
    fclose(file);
    ck_assert_int_eq(strncmp(text, OpprofPipelineRecord(pipeline), strlen(text) - 1), 0);
}
END_TEST

START_TEST(an_empty_pipeline_is_refused)
{
    ck_assert_int_eq(run(), OPPROF_E_ARGUMENT);
    ck_assert_str_eq(OpprofErrorMessage(error), "The pipeline has no stages");
}
END_TEST

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
START_TEST(a_crash_names_stage_and_plugin_and_ends_by_the_signal)
{
    int fds[2], status = 0;
    char text[512] = "";
    ssize_t length;
    pid_t child;

    ck_assert_int_eq(pipe(fds), 0);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(fds[1], STDERR_FILENO);
        OpprofPipelineReportCrashes();
        add("a", &numbers_plugin, NULL);
        add("bad", &crash_plugin, NULL);
        run();
        _exit(0);
    }
    close(fds[1]);
    length = read(fds[0], text, sizeof text - 1);
    ck_assert_int_gt(length, 0);
    for (ssize_t more = 1; more > 0 && length < (ssize_t) sizeof text - 1; length += more) {
        more = read(fds[0], text + length, sizeof text - 1 - (size_t) length);
        more = more < 0 ? 0 : more;
    }
    close(fds[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), SIGSEGV);
    ck_assert_msg(strstr(text, "stage 'bad' (plugin crash) crashed in process: SIGSEGV") != NULL,
                  "%s", text);
}
END_TEST
#endif

static Suite *runner_suite(void)
{
    Suite *suite = suite_create("runner");
    TCase *tcase = tcase_create("runs");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, every_record_reaches_the_end_of_a_chain);
    tcase_add_test(tcase, a_diamond_sees_every_record_on_both_ways);
    tcase_add_test(tcase, partitions_stay_whole_and_in_order);
    tcase_add_test(tcase, parallel_collectors_end_the_stream_together);
    tcase_add_test(tcase, a_failing_collector_keeps_what_was_read);
    tcase_add_test(tcase, a_failing_analysis_is_detached_and_the_rest_ends);
    tcase_add_test(tcase, a_failing_exporter_stops_the_run_and_spares_the_other);
    tcase_add_loop_test(tcase, a_failure_in_any_call_ends_cleanly, 0, 3);
    tcase_add_test(tcase, a_failing_configure_names_the_stage);
    tcase_add_loop_test(tcase, a_status_that_a_call_may_not_return_fails_the_stage, 0,
                        OPPROF_COUNT(odd_returns));
    tcase_add_loop_test(tcase, an_error_left_beside_ok_makes_the_run_incomplete, 0, 3);
    tcase_add_loop_test(tcase, a_consumer_that_ends_or_has_nothing_yet_gets_all_batches, 0, 2);
    tcase_add_test(tcase, a_collector_without_records_is_not_complete);
    tcase_add_test(tcase, a_collector_without_records_is_complete_if_another_stage_reads_the_input);
    tcase_add_test(tcase, files_of_a_complete_run_are_whole);
    tcase_add_test(tcase, files_of_a_run_that_failed_in_part_are_marked);
    tcase_add_test(tcase, a_reason_without_memory_for_its_text_still_counts);
    tcase_add_test(tcase, partitions_keep_their_instance_when_the_table_cannot_grow);
    tcase_add_test(tcase, one_stop_drains_and_marks_the_run_cut);
    tcase_add_test(tcase, two_stops_abort_without_flush);
    tcase_add_test(tcase, an_abort_ends_the_writing_of_files);
    tcase_add_test(tcase, a_record_that_cannot_be_written_is_told_beside_other_reasons);
    tcase_add_test(tcase, a_note_that_cannot_be_written_does_not_keep_the_record);
    tcase_add_test(tcase, a_timeout_cuts_the_run);
    tcase_add_test(tcase, a_stop_after_the_timeout_is_the_first_and_does_not_abort);
    tcase_add_loop_test(tcase, a_stage_that_hangs_is_given_up_after_the_timeout, 0, 2);
    tcase_add_test(tcase, a_start_that_hangs_ends_the_run);
    tcase_add_loop_test(tcase, nobody_is_given_up_because_the_program_was_stopped, 0, 4);
    tcase_add_test(tcase, a_stop_that_hangs_is_given_up);
    tcase_add_test(tcase, a_configure_that_hangs_is_given_up);
    tcase_add_test(tcase, a_destroy_that_hangs_is_given_up);
    tcase_add_test(tcase, the_watchdog_names_the_stage_that_is_stuck);
    tcase_add_test(tcase, the_watchdog_names_the_reader_that_leaves_a_link_full);
    tcase_add_test(tcase, a_tap_writes_every_record);
    tcase_add_test(tcase, a_pipeline_runs_once);
    tcase_add_test(tcase, a_record_is_copied_after_the_run);
    tcase_add_test(tcase, names_that_are_not_utf8_do_not_cost_the_record);
    tcase_add_test(tcase, an_empty_pipeline_is_refused);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    tcase_add_test(tcase, a_crash_names_stage_and_plugin_and_ends_by_the_signal);
#endif
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(runner_suite)
