/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_MTE_LINE_H
#define PARSE_MTE_LINE_H

/*
 * Lines of the log of the memory transfer engines, by the facts of the chip's file. Fields state a
 * request, or <interface> and <pairs> hold it:
 *
 *   interface   "<unit><way><end>", or holds "<unit><way><inside>" after its last separator before
 *   pairs       a list of "key: value" with commas between; a word without a value may stand before
 *               a key
 */

#include "request_facts.h"

/* A line taken apart. Numbers that are absent are OPPROF_NA_U64. */
typedef struct MteLine {
    uint64_t tick;
    uint64_t instruction_id; /* never absent */
    uint64_t request_id;
    uint64_t size;
    const char *unit;
    size_t unit_length;
    bool is_write;
} MteLine;

/* Kind of a line. */
typedef enum MteKind {
    MTE_LINE_OTHER = 0, /* not a request of an instruction; logs have many such lines */
    MTE_LINE_REQUEST,
    MTE_LINE_SPOILT, /* it names an instruction, but its numbers cannot be read */
} MteKind;

/* Parse a line; `ret_line` counts if it is an MTE_LINE_REQUEST. */
MteKind MteLineParse(const MteFacts *facts, const char *line, size_t length, MteLine *ret_line);

#endif
