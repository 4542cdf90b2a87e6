/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects launch files that contradict each other: a file in another's place, counters that no core
 * reaches, the log of another task. Tested by tests/plugins/parse-pmu/test_vectors.sh.
 */
#include "launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Cycles and clock are measured in different replays and at different times: what is doubted is
 * beyond what they differ by. */
#define SLACK 1.25

/* ---- replays ---- */

static bool is_seen(const Launch *launch, uint32_t round)
{
    return (launch->rounds_seen >> (round - 1) & 1) != 0;
}

bool LaunchHasCounts(const Launch *launch, uint32_t round)
{
    const Merge *merge = &launch->merge;

    for (uint32_t key = 0; round <= merge->plan->rounds && key < merge->key_count; key++) {
        const uint16_t *columns = PlanRound(merge->plan, merge->keys[key].kind, round - 1);
        for (uint32_t slot = 0; slot < merge->plan->slots; slot++) {
            const uint64_t value =
                columns[slot] == LAYOUT_NO_COLUMN ? 0 : MergeValue(merge, key, columns[slot]);
            if (value != 0 && value != OPPROF_NA_U64 && merge->keys[key].cycles_max > 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_copy(const Launch *launch, uint32_t round, uint32_t earlier)
{
    const ReplayFile *a = &launch->replays[round - 1];
    const ReplayFile *b = &launch->replays[earlier - 1];

    return is_seen(launch, earlier) && a->size == b->size && a->hash == b->hash &&
           (LaunchHasCounts(launch, round) || LaunchHasCounts(launch, earlier));
}

static void doubt_copies(const Launch *launch)
{
    for (uint32_t round = 2; round <= launch->plan->rounds; round++) {
        uint32_t earlier = 1;

        while (earlier < round && is_seen(launch, round) && !is_copy(launch, round, earlier)) {
            earlier++;
        }
        if (earlier < round && is_seen(launch, round)) {
            OPPROF_LAUNCH_LACKS(&launch->base,
                                "'%s' has the same bytes as '%s', which counted "
                                "other events: the metrics of one of them are wrong",
                                OpprofLaunchFileName(&launch->base, "counters", round).text,
                                OpprofLaunchFileName(&launch->base, "counters", earlier).text);
        }
    }
}

/* Replays run one after the other, in the order of their numbers; times of several runs cannot be
 * compared. */
static void doubt_order(const Launch *launch)
{
    const uint32_t rounds = TaskLogHasRuns(&launch->log) ? 0 : MergeRounds(&launch->merge);
    uint32_t latest = 0;

    for (uint32_t round = 1; round <= rounds; round++) {
        const uint64_t start = launch->merge.starts[round - 1];

        if (start == 0) {
            continue;
        }
        if (latest != 0 && start < launch->merge.starts[latest - 1]) {
            OPPROF_LAUNCH_LACKS(&launch->base,
                                "the cores of '%s' began before those of '%s', so "
                                "these files are not in the order in which they were counted: "
                                "metrics that need them are wrong",
                                OpprofLaunchFileName(&launch->base, "counters", round).text,
                                OpprofLaunchFileName(&launch->base, "counters", latest).text);
            return;
        }
        latest = round;
    }
}

bool LaunchHasWholeLog(const Launch *launch)
{
    return launch->base.is_over && !launch->base.is_stopped && launch->log.records > 0 &&
           !launch->base.is_range && strcmp(launch->settings->replay, "range") != 0;
}

/* The log has an end for each replay and for warm-ups, or it is of the last replay alone. */
static void doubt_log_length(const Launch *launch)
{
    const int replays = __builtin_popcountll(launch->rounds_seen);

    if (LaunchHasWholeLog(launch) && launch->log.ends > 1 &&
        launch->log.ends < (uint64_t) replays) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "'%s' holds the ends of %" PRIu64
                            " tasks, but there are counters of %d replays: it is cut, and the "
                            "duration may not be that of the last replay",
                            OpprofLaunchFileName(&launch->base, "task_log", 0).text,
                            launch->log.ends, replays);
    }
}

/* Starts and ends are as many, one after the other; an end may be written before its start. */
static void doubt_log_order(const Launch *launch)
{
    const TaskLog *log = &launch->log;
    const char *why = log->open > log->early   ? "has a start without an end"
                      : log->early > log->open ? "has an end without a start"
                      : log->mixed > 0         ? "has a start within an earlier task"
                                               : NULL;

    if (LaunchHasWholeLog(launch) && why != NULL && !TaskLogLacksStart(log)) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "'%s' %s: records were lost or came twice, and the duration may not be "
                            "that of the last replay",
                            OpprofLaunchFileName(&launch->base, "task_log", 0).text, why);
    }
}

