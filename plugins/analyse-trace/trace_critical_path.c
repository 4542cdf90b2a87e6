/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-critical-path: the longest way through what a rank did, and through what all of them did; what it is made of,
 * and what making a part of it shorter would gain. Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "item_map.h"
#include "path_build.h"
#include "path_find.h"
#include "path_ranks.h"
#include "rows.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/plugin.h>
#include <opprof/records/activity.h>
#include <opprof/records/path.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_PARTS, OUTPUT_NAMES, OUTPUT_RANKS, OUTPUT_SPANS, OUTPUT_ALL_SPANS, OUTPUT_ADVICE };

#define ALL_RANKS "all"

enum { KIND_OPERATOR, KIND_ANNOTATION, KIND_CALL, KIND_WORK, KIND_WAIT, KINDS };

static const char *const kind_words[KINDS] = {
    [KIND_OPERATOR] = OPPROF_PATH_OPERATOR, [KIND_ANNOTATION] = OPPROF_PATH_ANNOTATION,
    [KIND_CALL] = OPPROF_PATH_CALL,         [KIND_WORK] = OPPROF_PATH_WORK,
    [KIND_WAIT] = OPPROF_PATH_WAIT,
};

static const char *const part_words[PATH_PARTS] = {
    [PATH_HOST] = "host",
    [PATH_DATA_LOADING] = "data_loading",
    [PATH_LAUNCH] = "launch_delay",
    [PATH_QUEUE] = "kernel_gap",
    [PATH_COMPUTATION] = OPPROF_ACTIVITY_COMPUTATION,
    [PATH_COMMUNICATION] = OPPROF_ACTIVITY_COMMUNICATION,
    [PATH_MEMORY] = OPPROF_ACTIVITY_MEMORY,
    [PATH_WAIT] = "wait",
};

/* What is known of a name; made once a name. */
typedef struct NameFacts {
    bool is_known;
    bool is_data_loading;
    bool is_autograd;
    bool is_forward;
    bool is_window;
} NameFacts;

/* Threads whose operators have a word: the first of them, and whether there are others. */
typedef struct MarkedThread {
    uint32_t thread;
    bool has_any;
    bool has_others;
} MarkedThread;

/* Work of a collective that a rank left together with others. */
typedef struct SharedWork {
    PathSpan work;
    uint32_t kind;
    uint32_t place; /* number of the span; PATH_NONE: it is not in the graph */
    uint64_t sequence;
} SharedWork;

/* A rank that is being read. */
typedef struct RankPath {
    uint32_t name;
    uint32_t clock;
    PathInput input;
    PathSpans windows;
    MarkedThread autograd;
    MarkedThread forward;
    SharedWork *shared;
    uint32_t shared_count;
    uint32_t shared_capacity;
    ItemMap ordinals; /* uint64_t: collectives so far of a kind whose profiler gives no sequence */
    bool is_over;
} RankPath;

/* Collectives of one name in one group. */
typedef struct CollectiveKind {
    bool is_known;
    bool is_left_together;
} CollectiveKind;

typedef struct PartRow {
    uint32_t rank;
    uint32_t part;
    double time_us;
    double percent;
    uint64_t count;
    double half_gain_us;
    double whole_gain_us;
    double length_us;
} PartRow;

typedef struct NameRow {
    uint32_t rank;
    uint32_t part;
    uint32_t name;
    uint32_t reserved;
    double time_us;
    double percent;
    uint64_t count;
} NameRow;

typedef struct RankRow {
    uint32_t rank;
    uint32_t reserved;
    double time_us;
    double percent;
    uint64_t count;
    uint64_t entered;
} RankRow;

/* The rank whose path is the longest, for the advice. */
typedef struct Worst {
    uint32_t rank;
    uint32_t part; /* of the largest gain */
    double length_us;
    double time_us;
    double gain_us;
    bool has_any;
} Worst;

typedef struct CriticalPath {
    OpprofStage *stage;
    const OpprofParams *params;
    const char *window;
    double queue_gap_s;
    size_t top;
    uint32_t kind_ids[KINDS];
    uint32_t part_ids[PATH_PARTS];
    uint32_t all_id;
    ItemMap names; /* of NameFacts, by interned name */
    ItemMap kinds; /* of CollectiveKind, by group and name */
    PathRanks all;
    uint64_t most_spans; /* that are kept for the path through all ranks */
    uint64_t spans;      /* of all ranks */
    double hz;           /* of the first rank's clock */
    bool has_two_clocks;
    RankPath **ranks;
    size_t rank_count;
    size_t rank_capacity;
    Worst worst;
} CriticalPath;

#define PATH_TIME(type, member, head, text)                                                        \
    OPPROF_FIELD(type, member, OPPROF_FIELD_F64, .unit = "us", .decimals = 4, .heading = (head),   \
                 .meaning = (text))

