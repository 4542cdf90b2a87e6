/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches events that begin with those that end.
 * Tested by tests/plugins/collect-kineto/test_trace_reader.
 */
#include "collect-kineto/rank/open_events.h"

#include <opprof/intern.h>
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define THREAD_SEED UINT64_C(0x9e3779b97f4a7c15) /* any odd number */
#define TEXTS_MAX (4u << 20) /* bytes of text that all open events may have together */

typedef struct OpenEvent {
    TraceEvent event;
    uint64_t thread; /* hash of process and thread */
    char *texts;     /* copies of the event's texts */
    size_t length;   /* bytes of them */
} OpenEvent;

struct OpenEvents {
    OpenEvent list[OPEN_EVENTS_MAX];
    uint32_t count;
    size_t bytes; /* of all texts */
    char *ended;  /* texts of the event that OpenEventsEnd returned last */
};

OpenEvents *OpenEventsCreate(void)
{
    return calloc(1, sizeof(OpenEvents));
}

void OpenEventsDestroy(OpenEvents *open)
{
    if (open == NULL) {
        return;
    }
    for (uint32_t i = 0; i < open->count; i++) {
        free(open->list[i].texts);
    }
    free(open->ended);
    free(open);
}

static uint64_t add_to_hash(uint64_t hash, JsonText text)
{
    hash = OpprofInternHash(hash, text.text, text.length);
    return OpprofInternHash(hash, &text.is_string, sizeof text.is_string);
}

static uint64_t thread_of(const TraceEvent *event)
{
    uint64_t hash = THREAD_SEED;

    if ((event->has & EVENT_HAS_PID) != 0) {
        hash = add_to_hash(hash, event->pid);
    }
    if ((event->has & EVENT_HAS_TID) != 0) {
        hash = add_to_hash(hash, event->tid);
    }
    return hash;
}

static char *copy_text(JsonText *text, char *out)
{
    memcpy(out, text->text, text->length);
    text->text = out;
    return out + text->length;
}

/* Texts that are kept while an event is open. */
static const size_t kept_texts[] = {
    offsetof(TraceEvent, name),     offsetof(TraceEvent, task_type),    offsetof(TraceEvent, pid),
    offsetof(TraceEvent, tid),      offsetof(TraceEvent, dims),         offsetof(TraceEvent, types),
    offsetof(TraceEvent, concrete), offsetof(TraceEvent, collective),   offsetof(TraceEvent, group),
    offsetof(TraceEvent, label),    offsetof(TraceEvent, element_type),
};

static JsonText *text_of(TraceEvent *event, size_t i)
{
    return (JsonText *) (void *) ((char *) event + kept_texts[i]);
}

static size_t text_bytes(TraceEvent *event)
{
    size_t bytes = 0;

    for (size_t i = 0; i < OPPROF_COUNT(kept_texts); i++) {
        bytes += text_of(event, i)->length;
    }
    return bytes;
}

static void drop_texts(TraceEvent *event)
{
    event->use = USE_NOTHING;
    for (size_t i = 0; i < OPPROF_COUNT(kept_texts); i++) {
        *text_of(event, i) = (JsonText){ .text = "" };
    }
}

OpprofStatus OpenEventsBegin(OpenEvents *open, const TraceEvent *event)
{
    OpenEvent *opened = &open->list[open->count];
    bool is_too_much;
    char *out;

    if (open->count == OPEN_EVENTS_MAX) {
        return OPPROF_E_LIMIT;
    }
    *opened = (OpenEvent){ .thread = thread_of(event) };
    EventCopy(event, &opened->event);
    is_too_much = event->use != USE_NOTHING && open->bytes + text_bytes(&opened->event) > TEXTS_MAX;
    opened->event.category = (JsonText){ .text = "" }; /* only copied texts may stay */
    if (event->use == USE_NOTHING || is_too_much) {
        drop_texts(&opened->event); /* it still opens and closes */
    }
    opened->length = text_bytes(&opened->event);
    opened->texts = malloc(opened->length + 1);
    if (opened->texts == NULL) {
        return OPPROF_E_MEMORY;
    }
    out = opened->texts;
    for (size_t i = 0; i < OPPROF_COUNT(kept_texts); i++) {
        out = copy_text(text_of(&opened->event, i), out);
    }
    open->bytes += opened->length;
    open->count++;
    return is_too_much ? OPPROF_E_LIMIT : OPPROF_OK;
}

bool OpenEventsEnd(OpenEvents *open, const TraceEvent *end, TraceEvent *ret_event)
{
    const uint64_t thread = thread_of(end);
    uint32_t i = open->count;

    while (i > 0 && open->list[i - 1].thread != thread) {
        i--;
    }
    if (i == 0) {
        return false;
    }
    free(open->ended);
    open->ended = open->list[i - 1].texts;
    open->bytes -= open->list[i - 1].length;
    *ret_event = open->list[i - 1].event;
    memmove(&open->list[i - 1], &open->list[i], (open->count - i) * sizeof(OpenEvent));
    open->count--;
    ret_event->has &= ~(uint32_t) EVENT_HAS_DURATION;
    if ((end->has & ret_event->has & EVENT_HAS_START) != 0 &&
        !__builtin_sub_overflow(end->start_ns, ret_event->start_ns, &ret_event->duration_ns)) {
        ret_event->has |= EVENT_HAS_DURATION;
    }
    ret_event->phase = 'X';
    return true;
}

uint32_t OpenEventsCount(const OpenEvents *open)
{
    return open->count;
}

uint64_t OpenEventsAt(const OpenEvents *open, uint32_t i)
{
    return open->list[i].event.at;
}
