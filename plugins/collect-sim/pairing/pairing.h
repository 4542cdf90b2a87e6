/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_PAIRING_H
#define COLLECT_SIM_PAIRING_PAIRING_H

/*
 * Pairs the popped log (issue: start) with the instr log (retirement: end) of one core, exactly and
 * in memory that depends on distinct PCs, user marks and instructions in flight. Lines are given by
 * their source: a reader of files, or a program that runs. Each line is given twice:
 *
 *   first   PairingCountPopped and PairingCountInstr, each log in its order, both in any: how many
 *           records each PC (or id) has and what pruning would leave of them, the logical core, the
 *           user marks, and how early the rest of a log can still be (horizon.h)
 *   second  PairingWants says whose next line is due, and PairingGive takes it. The instr log
 *           leads: its record number i of a PC takes record number i of the popped log, which is
 *           asked for until that turns up; what has no partner is dropped at once
 *
 * Pruning of a PC with unequal counts: (a) instr has more: a record at most 8 ticks after the last
 * kept one takes its place (parts of one instruction); (b) instr has fewer, also after (a): the
 * same for popped records exactly 1 tick after. Then the first min(n, m) of both pair up. Ids are
 * not pruned. So no pair is certain before all lines are counted.
 *
 * Knows nothing of stages, streams and files.
 */

#include "marks.h"
#include "overhead.h"

#include "collect-sim/lines/form.h"
#include "collect-sim/lines/pipes.h"
#include "collect-sim/lines/simt.h"
#include <opprof/error.h>

typedef struct Pairing Pairing;

/* A paired instruction. The text is valid during the call. */
typedef struct PairingRow {
    uint64_t pc;
    uint64_t id; /* OPPROF_NA_U64: none */
    uint64_t start;
    uint64_t end;
    uint64_t sequence; /* place in the popped log, from 0 */
    uint64_t floor;    /* no later row ends earlier; 0: no promise */
    uint32_t reach;    /* later rows start at end - reach or after it; 0: no promise */
    const char *detail;
    uint32_t detail_length;
    uint32_t name;
    uint32_t pipe;
    uint32_t cache_cycles; /* from fetch to issue; OPPROF_NA_U32: unknown */
    uint32_t ccu_cycles;   /* from there to the start */
    int16_t warp;
    int16_t scheduler;
} PairingRow;

/* An issued instruction that has a partner in the instr log. The text is valid during the call. */
typedef struct PairingIssue {
    uint64_t pc;
    uint64_t start;
    uint64_t sequence; /* place in the popped log, from 0 */
    const char *detail;
    uint32_t detail_length;
    uint32_t name;
} PairingIssue;

/* Receivers of results. */
typedef struct PairingSink {
    void *context;
    uint32_t (*intern)(void *context, const char *text, size_t length); /* 0 on failure */
    OpprofStatus (*row)(void *context, const PairingRow *row, OpprofError **error);
    /* Instructions in issue order, before they have retired; NULL: not wanted. */
    OpprofStatus (*issue)(void *context, const PairingIssue *issue, OpprofError **error);
    void *issue_context;
    Overhead *overhead; /* cycles before the start of rows; NULL: unknown. Borrowed */
} PairingSink;

/* The logs of a core. */
typedef enum PairingLog {
    PAIRING_POPPED = 0,
    PAIRING_INSTR,
    PAIRING_FETCHES, /* the instruction cache's, for PairingSink.overhead */
    PAIRING_ISSUES,  /* the control unit's, for the same */
    PAIRING_DONE     /* none: all rows are emitted */
} PairingLog;

/* How an instruction states its logical core: "MOV_XD_SPR XD:X11=0x2, SPR:BLOCKID, ". */
typedef struct PairingCoreWords {
    const char *name;      /* of the instruction; NULL: the logical core is not searched for */
    const char *block;     /* after the number of the block, without blanks */
    const char *sub_block; /* the same for the core in it */
} PairingCoreWords;

/* A line of the first reading that was printed as an instruction, but cannot be read. */
typedef void PairingOnBroken(void *context);

/* Instructions that end a program, in the logs of a core. */
typedef struct PairingEnd {
    uint64_t popped;
    uint64_t instr;
    bool is_popped_last; /* the last instruction of the popped log is one */
} PairingEnd;

typedef struct PairingOptions {
    SimPipes pipes;              /* meanings of printed pipes */
    bool by_id;                  /* pair by id instead of PC, and leave lines without an id out */
    PairingCoreWords core_words; /* to look for the logical core by */
    /* by which operands state warp, scheduler and thread masks; NULL: they do not. Borrowed */
    const SimtForms *threads;
    const char *left_out;  /* names of instructions to leave out, '|' between them; NULL: none */
    const char *ends;      /* the same of those that end a program; NULL: they are not known */
    const SimForms *forms; /* of lines; NULL: those of line.h. Borrowed */
    const SimMarkFacts *marks; /* words of user marks; NULL: none. Borrowed */
    size_t most_rows; /* rows held before the smallest are emitted anyway; 0: the default */
    PairingOnBroken *on_broken; /* NULL: not requested */
    void *context;              /* of on_broken */
} PairingOptions;

