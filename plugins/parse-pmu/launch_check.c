/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Losses of a completely read launch, and data of it that cannot be trusted.
 * Tested by tests/plugins/parse-pmu/test_vectors.sh.
 */
#include "launch.h"

#include <opprof/kit/block_cores.h>

#include <inttypes.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Clocks of chips are far from both limits. */
#define LEAST_MHZ 1.0
#define MOST_MHZ 1000000.0

#define MOST_CORES_OF_BLOCK 64u
#define SPREAD_TOLD 0.25 /* difference between the replays, of the cycles of one core */

static OpprofFileName counters_of(const Launch *launch, uint32_t round)
{
    return OpprofLaunchFileName(&launch->base, "counters", round);
}

/* ---- replays ---- */

static uint32_t last_round(const Launch *launch)
{
    uint32_t last = 0;

    for (uint32_t round = 1; round <= launch->plan->rounds; round++) {
        last = (launch->rounds_seen >> (round - 1) & 1) != 0 ? round : last;
    }
    return last;
}

static bool may_be_packed(const Launch *launch)
{
    size_t info_length;

    OpprofLaunchInfo(&launch->base, &info_length);
    const bool is_replay_unknown =
        info_length == 0 && strcmp(launch->settings->replay, "auto") == 0;

    return !launch->model->layout.facts.is_always_fixed &&
           (is_replay_unknown || LaunchIsApplicationReplay(launch));
}

/*
 * The assignment of counters to events depends on the metrics that were collected when the
 * application was replayed. The number of files does not show it: all groups but one may need
 * as many replays as all groups.
 */
static bool has_unknown_plan(const Launch *launch)
{
    const bool is_named = launch->settings->metrics.count > 0;

    if (launch->plan->rounds == 0 || !may_be_packed(launch)) {
        return false;
    }
    return is_named ? launch->plan != &launch->model->plans[0] && launch->rounds_beyond > 0
                    : launch->rounds_seen != 0;
}

static void report_unknown_plan(const Launch *launch)
{
    const uint32_t files = last_round(launch) + launch->rounds_beyond;
    const OpprofFileName last = counters_of(launch, files);

    if (launch->settings->metrics.count > 0) {
        OPPROF_LAUNCH_LACKS(
            &launch->base,
            "all counters are left out: there are %u replays, up to '%s', but the "
            "metrics that were named need %u when the application is replayed, so the events of "
            "the counters are unknown; name the metrics that were collected with --set metrics=",
            files, last.text, launch->plan->rounds);
        return;
    }
    OPPROF_LAUNCH_LACKS(
        &launch->base,
        "all counters are left out: there are %u replays, up to '%s', of an "
        "application, and no metrics are named, so the events of the counters are unknown; name "
        "the metrics that were collected with --set metrics=, such as metrics=default",
        files, last.text);
}

static void report_missing_rounds(const Launch *launch)
{
    for (uint32_t round = 0; round < launch->plan->rounds; round++) {
        if ((launch->rounds_seen >> round & 1) != 0) {
            continue;
        }
        char *groups = PlanGroupsOf(launch->plan, &launch->model->layout, round);
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "'%s' is missing or holds no record: metrics of %s that "
                            "need it are NA",
                            counters_of(launch, round + 1).text, groups == NULL ? "" : groups);
        free(groups);
    }
    if (launch->plan->rounds == 0 && launch->merge.key_count == 0) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "'%s' is missing or holds no record: it is unknown "
                            "which kinds of cores ran",
                            counters_of(launch, 1).text);
    }
    if (launch->model->plans[0].rounds == 0 && launch->model->choices.groups[0] != '\0' &&
        launch->merge.key_count > 0) {
        OPPROF_LAUNCH_LACKS(&launch->base, "all counters are left out: the chip file does not say "
                                           "which events they count (pmu.rounds)");
    }
}

