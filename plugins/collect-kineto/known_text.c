/* SPDX-License-Identifier: Apache-2.0 */
/* Knows texts between the values of events again. Tested by tests/plugins/collect-kineto/test_known_text. */
#include "known_text.h"

#include <opprof/kit/bytes.h>
#include <string.h>

/* Bytes of an event that have its category, whether its writer breaks lines, leaves blanks or does neither. */
#define CATEGORY_FROM 16u
#define CATEGORY_TO 32u

_Static_assert(USE_UNKNOWN < KNOWN_USES, "uses of categories have places of their own");

/* The place of a text: by its category where an event begins, by what is known of the event later on. */
static inline size_t place_of(const char *at, uint32_t before, CategoryUse use)
{
    const uint32_t values = (before >> EVENT_BIT_NAME) & 7; /* name, start, duration */
    uint64_t key;

    if (before != 0) {
        return KNOWN_BEGINS + values * KNOWN_USES + (size_t) use;
    }
    key = OpprofLoadLe64(at + CATEGORY_FROM) * 31 + OpprofLoadLe64(at + CATEGORY_TO - sizeof key);
    return (size_t) (key * UINT64_C(0x9e3779b97f4a7c15) >> 32) % KNOWN_BEGINS;
}

static JsonText value_in(KnownValue value, const char *text)
{
    return (JsonText){ .text = text + value.at,
                       .length = value.length,
                       .has_escape = value.has_escape,
                       .is_string = value.is_string };
}

/* What the text at that place says. */
static void take_members(const KnownText *text, uint32_t members, const char *at, TraceEvent *event)
{
    event->has = text->after;
    if ((members & EVENT_HAS_PHASE) != 0) {
        event->phase = text->phase;
    }
    if ((members & EVENT_HAS_CATEGORY) != 0) {
        event->use = text->use;
        event->category = value_in(text->category, at);
    }
    if ((members & EVENT_HAS_PID) != 0) {
        event->pid = value_in(text->pid, at);
    }
    if ((members & EVENT_HAS_TID) != 0) {
        event->tid = value_in(text->tid, at);
    }
}

uint32_t KnownTextsPass(const KnownTexts *known, const char *at, const char *end, TraceEvent *event,
                        const char **ret_at)
{
    const size_t left = (size_t) (end - at);
    const KnownText *text;
    uint32_t members;

    if (left < CATEGORY_TO) {
        return 0;
    }
    text = &known->list[place_of(at, event->has, event->use)];
    if (text->length == 0 || text->length >= left || text->before != event->has ||
        (unsigned char) at[text->length] <= ' ' || /* the value comes later */
        memcmp(text->text, at, text->length) != 0) {
        return 0;
    }
    members = text->after & ~text->before;
    if (members != 0) {
        take_members(text, members, at, event);
    }
    *ret_at = at + text->length;
    return text->member;
}

/* A value of the event, if it comes from the text. */
static KnownValue place_in(JsonText value, bool is_new, const char *text)
{
    return !is_new ? (KnownValue){ .at = 0 }
                   : (KnownValue){ .at = (uint8_t) (value.text - text),
                                   .length = (uint8_t) value.length,
                                   .has_escape = value.has_escape,
                                   .is_string = value.is_string };
}

void KnownTextsKeep(KnownTexts *known, const char *text, size_t length, uint32_t before,
                    const TraceEvent *event, uint32_t member)
{
    const uint32_t members = event->has & ~before;
    const bool has_category = (members & EVENT_HAS_CATEGORY) != 0;
    const CategoryUse use = has_category ? USE_UNTOLD : event->use;
    KnownText *kept;

    if (length == 0 || length > KNOWN_TEXT_BYTES || (before == 0 && length < CATEGORY_TO)) {
        return;
    }
    kept = &known->list[place_of(text, before, use)];
    *kept = (KnownText){ .before = before,
                         .after = event->has,
                         .member = member,
                         .pid = place_in(event->pid, (members & EVENT_HAS_PID) != 0, text),
                         .tid = place_in(event->tid, (members & EVENT_HAS_TID) != 0, text),
                         .category = place_in(event->category, has_category, text),
                         .use = event->use,
                         .length = (uint8_t) length,
                         .phase = event->phase };
    memcpy(kept->text, text, length);
}
