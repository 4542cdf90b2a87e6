/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects files of a launch that are not of one launch, and lost reports of communication.
 * Tested by tests/plugins/mc2/test_mutations.sh.
 */
#include "launch.h"

#include <opprof/text.h>

#include <inttypes.h>

/* ---- times ---- */

static bool meets(uint64_t start, uint64_t end, uint64_t from, uint64_t to)
{
    return start <= to && end >= from;
}

/* Blocks run while the task of their operator runs; both have the time of the same counter. */
static void doubt_blocks(const Launch *launch, const LaunchStart *start)
{
    const uint64_t first = BlocksStart(&launch->blocks);

    if (first != 0 && start->cores != 0 && start->core_end != 0 &&
        !meets(first, BlocksLastEnd(&launch->blocks), start->cores, start->core_end)) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "all blocks of '%s' ran outside of the operator's task in "
                            "'duration.bin': one of the two files is of another launch or rank",
                            OpprofStageString(launch->base.stage, launch->block_file));
    }
}

static uint64_t last_end(const TaskLog *log)
{
    uint64_t last = 0;

    for (size_t i = 0; i < log->time_count; i++) {
        last = log->times[i].end > last ? log->times[i].end : last;
    }
    return last;
}

/* Turns of earlier launches may still be there, but not only those. */
static void doubt_turns(const Launch *launch, uint64_t zero)
{
    const uint64_t end = last_end(&launch->log);

    for (size_t i = 0; i < launch->turn_count; i++) {
        const AicpuTurn *turn = &launch->turns[i];
        if (meets(turn->times[0], turn->times[TURN_PHASES], zero, end)) {
            return;
        }
    }
    if (launch->turn_count > 0 && zero != 0 && end != 0) {
        OPPROF_LAUNCH_LACKS(&launch->base, "all turns of the AI CPU in 'aicpu.bin' lie outside of "
                                           "the launch: the file is of another launch or rank");
    }
}

/* ---- reports of communication ---- */

/* Tasks of a key that no report named, while the operator ran. */
static uint64_t count_nameless(const Launch *launch, const TaskKey *key, OpprofMap *streams,
                               uint64_t from, uint64_t to)
{
    uint64_t count = 0;

    for (uint32_t at = key->taken; at != UINT32_MAX; at = launch->log.times[at].next) {
        const TaskTime *time = &launch->log.times[at];
        const bool is_core = OpprofBitsGet(launch->facts->log.task_types, time->type, 1) != 0;

        count += !is_core && time->type != TASK_TYPE_AI_CPU && time->start >= from &&
                 time->start <= to && OpprofMapFind(streams, time->stream) != OPPROF_MAP_NONE;
    }
    return count;
}

/* The AI CPU reports each task that it puts into a stream: where it reported some, others are lost.
 * False without memory. */
static bool doubt_reports(const Launch *launch, const LaunchStart *start, uint64_t zero)
{
    OpprofMap streams = { .slots = NULL };
    uint64_t nameless = 0;
    bool is_good = true;

    for (size_t i = 0; is_good && i < launch->task_count; i++) {
        uint32_t stream = launch->tasks[i].stream;
        uint32_t task = launch->tasks[i].task & 0xffff;

        TaskNormalise(&stream, &task);
        is_good = OpprofMapPut(&streams, stream, 0);
    }
    for (size_t i = 0; is_good && launch->task_count > 0 && i < launch->log.key_count; i++) {
        nameless += count_nameless(launch, &launch->log.keys[i], &streams, zero,
                                   start->core_end != 0 ? start->core_end : UINT64_MAX);
    }
    if (nameless > 0) {
        OPPROF_LAUNCH_LACKS(
            &launch->base,
            "%" PRIu64 " %s that communicates, but no report in 'aicpu.bin' names %s", nameless,
            OPPROF_PLURAL(nameless, "task in 'duration.bin' is of a stream",
                          "tasks in 'duration.bin' are each of a stream"),
            OPPROF_PLURAL(nameless, "it", "them"));
    }
    OpprofMapFinish(&streams);
    return is_good;
}

bool LaunchFindContradictions(const Launch *launch, const LaunchStart *start, uint64_t zero)
{
    if (!launch->base.is_over || launch->base.is_stopped) {
        return true;
    }
    doubt_blocks(launch, start);
    if (!launch->is_mc2) {
        return true;
    }
    doubt_turns(launch, zero);
    return doubt_reports(launch, start, zero);
}
