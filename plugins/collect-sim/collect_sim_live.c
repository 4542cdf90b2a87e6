/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-sim-live: runs a program on a simulator, and collects its operators. Descriptor,
 * parameters, life.
 * Tested by tests/refchip/test_live.sh.
 */
#include "choices.h"
#include "collect-sim/live/environment.h"
#include "collect-sim/live/launch_reader.h"
#include <opprof/kit/live_host.h>
#include <opprof/log.h>
#include <opprof/records/sim.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEP_MS 50 /* so that a request to stop is seen soon */

typedef enum LivePhase {
    LIVE_RUNNING = 0, /* the program runs */
    LIVE_LINGERING,   /* it has ended; its processes may still be sending */
    LIVE_READING,     /* all is recorded; operators are still being read */
    LIVE_DONE
} LivePhase;

typedef struct Live {
    OpprofStage *stage;
    const OpprofParams *params;
    OpprofLiveRun run;
    LiveLaunches launches;
    LaunchReader reader;
    LivePhase phase;
} Live;

static OpprofStatus live_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Live *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create a collector");
    }
    self->stage = self->launches.stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

/* ---- parameters ---- */

static OpprofStatus live_configure(void *instance, const OpprofParams *params, OpprofError **error)
{
    Live *self = instance;
    const char *document = OpprofParamsString(params, "config");
    OpprofStatus status = ChoicesCheck(params, &self->reader.core_ids, error);

    self->params = self->reader.params = params;
    self->reader.stage = self->stage;
    self->reader.launches = &self->launches;
    if (status == OPPROF_OK) {
        status = OpprofLiveRunConfigure(&self->run, self->stage, params, error);
    }
    if (status == OPPROF_OK && document != NULL && *document != '\0' &&
        ChoicesChip(params) != NULL) {
        return OpprofErrorSet(
            error, OPPROF_E_ARGUMENT,
            "Parameter chip cannot be used with config: the simulator of the search "
            "path says which chip it is");
    }
    return status == OPPROF_OK ? OpprofLiveRunLauncher(&self->run, INJECT_LAUNCHER, "ca", error)
                               : status;
}

/* ---- start ---- */

static uint32_t flags_of(const OpprofParams *params)
{
    return (ChoicesHasMetric(params, CHOICES_SAMPLING) ? OPPROF_LIVE_WANT_MTE : 0) |
           (ChoicesHasMetric(params, CHOICES_OVERHEAD) ? OPPROF_LIVE_WANT_OVERHEAD : 0);
}

static void log_simulator(const Live *self, const SimEnvironment *environment)
{
    if (environment->runtime != NULL) {
        OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage),
                  environment->has_simulator
                      ? "Uses the simulator '%s'"
                      : "There is no simulator '%s', the program's own libraries are used",
                  environment->runtime);
    }
}

static OpprofStatus run_program(Live *self, const char *inject, OpprofError **error)
{
    const OpprofLiveEvents events = LiveLaunchesEvents(&self->launches);
    OpprofLiveAppPlace place = { .inject = inject };
    SimEnvironment environment;
    OpprofStatus status = SimEnvironmentMake(&environment, ChoicesChip(self->params),
                                             self->launches.dumps.directory, error);

    if (status == OPPROF_OK) {
        log_simulator(self, &environment);
        place.variables = environment.variables;
        place.variable_count = environment.count;
        status = OpprofLiveRunStart(&self->run, flags_of(self->params), &events, &place, error);
    }
    SimEnvironmentFinish(&environment);
    return status;
}

static OpprofStatus live_start(void *instance, OpprofError **error)
{
    Live *self = instance;
    const char *inject = NULL;
    OpprofStatus status = OpprofLiveInjectLibrary(&self->run, OPPROF_LIVE_LIBRARY_ASCEND,
                                                  INJECT_LIBRARY, &inject, error);

    self->launches.chip = ChoicesChip(self->params);
    self->launches.has_flags = ChoicesHasMetric(self->params, CHOICES_CONFLICTS);
    self->launches.filter = OpprofLiveRunFilter(&self->run);
    if (status == OPPROF_OK) {
        status = OpprofLiveRunCheckPaths(&self->run, inject, NULL, error);
    }
    if (status == OPPROF_OK) {
        status = LiveDumpsOpen(&self->launches.dumps,
                               OpprofOutputDirectoryPath(OpprofStageOutput(self->stage)), error);
    }
    self->launches.results = OpprofLiveRunResults(&self->run);
    if (status == OPPROF_OK) {
        status = run_program(self, inject, error);
    }
    if (status != OPPROF_OK) {
        LiveDumpsClose(&self->launches.dumps); /* nothing stays of a run that does not begin */
    }
    return status;
}

/* ---- the program ---- */

