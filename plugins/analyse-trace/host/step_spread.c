/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far the ranks are apart in each iteration: least, median and largest work, and whose.
 * Tested by tests/plugins/analyse-trace/test_host.
 */
#include "analyse-trace/host/step_spread.h"

#include <opprof/grow.h>
#include <stdlib.h>

#define WORKLOADS_MOST (UINT32_C(1) << 18) /* looked at together, 8 MB */

enum { COMPUTATION, COMMUNICATION, WORKS };

/* Of one kind of work over ranks. */
typedef struct Spread {
    double least_us;
    double median_us;
    double mean_us;
    double most_us;
    uint32_t least_rank;
    uint32_t most_rank;
} Spread;

typedef struct SpreadRow {
    uint32_t step;
    uint32_t recording;
    uint64_t place;
    uint64_t ranks;
    Spread works[WORKS];
} SpreadRow;

#define SPREAD_TIME(work, member, name_text, text)                                                 \
    {                                                                                              \
        .name = (name_text "_us"), .heading = (name_text "(us)"), .kind = OPPROF_FIELD_F64,        \
        .offset = (uint32_t) (offsetof(SpreadRow, works) + (work) * sizeof(Spread) +               \
                              offsetof(Spread, member)),                                           \
        .unit = "us", .decimals = 4, .flags = OPPROF_FIELD_ALONE, .meaning = (text)                \
    }
#define SPREAD_RANK(work, member, name_text, text)                                                 \
    {                                                                                              \
        .name = (name_text), .heading = (name_text), .kind = OPPROF_FIELD_STRING,                  \
        .offset = (uint32_t) (offsetof(SpreadRow, works) + (work) * sizeof(Spread) +               \
                              offsetof(Spread, member)),                                           \
        .flags = OPPROF_FIELD_ALONE, .meaning = (text)                                             \
    }

static const OpprofField fields[] = {
    OPPROF_FIELD(SpreadRow, step, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Name of the iteration."),
    OPPROF_FIELD(SpreadRow, recording, OPPROF_FIELD_U32, .unit = "1", .flags = OPPROF_FIELD_KEY,
                 .meaning = "Number of the recording of its ranks, from 1."),
    OPPROF_FIELD(SpreadRow, place, OPPROF_FIELD_U64, .unit = "1", .flags = OPPROF_FIELD_PLACE,
                 .meaning = "Number of the iteration of the rank."),
    OPPROF_FIELD(SpreadRow, ranks, OPPROF_FIELD_U64, .unit = "1", .combine = OPPROF_COMBINE_NONE,
                 .meaning = "Ranks that have it."),
    SPREAD_TIME(COMPUTATION, least_us, "computation_least",
                "Least computation that a rank launched in it, durations added up."),
    SPREAD_TIME(COMPUTATION, median_us, "computation_median", "Median of the ranks."),
    SPREAD_TIME(COMPUTATION, mean_us, "computation_mean", "Mean of the ranks."),
    SPREAD_TIME(COMPUTATION, most_us, "computation_most", "Most of a rank."),
    SPREAD_RANK(COMPUTATION, least_rank, "computation_least_rank", "Rank that has least."),
    SPREAD_RANK(COMPUTATION, most_rank, "computation_most_rank", "Rank that has most."),
    SPREAD_TIME(COMMUNICATION, least_us, "communication_least",
                "Least communication that a rank launched in it, with its waiting: of the rank "
                "that comes last."),
    SPREAD_TIME(COMMUNICATION, median_us, "communication_median", "Median of the ranks."),
    SPREAD_TIME(COMMUNICATION, mean_us, "communication_mean", "Mean of the ranks."),
    SPREAD_TIME(COMMUNICATION, most_us, "communication_most", "Most of a rank."),
    SPREAD_RANK(COMMUNICATION, least_rank, "communication_least_rank", "Rank that has least."),
    SPREAD_RANK(COMMUNICATION, most_rank, "communication_most_rank", "Rank that has most."),
};

const OpprofRecordType step_spread_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.step-spread",
    .summary = "How far the ranks are apart in each iteration.",
    .size = sizeof(SpreadRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Ranks apart by iteration",
    .file_hint = "step_spread",
};

void StepSpreadBegin(StepSpread *spread, size_t rows, uint32_t places)
{
    const size_t parts = rows / WORKLOADS_MOST + 1;

    *spread = (StepSpread){ .places = (uint32_t) (places / parts) + 1 };
}

bool StepSpreadAdd(StepSpread *spread, const StepWorkload *work)
{
    if (work->place < spread->from) {
        return true;
    }
    if (work->place - spread->from >= spread->places) {
        spread->has_more = true;
        return true;
    }
    if (!OpprofGrow(&spread->list, &spread->capacity, spread->count + 1, sizeof *spread->list)) {
        return false;
    }
    spread->list[spread->count++] = *work;
    return true;
}

static double us_of(const StepWorkload *work, int kind)
{
    return kind == COMPUTATION ? work->computation_us : work->communication_us;
}

/* By iteration, then by computation. */
static int compare_computation(const void *a, const void *b)
{
    const StepWorkload *left = a;
    const StepWorkload *right = b;

    if (left->cycle != right->cycle) {
        return left->cycle < right->cycle ? -1 : 1;
    }
    if (left->place != right->place) {
        return left->place < right->place ? -1 : 1;
    }
    return (left->computation_us > right->computation_us) -
           (left->computation_us < right->computation_us);
}

static int compare_communication(const void *a, const void *b)
{
    const StepWorkload *left = a;
    const StepWorkload *right = b;

    return (left->communication_us > right->communication_us) -
           (left->communication_us < right->communication_us);
}

/* Of workloads that are sorted by it. */
static Spread spread_of(const StepWorkload *list, size_t count, int kind)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += us_of(&list[i], kind);
    }
    return (Spread){ .least_us = us_of(&list[0], kind),
                     .median_us =
                         (us_of(&list[(count - 1) / 2], kind) + us_of(&list[count / 2], kind)) / 2,
                     .mean_us = sum / (double) count,
                     .most_us = us_of(&list[count - 1], kind),
                     .least_rank = list[0].rank,
                     .most_rank = list[count - 1].rank };
}

/* The workloads of one iteration. */
static void put_step(StepWorkload *list, size_t count, Rows *rows)
{
    SpreadRow *row = count > 1 ? RowsNext(rows) : NULL;

    if (row == NULL) {
        return;
    }
    *row = (SpreadRow){ .step = list->step,
                        .recording = list->cycle,
                        .place = list->place,
                        .ranks = count,
                        .works[COMPUTATION] = spread_of(list, count, COMPUTATION) };
    qsort(list, count, sizeof *list, compare_communication);
    row->works[COMMUNICATION] = spread_of(list, count, COMMUNICATION);
}

void StepSpreadPut(StepSpread *spread, Rows *rows, bool *ret_has_more)
{
    if (spread->count > 1) {
        qsort(spread->list, spread->count, sizeof *spread->list, compare_computation);
    }
    for (size_t from = 0, to; from < spread->count; from = to) {
        const StepWorkload *first = &spread->list[from];

        for (to = from + 1; to < spread->count && spread->list[to].cycle == first->cycle &&
                            spread->list[to].place == first->place;
             to++) {
        }
        put_step(&spread->list[from], to - from, rows);
    }
    *ret_has_more = spread->has_more;
    spread->count = 0;
    spread->has_more = false;
    spread->from += spread->places;
}

void StepSpreadFinish(StepSpread *spread)
{
    free(spread->list);
    *spread = (StepSpread){ .list = NULL };
}
