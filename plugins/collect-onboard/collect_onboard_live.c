/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-onboard-live: runs a program on a device, profiles its launches, and brings in their raw
 * files while it runs. Descriptor, parameters, life.
 * Tested by tests/refchip/test_board.sh.
 */
#include "channel_facts.h"
#include "emit.h"
#include "names.h"
#include "live_files.h"
#include "live_launches.h"

#include <opprof/kit/chip.h>
#include <opprof/records/onboard.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIPE_TIMELINE "PipeTimeline"
#define PC_SAMPLING "PcSampling"
#define INSTR_TIMELINE "InstrTimeline"
#define INSTR_PIPE "instr_timeline_pipe"
#define ALL "All"  /* whatever is available */
#define STEP_MS 50 /* so that a request to stop is seen soon */

typedef enum LivePhase {
    LIVE_RUNNING = 0, /* the program runs */
    LIVE_LINGERING,   /* it has ended; its processes may still be sending */
    LIVE_READING,     /* the remaining launches are emitted */
    LIVE_DONE
} LivePhase;

typedef struct Live {
    OpprofStage *stage;
    const OpprofParams *params;
    OpprofLiveRun run;
    LiveLaunches launches;
    Emitter emitter;
    const char **patterns;
    size_t pattern_count;
    uint32_t next; /* next launch to be emitted */
    LivePhase phase;
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
    return OpprofLiveIsOn(self->params, name);
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

static OpprofStatus refuse(OpprofError **error, const char *what, const char *why)
{
    return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "%s %s", what, why);
}

/* Names of pipes, '|' between. */
static OpprofStatus check_pipes(const Live *self, OpprofError **error)
{
    static const char *const names[] = { "CUBE", "FIXP", "VECTOR", "MTE1", "MTE2", "MTE3" };
    const char *text = text_of(self, INSTR_PIPE);

    if (text[0] != '\0' && !has_metric(self, INSTR_TIMELINE)) {
        return refuse(error, "Parameter " INSTR_PIPE, "needs metrics=" INSTR_TIMELINE);
    }
    for (size_t length; *text != '\0'; text += length + (text[length] == '|')) {
        size_t i = 0;

        length = strcspn(text, "|");
        while (i < OPPROF_COUNT(names) &&
               (strlen(names[i]) != length || strncasecmp(names[i], text, length) != 0)) {
            i++;
        }
        if (i == OPPROF_COUNT(names)) {
            return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                  "Parameter " INSTR_PIPE
                                  ": '%.*s' is not one of CUBE, FIXP, VECTOR, MTE1, MTE2, MTE3",
                                  (int) length, text);
        }
    }
    return OPPROF_OK;
}

