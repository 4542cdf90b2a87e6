/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-gaps: the largest gaps in the work of a device, and their likely causes.
 * Tested by tests/plugins/analyse-trace/test_gaps.
 */
#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/rows.h"

#include <opprof/grow.h>
#include <opprof/records/activity.h>

#include <stdlib.h>
#include <string.h>

/* An iteration. */
typedef struct GapStep {
    uint32_t name;
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t reach_ns; /* latest end of it and those before, since iterations may overlap */
} GapStep;

/* The work of a device so far. */
typedef struct DeviceWork {
    bool has_any;
    uint64_t busy_until_ns;
    uint64_t busy_until_tick;
    uint32_t track; /* of the work that ended then */
    uint32_t name;
} DeviceWork;

typedef struct RankWork {
    ItemMap devices; /* of DeviceWork, by interned name of the device */
    ItemMap tracks;  /* uint32_t: interned device of a track */
    GapStep *steps;  /* by start */
    uint32_t step_count;
    uint32_t step_capacity;
} RankWork;

typedef struct GapRow {
    uint32_t rank;
    uint32_t device;
    uint32_t step;
    uint32_t cause;
    uint32_t stream_before;
    uint32_t name_before;
    uint32_t stream_after;
    uint32_t name_after;
    uint32_t host_operator;
    uint32_t host_annotation;
    uint32_t host_module;
    uint32_t short_before;
    uint32_t short_after;
    uint32_t demangled_before;
    uint32_t demangled_after;
    uint32_t reserved;
    double start_us;
    double gap_us;
    double late_us;
} GapRow;

/* A gap that is among the largest, of the run or of those ranks that came before it. */
typedef struct Gap {
    uint64_t gap_ns;
    uint64_t start_tick;
    uint64_t end_tick;
    uint32_t clock; /* set by the second half */
    uint32_t track; /* of the work after it */
    GapRow row;
} Gap;

enum { OUTPUT_GAPS, OUTPUT_SPANS };

typedef struct Gaps {
    Feed feed; /* first: see FeedCreate */
    uint64_t threshold_ns;
    size_t top;
    Gap *largest; /* see is_before */
    size_t count;
} Gaps;

#define GAP_NAME(member, head, text, why)                                                          \
    OPPROF_FIELD(GapRow, member, OPPROF_FIELD_STRING, .heading = (head), .meaning = (text),        \
                 .absent = (why))

