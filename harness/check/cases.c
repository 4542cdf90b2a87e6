/* SPDX-License-Identifier: Apache-2.0 */
/* The cases of the checker, each one sentence about a good module. Tested by
 * tests/harness/check.sh. */
#include "cases.h"

#include "allocations.h"
#include "module.h"
#include "replay.h"
#include "samples.h"
#include "harness/tasks.h"

#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <opprof/opprof.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 1000
#define WARM_ROUNDS 20
#define MOST_FILES 64
#define TASK_ENDS 0x4u /* PF_EXITING of the kernel */
#define ASLEEP_LOOKS 10
#define MOST_LOOKS 6000 /* a minute at least */

/* A module that is loaded, with what is known of it. */
typedef struct Loaded {
    const Subject *subject;
    OpprofPipeline *pipeline; /* for its plugin path only */
    const OpprofPlugin *plugin;
    SampleTypes types;
    char *params;
    char *reason;
    size_t size;
} Loaded;

OPPROF_PRINTF(3, 4)
static Verdict end(const Loaded *loaded, Verdict verdict, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(loaded->reason, loaded->size, format, list);
    va_end(list);
    return verdict;
}

static Verdict end_with(const Loaded *loaded, Verdict verdict, OpprofError *error)
{
    char *text = OpprofErrorText(error, false);

    for (char *at = text; at != NULL && *at != '\0'; at++) {
        *at = *at == '\n' ? ';' : *at;
    }
    snprintf(loaded->reason, loaded->size, "%s", text != NULL ? text : "no reason given");
    free(text);
    OpprofErrorDestroy(error);
    return verdict;
}

/* ---- loading ---- */

static Verdict load(Loaded *loaded)
{
    const Subject *subject = loaded->subject;
    OpprofError *error = NULL;
    OpprofStatus status;

    loaded->pipeline = OpprofPipelineCreate();
    if (loaded->pipeline == NULL) {
        return end(loaded, VERDICT_FAILED, "Cannot make a pipeline: out of memory");
    }
    OpprofPipelineAllowWritablePlugins(loaded->pipeline);
    status = OpprofPipelineAddPluginPath(loaded->pipeline, subject->directory, &error);
    for (size_t i = 0; i < subject->plugin_path_count && status == OPPROF_OK; i++) {
        status = OpprofPipelineAddPluginPath(loaded->pipeline, subject->plugin_paths[i], &error);
    }
    if (status == OPPROF_OK) {
        status = OpprofPipelineFindPlugin(loaded->pipeline, subject->name, &loaded->plugin, NULL,
                                          &error);
    }
    return status == OPPROF_OK ? VERDICT_PASSED : end_with(loaded, VERDICT_FAILED, error);
}

static Verdict prepare(Loaded *loaded, void *context, char *reason, size_t size)
{
    Verdict verdict;

    *loaded = (Loaded){ .subject = context, .reason = reason, .size = size };
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    verdict = load(loaded);
    if (verdict == VERDICT_PASSED) {
        loaded->params = SampleParams(loaded->plugin, loaded->subject->settings,
                                      loaded->subject->setting_count, loaded->subject->empty);
        SampleTypesFind(loaded->pipeline, loaded->plugin, &loaded->types);
    }
    return verdict;
}

/* How the run of a case differs from the usual one. */
typedef struct Wish {
    uint32_t batch_records;
    uint32_t queue_batches;
    uint32_t failure;
    uint32_t flags;
    bool without_records;
    bool with_absent;
} Wish;

/* Skips when a fitting parameter is unknown, fails when the type of a required input is. */
static Verdict make(const Loaded *loaded, const Wish *wish, OpprofHarness **ret_harness)
{
    const OpprofHarnessOptions options = { .params_json = loaded->params,
                                           .input_types = loaded->types.types,
                                           .batch_records = wish->batch_records,
                                           .queue_batches = wish->queue_batches,
                                           .failure = wish->failure,
                                           .flags = wish->flags };
    OpprofError *error = NULL;

    if (loaded->types.missing != NULL) {
        return end(loaded, VERDICT_FAILED,
                   "no module gives '%s'; name its directory with --plugin-path",
                   loaded->types.missing);
    }
    if (OpprofHarnessCreate(loaded->plugin, &options, ret_harness, &error) != OPPROF_OK) {
        return end_with(loaded, VERDICT_SKIPPED, error);
    }
    if (!wish->without_records &&
        SampleGive(*ret_harness, loaded->plugin, wish->with_absent, &error) != OPPROF_OK) {
        OpprofHarnessDestroy(*ret_harness);
        return end_with(loaded, VERDICT_FAILED, error);
    }
    return VERDICT_PASSED;
}

