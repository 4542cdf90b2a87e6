/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is left of a run whose plugin crashes, ends the program, or gives back batches that are not
 * its own: each in a child process, with the stage named, and a run.json that shows how far the run
 * got.
 */
#include <stdbool.h>

#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <check.h>
#include <jansson.h>
#include <opprof/opprof.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

/* Sanitizers report crashes, and what is never given back, themselves. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

#define WANTED 3 /* records, each in a batch of its own */

typedef struct Record {
    uint64_t value;
} Record;

static const OpprofField fields[] = { OPPROF_FIELD(Record, value, OPPROF_FIELD_U64,
                                                   .meaning = "A value.") };
static const OpprofRecordType type =
    OPPROF_RECORD_TYPE(Record, 1, "test.record", "A value.", 0, fields, NULL, NULL);

/* What the consumer does, from which call on, and what it has seen. */
typedef enum Fault {
    FAULT_NONE,
    FAULT_CRASH_IN_PROCESS,
    FAULT_EXIT_IN_FLUSH,
    FAULT_THREAD_EXIT_IN_FLUSH,
    FAULT_THREAD_EXIT_IN_CREATE,
    FAULT_CRASH_IN_DESTROY,
    FAULT_SECOND_UNREF,
    FAULT_KEEP
} Fault;

static Fault fault;
static volatile int *nowhere;

typedef struct Instance {
    OpprofStage *stage;
    unsigned count;
    const OpprofBatch *kept[WANTED];
} Instance;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Instance *self;

    (void) error;
    if (fault == FAULT_THREAD_EXIT_IN_CREATE) {
        pthread_exit(NULL);
    }
    self = calloc(1, sizeof *self);
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus give(void *instance, uint32_t port, const OpprofBatch *batch,
                         OpprofError **error)
{
    Instance *self = instance;
    const Record record = { self->count };

    (void) port;
    (void) batch;
    (void) error;
    if (self->count++ == WANTED) {
        return OPPROF_END;
    }
    OpprofStageAppend(self->stage, 0, 0, &record);
    return OpprofStagePushOpen(self->stage, 0, 0);
}

static OpprofStatus write_file(Instance *self, OpprofError **error)
{
    OpprofOutputFile *file = NULL;
    OpprofStatus status =
        OpprofOutputFileCreate(OpprofStageOutput(self->stage), "sub/early.txt", &file, error);

    if (status == OPPROF_OK) {
        status = OpprofOutputFileWrite(file, "whole\n", 6, error);
    }
    return status == OPPROF_OK ? OpprofOutputFileFinish(file, error) : status;
}

static OpprofStatus take(void *instance, uint32_t port, const OpprofBatch *batch,
                         OpprofError **error)
{
    Instance *self = instance;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    if (self->count == 0) {
        status = write_file(self, error);
    }
    if (fault == FAULT_KEEP) {
        self->kept[self->count] = OpprofBatchRef(batch);
    }
    if (++self->count == 2 && fault == FAULT_SECOND_UNREF) {
        OpprofBatchUnref(batch);
    }
    if (self->count == 2 && fault == FAULT_CRASH_IN_PROCESS) {
        *nowhere = 1;
    }
    return status;
}

static OpprofStatus flush(void *instance, OpprofError **error)
{
    (void) instance;
    (void) error;
    if (fault == FAULT_EXIT_IN_FLUSH) {
        exit(0);
    }
    if (fault == FAULT_THREAD_EXIT_IN_FLUSH) {
        pthread_exit(NULL);
    }
    return OPPROF_OK;
}

static void destroy(void *instance)
{
    if (fault == FAULT_CRASH_IN_DESTROY) {
        *nowhere = 1;
    }
    free(instance);
}

static const OpprofPluginOps give_ops = {
    .struct_size = sizeof give_ops, .create = create, .process = give, .destroy = free
};
static const OpprofPluginOps take_ops = { .struct_size = sizeof take_ops,
                                          .create = create,
                                          .process = take,
                                          .flush = flush,
                                          .destroy = destroy };
static const OpprofPort outputs[] = {
    { .name = "records", .record_type = &type, .summary = "Values." }
};
static const OpprofPort inputs[] = {
    { .name = "in", .type = "test.record", .summary = "Values." }
};

