/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Common to all collectors of running programs: checks its parameters, starts the program, watches
 * it, and says how it ended. Tested by tests/kit/live/test_live_host.c and, with programs, by
 * tests/refchip/test_live.sh and tests/refchip/test_board.sh.
 */
#include <inttypes.h>
#include "kit/live/live_server.h"
#include <opprof/log.h>
#include <opprof/require.h>
#include <opprof/text.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE_MS 3000  /* between asking the program to end and killing it */
#define LOOK_MS 20     /* between looks whether it has ended */
#define LINGER_MS 2000 /* without a message from processes that outlive the program */

/* ---- parameters ---- */

static const char *text_of(const OpprofParams *params, const char *name)
{
    const char *text = OpprofParamsString(params, name);

    return text == NULL ? "" : text;
}

/* A parameter that not every collector has. */
static const char *text_if_there(const OpprofLiveRun *run, const char *name)
{
    return run->is_plain ? "" : text_of(run->params, name);
}

static bool wants_ranges(const OpprofLiveRun *run)
{
    return strcmp(text_if_there(run, "mstx"), "on") == 0;
}

bool OpprofLiveIsOn(const OpprofParams *params, const char *name)
{
    OPPROF_REQUIRE("live-text-given", name != NULL, "The text is given");
    return strcmp(text_of(params, name), "on") == 0;
}

static OpprofStatus check_names(const char *name, const char *names, bool stars,
                                OpprofError **error)
{
    if (*names == '\0' || (LiveNamesAreGood(names) && (stars || strchr(names, '*') == NULL))) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter %s: '%s' is not a list of names", name,
                   names);
    OpprofErrorHint(error,
                    "Write names of letters, digits and '_'%s with '|' between, fewer than 1023 "
                    "characters in all",
                    stars ? ", '*' for any text," : "");
    return OPPROF_E_ARGUMENT;
}

/* Without a command line, a document is given. */
static OpprofStatus need_program(const OpprofLiveRun *run, OpprofError **error)
{
    if (*text_if_there(run, "config") != '\0') {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "There is no program to run");
    OpprofErrorHint(error, "Put its command line after '--'%s",
                    run->is_plain ? ""
                                  : ", or name the document of a kernel with the parameter config");
    return OPPROF_E_ARGUMENT;
}

OpprofStatus OpprofLiveRunConfigure(OpprofLiveRun *run, OpprofStage *stage,
                                    const OpprofParams *params, OpprofError **error)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    OPPROF_REQUIRE("live-run-options", stage != NULL && params != NULL,
                   "What the run needs is given");

    OpprofStatus status = check_names("kernel_name", text_of(params, "kernel_name"), true, error);

    run->stage = stage;
    run->params = params;
    if (status == OPPROF_OK) {
        status = check_names("mstx_include", text_if_there(run, "mstx_include"), false, error);
    }
    if (status == OPPROF_OK && *text_if_there(run, "mstx_include") != '\0' && !wants_ranges(run)) {
        status = OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter mstx_include needs mstx=on");
    }
    if (status == OPPROF_OK && *text_of(params, "app") == '\0') {
        return need_program(run, error);
    }
    if (status == OPPROF_OK && *text_if_there(run, "config") != '\0') {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                              "Parameters app and config exclude each other");
    }
    return status == OPPROF_OK ? LiveAppParse(&run->app, text_of(params, "app"), error) : status;
}

OpprofLiveFilter OpprofLiveRunFilter(const OpprofLiveRun *run)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    OPPROF_REQUIRE("live-run-configured", run->stage != NULL, "OpprofLiveRunConfigure was called");
    return (
        OpprofLiveFilter){ .names = OpprofParamsString(run->params, "kernel_name"),
                           .launch_count = (uint32_t) OpprofParamsInt(run->params, "launch_count"),
                           .launch_skip = (uint32_t) OpprofParamsInt(run->params, "launch_skip") };
}

/* ---- start ---- */

/* The loader takes a list of libraries apart at blanks and colons, and puts other words in the
 * place of some that begin with '$'. */
