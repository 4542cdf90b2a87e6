/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_HALVES_H
#define VIZ_HTML_HALVES_H

#include <opprof/map.h>
#include <opprof/stage.h>

/* The begin of a span whose end is a separate record. */
typedef struct Half {
    uint64_t key;
    int64_t time;
    uint32_t lane;
    uint32_t name;
    char *arguments; /* text, or NULL; free with free() */
} Half;

/* Begins that wait for their end, at most PAGE_OPEN. */
typedef struct Halves {
    OpprofMap places; /* by key */
    Half *halves;
    uint32_t *unused; /* places that can be reused */
    uint32_t unused_count;
    uint32_t unused_capacity;
    uint32_t count; /* places used so far */
    uint32_t capacity;
    uint64_t left_out; /* begins without room, and ends without a begin */
} Halves;

/* Key of an id on a lane. */
uint64_t HalvesKey(uint32_t lane, const char *id, size_t length);

/* Take a begin out. False: it has not come. The caller frees `arguments`. */
bool HalvesTake(Halves *halves, uint64_t key, Half *ret_half);

/* Keep a begin; takes ownership of `arguments`. A begin with the same key is replaced. False
 * without memory. */
bool HalvesPut(Halves *halves, const Half *half);

/* Begins that still wait. */
uint32_t HalvesWaiting(const Halves *halves);

/* Free what it holds. */
void HalvesFinish(Halves *halves);

#endif
