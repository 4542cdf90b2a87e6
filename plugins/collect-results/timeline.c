/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes spans and counters of the events of a `trace.json`. Times begin at 0, so that timelines of
 * two runs lie above each other. Tested by tests/plugins/collect-results/test_timeline.sh.
 */
#include "collect-results/timeline.h"

#include "collect-results/trace_file.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <opprof/grow.h>
#include <opprof/map.h>
#include <opprof/present.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_A_CALL 4096u
#define KEY_MAX 512u
#define PS_PER_US 1e6

/* A process, or a thread of one. */
typedef struct Line {
    char *process;
    char *thread; /* NULL: the process */
    char *name;   /* for people; NULL: unknown */
    int32_t sort;
    uint32_t track; /* plus 1; 0: not declared */
} Line;

struct Timeline {
    TimelinePorts ports;
    TraceFile *file;
    OpprofTextMap places; /* in lines */
    Line *lines;
    uint32_t count;
    uint32_t capacity;
    int64_t first_ps;
    uint32_t clock;
    uint32_t document;
};

/* ---- lines ---- */

/* A process or thread is a text or a number. */
static const char *id_of(const json_t *value, char number[32])
{
    if (json_is_integer(value)) {
        snprintf(number, 32, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return number;
    }
    return json_string_value(value);
}

static bool name_line(Line *line, const char *process, const char *thread)
{
    *line = (Line){ .process = strdup(process),
                    .thread = thread == NULL ? NULL : strdup(thread),
                    .sort = -1 };
    return line->process != NULL && (thread == NULL || line->thread != NULL);
}

/* The line of an event; NULL without memory. */
static Line *find_line(Timeline *self, const char *process, const char *thread)
{
    char key[KEY_MAX];
    const int length = snprintf(key, sizeof key, "%s%c%s", process, thread == NULL ? '\1' : '\2',
                                thread == NULL ? "" : thread);
    const size_t used = length < (int) sizeof key ? (size_t) length : sizeof key - 1;
    const uint32_t place = OpprofTextMapFind(&self->places, key, used);

    if (place != OPPROF_MAP_NONE) {
        return &self->lines[place];
    }
    if (!OpprofGrow32(&self->lines, &self->capacity, (size_t) self->count + 1,
                      sizeof *self->lines) ||
        !OpprofTextMapPut(&self->places, key, used, self->count, NULL)) {
        return NULL;
    }
    self->count++;
    return name_line(&self->lines[self->count - 1], process, thread) ? &self->lines[self->count - 1]
                                                                     : NULL;
}

static uint32_t track_of(Timeline *self, const char *process, const char *thread)
{
    const Line *whole = find_line(self, process, NULL);
    const int32_t sort = whole == NULL ? -1 : whole->sort;
    const size_t place = whole == NULL ? 0 : (size_t) (whole - self->lines);
    Line *line = whole == NULL ? NULL : find_line(self, process, thread);

    if (line == NULL) {
        return OPPROF_NA_U32;
    }
    if (line->track == 0) {
        line->track =
            OpprofStageTrack(self->ports.stage,
                             &(OpprofTrack){ .document = self->ports.document,
                                             .process = process,
                                             .process_name = self->lines[place].name,
                                             .thread = thread,
                                             .thread_name = thread == NULL ? NULL : line->name,
                                             .process_sort = sort,
                                             .thread_sort = thread == NULL ? -1 : line->sort }) +
            1;
    }
    return line->track - 1;
}

/* Names and ranks come before the events of their lines. */
static bool note_metadata(Timeline *self, const json_t *event, const char *process,
                          const char *thread)
{
    const char *what = json_string_value(json_object_get(event, "name"));
    const json_t *args = json_object_get(event, "args");
    const char *name = json_string_value(json_object_get(args, "name"));
    const json_t *sort = json_object_get(args, "sort_index");
    const bool is_thread = what != NULL && strncmp(what, "thread_", 7) == 0;
    Line *line = find_line(self, process, is_thread ? thread : NULL);

    if (line == NULL) {
        return false;
    }
    if (name != NULL) {
        free(line->name);
        line->name = strdup(name);
    }
    if (json_is_integer(sort) && json_integer_value(sort) >= 0 &&
        json_integer_value(sort) <= INT32_MAX) {
        line->sort = (int32_t) json_integer_value(sort);
    }
    return name == NULL || line->name != NULL;
}

/* ---- events ---- */

static uint32_t intern(const Timeline *self, const char *text)
{
    return text == NULL ? OPPROF_NA_STRING
                        : OpprofStageIntern(self->ports.stage, text, strlen(text));
}

static uint64_t ticks_of(const Timeline *self, int64_t time_ps)
{
    return time_ps < self->first_ps ? 0 : (uint64_t) time_ps - (uint64_t) self->first_ps;
}

static uint32_t kind_of(char phase)
{
    switch (phase) {
    case 'X':
        return OPPROF_SPAN_SLICE;
    case 'B':
        return OPPROF_SPAN_BEGIN;
    case 'E':
        return OPPROF_SPAN_END;
    case 's':
        return OPPROF_SPAN_FLOW_START;
    case 't':
    case 'f':
        return OPPROF_SPAN_FLOW_END;
    default:
        return 0;
    }
}

static OpprofStatus put_span(Timeline *self, const TraceFileEvent *event, uint32_t kind,
                             uint32_t track)
{
    const json_t *members = event->members;
    const char *id = json_string_value(json_object_get(members, "id"));
    const double duration_us = json_number_value(json_object_get(members, "dur"));
    const OpprofText none = { OPPROF_NA_U32, 0 };
    OpprofSpan span = {
        .start = ticks_of(self, event->time_ps),
        .duration = kind == OPPROF_SPAN_SLICE
                        ? (uint64_t) llround(fmax(0, fmin(duration_us, 9e12)) * PS_PER_US)
                        : 0,
        .track = track,
        .kind = kind,
        .name = intern(self, json_string_value(json_object_get(members, "name"))),
        .category = intern(self, json_string_value(json_object_get(members, "cat"))),
        .colour = intern(self, json_string_value(json_object_get(members, "cname"))),
        .args = none,
        .id = none,
        .group = none
    };
    OpprofStatus status = OPPROF_OK;

    if (id != NULL) {
        status = OpprofStageText(self->ports.stage, self->ports.spans, self->document, id,
                                 strlen(id), &span.id);
    }
    return status == OPPROF_OK
               ? OpprofStageAppend(self->ports.stage, self->ports.spans, self->document, &span)
               : status;
}

static OpprofStatus put_counter(Timeline *self, const TraceFileEvent *event, const char *process)
{
    json_t *args = json_object_get(event->members, "args");
    const uint32_t track = track_of(self, process, NULL);
    const uint32_t name = intern(self, json_string_value(json_object_get(event->members, "name")));
    OpprofStatus status = track == OPPROF_NA_U32 ? OPPROF_E_MEMORY : OPPROF_OK;
    const char *series;
    json_t *value;

    json_object_foreach(args, series, value)
    {
        const OpprofCounter counter = { .track = track,
                                        .name = name,
                                        .series = intern(self, series),
                                        .time = ticks_of(self, event->time_ps),
                                        .value = json_number_value(value) };

        if (status == OPPROF_OK && json_is_number(value)) {
            status = OpprofStageAppend(self->ports.stage, self->ports.counters, self->document,
                                       &counter);
        }
    }
    return status;
}

static OpprofStatus put_event(Timeline *self, const TraceFileEvent *event)
{
    const json_t *members = event->members;
    const char *phase = json_string_value(json_object_get(members, "ph"));
    char numbers[2][32];
    const char *process = id_of(json_object_get(members, "pid"), numbers[0]);
    const char *thread = id_of(json_object_get(members, "tid"), numbers[1]);
    const uint32_t kind = phase == NULL ? 0 : kind_of(*phase);

    if (phase == NULL || process == NULL) {
        return OPPROF_OK;
    }
    if (*phase == 'M') {
        return note_metadata(self, members, process, thread) ? OPPROF_OK : OPPROF_E_MEMORY;
    }
    if (*phase == 'C' && event->has_time) {
        return put_counter(self, event, process);
    }
    if (kind == 0 || !event->has_time || thread == NULL) {
        return OPPROF_OK;
    }

    const uint32_t track = track_of(self, process, thread);

    return track == OPPROF_NA_U32 ? OPPROF_E_MEMORY : put_span(self, event, kind, track);
}

/* ---- the file ---- */

/* What is damaged further on is reported when it is read. */
static OpprofStatus find_first(Timeline *self, OpprofError **error)
{
    TraceFileEvent event = { .members = NULL };
    OpprofError *why = NULL;
    OpprofStatus status;

    self->first_ps = INT64_MAX;
    while ((status = TraceFileNext(self->file, &event, &why)) == OPPROF_OK) {
        if (event.has_time && event.time_ps < self->first_ps) {
            self->first_ps = event.time_ps;
        }
    }
    OpprofErrorDestroy(why);
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "read a timeline")
                                     : TraceFileRewind(self->file, error);
}