static const OpprofField part_fields[] = {
    OPPROF_FIELD(PartRow, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY, .meaning = "Rank."),
    OPPROF_FIELD(
        PartRow, part, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
        .meaning =
            "host: operators and calls; launch_delay: from a call to its work; kernel_gap: from "
            "one piece "
            "of work to the next in a stream; wait: places where the path goes from one that was "
            "waited for to the one that waited; else the class of work."),
    OPPROF_FIELD(PartRow, time_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .heading = "time(us)", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Time of the path that it is."),
    OPPROF_FIELD(PartRow, percent, OPPROF_FIELD_F64, .unit = "%", .decimals = 4,
                 .heading = "share(%)", .meaning = "That of the length of the path."),
    OPPROF_FIELD(PartRow, count, OPPROF_FIELD_U64, .unit = "1", .heading = "pieces",
                 .meaning = "Pieces of the path."),
    PATH_TIME(PartRow, half_gain_us, "gain_if_half(us)",
              "How much shorter the longest path would be if all of this part took half its time."),
    PATH_TIME(PartRow, whole_gain_us, "gain_if_none(us)", "The same if it took no time at all."),
    PATH_TIME(PartRow, length_us, "path(us)", "Length of the rank's path."),
};

static const OpprofField name_fields[] = {
    OPPROF_FIELD(NameRow, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY, .meaning = "Rank."),
    OPPROF_FIELD(NameRow, part, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Part of the path."),
    OPPROF_FIELD(NameRow, name, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Operator, call or work; of launch_delay the work that begins, of "
                            "kernel_gap that before."),
    OPPROF_FIELD(NameRow, time_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .heading = "time(us)", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Time of the path."),
    OPPROF_FIELD(NameRow, percent, OPPROF_FIELD_F64, .unit = "%", .decimals = 4,
                 .heading = "share(%)", .meaning = "That of the length of the path."),
    OPPROF_FIELD(NameRow, count, OPPROF_FIELD_U64, .unit = "1", .heading = "pieces",
                 .meaning = "Pieces of the path."),
};

static const OpprofField rank_fields[] = {
    OPPROF_FIELD(RankRow, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY, .meaning = "Rank."),
    OPPROF_FIELD(RankRow, time_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .heading = "time(us)", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Time of the path through all ranks that lies on this one."),
    OPPROF_FIELD(RankRow, percent, OPPROF_FIELD_F64, .unit = "%", .decimals = 4,
                 .heading = "share(%)", .meaning = "That of the length of the path."),
    OPPROF_FIELD(RankRow, count, OPPROF_FIELD_U64, .unit = "1", .heading = "pieces",
                 .meaning = "Pieces of the path."),
    OPPROF_FIELD(RankRow, entered, OPPROF_FIELD_U64, .unit = "1",
                 .meaning = "How often the path comes to it from another rank."),
};

static const OpprofRecordType part_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.critical-path",
    .summary = "What the longest path of each rank is made of.",
    .size = sizeof(PartRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = part_fields,
    .field_count = OPPROF_COUNT(part_fields),
    .title = "Critical path",
    .file_hint = "critical_path",
};

static const OpprofRecordType name_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.critical-path-names",
    .summary = "What takes most of the longest path.",
    .size = sizeof(NameRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = name_fields,
    .field_count = OPPROF_COUNT(name_fields),
    .title = "Critical path by name",
    .file_hint = "critical_path_names",
};

static const OpprofRecordType rank_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.critical-path-ranks",
    .summary = "Which ranks the longest path through all of them is on.",
    .size = sizeof(RankRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = rank_fields,
    .field_count = OPPROF_COUNT(rank_fields),
    .title = "Critical path by rank",
    .file_hint = "critical_path_ranks",
};

/* ------------------------------------------------------------------ reading */

static RankPath *find_rank(CriticalPath *self, const OpprofBatch *batch)
{
    RankPath *rank;

    for (size_t i = self->rank_count; i > 0; i--) {
        if (self->ranks[i - 1]->name == batch->partition) {
            return self->ranks[i - 1];
        }
    }
    if (!OpprofGrow(&self->ranks, &self->rank_capacity, self->rank_count + 1, sizeof(RankPath *))) {
        return NULL;
    }
    rank = calloc(1, sizeof *rank);
    if (rank != NULL) {
        rank->name = batch->partition;
        rank->clock = batch->clock;
        self->ranks[self->rank_count++] = rank;
    }
    return rank;
}

static bool matches_any(const OpprofParams *params, const char *list, const char *name)
{
    for (size_t i = 0; i < OpprofParamsCount(params, list); i++) {
        if (fnmatch(OpprofParamsElement(params, list, i), name, FNM_CASEFOLD) == 0) {
            return true;
        }
    }
    return false;
}

/* NULL without memory. */
static const NameFacts *facts_of(CriticalPath *self, uint32_t name)
{
    NameFacts *facts = ItemMapGet(&self->names, name, sizeof *facts);

    if (facts != NULL && !facts->is_known) {
        const char *text = OpprofStageString(self->stage, name);

        *facts = (NameFacts){ .is_known = true,
                              .is_data_loading = matches_any(self->params, "data_loading", text),
                              .is_autograd = strstr(text, "autograd") != NULL,
                              .is_forward = strstr(text, "forward") != NULL,
                              .is_window = self->window != NULL && self->window[0] != '\0' &&
                                           strstr(text, self->window) != NULL };
    }
    return facts;
}

static void mark(MarkedThread *marked, uint32_t thread)
{
    marked->has_others |= marked->has_any && marked->thread != thread;
    marked->has_any = true;
    marked->thread = thread;
}

static bool append(PathSpans *spans, PathSpan span)
{
    if (!OpprofGrow32(&spans->list, &spans->capacity, (size_t) spans->count + 1,
                      sizeof *spans->list)) {
        return false;
    }
    spans->list[spans->count++] = span;
    return true;
}

static PathSpan span_of(const OpprofPathEvent *event, PathPart part, uint32_t flags)
{
    return (PathSpan){ .start = event->start,
                       .end = event->start + event->duration,
                       .id = event->id,
                       .name = event->name,
                       .lane = event->thread != OPPROF_NA_U32 ? event->thread : event->lane,
                       .call = PATH_NONE,
                       .part = (uint8_t) part,
                       .flags = (uint8_t) flags };
}

static bool add_operator(CriticalPath *self, RankPath *rank, const OpprofPathEvent *event)
{
    const NameFacts *facts = facts_of(self, event->name);

    if (facts == NULL) {
        return false;
    }
    if (facts->is_autograd) {
        mark(&rank->autograd, event->thread);
    }
    if (facts->is_forward) {
        mark(&rank->forward, event->thread);
    }
    return event->duration == 0 ||
           append(&rank->input.host,
                  span_of(event, facts->is_data_loading ? PATH_DATA_LOADING : PATH_HOST, 0));
}

/* Annotations bound the window, or say that data are loaded. */
static bool add_annotation(CriticalPath *self, RankPath *rank, const OpprofPathEvent *event)
{
    const NameFacts *facts = facts_of(self, event->name);

    if (facts == NULL) {
        return false;
    }
    if (facts->is_window && !append(&rank->windows, span_of(event, PATH_HOST, 0))) {
        return false;
    }
    return !facts->is_data_loading ||
           append(&rank->input.host, span_of(event, PATH_DATA_LOADING, 0));
}

/* NULL without memory. */
static const CollectiveKind *kind_of(CriticalPath *self, const OpprofPathEvent *event)
{
    const uint32_t name = event->collective != OPPROF_NA_STRING ? event->collective : event->name;
    CollectiveKind *kind =
        ItemMapGet(&self->kinds, (uint64_t) event->group << 32 | name, sizeof *kind);

    if (kind != NULL && !kind->is_known) {
        *kind = (CollectiveKind){ .is_known = true,
                                  .is_left_together = CollectiveIsLeftTogether(
                                      CollectiveFormOf(OpprofStageString(self->stage, name))) };
    }
    return kind;
}

/* False without memory. */
static bool add_shared(CriticalPath *self, RankPath *rank, const OpprofPathEvent *event)
{
    const CollectiveKind *kind = kind_of(self, event);
    const uint32_t number = self->kinds.latest;
    uint64_t sequence = event->sequence;
    uint64_t *ordinal;

    if (kind == NULL || !kind->is_left_together) {
        return kind != NULL;
    }
    ordinal = ItemMapGet(&rank->ordinals, number, sizeof *ordinal);
    if (ordinal == NULL || !OpprofGrow32(&rank->shared, &rank->shared_capacity,
                                         (size_t) rank->shared_count + 1, sizeof *rank->shared)) {
        return false;
    }
    if (sequence == OPPROF_NA_U64) {
        sequence = (*ordinal)++;
    }
    rank->shared[rank->shared_count++] =
        (SharedWork){ .work = span_of(event, PATH_COMMUNICATION, 0),
                      .kind = number,
                      .place = PATH_NONE,
                      .sequence = sequence };
    return true;
}

static bool add_work(CriticalPath *self, RankPath *rank, const OpprofPathEvent *event)
{
    PathPart part = PATH_COMPUTATION;

    if (event->work_class == self->part_ids[PATH_COMMUNICATION]) {
        part = PATH_COMMUNICATION;
        if (!add_shared(self, rank, event)) {
            return false;
        }
    } else if (event->work_class == self->part_ids[PATH_MEMORY]) {
        part = PATH_MEMORY;
    }
    return append(&rank->input.work, span_of(event, part, 0));
}

static bool add_wait(RankPath *rank, const OpprofPathEvent *event)
{
    PathInput *input = &rank->input;

    if (!OpprofGrow32(&input->waits, &input->wait_capacity, (size_t) input->wait_count + 1,
                      sizeof *input->waits)) {
        return false;
    }
    input->waits[input->wait_count++] = (PathWait){ .id = event->id,
                                                    .source = event->source,
                                                    .lane = event->lane,
                                                    .source_lane = event->source_lane };
    return true;
}

static bool add_event(CriticalPath *self, RankPath *rank, const OpprofPathEvent *event)
{
    if (event->start + event->duration < event->start) {
        return true; /* beyond the end of time */
    }
    if (event->kind == self->kind_ids[KIND_OPERATOR]) {
        return add_operator(self, rank, event);
    }
    if (event->kind == self->kind_ids[KIND_CALL]) {
        const uint32_t flags =
            OPPROF_PATH_BLOCKS | OPPROF_PATH_WAITS_ALL | OPPROF_PATH_WAITS_SOME | OPPROF_PATH_LOCKS;

        return append(&rank->input.host,
                      span_of(event, PATH_HOST, (event->flags & flags) | PATH_SPAN_IS_CALL));
    }
    if (event->kind == self->kind_ids[KIND_WORK]) {
        return add_work(self, rank, event);
    }
    if (event->kind == self->kind_ids[KIND_ANNOTATION]) {
        return add_annotation(self, rank, event);
    }
    return event->kind != self->kind_ids[KIND_WAIT] || add_wait(rank, event);
}

/* ------------------------------------------------------------------ before the graph */

/* If one thread goes forward and another one backward, they are one: the second runs while the first waits for it. */
static void join_threads(RankPath *rank)
{
    if (!rank->autograd.has_any || rank->autograd.has_others || !rank->forward.has_any ||
        rank->forward.has_others) {
        return;
    }
    for (uint32_t i = 0; i < rank->input.host.count; i++) {
        PathSpan *span = &rank->input.host.list[i];

        span->lane = span->lane == rank->autograd.thread ? rank->forward.thread : span->lane;
    }
}

static bool is_in_window(const RankPath *rank, uint64_t time)
{
    for (uint32_t i = 0; i < rank->windows.count; i++) {
        if (time >= rank->windows.list[i].start && time < rank->windows.list[i].end) {
            return true;
        }
    }
    return false;
}

/* Only what the host began in the window, and the work that it launched there. False without memory. */
static bool keep_window(RankPath *rank)
{
    OpprofMap kept = { 0 };
    PathInput *input = &rank->input;
    uint32_t count = 0;
    bool is_good = true;

    for (uint32_t i = 0; i < input->host.count; i++) {
        const PathSpan *span = &input->host.list[i];

        if (is_in_window(rank, span->start)) {
            is_good = is_good && ((span->flags & PATH_SPAN_IS_CALL) == 0 ||
                                  span->id == UINT64_MAX || OpprofMapPut(&kept, span->id, 1));
            input->host.list[count++] = *span;
        }
    }
    input->host.count = count;
    count = 0;
    for (uint32_t i = 0; i < input->work.count; i++) {
        const PathSpan *work = &input->work.list[i];

        if (work->id != UINT64_MAX && OpprofMapFind(&kept, work->id) != OPPROF_MAP_NONE) {
            input->work.list[count++] = *work;
        }
    }
    input->work.count = count;
    OpprofMapFinish(&kept);
    return is_good;
}

/* ------------------------------------------------------------------ results */

/* A path on its way out: that of a rank, or of all. */
typedef struct Path {
    PathFound found;
    const uint32_t *names; /* of spans */
    uint32_t rank;         /* interned */
    double us_a_tick;
} Path;

static double percent_of(const Path *path, uint64_t ticks)
{
    return path->found.length == 0 ? 0 : 100.0 * (double) ticks / (double) path->found.length;
}

static double half_us(const Path *path, uint64_t half_ticks)
{
    return (double) half_ticks / 2 * path->us_a_tick;
}

static OpprofStatus put_parts(CriticalPath *self, const Path *path)
{
    const PathFound *found = &path->found;

    for (int part = 0; part < PATH_PARTS; part++) {
        const PathSum *sum = &found->parts[part];
        const PartRow row = { .rank = path->rank,
                              .part = self->part_ids[part],
                              .time_us = (double) sum->ticks * path->us_a_tick,
                              .percent = percent_of(path, sum->ticks),
                              .count = sum->count,
                              .half_gain_us = half_us(path, found->half_gains[part]),
                              .whole_gain_us = half_us(path, found->whole_gains[part]),
                              .length_us = (double) found->length * path->us_a_tick };
        const OpprofStatus status =
            sum->count == 0 ? OPPROF_OK
                            : OpprofStageAppend(self->stage, OUTPUT_PARTS, path->rank, &row);

        if (status != OPPROF_OK) {
            return status;
        }
    }
    return OPPROF_OK;
}

static int compare_sums(const void *a, const void *b, void *stage)
{
    const PathNameSum *left = *(const PathNameSum *const *) a;
    const PathNameSum *right = *(const PathNameSum *const *) b;

    if (left->sum.ticks != right->sum.ticks) {
        return left->sum.ticks < right->sum.ticks ? 1 : -1;
    }
    if (left->part != right->part) {
        return left->part < right->part ? -1 : 1;
    }
    return strcmp(OpprofStageString(stage, left->name), OpprofStageString(stage, right->name));
}

static OpprofStatus put_names(CriticalPath *self, const Path *path)
{
    OpprofStatus status = OPPROF_OK;
    ItemMap names = { .count = 0 };
    void **list = PathFoundNames(&path->found, path->names, &names)
                      ? ItemMapSorted(&names, compare_sums, self->stage)
                      : NULL;

    if (list == NULL) {
        status = OPPROF_E_MEMORY;
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < names.count && i < self->top; i++) {
        const PathNameSum *sum = list[i];
        const NameRow row = { .rank = path->rank,
                              .part = self->part_ids[sum->part],
                              .name = sum->name,
                              .time_us = (double) sum->sum.ticks * path->us_a_tick,
                              .percent = percent_of(path, sum->sum.ticks),
                              .count = sum->sum.count };

        status = OpprofStageAppend(self->stage, OUTPUT_NAMES, path->rank, &row);
    }
    free(list);
    ItemMapFree(&names);
    return status;
}

/* The line that the path is drawn on; OPPROF_NA_U32: nothing tells which document the rank's lines are in. */
static uint32_t declare_track(const CriticalPath *self, const RankPath *rank)
{
    const OpprofTrack *work =
        rank->input.work.count == 0
            ? NULL
            : OpprofStageTrackInfo(self->stage, rank->input.work.list[0].lane);
    char process[160];

    if (work == NULL) {
        return OPPROF_NA_U32;
    }
    snprintf(process, sizeof process, "rank %s critical path",
             OpprofStageString(self->stage, rank->name));
    return OpprofStageTrack(self->stage, &(OpprofTrack){ .document = work->document,
                                                         .process = process,
                                                         .thread = "critical path",
                                                         .process_sort = work->process_sort,
                                                         .thread_sort = -1 });
}

/* A piece of a path that is drawn. */
typedef struct Piece {
    uint32_t rank; /* number among all ranks, where it is of all */
    uint32_t part;
    uint32_t name;
    uint32_t reserved;
    uint64_t start;
    uint64_t end;
} Piece;

static OpprofStatus put_piece(const CriticalPath *self, uint32_t port, uint32_t partition,
                              uint32_t track, const Piece *piece)
{
    const OpprofText none = { OPPROF_NA_U32, 0 };
    const OpprofSpan span = { .start = piece->start,
                              .duration = piece->end - piece->start,
                              .track = track,
                              .kind = OPPROF_SPAN_SLICE,
                              .name = piece->name,
                              .category = self->part_ids[piece->part],
                              .colour = OPPROF_NA_STRING,
                              .args = none,
                              .id = none,
                              .group = none };

    return OpprofStageAppend(self->stage, port, partition, &span);
}

/* The next piece from edge `*at` on: edges that follow each other and are of one thing are one. False at the end. */
static bool next_piece(const Path *path, uint32_t *at, Piece *ret_piece)
{
    const PathFound *found = &path->found;
    const uint64_t *times = found->graph->times;

    while (*at < found->count) {
        const PathEdge *edge = PathFoundEdge(found, *at);
        uint64_t end = times[edge->to];

        for ((*at)++; *at < found->count; (*at)++) {
            const PathEdge *next = PathFoundEdge(found, *at);

            if (next->part != edge->part || next->owner != edge->owner) {
                break;
            }
            end = times[next->to];
        }
        if (edge->part != PATH_WAIT && end > times[edge->from]) {
            *ret_piece = (Piece){ .rank = edge->owner,
                                  .part = edge->part,
                                  .name = path->names[edge->owner],
                                  .start = times[edge->from],
                                  .end = end };
            return true;
        }
    }
    return false;
}

static OpprofStatus put_spans(const CriticalPath *self, const Path *path, uint32_t clock,
                              uint32_t track)
{
    OpprofStatus status = OPPROF_OK;
    uint32_t at = 0;
    Piece piece;

    if (track == OPPROF_NA_U32) {
        return OPPROF_OK;
    }
    OpprofStageSetClock(self->stage, OUTPUT_SPANS, clock);
    while (status == OPPROF_OK && next_piece(path, &at, &piece)) {
        status = put_piece(self, OUTPUT_SPANS, path->rank, track, &piece);
    }
    return status == OPPROF_OK ? OpprofStagePushOpen(self->stage, OUTPUT_SPANS, UINT64_MAX)
                               : status;
}

/* Keep what the advice needs if this is the longest path so far. */
static void note_worst(CriticalPath *self, const Path *path)
{
    const PathFound *found = &path->found;
    const double length_us = (double) found->length * path->us_a_tick;
    int part = 0;

    if (self->worst.has_any && self->worst.length_us >= length_us) {
        return;
    }
    for (int i = 1; i < PATH_PARTS; i++) {
        part = found->half_gains[i] > found->half_gains[part] ? i : part;
    }
    self->worst = (Worst){ .rank = path->rank,
                           .part = (uint32_t) part,
                           .length_us = length_us,
                           .time_us = (double) found->parts[part].ticks * path->us_a_tick,
                           .gain_us = half_us(path, found->half_gains[part]),
                           .has_any = true };
}

static OpprofStatus put_tables(CriticalPath *self, const Path *path)
{
    const OpprofStatus status = put_parts(self, path);

    return status == OPPROF_OK ? put_names(self, path) : status;
}

static void tell_losses(const CriticalPath *self, uint32_t rank, const PathGraph *graph,
                        const PathLosses *losses)
{
    const char *name = OpprofStageString(self->stage, rank);

    OpprofStageCount(self->stage, "moments", graph->moment_count);
    OpprofStageCount(self->stage, "ties", graph->edge_count);
    if (losses->untied > 0) {
        OpprofStageCount(self->stage, "work that nothing is known to precede", losses->untied);
    }
    if (losses->against > 0) {
        OpprofStageWarn(self->stage,
                        "Rank %s: %" PRIu64 " ties between host and device go back in time and "
                        "were left out of the critical path: their clocks differ",
                        name, losses->against);
    }
    if (graph->ordered < graph->moment_count) {
        OpprofStageIncomplete(self->stage,
                              "Rank %s: %" PRIu32 " moments wait for each other in a circle; the "
                              "critical path leaves them out",
                              name, graph->moment_count - graph->ordered);
    }
}

/* Names of all spans of a rank, to be freed; NULL without memory. */
static uint32_t *list_names(const PathInput *input)
{
    const uint32_t spans = input->host.count + input->work.count;
    uint32_t *names = reallocarray(NULL, (size_t) spans + 1, sizeof *names);

    for (uint32_t i = 0; names != NULL && i < spans; i++) {
        names[i] = PathInputSpan(input, i)->name;
    }
    return names;
}

/* Find the numbers of shared work among all spans, which are known once the graph is made; PATH_NONE. */
static void place_shared(RankPath *rank)
{
    for (uint32_t i = 0; i < rank->shared_count; i++) {
        SharedWork *shared = &rank->shared[i];
        const uint32_t work = PathInputFindWork(&rank->input, &shared->work);

        shared->place = work == PATH_NONE ? PATH_NONE : rank->input.host.count + work;
    }
}

/* Keep a rank for the path through all of them; graph and names are empty then. False without memory. */
static bool keep_rank(CriticalPath *self, const RankPath *rank, uint32_t track, PathGraph *graph,
                      uint32_t **names)
{
    const uint32_t spans = graph->moment_count / 2;
    bool is_good;

    self->spans += spans;
    if (self->spans > self->most_spans || self->has_two_clocks) {
        PathRanksFinish(&self->all);
        return true;
    }
    is_good = PathRanksAdd(&self->all,
                           &(PathRank){ .name = rank->name, .clock = rank->clock, .track = track },
                           graph, names, spans);
    for (uint32_t i = 0; is_good && i < rank->shared_count; i++) {
        const SharedWork *shared = &rank->shared[i];

        is_good = shared->place == PATH_NONE ||
                  PathRanksAddCall(&self->all, (CollectiveCall){ .kind = shared->kind,
                                                                 .sequence = shared->sequence,
                                                                 .duration_ns = shared->work.end -
                                                                                shared->work.start,
                                                                 .place = shared->place });
    }
    return is_good;
}

static void free_rank(RankPath *rank)
{
    PathInputFinish(&rank->input);
    free(rank->windows.list);
    free(rank->shared);
    ItemMapFree(&rank->ordinals);
    rank->windows = (PathSpans){ .count = 0 };
    rank->shared = NULL;
    rank->shared_count = rank->shared_capacity = 0;
}

static double clock_of(CriticalPath *self, const RankPath *rank)
{
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, rank->clock);
    const double hz = clock == NULL ? 1e9 : (double) clock->hz;

    self->hz = self->hz == 0 ? hz : self->hz;
    self->has_two_clocks |= hz != self->hz;
    return hz;
}

/* The path of a rank whose graph is made. */
static OpprofStatus put_rank_path(CriticalPath *self, RankPath *rank, const PathGraph *graph,
                                  const uint32_t *names, uint32_t track)
{
    Path path = { .rank = rank->name, .names = names, .us_a_tick = 1e6 / clock_of(self, rank) };
    OpprofStatus status = OPPROF_E_MEMORY;

    if (PathFind(graph, &path.found)) {
        note_worst(self, &path);
        status = put_tables(self, &path);
    }
    if (status == OPPROF_OK) {
        status = put_spans(self, &path, rank->clock, track);
    }
    PathFoundFinish(&path.found);
    return status;
}

/* All of the rank is there. */
static OpprofStatus end_rank(CriticalPath *self, RankPath *rank)
{
    OpprofStatus status = OPPROF_E_MEMORY;
    PathGraph graph = { .moment_count = 0 };
    uint32_t *names = NULL;
    PathLosses losses;

    if (rank->is_over) {
        return OPPROF_OK;
    }
    rank->is_over = true;
    join_threads(rank);
    if ((self->window == NULL || self->window[0] == '\0' || keep_window(rank)) &&
        PathBuild(&rank->input, (uint64_t) (self->queue_gap_s * clock_of(self, rank)), &graph,
                  &losses) &&
        (names = list_names(&rank->input)) != NULL) {
        const uint32_t track = declare_track(self, rank);

        place_shared(rank);
        PathInputFinish(&rank->input);
        tell_losses(self, rank->name, &graph, &losses);
        status = put_rank_path(self, rank, &graph, names, track);
        if (status == OPPROF_OK && !keep_rank(self, rank, track, &graph, &names)) {
            status = OPPROF_E_MEMORY;
        }
    }
    PathGraphFinish(&graph);
    free(names);
    free_rank(rank);
    return status;
}

static OpprofStatus fail(OpprofStatus status, OpprofError **error)
{
    return OpprofFailed(status)
               ? OpprofErrorSet(error, status, "Cannot work out the critical path: %s",
                                OpprofStatusName(status))
               : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    CriticalPath *self = context;
    RankPath *rank = find_rank(self, batch);

    (void) port;
    for (uint32_t i = 0; rank != NULL && i < batch->count; i++) {
        if (!add_event(self, rank, OpprofBatchRecord(batch, i))) {
            rank = NULL;
        }
    }
    if (rank == NULL) {
        return fail(OPPROF_E_MEMORY, error);
    }
    return batch->watermark == UINT64_MAX ? fail(end_rank(self, rank), error) : OPPROF_OK;
}

/* ------------------------------------------------------------------ all ranks */

/* What the path through all ranks has of one. */
typedef struct RankSum {
    PathSum sum;
    uint64_t entered;
} RankSum;

static void sum_ranks(const CriticalPath *self, const Path *path, RankSum *sums)
{
    uint32_t before = UINT32_MAX;

    for (uint32_t i = 0; i < path->found.count; i++) {
        const PathEdge *edge = PathFoundEdge(&path->found, i);
        const uint32_t rank = PathRanksOf(&self->all, edge->to / 2);

        sums[rank].entered += before != UINT32_MAX && before != rank;
        before = rank;
        if (edge->part != PATH_WAIT) {
            sums[rank].sum.ticks += PathGraphLength(path->found.graph, edge);
            sums[rank].sum.count++;
        }
    }
}

/* The ranks by time of the path; those of the same time as they came. */
static int compare_ranks(const void *a, const void *b, void *context)
{
    const RankSum *sums = context;
    const RankSum *left = &sums[*(const uint32_t *) a];
    const RankSum *right = &sums[*(const uint32_t *) b];

    if (left->sum.ticks != right->sum.ticks) {
        return left->sum.ticks < right->sum.ticks ? 1 : -1;
    }
    return (left > right) - (left < right);
}

static OpprofStatus put_ranks(const CriticalPath *self, const Path *path, const RankSum *sums)
{
    const uint32_t count = self->all.rank_count;
    uint32_t *order = reallocarray(NULL, (size_t) count + 1, sizeof *order);
    OpprofStatus status = order == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; order != NULL && i < count; i++) {
        order[i] = i;
    }
    if (order != NULL) {
        qsort_r(order, count, sizeof *order, compare_ranks, (void *) (uintptr_t) sums);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < count; i++) {
        const RankSum *sum = &sums[order[i]];
        const RankRow row = { .rank = self->all.ranks[order[i]].name,
                              .time_us = (double) sum->sum.ticks * path->us_a_tick,
                              .percent = percent_of(path, sum->sum.ticks),
                              .count = sum->sum.count,
                              .entered = sum->entered };

        if (sum->sum.count > 0) {
            status = OpprofStageAppend(self->stage, OUTPUT_RANKS, path->rank, &row);
        }
    }
    free(order);
    return status;
}

static int compare_pieces(const void *a, const void *b)
{
    const Piece *left = a;
    const Piece *right = b;

    if (left->rank != right->rank) {
        return left->rank < right->rank ? -1 : 1;
    }
    return (left->start > right->start) - (left->start < right->start);
}

/* The line of a rank on which its part of the path through all ranks is drawn. */
static uint32_t declare_all(const CriticalPath *self, const PathRank *rank)
{
    const OpprofTrack *own =
        rank->track == OPPROF_NA_U32 ? NULL : OpprofStageTrackInfo(self->stage, rank->track);

    return own == NULL
               ? OPPROF_NA_U32
               : OpprofStageTrack(self->stage, &(OpprofTrack){ .document = own->document,
                                                               .process = own->process,
                                                               .thread = "of all ranks",
                                                               .process_sort = own->process_sort,
                                                               .thread_sort = -1 });
}

/* Pieces of one rank, by start. */
static OpprofStatus put_rank_pieces(const CriticalPath *self, const Piece *pieces, size_t count)
{
    const PathRank *rank = &self->all.ranks[pieces->rank];
    const uint32_t track = declare_all(self, rank);
    OpprofStatus status = OPPROF_OK;

    if (track == OPPROF_NA_U32) {
        return OPPROF_OK;
    }
    OpprofStageSetClock(self->stage, OUTPUT_ALL_SPANS, rank->clock);
    for (size_t i = 0; status == OPPROF_OK && i < count; i++) {
        status = put_piece(self, OUTPUT_ALL_SPANS, rank->name, track, &pieces[i]);
    }
    return status == OPPROF_OK ? OpprofStagePushOpen(self->stage, OUTPUT_ALL_SPANS, UINT64_MAX)
                               : status;
}

static OpprofStatus put_all_spans(const CriticalPath *self, const Path *path)
{
    Piece *pieces = reallocarray(NULL, (size_t) path->found.count + 1, sizeof *pieces);
    OpprofStatus status = pieces == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    size_t count = 0;
    uint32_t at = 0;

    while (pieces != NULL && next_piece(path, &at, &pieces[count])) {
        pieces[count].rank = PathRanksOf(&self->all, pieces[count].rank);
        count++;
    }
    if (count > 1) {
        qsort(pieces, count, sizeof *pieces, compare_pieces);
    }
    for (size_t from = 0; status == OPPROF_OK && from < count;) {
        size_t to = from;

        while (to < count && pieces[to].rank == pieces[from].rank) {
            to++;
        }
        status = put_rank_pieces(self, pieces + from, to - from);
        from = to;
    }
    free(pieces);
    return status;
}

/* `numbers` says what the sentence, on this rank, rests on; `of` has the rest of the advice. */
static OpprofStatus advise_on(const CriticalPath *self, uint32_t rank, const char *sentence,
                              const char *numbers, const OpprofAdviceText *of)
{
    OpprofAdviceText advice = *of;
    char subject[80];

    snprintf(subject, sizeof subject, "rank %s", OpprofStageString(self->stage, rank));
    advice.severity = OPPROF_SEVERITY_HINT;
    advice.topic = "critical path";
    advice.subject = subject;
    advice.sentence = sentence;
    advice.numbers = numbers;
    advice.column = "time(us)";
    advice.unit = "us";
    return OpprofStageAdvise(self->stage, OUTPUT_ADVICE, 0, &advice);
}

/* A rank that has far more of the path than its share is one to look at. */
static OpprofStatus advise_rank(const CriticalPath *self, const Path *path, const RankSum *sums)
{
    const uint32_t count = self->all.rank_count;
    uint64_t crossings = 0;
    uint32_t most = 0;
    char sentence[256];
    char numbers[160];
    double share;

    for (uint32_t i = 0; i < count; i++) {
        most = sums[i].sum.ticks > sums[most].sum.ticks ? i : most;
        crossings += sums[i].entered;
    }
    share = percent_of(path, sums[most].sum.ticks);
    if (share < 200.0 / count || count < 3 || crossings == 0) {
        return OPPROF_OK;
    }
    snprintf(sentence, sizeof sentence,
             "Of the critical path through all %" PRIu32
             " ranks %.1f %% are on this one, for which "
             "the others wait",
             count, share);
    snprintf(numbers, sizeof numbers, "path=%.3f us, rank=%.3f us",
             (double) path->found.length * path->us_a_tick,
             (double) sums[most].sum.ticks * path->us_a_tick);
    return advise_on(
        self, self->all.ranks[most].name, sentence, numbers,
        &(OpprofAdviceText){ .file = "critical_path_ranks.csv",
                             .value = (double) sums[most].sum.ticks * path->us_a_tick });
}

static OpprofStatus put_across(CriticalPath *self, const Path *path)
{
    RankSum *sums = calloc((size_t) self->all.rank_count + 1, sizeof *sums);
    OpprofStatus status = OPPROF_E_MEMORY;

    if (sums != NULL) {
        sum_ranks(self, path, sums);
        status = put_tables(self, path);
    }
    if (status == OPPROF_OK) {
        status = put_ranks(self, path, sums);
    }
    if (status == OPPROF_OK) {
        status = put_all_spans(self, path);
    }
    if (status == OPPROF_OK) {
        status = advise_rank(self, path, sums);
    }
    free(sums);
    return status;
}

static void tell_why_none(const CriticalPath *self)
{
    if (self->rank_count > 1 && self->spans > self->most_spans) {
        OpprofStageWarn(self->stage,
                        "No critical path through all ranks: they have %" PRIu64
                        " operators, calls and pieces of work, more than the %" PRIu64
                        " of parameter 'most_spans'",
                        self->spans, self->most_spans);
    } else if (self->rank_count > 1 && self->has_two_clocks) {
        OpprofStageWarn(self->stage,
                        "No critical path through all ranks: their clocks have different ticks");
    }
}

/* The path through all ranks, where some of them wait for each other. */
static OpprofStatus end_all(CriticalPath *self)
{
    Path path = { .rank = self->all_id, .names = self->all.names, .us_a_tick = 1e6 / self->hz };
    OpprofStatus status = OPPROF_OK;
    uint64_t ties = 0;

    if (self->all.rank_count < 2) {
        tell_why_none(self);
        return OPPROF_OK;
    }
    if (!PathRanksJoin(&self->all, &ties)) {
        return OPPROF_E_MEMORY;
    }
    OpprofStageCount(self->stage, "ranks waiting for others", ties);
    if (ties > 0) {
        tell_losses(self, self->all_id, &self->all.graph, &(PathLosses){ 0, 0 });
        status =
            PathFind(&self->all.graph, &path.found) ? put_across(self, &path) : OPPROF_E_MEMORY;
    }
    PathFoundFinish(&path.found);
    PathRanksFinish(&self->all);
    return status;
}

/* ------------------------------------------------------------------ end */

static OpprofStatus advise(const CriticalPath *self)
{
    const Worst *worst = &self->worst;
    char sentence[256];
    char numbers[256];

    if (!worst->has_any || worst->gain_us <= 0) {
        return OPPROF_OK;
    }
    snprintf(sentence, sizeof sentence,
             "Of the critical path %.1f %% are %s; if that took half its time, the path would be "
             "%.1f %% shorter",
             100 * worst->time_us / worst->length_us, part_words[worst->part],
             100 * worst->gain_us / worst->length_us);
    snprintf(numbers, sizeof numbers, "path=%.3f us, %s=%.3f us, gain_if_half=%.3f us",
             worst->length_us, part_words[worst->part], worst->time_us, worst->gain_us);
    return advise_on(self, worst->rank, sentence, numbers,
                     &(OpprofAdviceText){ .file = "critical_path.csv",
                                          .value = worst->time_us,
                                          .gain = 100 * worst->gain_us / worst->length_us });
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    CriticalPath *self = context;
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < self->rank_count; i++) {
        status = end_rank(self, self->ranks[i]);
    }
    status = status == OPPROF_OK ? end_all(self) : status;
    return fail(status == OPPROF_OK ? advise(self) : status, error);
}

/* ------------------------------------------------------------------ module */

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    CriticalPath *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create the analysis");
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    CriticalPath *self = context;

    (void) error;
    self->params = params;
    self->window = OpprofParamsString(params, "window");
    self->queue_gap_s = (double) OpprofParamsInt(params, "longest_kernel_gap") / 1e9;
    self->top = (size_t) OpprofParamsInt(params, "top");
    self->most_spans = (uint64_t) OpprofParamsInt(params, "most_spans");
    return OPPROF_OK;
}

