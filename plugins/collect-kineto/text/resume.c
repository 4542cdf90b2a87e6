/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the next event in a text with unbalanced quotes and brackets.
 * Tested by tests/plugins/collect-kineto/test_trace_reader.
 */
#include "collect-kineto/text/resume.h"

#include "collect-kineto/text/scan.h"
#include <opprof/record.h>

#include <stddef.h>
#include <string.h>

#define EVENT_LOOKED_AT 4096u /* bytes within which an event must be recognisable */

typedef enum Guess { GUESS_NO, GUESS_YES, GUESS_CUT } Guess;

/* Members that come first in an event. */
static const char *const event_keys[] = { "ph", "cat", "name", "pid", "tid", "ts", "dur", "args" };

/* Members of a trace that profilers write after its events. */
static const char *const trace_keys[] = {
    "traceName",       "displayTimeUnit",   "baseTimeNanoseconds",
    "distributedInfo", "deviceProperties",  "schemaVersion",
    "trace_id",        "metadata",          "otherData",
    "stackFrames",     "systemTraceEvents", "samples"
};

/* One of the words, in quotes, is at `at`. */
static Guess has_key(const char *at, const char *end, const char *const *words, size_t count)
{
    bool is_cut = false;

    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(words[i]);
        const size_t wanted = length + 2;
        const size_t there = (size_t) (end - at) < wanted ? (size_t) (end - at) : wanted;
        char quoted[32];

        quoted[0] = '"';
        memcpy(quoted + 1, words[i], length);
        quoted[length + 1] = '"';
        if (memcmp(at, quoted, there) == 0) {
            if (there == wanted) {
                return GUESS_YES;
            }
            is_cut = true;
        }
    }
    return is_cut ? GUESS_CUT : GUESS_NO;
}

/* An object that is closed soon and has a phase: only events are like this. */
static Guess is_event(const char *brace, const char *end)
{
    const char *limit = (size_t) (end - brace) < EVENT_LOOKED_AT ? end : brace + EVENT_LOOKED_AT;
    ScanState state = { .depth = 1 };
    const char *key = ScanBlanks(brace + 1, end);
    const Guess guess = has_key(key, end, event_keys, OPPROF_COUNT(event_keys));
    const char *after;

    if (guess != GUESS_YES) {
        return guess;
    }
    after = ScanContainer(&state, brace + 1, limit);
    if (after == NULL) {
        return limit == end ? GUESS_CUT : GUESS_NO;
    }
    return memmem(brace, (size_t) (after - brace), "\"ph\"", 4) != NULL ? GUESS_YES : GUESS_NO;
}

/* The bracket is followed by the end of the text, of the trace, or a member of it. */
static Guess ends_array(const char *bracket, const char *end, bool is_last_text)
{
    const char *at = ScanBlanks(bracket + 1, end);

    if (at < end && *at == '}') {
        at = ScanBlanks(at + 1, end);
    } else if (at < end && *at == ',') {
        at = ScanBlanks(at + 1, end);
        return at == end ? GUESS_CUT : has_key(at, end, trace_keys, OPPROF_COUNT(trace_keys));
    }
    if (at < end) {
        return GUESS_NO;
    }
    return is_last_text ? GUESS_YES : GUESS_CUT;
}

/* Classifies what follows a closing brace. */
static Guess look_after(const char *at, const char *end, bool is_last_text, const char **ret_at)
{
    at = ScanBlanks(at, end);
    if (at < end && *at == ']') {
        *ret_at = at;
        return ends_array(at, end, is_last_text);
    }
    if (at < end && *at != ',') {
        return GUESS_NO;
    }
    at = at < end ? ScanBlanks(at + 1, end) : at;
    if (at == end) {
        return GUESS_CUT;
    }
    *ret_at = at;
    return *at == '{' ? is_event(at, end) : GUESS_NO;
}

ResumeResult ResumeFind(const char **at, const char *end, bool is_last_text)
{
    const char *brace = *at;

    while (brace < end && (brace = memchr(brace, '}', (size_t) (end - brace))) != NULL) {
        const char *found;
        const Guess guess = look_after(brace + 1, end, is_last_text, &found);

        if (guess == GUESS_YES) {
            *at = found;
            return RESUME_HERE;
        }
        if (guess == GUESS_CUT && !is_last_text) {
            *at = brace;
            return RESUME_UNKNOWN;
        }
        brace++;
    }
    *at = end;
    return RESUME_UNKNOWN;
}
