/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far a run is: one share of the whole work, of what collectors have read and what other stages
 * have left to do. Tested by tests/core/report/test_progress.
 */
#include "report/progress.h"

#include "run/pipeline.h"

#include <string.h>

/* of the whole, for what stages do after the last record, unless they report more: writing files
 * takes a quarter of a run to a half */
#define FINISHING_SHARE 0.4
#define MOST 0.999 /* of a run that has not ended */

/* Progress that the instances of a stage reported. */
typedef struct Reported {
    uint64_t done;
    uint64_t total;
    const char *unit;
} Reported;

/* Sums over stages. */
typedef struct Sums {
    uint64_t read;     /* by collectors */
    uint64_t to_read;  /* by collectors; 0: unknown */
    const char *unit;  /* of both; NULL: no collector reported */
    bool is_unknown;   /* a collector that runs does not know how much there is */
    bool is_reading;   /* a collector runs */
    uint64_t written;  /* reported by others after their last record */
    uint64_t to_write; /* the same */
    uint32_t stages;   /* that are not collectors */
    uint32_t ended;    /* of these */
    const char *busy;  /* a stage that has not ended, collectors first */
    Reported of_busy;
} Sums;

static Reported reported_by(const StageNode *node)
{
    Reported reported = { .unit = NULL };

    for (uint32_t i = 0; i < node->instance_count; i++) {
        const OpprofStage *stage = node->instances[i];
        const char *unit = atomic_load_explicit(&stage->progress_unit, memory_order_relaxed);

        if (unit != NULL) {
            reported.done += atomic_load_explicit(&stage->progress_done, memory_order_relaxed);
            reported.total += atomic_load_explicit(&stage->progress_total, memory_order_relaxed);
            reported.unit = unit;
        }
    }
    return reported;
}

static uint64_t at_most(uint64_t value, uint64_t limit)
{
    return value < limit ? value : limit;
}

/* One unit is shown: that of the first collector that reports. */
static void add_collector(Sums *sums, const Reported *reported, bool has_ended)
{
    if (reported->unit == NULL || (sums->unit != NULL && strcmp(sums->unit, reported->unit) != 0)) {
        return;
    }
    sums->unit = reported->unit;
    sums->is_unknown = sums->is_unknown || (reported->total == 0 && !has_ended);
    sums->to_read += reported->total;
    sums->read += reported->total == 0 ? reported->done
                  : has_ended          ? reported->total
                                       : at_most(reported->done, reported->total);
}

static void add_other(Sums *sums, const Reported *reported, bool has_ended)
{
    sums->stages++;
    sums->ended += has_ended;
    if (reported->total > 0) {
        sums->to_write += reported->total;
        sums->written += has_ended ? reported->total : at_most(reported->done, reported->total);
    }
}

static void add_node(Sums *sums, const StageNode *node)
{
    const Reported reported = reported_by(node);
    const bool has_ended = atomic_load(&node->running) == 0;

    if (node->plugin->kind == OPPROF_COLLECTOR) {
        add_collector(sums, &reported, has_ended);
        sums->is_reading = sums->is_reading || !has_ended;
    } else {
        add_other(sums, &reported, has_ended);
    }
    if (sums->busy == NULL && !has_ended) {
        sums->busy = node->id;
        sums->of_busy = reported;
    }
}

/*
 * The work after the last record is taken for a part of the whole, or for what stages report if
 * that is more. Of half of it each stage that ended is a part, beside what was reported: the last
 * ones take the longest, and a stage may report only when the others have ended.
 */
static double share_of(const Sums *sums)
{
    const double to_read = (double) sums->to_read;
    const double least = to_read * FINISHING_SHARE / (1 - FINISHING_SHARE);
    const double rest = (double) sums->to_write < least ? least - (double) sums->to_write : 0;
    const double part = sums->stages > 0 ? (double) sums->ended / sums->stages : 1;
    const double ended = part < 1 ? part / 2 : 1;
    const double whole = to_read + (double) sums->to_write + rest;

    return ((double) sums->read + (double) sums->written + rest * ended) / whole;
}

OpprofProgress ProgressNow(OpprofPipeline *pipeline)
{
    Sums sums = { .unit = NULL };
    OpprofProgress progress = { .share = -1 };

    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        add_node(&sums, pipeline->nodes[pipeline->graph.order[n]]);
    }
    progress.stage_id = sums.busy;
    progress.unit = sums.unit;
    progress.done = sums.read;
    progress.total = sums.is_unknown ? 0 : sums.to_read;
    if (progress.total > 0) {
        const double share = share_of(&sums);

        /* Work that turns up late holds the share where it is; it never goes back. */
        if (share > pipeline->progress_share) {
            pipeline->progress_share = share;
        }
        progress.share = pipeline->progress_share < MOST ? pipeline->progress_share : MOST;
        if (!sums.is_reading) {
            progress.unit = sums.of_busy.unit;
            progress.done = sums.of_busy.done;
            progress.total = sums.of_busy.total;
        }
    }
    return progress;
}
