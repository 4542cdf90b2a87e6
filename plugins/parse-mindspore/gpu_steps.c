/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps of GPUs, as text: a line for each point with its times in all steps, or of runs that launch
 * asynchronously, a line for each step. Tested by tests/plugins/collect-mindspore/test_parsed.sh.
 */
#include "parse-mindspore/fields.h"
#include "parse-mindspore/types.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MOST (64u << 20)
#define POINTS_MOST 4096u /* lines, or fields of a line */
#define NEEDED 3u         /* the first points: forward pass, backward pass, end */

/* A point in all steps, from the beginning of its work to the end. */
typedef struct Line {
    uint32_t name; /* of the operator */
    uint64_t (*times)[2];
    size_t count;
    size_t room;
} Line;

typedef struct GpuSteps {
    Line lines[POINTS_MOST];
    size_t count;
    bool is_odd;     /* a line could not be read */
    uint64_t steps;  /* of lines with a step each */
    uint64_t latest; /* the earliest time at which the next one may begin */
} GpuSteps;

typedef struct Collective {
    uint64_t start, end;
    uint32_t name;
} Collective;

static OpprofStatus odd(GpuSteps *steps, Log *log)
{
    steps->is_odd = true;
    LogNote(log, &log->odd, 1);
    return OPPROF_OK;
}

/* ---- rows ---- */

static uint32_t last_part(const Device *device, const char *name, size_t length)
{
    const char *slash = memrchr(name, '/', length);

    return slash == NULL ? DeviceIntern(device, name, length)
                         : DeviceIntern(device, slash + 1, length - (size_t) (slash + 1 - name));
}

static double span_us(const Device *device, uint64_t from, uint64_t to)
{
    return (double) (int64_t) (to - from) / device->ticks_a_us;
}

/* Points of a step come one after the other, and steps too: start, fp, bp, end. */
static OpprofStatus emit_step(Device *device, uint64_t number, const uint64_t points[4])
{
    GpuSteps *steps = device->gpu_steps;
    Log *log = &device->log;

    LogNote(log, &log->again,
            points[0] < steps->latest || points[1] < points[0] || points[2] < points[1] ||
                points[3] < points[2]);
    steps->latest = points[0] + 1;

    const OpprofMindsporeStep row = {
        .step = number,
        .start_tick = points[0],
        .fp_tick = points[1],
        .bp_tick = points[2],
        .end_tick = points[3],
        .total_us = span_us(device, points[0], points[3]),
        .iteration_interval_us = span_us(device, points[0], points[1]),
        .fp_and_bp_us = span_us(device, points[1], points[2]),
        .tail_us = span_us(device, points[2], points[3]),
        .device = device->id,
    };

    return OpprofStageAppend(device->stage, PORT_STEPS, device->id, &row);
}

static int compare_starts(const void *a, const void *b)
{
    const Collective *left = a;
    const Collective *right = b;

    return (left->start > right->start) - (left->start < right->start);
}

static OpprofStatus emit_collectives(Device *device, uint64_t number, Collective *list,
                                     size_t count)
{
    OpprofStatus status = OPPROF_OK;

    qsort(list, count, sizeof *list, compare_starts);
    for (size_t i = 0; i < count && status == OPPROF_OK; i++) {
        const OpprofMindsporeCollective row = {
            .step = number,
            .start_tick = list[i].start,
            .end_tick = list[i].end,
            .duration_us = span_us(device, list[i].start, list[i].end),
            .device = device->id,
            .stream = OPPROF_NA_U32,
            .place = (uint32_t) i,
            .name = list[i].name,
        };

        status = OpprofStageAppend(device->stage, PORT_COLLECTIVES, device->id, &row);
    }
    return status;
}

static OpprofStatus emit_point(Device *device, const char *point, uint32_t name)
{
    const OpprofMindsporePoint row = { .device = device->id,
                                       .point = DeviceIntern(device, point, strlen(point)),
                                       .op_name = name };

    return OpprofStageAppend(device->stage, PORT_POINTS, device->id, &row);
}

static OpprofStatus emit_points(Device *device, uint32_t fp, uint32_t bp)
{
    const OpprofStatus status = emit_point(device, "fp_start", fp);

    return status == OPPROF_OK ? emit_point(device, "bp_end", bp) : status;
}

/* ---- a line for each point ---- */

/* "<number>,<number>" */
static bool read_pair(const Field *field, uint64_t ret_pair[2])
{
    const char *comma = memchr(field->text, ',', field->length);
    const size_t first = comma == NULL ? 0 : (size_t) (comma - field->text);
    const Field start = { field->text, first };
    const Field end = { field->text + first + 1, field->length - first - 1 };

    return comma != NULL && FieldNumber(&start, &ret_pair[0]) && FieldNumber(&end, &ret_pair[1]);
}

static OpprofStatus take_point(Device *device, Log *log, GpuSteps *steps, const char *text,
                               const char *end)
{
    Line *line = &steps->lines[steps->count];
    Field field;

    if (steps->count == POINTS_MOST || !FieldNext(&text, end, &field)) {
        return odd(steps, log);
    }
    *line = (Line){ .name = DeviceIntern(device, field.text, field.length) };
    steps->count++;
    while (FieldNext(&text, end, &field)) {
        if (!OpprofGrow(&line->times, &line->room, line->count + 1, sizeof *line->times)) {
            return OPPROF_E_MEMORY;
        }
        if (!read_pair(&field, line->times[line->count])) {
            return odd(steps, log);
        }
        line->count++;
    }
    return OPPROF_OK;
}

static bool is_same_line(const Line *a, const Line *b)
{
    return a->name == b->name && a->count > 0 && a->count == b->count &&
           memcmp(a->times, b->times, a->count * sizeof *a->times) == 0;
}

