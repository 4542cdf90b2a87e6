/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the timeline that the exporter `trace` wrote, a window of the file at a time.
 * Tested by tests/plugins/collect-results/test_timeline.sh.
 */
#include "collect-results/trace_file.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <opprof/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WINDOW ((size_t) 4 << 20) /* no event is longer than 1 MiB */
#define PS_PER_US INT64_C(1000000)
#define MOST_US (INT64_MAX / PS_PER_US - 1)

struct TraceFile {
    FILE *file;
    char *path;
    char *window;
    size_t count;    /* bytes in the window */
    size_t at;       /* first byte that is not read */
    uint64_t number; /* of the event */
    json_t *members;
};

static bool fill(TraceFile *self)
{
    memmove(self->window, self->window + self->at, self->count - self->at);
    self->count -= self->at;
    self->at = 0;
    const size_t more = fread(self->window + self->count, 1, WINDOW - self->count, self->file);

    self->count += more;
    return more > 0;
}

/* Go to the first event. */
static OpprofStatus find_events(TraceFile *self, OpprofError **error)
{
    static const char key[] = "\"traceEvents\":[";
    const char *found;

    fill(self);
    found = memmem(self->window, self->count, key, sizeof key - 1);
    if (found == NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' has no member 'traceEvents'", self->path);
    }
    self->at = (size_t) (found - self->window) + sizeof key - 1;
    return OPPROF_OK;
}

OpprofStatus TraceFileOpen(const char *path, TraceFile **ret_file, OpprofError **error)
{
    struct stat status;
    TraceFile *self;
    OpprofStatus result;

    *ret_file = NULL;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return OPPROF_OK;
    }
    self = calloc(1, sizeof *self);
    if (self == NULL || (self->path = strdup(path)) == NULL ||
        (self->window = malloc(WINDOW)) == NULL) {
        TraceFileClose(self);
        return OpprofErrorNoMemory(error, "read a timeline");
    }
    self->file = fopen(path, "rbe");
    result = self->file == NULL
                 ? OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %s", path, strerror(errno))
                 : find_events(self, error);
    if (result != OPPROF_OK) {
        TraceFileClose(self);
        return result;
    }
    *ret_file = self;
    return OPPROF_OK;
}

void TraceFileClose(TraceFile *self)
{
    if (self == NULL) {
        return;
    }
    if (self->file != NULL) {
        fclose(self->file);
    }
    json_decref(self->members);
    free(self->window);
    free(self->path);
    free(self);
}

OpprofStatus TraceFileRewind(TraceFile *self, OpprofError **error)
{
    rewind(self->file);
    self->count = 0;
    self->at = 0;
    self->number = 0;
    return find_events(self, error);
}

/* Length of the object at the start of a text; 0: its end is not in it. */
static size_t object_length(const char *text, size_t length)
{
    size_t depth = 0;
    bool is_text = false;

    for (size_t i = 0; i < length; i++) {
        if (is_text) {
            if (text[i] == '\\') {
                i++;
            } else if (text[i] == '"') {
                is_text = false;
            }
        } else if (text[i] == '"') {
            is_text = true;
        } else if (text[i] == '{') {
            depth++;
        } else if (text[i] == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number of microseconds with up to six decimals: a double has too few digits for times since
 * 1970. The time is the last member of an event. */
static bool read_time(const char *event, size_t length, int64_t *ret_ps)
{
    static const char key[] = "\"ts\":";
    const char *at = memrchr(event, '"', length);
    const char *const end = event + length;
    int64_t us = 0;
    int64_t scale = PS_PER_US;

    if (at == NULL || at - event < 3 || memcmp(at - 3, key, sizeof key - 1) != 0) {
        return false;
    }
    at += 2;
    const bool is_negative = at < end && *at == '-';

    for (at += is_negative; at < end && is_digit(*at); at++) {
        us = us > MOST_US / 10 - 1 ? us : us * 10 + (*at - '0');
    }
    int64_t ps = us * PS_PER_US;

    for (at += at < end && *at == '.'; at < end && is_digit(*at) && scale > 1; at++) {
        scale /= 10;
        ps += (*at - '0') * scale;
    }
    *ret_ps = is_negative ? -ps : ps;
    return true;
}

static OpprofStatus is_cut(const TraceFile *self, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' is cut or damaged in event %" PRIu64,
                          self->path, self->number);
}

/* The bytes of the next event in the window; 0: there is none. */
static size_t next_object(TraceFile *self, bool *ret_is_end)
{
    size_t length;

    *ret_is_end = false;
    for (int tries = 0; tries < 2; tries++) {
        while (self->at < self->count &&
               (self->window[self->at] == ',' || self->window[self->at] == '\n')) {
            self->at++;
        }
        *ret_is_end = self->at < self->count && self->window[self->at] == ']';
        if (*ret_is_end) {
            return 0;
        }
        length = self->at < self->count && self->window[self->at] == '{'
                     ? object_length(self->window + self->at, self->count - self->at)
                     : 0;
        if (length > 0 || !fill(self)) {
            return length;
        }
    }
    return self->at < self->count && self->window[self->at] == '{'
               ? object_length(self->window + self->at, self->count - self->at)
               : 0;
}

OpprofStatus TraceFileNext(TraceFile *self, TraceFileEvent *ret_event, OpprofError **error)
{
    bool is_end;
    const size_t length = next_object(self, &is_end);

    json_decref(self->members);
    self->members = NULL;
    if (is_end) {
        return OPPROF_END;
    }
    self->number++;
    if (length == 0) {
        return is_cut(self, error);
    }
    errno = 0;
    self->members = OpprofJsonValue(self->window + self->at, length, 0);
    if (self->members == NULL) {
        return errno == ENOMEM ? OpprofErrorNoMemory(error, "read a timeline")
                               : is_cut(self, error);
    }
    ret_event->members = self->members;
    ret_event->has_time = read_time(self->window + self->at, length, &ret_event->time_ps);
    self->at += length;
    return OPPROF_OK;
}