/* Counts so far. */
typedef struct PairingCounts {
    uint64_t lines;      /* read, in both logs, once */
    uint64_t no_records; /* of those, not a record by the grammar or without the required id */
    uint64_t broken;     /* of records of a running simulator, unreadable instructions */
    uint64_t left_out;   /* records dropped by rule: waiting to be popped, or left_out */
    uint64_t popped;     /* records to pair */
    uint64_t instr;
    uint64_t marks;          /* instr records that are user marks */
    uint64_t pruned;         /* records that replaced another one, in both logs */
    uint64_t alone;          /* records of both logs without a partner, after pruning */
    uint64_t backwards;      /* pairs that start after their end: dropped */
    uint64_t missing;        /* pairs of the first reading that the second one did not find */
    uint64_t popped_lines;   /* lines of the popped log that are records, left out or not */
    uint64_t instr_lines;    /* the same of the instr log */
    uint64_t popped_alone;   /* popped records without a partner that are not user marks */
    uint64_t popped_lost;    /* of those, what the instr log has at other times, or by id */
    uint64_t popped_doubled; /* of those, by PC, at most as many as were popped twice at one tick,
                              * or were lost as parts of one end */
    /* instr records without a partner, of instructions that the popped log has, or by id */
    uint64_t instr_alone;
    uint64_t overdue; /* after the second reading: of popped_alone, what took too long by far */
    uint64_t rows;    /* emitted rows */
    uint64_t peak_in_flight; /* most slots in use at once */
    bool is_out_of_order;    /* rows were emitted early, see most_rows */
} PairingCounts;

/* A log that was cut, by the ticks of both logs. */
typedef enum PairingCut {
    PAIRING_WHOLE = 0,
    PAIRING_POPPED_ENDS_EARLY,
    PAIRING_INSTR_ENDS_EARLY,
    PAIRING_POPPED_BEGINS_LATE,
    PAIRING_INSTR_BEGINS_LATE,
    PAIRING_POPPED_IS_SILENT, /* for a while */
    PAIRING_INSTR_IS_SILENT
} PairingCut;

/* Instructions that may be in flight while a log is silent: those of SIMT code are of up to 64
 * warps. */
#define PAIRING_IN_FLIGHT 64u
#define PAIRING_IN_FLIGHT_THREADS 512u

/* The logical core of a physical one. */
typedef struct PairingCore {
    bool has_block;
    bool has_sub;
    uint32_t block;
    uint32_t sub;
} PairingCore;

/* Create. Options are copied, what they point to is borrowed. NULL without memory. [any thread] */
Pairing *PairingCreate(const PairingOptions *options);
void PairingDestroy(Pairing *pairing);

/*
 * First reading: every line of both logs, and then its end. 64 bytes after a line must be readable,
 * here as in the second reading. False without memory.
 */
bool PairingCountPopped(Pairing *pairing, const char *line, size_t length);
bool PairingCountInstr(Pairing *pairing, const char *line, size_t length);
/* The same for the rest of a line after "[info] [TICK] ". */
bool PairingCountPoppedRest(Pairing *pairing, uint64_t tick, const char *rest, size_t length);
bool PairingCountInstrRest(Pairing *pairing, uint64_t tick, const char *rest, size_t length);
void PairingCountEnd(Pairing *pairing);

/* Bytes used by the first reading so far. */
size_t PairingHeld(const Pairing *pairing);

/* Begin the second reading: where its rows go. The sink is copied. */
void PairingStart(Pairing *pairing, const PairingSink *sink);

/* The log whose next line is needed. Rows come by end, then PC, start and
 * place in the popped log. */
PairingLog PairingWants(const Pairing *pairing);
/* The next line of that log. OPPROF_OK, or what a sink returned, or OPPROF_E_MEMORY. */
OpprofStatus PairingGive(Pairing *pairing, const char *line, size_t length, OpprofError **error);
/* That log has no more lines. */
OpprofStatus PairingGiveEnd(Pairing *pairing, OpprofError **error);

/* Emit the rows that are paired but held: the reading ends early. */
OpprofStatus PairingFlush(Pairing *pairing, OpprofError **error);

/* The logical core, as far as the popped log has stated it. */
PairingCore PairingGetCore(const Pairing *pairing);
/* The smallest address of the popped log; UINT64_MAX: it has no record. Complete after the first
 * reading. */
uint64_t PairingLowestPc(const Pairing *pairing);
/* Where the program ended. Complete after the first reading. */
PairingEnd PairingGetEnd(const Pairing *pairing);
/* Whether a PC has rows. Known after the first reading; for pairs by PC. */
bool PairingHasRows(const Pairing *pairing, uint64_t pc);
/* Whole user marks. Complete after the first reading. Borrowed. */
const Marks *PairingGetMarks(const Pairing *pairing, uint64_t *ret_nested, uint64_t *ret_open);
PairingCounts PairingGetCounts(const Pairing *pairing);
/*
 * Whether one log continues while the other is silent, for more records than can be in flight.
 * Known after the first reading.
 *
 * @param[out] ret_tick   Where the shorter log ends or begins, or its silence begins.
 * @param[out] ret_until  Where the silence ends.
 */
PairingCut PairingGetCut(const Pairing *pairing, uint64_t *ret_tick, uint64_t *ret_until);

/* The number of instructions that may be in flight. */
uint64_t PairingInFlight(const Pairing *pairing);

#endif
