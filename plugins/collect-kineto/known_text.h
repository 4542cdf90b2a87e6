/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_KNOWN_TEXT_H
#define COLLECT_KINETO_KNOWN_TEXT_H

#include "event.h"

/*
 * Writers put the same text between the values of most events, such as `, "pid": 7, "tid": 7, "ts": `. Such a text is
 * read once and kept with what it says; later it is only compared.
 */

#define KNOWN_TEXT_BYTES 104u /* longer ones are read each time */
#define KNOWN_BEGINS 32u      /* places for texts that events begin with, by their category */
#define KNOWN_USES 16u        /* more than there are uses of categories */
#define KNOWN_TEXTS (KNOWN_BEGINS + 8 * KNOWN_USES) /* others by use, name, start and duration */

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

/*
 * If the text from `at` on is known, let the event have what it says.
 *
 * ret_at:  the value after it, before `end`
 * Returns the member that this value is of; 0: the text is not known, nothing was done.
 */
uint32_t KnownTextsPass(const KnownTexts *known, const char *at, const char *end, TraceEvent *event,
                        const char **ret_at);

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
