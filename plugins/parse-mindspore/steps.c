/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Training traces of both generations: points of steps and of collectives.
 * Tested by tests/plugins/collect-mindspore/test_raw.sh.
 */
#include "parse-mindspore/device.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/kit/bytes.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_A 20u
#define BYTES_B 40u
#define EARLY_MOST 65536u       /* points of generation A without a second first one */
#define COLLECTIVES_MOST 65536u /* of a step */
#define ABSENT OPPROF_NA_U64

typedef enum PointKind { POINT_OTHER, POINT_FP, POINT_BP, POINT_END, POINT_COLLECTIVE } PointKind;

typedef struct Point {
    uint64_t tick;
    uint64_t tag;
    uint32_t stream;
    uint32_t task;
} Point;

typedef struct Collective {
    uint64_t start;
    uint64_t end; /* ABSENT: it is open */
    uint32_t stream;
    uint32_t order; /* in which its stream came in the step */
    uint32_t name;
    uint32_t under; /* an older open one of the same point */
} Collective;

typedef struct Steps {
    uint64_t number; /* of the last step */
    uint64_t faulty; /* steps that lack a point, and the first of them */
    uint64_t first_faulty;
    uint64_t start, fp, bp;
    Collective *list; /* of the step */
    size_t count;
    size_t room;
    OpprofMap open;    /* the latest open ones, by stream and pair of tags */
    OpprofMap streams; /* of the step, in order */
    OpprofMap names;   /* of generation B, by stream, task and side */
    /* Generation A: points before it is known which tag ends a step. */
    Point *early;
    size_t early_count;
    size_t early_room;
    unsigned early_fps;
    bool early_has_new_end;
    uint64_t end_tag; /* 0: not known yet */
    uint64_t model_tag;
    bool has_other_model_tag;
} Steps;

/* ---- steps ---- */

static uint32_t last_part(const Device *device, uint32_t name)
{
    const char *text =
        name == OPPROF_NA_STRING ? "parallel" : OpprofStageString(device->stage, name);
    const char *slash = strrchr(text, '/');

    text = slash == NULL ? text : slash + 1;
    return DeviceIntern(device, text, strlen(text));
}

static int compare_collectives(const void *a, const void *b)
{
    const Collective *left = a;
    const Collective *right = b;

    return left->order != right->order
               ? (left->order < right->order ? -1 : 1)
               : (left->start > right->start) - (left->start < right->start);
}

static OpprofStatus emit_collectives(Device *device, Log *log, bool is_step_good)
{
    Steps *steps = device->steps;
    OpprofStatus status = OPPROF_OK;
    uint32_t place = 0;

    if (steps->count > 1) {
        qsort(steps->list, steps->count, sizeof *steps->list, compare_collectives);
    }
    for (size_t i = 0; i < steps->count && status == OPPROF_OK; i++) {
        const Collective *each = &steps->list[i];

        place = i > 0 && each->order == steps->list[i - 1].order ? place : 0;
        if (each->end == ABSENT) {
            LogNote(log, &log->skipped, 1);
        } else if (is_step_good) {
            const OpprofMindsporeCollective record = {
                .step = steps->number,
                .start_tick = each->start,
                .end_tick = each->end,
                .duration_us = (double) (int64_t) (each->end - each->start) / device->ticks_a_us,
                .device = device->id,
                .stream = each->stream,
                .place = place++,
                .name = last_part(device, each->name),
            };
            status = record.name == OPPROF_NA_STRING
                         ? OPPROF_E_MEMORY
                         : OpprofStageAppend(device->stage, PORT_COLLECTIVES, device->id, &record);
        }
    }
    return status;
}

static double span_us(const Device *device, uint64_t from, uint64_t to)
{
    return (double) (int64_t) (to - from) / device->ticks_a_us;
}

static OpprofStatus emit_step(Device *device, uint64_t end)
{
    const Steps *steps = device->steps;
    const OpprofMindsporeStep record = {
        .step = steps->number,
        .start_tick = steps->start,
        .end_tick = end,
        .fp_tick = steps->fp,
        .bp_tick = steps->bp,
        .total_us = span_us(device, steps->start, end),
        .iteration_interval_us = span_us(device, steps->start, steps->fp),
        .fp_and_bp_us = span_us(device, steps->fp, steps->bp),
        .tail_us = span_us(device, steps->bp, end),
        .device = device->id,
    };

    return OpprofStageAppend(device->stage, PORT_STEPS, device->id, &record);
}

