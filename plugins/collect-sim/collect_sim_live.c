/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-sim-live: runs a program on a simulator, and brings in its operators. Descriptor, parameters, life.
 * Tested by tests/refchip/test_live.sh.
 */
#include "choices.h"
#include "collect-sim/live/operators.h"
#include "collect-sim/live/paths.h"
#include "collect-sim/read/reader.h"
#include <opprof/kit/live_host.h>
#include <opprof/pipeline.h>
#include <opprof/records/sim.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STEP_MS 50       /* so that a request to stop is seen soon */
#define GRACE_MS 3000    /* from asking the program to end to making it */
#define LINGER_STEPS 40u /* without a word from processes that outlive the program */

typedef enum LivePhase {
    LIVE_RUNNING = 0, /* the program runs */
    LIVE_LINGERING,   /* it has ended; its processes may be talking still */
    LIVE_OTHERS,      /* operators after the first are parsed, one after the other */
    LIVE_DONE
} LivePhase;

typedef struct Live {
    OpprofStage *stage;
    const OpprofParams *params;
    uint64_t core_ids;
    OpprofLiveApp app;
    OpprofLiveServer *server;
    LiveOperators operators;
    LivePhase phase;
    unsigned quiet_steps;
    uint32_t next_other;
    struct timespec started;
    bool was_ended; /* the program did not end by itself */
    Reader reader;  /* the first operator's */
    bool has_read;  /* all of it */
    bool is_reading;
} Live;

static OpprofStatus live_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Live *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create a collector");
    }
    self->stage = self->reader.reading.stage = self->operators.stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

/* ---- parameters ---- */

static bool is_on(const OpprofParams *params, const char *name)
{
    return strcmp(OpprofParamsString(params, name), "on") == 0;
}

static OpprofStatus check_names(const OpprofParams *params, const char *name, bool stars,
                                OpprofError **error)
{
    const char *names = OpprofParamsString(params, name);

    if (names == NULL || *names == '\0' ||
        (OpprofLiveNamesAreGood(names) && (stars || strchr(names, '*') == NULL))) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter %s: '%s' is not a list of names", name,
                   names);
    OpprofErrorHint(error,
                    "Write names of letters, digits and '_'%s with '|' between, less than 1023 "
                    "characters in all",
                    stars ? ", '*' for any text," : "");
    return OPPROF_E_ARGUMENT;
}

static OpprofStatus live_configure(void *instance, const OpprofParams *params, OpprofError **error)
{
    Live *self = instance;
    const char *include = OpprofParamsString(params, "mstx_include");
    OpprofStatus status = ChoicesCheck(params, &self->core_ids, error);

    self->params = params;
    if (status == OPPROF_OK) {
        status = check_names(params, "kernel_name", true, error);
    }
    if (status == OPPROF_OK) {
        status = check_names(params, "mstx_include", false, error);
    }
    if (status == OPPROF_OK && include != NULL && *include != '\0' && !is_on(params, "mstx")) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter mstx_include needs mstx=on");
        return OPPROF_E_ARGUMENT;
    }
    return status == OPPROF_OK
               ? OpprofLiveAppParse(&self->app, OpprofParamsString(params, "app"), error)
               : status;
}

/* ---- start ---- */

static OpprofLiveWelcome welcome_of(const OpprofParams *params)
{
    const char *include = OpprofParamsString(params, "mstx_include");
    OpprofLiveWelcome welcome = { .magic = OPPROF_LIVE_MAGIC, .version = OPPROF_LIVE_VERSION };

    welcome.flags = (ChoicesHasMetric(params, CHOICES_SAMPLING) ? OPPROF_LIVE_WANT_MTE : 0) |
                    (ChoicesHasMetric(params, CHOICES_OVERHEAD) ? OPPROF_LIVE_WANT_OVERHEAD : 0) |
                    (is_on(params, "mstx") ? OPPROF_LIVE_WANT_MSTX : 0);
    snprintf(welcome.mstx_include, sizeof welcome.mstx_include, "%s",
             include == NULL ? "" : include);
    return welcome;
}

