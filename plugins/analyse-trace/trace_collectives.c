/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-collectives: matches collectives over the ranks. Who waits for whom, how fast the data
 * moves, and which rank comes late.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/collectives/collective_sizes.h"
#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/meetings.h"
#include "analyse-trace/common/rows.h"

#include <opprof/grow.h>

#include <inttypes.h>
#include <math.h>
#include <opprof/present.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_KINDS, OUTPUT_RANKS, OUTPUT_WORST, OUTPUT_SIZES };

/* Collectives of one name in one group, over all ranks. */
typedef struct Kind {
    uint32_t group; /* interned; OPPROF_NA_STRING: unknown */
    uint32_t name;
    uint64_t group_size; /* OPPROF_NA_U64: unknown */
    CollectiveForm form;
    uint64_t count; /* matched */
    uint64_t alone; /* only one rank has it, or it is a send or receive */
    uint64_t bytes;
    uint64_t bytes_ns; /* transfer of those with known bytes */
    double transfer_ns;
    double wait_ns;
    uint64_t ranks; /* calls of all matched */
    uint64_t greatest_skew_ns;
    double alone_ns; /* time in those, waiting included */
    uint64_t alone_bytes;
    uint64_t alone_bytes_ns; /* time of those with known bytes */
    CollectiveSizes sizes;
} Kind;

/* Sums of a rank. */
typedef struct RankSum {
    uint64_t count;
    uint64_t late;
    double wait_ns;
    double transfer_ns;
    double cost_ns;     /* time that others wait for it alone, each moment once */
    int64_t counted_ns; /* from here on in cost_ns; INT64_MAX: nothing yet */
} RankSum;

/* Facts of a rank apart from its collectives. */
typedef struct RankFacts {
    uint32_t name; /* interned */
    uint32_t reserved;
    uint64_t span_ns; /* from the start of its work to the end */
} RankFacts;

/* What the second half takes: a call of a rank, or its end. */
typedef struct RankCall {
    uint32_t group; /* OPPROF_NA_STRING: unknown */
    uint32_t name;  /* OPPROF_NA_STRING: the end of the rank */
    uint64_t sequence;
    uint64_t group_size;
    uint64_t in_bytes;
    uint64_t out_bytes;
    uint64_t start_ns;
    uint64_t duration_ns; /* of the call; of all work of the rank */
} RankCall;

typedef struct Collectives {
    Feed feed; /* first: see FeedCreate */
    uint64_t noise_ns;
    size_t top;
    ItemMap kinds; /* of Kind, by group and name */
    Meetings meetings;
    RankFacts *ranks; /* by number */
    uint32_t rank_count;
    uint32_t rank_capacity;
    ItemMap seats;        /* of Seat, by interned name of the rank */
    ItemMap cycles;       /* uint32_t: its ranks, by number of the recording */
    uint32_t cycle_ranks; /* of the recording with most of them */
} Collectives;

/* A rank while its spans arrive. */
typedef struct RankState {
    bool has_work;
    bool has_calls;
    uint64_t first_ns; /* start of its work … */
    uint64_t last_ns;  /* … and end */
} RankState;

/* A rank while its calls arrive. */
typedef struct Seat {
    uint32_t number;  /* plus 1 */
    uint32_t cycle;   /* number of the recording */
    ItemMap counters; /* of CallCounter, by kind */
    MeetingsSeen seen;
} Seat;

/* ---- tables ---- */

typedef struct KindRow {
    uint32_t group;
    uint32_t name;
    uint64_t count;
    uint64_t alone;
    double transfer_us;
    double wait_us;
    double skew_us;
    double bandwidth;
    double bus_bandwidth;
    uint32_t short_name;
    uint32_t demangled;
} KindRow;

#define FIELD_KEY(type, member, head, text, why)                                                   \
    OPPROF_FIELD(type, member, OPPROF_FIELD_STRING, .heading = (head), .flags = OPPROF_FIELD_KEY,  \
                 .meaning = (text), .absent = (why))
