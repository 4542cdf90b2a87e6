/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_TALLY_H
#define COLLECT_SIM_PAIRING_TALLY_H

/*
 * Counts of the first reading of the logs per PC or per id, which give the number of pairs.
 *
 * Ids are mostly seen once in each log. Those need three bits in a page of 64 ids: seen in popped,
 * seen in instr, seen more often. Only the last kind has an entry of its own.
 */

#include "keys.h"

#define INSTR_GAP 8u  /* walk (a): ticks within which an instr record replaces the last one */
#define POPPED_GAP 1u /* walk (b): the same for popped records, exactly */

typedef struct TallyKey {
    uint64_t key; /* PC or id */
    /* First reading. */
    uint64_t popped;        /* records in the popped log */
    uint64_t instr;         /* records in the instr log */
    uint64_t popped_pruned; /* left after walk (b) */
    uint64_t instr_pruned;  /* left after walk (a) */
    uint64_t popped_last;   /* tick of the record kept last; used by both readings */
    uint64_t instr_last;
    /* Second reading. */
    uint64_t pairs;       /* pairs to be made */
    uint64_t popped_seen; /* records read */
    uint64_t popped_kept; /* of those, kept by walk (b) if it applies */
    uint64_t instr_kept;  /* records kept by walk (a) if it applies */
    uint64_t taken;       /* pairs that are made or known to be invalid */
    uint32_t head;        /* first waiting popped record, SLOT_NONE: none */
    uint32_t tail;
    bool prunes_popped; /* walk (b) applies */
    bool prunes_instr;  /* walk (a) applies */
    bool is_open;       /* the instr record kept last may still be replaced */
    bool is_listed;     /* in the list of keys to be checked for that */
} TallyKey;

typedef struct TallyPage {
    uint64_t number; /* id / 64 */
    uint64_t popped;
    uint64_t instr;
    uint64_t more;
} TallyPage;

typedef struct Tally {
    bool by_id;
    KeyTable keys;  /* TallyKey: all PCs, or ids seen more than once in a log */
    KeyTable pages; /* TallyPage, by id only */
    uint32_t page;  /* place of the last one used: ids mostly come in order */
} Tally;

/* Kind of a record's key in the second reading. */
typedef enum TallyKind {
    TALLY_NONE = 0, /* has no partner */
    TALLY_ONCE = 1, /* an id that is once in each log */
    TALLY_MANY = 2  /* has a TallyKey */
} TallyKind;

void TallyInit(Tally *tally, bool by_id);
/* Count a record; false without memory. Each log comes in order, both may come at the same time. */
bool TallyAddPopped(Tally *tally, uint64_t key, uint64_t tick);
bool TallyAddInstr(Tally *tally, uint64_t key, uint64_t tick);
/* The first reading is over: compute how many pairs each key makes. */
void TallyClose(Tally *tally);
/* TallyFind by id. */
TallyKind TallyFindId(const Tally *tally, uint64_t id, TallyKey **ret_key);
/* Look up a key in the second reading; *ret_key is set for TALLY_MANY. */
static inline TallyKind TallyFind(const Tally *tally, uint64_t key, TallyKey **ret_key)
{
    if (tally->by_id) {
        return TallyFindId(tally, key, ret_key);
    }
    *ret_key = KeyTableFind(&tally->keys, key);
    return *ret_key != NULL && (*ret_key)->pairs > 0 ? TALLY_MANY : TALLY_NONE;
}
/* Sums over all keys. */
typedef struct TallySums {
    uint64_t pairs;
    uint64_t pruned;       /* records that pruning drops */
    uint64_t popped_alone; /* popped records without a partner */
    uint64_t popped_stuck; /* of those, at addresses without a popped record from a given tick on */
    /* instr records without a partner, at addresses that have popped records; or ids without one */
    uint64_t instr_alone;
} TallySums;

/* `recent`: first tick of the popped records that may be in flight at the end. */
TallySums TallySum(const Tally *tally, uint64_t recent);
void TallyFinish(Tally *tally);

#endif
