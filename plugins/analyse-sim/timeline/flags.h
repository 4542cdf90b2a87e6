/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_FLAGS_H
#define SIM_TIMELINE_FLAGS_H

#include <opprof/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which half of a flag. */
typedef enum FlagSide { FLAG_SET = 0, FLAG_WAIT = 1 } FlagSide;

/* A half that waits for its partner. */
typedef struct OpenFlag {
    uint64_t time;  /* where its end of the arrow is */
    uint64_t id;    /* number of the pair */
    uint32_t track; /* where it is drawn */
    uint32_t lane;  /* interned name of that lane */
    uint64_t place; /* of a flag between cores: in the line of its core */
    void *core;     /* that line */
    /* Needed to draw it together with its partner; unused if it is drawn at once. */
    uint64_t pc;
    uint64_t start; /* as it is drawn */
    uint64_t end;
    uint64_t issue;        /* by the control unit */
    uint32_t cache_cycles; /* as in OpprofSimInstruction; 0 if none are drawn */
    uint32_t name;         /* interned */
} OpenFlag;

/* Called for a half that will find no partner. */
typedef OpprofStatus FlagAlone(void *context, const char *key, size_t key_length, FlagSide side,
                               const OpenFlag *flag);

/*
 * Pairs the i-th set of a key with the i-th wait of the same key, in the order they come. Holds one
 * queue per key; a queue holds sets or waits, never both.
 */
typedef struct FlagTable FlagTable;

#define FLAG_KEYS_MAX 65536u      /* keys */
#define FLAG_KEY_LENGTH_MAX 1024u /* bytes; flags with longer keys find no partner */
#define FLAG_OPEN_MAX (1u << 20)  /* halves without partner */

/* Which half of which key. */
typedef struct FlagHalf {
    const char *key;
    size_t key_length;
    FlagSide side;
} FlagHalf;

/* `alone` may be NULL. NULL without memory. */
FlagTable *FlagTableCreate(FlagAlone *alone, void *context);
void FlagTableDestroy(FlagTable *table);

/*
 * A half arrives. If the other half of its pair has come already, it is taken out into *ret_partner
 * and *ret_found is true; else `flag` is kept until its partner comes. When a limit is passed the
 * table forgets all halves without partner.
 */
OpprofStatus FlagTableMeet(FlagTable *table, const FlagHalf *half, const OpenFlag *flag,
                           OpenFlag *ret_partner, bool *ret_found);

/*
 * Number of the next half of its key and side, from 0: the halves of a pair have the same number,
 * which no other pair of the key ever had, not even before a limit was passed.
 */
uint64_t FlagTableNext(const FlagTable *table, const char *key, size_t key_length, FlagSide side);

/* No more halves come: give up those without partner. These do not count as forgotten. */
OpprofStatus FlagTableEnd(FlagTable *table);

/* Halves that were forgotten because of a limit. */
uint64_t FlagTableForgotten(const FlagTable *table);

#endif