#define FIELD_TIME(type, member, head, text)                                                       \
    OPPROF_FIELD(type, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST, .unit = "us",  \
                 .decimals = 4, .heading = (head), .meaning = (text))
#define FIELD_WAIT(type, member, head, text)                                                       \
    OPPROF_FIELD(type, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE, .unit = "us",     \
                 .decimals = 4, .heading = (head), .flags = OPPROF_FIELD_ALONE, .meaning = (text), \
                 .absent = "no such collective is matched over the ranks")
#define FIELD_COUNT(type, member, head, text)                                                      \
    OPPROF_FIELD(type, member, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",       \
                 .heading = (head), .meaning = (text))

static const OpprofField kind_fields[] = {
    FIELD_KEY(KindRow, group, "group", "Process group.", "the trace does not say"),
    FIELD_KEY(KindRow, name, "collective", "Kind of the collective, or the kernel's name.", NULL),
    FIELD_COUNT(KindRow, count, "count", "Collectives that at least two ranks have."),
    FIELD_COUNT(KindRow, alone, "unmatched",
                "Collectives that only one rank has, and all sends and receives."),
    OPPROF_FIELD(
        KindRow, transfer_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE, .unit = "us",
        .decimals = 4, .heading = "transfer_mean(us)", .flags = OPPROF_FIELD_ALONE,
        .meaning =
            "Mean time of the rank that comes last, which waits for nobody; where none is matched, "
            "of all calls, with their waiting."),
    FIELD_WAIT(KindRow, wait_us, "wait_mean(us)", "Mean time that a rank waits for the last one."),
    FIELD_WAIT(KindRow, skew_us, "skew_max(us)", "Greatest difference between two ranks."),
    OPPROF_FIELD(KindRow, bandwidth, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,
                 .unit = "GB/s", .decimals = 4, .heading = "algorithm_bandwidth(GB/s)",
                 .meaning = "Bytes of the operation over the transfer time.",
                 .absent = "the trace has no sizes"),
    OPPROF_FIELD(KindRow, bus_bandwidth, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,
                 .unit = "GB/s", .decimals = 4, .heading = "bus_bandwidth(GB/s)",
                 .meaning =
                     "The same times the share that passes each link: 2(n-1)/n for all-reduce, "
                     "(n-1)/n for all-gather, reduce-scatter and all-to-all, else 1.",
                 .absent = "the trace has no sizes"),
    ROWS_SHORT_NAME(KindRow, short_name, "short_name"),
    ROWS_DEMANGLED_NAME(KindRow, demangled, "demangled"),
};

typedef struct RankRow {
    uint32_t rank;
    uint32_t reserved;
    uint64_t count;
    uint64_t late;
    double wait_us;
    double transfer_us;
    double cost_us;
    double span_us;
} RankRow;

static const OpprofField rank_fields[] = {
    FIELD_KEY(RankRow, rank, "rank", "Rank, the most costly first.", NULL),
    FIELD_COUNT(RankRow, count, "count", "Collectives that it shares with other ranks."),
    FIELD_TIME(RankRow, wait_us, "wait(us)", "Time that it waited for later ranks."),
    FIELD_TIME(RankRow, transfer_us, "transfer(us)", "The rest of its time in collectives."),
    FIELD_COUNT(RankRow, late, "late", "Collectives to which it came last, beyond the noise."),
    OPPROF_FIELD(
        RankRow, cost_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_SUM, .unit = "us",
        .decimals = 4, .heading = "cost(us)", .flags = OPPROF_FIELD_WEIGHT,
        .meaning =
            "Time that others wait for it alone: from the second last rank's arrival to its own. "
            "Waits at the same time count once."),
    OPPROF_FIELD(RankRow, span_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .heading = "span(us)", .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Time from the start of its work to the end."),
};

typedef struct WorstRow {
    uint32_t group;
    uint32_t name;
    uint32_t rank;
    uint32_t ranks;
    uint64_t sequence;
    double skew_us;
    double transfer_us;
    double wait_us;
    uint32_t short_name;
    uint32_t demangled;
} WorstRow;

static const OpprofField worst_fields[] = {
    FIELD_KEY(WorstRow, group, "group", "Process group.", "the trace does not say"),
    FIELD_KEY(WorstRow, name, "collective", "Kind of the collective, or the kernel's name.", NULL),
    OPPROF_FIELD(WorstRow, sequence, OPPROF_FIELD_U64, .flags = OPPROF_FIELD_KEY, .unit = "1",
                 .meaning = "Its number in the group, or in the rank where the trace has none."),
    FIELD_TIME(WorstRow, skew_us, "skew(us)", "Longest minus shortest time of a rank."),
    FIELD_TIME(WorstRow, transfer_us, "transfer(us)", "Time of the rank that came last."),
    FIELD_TIME(WorstRow, wait_us, "wait(us)", "Waiting time of all ranks, added up."),
    OPPROF_FIELD(WorstRow, ranks, OPPROF_FIELD_U32, .combine = OPPROF_COMBINE_NONE, .unit = "1",
                 .meaning = "Ranks that have it."),
    OPPROF_FIELD(WorstRow, rank, OPPROF_FIELD_STRING, .heading = "late_rank",
                 .meaning = "Rank that came last."),
    ROWS_SHORT_NAME(WorstRow, short_name, "short_name"),
    ROWS_DEMANGLED_NAME(WorstRow, demangled, "demangled"),
};

#define COLLECTIVE_TABLE(record, type_name, text, list, heading, file)                             \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = (type_name),                \
        .summary = (text), .size = sizeof(record), .flags = OPPROF_RECORD_TABLE, .fields = (list), \
        .field_count = OPPROF_COUNT(list), .title = (heading), .file_hint = (file)                 \
    }

static const OpprofRecordType kind_type =
    COLLECTIVE_TABLE(KindRow, "trace.collectives", "Waiting and bandwidth of collectives.",
                     kind_fields, "Collectives", "collectives");
static const OpprofRecordType rank_type =
    COLLECTIVE_TABLE(RankRow, "trace.collective-ranks", "Which ranks come late to collectives.",
                     rank_fields, "Ranks in collectives", "collective_ranks");
static const OpprofRecordType worst_type =
    COLLECTIVE_TABLE(WorstRow, "trace.collective-skews", "Collectives with the largest skew.",
                     worst_fields, "Collectives by skew", "collective_skews");

/* ---- collecting ---- */

static void note_work(RankState *state, const Activity *activity)
{
    if (!state->has_work || activity->start_ns < state->first_ns) {
        state->first_ns = activity->start_ns;
    }
    if (!state->has_work || activity->end_ns > state->last_ns) {
        state->last_ns = activity->end_ns;
    }
    state->has_work = true;
}

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    Collectives *self = context;
    RankState *state = rank->state;
    const bool has_name = activity->collective != OPPROF_NA_STRING;

    if (activity->class < ACTIVITY_CLASSES) {
        note_work(state, activity);
    }
    if (activity->class != ACTIVITY_COMMUNICATION) {
        return OPPROF_OK;
    }
    state->has_calls = true;
    return FeedHand(&self->feed, 0, rank,
                    &(RankCall){ .group = activity->group,
                                 .name = has_name ? activity->collective : activity->name,
                                 .sequence = activity->sequence,
                                 .group_size = activity->group_size,
                                 .in_bytes = activity->in_bytes,
                                 .out_bytes = activity->out_bytes,
                                 .start_ns = activity->start_ns,
                                 .duration_ns = ActivityDuration(activity) });
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    Collectives *self = context;
    const RankState *state = rank->state;

    return state->has_calls
               ? FeedHand(&self->feed, 0, rank,
                          &(RankCall){ .group = OPPROF_NA_STRING,
                                       .name = OPPROF_NA_STRING,
                                       .duration_ns = state->last_ns - state->first_ns })
               : OPPROF_OK;
}

