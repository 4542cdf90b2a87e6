/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_MARKS_H
#define COLLECT_SIM_PAIRING_MARKS_H

/*
 * User marks (TRACE_START and TRACE_STOP): instructions that write a value to a register
 * (mark_facts.h), seen in the instr log. Takes all its kept lines in order.
 */

#include "collect-sim/lines/mark_facts.h"

#define MARK_DIGITS 10u

typedef struct Mark {
    uint64_t start;
    uint64_t end; /* OPPROF_NA_U64: none yet */
    uint64_t start_pc;
    uint64_t end_pc;
    size_t text; /* operands of the start without blanks, in Marks.texts */
    uint32_t length;
    uint32_t digit;
} Mark;

typedef struct Marks {
    Mark *marks; /* in the order of their starts */
    size_t count;
    size_t capacity;
    char *texts;
    size_t texts_used;
    size_t texts_capacity;
    size_t last[MARK_DIGITS];    /* number of the digit's last mark plus 1; 0: none */
    bool is_nested[MARK_DIGITS]; /* starts and stops do not alternate: none counts */
    int current;                 /* digit that an edge would move; -1: none */
    bool is_stopped;             /* the current digit's last instruction was its stop */
} Marks;

void MarksInit(Marks *marks);

/*
 * Take the next kept line of the instr log.
 *
 * @param words The words of marks.
 * @param[out] ret_is_mark  The line is a mark and takes no part in pairing.
 * Returns false without memory.
 */
bool MarksTake(Marks *marks, const SimMarkFacts *words, const SimLine *line, bool *ret_is_mark);

/*
 * The log has ended: keep only whole marks. Counts what is left out: marks of nested digits, and
 * marks without a stop or with an end before their start.
 */
void MarksClose(Marks *marks, uint64_t *ret_nested, uint64_t *ret_open);
void MarksFinish(Marks *marks);

#endif