static const OpprofPlugin giver = { .struct_size = sizeof giver,
                                    .abi_major = OPPROF_ABI_MAJOR,
                                    .abi_minor = OPPROF_ABI_MINOR,
                                    .name = "giver",
                                    .version = "1",
                                    .license = "Apache-2.0",
                                    .summary = "Gives three batches.",
                                    .kind = OPPROF_COLLECTOR,
                                    .outputs = outputs,
                                    .output_count = 1,
                                    .ops = &give_ops };
static const OpprofPlugin taker = { .struct_size = sizeof taker,
                                    .abi_major = OPPROF_ABI_MAJOR,
                                    .abi_minor = OPPROF_ABI_MINOR,
                                    .name = "taker",
                                    .version = "1",
                                    .license = "Apache-2.0",
                                    .summary = "Takes them, badly.",
                                    .kind = OPPROF_EXPORTER,
                                    .inputs = inputs,
                                    .input_count = 1,
                                    .ops = &take_ops };

static OpprofPipeline *make(const char *directory)
{
    OpprofPipeline *pipeline = OpprofPipelineCreate();

    ck_assert_ptr_nonnull(pipeline);
    OpprofPipelineSetOutput(pipeline, directory, true, NULL);
    ck_assert_int_eq(AddPluginDescriptor(pipeline, "source", &giver, NULL, NULL), OPPROF_OK);
    ck_assert_int_eq(AddPluginDescriptor(pipeline, "bad", &taker, NULL, NULL), OPPROF_OK);
    return pipeline;
}

