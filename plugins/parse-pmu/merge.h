/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_MERGE_H
#define PARSE_PMU_MERGE_H

#include "plan.h"

#include <opprof/map.h>

/*
 * The counters of one launch, merged over its replays: for each event the value of the first replay
 * that counted it, for the cycles those of the last one. A key is the part of a block that ran on a
 * core.
 */

#define MERGE_MAX_KEYS (1u << 20)

typedef struct MergeKey {
    uint32_t block;
    uint32_t sub_block;
    uint32_t kind;   /* index in the layout */
    uint32_t core;   /* of the last replay */
    uint64_t cycles; /* of the last replay */
    uint64_t cycles_min;
    uint64_t cycles_max;
    uint32_t cycles_round; /* replay that these are from */
    uint64_t seen;         /* bit k: replay k + 1 left a record of it */
} MergeKey;

typedef struct MergeCounts {
    uint64_t records; /* records that counted */
    uint64_t foreign; /* of an unexpected function */
    uint64_t skipped; /* of a known function that is not counted */
    uint64_t beyond;  /* keys beyond MERGE_MAX_KEYS */
} MergeCounts;

/* Called for each foreign record. */
typedef void MergeForeign(void *context, const unsigned char *record);

typedef struct Merge {
    const PmuLayout *layout; /* borrowed */
    const Plan *plan;        /* borrowed */
    MergeKey *keys;
    uint64_t *values; /* key * event_count + column; OPPROF_NA_U64: none */
    uint8_t *rounds;  /* the replay that counted it, from 1 */
    uint32_t key_count;
    size_t room;         /* number of keys that all three arrays have room for */
    size_t key_capacity; /* rooms of each */
    size_t value_capacity;
    size_t round_capacity;
    /* of the keys of a kind of cores, by block and sub-block */
    OpprofMap places[OPPROF_CORE_KINDS];
    uint32_t latest;                   /* key of the latest record */
    uint64_t repeats[PLAN_MAX_ROUNDS]; /* by replay: repeated records of the same key */
    uint64_t starts[PLAN_MAX_ROUNDS];  /* by replay: when the first core began; 0: unknown */
    MergeCounts counts;
    MergeForeign *on_foreign; /* NULL: not requested */
    void *context;            /* of on_foreign */
} Merge;

void MergeInit(Merge *merge, const PmuLayout *layout, const Plan *plan);
void MergeFinish(Merge *merge);

/* Number of replays whose records count: those of the plan, and the first one, which shows which
 * cores ran. */
static inline uint32_t MergeRounds(const Merge *merge)
{
    return merge->plan->rounds > 1 ? merge->plan->rounds : 1;
}

/* Add `count` whole records of replay `round`; beyond MergeRounds they do not count. False without
 * memory. */
bool MergeRecords(Merge *merge, uint32_t round, const unsigned char *records, size_t count);

/* Number of keys without a record of replay `round`. */
uint32_t MergeLacking(const Merge *merge, uint32_t round);

/* Forget all counters, but not the keys and their cycles. */
void MergeForgetCounters(Merge *merge);

/* Give a key's event a value unless it has one; `round` as in MergeRecords. */
void MergeSet(Merge *merge, uint32_t key, uint16_t column, uint64_t value, uint32_t round);

/* The key of a chip that does not distinguish blocks, made if necessary; false without memory. */
bool MergeOnlyKey(Merge *merge, uint32_t *ret_key);

static inline uint64_t MergeValue(const Merge *merge, uint32_t key, uint16_t column)
{
    return merge->values[(size_t) key * merge->layout->event_count + column];
}

#endif