/* ---- matching ---- */

static Kind *find_kind(Collectives *self, const RankCall *call)
{
    Kind *kind = ItemMapGet(&self->kinds, (uint64_t) call->group << 32 | call->name, sizeof *kind);

    if (kind != NULL && kind->name == 0) {
        *kind = (Kind){ .group = call->group,
                        .name = call->name,
                        .group_size = call->group_size,
                        .form = CollectiveFormOf(OpprofStageString(self->feed.stage, call->name)) };
    }
    return kind;
}

/* Ranks are numbered in the order of their first collective. False without memory. */
static bool number_rank(Collectives *self, const FeedRank *rank, Seat *seat)
{
    uint32_t *together;

    if (seat->number != 0) {
        return true;
    }
    seat->cycle = RankCycle(OpprofStageString(self->feed.stage, rank->name), NULL);
    together = ItemMapGet(&self->cycles, seat->cycle, sizeof *together);
    if (together == NULL || !OpprofGrow32(&self->ranks, &self->rank_capacity,
                                          (size_t) self->rank_count + 1, sizeof *self->ranks)) {
        return false;
    }
    self->ranks[self->rank_count++] = (RankFacts){ .name = rank->name };
    seat->number = self->rank_count;
    (*together)++;
    self->cycle_ranks = *together > self->cycle_ranks ? *together : self->cycle_ranks;
    return true;
}