static void watch_program(Live *self)
{
    if (OpprofLiveIsOn(self->params, "kill") && self->launches.wants_end) {
        OpprofLiveRunEnd(&self->run);
    } else {
        OpprofLiveRunLimit(&self->run);
    }
    if (OpprofLiveRunHasEnded(&self->run)) {
        self->phase = LIVE_LINGERING;
    }
}

/* ---- operators ---- */

static void report_launches(const Live *self)
{
    static const OpprofLiveWords words = {
        .nothing = "No operator was collected",
        .runtime = "the runtime of a simulator (libruntime_camodel.so, libascendcl.so)",
        .made = "launched"
    };

    OpprofLiveRunReportLaunches(&self->run,
                                &(OpprofLiveLaunchCounts){ .filter = &self->launches.filter,
                                                           .profiled = self->launches.count,
                                                           .clients = self->launches.clients },
                                &words);
}

static OpprofStatus live_process(void *instance, uint32_t port, const OpprofBatch *batch,
                                 OpprofError **error)
{
    Live *self = instance;
    const bool reads = LaunchReaderHasWork(&self->reader);

    (void) port;
    (void) batch;
    OpprofStageProgress(self->stage, self->launches.count, 0, "operators");
    if (self->phase == LIVE_RUNNING || self->phase == LIVE_LINGERING) {
        const unsigned spoke = OpprofLiveServerStep(self->run.server, reads ? 0 : STEP_MS);

        if (self->phase == LIVE_RUNNING) {
            watch_program(self);
        } else if (OpprofLiveRunIsQuiet(&self->run, spoke, 0)) {
            LiveLaunchesCut(&self->launches);
            self->phase = LIVE_READING;
        }
    }
    if (reads) {
        return LaunchReaderStep(&self->reader, error);
    }
    if (self->phase == LIVE_READING && !LaunchReaderHasWork(&self->reader)) {
        report_launches(self);
        self->phase = LIVE_DONE;
    }
    return self->phase == LIVE_DONE ? OPPROF_END : OPPROF_OK;
}

/* ---- end ---- */

/* The run ends early: the program is ended too, and what it has sent is read. */
static OpprofStatus live_flush(void *instance, OpprofError **error)
{
    Live *self = instance;
    OpprofStatus status;

    if (self->run.server == NULL || self->phase == LIVE_DONE) {
        return OPPROF_OK;
    }
    OpprofLiveRunCut(&self->run);
    LiveLaunchesCut(&self->launches);
    status = LaunchReaderFlush(&self->reader, error);
    report_launches(self);
    self->phase = LIVE_DONE;
    return status;
}

static OpprofStatus live_stop(void *instance, OpprofError **error)
{
    Live *self = instance;

    (void) error;
    OpprofLiveRunEnd(&self->run);
    LaunchReaderFinish(&self->reader);
    OpprofLiveRunClose(&self->run);
    LiveDumpsClose(&self->launches.dumps);
    return OPPROF_OK;
}

static void live_destroy(void *instance)
{
    Live *self = instance;

    OpprofLiveRunFinish(&self->run);
    LiveLaunchesFinish(&self->launches);
    free(self);
}

/* ---- descriptor ---- */

static const OpprofParam params[] = {
    OPPROF_LIVE_PARAM_APP,
    OPPROF_LIVE_PARAM_CONFIG,
    CHOICES_PARAM_CHIP(
        "SoC that is simulated, such as Ascend910B1; auto: the program's runtime "
        "says. The simulator of a named SoC is taken from ASCEND_HOME_PATH if it is there."),
    CHOICES_PARAM_METRICS,
    CHOICES_PARAM_CORE_ID,
    OPPROF_LIVE_PARAM_KERNEL_NAME(
        "Kernels to collect, separated by '|': beginnings of names, or patterns with '*'; "
        "default: any."),
    OPPROF_LIVE_PARAM_LAUNCH_COUNT("Launches to collect from each process and device."),
    OPPROF_LIVE_PARAM_LAUNCH_SKIP,
    OPPROF_LIVE_PARAM_MSTX,
    OPPROF_LIVE_PARAM_MSTX_INCLUDE,
    OPPROF_LIVE_PARAM_SWITCH(
        "kill", "off", "End the program when a process has launch_count operators collected."),
    OPPROF_LIVE_PARAM_SWITCH(
        "dump", "off",
        "Keep the records as dump files, which sim-dump reads, in dump/ of the results."),
    OPPROF_LIVE_PARAM_UNSAFE_PATHS,
    OPPROF_LIVE_PARAM_TIMEOUT,
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
        .help =
            "A library preloaded into the program sends the log callbacks of the simulator here, "
            "while wanted operators run. Each operator goes to the ports after its end; the "
            "results "
            "of all but the first lie in device<N>/<kernel>/<n>/.",
        .kind = OPPROF_COLLECTOR, .outputs = emit_ports, .output_count = EMIT_PORT_COUNT,
        .params = params, .param_count = OPPROF_COUNT(params), .ops = &ops,
        .chip_sections = choices_chip_sections, .chip_tables = choices_chip_tables);