/* A run whose outcome may be anything: made-up records are not always to a plugin's liking. */
static Verdict run_with(void *context, char *reason, size_t size, const Wish *wish)
{
    Loaded loaded;
    OpprofHarness *harness = NULL;
    OpprofError *error = NULL;
    Verdict verdict = prepare(&loaded, context, reason, size);

    if (verdict == VERDICT_PASSED) {
        verdict = make(&loaded, wish, &harness);
    }
    if (verdict == VERDICT_PASSED) {
        OpprofHarnessRun(harness, &error);
        OpprofErrorDestroy(error);
        OpprofHarnessDestroy(harness);
    }
    return verdict;
}

/* ---- what it is ---- */

static Verdict case_loads(void *context, char *reason, size_t size)
{
    Loaded loaded;

    return prepare(&loaded, context, reason, size);
}

static bool is_spdx(const char *license)
{
    return strspn(license,
                  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-+() :") ==
           strlen(license);
}

static const char *missing_text(const OpprofPlugin *plugin, const char **ret_of)
{
    *ret_of = "";
    for (uint32_t i = 0; i < plugin->input_count + plugin->output_count; i++) {
        const OpprofPort *port = i < plugin->input_count
                                     ? &plugin->inputs[i]
                                     : &plugin->outputs[i - plugin->input_count];
        const OpprofRecordType *type = i < plugin->input_count ? NULL : port->record_type;

        *ret_of = port->name;
        if (port->summary == NULL || *port->summary == '\0') {
            return "port";
        }
        for (uint32_t f = 0; type != NULL && f < type->field_count; f++) {
            if (type->fields[f].meaning == NULL &&
                (type->fields[f].flags & OPPROF_FIELD_HIDDEN) == 0) {
                *ret_of = type->fields[f].name;
                return "field";
            }
        }
    }
    for (uint32_t i = 0; i < plugin->param_count; i++) {
        *ret_of = plugin->params[i].name;
        if (plugin->params[i].summary == NULL || *plugin->params[i].summary == '\0') {
            return "parameter";
        }
    }
    return NULL;
}

static Verdict case_texts(void *context, char *reason, size_t size)
{
    Loaded loaded;
    Verdict verdict = prepare(&loaded, context, reason, size);
    const char *what, *of = "";

    if (verdict != VERDICT_PASSED) {
        return verdict;
    }
    if (!is_spdx(loaded.plugin->license)) {
        return end(&loaded, VERDICT_FAILED, "its license is not an SPDX expression: '%.60s'",
                   loaded.plugin->license);
    }
    what = missing_text(loaded.plugin, &of);
    return what == NULL ? VERDICT_PASSED
                        : end(&loaded, VERDICT_FAILED, "%s '%s' has no sentence", what, of);
}

static Verdict case_symbol(void *context, char *reason, size_t size)
{
    const Subject *subject = context;
    const Loaded loaded = { .subject = subject, .reason = reason, .size = size };
    char names[400];

    if (!ModuleForeignSymbols(subject->path, names, sizeof names)) {
        return end(&loaded, VERDICT_FAILED, "it is not a shared object that can be read");
    }
    return names[0] == '\0'
               ? VERDICT_PASSED
               : end(&loaded, VERDICT_FAILED,
                     "it exports more than its descriptor (compile with -fvisibility=hidden): %s",
                     names);
}

/* ---- parameters ---- */

static Verdict case_defaults(void *context, char *reason, size_t size)
{
    Loaded loaded;
    OpprofHarness *harness = NULL;
    OpprofError *error = NULL;
    Verdict verdict = prepare(&loaded, context, reason, size);

    if (verdict == VERDICT_PASSED && loaded.types.missing != NULL) {
        return make(&loaded, &(Wish){ .failure = 0 }, &harness);
    }
    if (verdict == VERDICT_PASSED) {
        const OpprofHarnessOptions options = { .params_json = loaded.params,
                                               .input_types = loaded.types.types };
        bool has_required = false;

        for (uint32_t i = 0; i < loaded.plugin->param_count; i++) {
            has_required =
                has_required || (loaded.plugin->params[i].flags & OPPROF_PARAM_REQUIRED) != 0;
        }
        if (OpprofHarnessCreate(loaded.plugin, &options, &harness, &error) != OPPROF_OK) {
            return end_with(&loaded, has_required ? VERDICT_SKIPPED : VERDICT_FAILED, error);
        }
        OpprofHarnessDestroy(harness);
    }
    return verdict;
}

/* Whether a plugin takes a value that it must not. */
static bool takes(const Loaded *loaded, const OpprofParam *param, const char *value)
{
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    char *params = NULL;
    bool is_taken = false;

    if (pipeline != NULL && asprintf(&params, "{\"%s\": %s}", param->name, value) >= 0) {
        is_taken =
            AddPluginDescriptor(pipeline, "stage", loaded->plugin, params, NULL) == OPPROF_OK;
        free(params);
    }
    OpprofPipelineDestroy(pipeline);
    return is_taken;
}

static Verdict case_parameters(void *context, char *reason, size_t size)
{
    Loaded loaded;
    Verdict verdict = prepare(&loaded, context, reason, size);

    for (uint32_t i = 0; verdict == VERDICT_PASSED && i < loaded.plugin->param_count; i++) {
        char *value;

        for (unsigned w = 0; verdict == VERDICT_PASSED &&
                             (value = SampleWrongValue(&loaded.plugin->params[i], w)) != NULL;
             w++) {
            if (takes(&loaded, &loaded.plugin->params[i], value)) {
                verdict = end(&loaded, VERDICT_FAILED, "parameter '%s' takes %s",
                              loaded.plugin->params[i].name, value);
            }
            free(value);
        }
    }
    return verdict;
}

/* ---- life ---- */

static void create_and_destroy(const Loaded *loaded)
{
    OpprofPipeline *pipeline = OpprofPipelineCreate();

    if (pipeline != NULL) {
        AddPluginDescriptor(pipeline, "stage", loaded->plugin, loaded->params, NULL);
    }
    OpprofPipelineDestroy(pipeline);
}

static Verdict case_create_destroy(void *context, char *reason, size_t size)
{
    Loaded loaded;
    Verdict verdict = prepare(&loaded, context, reason, size);
    long before = 0;

    for (unsigned i = 0; verdict == VERDICT_PASSED && i < ROUNDS; i++) {
        if (i == WARM_ROUNDS) {
            before = AllocationsLive();
        }
        create_and_destroy(&loaded);
    }
    /* Memory that is kept once a process, such as a cache, does not grow with the rounds. */
    if (verdict == VERDICT_PASSED && AllocationsLive() - before >= ROUNDS / 4) {
        return end(&loaded, VERDICT_FAILED,
                   "create and destroy, %d times, leak %ld blocks of memory", ROUNDS - WARM_ROUNDS,
                   AllocationsLive() - before);
    }
    return verdict;
}

/* Destroyed after create, configure, start, in the middle of its input, after an abort and after
 * its whole life. */
static Verdict case_states(void *context, char *reason, size_t size)
{
    static const Wish wishes[] = {
        { .failure = OPPROF_HARNESS_FAIL_CONFIGURE, .without_records = true },
        { .failure = OPPROF_HARNESS_FAIL_START, .without_records = true },
        { .failure = OPPROF_HARNESS_FAIL_NEIGHBOUR, .without_records = true },
        { .failure = OPPROF_HARNESS_FAIL_INPUT, .batch_records = 7 },
        { .failure = OPPROF_HARNESS_FAIL_ABORT, .batch_records = 1, .queue_batches = 1 },
        { .failure = OPPROF_HARNESS_FAIL_NOTHING },
    };
    Verdict verdict = VERDICT_PASSED;

    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0] && verdict != VERDICT_FAILED; i++) {
        verdict = run_with(context, reason, size, &wishes[i]);
        /* here the harness must be refused */
        verdict = verdict == VERDICT_SKIPPED && strstr(reason, "on purpose") != NULL
                      ? VERDICT_PASSED
                      : verdict;
    }
    return verdict;
}

