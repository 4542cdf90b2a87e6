/* SPDX-License-Identifier: Apache-2.0 */
/* Parses later operators while the program runs on. Tested by tests/refchip/test_live.sh. */
#include "later.h"
#include <opprof/log.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void LiveLaterInit(LiveLater *later, OpprofStage *stage, const OpprofParams *params,
                   LiveOperators *operators)
{
    pthread_condattr_t monotonic;

    *later = (LiveLater){ .stage = stage, .params = params, .operators = operators, .next = 1 };
    pthread_mutex_init(&later->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&later->ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void LiveTidy(const OpprofParams *params, const LiveOperator *operator)
{
    if (!OpprofLiveIsOn(params, "dump")) {
        LiveSpoolRemoveLogs(&operator->spool);
    }
}

/* ---- one operator ---- */

/* The elements of a list parameter, with ',' between. */
static OpprofStatus pass_list(const LiveLater *later, const char *name, OpprofError **error)
{
    char text[512] = "";

    for (size_t i = 0; i < OpprofParamsCount(later->params, name); i++) {
        const size_t used = strlen(text);

        snprintf(text + used, sizeof text - used, "%s%s", i == 0 ? "" : ",",
                 OpprofParamsElement(later->params, name, i));
    }
    return text[0] == '\0' ? OPPROF_OK : OpprofPipelineSet(later->pipeline, name, text, error);
}

/* A user's own pipeline of that name reads dump files instead. */
static void hand_counts_over(LiveLater *later)
{
    LiveCounts *counts = later->current->counts;

    if (counts != NULL) {
        LiveCountsLeaveBudget(counts);
    }
    later->reads_records =
        OpprofPipelineSetShared(later->pipeline, "dump", "collect-sim", counts, NULL) == OPPROF_OK;
}

static void print_dump(LiveLater *later)
{
    LivePrinter printer;

    LivePrinterStart(&printer, later->current->spool.directory);
    while (LivePrinterStep(&printer)) {
    }
    memcpy(later->unprinted, printer.reason, sizeof later->unprinted);
    LivePrinterFinish(&printer);
}

static OpprofStatus make_pipeline(LiveLater *later, OpprofError **error)
{
    const char *dump = later->current->spool.directory;
    OpprofStatus status;

    later->pipeline = OpprofPipelineCreate();
    later->results = strndup(dump, strlen(dump) - strlen("/dump"));
    if (later->pipeline == NULL || later->results == NULL) {
        return OpprofErrorNoMemory(error, "parse operator '%s'", later->current->name);
    }
    status = OpprofPipelineSet(later->pipeline, "input", dump, error);
    if (status == OPPROF_OK) {
        status = OpprofPipelineSet(later->pipeline, "chip",
                                   OpprofChipSoc(later->operators->facts.chip), error);
    }
    if (status == OPPROF_OK) {
        status = pass_list(later, "metrics", error);
    }
    if (status == OPPROF_OK) {
        status = pass_list(later, "core_id", error);
    }
    if (status == OPPROF_OK) {
        status = OpprofPipelineLoad(later->pipeline, "sim-dump", error);
    }
    if (status == OPPROF_OK) {
        hand_counts_over(later);
    }
    return status == OPPROF_OK
               ? OpprofPipelineSetOutput(later->pipeline, later->results, true, error)
               : status;
}

static void *run_pipeline(void *argument)
{
    LiveLater *later = argument;

    if (!later->reads_records) {
        print_dump(later);
    }
    later->status = RunAllPlugins(later->pipeline, &later->report, &later->error);
    if (OpprofLiveIsOn(later->params, "dump")) {
        print_dump(later);
    }
    pthread_mutex_lock(&later->lock);
    later->has_ended = true;
    pthread_cond_signal(&later->ended);
    pthread_mutex_unlock(&later->lock);
    return NULL;
}

/* An operator that cannot be parsed is lost, but no other. */
static void report(LiveLater *later)
{
    const char *name = later->current->name;

    if (OpprofFailed(later->status)) {
        OpprofStageIncomplete(later->stage, "Operator '%s' cannot be parsed: %s", name,
                              OpprofErrorLine(later->error));
    } else if (later->report.outcome != OPPROF_RUN_COMPLETE) {
        OpprofStageIncomplete(
            later->stage, "Operator '%s' in '%s' is not complete: %s", name, later->results,
            later->report.reason == NULL ? "see its run.json" : later->report.reason);
    }
    if (later->unprinted[0] != '\0') {
        OpprofStageIncomplete(later->stage, "%s", later->unprinted);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(later->stage), "Parsed operator: name=%s, results=%s",
              name, later->results == NULL ? "" : later->results);
    OpprofErrorDestroy(later->error);
    OpprofRunReportFinish(&later->report);
    OpprofPipelineDestroy(later->pipeline);
    free(later->results);
    LiveTidy(later->params, later->current);
    LiveOperatorForgetCounts(later->current);
    later->current = NULL;
    later->pipeline = NULL;
    later->results = NULL;
    later->error = NULL;
    later->report = (OpprofRunReport){ .reason = NULL };
}

static void start(LiveLater *later, LiveOperator *operator)
{
    OpprofStatus status;

    later->current = operator;
    later->has_ended = false;
    later->reads_records = false;
    later->unprinted[0] = '\0';
    status = make_pipeline(later, &later->error);
    if (status == OPPROF_OK && pthread_create(&later->thread, NULL, run_pipeline, later) != 0) {
        status = OpprofErrorNoMemory(&later->error, "parse operator '%s'", operator->name);
    }
    if (status != OPPROF_OK) { /* else all of it is the thread's now */
        later->status = status;
        print_dump(later);
        report(later);
    }
}

/* ---- all of them ---- */

static LiveOperator *next_ended(const LiveLater *later)
{
    LiveOperator *operator= later->next<later->operators->count
        ? later->operators->operators[later->next]
        : NULL;

    return operator!= NULL && operator->has_ended ? operator: NULL;
}

/* False: it has not ended within that time. */
static bool wait_for_end(LiveLater *later, unsigned ms)
{
    struct timespec until;
    bool has_ended;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long) ms * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&later->lock);
    while (!later->has_ended && ms > 0 &&
           pthread_cond_timedwait(&later->ended, &later->lock, &until) == 0) {
    }
    has_ended = later->has_ended;
    pthread_mutex_unlock(&later->lock);
    return has_ended;
}