static OpprofStatus find_inject(const char **ret_path, OpprofError **error)
{
    const char *path = secure_getenv("OPPROF_INJECT_LIBRARY");

    *ret_path = path != NULL ? path : INJECT_LIBRARY;
    if (access(*ret_path, R_OK) == 0) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_IO, "Cannot read the injection library '%s'", *ret_path);
    OpprofErrorHint(error,
                    "Install opprof as a whole, or name the library with OPPROF_INJECT_LIBRARY");
    return OPPROF_E_IO;
}

static OpprofStatus refuse_old_dump(const Live *self, OpprofError **error)
{
    char *path = NULL;
    bool is_there;

    if (asprintf(&path, "%s/dump", OpprofOutputDirectoryPath(OpprofStageOutput(self->stage))) < 0) {
        return OpprofErrorNoMemory(error, "start the program");
    }
    is_there = access(path, F_OK) == 0;
    if (is_there) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT, "'%s' is there already", path);
        OpprofErrorHint(error, "Remove it, or choose another directory for results");
    }
    free(path);
    return is_there ? OPPROF_E_ARGUMENT : OPPROF_OK;
}

static OpprofStatus check_paths(const Live *self, const char *inject, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (!is_on(self->params, "unsafe_paths")) {
        status = LivePathsCheckFile(inject, error);
        if (status == OPPROF_OK) {
            status = LivePathsCheckResults(
                OpprofOutputDirectoryPath(OpprofStageOutput(self->stage)), error);
        }
    }
    return status == OPPROF_OK ? refuse_old_dump(self, error) : status;
}

static OpprofStatus live_start(void *instance, OpprofError **error)
{
    Live *self = instance;
    const OpprofLiveWelcome welcome = welcome_of(self->params);
    const OpprofLiveEvents events = LiveOperatorsEvents(&self->operators);
    OpprofLiveAppPlace place = { .soc = ChoicesChip(self->params), .is_simulated = true };
    OpprofStatus status = find_inject(&place.inject, error);

    self->operators.chip = ChoicesChip(self->params);
    self->operators.has_flags = ChoicesHasMetric(self->params, CHOICES_CONFLICTS);
    self->operators.filter = (OpprofLiveFilter){
        .names = OpprofParamsString(self->params, "kernel_name"),
        .launch_count = (uint32_t) OpprofParamsInt(self->params, "launch_count"),
        .launch_skip = (uint32_t) OpprofParamsInt(self->params, "launch_skip")
    };
    if (status == OPPROF_OK) {
        status = check_paths(self, place.inject, error);
    }
    if (status == OPPROF_OK) {
        status = LiveDumpsOpen(&self->operators.dumps,
                               OpprofOutputDirectoryPath(OpprofStageOutput(self->stage)), error);
    }
    if (status == OPPROF_OK) {
        status = OpprofLiveServerCreate(&welcome, &events, &self->server, error);
    }
    if (status == OPPROF_OK) {
        place.socket = OpprofLiveServerName(self->server);
        place.log_path = self->operators.dumps.directory;
        status = OpprofLiveAppStart(&self->app, &place, error);
    }
    clock_gettime(CLOCK_MONOTONIC, &self->started);
    return status;
}

/* ---- the program ---- */

static void end_program(Live *self)
{
    self->was_ended = true;
    OpprofLiveAppEnd(&self->app, GRACE_MS);
}

static bool is_late(const Live *self)
{
    const int64_t minutes = OpprofParamsInt(self->params, "timeout");
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return minutes > 0 && now.tv_sec - self->started.tv_sec >= 60 * minutes;
}

static void tell_end(Live *self)
{
    const int status = self->app.status;

    if (self->was_ended) {
        return;
    }
    if (WIFSIGNALED(status)) {
        OpprofStageIncomplete(self->stage, "'%s' was ended by signal %d (%s)", self->app.words[0],
                              WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) != 0) {
        OpprofStageIncomplete(self->stage, "'%s' ended with exit code %d", self->app.words[0],
                              WEXITSTATUS(status));
    }
}