static OpprofStatus end_step(Device *device, Log *log, uint64_t end)
{
    Steps *steps = device->steps;
    OpprofStatus status = OPPROF_OK;
    bool is_good;

    steps->number++;
    steps->start = steps->start == ABSENT ? steps->fp : steps->start;
    is_good = steps->fp != ABSENT && steps->bp != ABSENT;
    if (is_good) {
        status = emit_step(device, end);
    } else if (steps->faulty++ == 0) {
        steps->first_faulty = steps->number;
    }
    if (status == OPPROF_OK) {
        status = emit_collectives(device, log, is_good);
    }
    steps->start = end;
    steps->fp = ABSENT;
    steps->bp = ABSENT;
    steps->count = 0;
    OpprofMapClear(&steps->open);
    OpprofMapClear(&steps->streams);
    return status;
}

/* ---- collectives ---- */

/* The order in which a stream came in the step; OPPROF_MAP_NONE without memory. */
static uint32_t order_of(Steps *steps, uint32_t stream)
{
    uint32_t order = OpprofMapFind(&steps->streams, stream);

    if (order == OPPROF_MAP_NONE) {
        order = steps->streams.count;
        if (!OpprofMapPut(&steps->streams, stream, order)) {
            return OPPROF_MAP_NONE;
        }
    }
    return order;
}

static OpprofStatus take_collective(Device *device, Log *log, const Point *point, bool is_start,
                                    uint32_t name)
{
    Steps *steps = device->steps;
    const uint64_t pair = point->tag - !is_start;
    const uint64_t key = (uint64_t) point->stream << 32 | (uint32_t) pair;
    const uint32_t open = OpprofMapFind(&steps->open, key);
    const uint32_t order = order_of(steps, point->stream);

    if (order == OPPROF_MAP_NONE) {
        return OPPROF_E_MEMORY;
    }
    if (!is_start) {
        if (open == OPPROF_MAP_NONE) {
            LogNote(log, &log->skipped, 1);
            return OPPROF_OK;
        }
        steps->list[open].end = point->tick;
        if (steps->list[open].under == OPPROF_MAP_NONE) {
            (void) OpprofMapRemove(&steps->open, key);
            return OPPROF_OK;
        }
        return OpprofMapPut(&steps->open, key, steps->list[open].under) ? OPPROF_OK
                                                                        : OPPROF_E_MEMORY;
    }
    if (steps->count == COLLECTIVES_MOST) {
        LogNote(log, &log->skipped, 1);
        return OPPROF_OK;
    }
    if (!OpprofGrow(&steps->list, &steps->room, steps->count + 1, sizeof *steps->list) ||
        !OpprofMapPut(&steps->open, key, (uint32_t) steps->count)) {
        return OPPROF_E_MEMORY;
    }
    steps->list[steps->count++] = (Collective){ .start = point->tick,
                                                .end = ABSENT,
                                                .stream = point->stream,
                                                .order = order,
                                                .name = name,
                                                .under = open };
    return OPPROF_OK;
}

/* A point of a step: an fp, a bp or the end of it. */
static OpprofStatus take_step_point(Device *device, Log *log, PointKind kind, uint64_t tick)
{
    Steps *steps = device->steps;

    /* Other times of a point are those of a step whose end is missing. */
    if ((kind == POINT_FP && steps->fp != ABSENT && steps->fp != tick) ||
        (kind == POINT_BP && steps->bp != ABSENT && steps->bp != tick)) {
        LogNote(log, &log->skipped, 1);
    } else if (kind == POINT_FP) {
        steps->fp = tick;
    } else if (kind == POINT_BP) {
        steps->bp = tick;
    }
    return kind == POINT_END ? end_step(device, log, tick) : OPPROF_OK;
}

