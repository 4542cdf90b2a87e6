/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-onboard-live: runs a program on a device, profiles its launches, and brings in their raw files
 * while it goes on. Descriptor, parameters, life. Tested by tests/refchip/test_board.sh.
 */
#include "emit.h"
#include "live_launches.h"

#include <opprof/records/onboard.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEP_MS 50       /* so that a request to stop is seen soon */
#define GRACE_MS 3000    /* from asking the program to end to making it */
#define LINGER_STEPS 40u /* without a word from processes that outlive the program */

typedef enum LivePhase {
    LIVE_RUNNING = 0, /* the program runs */
    LIVE_LINGERING,   /* it has ended; its processes may be talking still */
    LIVE_READING,     /* the launches that are left are given out */
    LIVE_DONE
} LivePhase;

typedef struct Live {
    OpprofStage *stage;
    const OpprofParams *params;
    OpprofLiveApp app;
    OpprofLiveServer *server;
    LiveLaunches launches;
    Emitter emitter;
    const char **patterns;
    size_t pattern_count;
    uint32_t next; /* launch to be given out */
    LivePhase phase;
    unsigned quiet_steps;
    bool was_ended; /* the program did not end by itself */
} Live;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Live *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create a collector");
    }
    self->stage = self->launches.stage = self->emitter.stage = stage;
    self->emitter.file.fd = -1;
    *ret_self = self;
    return OPPROF_OK;
}

/* ---- parameters ---- */

static const char *text_of(const Live *self, const char *name)
{
    const char *text = OpprofParamsString(self->params, name);

    return text == NULL ? "" : text;
}

static bool is_on(const Live *self, const char *name)
{
    return strcmp(text_of(self, name), "on") == 0;
}

static bool has_metric(const Live *self, const char *metric)
{
    for (size_t i = 0; i < OpprofParamsCount(self->params, "metrics"); i++) {
        if (strcasecmp(OpprofParamsElement(self->params, "metrics", i), metric) == 0) {
            return true;
        }
    }
    return false;
}

static OpprofStatus check_names(const Live *self, const char *name, bool stars, OpprofError **error)
{
    const char *names = text_of(self, name);

    if (*names == '\0' ||
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

static OpprofStatus refuse(OpprofError **error, const char *what, const char *why)
{
    return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "%s %s", what, why);
}

/* What cannot be together. */
static OpprofStatus check_conflicts(const Live *self, OpprofError **error)
{
    static const char *const not_replayed[] = { "TimelineDetail", "Source", "MemoryDetail", NULL };
    const char *replay = text_of(self, "replay_mode");

    if (*text_of(self, "mstx_include") != '\0' && !is_on(self, "mstx")) {
        return refuse(error, "Parameter mstx_include", "needs mstx=on");
    }
    if (strcmp(replay, "application") == 0 && has_metric(self, "TimelineDetail")) {
        return refuse(error, "Metric TimelineDetail", "excludes replay_mode=application");
    }
    if (strcmp(replay, "application") == 0 && is_on(self, "kill")) {
        return refuse(error, "Parameter kill=on", "excludes replay_mode=application");
    }
    if (strcmp(replay, "range") != 0) {
        return OPPROF_OK;
    }
    for (unsigned i = 0; not_replayed[i] != NULL; i++) {
        if (has_metric(self, not_replayed[i])) {
            return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Metric %s excludes replay_mode=range",
                                  not_replayed[i]);
        }
    }
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Live *self = context;
    const size_t count = OpprofParamsCount(params, "files");
    OpprofStatus status;

    self->params = params;
    self->patterns = calloc(count + 1, sizeof *self->patterns);
    if (self->patterns == NULL) {
        return OpprofErrorNoMemory(error, "create a collector");
    }
    for (; self->pattern_count < count; self->pattern_count++) {
        self->patterns[self->pattern_count] =
            OpprofParamsElement(params, "files", self->pattern_count);
    }
    status = check_names(self, "kernel_name", true, error);
    if (status == OPPROF_OK) {
        status = check_names(self, "mstx_include", false, error);
    }
    if (status == OPPROF_OK) {
        status = check_conflicts(self, error);
    }
    return status == OPPROF_OK ? OpprofLiveAppParse(&self->app, text_of(self, "app"), error)
                               : status;
}

