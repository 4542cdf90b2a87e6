/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_BIU_FACTS_H
#define MC2_BIU_FACTS_H

#include <opprof/kit/chip.h>

/*
 * What a chip file says about the streams of bus and pipe activity (`biu`): which control codes
 * words have (`biu.words`), or how the older records of two monitors lie (`biu.monitor`).
 */

#define BIU_CONTROLS 16u
#define BIU_PIPES 7u
#define BIU_MAX_PIECES 8u
#define BIU_NAME_ROOM 16u

/* What a control code of a word means. */
typedef enum BiuControl {
    BIU_CONTROL_MARK_0 = 0, /* a mark on pipe 0; the next codes are those of the other pipes */
    BIU_CONTROL_TIME = BIU_PIPES, /* time goes on, nothing else */
    BIU_CONTROL_STAMP,            /* a quarter of a start stamp */
    BIU_CONTROL_STATE             /* which pipes are busy */
} BiuControl;

/* Pieces of eight bytes of a record that make the 32 bytes of a monitor. */
typedef struct BiuPieces {
    uint16_t at[BIU_MAX_PIECES];
    uint32_t count; /* 0: the record has no such monitor */
} BiuPieces;

typedef struct BiuRecord {
    uint32_t size;
    BiuPieces flow;
    BiuPieces cycles;
} BiuRecord;

typedef struct BiuFacts {
    bool has_words;
    bool has_monitors;
    uint8_t controls[BIU_CONTROLS];             /* BiuControl of each code */
    char pipes[BIU_PIPES][BIU_NAME_ROOM];       /* "SCALAR" … */
    char short_pipes[BIU_PIPES][BIU_NAME_ROOM]; /* "SU" …, as the system profiler says */
    uint32_t groups;                            /* that the driver's channels have */
    uint64_t counter_hz;
    uint64_t core_hz;
    BiuRecord cube_record;
    BiuRecord vector_record;
} BiuFacts;

/* Fails with OPPROF_E_DATA and the member that is missing or wrong. */
OpprofStatus BiuFactsLoad(const OpprofChip *chip, BiuFacts *ret_facts, OpprofError **error);

#endif