static const OpprofField fields[] = {
    OPPROF_FIELD(GapRow, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER,
                 .meaning = "Rank."),
    OPPROF_FIELD(GapRow, device, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER | OPPROF_FIELD_LABEL,
                 .meaning = "Device that did nothing."),
    OPPROF_FIELD(GapRow, start_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .flags = OPPROF_FIELD_MOMENT, .heading = "start(us)",
                 .meaning = "Start of the gap since the first rank's earliest time."),
    OPPROF_FIELD(GapRow, gap_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST, .unit = "us",
                 .decimals = 4, .heading = "gap(us)", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Time in which none of its streams worked."),
    GAP_NAME(step, "step", "Iteration of the host that has most of it.", "it is in none"),
    GAP_NAME(cause, "cause",
             "host_wait: the work after it was launched after the work before had ended; "
             "kernel_wait: it is short; other: mostly waiting for something else.",
             NULL),
    OPPROF_FIELD(GapRow, late_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST, .unit = "us",
                 .decimals = 4, .heading = "launch_after_start(us)",
                 .meaning = "From the start of the gap to the launch of the work after it.",
                 .absent = "that was launched before, or its launch is unknown"),
    GAP_NAME(host_operator, "operator", "Operator that launched the work after it.",
             "it is not known"),
    GAP_NAME(host_module, "module", "Module that launched it.", "it is not known"),
    GAP_NAME(host_annotation, "annotation", "Annotation in which it was launched.",
             "it is not known"),
    OPPROF_FIELD(GapRow, stream_before, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_LABEL,
                 .meaning = "Stream of the work before the gap."),
    GAP_NAME(name_before, "work_before", "Work that ended last before the gap.", NULL),
    OPPROF_FIELD(GapRow, stream_after, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_LABEL,
                 .meaning = "Stream of the work after the gap."),
    GAP_NAME(name_after, "work_after", "Work that ends the gap.", NULL),
    ROWS_SHORT_NAME(GapRow, short_before, "short_before"),
    ROWS_SHORT_NAME(GapRow, short_after, "short_after"),
    ROWS_DEMANGLED_NAME(GapRow, demangled_before, "demangled_before"),
    ROWS_DEMANGLED_NAME(GapRow, demangled_after, "demangled_after"),
};

static const OpprofRecordType gap_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.gaps",
    .summary = "The largest gaps in the work of devices.",
    .size = sizeof(GapRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Gaps",
    .file_hint = "gaps",
};

/* ---- collecting ---- */

static bool add_step(RankWork *work, const Activity *activity)
{
    const uint64_t reach_ns =
        work->step_count == 0 ? 0 : work->steps[work->step_count - 1].reach_ns;

    if (!OpprofGrow32(&work->steps, &work->step_capacity, (size_t) work->step_count + 1,
                      sizeof *work->steps)) {
        return false;
    }
    work->steps[work->step_count++] =
        (GapStep){ activity->name, activity->start_ns, activity->end_ns,
                   activity->end_ns > reach_ns ? activity->end_ns : reach_ns };
    return true;
}

/* The iteration that has most of a gap: one before data is loaded begins at the end of the last
 * iteration. */
static uint32_t step_of(const RankWork *work, uint64_t from_ns, uint64_t to_ns)
{
    uint32_t name = OPPROF_NA_STRING;
    uint64_t most_ns = 0;

    for (uint32_t i = work->step_count; i > 0 && work->steps[i - 1].reach_ns > from_ns; i--) {
        const GapStep *step = &work->steps[i - 1];
        const uint64_t start_ns = step->start_ns > from_ns ? step->start_ns : from_ns;
        const uint64_t end_ns = step->end_ns < to_ns ? step->end_ns : to_ns;

        if (end_ns > start_ns && end_ns - start_ns > most_ns) {
            most_ns = end_ns - start_ns;
            name = step->name;
        }
    }
    return name;
}

/* The work of the device that a track belongs to; NULL without memory. */
static DeviceWork *find_device(const Rows *rows, RankWork *work, uint32_t track,
                               uint32_t *ret_device)
{
    uint32_t *device = ItemMapGet(&work->tracks, track, sizeof *device);

    if (device == NULL) {
        return NULL;
    }
    *device = *device == 0 ? RowsDevice(rows, track) : *device;
    *ret_device = *device;
    return ItemMapGet(&work->devices, *device, sizeof(DeviceWork));
}

static const char *cause_of(const Gaps *self, const Activity *activity, uint64_t busy_until_ns)
{
    if (activity->launch_start_ns != OPPROF_NA_U64 && activity->launch_start_ns > busy_until_ns) {
        return "host_wait";
    }
    return activity->start_ns - busy_until_ns < self->threshold_ns ? "kernel_wait" : "other";
}

static GapRow describe(const Gaps *self, const FeedRank *rank, uint32_t device,
                       const DeviceWork *before, const Activity *after)
{
    const Rows rows = { .stage = self->feed.stage };
    const bool is_late =
        after->launch_start_ns != OPPROF_NA_U64 && after->launch_start_ns > before->busy_until_ns;

    return (GapRow){
        .rank = rank->name,
        .device = device,
        .step = step_of(rank->state, before->busy_until_ns, after->start_ns),
        .cause = RowsText(&rows, cause_of(self, after, before->busy_until_ns)),
        .stream_before = RowsStream(&rows, before->track),
        .name_before = before->name,
        .stream_after = RowsStream(&rows, after->track),
        .name_after = after->name,
        .host_operator = after->host_operator,
        .host_annotation = after->host_annotation,
        .host_module = after->host_module,
        .short_before = OPPROF_NA_STRING,
        .short_after = OPPROF_NA_STRING,
        .demangled_before = OPPROF_NA_STRING,
        .demangled_after = OPPROF_NA_STRING,
        .start_us = Microseconds(before->busy_until_ns), /* on the rank's clock */
        .gap_us = Microseconds(after->start_ns - before->busy_until_ns),
        .late_us =
            is_late ? Microseconds(after->launch_start_ns - before->busy_until_ns) : OpprofNaF64(),
    };
}

/* Whether a gap so large may be among the largest so far. */
static bool may_be_among(const Gaps *self, uint64_t gap_ns)
{
    return self->count < self->top || self->largest[self->count - 1].gap_ns <= gap_ns;
}

static OpprofStatus hand_gap(Gaps *self, const FeedRank *rank, uint32_t device,
                             const DeviceWork *before, const Activity *after)
{
    const uint64_t gap_ns = after->start_ns - before->busy_until_ns;

    return may_be_among(self, gap_ns)
               ? FeedHand(&self->feed, 0, rank,
                          &(Gap){ .gap_ns = gap_ns,
                                  .start_tick = before->busy_until_tick,
                                  .end_tick = after->start_tick,
                                  .track = after->track,
                                  .row = describe(self, rank, device, before, after) })
               : OPPROF_OK;
}

/* By rank, then by start, then by device: by what people see, since ids depend on chance. */
static int compare_starts(const void *a, const void *b, void *context)
{
    const OpprofStage *stage = context;
    const Gap *left = a;
    const Gap *right = b;
    const int order = strverscmp(FeedText(stage, left->row.rank), FeedText(stage, right->row.rank));

    if (order != 0) {
        return order;
    }
    if (left->start_tick != right->start_tick) {
        return left->start_tick < right->start_tick ? -1 : 1;
    }
    return strverscmp(FeedText(stage, left->row.device), FeedText(stage, right->row.device));
}

/* Of equally large gaps that of the first rank, then the first one. */
static bool is_before(const Gaps *self, const Gap *gap, const Gap *other)
{
    return gap->gap_ns != other->gap_ns ? gap->gap_ns > other->gap_ns
                                        : compare_starts(gap, other, self->feed.stage) < 0;
}

static OpprofStatus accept_gap(void *context, const FeedRank *rank, const void *record)
{
    Gaps *self = context;
    Gap gap = *(const Gap *) record;
    size_t at;

    gap.clock = rank->clock;
    gap.row.rank = rank->name;
    gap.row.start_us += (double) rank->offset_ps / 1e6;
    if (self->count == self->top && !is_before(self, &gap, &self->largest[self->count - 1])) {
        return OPPROF_OK;
    }
    self->count += self->count < self->top;
    for (at = self->count - 1; at > 0 && is_before(self, &gap, &self->largest[at - 1]); at--) {
        self->largest[at] = self->largest[at - 1];
    }
    self->largest[at] = gap;
    return OPPROF_OK;
}

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    Gaps *self = context;
    const Rows rows = { .stage = self->feed.stage };
    OpprofStatus status = OPPROF_OK;
    DeviceWork *device;
    uint32_t name;

    if (activity->class == ACTIVITY_STEP) {
        return add_step(rank->state, activity) ? OPPROF_OK : OPPROF_E_MEMORY;
    }
    if (activity->class >= ACTIVITY_CLASSES) {
        return OPPROF_OK;
    }
    device = find_device(&rows, rank->state, activity->track, &name);
    if (device == NULL) {
        return OPPROF_E_MEMORY;
    }
    if (device->has_any && activity->start_ns > device->busy_until_ns) {
        status = hand_gap(self, rank, name, device, activity);
    }
    if (!device->has_any || activity->end_ns >= device->busy_until_ns) {
        *device = (DeviceWork){ true, activity->end_ns, activity->end_tick, activity->track,
                                activity->name };
    }
    return status;
}