/* When others came to it is unknown: only one rank has it, or it is a send or
 * receive of two ranks. */
static void add_alone(Kind *kind, uint64_t duration_ns, uint64_t bytes)
{
    kind->alone++;
    kind->alone_ns += (double) duration_ns;
    CollectiveSizesAdd(&kind->sizes, bytes, duration_ns, false);
    if (bytes != UINT64_MAX) {
        kind->alone_bytes += bytes;
        kind->alone_bytes_ns += duration_ns;
    }
}

static OpprofStatus add_call(Collectives *self, const FeedRank *rank, Seat *seat,
                             const RankCall *from)
{
    CollectiveCall call = { .start_ns = from->start_ns, .duration_ns = from->duration_ns };
    Kind *kind = find_kind(self, from);
    CallCounter *counter;

    self->meetings.directory = OpprofStageOutput(self->feed.stage);
    call.kind = self->kinds.latest;
    counter = ItemMapGet(&seat->counters, call.kind, sizeof *counter);
    if (kind == NULL || counter == NULL || !number_rank(self, rank, seat)) {
        return OPPROF_E_MEMORY;
    }
    call.rank = seat->number - 1;
    call.cycle = seat->cycle;
    call.bytes = CollectiveBytes(kind->form, from->in_bytes, from->out_bytes);
    if (kind->form == FORM_POINT_TO_POINT) {
        add_alone(kind, call.duration_ns, call.bytes);
        return OPPROF_OK;
    }
    CallCounterNumber(counter, from->sequence, &call);
    return MeetingsAdd(&self->meetings, &seat->seen, &call) ? OPPROF_OK : OPPROF_E_MEMORY;
}

static void free_seat(Seat *seat)
{
    ItemMapFree(&seat->counters);
    MeetingsSeenFinish(&seat->seen);
    *seat = (Seat){ .number = 0 };
}

static OpprofStatus accept_call(void *context, const FeedRank *rank, const void *record)
{
    Collectives *self = context;
    const RankCall *call = record;
    Seat *seat = ItemMapGet(&self->seats, rank->name, sizeof *seat);

    if (seat == NULL) {
        return OPPROF_E_MEMORY;
    }
    if (call->name != OPPROF_NA_STRING) {
        return add_call(self, rank, seat, call);
    }
    if (seat->number != 0) {
        self->ranks[seat->number - 1].span_ns = call->duration_ns;
    }
    free_seat(seat);
    return OPPROF_OK;
}

/* ---- judging ---- */

