/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_ARROWS_H
#define VIZ_HTML_ARROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From a moment on one lane to a moment on another. Times are picoseconds. */
typedef struct Arrow {
    int64_t from;
    int64_t to;
    uint32_t from_lane;
    uint32_t to_lane;
} Arrow;

/* A tail or a head. */
typedef struct ArrowEnd {
    uint64_t key; /* the same for both ends: a hash of the arrow's id */
    int64_t time; /* picoseconds */
    uint32_t lane;
    uint32_t is_head;
} ArrowEnd;

/*
 * The arrows of a run, or a sample of them: those whose keys have 0 as their lowest bits. The
 * sample depends only on the arrows' ids, neither on the order of the ends nor on the distance of
 * tail and head. Zeroed memory has none.
 */
typedef struct Arrows {
    ArrowEnd *ends; /* at most PAGE_ARROW_ENDS */
    uint32_t end_count;
    uint32_t end_capacity;
    uint64_t mask; /* lowest bits that are 0 in the keys of the sample */
    Arrow *list;   /* once they are paired; at most PAGE_ARROWS */
    uint32_t count;
    uint64_t total;      /* all arrows, in the sample or not */
    uint64_t left_out;   /* ends without a partner */
    uint64_t skipped[2]; /* tails and heads that are not in the sample */
} Arrows;

/* Key of an id in a document. */
uint64_t ArrowsKey(const char *document, const char *id, size_t length);

/* Add an end. False without memory. */
bool ArrowsAdd(Arrows *arrows, const ArrowEnd *end);

/*
 * All ends have arrived: make arrows of them, sorted by time. Of ends with one key the first tail
 * belongs to the first head, the second to the second. False without memory.
 */
bool ArrowsPair(Arrows *arrows);

/* Free what it holds. */
void ArrowsFinish(Arrows *arrows);

#endif