/* A line is there once. */
static void check_lines(Log *log, const GpuSteps *steps)
{
    for (size_t i = 1; i < steps->count; i++) {
        for (size_t k = 0; k < i; k++) {
            LogNote(log, &log->again, is_same_line(&steps->lines[i], &steps->lines[k]));
        }
    }
}

static OpprofStatus emit_of_points(Device *device, const GpuSteps *steps)
{
    const Line *lines = steps->lines;
    Collective list[POINTS_MOST];
    OpprofStatus status = emit_points(device, lines[0].name, lines[1].name);

    for (size_t k = 0; k < lines[0].count && status == OPPROF_OK; k++) {
        const uint64_t fp = lines[0].times[k][0];
        const uint64_t points[4] = { k == 0 ? fp : lines[2].times[k - 1][0], fp,
                                     lines[1].times[k][1], lines[2].times[k][1] };

        status = emit_step(device, k + 1, points);
        for (size_t i = NEEDED; i < steps->count; i++) {
            const char *name = OpprofStageString(device->stage, lines[i].name);

            list[i - NEEDED] = (Collective){ lines[i].times[k][0], lines[i].times[k][1],
                                             last_part(device, name, strlen(name)) };
        }
        if (status == OPPROF_OK) {
            status = emit_collectives(device, k + 1, list, steps->count - NEEDED);
        }
    }
    return status;
}

/* ---- a line for each step ---- */

/* "<name>,<time>[,<time>]", in ns; of names with commas the last ones count. */
static bool read_times(const Field *field, unsigned count, Field *ret_name, uint64_t *ret_times)
{
    Field rest = *field;

    for (unsigned i = count; i-- > 0;) {
        const char *comma = memrchr(rest.text, ',', rest.length);
        const size_t before = comma == NULL ? 0 : (size_t) (comma - rest.text);
        const Field number = { rest.text + before + 1, rest.length - before - 1 };

        if (comma == NULL || !FieldNumber(&number, &ret_times[i])) {
            return false;
        }
        ret_times[i] /= 10; /* ticks of 10 ns */
        rest.length = before;
    }
    *ret_name = rest;
    return rest.length > 0;
}

static OpprofStatus take_step(Device *device, Log *log, GpuSteps *steps, const char *text,
                              const char *end)
{
    uint64_t points[4];
    Field names[4];
    Field field, name;
    Collective list[POINTS_MOST];
    size_t count = 0;
    OpprofStatus status = OPPROF_OK;

    for (unsigned i = 0; i < 4; i++) {
        if (!FieldNext(&text, end, &field) || !read_times(&field, 1, &names[i], &points[i])) {
            return odd(steps, log);
        }
    }
    while (FieldNext(&text, end, &field)) {
        uint64_t times[2];

        if (count == POINTS_MOST || !read_times(&field, 2, &name, times)) {
            return odd(steps, log);
        }
        list[count++] =
            (Collective){ times[0], times[1], last_part(device, name.text, name.length) };
    }
    if (steps->steps++ == 0) {
        status = emit_points(device, DeviceIntern(device, names[1].text, names[1].length),
                             DeviceIntern(device, names[2].text, names[2].length));
    }
    status = status == OPPROF_OK ? emit_step(device, steps->steps, points) : status;
    return status == OPPROF_OK ? emit_collectives(device, steps->steps, list, count) : status;
}

/* ---- the file ---- */

static OpprofStatus take_line(Device *device, Log *log, const unsigned char *bytes, size_t length)
{
    const char *text = (const char *) bytes;
    const char *at = text;
    GpuSteps *steps = device->gpu_steps;
    uint64_t unused;
    Field name, field;

    log->records++;
    if (steps == NULL) {
        steps = device->gpu_steps = calloc(1, sizeof *steps);
    }
    if (steps == NULL) {
        return OPPROF_E_MEMORY;
    }
    if (!FieldNext(&at, text + length, &field)) {
        return OPPROF_OK; /* an empty line */
    }
    return read_times(&field, 1, &name, &unused)
               ? take_step(device, log, steps, text, text + length)
               : take_point(device, log, steps, text, text + length);
}

static bool have_equal_counts(const GpuSteps *steps)
{
    for (size_t i = 1; i < steps->count; i++) {
        if (steps->lines[i].count != steps->lines[0].count) {
            return false;
        }
    }
    return true;
}

static OpprofStatus end_of_file(Device *device, Log *log)
{
    const GpuSteps *steps = device->gpu_steps;
    OpprofStatus status = OPPROF_OK;

    if (steps != NULL && steps->steps == 0) {
        if (steps->count < NEEDED || !have_equal_counts(steps) || steps->is_odd) {
            OpprofStageIncomplete(device->stage,
                                  "'%s' has no steps: %zu of its lines are points, of which there "
                                  "must be three or more that come equally often; set "
                                  "PROFILING_FP_START and PROFILING_BP_END to names of operators",
                                  log->file, steps->count);
        } else {
            check_lines(log, steps);
            status = emit_of_points(device, steps);
        }
    }
    GpuStepsFinish(device);
    return status;
}

void GpuStepsFinish(Device *device)
{
    GpuSteps *steps = device->gpu_steps;

    if (steps != NULL) {
        for (size_t i = 0; i < steps->count; i++) {
            free(steps->lines[i].times);
        }
        free(steps);
        device->gpu_steps = NULL;
    }
}

const Format gpu_step_formats[] = {
    { .kind = "gpu_steps",
      .end = '\n',
      .most_text = LINE_MOST,
      .take = take_line,
      .end_of_log = end_of_file },
    { .kind = NULL },
};
