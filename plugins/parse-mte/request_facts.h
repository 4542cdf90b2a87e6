/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_MTE_REQUEST_FACTS_H
#define PARSE_MTE_REQUEST_FACTS_H

/*
 * Facts about lines of memory transfer engines: `simulator.requests` of a chip's file, or
 * `simulator.logs.requests` for logs with names of the chip's own.
 */

#include <opprof/kit/chip.h>
#include <opprof/kit/form.h>

#define MTE_FORMS 4u
#define MTE_KEYS 4u /* of one number; the first that exists counts */

/* Fields of a line's form. */
enum {
    MTE_TICK,
    MTE_INTERFACE, /* a unit and a way, as MteFacts.end says */
    MTE_PAIRS,     /* "key: value" with commas between */
    MTE_UNIT,
    MTE_WAY,
    MTE_INSTRUCTION,
    MTE_REQUEST,
    MTE_SIZE,
    MTE_ANY,
    MTE_FIELDS
};

/* Numbers of a request. */
typedef enum MteNumber {
    MTE_NUMBER_INSTRUCTION = 0,
    MTE_NUMBER_REQUEST,
    MTE_NUMBER_SIZE,
    MTE_NUMBERS
} MteNumber;

typedef struct MteFacts {
    OpprofForm *forms[MTE_FORMS];
    uint32_t form_count;
    const char *keys[MTE_NUMBERS][MTE_KEYS]; /* in pairs; NULL: end of the list */
    const char *end;          /* of an interface name, after the way; NULL: not parsed */
    const char *inside;       /* the same if more follows; NULL: nothing may follow */
    const char *separator;    /* before the unit, if more precedes it */
    const OpprofFact *reads;  /* texts of ways that read from the unit */
    const OpprofFact *writes; /* … and of those that write into it */
    const OpprofFact *units;  /* printed units, also with `*` at the end, to their names */
} MteFacts;

/* The facts of a chip: NULL without memory or chip, or if its file is faulty; then nothing is a
 * request. */
MteFacts *MteFactsCreate(const OpprofChip *chip, const char *path);
void MteFactsDestroy(MteFacts *facts);

/*
 * Name of a unit in records: "B" is the global memory, "L1" and names that begin with "UB" are
 * buffers, "other" is the rest.
 */
const char *MteFactsUnit(const MteFacts *facts, const char *unit, size_t length);

#endif
