/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executions of graphs and models. Where everything that one does is known and can be done again,
 * it is repeated as a whole, as a launch is, and each of its kernels gets its own counters; a
 * simulator, whose log does not say which kernel an entry is of, does so for graphs of one kernel.
 * On a device such a graph is a launch in everything but that no other kernel takes its place.
 * Other executions are counted by the names of their kernels. Tested by
 * tests/refchip/test_interface.sh.
 */
#include "inject/ascend/board.h"
#include "inject/ascend/capture.h"
#include "inject/ascend/graphs.h"
#include "inject/ascend/mc2.h"
#include "inject/ascend/range.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is not profiled ---- */

static void count(const Launch *launch, const Graph *graph, const char *why)
{
    const int by = OriginalNameLength(launch->by);
    char text[OPPROF_LIVE_MOST_NOTE];

    (*CallDepth())++;
    if (graph == NULL || graph->names == NULL || graph->is_unknown) {
        snprintf(text, sizeof text, "executions by %.*s, %s", by, launch->by, why);
    } else {
        snprintf(text, sizeof text, "%s, executed by %.*s, %s", graph->names, by, launch->by, why);
    }
    NoteText(OPPROF_LIVE_UNPROFILED, text);
    (*CallDepth())--;
}

static bool is_one_kernel(const Graph *graph)
{
    for (uint32_t i = 1; i < graph->count; i++) {
        if (graph->launches[i].image != graph->launches[0].image ||
            strcmp(graph->launches[i].name, graph->launches[0].name) != 0) {
            return false;
        }
    }
    return true;
}

/* Its kernels wait for those of other devices, which are not repeated with them. */
static bool communicates(const Graph *graph)
{
    for (uint32_t i = 0; i < graph->count; i++) {
        if (graph->launches[i].image != NULL && graph->launches[i].image->is_collective) {
            return true;
        }
    }
    return Mc2HasComm(*CallDevice());
}

/* NULL: it can be profiled. */
static const char *why_not(const Launch *launch, const Graph *graph)
{
    bool is_recorded;
    const char *held = CaptureHolds(launch->stream, &is_recorded);

    if (held != NULL && is_recorded) {
        GraphSpoil("which executes another one", true);
    }
    if (held != NULL || graph == NULL || graph->count == 0) {
        return held != NULL ? held : "whose kernels are not known";
    }
    if (graph->why != NULL || !graph->is_complete) {
        return graph->why != NULL ? graph->why : "which is still recorded";
    }
    if (!WatchIsOnBoard()) {
        return is_one_kernel(graph) ? NULL
                                    : "whose kernels the simulator's log does not tell apart";
    }
    if (communicates(graph)) {
        return "which may communicate";
    }
    return BoardIsReady() && BoardIsApplication() ? "which replay_mode=application does not repeat"
                                                  : NULL;
}

/* ---- what is ---- */

static bool knows_memory(const Launch *launch, const Graph *graph)
{
    for (uint32_t i = 0; i < graph->count; i++) {
        const GraphLaunch *one = &graph->launches[i];
        const Launch made = { .is_acl = launch->is_acl,
                              .args = one->args,
                              .args_size = one->args_size,
                              .has_device_args = one->has_device_args };

        if (!BoardKnowsMemory(&made)) {
            return false;
        }
    }
    return true;
}

/* Ask for one of its kernels. Its number; 0: it is not wanted. */
static uint32_t ask(const GraphLaunch *one, uint32_t flags)
{
    Launch asking = { .blocks = one->blocks | flags };

    if (WatchHasEnded()) {
        return 0;
    }
    LaunchAsk(&asking, one->name);
    if (asking.is_collected && !LaunchSendKernel(&asking, one->image)) {
        WatchEnd();
        return 0;
    }
    return asking.is_collected ? asking.operator_id : 0;
}

/* Each of its kernels is asked for, and has its place among those that are repeated together. */
static void collect_on_board(Launch *launch, const Graph *graph)
{
    static const LaunchKernel none;

    launch->ids = calloc(graph->count, sizeof *launch->ids);
    if (launch->ids == NULL) {
        return;
    }
    launch->id_count = graph->count;
    for (uint32_t i = 0; i < graph->count; i++) {
        launch->ids[i] = ask(&graph->launches[i], OPPROF_LIVE_LAUNCH_RANGE);
        launch->operator_id = launch->operator_id == 0 ? launch->ids[i] : launch->operator_id;
    }
    launch->is_collected = launch->operator_id != 0;
    if (launch->is_collected) {
        RangeSend(launch->operator_id, launch->ids, launch->id_count);
        launch->is_on_board = BoardBegin(launch, &none);
    }
}

static void collect(Launch *launch, const Graph *graph)
{
    LaunchKernel kernel = { .image = graph->launches[0].image };

    if (WatchIsOnBoard() && graph->count > 1) {
        collect_on_board(launch, graph);
        return;
    }
    for (uint32_t i = 0; i < graph->count; i++) {
        launch->blocks += graph->launches[i].blocks;
    }
    snprintf(kernel.name, sizeof kernel.name, "%s", graph->launches[0].name);
    LaunchCollect(launch, &kernel);
}

static void begin(Launch *launch, Graph *graph)
{
    const char *why = why_not(launch, graph);

    if (why == NULL && WatchIsOnBoard() && !LaunchHasPlan()) {
        return;
    }
    if (why == NULL && WatchIsOnBoard() && !knows_memory(launch, graph)) {
        why = "whose memory cannot be restored";
    }
    if (why != NULL) {
        count(launch, graph, why);
        return;
    }
    collect(launch, graph);
}

void ExecuteBegin(Launch *launch)
{
    const int saved_errno = errno;

    if (*CallDepth() > 0 || !WatchMayWant()) {
        return;
    }
    (*LaunchesSeen())++;
    RangeTouch(NULL);
    launch->graph = GraphTake(launch->model);
    if (LaunchIsWanted()) {
        DeviceRefresh();
    }
    if (WatchWelcome() != NULL) { /* it must not meet a launch that is repeated, in any case */
        WatchLock();
        launch->is_locked = true;
    }
    (*CallDepth())++;
    if (launch->is_locked && LaunchIsWanted()) {
        begin(launch, launch->graph);
    }
    if (launch->is_locked && !launch->is_collected && !WatchIsOnBoard()) {
        WatchUnlock(); /* nothing is repeated here, and it may wait for another thread's launch */
        launch->is_locked = false;
    }
    (*CallDepth())--;
    errno = saved_errno;
}

void ExecuteFinish(Launch *launch)
{
    for (uint32_t i = 0; i < launch->id_count; i++) {
        if (launch->ids[i] != 0) {
            LaunchFinish(launch->ids[i], launch->earlier_error, 0);
        }
    }
    free(launch->ids);
    launch->ids = NULL;
    launch->id_count = 0;
}