static void free_state(void *state)
{
    RankWork *work = state;

    ItemMapFree(&work->devices);
    ItemMapFree(&work->tracks);
    free(work->steps);
}

/* ---- results ---- */

/* The line of a device's gaps, among those of its streams; OPPROF_NA_U32:
 * these were not declared. */
static uint32_t declare_line(OpprofStage *stage, uint32_t track)
{
    const OpprofTrack *work = OpprofStageTrackInfo(stage, track);

    return work == NULL
               ? OPPROF_NA_U32
               : OpprofStageTrack(stage, &(OpprofTrack){ .document = work->document,
                                                         .process = work->process,
                                                         .thread = "gaps",
                                                         .process_sort = work->process_sort,
                                                         .thread_sort = -1 });
}

static const char *explain(const Gaps *self, const Gap *gap)
{
    const char *cause = OpprofStageString(self->feed.stage, gap->row.cause);

    if (strcmp(cause, "host_wait") == 0) {
        return "the host launched the next work only after the device had become idle";
    }
    return strcmp(cause, "kernel_wait") == 0
               ? "what it costs to launch one piece of work after another"
               : "the next work had been launched, and waited for something else";
}

#define GAP_ARGS 4u

/* What a viewer shows of a gap: its cause, and what is around it. */
static uint32_t fill_args(const Gaps *self, const Gap *gap, OpprofArg args[GAP_ARGS])
{
    const Rows rows = { .stage = self->feed.stage };
    const struct {
        const char *key;
        uint32_t text;
    } known[GAP_ARGS] = { { "cause", RowsText(&rows, explain(self, gap)) },
                          { "work_before", gap->row.name_before },
                          { "work_after", gap->row.name_after },
                          { "operator", gap->row.host_operator } };
    uint32_t count = 0;

    for (uint32_t i = 0; i < GAP_ARGS; i++) {
        if (known[i].text != OPPROF_NA_STRING) {
            args[count++] = (OpprofArg){ .key = RowsText(&rows, known[i].key),
                                         .kind = OPPROF_ARG_STRING,
                                         .value.u64 = known[i].text };
        }
    }
    return count;
}

