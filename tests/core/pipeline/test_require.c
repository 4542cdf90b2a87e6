/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each contract of the functions that plugins call is broken once, by a plugin in a run of its own in a child process:
 * the child aborts and names contract, call, stage and plugin. The last test finds contracts that nobody breaks here.
 */
#include <opprof/opprof.h>

#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a mistake may need. */
typedef struct Site {
    OpprofStage *stage;
    const OpprofParams *params;
} Site;

typedef struct Record {
    uint64_t value;
} Record;

static const OpprofField fields[] = { OPPROF_FIELD(Record, value, OPPROF_FIELD_U64,
                                                   .meaning = "A value.") };
static const OpprofRecordType type =
    OPPROF_RECORD_TYPE(Record, 1, "test.record", "A value.", 0, fields, NULL, NULL);
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
static void foreign_type(const Site *site)
{
    OpprofBatchPool *pool = OpprofBatchPoolCreate(&other, 4, 0);
    OpprofBatch *batch = OpprofBatchPoolTake(pool);

    *(Record *) OpprofBatchAppend(batch) = (Record){ 1 };
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

static const struct {
    const char *id;
    const char *call;
    const char *where; /* call of the plugin in which the mistake is made */
    void (*make)(const Site *site);
} mistakes[] = {
    { "params-name", "OpprofParamsInt", "configure", typing_error },
    { "params-type", "OpprofParamsString", "configure", wrong_type },
    { "params-given", "OpprofParamsIsSet", "process", no_params },
    { "params-name-given", "OpprofParamsBool", "configure", no_param_name },
    { "stage-given", "OpprofStageId", "process", no_stage },
    { "stage-port", "OpprofStageHasReader", "process", far_port },
    { "stage-batch-early", "OpprofStageNewBatch", "configure", early_batch },
    { "stage-push-phase", "OpprofStagePush", "start", push_in_start },
    { "stage-push-type", "OpprofStagePush", "process", foreign_type },
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
    { "output-given", "OpprofOutputFileCreate", "process", no_output },
    { "output-name-given", "OpprofOutputFileCreate", "process", no_output_name },
    { "file-commit-size", "OpprofOutputFileCommit", "process", too_much_committed },
    { "file-patch-range", "OpprofOutputFilePatch", "process", patch_of_the_future },
};

static Site site;
static int mistake;

static void here(const char *call)
{
    if (strcmp(mistakes[mistake].where, call) == 0) {
        mistakes[mistake].make(&site);
    }
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    (void) error;
    *ret_self = &site;
    site.stage = stage;
    here("create");
    return OPPROF_OK;
}

static OpprofStatus configure(void *self, const OpprofParams *params, OpprofError **error)
{
    (void) self;
    (void) error;
    site.params = params;
    here("configure");
    return OPPROF_OK;
}

static OpprofStatus start(void *self, OpprofError **error)
{
    (void) self;
    (void) error;
    here("start");
    return OPPROF_OK;
}

static OpprofStatus process(void *self, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    (void) self;
    (void) port;
    (void) batch;
    (void) error;
    here("process");
    return OPPROF_END;
}

static const OpprofPluginOps ops = { .struct_size = sizeof ops,
                                     .create = create,
                                     .configure = configure,
                                     .start = start,
                                     .process = process };
static const OpprofPort outputs[] = {
    { .name = "out", .record_type = &type, .summary = "Values." }
};
static const OpprofParam params[] = {
    { .name = "count", .type = OPPROF_PARAM_INT, .default_value = "1", .summary = "A number." }
};
static const OpprofPlugin plugin = {
    .struct_size = sizeof plugin,
    .abi_major = OPPROF_ABI_MAJOR,
    .abi_minor = OPPROF_ABI_MINOR,
    .name = "careless",
    .version = "1",
    .license = "Apache-2.0",
    .summary = "Breaks contracts.",
    .kind = OPPROF_COLLECTOR,
    .outputs = outputs,
    .output_count = 1,
    .params = params,
    .param_count = 1,
    .ops = &ops,
};

static void run_child(int descriptor, const char *directory)
{
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    OpprofRunReport report = { 0 };

    dup2(descriptor, STDERR_FILENO);
    OpprofPipelineSetOutput(pipeline, directory, true, NULL);
    AddPluginDescriptor(pipeline, "clumsy", &plugin, NULL, NULL);
    RunAllPlugins(pipeline, &report, NULL);
    _exit(0);
}

static void remove_directory(const char *directory)
{
    char command[100];

    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(a_broken_contract_aborts_and_names_who_broke_it)
{
    char directory[] = "/tmp/opprof-require-XXXXXX";
    char said[4096] = "";
    char wanted[200];
    size_t length = 0;
    int ends[2], how;
    pid_t child;

    ck_assert_ptr_nonnull(mkdtemp(directory));
    ck_assert_int_eq(pipe(ends), 0);
    mistake = _i;
    child = fork();
    if (child == 0) {
        close(ends[0]);
        run_child(ends[1], directory);
    }
    close(ends[1]);
    for (ssize_t got; (got = read(ends[0], said + length, sizeof said - 1 - length)) > 0;) {
        length += (size_t) got;
    }
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    remove_directory(directory);
    ck_assert_msg(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT, "%s: %s", mistakes[_i].id, said);
    snprintf(wanted, sizeof wanted, "contract '%s' of %s is broken: ", mistakes[_i].id,
             mistakes[_i].call);
    ck_assert_msg(strstr(said, wanted) != NULL, "%s", said);
    ck_assert_msg(strstr(said, "by stage 'clumsy' (plugin careless)") != NULL, "%s", said);
}
END_TEST

START_TEST(every_contract_is_broken_here)
{
    /* The formatter may put the id on a line of its own. */
    FILE *ids =
        popen("find '" TEST_SOURCE_DIR "/core' -name '*.[ch]' -exec cat {} + | tr '\\n' ' ' | "
              "grep -oE '(OPPROF_REQUIRE|OpprofRequireFailed)\\( *\"[a-z-]+\"' | sed 's/.*( *\"//; "
              "s/\"//' | "
              "sort -u",
              "r");
    char id[100];
    size_t count = 0;

    ck_assert_ptr_nonnull(ids);
    while (fgets(id, sizeof id, ids) != NULL) {
        size_t i = 0;

        id[strcspn(id, "\n")] = '\0';
        while (i < OPPROF_COUNT(mistakes) && strcmp(mistakes[i].id, id) != 0) {
            i++;
        }
        ck_assert_msg(i < OPPROF_COUNT(mistakes), "nobody breaks '%s'", id);
        count++;
    }
    pclose(ids);
    ck_assert_uint_eq(count, OPPROF_COUNT(mistakes));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("require");
    TCase *cases = tcase_create("require");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_loop_test(cases, a_broken_contract_aborts_and_names_who_broke_it, 0,
                        (int) OPPROF_COUNT(mistakes));
    tcase_add_test(cases, every_contract_is_broken_here);
    suite_add_tcase(suite, cases);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