static void watch_program(Live *self)
{
    if (is_on(self->params, "kill") && self->operators.wants_end) {
        end_program(self);
    } else if (is_late(self)) {
        OpprofStageIncomplete(self->stage, "'%s' was stopped after %lld minutes (timeout)",
                              self->app.words[0],
                              (long long) OpprofParamsInt(self->params, "timeout"));
        end_program(self);
    }
    if (OpprofLiveAppHasEnded(&self->app)) {
        tell_end(self);
        self->phase = LIVE_LINGERING;
    }
}

/* What was sent is read to the end; processes that stay are waited for while they say something. */
static void linger(Live *self, unsigned spoke)
{
    self->quiet_steps = spoke > 0 ? 0 : self->quiet_steps + 1;
    if (OpprofLiveServerClients(self->server) == 0 && spoke == 0) {
        self->quiet_steps = LINGER_STEPS;
    }
    if (self->quiet_steps >= LINGER_STEPS) {
        LiveOperatorsCut(&self->operators);
        self->phase = LIVE_OTHERS;
    }
}

/* ---- operators ---- */

/* An operator that left nothing to read costs itself alone. */
static OpprofStatus leave_first_out(Live *self, OpprofStatus status, OpprofError **error)
{
    if (status == OPPROF_E_MEMORY || status == OPPROF_E_ARGUMENT) {
        return status;
    }
    OpprofStageIncomplete(self->stage, "Operator '%s' cannot be read: %s",
                          LiveOperatorsFirst(&self->operators)->name, OpprofErrorMessage(*error));
    OpprofErrorDestroy(*error);
    *error = NULL;
    self->is_reading = false;
    self->has_read = true;
    return OPPROF_OK;
}

static OpprofStatus read_first(Live *self, OpprofError **error)
{
    const LiveOperator *first = LiveOperatorsFirst(&self->operators);
    OpprofStatus status;

    if (!self->is_reading) {
        const ReaderSource source = { .dump = first->spool.directory,
                                      .chip = OpprofChipSoc(self->operators.facts.chip),
                                      .max_file_size = INT64_MAX,
                                      .core_ids = self->core_ids };

        self->is_reading = true;
        status = ReaderOpen(&self->reader, self->params, &source, error);
        if (OpprofFailed(status)) {
            return leave_first_out(self, status, error);
        }
        LiveCountsGive(&self->operators.counts, self->reader.reading.work);
        return OPPROF_OK;
    }
    status = ReaderStep(&self->reader, error);
    if (status == OPPROF_END) {
        self->has_read = true;
        return OPPROF_OK;
    }
    return status;
}

/* An operator after the first: a run of sim-dump over its dump, beside it. */
static OpprofStatus parse_other(Live *self, const LiveOperator *operator, OpprofError ** error)
{
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    OpprofRunReport report = { .reason = NULL };
    const char *const names[] = { "metrics", "core_id" };
    char *results =
        strndup(operator->spool.directory, strlen(operator->spool.directory) - strlen("/dump"));
    OpprofStatus status =
        pipeline == NULL || results == NULL
            ? OpprofErrorNoMemory(error, "parse operator '%s'", operator->name)
            : OpprofPipelineSet(pipeline, "input", operator->spool.directory, error);

    if (status == OPPROF_OK) {
        status =
            OpprofPipelineSet(pipeline, "chip", OpprofChipSoc(self->operators.facts.chip), error);
    }
    for (unsigned i = 0; i < 2 && status == OPPROF_OK; i++) {
        char text[512] = "";

        for (size_t k = 0; k < OpprofParamsCount(self->params, names[i]); k++) {
            const size_t used = strlen(text);

            snprintf(text + used, sizeof text - used, "%s%s", k == 0 ? "" : ",",
                     OpprofParamsElement(self->params, names[i], k));
        }
        if (text[0] != '\0') {
            status = OpprofPipelineSet(pipeline, names[i], text, error);
        }
    }
    if (status == OPPROF_OK) {
        status = OpprofPipelineLoad(pipeline, "sim-dump", error);
    }
    if (status == OPPROF_OK) {
        status = OpprofPipelineSetOutput(pipeline, results, true, error);
    }
    if (status == OPPROF_OK) {
        status = RunAllPlugins(pipeline, &report, error);
        if (report.outcome != OPPROF_RUN_COMPLETE) {
            OpprofStageIncomplete(
                self->stage, "Operator '%s' in '%s' is not complete: %s", operator->name, results,
                report.reason == NULL ? "see its run.json" : report.reason);
        }
    }
    OpprofRunReportFinish(&report);
    OpprofPipelineDestroy(pipeline);
    free(results);
    return status;
}

