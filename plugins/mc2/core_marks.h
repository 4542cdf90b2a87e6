/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_CORE_MARKS_H
#define MC2_CORE_MARKS_H

#include "blocks.h"

/*
 * Time stamps that kernels write (aic_timestamp.bin): calls of communication interfaces and marks
 * of users, or the log of collective kernels (LCCL). Turns them into pairs.
 */

#define CORE_MARK_BYTES 24u
#define LCCL_MARK_BYTES 32u

/* A stamp, of either kind of record. */
typedef struct CoreMark {
    uint64_t time; /* system counter */
    uint64_t pc;
    uint32_t block;     /* as written */
    uint32_t id;        /* what is marked */
    uint32_t operation; /* LCCL only, as the next */
    uint32_t reserved;
} CoreMark;

/* From bytes of CORE_MARK_BYTES and LCCL_MARK_BYTES. */
CoreMark CoreMarkRead(const unsigned char *record);
CoreMark LcclMarkRead(const unsigned char *record);

/* The bytes of a stamp again, LCCL_MARK_BYTES at most; returns how many. */
uint32_t CoreMarkBytes(const CoreMark *mark, bool is_lccl, unsigned char *bytes);

/* How the numbers of blocks are stored. */
typedef enum BlockFormat {
    BLOCK_FORMAT_OLD, /* a number; from 50 on a cube block */
    BLOCK_FORMAT_NEW  /* physical core and block */
} BlockFormat;

/* Format of a launch's marks; zero at first. */
typedef struct BlockVotes {
    bool has_upper; /* a number with a physical core */
    bool has_low;   /* a number below 50 */
} BlockVotes;

void BlockVote(BlockVotes *votes, uint32_t block);
BlockFormat BlockVotesFormat(const BlockVotes *votes, const Blocks *blocks);

/* Kind and number of the block that a mark names. */
void BlockDecode(BlockFormat format, const Mc2Facts *facts, uint32_t block, bool *ret_is_cube,
                 uint32_t *ret_number);

typedef enum CoreMarkKind {
    CORE_MARKS_PLAIN, /* only marks of users */
    CORE_MARKS_MC2,   /* also calls of interfaces */
    CORE_MARKS_LCCL
} CoreMarkKind;

/* Two marks that belong together. */
typedef struct MarkPair {
    CoreMark start;
    uint64_t end;
    uint32_t number; /* of the block */
    bool is_cube;
    bool is_user;
} MarkPair;

typedef struct MarkCounts {
    uint64_t marks;
    uint64_t pairs;
    uint64_t early;    /* before the launch's zero: of an earlier launch, normal */
    uint64_t repeated; /* repeated starts while one is open: the first one counts */
    uint64_t without_start;
    uint64_t without_end; /* known at the end */
    uint64_t backwards;   /* ends before their start, or at it for users' marks */
    uint64_t no_block;    /* of blocks that no other record mentions */
    uint64_t outside;     /* starts or ends outside of their block's time */
    uint64_t again;       /* starts that are not later than the last one of their id and block */
    uint64_t unknown;     /* ids that are in no table */
} MarkCounts;

/* A mark that waits for its end. */
typedef struct OpenMark {
    CoreMark start;
    uint64_t latest; /* start that made a pair; 0: none yet */
    bool is_open;
    bool is_bad; /* a user's start that is dropped: its end goes with it */
} OpenMark;

/* Pairs the marks of one launch. Set the first five, the rest zero. */
typedef struct MarkPairing {
    CoreMarkKind kind;
    BlockFormat format;
    const Mc2Facts *facts; /* borrowed, as the next */
    const Blocks *blocks;
    uint64_t zero;
    OpprofMap map; /* index into open */
    OpenMark *open;
    size_t count;
    size_t capacity;
    MarkCounts counts;
} MarkPairing;

/* One mark. True in *ret_is_pair: *ret_pair is complete with it. False without memory. */
bool MarkPairingTake(MarkPairing *pairing, const CoreMark *mark, MarkPair *ret_pair,
                     bool *ret_is_pair);
/* All marks have been added. */
void MarkPairingEnd(MarkPairing *pairing);
void MarkPairingFinish(MarkPairing *pairing);

#endif