/* Runs with a fault in a child; returns its wait status. What it said on stderr is in said.txt. */
static int run_in_child(Fault which)
{
    const pid_t child = fork();
    int status = 0;

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        ck_assert_ptr_nonnull(freopen(in_scratch("said.txt"), "w", stderr));
        fault = which;
        OpprofPipelineReportCrashes();
        OpprofPipeline *pipeline = make(in_scratch("out"));
        RunAllPlugins(pipeline, NULL, NULL);
        OpprofPipelineDestroy(pipeline);
        _exit(42);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

static void expect_said(const char *wanted)
{
    char said[1024] = "";
    FILE *file = fopen(in_scratch("said.txt"), "r");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_gt(fread(said, 1, sizeof said - 1, file), 0);
    fclose(file);
    ck_assert_msg(strstr(said, wanted) != NULL, "'%s' is not in: %s", wanted, said);
}

static void expect_record(const char *outcome, const char *reason)
{
    json_t *record = json_load_file(in_scratch("out/run.json"), 0, NULL);
    json_t *file;

    ck_assert_ptr_nonnull(record);
    ck_assert_str_eq(json_string_value(json_object_get(record, "outcome")), outcome);
    ck_assert(json_is_false(json_object_get(record, "complete")));
    ck_assert_uint_eq(json_array_size(json_object_get(record, "stages")), 2);
    const char *said = json_string_value(json_array_get(json_object_get(record, "reasons"), 0));
    ck_assert_msg(strstr(said, reason) != NULL, "'%s' is not in: %s", reason, said);
    file = json_array_get(json_object_get(record, "files"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(file, "path")), "sub/early.txt");
    ck_assert_int_eq(json_integer_value(json_object_get(file, "bytes")), 6);
    ck_assert_str_eq(json_string_value(json_object_get(file, "stage")), "bad");
    ck_assert_int_eq(access(in_scratch("out/sub/early.txt"), R_OK), 0);
    ck_assert_int_eq(access(in_scratch("out/INCOMPLETE.txt"), R_OK), 0);
    json_decref(record);
}

START_TEST(after_a_crash_the_record_and_what_was_finished_are_there)
{
    const int status = run_in_child(FAULT_CRASH_IN_PROCESS);

    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    expect_said("stage 'bad' (plugin taker) crashed in process: SIGSEGV");
    expect_record("crashed", "Stage 'bad' (plugin taker) crashed in process: SIGSEGV");
}
END_TEST

START_TEST(exit_in_a_plugin_is_no_success_and_leaves_a_record)
{
    const int status = run_in_child(FAULT_EXIT_IN_FLUSH);

    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    expect_said("stage 'bad' (plugin taker) ended the program with exit() in flush");
    expect_record("crashed", "Stage 'bad' (plugin taker) ended the program with exit() in flush");
}
END_TEST

/* The run would wait for that thread for ever. */
START_TEST(pthread_exit_in_a_plugin_ends_the_run)
{
    int status = run_in_child(FAULT_THREAD_EXIT_IN_FLUSH);

    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    expect_said("stage 'bad' (plugin taker) ended its thread with pthread_exit() in flush");
    expect_record("crashed", "(plugin taker) ended its thread with pthread_exit() in flush");
    status = run_in_child(FAULT_THREAD_EXIT_IN_CREATE);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    expect_said("stage 'source' (plugin giver) ended its thread with pthread_exit() in create");
}
END_TEST

START_TEST(a_crash_in_destroy_is_named_and_the_finished_record_stays)
{
    const int status = run_in_child(FAULT_CRASH_IN_DESTROY);
    json_t *record = json_load_file(in_scratch("out/run.json"), 0, NULL);

    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    expect_said("stage 'bad' (plugin taker) crashed in destroy: SIGSEGV");
    ck_assert_str_eq(json_string_value(json_object_get(record, "outcome")), "complete");
    json_decref(record);
}
END_TEST

START_TEST(who_gives_back_what_is_not_its_own_is_named)
{
    const int status = run_in_child(FAULT_SECOND_UNREF);

    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    expect_said("batch-held");
    expect_said("stage 'bad' (plugin taker) crashed in process: SIGABRT");
    expect_record("crashed", "Stage 'bad' (plugin taker) crashed in process: SIGABRT");
}
END_TEST

START_TEST(what_a_stage_holds_is_counted_and_what_it_never_gives_back_is_told)
{
    OpprofRunReport report = { 0 };
    OpprofPipeline *pipeline = make(in_scratch("out"));

    fault = FAULT_KEEP;
    ck_assert_int_eq(RunAllPlugins(pipeline, &report, NULL), OPPROF_OK);
    ck_assert_uint_eq(report.stages[1].held_batches, WANTED);
    ck_assert_uint_gt(report.stages[1].held_bytes, 0);
    ck_assert_uint_eq(report.stages[1].held_bytes, report.stages[1].held_peak_bytes);
    ck_assert_uint_eq(report.stages[0].held_batches, 0);
    ck_assert_uint_gt(report.stages[0].held_peak_bytes, 0); /* the one that it filled */
    OpprofRunReportFinish(&report);
    ck_assert_ptr_nonnull(freopen(in_scratch("said.txt"), "w", stderr));
    OpprofPipelineDestroy(pipeline);
    fflush(stderr);
    expect_said("taker 1 was destroyed without giving back 3 batches");
}
END_TEST

START_TEST(a_run_that_goes_well_replaces_the_early_record)
{
    OpprofPipeline *pipeline = make(in_scratch("out"));
    json_t *record;

    fault = FAULT_NONE;
    ck_assert_int_eq(RunAllPlugins(pipeline, NULL, NULL), OPPROF_OK);
    OpprofPipelineDestroy(pipeline);
    record = json_load_file(in_scratch("out/run.json"), 0, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(record, "outcome")), "complete");
    ck_assert_uint_eq(json_array_size(json_object_get(record, "files")), 1);
    ck_assert_int_ne(access(in_scratch("out/INCOMPLETE.txt"), F_OK), 0);
    json_decref(record);
}
END_TEST

static Suite *crash_suite(void)
{
    Suite *suite = suite_create("crash");
    TCase *tcase = tcase_create("crash");

    tcase_add_checked_fixture(tcase, make_scratch, remove_scratch);
    if (!IS_SANITIZED) {
        tcase_add_test(tcase, after_a_crash_the_record_and_what_was_finished_are_there);
        tcase_add_test(tcase, exit_in_a_plugin_is_no_success_and_leaves_a_record);
        tcase_add_test(tcase, pthread_exit_in_a_plugin_ends_the_run);
        tcase_add_test(tcase, a_crash_in_destroy_is_named_and_the_finished_record_stays);
        tcase_add_test(tcase, who_gives_back_what_is_not_its_own_is_named);
        tcase_add_test(tcase, what_a_stage_holds_is_counted_and_what_it_never_gives_back_is_told);
    }
    tcase_add_test(tcase, a_run_that_goes_well_replaces_the_early_record);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(crash_suite)