/* Sums over the collectives. */
typedef struct Judgement {
    RankSum *ranks;        /* by number */
    const Meeting **worst; /* by skew, largest first */
    size_t worst_count;
} Judgement;

static void note_worst(const Collectives *self, Judgement *judgement, const Meeting *meeting)
{
    size_t at = judgement->worst_count;

    if (self->top == 0 || MeetingSkew(meeting) <= self->noise_ns) {
        return;
    }
    if (at == self->top) {
        if (MeetingSkew(judgement->worst[at - 1]) >= MeetingSkew(meeting)) {
            return;
        }
        at--;
    } else {
        judgement->worst_count++;
    }
    while (at > 0 && MeetingSkew(judgement->worst[at - 1]) < MeetingSkew(meeting)) {
        judgement->worst[at] = judgement->worst[at - 1];
        at--;
    }
    judgement->worst[at] = meeting;
}

/* A collective that several ranks have. */
static void add_meeting(const Collectives *self, Judgement *judgement, const Meeting *meeting)
{
    Kind *kind = ItemMapAt(&self->kinds, meeting->kind);

    kind->count++;
    kind->ranks += meeting->count;
    kind->transfer_ns += (double) meeting->shortest_ns;
    kind->wait_ns += (double) MeetingWait(meeting);
    CollectiveSizesAdd(&kind->sizes, meeting->bytes, meeting->shortest_ns, true);
    kind->greatest_skew_ns = MeetingSkew(meeting) > kind->greatest_skew_ns ? MeetingSkew(meeting)
                                                                           : kind->greatest_skew_ns;
    if (meeting->bytes != UINT64_MAX) {
        kind->bytes += meeting->bytes;
        kind->bytes_ns += meeting->shortest_ns;
    }
    judgement->ranks[meeting->late].late += MeetingCost(meeting) > self->noise_ns;
    note_worst(self, judgement, meeting);
}

static void add_calls(Collectives *self, Judgement *judgement)
{
    for (size_t i = 0; i < self->meetings.call_count; i++) {
        const MeetingCall *call = MeetingsCall(&self->meetings, i);
        const Meeting *meeting = &self->meetings.list[call->meeting];
        RankSum *sum = &judgement->ranks[call->rank];

        if (meeting->count > 1) {
            sum->count++;
            sum->transfer_ns += (double) meeting->shortest_ns;
            sum->wait_ns += (double) (call->duration_ns - meeting->shortest_ns);
        }
    }
}

/*
 * Asynchronous collectives that wait at the same time for the same rank are one delay. Each wait
 * ends as the rank's call starts; from the last call to the first, all of a wait that is counted
 * already lies at its end. Others may have waited before the rank's own clock begins.
 */
static void add_costs(Collectives *self, Judgement *judgement)
{
    for (uint32_t i = 0; i < self->rank_count; i++) {
        judgement->ranks[i].counted_ns = INT64_MAX;
    }
    for (size_t i = self->meetings.call_count; i > 0; i--) {
        const MeetingCall *call = MeetingsCall(&self->meetings, i - 1);
        const Meeting *meeting = &self->meetings.list[call->meeting];
        RankSum *sum = &judgement->ranks[call->rank];
        const int64_t start_ns = (int64_t) call->start_ns;
        const int64_t from_ns = start_ns - (int64_t) MeetingCost(meeting);
        const int64_t end_ns = start_ns < sum->counted_ns ? start_ns : sum->counted_ns;

        if (call->rank == meeting->late && MeetingCost(meeting) > self->noise_ns &&
            from_ns < end_ns) {
            sum->cost_ns += (double) (end_ns - from_ns);
            sum->counted_ns = from_ns;
        }
    }
}

