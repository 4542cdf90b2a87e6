/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_TALLY_H
#define COLLECT_SIM_PAIRING_TALLY_H

/*
 * Counts of the first reading of the logs per PC or per id, which give the number of pairs.
 *
 * Ids are mostly seen once in each log. Those need three bits in a page of 64 ids: seen in popped,
 * seen in instr, seen more often. Only the last kind has an entry of its own.
 *
 * Whether the lack of a partner shows that lines are missing depends on the instruction's name:
 * some are only ever logged when they start, or when they end.
 */

#include "keys.h"

#define INSTR_GAP 8u      /* walk (a): ticks within which an instr record replaces the last one */
#define OVERDUE_LEAST 32u /* half the ticks that any instruction may take, whatever others took */
#define POPPED_GAP 1u     /* walk (b): the same for popped records, exactly */

typedef struct TallyKey {
    uint64_t key; /* PC or id */
    /* First reading. */
    uint64_t marks;         /* records of user marks in the instr log; by PC only */
    uint64_t queued;        /* records in the popped log that wait to be popped; by PC only */
    uint64_t popped;        /* records in the popped log */
    uint64_t instr;         /* records in the instr log */
    uint64_t popped_again;  /* records in the popped log at the tick of the one before */
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
    uint32_t name; /* place of the name that it was last seen with first in a log; by PC only */
    uint32_t pipe; /* the same of its pipe in the popped log */
    bool prunes_popped; /* walk (b) applies */
    bool prunes_instr;  /* walk (a) applies */
    bool is_open;       /* the instr record kept last may still be replaced */
    bool is_listed;     /* in the list of keys to be checked for that */
} TallyKey;

/* A name of instructions, by a hash of it: two of one hash only make a check less strict. */
typedef struct TallyName {
    uint64_t hash;
    bool is_popped; /* some instruction of the name is in the popped log */
    bool is_instr;  /* … in the instr log */
    /* second reading: most ticks that one took, at addresses where none is alone */
    uint64_t longest;
    bool has_longest;
} TallyName;

/* A pipe, by a hash of its name, which ends instructions in their order, or nearly. */
typedef struct TallyPipe {
    uint64_t hash;
    uint64_t latest; /* second reading: latest start of those that have ended */
} TallyPipe;

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
    KeyTable names; /* TallyName, by PC only */
    KeyTable pipes; /* TallyPipe, the same */
    uint32_t page;  /* place of the last one used: ids mostly come in order */
} Tally;

/* Kind of a record's key in the second reading. */
typedef enum TallyKind {
    TALLY_NONE = 0, /* has no partner */
    TALLY_ONCE = 1, /* an id that is once in each log */
    TALLY_MANY = 2  /* has a TallyKey */
} TallyKind;

void TallyInit(Tally *tally, bool by_id);
/* A record of a log. */
typedef struct TallyRecord {
    uint64_t key;
    uint64_t tick;
    const char *name;
    const char *pipe;
    uint32_t name_length;
    uint32_t pipe_length;
} TallyRecord;

/* Count a record; false without memory. Each log comes in order, both may come at the same time. */
bool TallyAddPopped(Tally *tally, const TallyRecord *record);
bool TallyAddInstr(Tally *tally, const TallyRecord *record);
/* A record of the instr log that is a user mark: its instruction is popped like any other. */
bool TallyAddMark(Tally *tally, const TallyRecord *record);
/* A record of the popped log that does not count, since the instruction waits to be popped. */
bool TallyAddQueued(Tally *tally, const TallyRecord *record);
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
    uint64_t popped_lost;  /* of those, with names that the instr log has; or ids without one */
    uint64_t popped_again; /* popped records at addresses with such ones, at the tick of another */
    /* popped records without a partner since walk (a) dropped more ends than were too many */
    uint64_t popped_torn;
    /* instr records without a partner, with names that the popped log has; or ids without one */
    uint64_t instr_alone;
} TallySums;

/* Second reading: a pair of the key. By PC only. */
void TallyTake(Tally *tally, const TallyKey *key, uint64_t start, uint64_t end);
/* Popped records without a partner that were not in flight at the tick `last`, the end of both
 * logs: none of their name took half as long, and later ones of their pipe have ended, so that they
 * did not wait either. All pairs are made. */
uint64_t TallyOverdue(const Tally *tally, uint64_t last);

TallySums TallySum(const Tally *tally);
void TallyFinish(Tally *tally);

#endif