/* ---- start ---- */

static OpprofLiveWelcome welcome_of(const Live *self)
{
    OpprofLiveWelcome welcome = { .magic = OPPROF_LIVE_MAGIC, .version = OPPROF_LIVE_VERSION };

    welcome.flags = OPPROF_LIVE_WANT_BOARD | (is_on(self, "mstx") ? OPPROF_LIVE_WANT_MSTX : 0);
    snprintf(welcome.mstx_include, sizeof welcome.mstx_include, "%s",
             text_of(self, "mstx_include"));
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

static void make_wish(Live *self)
{
    const char *replay = text_of(self, "replay_mode");
    const bool is_alone = OpprofParamsCount(self->params, "metrics") == 1;

    self->launches.wish =
        (LivePlanWish){ .replay = strcmp(replay, "application") == 0
                                      ? OPPROF_LIVE_REPLAY_APPLICATION
                                  : strcmp(replay, "range") == 0 ? OPPROF_LIVE_REPLAY_RANGE
                                                                 : OPPROF_LIVE_REPLAY_KERNEL,
                        .warm_up = (uint32_t) OpprofParamsInt(self->params, "warm_up"),
                        .deadline_ms = (uint32_t) OpprofParamsInt(self->params, "deadline") * 1000,
                        .is_basic = is_alone && has_metric(self, "BasicInfo"),
                        .is_scaled = has_metric(self, "KernelScale"),
                        .clears_cache = is_on(self, "clear_cache") };
    self->launches.filter = (OpprofLiveFilter){
        .names = OpprofParamsString(self->params, "kernel_name"),
        .launch_count = (uint32_t) OpprofParamsInt(self->params, "launch_count"),
        .launch_skip = (uint32_t) OpprofParamsInt(self->params, "launch_skip")
    };
    self->launches.is_single = self->launches.filter.launch_count == 1;
    self->launches.rounds = 1;
}

/* The program runs, once or again, and talks to a server of its own. */
static OpprofStatus run_program(Live *self, OpprofError **error)
{
    const OpprofLiveWelcome welcome = welcome_of(self);
    const OpprofLiveEvents events = LiveLaunchesEvents(&self->launches);
    OpprofLiveAppPlace place = { .is_simulated = false };
    OpprofStatus status = find_inject(&place.inject, error);

    if (status == OPPROF_OK) {
        OpprofLiveServerDestroy(self->server);
        self->server = NULL;
        status = OpprofLiveServerCreate(&welcome, &events, &self->server, error);
    }
    if (status == OPPROF_OK) {
        place.socket = OpprofLiveServerName(self->server);
        self->app.pid = 0;
        self->app.has_ended = false;
        self->phase = LIVE_RUNNING;
        self->quiet_steps = 0;
        status = OpprofLiveAppStart(&self->app, &place, error);
    }
    return status;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Live *self = context;
    const char *chip = text_of(self, "chip");
    OpprofStatus status = refuse_old_dump(self, error);

    self->launches.chip = strcasecmp(chip, "auto") == 0 ? NULL : chip;
    make_wish(self);
    return status == OPPROF_OK ? run_program(self, error) : status;
}

/* ---- the program ---- */

static void end_program(Live *self)
{
    self->was_ended = true;
    OpprofLiveAppEnd(&self->app, GRACE_MS);
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
    if (is_on(self, "kill") && self->launches.wants_end) {
        end_program(self);
    }
    if (OpprofLiveAppHasEnded(&self->app)) {
        tell_end(self);
        self->phase = LIVE_LINGERING;
    }
}

/* The program is run again until all counters were counted, if it launched anything at all. */
static OpprofStatus go_on(Live *self, OpprofError **error)
{
    LiveLaunches *launches = &self->launches;

    if (launches->count > 0 && launches->round + 1 < launches->rounds && !self->was_ended) {
        LiveLaunchesRound(launches, launches->round + 1);
        return run_program(self, error);
    }
    LiveLaunchesCut(launches);
    self->phase = LIVE_READING;
    return OPPROF_OK;
}

/* What was sent is read to the end; processes that stay are waited for while they say something. */
static OpprofStatus linger(Live *self, unsigned spoke, OpprofError **error)
{
    self->quiet_steps = spoke > 0 ? 0 : self->quiet_steps + 1;
    if (OpprofLiveServerClients(self->server) == 0 && spoke == 0) {
        self->quiet_steps = LINGER_STEPS;
    }
    return self->quiet_steps >= LINGER_STEPS ? go_on(self, error) : OPPROF_OK;
}

/* ---- launches ---- */

static LiveLaunch *next_launch(const Live *self)
{
    LiveLaunch *launch = self->next < self->launches.count ? self->launches.list[self->next] : NULL;

    return launch != NULL && launch->has_ended ? launch : NULL;
}

/* Some of the next launch that has ended. False: there is none. */
static bool give_some(Live *self, OpprofStatus *ret_status, OpprofError **error)
{
    const Patterns patterns = { .list = self->patterns, .count = self->pattern_count };
    LiveLaunch *launch = next_launch(self);

    *ret_status = OPPROF_OK;
    if (launch == NULL) {
        return false;
    }
    if (launch->outcome.passes == 0) { /* the program has said why */
        self->next++;
        return true;
    }
    if (self->emitter.launch == NULL) {
        *ret_status = EmitBegin(&self->emitter, &launch->launch, &patterns, error);
    }
    if (*ret_status == OPPROF_OK) {
        *ret_status = EmitSome(&self->emitter, error);
    }
    if (*ret_status == OPPROF_OK && self->emitter.launch == NULL) {
        self->next++;
        if (!is_on(self, "dump")) {
            LiveLaunchTidy(launch);
        }
    }
    return true;
}

static void tell_nothing(const Live *self)
{
    const OpprofLiveFilter *filter = &self->launches.filter;

    if (self->launches.count > 0) {
        return;
    }
    if (self->launches.clients == 0) {
        OpprofStageIncomplete(self->stage,
                              "No launch was profiled: '%s' did not use the runtime "
                              "(libruntime.so, libascendcl.so)",
                              self->app.words[0]);
    } else if (filter->launches == 0) {
        OpprofStageIncomplete(self->stage, "No launch was profiled: '%s' made none%s",
                              self->app.words[0],
                              is_on(self, "mstx") ? " within an mstx range" : "");
    } else {
        OpprofStageIncomplete(self->stage,
                              "No launch was profiled: %llu were made, %llu of them after those to "
                              "skip and with a name that kernel_name has",
                              (unsigned long long) filter->launches,
                              (unsigned long long) filter->matches);
    }
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *nothing,
                            OpprofError **error)
{
    Live *self = context;
    OpprofStatus status = OPPROF_OK;
    const bool gave = give_some(self, &status, error);

    (void) port;
    (void) nothing;
    OpprofStageProgress(self->stage, self->next, 0, "launches");
    if (status == OPPROF_OK && self->phase < LIVE_READING) {
        const unsigned spoke = OpprofLiveServerStep(self->server, gave ? 0 : STEP_MS);

        if (self->phase == LIVE_RUNNING) {
            watch_program(self);
        } else {
            status = linger(self, spoke, error);
        }
    }
    if (status == OPPROF_OK && self->phase == LIVE_READING && !gave) {
        tell_nothing(self);
        self->phase = LIVE_DONE;
    }
    return status == OPPROF_OK && self->phase == LIVE_DONE ? OPPROF_END : status;
}

/* ---- end ---- */

/* The run ends early: so does the program, and what it has sent is read. */
static OpprofStatus flush(void *context, OpprofError **error)
{
    Live *self = context;
    OpprofStatus status = OPPROF_OK;

    if (self->server != NULL && self->phase < LIVE_READING) {
        end_program(self);
        while (OpprofLiveServerStep(self->server, 0) > 0) {
        }
        LiveLaunchesCut(&self->launches);
    }
    while (status == OPPROF_OK && give_some(self, &status, error)) {
    }
    self->phase = LIVE_DONE;
    EmitCount(&self->emitter);
    return status;
}

static OpprofStatus stop(void *context, OpprofError **error)
{
    Live *self = context;

    (void) error;
    if (!OpprofLiveAppHasEnded(&self->app)) {
        end_program(self);
    }
    for (uint32_t i = self->next; i < self->launches.count && !is_on(self, "dump"); i++) {
        LiveLaunchTidy(self->launches.list[i]);
    }
    OpprofLiveServerDestroy(self->server);
    self->server = NULL;
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Live *self = context;

    EmitFinish(&self->emitter);
    OpprofLiveServerDestroy(self->server);
    LiveLaunchesFinish(&self->launches);
    OpprofLiveAppFinish(&self->app);
    free(self->patterns);
    free(self);
}

/* ---- descriptor ---- */

static const OpprofPort outputs[] = {
    { .name = "chunks",
      .record_type = &opprof_onboard_chunk_type,
      .batch_records = 256,
      .summary = "Raw files in pieces, launch by launch." },
};

static const char *const on_off[] = { "on", "off", NULL };
static const char *const replays[] = { "kernel", "application", NULL };

static const OpprofParam params[] = {
    { .name = "app",
      .type = OPPROF_PARAM_STRING,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "Command line of the program to run, with quotes as in a shell." },
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC that it runs on, such as Ascend910B1; auto: the program's runtime says." },
    { .name = "metrics",
      .type = OPPROF_PARAM_LIST,
      .summary = "Metrics that are wanted, as of parse-pmu. BasicInfo alone counts no events." },
    { .name = "kernel_name",
      .type = OPPROF_PARAM_STRING,
      .summary = "Kernels to profile, '|' between: beginnings of names, or patterns with '*'; "
                 "default: any." },
    { .name = "launch_count",
      .type = OPPROF_PARAM_INT,
      .default_value = "1",
      .min = 1,
      .max = 5000,
      .summary = "Launches to profile of each process and device." },
    { .name = "launch_skip",
      .type = OPPROF_PARAM_INT,
      .default_value = "0",
      .min = 0,
      .max = 1000,
      .summary = "Launches of each process and device to let pass first, whatever their names." },
    { .name = "replay_mode",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "kernel",
      .choices = replays,
      .summary =
          "kernel: each launch is repeated, with its memory put back; application: the whole "
          "program is run once for each group of events." },
    { .name = "warm_up",
      .type = OPPROF_PARAM_INT,
      .default_value = "5",
      .min = 0,
      .max = 500,
      .summary = "Launches before the first that is counted." },
    { .name = "clear_cache",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "on",
      .choices = on_off,
      .summary = "Clear the L2 cache before each launch that is counted." },
    { .name = "deadline",
      .type = OPPROF_PARAM_INT,
      .default_value = "10",
      .min = 1,
      .max = 3600,
      .unit = "s",
      .summary = "A launch that takes longer is aborted, unless twenty times the first warm-up is "
                 "more." },
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
      .summary = "End the program when a process has launch_count launches profiled." },
    { .name = "dump",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "off",
      .choices = on_off,
      .summary = "Keep the raw files, which onboard-dump reads." },
    { .name = "files",
      .type = OPPROF_PARAM_LIST,
      .default_value = EMIT_FILES,
      .summary = "Names of the raw files to bring in, with * and ?; they come in this order." },
};

static const char *const chip_sections[] = { "channels", "pmu", NULL };

static const OpprofPluginOps ops = { .struct_size = sizeof(OpprofPluginOps),
                                     .create = create,
                                     .configure = configure,
                                     .start = start,
                                     .process = process,
                                     .flush = flush,
                                     .stop = stop,
                                     .destroy = destroy };

OPPROF_PLUGIN_DEFINE(
        .name = "collect-onboard-live", .version = "1.0.0", .license = "Apache-2.0",
        .summary = "Runs a program on a device and profiles its launches.",
        .help =
            "A library preloaded into the program repeats each wanted launch, with other counters "
            "each time and its memory put back before, and brings the records of the driver's "
            "channels here. The program's own results stay what they are without profiling.",
        .kind = OPPROF_COLLECTOR, .outputs = outputs, .output_count = OPPROF_COUNT(outputs),
        .params = params, .param_count = OPPROF_COUNT(params), .ops = &ops,
        .chip_sections = chip_sections);