/* False without memory. */
static bool judge(Collectives *self, Judgement *judgement)
{
    uint32_t *order = MeetingsSorted(&self->meetings);

    for (uint32_t i = 0; order != NULL && i < self->meetings.count; i++) {
        const Meeting *meeting = &self->meetings.list[order[i]];

        if (meeting->count > 1) {
            add_meeting(self, judgement, meeting);
        } else {
            add_alone(ItemMapAt(&self->kinds, meeting->kind), meeting->shortest_ns, meeting->bytes);
        }
    }
    add_calls(self, judgement);
    add_costs(self, judgement);
    free(order);
    return order != NULL;
}

/* ---- rows ---- */

static double mean_us(double sum_ns, uint64_t count)
{
    return count == 0 ? OpprofNaF64() : sum_ns / 1000.0 / (double) count;
}

static int compare_kinds(const void *a, const void *b, void *stage)
{
    const Kind *left = *(const Kind *const *) a;
    const Kind *right = *(const Kind *const *) b;
    int order =
        strverscmp(OpprofStageString(stage, left->group), OpprofStageString(stage, right->group));

    return order != 0 ? order
                      : strcmp(OpprofStageString(stage, left->name),
                               OpprofStageString(stage, right->name));
}

static uint64_t ranks_of(const Kind *kind, uint64_t all)
{
    return kind->group_size == OPPROF_NA_U64 ? all : kind->group_size;
}

static void put_kind(Rows *rows, const Kind *kind, uint64_t ranks)
{
    const double factor = CollectiveBusFactor(kind->form, ranks);
    const bool is_alone = kind->count == 0;
    const uint64_t bytes = is_alone ? kind->alone_bytes : kind->bytes;
    const uint64_t bytes_ns = is_alone ? kind->alone_bytes_ns : kind->bytes_ns;
    KindRow *row = RowsNext(rows);

    if (row == NULL) {
        return;
    }
    *row = (KindRow){ .group = kind->group,
                      .name = kind->name,
                      .count = kind->count,
                      .alone = kind->alone,
                      .transfer_us = is_alone ? mean_us(kind->alone_ns, kind->alone)
                                              : mean_us(kind->transfer_ns, kind->count),
                      .wait_us = mean_us(kind->wait_ns, kind->ranks),
                      .skew_us = is_alone ? OpprofNaF64() : Microseconds(kind->greatest_skew_ns),
                      .bandwidth = OpprofNaF64(),
                      .bus_bandwidth = OpprofNaF64(),
                      .short_name = RowsShortName(rows->stage, kind->name),
                      .demangled = RowsDemangledName(rows->stage, kind->name) };
    if (bytes_ns > 0) {
        row->bandwidth = (double) bytes / (double) bytes_ns;
        row->bus_bandwidth = isnan(factor) ? OpprofNaF64() : row->bandwidth * factor;
    }
}

static OpprofStatus put_kinds(const Collectives *self)
{
    Rows rows = { .stage = self->feed.stage, .port = OUTPUT_KINDS };
    Rows sizes = { .stage = self->feed.stage, .port = OUTPUT_SIZES };
    void **list = ItemMapSorted(&self->kinds, compare_kinds, self->feed.stage);
    OpprofStatus status;

    if (list == NULL) {
        return OPPROF_E_MEMORY;
    }
    for (uint32_t i = 0; i < self->kinds.count; i++) {
        const Kind *kind = list[i];
        const uint64_t ranks = ranks_of(kind, self->cycle_ranks);
        const SizedKind sized = { .group = kind->group,
                                  .name = kind->name,
                                  .ranks = ranks,
                                  .bus_factor = CollectiveBusFactor(kind->form, ranks) };

        put_kind(&rows, kind, ranks);
        CollectiveSizesPut(&kind->sizes, &sized, &sizes);
    }
    free(list);
    status = RowsEnd(&rows);
    return status == OPPROF_OK ? RowsEnd(&sizes) : status;
}

/* Most costly first; equal ranks by number. */
static int compare_costs(const void *a, const void *b, void *context)
{
    const RankSum *sums = context;
    const RankSum *left = &sums[*(const uint32_t *) a];
    const RankSum *right = &sums[*(const uint32_t *) b];

    if (left->cost_ns != right->cost_ns) {
        return left->cost_ns < right->cost_ns ? 1 : -1;
    }
    return (left > right) - (left < right);
}