static void tidy(const Live *self, const LiveOperator *operator)
{
    if (!is_on(self->params, "dump")) {
        LiveSpoolRemoveLogs(&operator->spool);
    }
}

/* The next operator after the first; it costs itself alone when it cannot be parsed. */
static void parse_next(Live *self)
{
    const LiveOperator *operator= self->operators.operators[self->next_other++];
    OpprofError *error = NULL;

    if (OpprofFailed(parse_other(self, operator, & error))) {
        OpprofStageIncomplete(self->stage, "Operator '%s' cannot be parsed: %s", operator->name,
                              OpprofErrorMessage(error));
    }
    OpprofErrorDestroy(error);
    tidy(self, operator);
}

static void tell_nothing(const Live *self)
{
    const OpprofLiveFilter *filter = &self->operators.filter;

    if (self->operators.count > 0) {
        return;
    }
    if (self->operators.clients == 0) {
        OpprofStageIncomplete(self->stage,
                              "No operator was collected: '%s' did not use the runtime of a "
                              "simulator (libruntime_camodel.so, libascendcl.so)",
                              self->app.words[0]);
    } else if (filter->launches == 0) {
        OpprofStageIncomplete(self->stage, "No operator was collected: '%s' launched none%s",
                              self->app.words[0],
                              is_on(self->params, "mstx") ? " within an mstx range" : "");
    } else {
        OpprofStageIncomplete(self->stage,
                              "No operator was collected: %llu were launched, %llu of them after "
                              "those to skip and with a name that kernel_name has",
                              (unsigned long long) filter->launches,
                              (unsigned long long) filter->matches);
    }
}

/* The first operator, once it has ended, is read while the program goes on. */
static bool has_first_to_read(const Live *self)
{
    const LiveOperator *first = LiveOperatorsFirst(&self->operators);

    return first != NULL && first->has_ended && !self->has_read;
}

static OpprofStatus live_process(void *instance, uint32_t port, const OpprofBatch *batch,
                                 OpprofError **error)
{
    Live *self = instance;
    const bool reads = has_first_to_read(self);

    (void) port;
    (void) batch;
    OpprofStageProgress(self->stage, self->operators.count, 0, "operators");
    if (self->phase == LIVE_RUNNING || self->phase == LIVE_LINGERING) {
        const unsigned spoke = OpprofLiveServerStep(self->server, reads ? 0 : STEP_MS);

        if (self->phase == LIVE_RUNNING) {
            watch_program(self);
        } else {
            linger(self, spoke);
        }
    }
    if (reads) {
        return read_first(self, error);
    }
    if (self->phase == LIVE_OTHERS) {
        self->next_other += self->next_other == 0;
        if (self->next_other < self->operators.count) {
            parse_next(self);
        } else {
            tell_nothing(self);
            self->phase = LIVE_DONE;
        }
    }
    return self->phase == LIVE_DONE ? OPPROF_END : OPPROF_OK;
}

/* ---- end ---- */

/* The run ends early: so does the program, and what it has sent is read. */
static OpprofStatus stop_early(Live *self, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (self->server == NULL || self->phase == LIVE_DONE) {
        return OPPROF_OK;
    }
    end_program(self);
    while (OpprofLiveServerStep(self->server, 0) > 0) {
    }
    LiveOperatorsCut(&self->operators);
    while (has_first_to_read(self) && status == OPPROF_OK) {
        status = read_first(self, error);
    }
    self->phase = LIVE_DONE;
    return status;
}

static OpprofStatus live_flush(void *instance, OpprofError **error)
{
    Live *self = instance;
    OpprofStatus status = stop_early(self, error);

    if (status == OPPROF_OK && self->is_reading) {
        status = ReaderFlush(&self->reader, error);
    }
    return status;
}