/* Notes a point that is earlier than one of its stream before it. False without memory. */
static bool check_order(Device *device, Log *log, const Point *point)
{
    int order;

    if (!TasksCompare(&device->latest, point->stream, point->tick, &order)) {
        return false;
    }
    LogNote(log, &log->again, order < 0);
    return true;
}

/* False without memory. */
static bool begin(Device *device)
{
    if (device->steps == NULL) {
        device->steps = calloc(1, sizeof *device->steps);
        if (device->steps != NULL) {
            device->steps->start = ABSENT;
            device->steps->fp = ABSENT;
            device->steps->bp = ABSENT;
        }
    }
    return device->steps != NULL;
}

/* ---- generation A ---- */

#define TAG_FP 1u
#define TAG_BP 2u
#define TAG_END_OLD 255u
#define TAG_END 65535u

static OpprofStatus take_point_a(Device *device, Log *log, const Point *point)
{
    Steps *steps = device->steps;
    const PointKind kind = point->tag == TAG_FP           ? POINT_FP
                           : point->tag == TAG_BP         ? POINT_BP
                           : point->tag == steps->end_tag ? POINT_END
                                                          : POINT_COLLECTIVE;

    if (kind != POINT_COLLECTIVE) {
        return take_step_point(device, log, kind, point->tick);
    }
    if (point->tag == 0 || point->tag > steps->end_tag) {
        steps->has_other_model_tag |=
            steps->model_tag != 0 && point->tag != 0 && point->tag != steps->model_tag;
        steps->model_tag = point->tag != 0 ? point->tag : steps->model_tag;
        return OPPROF_OK;
    }
    const uint32_t name = OpprofMapFind(&device->tasks.points, point->tag);
    return take_collective(device, log, point, point->tag % 2 == 1,
                           name == OPPROF_MAP_NONE ? OPPROF_NA_STRING : name);
}

/* The tag that ends steps is known: the points before it are taken. */
static OpprofStatus take_early(Device *device, Log *log)
{
    Steps *steps = device->steps;
    OpprofStatus status = OPPROF_OK;

    steps->end_tag = steps->early_has_new_end ? TAG_END : TAG_END_OLD;
    for (size_t i = 0; i < steps->early_count && status == OPPROF_OK; i++) {
        status = take_point_a(device, log, &steps->early[i]);
    }
    steps->early_count = 0;
    return status;
}

/* Until the second fp came, an end may have either tag. */
static OpprofStatus keep_early(Device *device, Log *log, const Point *point)
{
    Steps *steps = device->steps;

    steps->early_fps += point->tag == TAG_FP;
    steps->early_has_new_end |= point->tag == TAG_END;
    if (!OpprofGrow(&steps->early, &steps->early_room, steps->early_count + 1,
                    sizeof *steps->early)) {
        return OPPROF_E_MEMORY;
    }
    steps->early[steps->early_count++] = *point;
    return steps->early_fps == 2 || steps->early_has_new_end || steps->early_count == EARLY_MOST
               ? take_early(device, log)
               : OPPROF_OK;
}

static OpprofStatus take_a(Device *device, Log *log, const unsigned char *records, size_t count)
{
    OpprofStatus status = begin(device) ? OPPROF_OK : OPPROF_E_MEMORY;

    for (size_t i = 0; i < count && status == OPPROF_OK; i++) {
        const unsigned char *record = records + i * BYTES_A;
        const Point point = { .tag = OpprofLoadLe64(record),
                              .task = OpprofLoadLe16(record + 8),
                              .stream = OpprofLoadLe16(record + 10),
                              .tick = OpprofLoadLe64(record + 12) };

        log->records++;
        status = !check_order(device, log, &point) ? OPPROF_E_MEMORY
                 : device->steps->end_tag == 0     ? keep_early(device, log, &point)
                                                   : take_point_a(device, log, &point);
    }
    return status;
}

/* ---- generation B ---- */

#define REPORT_STEP 10u
#define B_FP 2u
#define B_BP 3u
#define B_END 4u
#define B_COLLECTIVES 10000u
#define B_GET_NEXT 20000u