OpprofStatus TimelineOpen(const TimelinePorts *ports, const char *database, Timeline **ret_timeline,
                          OpprofError **error)
{
    const char *slash = strrchr(database, '/');
    Timeline *self = calloc(1, sizeof *self);
    char *path = NULL;
    OpprofStatus status;

    *ret_timeline = NULL;
    if (self == NULL || asprintf(&path, "%.*strace.json",
                                 slash == NULL ? 0 : (int) (slash - database) + 1, database) < 0) {
        free(self);
        return OpprofErrorNoMemory(error, "read a timeline");
    }
    self->ports = *ports;
    status = TraceFileOpen(path, &self->file, error);
    free(path);
    if (status == OPPROF_OK && self->file != NULL) {
        status = find_first(self, error);
    }
    if (status != OPPROF_OK || self->file == NULL) {
        TimelineClose(self);
        return status;
    }
    self->document = intern(self, ports->document);
    self->clock = OpprofStageClock(
        ports->stage, &(OpprofClock){ .name = "timeline", .hz = UINT64_C(1000000000000) });
    OpprofStageSetClock(ports->stage, ports->spans, self->clock);
    OpprofStageSetClock(ports->stage, ports->counters, self->clock);
    *ret_timeline = self;
    return OPPROF_OK;
}

OpprofStatus TimelineRead(Timeline *self, OpprofError **error)
{
    TraceFileEvent event = { .members = NULL };
    OpprofStatus status = OPPROF_OK;
    OpprofError *why = NULL;

    for (uint32_t i = 0; status == OPPROF_OK && i < EVENTS_A_CALL; i++) {
        status = TraceFileNext(self->file, &event, &why);
        if (status == OPPROF_OK) {
            status = put_event(self, &event);
            if (status == OPPROF_E_MEMORY) {
                return OpprofErrorNoMemory(error, "read a timeline");
            }
        }
    }
    if (status == OPPROF_E_DATA && why != NULL) {
        OpprofStageIncomplete(self->ports.stage, "%s", OpprofErrorLine(why));
        OpprofErrorDestroy(why);
        return OPPROF_END;
    }
    return why == NULL ? status : OpprofErrorPass(error, why);
}

void TimelineClose(Timeline *self)
{
    if (self == NULL) {
        return;
    }
    for (uint32_t i = 0; i < self->count; i++) {
        free(self->lines[i].process);
        free(self->lines[i].thread);
        free(self->lines[i].name);
    }
    free(self->lines);
    OpprofTextMapFinish(&self->places);
    TraceFileClose(self->file);
    free(self);
}