static bool intern_words(const CriticalPath *self, const char *const *words, size_t count,
                         uint32_t *ret_ids)
{
    for (size_t i = 0; i < count; i++) {
        ret_ids[i] = OpprofStageIntern(self->stage, words[i], strlen(words[i]));
        if (ret_ids[i] == OPPROF_NA_STRING) {
            return false;
        }
    }
    return true;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    CriticalPath *self = context;

    self->all_id = OpprofStageIntern(self->stage, ALL_RANKS, strlen(ALL_RANKS));
    self->all.memory.directory = OpprofStageOutput(self->stage);
    return self->all_id != OPPROF_NA_STRING &&
                   intern_words(self, kind_words, KINDS, self->kind_ids) &&
                   intern_words(self, part_words, PATH_PARTS, self->part_ids)
               ? OPPROF_OK
               : OpprofErrorNoMemory(error, "start the analysis");
}

static void destroy(void *context)
{
    CriticalPath *self = context;

    for (size_t i = 0; i < self->rank_count; i++) {
        free_rank(self->ranks[i]);
        free(self->ranks[i]);
    }
    free(self->ranks);
    ItemMapFree(&self->names);
    ItemMapFree(&self->kinds);
    PathRanksFinish(&self->all);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "path",
      .type = "host.path",
      .record_type = &opprof_path_event_type,
      .summary = "What hosts and devices did; a partition is a rank." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_PARTS] = { .name = "parts",
                       .record_type = &part_type,
                       .batch_records = 16, /* of one rank */
                       .summary = "A row a rank and part of its path." },
    [OUTPUT_NAMES] = { .name = "names",
                       .record_type = &name_type,
                       .batch_records = 32, /* of one rank */
                       .summary = "A row a rank, part and name, the longest first." },
    [OUTPUT_RANKS] = { .name = "ranks",
                       .record_type = &rank_type,
                       .summary = "A row a rank that the path through all of them is on." },
    [OUTPUT_SPANS] = { .name = "spans",
                       .record_type = &opprof_span_type,
                       .order = OPPROF_ORDER_START,
                       .batch_records = 256,
                       .summary = "The path, drawn beside the rank's timeline." },
    [OUTPUT_ALL_SPANS] = { .name = "all-spans",
                           .record_type = &opprof_span_type,
                           .order = OPPROF_ORDER_START,
                           .batch_records = 256,
                           .summary = "The path through all ranks, drawn beside their timelines." },
    [OUTPUT_ADVICE] = { .name = "advice",
                        .record_type = &opprof_advice_type,
                        .summary = "What the longest path could gain most from." },
};

