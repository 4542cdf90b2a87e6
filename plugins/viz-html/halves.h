/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_HALVES_H
#define VIZ_HTML_HALVES_H

#include <opprof/map.h>
#include <opprof/stage.h>

/* One end of something that has two: the begin of a span, the tail or head of an arrow. */
typedef struct Half {
    uint64_t key;
    int64_t time;
    uint32_t lane;
    uint32_t name;
    char *arguments; /* text, or NULL; to be given to free() */
} Half;

/* Ends that wait for their partner, at most PAGE_OPEN. */
typedef struct Halves {
    OpprofMap places; /* by key */
    Half *halves;
    uint32_t *unused; /* places to be used again */
    uint32_t unused_count;
    uint32_t unused_capacity;
    uint32_t count; /* places used so far */
    uint32_t capacity;
    uint64_t left_out; /* ends that found no room */
} Halves;

/* Key of an id in a scope, such as a lane, and a kind of pair. */
uint64_t HalvesKey(uint32_t scope, uint32_t kind, const char *id, size_t length);

/* Take the partner out. False: it has not come yet. The caller frees `arguments`. */
bool HalvesTake(Halves *halves, uint64_t key, Half *ret_half);

/* Put one end aside, which takes `arguments`. False without memory. One with the same key makes room for it. */
bool HalvesPut(Halves *halves, const Half *half);

/* Ends that still wait. */
uint32_t HalvesWaiting(const Halves *halves);

/* Free what it holds. */
void HalvesFinish(Halves *halves);

#endif