/* Cores run while a task of the log does; both have the time of the same counter. A log of one task
 * is of the last replay. */
static void doubt_times(const Launch *launch)
{
    const TaskLog *log = &launch->log;
    const uint32_t rounds = LaunchHasWholeLog(launch) && !TaskLogHasRuns(log) && log->latest != 0
                                ? MergeRounds(&launch->merge)
                                : 0;

    for (uint32_t round = 1; round <= rounds; round++) {
        const uint64_t start = launch->merge.starts[round - 1];
        const bool is_late = start > log->latest;

        if (start != 0 && (is_late || (log->ends > 1 && start < log->earliest))) {
            OPPROF_LAUNCH_LACKS(&launch->base,
                                "the cores of '%s' began %s of '%s': one of the two files is of "
                                "another launch, or the log is cut",
                                OpprofLaunchFileName(&launch->base, "counters", round).text,
                                is_late ? "after the last task" : "before the first task",
                                OpprofLaunchFileName(&launch->base, "task_log", 0).text);
            return;
        }
    }
}

/* The log's last task is the last replay, whose time is the launch's, or one after it, such as that
 * of the instrumented kernel. An earlier replay's ends long before the cores begin. */
static void doubt_last_task(const Launch *launch)
{
    const TaskLog *log = &launch->log;
    const uint32_t round = LaunchHasWholeLog(launch) ? MergeRounds(&launch->merge) : 0;
    const uint64_t start = round == 0 ? 0 : launch->merge.starts[round - 1];

    if (start == 0 || log->start == 0 || log->end < log->start || start > log->latest) {
        return;
    }
    if (start > log->end && start - log->end > log->end - log->start) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "the cores of '%s' did not begin in the last task of '%s': records of "
                            "the log were lost, came twice or changed places, or one of the two "
                            "files is of another launch",
                            OpprofLaunchFileName(&launch->base, "counters", round).text,
                            OpprofLaunchFileName(&launch->base, "task_log", 0).text);
    }
}

/* ---- counters ---- */

/* The first counter that its core cannot have reached, and how many there are. */
typedef struct Impossible {
    uint32_t key;
    uint32_t column;
    uint64_t count;
} Impossible;

static Impossible find_impossible(const Launch *launch)
{
    const Merge *merge = &launch->merge;
    const uint32_t columns = merge->layout->event_count;
    Impossible found = { .count = 0 };

    for (uint32_t key = 0; key < merge->key_count; key++) {
        const double cycles = (double) merge->keys[key].cycles_max * SLACK;
        const uint64_t *values = merge->values + (size_t) key * columns;

        for (uint32_t column = 0; cycles > 0 && column < columns; column++) {
            if (values[column] != OPPROF_NA_U64 &&
                (double) values[column] >
                    cycles * merge->layout->event_facts[column]->most_per_cycle) {
                if (found.count++ == 0) {
                    found.key = key;
                    found.column = column;
                }
            }
        }
    }
    return found;
}

/* "core 'cube0' of block 3", or what there is instead on a chip that does
 * not distinguish blocks. */
static void print_core(const Launch *launch, const MergeKey *key, char *text, size_t size)
{
    const uint32_t name = LaunchKeyName(launch, key);

    if (name == OPPROF_NA_STRING) {
        snprintf(text, size, "the core");
    } else {
        snprintf(text, size, "core '%s' of block %u", OpprofStageString(launch->base.stage, name),
                 key->block);
    }
}