static OpprofStatus refuse_list(const char *variable, const char *path, OpprofError **error)
{
    if (strpbrk(path, " :$") == NULL) {
        return OPPROF_OK;
    }
    OpprofErrorSet(
        error, OPPROF_E_ARGUMENT,
        "Cannot preload the injection library '%s': its path has a blank, a ':' or a '$'", path);
    OpprofErrorHint(error, "Install opprof in another place, or name a copy of the library with %s",
                    variable);
    return OPPROF_E_ARGUMENT;
}

OpprofStatus OpprofLiveInjectLibrary(OpprofLiveRun *run, const char *variable,
                                     const char *installed, const char **ret_path,
                                     OpprofError **error)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    OPPROF_REQUIRE("live-text-given", variable != NULL && installed != NULL && ret_path != NULL,
                   "The text is given");

    const char *path = secure_getenv(variable);

    path = path != NULL ? path : installed;
    free(run->inject);
    run->inject = realpath(path, NULL);
    *ret_path = run->inject;
    if (run->inject != NULL && access(run->inject, R_OK) == 0) {
        return refuse_list(variable, run->inject, error);
    }
    OpprofErrorSet(error, OPPROF_E_IO, "Cannot read the injection library '%s': %m", path);
    OpprofErrorHint(error, "Install opprof as a whole, or name the library with %s", variable);
    return OPPROF_E_IO;
}

OpprofStatus OpprofLiveRunStart(OpprofLiveRun *run, uint32_t flags, const OpprofLiveEvents *events,
                                OpprofLiveAppPlace *place, OpprofError **error)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    OPPROF_REQUIRE("live-run-options", events != NULL && place != NULL,
                   "What the run needs is given");
    OPPROF_REQUIRE("live-run-configured", run->stage != NULL, "OpprofLiveRunConfigure was called");

    OpprofLiveWelcome welcome = { .magic = OPPROF_LIVE_MAGIC, .version = OPPROF_LIVE_VERSION };
    OpprofStatus status;

    welcome.flags = flags | (wants_ranges(run) ? OPPROF_LIVE_WANT_MSTX : 0);
    snprintf(welcome.mstx_include, sizeof welcome.mstx_include, "%s",
             text_if_there(run, "mstx_include"));
    OpprofLiveRunClose(run);
    run->app.pid = 0;
    run->app.has_ended = false;
    run->is_reported = false;
    run->spoke_ms = 0;
    run->started_ms = LiveNowMs();
    status = LiveServerCreate(&welcome, events, &run->server, error);
    if (status == OPPROF_OK) {
        run->server->tally.names = OpprofParamsString(run->params, "kernel_name");
        place->socket = LiveServerName(run->server);
        place->token = LiveServerToken(run->server);
        status = LiveAppStart(&run->app, place, error);
        run->is_late = OpprofStageStopFromTerminal(run->stage);
    }
    if (status == OPPROF_OK) {
        OpprofLog(OPPROF_LOG_INFO, OpprofStageId(run->stage),
                  "Started '%s' as process %d, with '%s'", run->app.words[0], (int) run->app.pid,
                  place->inject);
    }
    return status;
}

/* ---- life ---- */

static void report_end(const OpprofLiveRun *run)
{
    const int status = run->app.status;

    if (run->was_ended) {
        return;
    }
    if (status == OPPROF_LIVE_STATUS_UNKNOWN) {
        OpprofStageIncomplete(run->stage,
                              "How '%s' ended is not known: this process ignores SIGCHLD",
                              run->app.words[0]);
    } else if (WIFSIGNALED(status)) {
        OpprofStageIncomplete(run->stage, "'%s' was ended by signal %d (%s)", run->app.words[0],
                              WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) != 0) {
        OpprofStageIncomplete(run->stage, "'%s' ended with exit code %d", run->app.words[0],
                              WEXITSTATUS(status));
    }
}

bool OpprofLiveRunHasEnded(OpprofLiveRun *run)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");

    const bool has_ended = LiveAppHasEnded(&run->app);

    if (has_ended && !run->is_reported) {
        run->is_reported = true;
        report_end(run);
    }
    return has_ended;
}

