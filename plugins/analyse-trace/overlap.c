/* SPDX-License-Identifier: Apache-2.0 */
/*
 * overlap: how much of the communication is hidden behind computation, how long neither ran, how
 * long queues waited and for whom, and which cards the others wait for. Intervals of a class are
 * merged, so work shown twice counts once.
 */
#include "analyse-trace/common/breakdown.h"
#include "analyse-trace/common/curve.h"
#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/rank_rows.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_OVERLAP, OUTPUT_TYPES, OUTPUT_CARDS, OUTPUT_WAITS, OUTPUT_CURVES };

#define NAME_ROOM 96u /* all names of classes, joined */
#define DOCUMENT_END "/trace"
#define TEXT_ROOM 512u
#define LATE_PERCENT 10.0 /* of a card's time that the others wait longer than it */

/* One of the longest waits. */
typedef struct Wait {
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t peer; /* rank; OPPROF_NA_U64: unknown */
    uint32_t name;
    uint32_t track;
} Wait;

/* Work of a queue, durations added up. */
typedef struct QueueTime {
    uint64_t computation;
    uint64_t communication;
} QueueTime;

/* A card while its spans arrive. */
typedef struct Card {
    Sweep sweep;
    uint64_t first;       /* start of work, copies and fills included … */
    uint64_t last;        /* … and their end; first > last: there was none */
    uint64_t waiting;     /* merged */
    uint64_t waiting_end; /* added up so far */
    bool has_waited;
    Wait *waits; /* longest first */
    size_t wait_count;
    ItemMap queues; /* of QueueTime, by track */
    Curve curve;
    bool has_curve;
    Rows samples;
    uint64_t tick_ends[2]; /* end of its computation and communication so far */
    unsigned state;        /* the last sample */
} Card;

/* Sums of a card. */
typedef struct CardSum {
    uint32_t rank;
    uint32_t reserved;
    uint64_t span;          /* from the first start to the last end of work */
    uint64_t computation;   /* alone */
    uint64_t communication; /* alone */
    uint64_t overlapped;
    uint64_t idle;
    uint64_t waiting;
    uint64_t shared;       /* communication in queues that also compute */
    uint32_t shared_track; /* the queue with most of it; OPPROF_NA_U32: none */
    uint32_t reserved2;
} CardSum;

/* What the second half takes of a card. */
typedef struct CardPart {
    CardSum sum;
    uint64_t sets[SWEEP_ANY + 1]; /* time of each set of classes */
} CardPart;

enum { PART_WAITS, PART_CARDS };

typedef struct Overlap {
    Feed feed; /* first: see FeedCreate */
    bool include_memory;
    bool wants_curve;
    bool has_waits; /* of any card */
    size_t most_waits;
    uint64_t sums[SWEEP_ANY + 1]; /* time of each set of classes, over all cards */
    RankRows cards;               /* of CardSum */
    size_t card_count;
} Overlap;

typedef struct OverlapRow {
    uint32_t rank;
    uint32_t reserved;
    double percent;
    double overlap_us;
    double communication_us;
    double shared_us;
    uint32_t shared_queue;
    uint32_t reserved2;
} OverlapRow;