static Verdict case_start(void *context, char *reason, size_t size)
{
    return run_with(context, reason, size,
                    &(Wish){ .failure = OPPROF_HARNESS_FAIL_NEIGHBOUR, .without_records = true });
}

static Verdict case_no_input(void *context, char *reason, size_t size)
{
    return run_with(context, reason, size, &(Wish){ .without_records = true });
}

static Verdict case_failed_input(void *context, char *reason, size_t size)
{
    return run_with(context, reason, size,
                    &(Wish){ .failure = OPPROF_HARNESS_FAIL_INPUT, .batch_records = 7 });
}

static Verdict case_abort(void *context, char *reason, size_t size)
{
    return run_with(
        context, reason, size,
        &(Wish){ .failure = OPPROF_HARNESS_FAIL_ABORT, .batch_records = 1, .queue_batches = 1 });
}

static Verdict case_read_only(void *context, char *reason, size_t size)
{
    return run_with(context, reason, size,
                    &(Wish){ .flags = OPPROF_HARNESS_READ_ONLY, .batch_records = 7 });
}

static Verdict case_absent(void *context, char *reason, size_t size)
{
    return run_with(context, reason, size, &(Wish){ .with_absent = true });
}

/* ---- the same result ---- */

typedef struct Texts {
    char **texts;
    size_t count;
    size_t capacity;
} Texts;

