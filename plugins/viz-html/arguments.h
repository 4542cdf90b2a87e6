/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_ARGUMENTS_H
#define VIZ_HTML_ARGUMENTS_H

#include "items.h"
#include "names.h"

/*
 * Arguments of spans as JSON, equal ones once, in bounded memory: when the room is used up, those
 * of spans shorter than a limit are forgotten; the limit grows until there is room.
 */
typedef struct Arguments {
    OpprofStage *stage;
    OpprofTextMap numbers; /* by text */
    const char **texts;    /* by number; the map's copies */
    uint32_t count;
    uint32_t capacity;
    uint64_t bytes;        /* of all texts */
    uint64_t least;        /* duration of the shortest spans that keep theirs */
    uint64_t left_out;     /* spans whose arguments had no room */
    OpprofJsonOut scratch; /* of the current span */
} Arguments;

/* The arguments of a span as text, valid until the next call; NULL: it has none, or
 * (scratch.is_short) no memory. */
const char *ArgumentsPrint(Arguments *arguments, const OpprofBatch *batch, const OpprofSpan *span);

/*
 * Keep a text of ArgumentsPrint for a span.
 *
 * @param items All items, to find out which arguments are used when room is needed.
 * @param duration   Of the span.
 * @param ret_extra  Its number plus 1; 0: no room.
 * @return False without memory.
 */
bool ArgumentsKeep(Arguments *arguments, Items *items, const char *text, uint64_t duration,
                   uint32_t *ret_extra);

/* Forget what no item uses any more. False without memory. */
bool ArgumentsSweep(Arguments *arguments, Items *items);

/* Append the members of a JSON array: for each number an array [key, value, …]. */
void ArgumentsPut(const Arguments *arguments, Names *names, OpprofJsonOut *json);

/* Free what it holds. */
void ArgumentsFinish(Arguments *arguments);

#endif