/* Settings that exclude each other. */
static OpprofStatus check_conflicts(const Live *self, OpprofError **error)
{
    static const char *const not_replayed[] = { "TimelineDetail", "Source", "MemoryDetail", NULL };
    const char *replay = text_of(self, "replay_mode");

    if (strcmp(replay, "kernel") != 0 && has_metric(self, PIPE_TIMELINE)) {
        return refuse(error, "Metric " PIPE_TIMELINE, "needs replay_mode=kernel");
    }
    if (strcmp(replay, "kernel") != 0 && has_metric(self, PC_SAMPLING)) {
        return refuse(error, "Metric " PC_SAMPLING, "needs replay_mode=kernel");
    }
    if (strcmp(replay, "kernel") != 0 && has_metric(self, INSTR_TIMELINE)) {
        return refuse(error, "Metric " INSTR_TIMELINE, "needs replay_mode=kernel");
    }
    if (has_metric(self, PIPE_TIMELINE) && has_metric(self, INSTR_TIMELINE)) {
        return refuse(error, "Metric " INSTR_TIMELINE, "excludes " PIPE_TIMELINE);
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
    if (!is_on(self, "mstx")) {
        return refuse(error, "Parameter replay_mode=range", "needs mstx=on");
    }
    if (is_on(self, "kill")) {
        return refuse(error, "Parameter kill=on", "excludes replay_mode=range");
    }
    if (OpprofParamsInt(self->params, "warm_up") < 1) {
        return refuse(error, "Parameter replay_mode=range", "needs a warm_up of at least 1");
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
    OpprofStatus status;

    self->params = params;
    self->patterns = NamesExpand(params, "files", "auto", &self->pattern_count);
    if (self->patterns == NULL) {
        return OpprofErrorNoMemory(error, "create a collector");
    }
    status = OpprofLiveRunConfigure(&self->run, self->stage, params, error);
    if (status == OPPROF_OK) {
        status = OpprofLiveRunLauncher(&self->run, INJECT_LAUNCHER, "onboard", error);
    }
    if (status == OPPROF_OK) {
        status = check_pipes(self, error);
    }
    return status == OPPROF_OK ? check_conflicts(self, error) : status;
}

/* ---- start ---- */

/* The instrumentation that the metrics need. */
static void choose_instruments(Live *self)
{
    const char *named = text_of(self, "instrumenter");
    const char *tool = named[0] != '\0' ? named : secure_getenv(OPPROF_LIVE_INSTRUMENTER);
    const uint32_t all = (1u << OPPROF_LIVE_INSTRUMENTS) - 1;
    uint32_t asked = 0;

    asked |= has_metric(self, "Source") || has_metric(self, PC_SAMPLING)
                 ? 1u << OPPROF_LIVE_INSTRUMENT_BLOCKS
                 : 0;
    asked |= has_metric(self, "MemoryDetail") || has_metric(self, "Source")
                 ? 1u << OPPROF_LIVE_INSTRUMENT_MEMORY
                 : 0;
    asked |= has_metric(self, INSTR_TIMELINE) ? 1u << OPPROF_LIVE_INSTRUMENT_REGIONS : 0;
    asked |= has_metric(self, "Roofline") ? 1u << OPPROF_LIVE_INSTRUMENT_OPERANDS : 0;
    self->launches.instruments_asked = asked;
    self->launches.wish.instruments = has_metric(self, ALL) ? all : asked;
    self->launches.instrumenter_seconds =
        (uint32_t) OpprofParamsInt(self->params, "instrumenter_deadline");
    self->launches.pipes = text_of(self, INSTR_PIPE);
    self->launches.instrumenter = tool == NULL || tool[0] == '\0' ? NULL : tool;
}

static void make_wish(Live *self)
{
    const char *replay = text_of(self, "replay_mode");
    const bool is_alone = OpprofParamsCount(self->params, "metrics") == 1;

    self->launches.wish = (LivePlanWish){
        .replay = strcmp(replay, "application") == 0 ? OPPROF_LIVE_REPLAY_APPLICATION
                  : strcmp(replay, "range") == 0     ? OPPROF_LIVE_REPLAY_RANGE
                                                     : OPPROF_LIVE_REPLAY_KERNEL,
        .warm_up = (uint32_t) OpprofParamsInt(self->params, "warm_up"),
        .deadline_ms = (uint32_t) OpprofParamsInt(self->params, "deadline") * 1000,
        .is_basic = is_alone && (has_metric(self, "BasicInfo") || has_metric(self, PIPE_TIMELINE) ||
                                 has_metric(self, INSTR_TIMELINE)),
        .is_scaled = has_metric(self, "KernelScale"),
        .has_monitors = has_metric(self, PIPE_TIMELINE),
        .has_samples = has_metric(self, PC_SAMPLING),
        .has_regions = has_metric(self, INSTR_TIMELINE),
        .is_provisional_accepted = is_on(self, "provisional"),
        .monitor_bytes = (uint32_t) OpprofParamsInt(self->params, "monitor_buffer") * 1024,
        .clears_cache = is_on(self, "clear_cache")
    };
    choose_instruments(self);
    self->launches.filter = OpprofLiveRunFilter(&self->run);
    self->launches.is_single = self->launches.filter.launch_count == 1 &&
                               self->launches.wish.replay != OPPROF_LIVE_REPLAY_RANGE;
    self->launches.rounds = 1;
}

/* The program runs, once or again. */
static OpprofStatus run_program(Live *self, OpprofError **error)
{
    /* Frameworks launch in the thread that asks. */
    static const OpprofLiveVariable variables[] = { { "TASK_QUEUE_ENABLE", "0", false } };
    const OpprofLiveEvents events = LiveLaunchesEvents(&self->launches);
    OpprofLiveAppPlace place = { .inject = self->run.inject,
                                 .variables = variables,
                                 .variable_count = OPPROF_COUNT(variables) };

    self->phase = LIVE_RUNNING;
    return OpprofLiveRunStart(&self->run,
                              OPPROF_LIVE_WANT_BOARD |
                                  (self->launches.instrumenter == NULL ? 0 : OPPROF_LIVE_HAS_TOOL),
                              &events, &place, error);
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Live *self = context;
    const char *chip = text_of(self, "chip");
    const char *inject = NULL;
    OpprofStatus status = OpprofLiveInjectLibrary(&self->run, OPPROF_LIVE_LIBRARY_ASCEND,
                                                  INJECT_LIBRARY, &inject, error);

    make_wish(self);
    if (status == OPPROF_OK) {
        status = OpprofLiveRunCheckPaths(&self->run, inject, self->launches.instrumenter, error);
    }
    self->launches.results = OpprofLiveRunResults(&self->run);
    self->launches.results_path = OpprofOutputDirectoryPath(OpprofStageOutput(self->stage));
    self->launches.chip = OpprofChipIsAuto(chip) ? NULL : chip;
    return status == OPPROF_OK ? run_program(self, error) : status;
}

/* ---- the program ---- */

static void watch_program(Live *self)
{
    if (is_on(self, "kill") && self->launches.wants_end) {
        OpprofLiveRunEnd(&self->run);
    }
    if (OpprofLiveRunHasEnded(&self->run)) {
        self->phase = LIVE_LINGERING;
    }
}

/* The program is run again until all counters were counted, if it launched anything at all. */
static OpprofStatus go_on(Live *self, OpprofError **error)
{
    const Patterns patterns = { .list = self->patterns, .count = self->pattern_count };
    LiveLaunches *launches = &self->launches;

    if (launches->count > 0 && launches->round + 1 < launches->rounds && !self->run.was_ended) {
        LiveLaunchesRound(launches, launches->round + 1);
        return run_program(self, error);
    }
    LiveLaunchesCut(launches);
    self->phase = LIVE_READING;
    return LiveLaunchesShareOut(launches, &patterns, error);
}

/* ---- launches ---- */

static LiveLaunch *next_launch(const Live *self)
{
    LiveLaunch *launch = self->next < self->launches.count ? self->launches.list[self->next] : NULL;

    return launch != NULL && launch->has_ended ? launch : NULL;
}

/* Emits a part of the next launch that has ended. False if none. */
static bool give_some(Live *self, OpprofStatus *ret_status, OpprofError **error)
{
    const Patterns patterns = { .list = self->patterns, .count = self->pattern_count };
    LiveLaunch *launch = next_launch(self);

    *ret_status = OPPROF_OK;
    if (launch == NULL) {
        return false;
    }
    if (launch->outcome.passes == 0) { /* the program has reported the reason */
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
            LiveFilesRemove(&self->launches, launch);
        }
    }
    return true;
}

static void report_launches(const Live *self)
{
    static const OpprofLiveWords words = { .nothing = "No launch was profiled",
                                           .runtime = "the runtime (libruntime.so, libascendcl.so)",
                                           .made = "made" };

    OpprofLiveRunReportLaunches(
        &self->run,
        &(OpprofLiveLaunchCounts){ .filter = self->launches.round == 0 ? &self->launches.filter
                                                                       : &self->launches.first_run,
                                   .profiled = LiveLaunchesProfiled(&self->launches),
                                   .clients = self->launches.clients },
        &words);
}

/* A process that profiles a launch is silent while it waits for the device,
 * up to the longest wait. */
static uint32_t linger_ms(const Live *self)
{
    return LiveLaunchesRun(&self->launches) ? 2 * self->launches.wish.deadline_ms : 0;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *nothing,
                            OpprofError **error)
{
    Live *self = context;
    const Patterns patterns = { .list = self->patterns, .count = self->pattern_count };
    OpprofStatus status = OPPROF_OK;
    const bool gave = give_some(self, &status, error);

    (void) port;
    (void) nothing;
    OpprofStageProgress(self->stage, self->next, 0, "launches");
    if (status == OPPROF_OK && self->phase < LIVE_READING) {
        const unsigned spoke = OpprofLiveServerStep(self->run.server, gave ? 0 : STEP_MS);

        status = LiveLaunchesShareOut(&self->launches, &patterns, error);
        if (status == OPPROF_OK && self->phase == LIVE_RUNNING) {
            watch_program(self);
        } else if (status == OPPROF_OK &&
                   OpprofLiveRunIsQuiet(&self->run, spoke, linger_ms(self))) {
            status = go_on(self, error);
        }
    }
    if (status == OPPROF_OK && self->phase == LIVE_READING && !gave) {
        report_launches(self);
        self->phase = LIVE_DONE;
    }
    return status == OPPROF_OK && self->phase == LIVE_DONE ? OPPROF_END : status;
}

/* ---- end ---- */

/* The run ends early: the program is ended too, and what it has sent is read. */
static OpprofStatus flush(void *context, OpprofError **error)
{
    Live *self = context;
    const Patterns patterns = { .list = self->patterns, .count = self->pattern_count };
    OpprofStatus status = OPPROF_OK;

    if (self->run.server != NULL && self->phase < LIVE_READING) {
        OpprofLiveRunCut(&self->run);
        LiveLaunchesCut(&self->launches);
        status = LiveLaunchesShareOut(&self->launches, &patterns, error);
    }
    while (status == OPPROF_OK && give_some(self, &status, error)) {
    }
    if (self->run.server != NULL && self->phase != LIVE_DONE) {
        report_launches(self);
    }
    self->phase = LIVE_DONE;
    EmitCount(&self->emitter);
    return status;
}

static OpprofStatus stop(void *context, OpprofError **error)
{
    Live *self = context;

    (void) error;
    OpprofLiveRunEnd(&self->run);
    for (uint32_t i = self->next; i < self->launches.count && !is_on(self, "dump"); i++) {
        LiveFilesRemove(&self->launches, self->launches.list[i]);
    }
    for (uint32_t i = 0; i < self->launches.range_count && !is_on(self, "dump"); i++) {
        LiveFilesRemove(&self->launches, self->launches.ranges[i]);
    }
    OpprofLiveRunClose(&self->run);
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Live *self = context;

    EmitFinish(&self->emitter);
    OpprofLiveRunFinish(&self->run);
    LiveLaunchesFinish(&self->launches);
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

static const char *const replays[] = { "kernel", "application", "range", NULL };

static const OpprofParam params[] = {
    OPPROF_LIVE_PARAM_APP,
    OPPROF_LIVE_PARAM_CONFIG,
    OPPROF_LIVE_PARAM_UNSAFE_PATHS,
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC that it runs on, such as Ascend910B1; auto: the program's runtime says." },
    { .name = "metrics",
      .type = OPPROF_PARAM_LIST,
      .summary =
          "Requested metrics, as for parse-pmu. BasicInfo, PipeTimeline or InstrTimeline alone "
          "counts no events; Source, MemoryDetail and All have kernels instrumented." },
    OPPROF_LIVE_PARAM_KERNEL_NAME(
        "Kernels to profile, separated by '|': beginnings of names, or patterns with '*'; "
        "default: any."),
    OPPROF_LIVE_PARAM_LAUNCH_COUNT("Launches to profile of each process and device."),
    OPPROF_LIVE_PARAM_LAUNCH_SKIP,
    { .name = "replay_mode",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "kernel",
      .choices = replays,
      .summary = "kernel: each launch is repeated, with its memory restored; application: the "
                 "whole program is run once for each group of events; range: all launches of an "
                 "mstx range are repeated together." },
    { .name = "warm_up",
      .type = OPPROF_PARAM_INT,
      .default_value = "5",
      .min = 0,
      .max = 500,
      .summary = "Launches before the first counted one." },
    OPPROF_LIVE_PARAM_SWITCH("clear_cache", "on", "Clear the L2 cache before each counted launch."),
    { .name = "deadline",
      .type = OPPROF_PARAM_INT,
      .default_value = "10",
      .min = 1,
      .max = 3600,
      .unit = "s",
      .summary = "A launch that takes longer is aborted, unless twenty times the first warm-up is "
                 "more." },
    { .name = "instrumenter",
      .type = OPPROF_PARAM_STRING,
      .summary =
          "Program that instruments kernels; default: the one that the environment of opprof-run "
          "names (OPPROF_INSTRUMENTER), else the vendor's." },
    { .name = "instrumenter_deadline",
      .type = OPPROF_PARAM_INT,
      .default_value = "60",
      .min = 1,
      .max = 3600,
      .unit = "s",
      .summary = "A tool that takes longer for one kernel is stopped." },
    { .name = INSTR_PIPE,
      .type = OPPROF_PARAM_STRING,
      .summary =
          "Pipes whose instructions metric InstrTimeline shows, separated by '|': CUBE, FIXP, "
          "VECTOR, MTE1, MTE2, MTE3; default: all." },
    OPPROF_LIVE_PARAM_SWITCH("provisional", "off",
                             "Program registers that were never confirmed on silicon: a device may "
                             "hang. For metric PipeTimeline of all cores."),
    { .name = "monitor_buffer",
      .type = OPPROF_PARAM_INT,
      .default_value = "256",
      .min = 1,
      .max = OPPROF_LIVE_MOST_BUFFER,
      .unit = "KiB",
      .summary = "Device memory for the monitor of each sub-core; a word is 4 bytes." },
    OPPROF_LIVE_PARAM_MSTX,
    OPPROF_LIVE_PARAM_MSTX_INCLUDE,
    OPPROF_LIVE_PARAM_SWITCH(
        "kill", "off", "End the program when one process has launch_count launches profiled."),
    OPPROF_LIVE_PARAM_SWITCH("dump", "off", "Keep the raw files, which onboard-dump reads."),
    { .name = "files",
      .type = OPPROF_PARAM_LIST,
      .default_value = EMIT_FILES,
      .summary = "Files to read, in this order: roles as in the chip file's raw.files, or "
                 "names with * and ?." },
};

static const char *const chip_sections[] = { "channels", "perfmon", "pmu", "raw", NULL };

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
            "A library preloaded into the program repeats each wanted launch, each time with other "
            "counters and with its memory restored, and sends the records of the driver's channels "
            "here. The program's own results are the same as without profiling.",
        .kind = OPPROF_COLLECTOR, .outputs = outputs, .output_count = OPPROF_COUNT(outputs),
        .params = params, .param_count = OPPROF_COUNT(params), .ops = &ops,
        .chip_sections = chip_sections, .chip_tables = onboard_chip_tables);