static const OpprofField overlap_fields[] = {
    OPPROF_FIELD(OverlapRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    OPPROF_FIELD(OverlapRow, percent, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN, .unit = "%",
                 .decimals = 3, .heading = "comp_comm_overlap_pctg",
                 .meaning = "Part of the communication time in which a computation ran.",
                 .absent = "no communication kernels"),
    OPPROF_FIELD(OverlapRow, overlap_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 4, .heading = "overlap_us",
                 .meaning = "Time in which both ran."),
    OPPROF_FIELD(OverlapRow, communication_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 4, .heading = "comm_us",
                 .meaning = "Time in which communication ran."),
    OPPROF_FIELD(OverlapRow, shared_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 4, .heading = "shared_us",
                 .meaning = "Communication in streams that also compute, durations added up: a "
                            "stream does one after the other, so it cannot be hidden."),
    OPPROF_FIELD(OverlapRow, shared_queue, OPPROF_FIELD_STRING, .heading = "shared_stream",
                 .meaning = "The stream with most of that.",
                 .absent = "no stream both computes and communicates"),
};

static const OpprofRecordType overlap_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.comm-overlap",
    .summary = "Communication hidden behind computation.",
    .size = sizeof(OverlapRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = overlap_fields,
    .field_count = OPPROF_COUNT(overlap_fields),
    .title = "Communication-computation overlap",
    .file_hint = "comm_comp_overlap",
};

typedef struct TypeRow {
    uint32_t type;
    uint32_t reserved;
    double sum_us;
    double percent;
} TypeRow;

static const OpprofField type_fields[] = {
    OPPROF_FIELD(
        TypeRow, type, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY, .heading = "kernel_type",
        .meaning = "Classes that were active together. COMPUTATION: kernels; COMMUNICATION: "
                   "between ranks; MEMORY: copies and fills; overlapping: at the same time"),
    OPPROF_FIELD(TypeRow, sum_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_SUM, .unit = "us",
                 .decimals = 4, .heading = "sum", .flags = OPPROF_FIELD_WEIGHT | OPPROF_FIELD_ALONE,
                 .meaning = "How long they were, over all ranks."),
    OPPROF_FIELD(TypeRow, percent, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN, .unit = "%",
                 .decimals = 2, .heading = "percentage", .meaning = "Part of the sum of all rows."),
};

static const OpprofRecordType type_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.kernel-types",
    .summary = "How long each combination of classes of work was active.",
    .size = sizeof(TypeRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = type_fields,
    .field_count = OPPROF_COUNT(type_fields),
    .title = "Kernel types",
    .file_hint = "kernel_types",
};

typedef struct CardRow {
    uint32_t card;
    uint32_t is_late;
    double span_us;
    double computation_us;
    double communication_us;
    double overlapped_us;
    double idle_us;
    double waiting_us;
    double own_us;
} CardRow;

#define CARD_TIME(member, title, text)                                                             \
    OPPROF_FIELD(CardRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,             \
                 .unit = "us", .decimals = 4, .heading = (title), .meaning = (text))

static const OpprofField card_fields[] = {
    OPPROF_FIELD(CardRow, card, OPPROF_FIELD_STRING, .heading = "rank",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER,
                 .meaning = "Card, rank or document."),
    OPPROF_FIELD(CardRow, span_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 4, .heading = "span_us", .flags = OPPROF_FIELD_RUN_TIME,
                 .meaning = "From the first start to the last end of work, copies and fills "
                            "included."),
    CARD_TIME(computation_us, "compute_only_us", "Computation ran, communication did not."),
    CARD_TIME(communication_us, "communication_only_us",
              "Communication ran, computation did not: time that could be hidden."),
    CARD_TIME(overlapped_us, "overlapped_us", "Both ran."),
    CARD_TIME(idle_us, "idle_us",
              "Neither ran, but perhaps a copy. The four parts add up to the span."),
    OPPROF_FIELD(
        CardRow, waiting_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST, .unit = "us",
        .decimals = 4,
        .meaning = "Time in which a queue waited; overlaps with the parts and is not one of them.",
        .absent = "no rank shows waiting"),
    OPPROF_FIELD(CardRow, is_late, OPPROF_FIELD_U32, .combine = OPPROF_COMBINE_NONE, .unit = "1",
                 .heading = "straggler",
                 .meaning = "1: the rank waits least, and the others wait for it.",
                 .absent = "no rank shows waiting: see collective_ranks.csv and stragglers.csv"),
    OPPROF_FIELD(CardRow, own_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST, .unit = "us",
                 .decimals = 4, .heading = "not_communication_only_us",
                 .flags = OPPROF_FIELD_HIDDEN | OPPROF_FIELD_WEIGHT,
                 .meaning = "The span without the time in which only communication ran: the other "
                            "ranks wait for this."),
};

static const OpprofRecordType card_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "overlap.cards",
    .summary = "What each rank did: computation, communication, both, neither.",
    .size = sizeof(CardRow),
    .flags = OPPROF_RECORD_TABLE | OPPROF_RECORD_SUMMARY | OPPROF_RECORD_PEERS,
    .fields = card_fields,
    .field_count = OPPROF_COUNT(card_fields),
    .title = "Ranks, the slowest first",
    .file_hint = "overlap",
};