/* Each replay leaves one record per core. */
static void report_odd_rounds(const Launch *launch)
{
    for (uint32_t round = 1; round <= MergeRounds(&launch->merge); round++) {
        const uint32_t lacking =
            (launch->rounds_seen >> (round - 1) & 1) == 0 ? 0 : MergeLacking(&launch->merge, round);
        const uint64_t repeats = launch->merge.repeats[round - 1];
        if (lacking > 0) {
            OPPROF_LAUNCH_LACKS(&launch->base,
                                "'%s' lacks the records of %u of %u cores: "
                                "their metrics that need it are NA",
                                counters_of(launch, round).text, lacking, launch->merge.key_count);
        }
        if (repeats > 0) {
            OPPROF_LAUNCH_LACKS(&launch->base,
                                "'%s' holds %" PRIu64
                                " %s of a core that it had before: the counters of the first and "
                                "the cycles of the last record are used",
                                counters_of(launch, round).text, repeats,
                                OPPROF_PLURAL(repeats, "record", "records"));
        }
    }
    if (launch->rounds_beyond > 0 && launch->plan->rounds > 0) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "%u %s of counters beyond '%s' %s left out: "
                            "the replay plan has no more",
                            launch->rounds_beyond,
                            OPPROF_PLURAL(launch->rounds_beyond, "file", "files"),
                            counters_of(launch, launch->plan->rounds).text,
                            OPPROF_PLURAL(launch->rounds_beyond, "is", "are"));
    }
}

/* Different blocks of the launch's keys. 0 without memory. */
static uint32_t count_blocks(const Launch *launch)
{
    uint32_t *order = LaunchKeyOrder(launch);
    const uint32_t blocks = order == NULL ? 0 : LaunchCountBlocks(launch, order);

    free(order);
    return blocks;
}

/* Cores that a block has, if each has all those that any of them has. 0: more than a block may
 * have. */
static uint32_t cores_of_block(const Launch *launch)
{
    const MergeKey *keys = launch->merge.keys;
    uint32_t different[MOST_CORES_OF_BLOCK];
    uint32_t count = 0;

    for (uint32_t i = 0; i < launch->merge.key_count; i++) {
        uint32_t k = 0;

        while (k < count && (keys[different[k]].kind != keys[i].kind ||
                             keys[different[k]].sub_block != keys[i].sub_block)) {
            k++;
        }
        if (k == MOST_CORES_OF_BLOCK) {
            return 0;
        }
        different[k] = i;
        count = k == count ? count + 1 : count;
    }
    return count;
}

/* Cores without a record in any pass are missed by their number: all blocks run on the same kinds
 * of cores. */
static void report_missing_cores(const Launch *launch)
{
    const uint32_t blocks = count_blocks(launch);
    const uint64_t cores = cores_of_block(launch);
    double launched = 0;

    if (blocks == 0 || launch->model->layout.one_key) {
        return;
    }
    const bool is_known = OpprofLaunchNumber(&launch->base, "block_dim", &launched);
    const uint64_t all = is_known && launched > blocks ? (uint64_t) launched : blocks;
    if (launch->merge.key_count < all * cores) {
        OPPROF_LAUNCH_LACKS(
            &launch->base,
            "'%s' and later ones hold records of %u of %" PRIu64 " blocks, and of %u "
            "of their %" PRIu64 " cores: sums over the operator, such as its rooflines, lack the "
            "others",
            counters_of(launch, 1).text, blocks, all, launch->merge.key_count, all * cores);
    }
}

static void check_rounds(Launch *launch, bool is_read)
{
    if (is_read) {
        report_missing_cores(launch);
    }
    if (has_unknown_plan(launch)) {
        report_unknown_plan(launch);
        MergeForgetCounters(&launch->merge);
        return;
    }
    if (is_read) {
        report_missing_rounds(launch);
    }
    report_odd_rounds(launch);
}

/* ---- other files ---- */

static void report_missing_facts(const Launch *launch)
{
    static const char *const needed[] = { "name", "block_dim", "device_id", "current_freq",
                                          "rated_freq" };
    char names[128] = "";
    size_t length = 0;
    size_t unused;

    OpprofLaunchInfo(&launch->base, &unused);
    if (unused == 0) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "there is no '%s', so it is unknown what ran and at which clock",
                            OpprofLaunchFileName(&launch->base, "info", 0).text);
        return;
    }
    for (size_t i = 0; i < OPPROF_COUNT(needed); i++) {
        if (OpprofLaunchFact(&launch->base, needed[i], &unused) == NULL) {
            length += (size_t) snprintf(names + length, sizeof names - length, "%s'%s'",
                                        length == 0 ? "" : ", ",
                                        OpprofLaunchKey(&launch->base, needed[i]));
        }
    }
    if (length > 0) {
        OPPROF_LAUNCH_LACKS(&launch->base, "'%s' lacks %s",
                            OpprofLaunchFileName(&launch->base, "info", 0).text, names);
    }
}

/* The mistake in a number; NULL: none. All times are computed from cycles and a clock. NA: it is
 * unknown. */
