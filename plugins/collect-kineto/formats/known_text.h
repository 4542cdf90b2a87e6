/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_KNOWN_TEXT_H
#define COLLECT_KINETO_FORMATS_KNOWN_TEXT_H

#include "collect-kineto/formats/event.h"
#include "collect-kineto/text/scan.h"

#include <opprof/kit/bytes.h>
#include <string.h>

/*
 * Writers put the same text between the values of most events, such as `, "pid": 7, "tid": 7, "ts":
 * `. Such a text is read once and kept with what it says; later it is only compared.
 */

#define KNOWN_TEXT_BYTES 112u /* a multiple of 16; longer ones are read each time */
#define KNOWN_BEGINS 32u      /* places for texts that events begin with, by their category */
#define KNOWN_USES 16u        /* more than there are uses of categories */
#define KNOWN_TEXTS (KNOWN_BEGINS + 8 * KNOWN_USES) /* others by use, name, start and duration */

/* Bytes of an event that have its category, whether its writer breaks lines, leaves blanks or does
 * neither. */
#define KNOWN_CATEGORY_FROM 16u
#define KNOWN_CATEGORY_TO 32u

/* A value in a known text. */
typedef struct KnownValue {
    uint8_t at;
    uint8_t length;
    bool has_escape;
    bool is_string;
} KnownValue;

/* A text and what an event has after it. */
typedef struct KnownText {
    char text[KNOWN_TEXT_BYTES];
    uint32_t before; /* EVENT_HAS_* where it begins */
    uint32_t after;  /* and where it ends */
    uint32_t member; /* EVENT_HAS_* of the member whose value comes next */
    KnownValue pid;
    KnownValue tid;
    KnownValue category;
    CategoryUse use; /* by the category */
    uint8_t length;  /* 0: none is kept here */
    char phase;
} KnownText;

/* Zeroed ones know nothing. Of one thread, and of one vocabulary. */
struct KnownTexts {
    KnownText list[KNOWN_TEXTS];
};

/* Part of KnownTextsPass: let the event have what the text at that place says. */
void KnownTextTake(const KnownText *text, const char *at, TraceEvent *event);

/* The place of a text: by its category where an event begins, by what is known of the event later
 * on. */
static inline size_t KnownTextPlace(const char *at, uint32_t before, CategoryUse use)
{
    const uint32_t values = (before >> EVENT_BIT_NAME) & 7; /* name, start, duration */
    uint64_t key;

    if (before != 0) {
        return KNOWN_BEGINS + values * KNOWN_USES + (size_t) use;
    }
    key = OpprofLoadLe64(at + KNOWN_CATEGORY_FROM) * 31 +
          OpprofLoadLe64(at + KNOWN_CATEGORY_TO - sizeof key);
    return (size_t) (key * UINT64_C(0x9e3779b97f4a7c15) >> 32) % KNOWN_BEGINS;
}

/* Whether that text is at `at`. As in scan.h, bytes after the text's end are read. */
static inline bool KnownTextIsAt(const KnownText *text, const char *at)
{
#ifdef __SSE2__
    unsigned left = text->length;

    for (unsigned i = 0; left > 0; i += 16) {
        const __m128i ours = _mm_loadu_si128((const __m128i *) (const void *) (text->text + i));
        const __m128i theirs = _mm_loadu_si128((const __m128i *) (const void *) (at + i));
        const unsigned differ =
            (unsigned) _mm_movemask_epi8(_mm_cmpeq_epi8(ours, theirs)) ^ 0xffffu;

        if (left <= 16) {
            return (differ & ((2u << (left - 1)) - 1)) == 0;
        }
        if (differ != 0) {
            return false;
        }
        left -= 16;
    }
    return true;
#else
    return memcmp(text->text, at, text->length) == 0;
#endif
}

/*
 * If the text from `at` on is known, let the event have what it says. Inline, for it is called for
 * each value.
 *
 * ret_at:  the value after it, before `end`
 * Returns the member that this value is of; 0: the text is not known, nothing was done.
 */
static inline uint32_t KnownTextsPass(const KnownTexts *known, const char *at, const char *end,
                                      TraceEvent *event, const char **ret_at)
{
    const size_t left = (size_t) (end - at);
    const KnownText *text;

    if (left < KNOWN_CATEGORY_TO) {
        return 0;
    }
    text = &known->list[KnownTextPlace(at, event->has, event->use)];
    if (text->length == 0 || text->length >= left || text->before != event->has ||
        (unsigned char) at[text->length] <= ' ' || /* the value comes later */
        !KnownTextIsAt(text, at)) {
        return 0;
    }
    if (text->after != text->before) {
        KnownTextTake(text, at, event);
    }
    *ret_at = at + text->length;
    return text->member;
}

/*
 * Keep a text that was read, in place of another one perhaps.
 *
 * before:  what the event had where the text begins
 * event:   what it has where the text ends
 * member:  whose value comes next
 */
void KnownTextsKeep(KnownTexts *known, const char *text, size_t length, uint32_t before,
                    const TraceEvent *event, uint32_t member);

#endif