typedef struct WaitRow {
    uint32_t card;
    uint32_t name;
    uint32_t queue;
    uint32_t peer;
    double start_us;
    double duration_us;
} WaitRow;

static const OpprofField wait_fields[] = {
    OPPROF_FIELD(WaitRow, card, OPPROF_FIELD_STRING, .heading = "rank",
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Card that waited."),
    OPPROF_FIELD(WaitRow, name, OPPROF_FIELD_STRING, .meaning = "Name of the work that waited."),
    OPPROF_FIELD(WaitRow, queue, OPPROF_FIELD_STRING, .meaning = "Queue that stood still."),
    OPPROF_FIELD(WaitRow, start_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .flags = OPPROF_FIELD_MOMENT, .meaning = "When it began."),
    OPPROF_FIELD(WaitRow, duration_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 4, .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "How long it took."),
    OPPROF_FIELD(WaitRow, peer, OPPROF_FIELD_U32, .heading = "waited_for_rank",
                 .meaning = "Rank that was waited for.", .absent = "the source does not say"),
};

static const OpprofRecordType wait_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "overlap.waits",
    .summary = "The longest waits of each rank, and what they were for.",
    .size = sizeof(WaitRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = wait_fields,
    .field_count = OPPROF_COUNT(wait_fields),
    .title = "Longest waits",
    .file_hint = "longest_waits",
};

/* ---- intervals ---- */

/* The same interval may come twice, from a stream and from a plane: the one
 * that states more stays. */
static bool is_twin(Wait *wait, const Activity *activity)
{
    if (wait->start_ns != activity->start_ns || wait->end_ns != activity->end_ns) {
        return false;
    }
    if (wait->peer == OPPROF_NA_U64 && activity->peer != OPPROF_NA_U64) {
        wait->peer = activity->peer;
        wait->name = activity->name;
        wait->track = activity->track;
    }
    return true;
}

/* Insert among the longest ones; earlier ones stay ahead of equal ones. */
static bool keep_wait(const Overlap *self, Card *card, const Activity *activity)
{
    const uint64_t length = ActivityDuration(activity);
    size_t at = card->wait_count;

    if (card->waits == NULL) {
        card->waits = calloc(self->most_waits + 1, sizeof *card->waits);
        if (card->waits == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < card->wait_count; i++) {
        if (is_twin(&card->waits[i], activity)) {
            return true;
        }
    }
    while (at > 0 && card->waits[at - 1].end_ns - card->waits[at - 1].start_ns < length) {
        card->waits[at] = card->waits[at - 1];
        at--;
    }
    card->waits[at] = (Wait){ .start_ns = activity->start_ns,
                              .end_ns = activity->end_ns,
                              .peer = activity->peer,
                              .name = activity->name,
                              .track = activity->track };
    card->wait_count += card->wait_count < self->most_waits;
    return true;
}

static OpprofStatus take_wait(const Overlap *self, Card *card, const Activity *activity)
{
    const uint64_t from = card->has_waited && card->waiting_end > activity->start_ns
                              ? card->waiting_end
                              : activity->start_ns;

    if (activity->end_ns > from) {
        card->waiting += activity->end_ns - from;
    }
    card->waiting_end = card->has_waited && card->waiting_end > activity->end_ns ? card->waiting_end
                                                                                 : activity->end_ns;
    card->has_waited = true;
    return keep_wait(self, card, activity) ? OPPROF_OK : OPPROF_E_MEMORY;
}

/* ---- curve: 1 while computing, 2 while communicating, 3 both ---- */

static void put_state(Card *card, unsigned state, uint64_t tick)
{
    if (state != card->state) {
        CurvePut(&card->samples, &card->curve, tick, state);
        card->state = state;
    }
}

/* Ends before `tick` change the curve. */
static void advance_curve(Card *card, uint64_t tick)
{
    for (;;) {
        unsigned next = 2;
        for (unsigned i = 0; i < 2; i++) {
            const bool runs = (card->state >> i & 1) != 0;
            if (runs && card->tick_ends[i] <= tick &&
                (next == 2 || card->tick_ends[i] < card->tick_ends[next])) {
                next = i;
            }
        }
        if (next == 2) {
            return;
        }
        put_state(card, card->state & ~(1u << next), card->tick_ends[next]);
    }
}

static OpprofStatus draw(const Overlap *self, FeedRank *rank, const Activity *activity)
{
    Card *card = rank->state;
    const unsigned class = activity->class == ACTIVITY_COMMUNICATION;

    if (!card->has_curve) {
        card->has_curve = true;
        card->samples = CurveRows(self->feed.stage, OUTPUT_CURVES, rank);
        if (!CurveInit(&card->curve, self->feed.stage, activity->track, "Overlap",
                       "1 compute, 2 communicate, 3 both")) {
            return OPPROF_E_MEMORY;
        }
    }
    advance_curve(card, activity->start_tick);
    if (activity->end_tick > activity->start_tick) {
        put_state(card, card->state | 1u << class, activity->start_tick);
    }
    card->tick_ends[class] =
        activity->end_tick > card->tick_ends[class] ? activity->end_tick : card->tick_ends[class];
    return card->samples.status;
}

static void take_work(Card *card, const Activity *activity)
{
    const bool is_first = card->first > card->last;

    card->first = is_first || activity->start_ns < card->first ? activity->start_ns : card->first;
    card->last = is_first || activity->end_ns > card->last ? activity->end_ns : card->last;
}

/* Which queues compute and which communicate. False without memory. */
static bool take_queue(Card *card, const Activity *activity)
{
    QueueTime *queue = ItemMapGet(&card->queues, activity->track, sizeof *queue);

    if (queue == NULL) {
        return false;
    }
    if (activity->class == ACTIVITY_COMMUNICATION) {
        queue->communication += ActivityDuration(activity);
    } else {
        queue->computation += ActivityDuration(activity);
    }
    return true;
}

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    const Overlap *self = context;
    Card *card = rank->state;
    const bool is_left_out = activity->class == ACTIVITY_MEMORY && !self->include_memory;

    if (card->first == 0 && card->last == 0 && card->sweep.intervals == 0) {
        card->first = 1; /* nothing yet */
    }
    if (activity->class == ACTIVITY_WAITING) {
        return take_wait(self, card, activity);
    }
    if (activity->class < ACTIVITY_CLASSES && !is_left_out) {
        SweepAdd(&card->sweep, activity->class, activity->start_ns, activity->end_ns);
    }
    if (activity->class < ACTIVITY_CLASSES) {
        take_work(card, activity);
    }
    if (activity->class == ACTIVITY_COMPUTATION || activity->class == ACTIVITY_COMMUNICATION) {
        if (!take_queue(card, activity)) {
            return OPPROF_E_MEMORY;
        }
        return self->wants_curve ? draw(self, rank, activity) : OPPROF_OK;
    }
    return OPPROF_OK;
}

static void put_overlap(Rows *rows, const CardSum *card)
{
    const uint64_t communication = card->communication + card->overlapped;
    OverlapRow *row = RowsNext(rows);

    if (row != NULL) {
        row->rank = card->rank;
        row->percent =
            communication == 0 ? OpprofNaF64() : BreakdownPercent(card->overlapped, communication);
        row->overlap_us = Microseconds(card->overlapped);
        row->communication_us = Microseconds(communication);
        row->shared_us = Microseconds(card->shared);
        row->shared_queue = card->shared_track == OPPROF_NA_U32
                                ? OPPROF_NA_STRING
                                : RowsStream(rows, card->shared_track);
    }
}

/* Names of a set of classes, joined. */
static uint32_t type_name(const Rows *rows, unsigned set)
{
    char name[NAME_ROOM] = "";

    for (unsigned i = 0; i < ACTIVITY_CLASSES; i++) {
        if ((set & 1u << i) != 0) {
            strncat(name, name[0] == '\0' ? "" : " overlapping ", sizeof name - strlen(name) - 1);
            strncat(name, ActivityClassName((ActivityClass) i), sizeof name - strlen(name) - 1);
        }
    }
    return RowsText(rows, name);
}

typedef struct TypeSum {
    unsigned set;
    uint64_t ns;
} TypeSum;

static int compare_sums(const void *a, const void *b)
{
    const TypeSum *left = a;
    const TypeSum *right = b;

    if (left->ns != right->ns) {
        return left->ns < right->ns ? 1 : -1;
    }
    return (left->set > right->set) - (left->set < right->set);
}

static void put_types(Rows *rows, const Overlap *self)
{
    TypeSum sums[SWEEP_ANY] = { { 0, 0 } };
    uint64_t total = 0;

    for (unsigned set = 1; set <= SWEEP_ANY; set++) {
        sums[set - 1] = (TypeSum){ .set = set, .ns = self->sums[set] };
        total += sums[set - 1].ns;
    }
    qsort(sums, SWEEP_ANY, sizeof sums[0], compare_sums);
    for (unsigned i = 0; i < SWEEP_ANY && sums[i].ns > 0; i++) {
        TypeRow *row = RowsNext(rows);

        if (row != NULL) {
            row->type = type_name(rows, sums[i].set);
            row->sum_us = Microseconds(sums[i].ns);
            row->percent = BreakdownPercent(sums[i].ns, total);
        }
    }
}

/* ---- cards ---- */

/* Communication in queues that also compute: none of these overlaps the other. */
static void sum_shared(const Card *card, CardSum *sum)
{
    uint64_t most = 0;

    sum->shared_track = OPPROF_NA_U32;
    for (uint32_t i = 0; i < card->queues.count; i++) {
        const QueueTime *queue = ItemMapAt(&card->queues, i);

        if (queue->computation == 0 || queue->communication == 0) {
            continue;
        }
        sum->shared += queue->communication;
        if (queue->communication > most) {
            most = queue->communication;
            sum->shared_track = (uint32_t) card->queues.keys[i];
        }
    }
}

static CardSum sum_of(const Card *card)
{
    const Sweep *sweep = &card->sweep;
    const uint64_t either = SweepUnion(sweep, SWEEP_COMPUTATION | SWEEP_COMMUNICATION);
    CardSum sum = { .span = card->first > card->last ? 0 : card->last - card->first,
                    .waiting = card->waiting };

    sum.overlapped = SweepIntersection(sweep, SWEEP_COMPUTATION | SWEEP_COMMUNICATION);
    sum.computation = SweepUnion(sweep, SWEEP_COMPUTATION) - sum.overlapped;
    sum.communication = SweepUnion(sweep, SWEEP_COMMUNICATION) - sum.overlapped;
    sum.idle = sum.span - either;
    sum_shared(card, &sum);
    return sum;
}

/* A document's name without its last part is the card's name. */
static uint32_t card_name(const Rows *rows, uint32_t rank)
{
    const char *name = OpprofStageString(rows->stage, rank);
    const size_t length = strlen(name);
    const size_t end = strlen(DOCUMENT_END);

    return length > end && strcmp(name + length - end, DOCUMENT_END) == 0
               ? OpprofStageIntern(rows->stage, name, length - end)
               : rank;
}

static OpprofStatus accept_card(void *context, const FeedRank *rank, const void *record)
{
    Overlap *self = context;
    const CardPart *part = record;
    CardSum sum = part->sum;

    for (unsigned set = 1; set <= SWEEP_ANY; set++) {
        self->sums[set] += part->sets[set];
    }
    sum.rank = rank->name;
    self->has_waits = self->has_waits || sum.waiting > 0;
    self->card_count++;
    return RankRowsAdd(&self->cards, self->feed.stage, rank->name, &sum, sizeof sum,
                       self->feed.error);
}

/* Numbers that say whether the others wait for a card. */
typedef struct Least {
    CardSum card; /* the one that waits least, the first of several */
    bool is_late; /* the others wait for it */
    uint64_t sum; /* of all that wait */
} Least;

static OpprofStatus add_card(void *context, void *row)
{
    Least *least = context;
    const CardSum *card = row;

    least->sum += card->waiting;
    if (card->waiting < least->card.waiting) {
        least->card = *card;
    }
    return OPPROF_OK;
}

static OpprofStatus find_late(Overlap *self, Least *least)
{
    const size_t count = self->card_count;
    const OpprofStatus status =
        RankRowsVisit(&self->cards, self->feed.stage, add_card, least, self->feed.error);
    double others;

    if (status != OPPROF_OK || count < 2) {
        return status;
    }
    others = (double) (least->sum - least->card.waiting) / (double) (count - 1);
    least->is_late =
        (others - (double) least->card.waiting) * 100 > LATE_PERCENT * (double) least->card.span;
    return OPPROF_OK;
}

/* is_late: NA where no card shows waiting, since the time in collectives says nothing about who
 * came late. */
static void put_card(Rows *rows, const CardSum *card, uint32_t is_late)
{
    CardRow *row = RowsNext(rows);

    if (row != NULL) {
        row->card = card_name(rows, card->rank);
        row->is_late = is_late;
        row->span_us = Microseconds(card->span);
        row->computation_us = Microseconds(card->computation);
        row->communication_us = Microseconds(card->communication);
        row->overlapped_us = Microseconds(card->overlapped);
        row->idle_us = Microseconds(card->idle);
        row->waiting_us = is_late == OPPROF_NA_U32 ? OpprofNaF64() : Microseconds(card->waiting);
        row->own_us = Microseconds(card->span - card->communication);
    }
}

static OpprofStatus hand_waits(Overlap *self, const FeedRank *rank)
{
    const Rows texts = { .stage = self->feed.stage };
    const Card *card = rank->state;
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < card->wait_count; i++) {
        const Wait *wait = &card->waits[i];
        const WaitRow row = {
            .card = card_name(&texts, rank->name),
            .name = wait->name,
            .queue = RowsStream(&texts, wait->track),
            .peer = wait->peer == OPPROF_NA_U64 ? OPPROF_NA_U32 : (uint32_t) wait->peer,
            .start_us = Microseconds(wait->start_ns),
            .duration_us = Microseconds(wait->end_ns - wait->start_ns),
        };

        status = FeedHand(&self->feed, PART_WAITS, rank, &row);
    }
    return status;
}