static const OpprofParam params[] = {
    { .name = "window",
      .type = OPPROF_PARAM_STRING,
      .summary =
          "Look only at what the host begins in annotations that have this text in their name." },
    { .name = "data_loading",
      .type = OPPROF_PARAM_LIST,
      .default_value = "enumerate(DataLoader)*",
      .summary = "Patterns of the names of operators and annotations that load data." },
    { .name = "longest_kernel_gap",
      .type = OPPROF_PARAM_DURATION,
      .default_value = "1500us",
      .summary =
          "Work that begins later after the one before it in its stream did not wait for that." },
    { .name = "top",
      .type = OPPROF_PARAM_INT,
      .default_value = "20",
      .min = 1,
      .max = 1000000,
      .summary = "Names of a rank that have a row." },
    { .name = "most_spans",
      .type = OPPROF_PARAM_INT,
      .default_value = "4000000",
      .min = 0,
      .max = INT32_MAX / 8,
      .summary =
          "Operators, calls and pieces of work of all ranks together that are kept for the "
          "path through all ranks, 60 bytes each in a temporary file; where there are more, each "
          "rank has its own path only." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "trace-critical-path", .version = "1.0", .license = "Apache-2.0",
        .summary = "The longest path through operators, launches, work and waits.",
        .help =
            "Keeps what a rank did until its end, and less of it until the end of the run for the "
            "path through all ranks; see the family's README for how much that is.",
        .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops);