/* The file that a counter came from. */
static OpprofFileName file_of(const Launch *launch, const Impossible *found)
{
    const Merge *merge = &launch->merge;
    const L2Layout *l2 = &merge->layout->l2;

    for (uint32_t i = 0; i < l2->column_count; i++) {
        if (l2->columns[i] == found->column) {
            return OpprofLaunchFileName(&launch->base, "l2_cache", 0);
        }
    }
    const size_t cell = (size_t) found->key * merge->layout->event_count + found->column;
    return OpprofLaunchFileName(&launch->base, "counters", merge->rounds[cell]);
}

static void doubt_counters(const Launch *launch)
{
    const Impossible found = find_impossible(launch);
    const Merge *merge = &launch->merge;
    char core[96];
    char event[16];

    if (found.count == 0) {
        return;
    }
    const MergeKey *key = &merge->keys[found.key];
    snprintf(event, sizeof event, "%u", merge->layout->events[found.column]);
    const char *name = merge->layout->event_facts[found.column]->name;
    print_core(launch, key, core, sizeof core);
    OPPROF_LAUNCH_LACKS(
        &launch->base,
        "'%s': %s counted %" PRIu64 " of event %s%s%s%s, more than its %" PRIu64
        " cycles allow; %" PRIu64 " such counters, metrics that need them are wrong",
        file_of(launch, &found).text, core, MergeValue(merge, found.key, (uint16_t) found.column),
        event, name == NULL ? "" : " ('", name == NULL ? "" : name, name == NULL ? "" : "')",
        key->cycles_max, found.count);
}

/* ---- the task ---- */

/* The largest number of cores that share a row; 0 if unknown. If a chip has one row for all cores,
 * each core runs a block. */
static double most_cores_of_row(const Launch *launch)
{
    double blocks = 0;

    if (!launch->merge.layout->one_key) {
        return 1;
    }
    return OpprofLaunchNumber(&launch->base, "block_dim", &blocks) ? blocks : 0;
}

/* A core works while its task runs. The rated clock may not be that of the
 * run, so it says nothing. */
static void doubt_duration(const Launch *launch)
{
    const double us = TaskLogDuration(&launch->log, LaunchSchedulerKhz(launch));
    const double cores = most_cores_of_row(launch);
    double mhz = 0;

    /* Within one process a start never repeats. If the application runs again for each replay,
     * every run may start at the same tick, and all of them append to one log. */
    if (TaskLogIsDouble(&launch->log) && !LaunchIsApplicationReplay(launch)) {
        OPPROF_LAUNCH_LACKS(&launch->base, "'%s' holds the records of a task twice",
                            OpprofLaunchFileName(&launch->base, "task_log", 0).text);
    }
    if (!(cores > 0) || OpprofIsNaF64(us) ||
        !OpprofLaunchNumber(&launch->base, "current_freq", &mhz)) {
        return;
    }
    for (uint32_t i = 0; i < launch->merge.key_count; i++) {
        const MergeKey *key = &launch->merge.keys[i];
        char core[96];

        if (key->cycles_round == 0 || (double) key->cycles_min <= us * mhz * SLACK * cores) {
            continue;
        }
        print_core(launch, key, core, sizeof core);
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "by '%s' the task took %g us, but %s ran for %" PRIu64
                            " cycles, %g us at %g MHz: the log is that of another launch, or a "
                            "clock is wrong",
                            OpprofLaunchFileName(&launch->base, "task_log", 0).text, us, core,
                            key->cycles_min, (double) key->cycles_min / mhz, mhz);
        return;
    }
}

void LaunchFindContradictions(const Launch *launch)
{
    doubt_copies(launch);
    doubt_order(launch);
    doubt_log_length(launch);
    doubt_log_order(launch);
    doubt_times(launch);
    doubt_last_task(launch);
    doubt_counters(launch);
    doubt_duration(launch);
}