static const char *why_odd(const Launch *launch, const char *fact)
{
    const bool is_clock = strcmp(fact, "current_freq") == 0 || strcmp(fact, "rated_freq") == 0;
    size_t length = 0;
    const char *value = OpprofLaunchFact(&launch->base, fact, &length);
    double number;

    if (value == NULL || (length == 2 && memcmp(value, "NA", 2) == 0)) {
        return NULL;
    }
    if (!OpprofLaunchNumber(&launch->base, fact, &number)) {
        return "is not a number";
    }
    return is_clock && (number < LEAST_MHZ || number > MOST_MHZ) ? "is not a clock in MHz" : NULL;
}

static void report_odd_facts(const Launch *launch)
{
    static const char *const numbers[] = { "block_dim", "device_id", "current_freq", "rated_freq" };

    for (size_t i = 0; i < OPPROF_COUNT(numbers); i++) {
        const char *why = why_odd(launch, numbers[i]);

        if (why != NULL) {
            OPPROF_LAUNCH_LACKS(&launch->base, "'%s' of its '%s' %s",
                                OpprofLaunchKey(&launch->base, numbers[i]),
                                OpprofLaunchFileName(&launch->base, "info", 0).text, why);
        }
    }
}

static void report_missing_duration(const Launch *launch)
{
    const double any_khz = 1;

    if (TaskLogLacksStart(&launch->log)) {
        OPPROF_LAUNCH_LACKS(
            &launch->base,
            "the last end of a task in '%s' has no start of its own, so its duration "
            "is unknown",
            OpprofLaunchFileName(&launch->base, "task_log", 0).text);
    } else if (OpprofIsNaF64(TaskLogDuration(&launch->log, any_khz))) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "no '%s' states a task's start and end, so its duration is unknown",
                            OpprofLaunchFileName(&launch->base, "task_log", 0).text);
    }
}

/* A range leaves none; the collector may have divided it before opprof saw the files. */
static void report_missing_l2(const Launch *launch)
{
    const char *group = launch->model->layout.facts.l2.group;
    const char *groups = launch->model->choices.groups;
    const bool is_wanted = groups[0] != '\0' && (group == NULL || OpprofPmuListHas(groups, group));

    if (launch->model->layout.l2.size > 0 && is_wanted && !launch->has_l2 &&
        !launch->base.is_range && strcmp(launch->settings->replay, "range") != 0) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "there is no '%s', so %s (a range replay leaves "
                            "none: say so with --set pmu.replay=range)",
                            OpprofLaunchFileName(&launch->base, "l2_cache", 0).text,
                            group == NULL
                                ? "the number of lines that the L2 cache wrote back is unknown"
                                : "the counters of the L2 cache are NA");
    }
}

static void report_missing_moves(const Launch *launch)
{
    if ((launch->model->choices.flags & OPPROF_PMU_LAUNCH_MEMORY_DETAIL) == 0 ||
        launch->moves.is_there) {
        return;
    }
    OPPROF_LAUNCH_LACKS(
        &launch->base, "MemoryDetail makes nothing: %s",
        OpprofLaunchCommunicates(&launch->base)
            ? "the moves of an operator that communicates are not counted"
            : "instrumentation records such as 'MemoryChart.bin' are missing or left out");
}

static bool is_mix(const Launch *launch)
{
    for (uint32_t i = 1; i < launch->merge.key_count; i++) {
        if (launch->merge.keys[i].kind != launch->merge.keys[0].kind) {
            return true;
        }
    }
    return false;
}

/* Place of a key's core in the records of operands; vector operators run several blocks on an AI
 * core. */
static uint64_t operand_place(const Launch *launch, const MergeKey *key, bool is_of_mix)
{
    const OpprofCoreKind *kind = &launch->model->layout.kinds[key->kind];
    const OpprofBlockCores cores = OpprofBlockCoresOf(launch->model->chip);
    const uint64_t all = OpprofBlockCoresCount(&cores);
    const uint64_t block = key->block;

    if (kind->slot != OPPROF_NA_U32) {
        return all * block + kind->slot;
    }
    return is_of_mix ? all * block + key->sub_block : OpprofBlockCoresPlace(&cores, key->block);
}

static void report_short_operands(const Launch *launch)
{
    const bool is_of_mix = is_mix(launch);
    uint64_t needed = 0;

    for (uint32_t i = 0; i < launch->merge.key_count; i++) {
        const uint64_t place = operand_place(launch, &launch->merge.keys[i], is_of_mix);
        needed = place + 1 > needed ? place + 1 : needed;
    }
    if (launch->operands.core_count < needed) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "'%s' holds the operands of %zu cores, but "
                            "%" PRIu64 " are needed: those of the others count as 0",
                            OpprofLaunchFileName(&launch->base, "operands", 0).text,
                            launch->operands.core_count, needed);
    }
}