/* Cards on their way to the tables. */
typedef struct Way {
    const Overlap *self;
    Rows overlaps;
    Rows cards;
    Least least;
} Way;

static OpprofStatus put_one(void *context, void *row)
{
    Way *way = context;
    const CardSum *card = row;
    const bool is_late = way->least.is_late && card->rank == way->least.card.rank;

    put_overlap(&way->overlaps, card);
    put_card(&way->cards, card, way->self->has_waits ? is_late : OPPROF_NA_U32);
    return OPPROF_OK;
}

static OpprofStatus put_cards(Overlap *self)
{
    OpprofStage *stage = self->feed.stage;
    Way way = { .self = self,
                .overlaps = { .stage = stage, .port = OUTPUT_OVERLAP },
                .cards = { .stage = stage, .port = OUTPUT_CARDS },
                .least = { .card = { .waiting = UINT64_MAX } } };
    OpprofStatus status = find_late(self, &way.least);

    if (status == OPPROF_OK) {
        status = RankRowsVisit(&self->cards, stage, put_one, &way, self->feed.error);
    }
    const OpprofStatus overlaps = RowsEnd(&way.overlaps);
    const OpprofStatus cards = RowsEnd(&way.cards);

    status = overlaps != OPPROF_OK ? overlaps : status;
    return cards != OPPROF_OK ? cards : status;
}