static OpprofStatus put_ranks(const Collectives *self, const Judgement *judgement,
                              const uint32_t *order)
{
    Rows rows = { .stage = self->feed.stage, .port = OUTPUT_RANKS };

    for (uint32_t i = 0; i < self->rank_count; i++) {
        const RankSum *sum = &judgement->ranks[order[i]];
        RankRow *row = sum->count == 0 ? NULL : RowsNext(&rows);

        if (row != NULL) {
            *row = (RankRow){ .rank = self->ranks[order[i]].name,
                              .count = sum->count,
                              .late = sum->late,
                              .wait_us = sum->wait_ns / 1000.0,
                              .transfer_us = sum->transfer_ns / 1000.0,
                              .cost_us = sum->cost_ns / 1000.0,
                              .span_us = Microseconds(self->ranks[order[i]].span_ns) };
        }
    }
    return RowsEnd(&rows);
}

/* Numbers of the ranks, the most costly first; NULL without memory. */
static uint32_t *order_ranks(const Collectives *self, const Judgement *judgement)
{
    uint32_t *order = calloc((size_t) self->rank_count + 1, sizeof *order);

    for (uint32_t i = 0; order != NULL && i < self->rank_count; i++) {
        order[i] = i;
    }
    if (order != NULL) {
        qsort_r(order, self->rank_count, sizeof *order, compare_costs, judgement->ranks);
    }
    return order;
}

static OpprofStatus put_worst(const Collectives *self, const Judgement *judgement)
{
    Rows rows = { .stage = self->feed.stage, .port = OUTPUT_WORST };

    for (size_t i = 0; i < judgement->worst_count; i++) {
        const Meeting *worst = judgement->worst[i];
        const Kind *kind = ItemMapAt(&self->kinds, worst->kind);
        WorstRow *row = RowsNext(&rows);

        if (row != NULL) {
            *row = (WorstRow){ .group = kind->group,
                               .name = kind->name,
                               .rank = self->ranks[worst->late].name,
                               .ranks = worst->count,
                               .sequence = worst->sequence,
                               .skew_us = Microseconds(MeetingSkew(worst)),
                               .transfer_us = Microseconds(worst->shortest_ns),
                               .wait_us = Microseconds(MeetingWait(worst)),
                               .short_name = RowsShortName(rows.stage, kind->name),
                               .demangled = RowsDemangledName(rows.stage, kind->name) };
        }
    }
    return RowsEnd(&rows);
}

static OpprofStatus put_judgement(const Collectives *self, const Judgement *judgement)
{
    uint32_t *order = order_ranks(self, judgement);
    OpprofStatus status = order == NULL ? OPPROF_E_MEMORY : put_ranks(self, judgement, order);

    if (status == OPPROF_OK) {
        status = put_worst(self, judgement);
    }
    free(order);
    return status;
}

static OpprofStatus put_all(void *context)
{
    Collectives *self = context;
    Judgement judgement = { .ranks = calloc((size_t) self->rank_count + 1, sizeof(RankSum)),
                            .worst = calloc(self->top + 1, sizeof(Meeting *)) };
    OpprofStatus status = OPPROF_OK;

    if (judgement.ranks == NULL || judgement.worst == NULL) {
        status = OPPROF_E_MEMORY;
    } else if (self->rank_count > 0) {
        status = judge(self, &judgement) ? put_kinds(self) : OPPROF_E_MEMORY;
    }
    if (status == OPPROF_OK && self->cycle_ranks > 1) { /* a single rank has no known peer */
        status = put_judgement(self, &judgement);
    }
    free(judgement.ranks);
    free(judgement.worst);
    return status;
}

/* ---- module ---- */

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Collectives *self = context;

    self->noise_ns = (uint64_t) OpprofParamsInt(params, "noise");
    self->top = (size_t) OpprofParamsInt(params, "top");
    return OPPROF_OK;
}

