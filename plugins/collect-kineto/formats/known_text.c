/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises text repeated between event values. Tested by
 * tests/plugins/collect-kineto/test_known_text. */
#include "collect-kineto/formats/known_text.h"

_Static_assert(USE_UNKNOWN < KNOWN_USES, "uses of categories have places of their own");

static JsonText value_in(KnownValue value, const char *text)
{
    return (JsonText){ .text = text + value.at,
                       .length = value.length,
                       .has_escape = value.has_escape,
                       .is_string = value.is_string };
}

void KnownTextTake(const KnownText *text, const char *at, TraceEvent *event)
{
    const uint32_t members = text->after & ~text->before;

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

    if (length == 0 || length > KNOWN_TEXT_BYTES || (before == 0 && length < KNOWN_CATEGORY_TO)) {
        return;
    }
    kept = &known->list[KnownTextPlace(text, before, use)];
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