static void report_missing_operands(const Launch *launch)
{
    const bool is_wanted = launch->model->layout.facts.operand_count > 0 &&
                           OpprofPmuListHas(launch->model->choices.views, "roofline");

    if (launch->has_operands) {
        report_short_operands(launch);
        return;
    }
    if (is_wanted) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "'%s' is missing or left out: operations are unknown, "
                            "so there is no roofline",
                            OpprofLaunchFileName(&launch->base, "operands", 0).text);
    }
}

/* ---- metrics ---- */

static void report_missing_source(const Launch *launch)
{
    if (launch->model->choices.wants_source && !OpprofLaunchHas(&launch->base, "block_map") &&
        !OpprofLaunchHas(&launch->base, "counted")) {
        OPPROF_LAUNCH_LACKS(
            &launch->base,
            "nothing is made of the metrics 'Source': no instrumented kernel has left "
            "counts of its basic blocks ('*.bbbmap.*', 'fdata')");
    }
    if (launch->model->choices.wants_samples && !OpprofLaunchHas(&launch->base, "samples")) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "nothing is made of the metrics 'PcSampling': there are "
                            "no samples of its program counter ('pcSampling.bin.<k>')");
    }
}

static void report_unmade_metrics(const Launch *launch)
{
    const char *at = launch->model->choices.unmade;

    if (at[0] != '\0') {
        OPPROF_LAUNCH_LACKS(&launch->base, "nothing is made of the metrics %s", at);
    }
}

/* ---- records ---- */

static void report_odd_records(Launch *launch)
{
    const MergeCounts *counts = &launch->merge.counts;

    /*
     * The chip's file lists the kinds that are not counters of a block ("known"), such as those of
     * a whole task, which devices write now and then. What is of none of them may well have been a
     * block's record, whose counters are missing then.
     */
    if (counts->foreign > 0) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "%" PRIu64
                            " %s of kinds that the chip's file does not know, and %s left out",
                            counts->foreign, counts->foreign == 1 ? "record is" : "records are",
                            counts->foreign == 1 ? "is" : "are");
    }
    if (counts->skipped > 0) {
        OPPROF_LAUNCH_WARNS(&launch->base, "%" PRIu64 " %s of whole tasks, skipping them",
                            counts->skipped,
                            OPPROF_PLURAL(counts->skipped, "record is", "records are"));
    }
    if (counts->beyond > 0) {
        OPPROF_LAUNCH_LACKS(
            &launch->base, "%" PRIu64 " %s left out: there are more than %u cores", counts->beyond,
            OPPROF_PLURAL(counts->beyond, "record is", "records are"), MERGE_MAX_KEYS);
    }
}

/* Ratios mix counters and cycles of different replays, which matters when these differ much. */
static void report_spread(const Launch *launch)
{
    double worst = 0;

    for (uint32_t i = 0; i < launch->merge.key_count; i++) {
        const MergeKey *key = &launch->merge.keys[i];
        const double spread = key->cycles_max == 0 || key->cycles_min > key->cycles_max
                                  ? 0
                                  : 1 - (double) key->cycles_min / (double) key->cycles_max;
        worst = spread > worst ? spread : worst;
    }
    if (worst > SPREAD_TOLD) {
        OPPROF_LAUNCH_WARNS(&launch->base,
                            "cycles of one core differ by up to %.0f%% between the "
                            "replays, so ratios of counters of different replays are rough",
                            worst * 100);
    }
}

/* Only of a launch whose files have all been read: else what it lacks may be there. */
static void report_missing(const Launch *launch)
{
    report_missing_l2(launch);
    report_missing_moves(launch);
    report_missing_operands(launch);
    report_unmade_metrics(launch);
    report_missing_source(launch);
}

void LaunchCheck(Launch *launch)
{
    const bool is_read = launch->base.is_over && !launch->base.is_stopped;

    if (is_read) {
        report_missing_facts(launch);
    }
    report_odd_facts(launch);
    if (is_read) {
        report_missing_duration(launch);
    }
    check_rounds(launch, is_read);
    if (is_read) {
        report_missing(launch);
    }
    report_odd_records(launch);
    report_spread(launch);
    LaunchFindContradictions(launch);
}