static void finish(void *context)
{
    Collectives *self = context;

    ItemMapFree(&self->kinds);
    for (uint32_t i = 0; i < self->seats.count; i++) {
        free_seat(ItemMapAt(&self->seats, i));
    }
    ItemMapFree(&self->seats);
    ItemMapFree(&self->cycles);
    MeetingsFinish(&self->meetings);
    free(self->ranks);
}

static const FeedPart parts[] = {
    { .size = sizeof(RankCall), .table = FEED_PORTS, .accept = accept_call },
};

static const FeedOps feed_ops = {
    .size = sizeof(Collectives),
    .state_size = sizeof(RankState),
    .configure = configure,
    .take = take,
    .end_rank = end_rank,
    .put = put_all,
    .finish = finish,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = OUTPUT_SIZES + 1,
};

#define CALL_NUMBER(member, its_unit, text, why)                                                   \
    OPPROF_FIELD(RankCall, member, OPPROF_FIELD_U64, .unit = (its_unit), .meaning = (text),        \
                 .absent = (why))

static const char not_said[] = "the trace does not say";

static const OpprofField call_fields[] = {
    OPPROF_FIELD(RankCall, group, OPPROF_FIELD_STRING, .meaning = "Process group.",
                 .absent = not_said),
    OPPROF_FIELD(RankCall, name, OPPROF_FIELD_STRING,
                 .meaning = "Kind of the collective, or the kernel's name.",
                 .absent = "the record ends the rank, and its duration is that of all work"),
    CALL_NUMBER(sequence, "1", "Its number in the group.", not_said),
    CALL_NUMBER(group_size, "1", "Ranks of the group.", not_said),
    CALL_NUMBER(in_bytes, "byte", "What the rank gives.", not_said),
    CALL_NUMBER(out_bytes, "byte", "What it gets.", not_said),
    CALL_NUMBER(start_ns, "ns", "Start on the rank's clock.", NULL),
    CALL_NUMBER(duration_ns, "ns", "Duration.", NULL),
};

static const OpprofRecordType call_type =
    FEED_TYPE(RankCall, "trace.rank-collectives", "A call of a collective.", call_fields);

#define PARTIALS                                                                                   \
    FEED_PARTIAL("calls-partial", "trace.rank-collectives", call_type,                             \
                 "Each rank's calls of collectives.")

static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };

static const OpprofPort outputs[] = {
    [OUTPUT_KINDS] = { .name = "collectives",
                       .record_type = &kind_type,
                       .summary = "One row per group and collective." },
    [OUTPUT_RANKS] = { .name = "ranks",
                       .record_type = &rank_type,
                       .summary = "One row per rank, the most costly first." },
    [OUTPUT_WORST] = { .name = "skews",
                       .record_type = &worst_type,
                       .summary = "The collectives with the largest skew." },
    [OUTPUT_SIZES] = { .name = "sizes",
                       .record_type = &collective_size_type,
                       .summary = "One row per group, collective and class of size." },
    PARTIALS,
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "noise",
      .type = OPPROF_PARAM_DURATION,
      .default_value = "10us",
      .summary = "Ranks that arrive within this time count as simultaneous." },
    FEED_PARAM_TOP(0, "100", "Number of collectives in the list of those with the largest skew."),
};

FEED_DEFINE_SPANS(
    feed_ops, inputs, outputs, params, .name = "trace-collectives",
    .summary = "Compares collectives over the ranks: who waits for whom, and how fast they are.",
    .help = "Ranks leave a collective together, so the one with the shortest time in it came "
            "last: its time is the transfer, and the extra time of the others is waiting. "
            "This needs no common clock. Collectives are matched by process group, "
            "name and sequence, or by their order where the trace has no sequence. "
            "Keeps 120 bytes for each collective, whatever the number of ranks; what each rank "
            "did in it is kept in a temporary file.");