void LiveLaterStep(LiveLater *later, unsigned ms)
{
    LiveOperator *operator;

    if (later->current != NULL && wait_for_end(later, ms)) {
        pthread_join(later->thread, NULL);
        report(later);
    }
    operator= later->current == NULL ? next_ended(later) : NULL;
    if (operator!= NULL) {
        later->next++;
        start(later, operator);
    }
}

bool LiveLaterIsDone(const LiveLater *later)
{
    return later->current == NULL && next_ended(later) == NULL;
}

void LiveLaterStop(LiveLater *later)
{
    uint32_t left = 0;

    if (later->current != NULL) {
        OpprofPipelineStop(later->pipeline, "the end of the run that it is part of");
        pthread_join(later->thread, NULL);
        report(later);
    }
    for (; next_ended(later) != NULL; later->next++) {
        later->current = next_ended(later);
        print_dump(later);
        left++;
    }
    later->current = NULL;
    if (left > 0) {
        OpprofStageIncomplete(later->stage,
                              "%u %s recorded and not parsed: the dumps are in the "
                              "directory of results",
                              (unsigned) left,
                              OPPROF_PLURAL(left, "operator was", "operators were"));
    }
}

void LiveLaterFinish(LiveLater *later)
{
    if (later->operators != NULL) {
        LiveLaterStop(later);
        pthread_cond_destroy(&later->ended);
        pthread_mutex_destroy(&later->lock);
    }
}
