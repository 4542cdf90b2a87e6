/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CORE_RUN_BROKEN_CONTRACT_H
#define TESTS_CORE_RUN_BROKEN_CONTRACT_H

/*
 * Contracts of the functions that plugins call (opprof/require.h): each is broken once, by a plugin
 * in a run of its own in a child process. For the test of each library.
 */
#include <opprof/opprof.h>

#include <check.h>
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

typedef struct Mistake {
    const char *id;
    const char *call;
    const char *where; /* call of the plugin in which the mistake is made */
    void (*make)(const Site *site);
} Mistake;

static Site its_site;
static const Mistake *mistake;

static void here(const char *call)
{
    if (strcmp(mistake->where, call) == 0) {
        mistake->make(&its_site);
    }
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    (void) error;
    *ret_self = &its_site;
    its_site.stage = stage;
    here("create");
    return OPPROF_OK;
}

static OpprofStatus configure(void *self, const OpprofParams *params, OpprofError **error)
{
    (void) self;
    (void) error;
    its_site.params = params;
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

static OpprofStatus stop(void *self, OpprofError **error)
{
    (void) self;
    (void) error;
    here("stop");
    return OPPROF_OK;
}

static const OpprofPluginOps ops = { .struct_size = sizeof ops,
                                     .create = create,
                                     .configure = configure,
                                     .start = start,
                                     .process = process,
                                     .stop = stop };
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

/* The child aborts and names contract, call, stage and plugin. */
static void check_broken_contract(const Mistake *broken)
{
    char directory[] = "/tmp/opprof-require-XXXXXX";
    char said[4096] = "";
    char wanted[200];
    size_t length = 0;
    int ends[2], how;
    pid_t child;

    ck_assert_ptr_nonnull(mkdtemp(directory));
    ck_assert_int_eq(pipe(ends), 0);
    mistake = broken;
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
    ck_assert_msg(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT, "%s: %s", broken->id, said);
    snprintf(wanted, sizeof wanted, "contract '%s' of %s is broken: ", broken->id, broken->call);
    ck_assert_msg(strstr(said, wanted) != NULL, "%s", said);
    ck_assert_msg(strstr(said, "by stage 'clumsy' (plugin careless)") != NULL, "%s", said);
    /* a parameter is named, too */
    ck_assert_msg(strncmp(broken->id, "params-name", 12) != 0 ||
                      strstr(said, ": 'cuont'\n") != NULL,
                  "%s", said);
}

/* Each contract of a library's sources is in its table, and nothing else is. */
static void check_all_are_broken(const char *library, const Mistake *table, size_t entries)
{
    char command[1000];
    char id[100];
    size_t count = 0;
    FILE *ids;

    /* The formatter may put the id on a line of its own. */
    snprintf(command, sizeof command,
             "find '" TEST_SOURCE_DIR "/%s' -name '*.[ch]' -exec cat {} + | tr '\\n' ' ' | "
             "grep -oE '(OPPROF_REQUIRE|OpprofRequireFailed)\\( *\"[a-z-]+\"' | "
             "sed 's/.*( *\"//; s/\"//' | sort -u",
             library);
    ids = popen(command, "r");
    ck_assert_ptr_nonnull(ids);
    while (fgets(id, sizeof id, ids) != NULL) {
        size_t i = 0;

        id[strcspn(id, "\n")] = '\0';
        while (i < entries && strcmp(table[i].id, id) != 0) {
            i++;
        }
        ck_assert_msg(i < entries, "nobody breaks '%s'", id);
        count++;
    }
    pclose(ids);
    ck_assert_uint_eq(count, entries);
}

/* A suite of these two tests. */
static Suite *contract_suite(const TTest *each, const TTest *all, size_t entries)
{
    Suite *suite = suite_create("require");
    TCase *cases = tcase_create("require");

    tcase_add_loop_test(cases, each, 0, (int) entries);
    tcase_add_test(cases, all);
    suite_add_tcase(suite, cases);
    return suite;
}

#endif