/* A point has the task of a marker: the operator is beside it in the table. */
static bool find_name(Device *device, const Point *point, bool is_start, uint32_t *ret_name)
{
    Steps *steps = device->steps;
    const uint64_t key = (uint64_t) point->stream << 32 | (uint64_t) point->task << 1 | is_start;
    uint32_t name = OpprofMapFind(&steps->names, key);

    if (name == OPPROF_MAP_NONE) {
        const Task *task = TasksBeside(&device->tasks, point->stream, point->task, is_start);

        name = task == NULL ? OPPROF_NA_STRING : device->tasks.operations[task->operation].name;
        if (!OpprofMapPut(&steps->names, key, name)) {
            return false;
        }
    }
    *ret_name = name;
    return true;
}

static OpprofStatus take_point_b(Device *device, Log *log, const Point *point)
{
    const PointKind kind = point->tag == B_FP    ? POINT_FP
                           : point->tag == B_BP  ? POINT_BP
                           : point->tag == B_END ? POINT_END
                                                 : POINT_OTHER;
    const bool is_start = point->tag % 2 == 0;
    uint32_t name = OPPROF_NA_STRING;

    if (point->tag < B_COLLECTIVES || point->tag >= B_GET_NEXT) {
        return take_step_point(device, log, kind, point->tick);
    }
    if (is_start && !find_name(device, point, true, &name)) {
        return OPPROF_E_MEMORY;
    }
    return take_collective(device, log, point, is_start, name);
}

static OpprofStatus take_b(Device *device, Log *log, const unsigned char *records, size_t count)
{
    OpprofStatus status = begin(device) ? OPPROF_OK : OPPROF_E_MEMORY;

    for (size_t i = 0; i < count && status == OPPROF_OK; i++) {
        const unsigned char *record = records + i * BYTES_B;
        const Point point = { .tick = OpprofLoadLe64(record + 8),
                              .stream = OpprofLoadLe16(record + 32),
                              .task = OpprofLoadLe16(record + 34),
                              .tag = OpprofLoadLe16(record + 36) };

        log->records++;
        if (OpprofLoadLe16(record + 2) != BYTES_B) {
            LogNote(log, &log->skipped, 1);
        } else if (record[1] == REPORT_STEP) {
            status = check_order(device, log, &point) ? take_point_b(device, log, &point)
                                                      : OPPROF_E_MEMORY;
        }
    }
    return status;
}

/* ---- the end ---- */

static OpprofStatus end_of_log(Device *device, Log *log)
{
    Steps *steps = device->steps;
    OpprofStatus status = OPPROF_OK;

    if (steps == NULL) {
        return OPPROF_OK;
    }
    if (steps->early_count > 0) {
        status = take_early(device, log);
    }
    if (steps->faulty > 0) {
        OpprofStageIncomplete(device->stage,
                              "'%s': %" PRIu64 " step(s) have no beginning of the forward pass or "
                              "no end of the backward pass and are left out, the first is step "
                              "%" PRIu64,
                              log->file, steps->faulty, steps->first_faulty);
    }
    if (steps->number == 0 && log->records > 0) {
        OpprofStageIncomplete(device->stage, "'%s' has no end of a step in %" PRIu64 " record(s)",
                              log->file, log->records);
    } else if (steps->fp != ABSENT || steps->count > 0) {
        OpprofStageIncomplete(device->stage, "'%s' ends within a step, which is left out",
                              log->file);
    }
    if (steps->has_other_model_tag) {
        OpprofStageIncomplete(device->stage,
                              "'%s': the models do not begin with one tag: it is of several models",
                              log->file);
    }
    StepsFinish(device);
    return status;
}

void StepsFinish(Device *device)
{
    Steps *steps = device->steps;

    if (steps != NULL) {
        OpprofMapFinish(&steps->open);
        OpprofMapFinish(&steps->streams);
        OpprofMapFinish(&steps->names);
        free(steps->list);
        free(steps->early);
        free(steps);
        device->steps = NULL;
    }
}

const Format step_formats[] = {
    { .kind = "training_trace",
      .record_bytes = BYTES_A,
      .source = "step",
      .take = take_a,
      .end_of_log = end_of_log },
    { .kind = "ts_track",
      .record_bytes = BYTES_B,
      .source = "step",
      .mark = BYTES_B,
      .mark_at = 2,
      .take = take_b,
      .end_of_log = end_of_log },
    { .kind = NULL },
};