static OpprofStatus put_span(const Gaps *self, const Gap *gap)
{
    static const char category[] = OPPROF_ACTIVITY_GAP;
    OpprofStage *stage = self->feed.stage;
    OpprofArg args[GAP_ARGS];
    const OpprofText none = { OPPROF_NA_U32, 0 };
    const uint32_t track = declare_line(stage, gap->track);
    OpprofSpan span = { .start = gap->start_tick,
                        .duration = gap->end_tick - gap->start_tick,
                        .track = track,
                        .kind = OPPROF_SPAN_SLICE,
                        .name = gap->row.cause,
                        .category = OpprofStageIntern(stage, category, sizeof category - 1),
                        .colour = OPPROF_NA_STRING,
                        .arg_count = fill_args(self, gap, args),
                        .id = none,
                        .group = none };

    if (track == OPPROF_NA_U32) {
        return OPPROF_OK;
    }
    const OpprofStatus status =
        OpprofStageText(stage, OUTPUT_SPANS, gap->row.rank, (const char *) args,
                        span.arg_count * sizeof *args, &span.args);

    return status == OPPROF_OK ? OpprofStageAppend(stage, OUTPUT_SPANS, gap->row.rank, &span)
                               : status;
}

/* The gaps beside the timelines of their devices, rank by rank. */
static OpprofStatus put_spans(Gaps *self)
{
    OpprofStatus status = OPPROF_OK;

    qsort_r(self->largest, self->count, sizeof *self->largest, compare_starts, self->feed.stage);
    for (size_t i = 0; status == OPPROF_OK && i < self->count; i++) {
        OpprofStageSetClock(self->feed.stage, OUTPUT_SPANS, self->largest[i].clock);
        status = put_span(self, &self->largest[i]);
        if (status == OPPROF_OK &&
            (i + 1 == self->count || self->largest[i + 1].row.rank != self->largest[i].row.rank)) {
            status = OpprofStagePushOpen(self->feed.stage, OUTPUT_SPANS, UINT64_MAX);
        }
    }
    return status;
}