static OpprofStatus put_all(void *context)
{
    Overlap *self = context;
    Rows types = { .stage = self->feed.stage, .port = OUTPUT_TYPES };
    OpprofStatus status = put_cards(self);

    if (status == OPPROF_OK) {
        put_types(&types, self);
        status = RowsEnd(&types);
    }
    return status;
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    Overlap *self = context;
    Card *card = rank->state;
    OpprofStatus status;
    CardPart part;

    SweepEnd(&card->sweep);
    part.sum = sum_of(card);
    memcpy(part.sets, card->sweep.sums, sizeof part.sets);
    status = FeedHand(&self->feed, PART_CARDS, rank, &part);
    status = status == OPPROF_OK ? hand_waits(self, rank) : status;
    if (status != OPPROF_OK || !card->has_curve) {
        return status;
    }
    advance_curve(card, UINT64_MAX);
    card->samples.watermark = UINT64_MAX;
    return RowsEnd(&card->samples);
}

static void finish(void *context)
{
    Overlap *self = context;

    RankRowsFinish(&self->cards);
}

static void free_state(void *state)
{
    Card *card = state;

    free(card->waits);
    ItemMapFree(&card->queues);
}

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Overlap *self = context;

    self->include_memory = OpprofParamsBool(params, "include_memory_kernels");
    self->wants_curve = OpprofParamsBool(params, "curve");
    self->most_waits = (size_t) OpprofParamsInt(params, "waits");
    return OPPROF_OK;
}