bool OpprofLiveRunIsQuiet(OpprofLiveRun *run, unsigned spoke, uint32_t limit_ms)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    OPPROF_REQUIRE("live-run-started", run->server != NULL, "OpprofLiveRunStart was called");

    const int64_t limit = limit_ms == 0 ? LINGER_MS : limit_ms;
    const unsigned clients = LiveServerClients(run->server);

    if (spoke > 0 || run->spoke_ms == 0) {
        run->spoke_ms = LiveNowMs();
    }
    if (clients + LiveServerStrangers(run->server) == 0 && spoke == 0) {
        return true;
    }
    if (LiveNowMs() - run->spoke_ms < limit) {
        return false;
    }
    if (clients == 0) {
        return true;
    }
    OpprofStageIncomplete(run->stage,
                          "%u %s after the end of '%s' and sent nothing for %" PRId64
                          " ms: what is launched from now on is not profiled",
                          clients,
                          OPPROF_PLURAL(clients, "process still runs", "processes still run"),
                          run->app.words[0], limit);
    return true;
}

/*
 * To the program, and to the processes that it started and that are profiled, which a shell would
 * leave behind; but not to the processes of the group `signalled`, unless it is 0.
 */
static void signal_all(OpprofLiveRun *run, int number, pid_t signalled)
{
    const pid_t program = LiveAppHasEnded(&run->app) ? 0 : run->app.pid;

    if (signalled == 0 || getpgid(program) != signalled) {
        LiveAppSignal(&run->app, number);
    }
    LiveServerSignal(run->server, number, program, signalled);
}

/* The group whose processes have got SIGINT from the terminal: a second one would interrupt what
 * they do at the first. */
static pid_t signalled_group(const OpprofLiveRun *run)
{
    return OpprofStageStopFromTerminal(run->stage) && !run->is_late ? getpgrp() : 0;
}

/* Until all of them have ended. Meanwhile they are answered, or they would wait for that. */
static bool have_ended(OpprofLiveRun *run, int64_t limit_ms)
{
    const int64_t until = LiveNowMs() + limit_ms;

    while (!LiveAppHasEnded(&run->app) || LiveServerClients(run->server) > 0) {
        if (LiveNowMs() >= until) {
            return false;
        }
        OpprofLiveServerStep(run->server, LOOK_MS);
    }
    return true;
}

void OpprofLiveRunEnd(OpprofLiveRun *run)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    if (LiveAppHasEnded(&run->app)) {
        return;
    }
    run->was_ended = true;
    LiveServerRefuse(run->server);
    signal_all(run, SIGINT, signalled_group(run));
    if (!have_ended(run, GRACE_MS)) {
        signal_all(run, SIGKILL, 0);
        have_ended(run, GRACE_MS);
    }
    while (!LiveAppHasEnded(&run->app)) {
        OpprofLiveServerStep(run->server, LOOK_MS);
    }
}

/* Tests have shorter ones. */
static int64_t minute_ms(void)
{
    const char *text = secure_getenv("OPPROF_LIVE_MINUTE_MS");
    const long ms = text == NULL ? 0 : strtol(text, NULL, 10);

    return ms > 0 ? ms : 60000;
}

void OpprofLiveRunLimit(OpprofLiveRun *run)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");

    const int64_t minutes = OpprofParamsInt(run->params, "timeout");

    if (minutes > 0 && LiveNowMs() - run->started_ms >= minute_ms() * minutes) {
        OpprofStageIncomplete(run->stage, "'%s' was stopped after %lld minutes (timeout)",
                              run->app.words[0], (long long) minutes);
        OpprofLiveRunEnd(run);
    }
}

void OpprofLiveRunCut(OpprofLiveRun *run)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    OPPROF_REQUIRE("live-run-started", run->server != NULL, "OpprofLiveRunStart was called");
    LiveServerRefuse(run->server);
    OpprofLiveRunEnd(run);
    run->was_ended = true;
    have_ended(run, GRACE_MS); /* what it started may end an operator after it */
    while (OpprofLiveServerStep(run->server, 0) > 0) {
    }
}

static void report_nothing(const OpprofLiveRun *run, uint64_t clients,
                           const OpprofLiveFilter *filter, const OpprofLiveWords *words)
{
    const char *program = run->app.words[0];

    if (clients == 0) {
        OpprofStageIncomplete(run->stage,
                              "%s: '%s' did not use %s, or where it is not seen (in a static "
                              "program, as another user, after the end of '%s')",
                              words->nothing, program, words->runtime, program);
    } else if (filter->launches == 0) {
        OpprofStageIncomplete(run->stage, "%s: '%s' %s none%s", words->nothing, program,
                              words->made, wants_ranges(run) ? " within an mstx range" : "");
    } else {
        OpprofStageIncomplete(run->stage,
                              "%s: %" PRIu64 " were %s, %" PRIu64
                              " of them after those to skip and with a name that kernel_name has",
                              words->nothing, filter->launches, words->made,
                              filter->launches - filter->skipped - filter->unnamed);
    }
}