static void keep(Texts *texts, char *text)
{
    if (text != NULL &&
        OpprofGrow(&texts->texts, &texts->capacity, texts->count + 1, sizeof(char *))) {
        texts->texts[texts->count++] = text;
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

static void keep_file(Texts *texts, const char *directory, const char *name)
{
    char *path = NULL;
    char *line = NULL;
    size_t size = 0;
    FILE *file;

    if (asprintf(&path, "%s/%s", directory, name) < 0) {
        return;
    }
    file = fopen(path, "r");
    while (file != NULL && getline(&line, &size, file) >= 0) {
        char *text = NULL;

        if (asprintf(&text, "%s: %s", name, line) >= 0) {
            keep(texts, text);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    free(line);
    free(path);
}

/* Files of lines; others hold offsets and sizes that depend on how the data arrived. */
static bool is_lines(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot != NULL &&
           (strcmp(dot, ".csv") == 0 || strcmp(dot, ".tsv") == 0 || strcmp(dot, ".txt") == 0);
}

static void keep_files(Texts *texts, const char *directory)
{
    DIR *stream = opendir(directory);
    const struct dirent *entry;

    while (stream != NULL && (entry = readdir(stream)) != NULL) {
        if (is_lines(entry->d_name) && strcmp(entry->d_name, "INCOMPLETE.txt") != 0) {
            keep_file(texts, directory, entry->d_name);
        }
    }
    if (stream != NULL) {
        closedir(stream);
    }
}

/* Each run has a directory of its own. */
static void hide(char *text, const char *directory)
{
    for (char *at = text; (at = strstr(at, directory)) != NULL;) {
        memset(at, '.', strlen(directory));
    }
}

static Texts collect(const OpprofHarness *harness, const OpprofPlugin *plugin)
{
    Texts texts = { .count = 0 };

    for (uint32_t port = 0; port < plugin->output_count; port++) {
        for (size_t i = 0; i < OpprofHarnessCount(harness, port); i++) {
            char *text = NULL;

            if (asprintf(&text, "%s of '%s': %s", plugin->outputs[port].name,
                         OpprofHarnessPartition(harness, port, i),
                         OpprofHarnessLine(harness, port, i)) >= 0) {
                hide(text, OpprofHarnessDirectory(harness));
                keep(&texts, text);
            }
        }
    }
    keep_files(&texts, OpprofHarnessDirectory(harness));
    if (texts.count > 0) {
        qsort(texts.texts, texts.count, sizeof(char *), by_text);
    }
    return texts;
}

static void free_texts(Texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        free(texts->texts[i]);
    }
    free(texts->texts);
}

static Verdict results(const Loaded *loaded, const Wish *wish, Texts *ret_texts)
{
    OpprofHarness *harness = NULL;
    OpprofError *error = NULL;
    Verdict verdict = make(loaded, wish, &harness);

    *ret_texts = (Texts){ .count = 0 };
    if (verdict == VERDICT_PASSED) {
        OpprofHarnessRun(harness, &error);
        OpprofErrorDestroy(error);
        *ret_texts = collect(harness, loaded->plugin);
        OpprofHarnessDestroy(harness);
    }
    return verdict;
}

/* With real records at least one row is expected. */
static Verdict replay(const Loaded *loaded)
{
    const Replay replay = { .pipeline = loaded->pipeline,
                            .plugin = loaded->plugin,
                            .types = &loaded->types,
                            .params = loaded->params,
                            .recordings = loaded->subject->recordings,
                            .count = loaded->subject->recording_count };
    OpprofError *error = NULL;
    bool has_rows = false;

    if (ReplayRun(&replay, &has_rows, &error) != OPPROF_OK) {
        return end_with(loaded, VERDICT_FAILED, error);
    }
    return has_rows ? VERDICT_PASSED
                    : end(loaded, VERDICT_FAILED,
                          "no row came out of the recordings: the code that makes rows was never "
                          "reached");
}

/* Without any row, the code that makes rows was never reached, and the other cases prove less. */
static Verdict case_rows(void *context, char *reason, size_t size)
{
    Loaded loaded;
    Texts texts = { .count = 0 };
    Verdict verdict = prepare(&loaded, context, reason, size);

    if (verdict == VERDICT_PASSED && loaded.subject->recording_count > 0) {
        return replay(&loaded);
    }
    if (verdict == VERDICT_PASSED) {
        verdict = results(&loaded, &(Wish){ .batch_records = 0 }, &texts);
    }
    if (verdict == VERDICT_PASSED && texts.count == 0) {
        verdict = end(&loaded, VERDICT_SKIPPED,
                      "no row came out of the made-up records: the code that makes rows was never "
                      "reached");
    }
    free_texts(&texts);
    return verdict;
}

static Verdict compare(const Loaded *loaded, const Texts *a, const Texts *b, const char *what)
{
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        if (strcmp(a->texts[i], b->texts[i]) != 0) {
            return end(loaded, VERDICT_FAILED, "%s the result differs: '%.200s' and '%.200s'", what,
                       a->texts[i], b->texts[i]);
        }
    }
    return a->count == b->count ? VERDICT_PASSED
                                : end(loaded, VERDICT_FAILED, "%s %zu records or lines become %zu",
                                      what, a->count, b->count);
}

static Verdict same_result(void *context, char *reason, size_t size, const Wish *wishes,
                           const char *const *what, size_t count)
{
    Loaded loaded;
    Texts first, other;
    Verdict verdict = prepare(&loaded, context, reason, size);

    if (verdict == VERDICT_PASSED) {
        verdict = results(&loaded, &(Wish){ .batch_records = 0 }, &first);
    }
    for (size_t i = 0; i < count && verdict == VERDICT_PASSED; i++) {
        verdict = results(&loaded, &wishes[i], &other);
        if (verdict == VERDICT_PASSED) {
            verdict = compare(&loaded, &first, &other, what[i]);
        }
        free_texts(&other);
    }
    return verdict;
}

static Verdict case_batch_sizes(void *context, char *reason, size_t size)
{
    static const Wish wishes[] = { { .batch_records = 1 }, { .batch_records = 7 } };
    static const char *const what[] = { "with batches of one record", "with batches of 7 records" };

    return same_result(context, reason, size, wishes, what, 2);
}

static Verdict case_partitions(void *context, char *reason, size_t size)
{
    static const Wish wishes[] = {
        { .flags = OPPROF_HARNESS_REVERSED },
        { .flags = OPPROF_HARNESS_ROTATED },
        { .flags = OPPROF_HARNESS_ROTATED | OPPROF_HARNESS_REVERSED, .batch_records = 3 },
    };
    static const char *const what[] = { "with partitions in the opposite order",
                                        "with the first partition last",
                                        "with partitions in a third order" };

    return same_result(context, reason, size, wishes, what, 3);
}

/* ---- what it must leave alone ---- */

static char unreturned[300];

static void note_unreturned(void *context, OpprofLogLevel level, const char *text)
{
    (void) context;
    (void) level;
    if (strstr(text, "without giving back") != NULL) {
        snprintf(unreturned, sizeof unreturned, "%s", text);
    }
}

static Verdict case_batches(void *context, char *reason, size_t size)
{
    Loaded loaded;
    OpprofHarness *harness = NULL;
    OpprofError *error = NULL;
    Verdict verdict = prepare(&loaded, context, reason, size);
    uint32_t missing = 0;

    if (verdict == VERDICT_PASSED) {
        verdict = make(&loaded, &(Wish){ .batch_records = 7 }, &harness);
    }
    if (verdict != VERDICT_PASSED) {
        return verdict;
    }
    OpprofHarnessRun(harness, &error);
    OpprofErrorDestroy(error);
    OpprofLogSetLevel(OPPROF_LOG_WARNING);
    OpprofLogSetSink(note_unreturned, NULL);
    missing = OpprofHarnessDestroy(harness);
    OpprofLogSetSink(NULL, NULL);
    if (missing > 0) {
        return end(&loaded, VERDICT_FAILED, "%u batches that it was lent were never given back",
                   missing);
    }
    return unreturned[0] == '\0' ? VERDICT_PASSED : end(&loaded, VERDICT_FAILED, "%s", unreturned);
}

static Verdict case_unref(void *context, char *reason, size_t size)
{
    return run_with(context, reason, size, &(Wish){ .batch_records = 7, .queue_batches = 1 });
}

/*
 * A thread that was waited for may still be listed for a moment. Its task says that it is ending:
 * the kernel sets that flag before it notifies anyone.
 */
static bool is_ending_thread(const char *number)
{
    char text[TASK_STAT_BYTES];
    const char *stat = TaskStat(number, text);
    unsigned long flags = 0;

    return stat == NULL ||
           (sscanf(stat, ") %*c %*d %*d %*d %*d %*d %lu", &flags) == 1 && (flags & TASK_ENDS) != 0);
}

static unsigned count_threads(void)
{
    DIR *stream = opendir("/proc/self/task");
    const struct dirent *entry;
    unsigned count = 0;

    while (stream != NULL && (entry = readdir(stream)) != NULL) {
        count += entry->d_name[0] != '.' && !is_ending_thread(entry->d_name);
    }
    if (stream != NULL) {
        closedir(stream);
    }
    return count;
}

static unsigned count_entries(const char *directory)
{
    DIR *stream = opendir(directory);
    unsigned count = 0;

    while (stream != NULL && readdir(stream) != NULL) {
        count++;
    }
    if (stream != NULL) {
        closedir(stream);
    }
    return count;
}

/* State of the process, which a plugin must not change. */
typedef struct ProcessState {
    char directory[1000];
    char locale[200];
    mode_t mask;
    struct sigaction interrupt, terminate;
    struct stat standard[3]; /* input, output and error; of a closed one nothing */
    unsigned threads, descriptors;
} ProcessState;

static ProcessState look_at_process(void)
{
    ProcessState state = { .threads = count_threads(),
                           .descriptors = count_entries("/proc/self/fd") };
    const char *locale = setlocale(LC_ALL, NULL);

    if (getcwd(state.directory, sizeof state.directory) == NULL) {
        state.directory[0] = '\0';
    }
    snprintf(state.locale, sizeof state.locale, "%s", locale != NULL ? locale : "");
    state.mask = umask(0);
    umask(state.mask);
    sigaction(SIGINT, NULL, &state.interrupt);
    sigaction(SIGTERM, NULL, &state.terminate);
    for (int i = 0; i < 3; i++) {
        if (fstat(i, &state.standard[i]) != 0) {
            state.standard[i] = (struct stat){ .st_ino = 0 };
        }
    }
    return state;
}

static bool are_standard_same(const ProcessState *a, const ProcessState *b)
{
    for (int i = 0; i < 3; i++) {
        if (a->standard[i].st_dev != b->standard[i].st_dev ||
            a->standard[i].st_ino != b->standard[i].st_ino) {
            return false;
        }
    }
    return true;
}

static const char *changed(const ProcessState *a, const ProcessState *b)
{
    return strcmp(a->directory, b->directory) != 0 ? "the working directory"
           : strcmp(a->locale, b->locale) != 0     ? "the locale"
           : a->mask != b->mask                    ? "the umask"
           : a->interrupt.sa_handler != b->interrupt.sa_handler ||
                   a->terminate.sa_handler != b->terminate.sa_handler
               ? "what a signal does"
           : !are_standard_same(a, b) ? "standard input, output or error"
                                      : NULL;
}

/* Twice, since what the first run opens may be for the process. */
static Verdict observe(void *context, char *reason, size_t size, ProcessState states[2])
{
    Verdict verdict = VERDICT_PASSED;

    for (int i = 0; i < 2 && verdict == VERDICT_PASSED; i++) {
        verdict = run_with(context, reason, size, &(Wish){ .batch_records = 7 });
        states[i] = look_at_process();
    }
    return verdict;
}

static void end_by(int signal_number)
{
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static Verdict case_process(void *context, char *reason, size_t size)
{
    const Loaded loaded = { .reason = reason, .size = size };

    /* A shell may have begun this program with signals ignored; with a handler every change can be
     * seen. */
    signal(SIGINT, end_by);
    signal(SIGTERM, end_by);
    const ProcessState before = look_at_process();
    ProcessState states[2];
    const Verdict verdict = observe(context, reason, size, states);
    const char *what = changed(&before, &states[0]);

    if (verdict != VERDICT_PASSED) {
        return verdict;
    }
    return what == NULL ? VERDICT_PASSED : end(&loaded, VERDICT_FAILED, "it changed %s", what);
}

/*
 * An emulator lets a thread be joined that its own kernel still lists as running. One that is on
 * its way out does not sleep for long; the last limit is for threads that never do. No event
 * reports that a thread of a plugin has ended or gone to sleep, so this looks again after a pause,
 * but only while there are more threads than before.
 */
static bool stay_more_than(unsigned threads)
{
    const struct timespec pause = { .tv_nsec = 10000000 };
    unsigned asleep = 0;

    for (unsigned looks = 0; count_threads() > threads; looks++) {
        if (asleep == ASLEEP_LOOKS || looks == MOST_LOOKS) {
            return true;
        }
        nanosleep(&pause, NULL);
        asleep = TasksOthersAreAsleep() ? asleep + 1 : 0;
    }
    return false;
}

static Verdict case_threads(void *context, char *reason, size_t size)
{
    const Loaded loaded = { .reason = reason, .size = size };
    ProcessState states[2];
    const Verdict verdict = observe(context, reason, size, states);

    if (verdict == VERDICT_PASSED && stay_more_than(states[0].threads)) {
        return end(&loaded, VERDICT_FAILED, "each run leaves a thread running");
    }
    return verdict;
}

static Verdict case_descriptors(void *context, char *reason, size_t size)
{
    const Loaded loaded = { .reason = reason, .size = size };
    ProcessState states[2];
    const Verdict verdict = observe(context, reason, size, states);

    /* the pipeline of each of the two runs is still there, with a descriptor of its own */
    if (verdict == VERDICT_PASSED && states[1].descriptors > states[0].descriptors + 1) {
        return end(&loaded, VERDICT_FAILED, "each run leaves %u files open",
                   states[1].descriptors - states[0].descriptors - 1);
    }
    return verdict;
}

static Verdict case_exit(void *context, char *reason, size_t size)
{
    return run_with(context, reason, size, &(Wish){ .batch_records = 0 });
}

/* ---- lack of memory ---- */

/* Allocations of a whole life; one of them fails. */
static long run_short_of_memory(const Loaded *loaded, long fail_at, const void *inside)
{
    OpprofHarness *harness = NULL;

    AllocationsCount(fail_at, inside);
    if (make(loaded, &(Wish){ .batch_records = 7 }, &harness) == VERDICT_PASSED) {
        OpprofHarnessRun(harness, NULL);
        OpprofHarnessDestroy(harness);
    }
    return AllocationsStop();
}

static Verdict fail_one(const Loaded *loaded, long number, const void *inside)
{
    const pid_t child = fork();
    int status = 0;

    if (child == 0) {
        alarm(10);
        run_short_of_memory(loaded, number, inside);
        _exit(0);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return VERDICT_PASSED;
    }
    const bool is_killed = WIFSIGNALED(status);
    const bool is_late = is_killed && WTERMSIG(status) == SIGALRM;

    return end(loaded, VERDICT_FAILED, "allocation %ld%s failed, and it %s%s", number,
               inside != NULL ? " of its own" : "",
               is_late     ? "hung"
               : is_killed ? "crashed: "
                           : "ended the program",
               is_killed && !is_late ? strsignal(WTERMSIG(status)) : "");
}

/* Some of many allocations, spread over the whole life. */
static Verdict fail_each(const Loaded *loaded, const void *inside)
{
    const long count = run_short_of_memory(loaded, 0, inside);
    const long step = count / loaded->subject->most_allocations + 1;
    Verdict verdict = VERDICT_PASSED;

    for (long number = 1; number <= count && verdict == VERDICT_PASSED; number += step) {
        verdict = fail_one(loaded, number, inside);
    }
    return verdict;
}

static Verdict case_memory(void *context, char *reason, size_t size)
{
    Loaded loaded;
    OpprofHarness *harness = NULL;
    Verdict verdict = prepare(&loaded, context, reason, size);

    if (verdict != VERDICT_PASSED) {
        return verdict;
    }
    if (!AllocationsAreSeen()) {
        return end(&loaded, VERDICT_SKIPPED, "a sanitizer has the allocator");
    }
    verdict = make(&loaded, &(Wish){ .batch_records = 7 }, &harness);
    OpprofHarnessDestroy(harness);
    if (verdict != VERDICT_PASSED) {
        return verdict;
    }
    verdict = fail_each(&loaded, loaded.plugin);
    return verdict == VERDICT_PASSED ? fail_each(&loaded, NULL) : verdict;
}

const Case cases[] = {
    { "loads", "it loads, and its descriptor makes sense", case_loads, 10 },
    { "texts", "licence, ports, fields and parameters say what they are", case_texts, 10 },
    { "symbol", "it exports its descriptor and nothing else", case_symbol, 10 },
    { "defaults", "the defaults of its parameters satisfy their own table", case_defaults, 10 },
    { "parameters", "each parameter refuses a wrong type and range", case_parameters, 10 },
    { "create-destroy", "create and destroy, 1,000 times, leak nothing", case_create_destroy, 30 },
    { "states", "destroy works in every earlier state", case_states, 10 },
    { "start", "it is unwound when another stage's start fails", case_start, 10 },
    { "no-input", "it ends without input", case_no_input, 20 },
    { "failed-input", "it ends when its input fails", case_failed_input, 20 },
    { "rows", "records give rows or lines", case_rows, 20 },
    { "batch-sizes", "batches of 1, 7 and all records give the same result", case_batch_sizes, 30 },
    { "partitions", "the order of partitions does not matter", case_partitions, 30 },
    { "abort", "it ends at once when a push is refused", case_abort, 20 },
    { "read-only", "it does not write into batches that it is given", case_read_only, 20 },
    { "absent", "absent values do no harm", case_absent, 20 },
    { "batches", "it gives back every batch that it took", case_batches, 20 },
    { "unref", "it gives back no batch twice, and none that it is only lent", case_unref, 20 },
    { "exit", "it does not end the program", case_exit, 20 },
    { "process", "directory, locale, umask, signals and standard files stay as they are",
      case_process, 20 },
    { "threads", "it leaves no thread running", case_threads, 20 },
    { "descriptors", "it leaves no file open", case_descriptors, 20 },
    { "memory", "a failing allocation is an error, not a crash", case_memory, 60 },
};
const size_t case_count = sizeof cases / sizeof cases[0];