static const FeedPart parts[] = {
    [PART_WAITS] = { .size = sizeof(WaitRow), .table = OUTPUT_WAITS },
    [PART_CARDS] = { .size = sizeof(CardPart), .table = FEED_PORTS, .accept = accept_card },
};

static const FeedOps feed_ops = {
    .size = sizeof(Overlap),
    .state_size = sizeof(Card),
    .configure = configure,
    .take = take,
    .end_rank = end_rank,
    .put = put_all,
    .finish = finish,
    .free_state = free_state,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = OUTPUT_CURVES + 1,
};

#define SET_FIELD(set) FEED_NS(CardPart, sets[set], "Time of this set of classes, as bits.")

static const OpprofField card_part_fields[] = {
    FEED_NS(CardPart, sum.span, "From the first start to the last end of work."),
    FEED_NS(CardPart, sum.computation, "Only computation ran."),
    FEED_NS(CardPart, sum.communication, "Only communication ran."),
    FEED_NS(CardPart, sum.overlapped, "Both ran."),
    FEED_NS(CardPart, sum.idle, "Neither ran."),
    FEED_NS(CardPart, sum.waiting, "A queue waited."),
    FEED_NS(CardPart, sum.shared, "Communication in queues that also compute."),
    OPPROF_FIELD(CardPart, sum.shared_track, OPPROF_FIELD_TRACK,
                 .meaning = "The queue with most of it.", .absent = "no queue does both"),
    SET_FIELD(1),
    SET_FIELD(2),
    SET_FIELD(3),
    SET_FIELD(4),
    SET_FIELD(5),
    SET_FIELD(6),
    SET_FIELD(7),
    SET_FIELD(8),
    SET_FIELD(9),
    SET_FIELD(10),
    SET_FIELD(11),
    SET_FIELD(12),
    SET_FIELD(13),
    SET_FIELD(14),
    SET_FIELD(15),
};
_Static_assert(SWEEP_ANY == 15, "all sets of classes have fields");