static OpprofStatus put_all(void *context)
{
    Gaps *self = context;
    Rows rows = { .stage = self->feed.stage, .port = OUTPUT_GAPS };
    OpprofStatus status;

    for (size_t i = 0; i < self->count; i++) {
        GapRow *row = RowsNext(&rows);

        if (row != NULL) {
            *row = self->largest[i].row;
            row->short_before = RowsShortName(self->feed.stage, row->name_before);
            row->short_after = RowsShortName(self->feed.stage, row->name_after);
            row->demangled_before = RowsDemangledName(self->feed.stage, row->name_before);
            row->demangled_after = RowsDemangledName(self->feed.stage, row->name_after);
        }
    }
    status = RowsEnd(&rows);
    return status == OPPROF_OK ? put_spans(self) : status;
}

/* ---- module ---- */

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Gaps *self = context;

    self->threshold_ns = (uint64_t) OpprofParamsInt(params, "consecutive_kernel_delay");
    self->top = (size_t) OpprofParamsInt(params, "top");
    self->largest = calloc(self->top + 1, sizeof *self->largest);
    return self->largest == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
}

static void finish(void *context)
{
    Gaps *self = context;

    free(self->largest);
}

static const FeedPart parts[] = {
    { .size = sizeof(Gap), .table = FEED_PORTS, .accept = accept_gap },
};

static const FeedOps feed_ops = {
    .size = sizeof(Gaps),
    .state_size = sizeof(RankWork),
    .configure = configure,
    .take = take,
    .put = put_all,
    .finish = finish,
    .free_state = free_state,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = OUTPUT_SPANS + 1,
};

static const char not_known[] = "it is not known";

#define PART_NAME(member, text)                                                                    \
    OPPROF_FIELD(Gap, row.member, OPPROF_FIELD_STRING, .meaning = (text), .absent = not_known)

static const OpprofField part_fields[] = {
    FEED_NS(Gap, gap_ns, "How long it is."),
    FEED_FIELD(Gap, start_tick, TICK, "Its start."),
    FEED_FIELD(Gap, end_tick, TICK, "Its end."),
    FEED_FIELD(Gap, track, TRACK, "Line of the work after it."),
    PART_NAME(device, "Device that did nothing."),
    PART_NAME(step, "Iteration of the host that has most of it."),
    PART_NAME(cause, "Its cause."),
    PART_NAME(stream_before, "Stream of the work before it."),
    PART_NAME(name_before, "Work that ended last before it."),
    PART_NAME(stream_after, "Stream of the work after it."),
    PART_NAME(name_after, "Work that ends it."),
    PART_NAME(host_operator, "Operator that launched the work after it."),
    PART_NAME(host_annotation, "Annotation in which it was launched."),
    PART_NAME(host_module, "Module that launched it."),
    OPPROF_FIELD(Gap, row.start_us, OPPROF_FIELD_F64, .unit = "us",
                 .meaning = "Its start on the rank's clock."),
    OPPROF_FIELD(Gap, row.gap_us, OPPROF_FIELD_F64, .unit = "us", .meaning = "How long it is."),
    OPPROF_FIELD(Gap, row.late_us, OPPROF_FIELD_F64, .unit = "us", .absent = not_known,
                 .meaning = "From its start to the launch of the work after it."),
};

static const OpprofRecordType part_type =
    FEED_TYPE(Gap, "trace.rank-gaps", "A large gap.", part_fields);

#define PARTIALS                                                                                   \
    FEED_PARTIAL("gaps-partial", "trace.rank-gaps", part_type, "The largest gaps of some ranks.")

static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };

static const OpprofPort outputs[] = {
    [OUTPUT_GAPS] = { .name = "gaps",
                      .record_type = &gap_type,
                      .summary = "One row per gap, the largest first." },
    [OUTPUT_SPANS] = { .name = "spans",
                       .record_type = &opprof_span_type,
                       .order = OPPROF_ORDER_START,
                       .summary = "The same gaps, drawn beside the timeline by their causes." },
    PARTIALS,
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "consecutive_kernel_delay",
      .type = OPPROF_PARAM_DURATION,
      .default_value = "30us",
      .summary = "Shorter gaps are the cost of launching one piece of work after another." },
    FEED_PARAM_TOP(1, "100", "Number of gaps that are shown."),
};

FEED_DEFINE_SPANS(feed_ops, inputs, outputs, params, .name = "trace-gaps",
                  .summary = "Shows the largest gaps in the work of devices, and their causes.");
