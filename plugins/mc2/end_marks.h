/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_END_MARKS_H
#define MC2_END_MARKS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The eight marks that a kernel's last code leaves so that a line of marks is written out. They are
 * not events of the kernel, nor is anything after them.
 */

#define END_MARK_COUNT 8u

/* Zero at first. */
typedef struct EndMarks {
    uint64_t start; /* number of events before the first of them */
    uint32_t next;  /* how many have been seen; 0: none */
} EndMarks;

/* Add a mark, before which there are `events` events. */
void EndMarksTake(EndMarks *end, uint32_t id, uint64_t events);

/* True once all have been seen, and no other mark after them. */
static inline bool EndMarksComplete(const EndMarks *end)
{
    return end->next == END_MARK_COUNT;
}

#endif