static const OpprofRecordType card_part_type =
    FEED_TYPE(CardPart, "overlap.rank-times", "What a rank did.", card_part_fields);

#define PARTIALS                                                                                   \
    FEED_ROWS("waits-partial", "overlap.waits", wait_type),                                        \
        FEED_PARTIAL("cards-partial", "overlap.rank-times", card_part_type, "What each rank did.")

static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };

static const OpprofPort outputs[] = {
    [OUTPUT_OVERLAP] = { .name = "overlap",
                         .record_type = &overlap_type,
                         .summary = "One row per rank." },
    [OUTPUT_TYPES] = { .name = "kernel-types",
                       .record_type = &type_type,
                       .summary = "One row per combination of classes that occurred." },
    [OUTPUT_CARDS] = { .name = "cards",
                       .record_type = &card_type,
                       .summary = "One row per rank: computation, communication, both, neither." },
    [OUTPUT_WAITS] = { .name = "waits",
                       .record_type = &wait_type,
                       .summary = "The longest waits of each rank." },
    [OUTPUT_CURVES] = { .name = "curves",
                        .record_type = &opprof_counter_type,
                        .summary = "What each rank does, over time." },
    PARTIALS,
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "include_memory_kernels",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "true",
      .summary = "Count memory work in the table of kernel types." },
    { .name = "waiting",
      .type = OPPROF_PARAM_LIST,
      .default_value = "waiting",
      .summary = "Slices in which a queue waits; checked before all others." },
    { .name = "waits",
      .type = OPPROF_PARAM_INT,
      .default_value = "10",
      .min = 0,
      .max = 1000,
      .summary = "Number of longest waits that are shown for each rank." },
    { .name = "curve",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "false",
      .summary = "Also draw what each rank does, as a curve." },
};

FEED_DEFINE_SPANS(
    feed_ops, inputs, outputs, params, .name = "overlap",
    .summary =
        "Shows how much communication is hidden behind computation, and who waits for whom.");