/* Launches that one parameter left out. */
typedef struct LeftOut {
    const char *counted; /* name of the count in run.json */
    const char *by;      /* parameter, NULL: none */
    uint64_t launches;
} LeftOut;

/* "2 by launch_count=1", after what `text` has. */
static void put_left_out(const OpprofLiveRun *run, const LeftOut *left, char *text, size_t size)
{
    const size_t used = strlen(text);
    const char *before = used == 0 ? "" : ", ";

    if (left->by == NULL) {
        snprintf(text + used, size - used, "%s%" PRIu64 " for reasons that were reported", before,
                 left->launches);
    } else if (strcmp(left->by, "kernel_name") == 0) {
        snprintf(text + used, size - used, "%s%" PRIu64 " by %s", before, left->launches, left->by);
    } else {
        snprintf(text + used, size - used, "%s%" PRIu64 " by %s=%" PRId64, before, left->launches,
                 left->by, OpprofParamsInt(run->params, left->by));
    }
}

void OpprofLiveRunReportLaunches(const OpprofLiveRun *run, const OpprofLiveLaunchCounts *counts,
                                 const OpprofLiveWords *words)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    OPPROF_REQUIRE("live-run-options", counts != NULL && words != NULL,
                   "What the run needs is given");
    OPPROF_REQUIRE("live-run-configured", run->stage != NULL, "OpprofLiveRunConfigure was called");

    const LiveTally *tally = run->server == NULL ? NULL : &run->server->tally;
    const uint64_t unnamed = tally == NULL ? 0 : tally->unnamed; /* they would have passed by */
    OpprofLiveFilter filter = *counts->filter;

    filter.launches += unnamed;
    filter.unnamed += unnamed;
    const uint64_t chosen = filter.launches - filter.skipped - filter.unnamed - filter.beyond;
    const LeftOut left[] = {
        { "launches left out by launch_skip", "launch_skip", filter.skipped },
        { "launches left out by kernel_name", "kernel_name", filter.unnamed },
        { "launches left out by launch_count", "launch_count", filter.beyond },
        { "launches that failed", NULL, chosen > counts->profiled ? chosen - counts->profiled : 0 },
    };
    char text[256] = "";

    OpprofStageCount(run->stage, "launches seen", filter.launches);
    OpprofStageCount(run->stage, "launches profiled", counts->profiled);
    for (size_t i = 0; i < OPPROF_COUNT(left); i++) {
        if (left[i].launches > 0) {
            OpprofStageCount(run->stage, left[i].counted, left[i].launches);
            put_left_out(run, &left[i], text, sizeof text);
        }
    }
    if (tally != NULL) {
        LiveTallyReport(tally, run->stage);
    }
    if (filter.launches == 0 && tally != NULL && tally->launches > 0) {
        return; /* launches that passed are all there were */
    }
    if (chosen == 0) {
        report_nothing(run, counts->clients, &filter, words);
    } else if (text[0] != '\0') {
        OpprofStageWarn(run->stage, "%" PRIu64 " of %" PRIu64 " %s%s %s profiled%s; left out: %s",
                        counts->profiled, filter.launches,
                        OPPROF_PLURAL(filter.launches, "launch", "launches"),
                        wants_ranges(run) ? " within mstx ranges" : "",
                        OPPROF_PLURAL(counts->profiled, "was", "were"),
                        run->was_ended ? " until the program was stopped" : "", text);
    }
}

void OpprofLiveRunClose(OpprofLiveRun *run)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    LiveServerDestroy(run->server);
    run->server = NULL;
}

void OpprofLiveRunFinish(OpprofLiveRun *run)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    OpprofLiveRunClose(run);
    LiveAppFinish(&run->app);
    LiveRunLetGo(run);
    free(run->inject);
    run->inject = NULL;
}
