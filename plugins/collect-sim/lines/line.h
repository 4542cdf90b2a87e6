/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LINES_LINE_H
#define COLLECT_SIM_LINES_LINE_H

/*
 * The grammar of instruction lines, the same for the popped and the instr log of every chip:
 *
 *   line    := ["[info] "] "[" TICK "]" [ws] "(PC: " PC ")" ["@CORE" D1-2] [ws] PIPE
 *              [" ISSUE" | " IB ISSUE"] ws* [BODY] anything
 *   BODY    := ": (Binary: " BIN ") " ["(ID: " ID ")" ws] NAME
 *              [("(" | ws ws | ws) (DETAIL | JSON) [")" | " "]] [", instr ID is: " D+ any]
 *              [POPTAIL]
 *   POPTAIL := ["."] " " ("poped from IQ" | "pop success " D+)
 *   TICK := digits         PC := "0x" + 1..16 of 0-9a-f       PIPE := 1+ of A-Za-z0-3_
 *   BIN  := "0x" + 8..34 of 0-9a-f and blank                  ID := 6..15 digits
 *   NAME := 0+ of 0-9A-Za-z_-   DETAIL := 0+ of [ ] | letters digits _ , blank : = / # -
 *   JSON := "{" any "}"; this, and operands after one blank that is not POPTAIL's, with an ID only
 *   ws   := one white-space character; "any" and "anything" hold no carriage return
 *
 * It is greedy and backtracks as a regular expression does, so a line with a good head and a
 * strange tail is a record all the same. See line.c for why one look at each byte decides that
 * exactly.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A parsed line. Texts point into the line and have no terminator. */
typedef struct SimLine {
    uint64_t tick;
    uint64_t pc;
    uint64_t id; /* OPPROF_NA_U64: none */
    const char *pipe;
    const char *name;
    const char *detail; /* with its blanks */
    uint32_t pipe_length;
    uint32_t name_length;
    uint32_t detail_length;
    bool poped_from_queue;  /* POPTAIL begins with "poped from IQ" */
    bool may_have_register; /* worth checking with SimMarkFactsHasRegister */
} SimLine;

/* Why the rest of a line, after its head, may be needed. */
typedef struct SimLineWatch {
    char byte;        /* texts to be checked contain this before … */
    char after[2];    /* … one of these */
    bool is_any;      /* all lines are needed */
    const char *name; /* and so are lines with this name; NULL: none */
    uint32_t name_length;
} SimLineWatch;

/*
 * Parse a line. At least 64 bytes after it are readable.
 *
 * @param registers  What operands of user marks have (mark_facts.h).
 * Returns false if it is not a record; *ret_line is then undefined. A tick that does not fit into
 * 64 bits, or is the absent value, makes no record.
 */
bool SimLineParse(const char *line, size_t length, const SimLineWatch *registers,
                  SimLine *ret_line);

/* "poped from IQ" of popped logs. */
extern const SimLineWatch sim_watch_popped;
/*
 * As SimLineParse, but detail and poped_from_queue stay empty if the line contains nothing that is
 * watched for: the cheap variant for counting.
 */
bool SimLineParseBrief(const char *line, size_t length, const SimLineWatch *watch,
                       SimLine *ret_line);

/*
 * The same for a line whose tick is known: "[info] [TICK] " and `rest`. Lines of a running program
 * are parsed before they are printed.
 */
bool SimRestParse(uint64_t tick, const char *rest, size_t length, const SimLineWatch *registers,
                  SimLine *ret_line);
bool SimRestParseBrief(uint64_t tick, const char *rest, size_t length, const SimLineWatch *watch,
                       SimLine *ret_line);

/*
 * How many bytes of a line that may be cut can be trusted. Its head must be complete, with time,
 * place and name, else 0. An operand at the very end may lack digits and is left out. Used as a
 * SimLogTrim.
 */
size_t SimLineTrim(const char *line, size_t length);

/*
 * Whether a line that is not a record was printed as one all the same: it says where an instruction
 * is and what it is, but its tick, its address or what stands before them cannot be read.
 */
bool SimLineIsBroken(const char *line, size_t length);

/* True if the name is in a list with '|' between its elements. */
bool SimLineNameIsOneOf(const SimLine *line, const char *names);

#endif