static OpprofStatus live_stop(void *instance, OpprofError **error)
{
    Live *self = instance;
    const LiveOperator *first = LiveOperatorsFirst(&self->operators);

    (void) error;
    if (!OpprofLiveAppHasEnded(&self->app)) {
        end_program(self);
    }
    ReaderReset(&self->reader);
    if (self->reader.reading.work != NULL) {
        WorkDestroy(self->reader.reading.work);
        self->reader.reading.work = NULL;
    }
    if (first != NULL) {
        tidy(self, first);
    }
    OpprofLiveServerDestroy(self->server);
    self->server = NULL;
    LiveDumpsClose(&self->operators.dumps);
    return OPPROF_OK;
}

static void live_destroy(void *instance)
{
    Live *self = instance;

    OpprofLiveServerDestroy(self->server);
    LiveOperatorsFinish(&self->operators);
    OpprofLiveAppFinish(&self->app);
    free(self);
}

/* ---- descriptor ---- */

static const char *const on_off[] = { "on", "off", NULL };

static const OpprofParam params[] = {
    { .name = "app",
      .type = OPPROF_PARAM_STRING,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "Command line of the program to run, with quotes as in a shell." },
    CHOICES_PARAM_CHIP("SoC that is simulated, such as Ascend910B1; auto: the program's runtime "
                       "says. A named one's simulator is taken from ASCEND_HOME_PATH if it is "
                       "there."),
    CHOICES_PARAM_METRICS,
    CHOICES_PARAM_CORE_ID,
    { .name = "kernel_name",
      .type = OPPROF_PARAM_STRING,
      .summary = "Kernels to collect, '|' between: beginnings of names, or patterns with '*'; "
                 "default: any." },
    { .name = "launch_count",
      .type = OPPROF_PARAM_INT,
      .default_value = "1",
      .min = 1,
      .max = 5000,
      .summary = "Launches to collect from each process and device." },
    { .name = "launch_skip",
      .type = OPPROF_PARAM_INT,
      .default_value = "0",
      .min = 0,
      .max = 1000,
      .summary = "Launches of each process and device to let pass first, whatever their names." },
    { .name = "mstx",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "off",
      .choices = on_off,
      .summary = "Only launches within an mstx range that is open on their thread." },
    { .name = "mstx_include",
      .type = OPPROF_PARAM_STRING,
      .summary = "Messages of those ranges, '|' between; default: any. Needs mstx=on." },
    { .name = "kill",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "off",
      .choices = on_off,
      .summary = "End the program when a process has launch_count operators collected." },
    { .name = "dump",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "off",
      .choices = on_off,
      .summary = "Keep the records as dump files, which sim-dump reads, in dump/ of the results." },
    { .name = "unsafe_paths",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "off",
      .choices = on_off,
      .summary = "Go on where others than the user and root may change the injection library or "
                 "the directory of results." },
    { .name = "timeout",
      .type = OPPROF_PARAM_INT,
      .min = 1,
      .max = 2880,
      .unit = "min",
      .summary = "Stop the program after this time; default: never." },
};

static const OpprofPluginOps ops = { .struct_size = sizeof(OpprofPluginOps),
                                     .create = live_create,
                                     .configure = live_configure,
                                     .start = live_start,
                                     .process = live_process,
                                     .flush = live_flush,
                                     .stop = live_stop,
                                     .destroy = live_destroy };

OPPROF_PLUGIN_DEFINE(
        .name = "collect-sim-live", .version = "1.0.0", .license = "Apache-2.0",
        .summary = "Runs a program on a simulator and collects its operators.",
        .help = "A library preloaded into the program brings the log callbacks of the simulator "
                "here, while wanted operators run. The first operator goes to the ports; each "
                "further one is parsed by a run of sim-dump of its own, into "
                "device<N>/<kernel>/<n>/ of the results.",
        .kind = OPPROF_COLLECTOR, .outputs = emit_ports, .output_count = EMIT_PORT_COUNT,
        .params = params, .param_count = OPPROF_COUNT(params), .ops = &ops);
