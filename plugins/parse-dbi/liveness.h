/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_LIVENESS_H
#define PARSE_DBI_LIVENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The registers in use at each instruction. */

#define LIVENESS_MAX_KINDS 64u

typedef struct LiveRegister {
    uint16_t index;
    uint16_t operation; /* 0 space, 1 read, 2 write, 3 both, 4 in use */
    uint32_t kind;      /* 0 R, 1 S, 2 P, 3 X */
    uint32_t survival;  /* instructions of the run of uses that begins here; 0: it began earlier */
    uint32_t place;     /* of the instruction */
} LiveRegister;

/* Registers of one kind. */
typedef struct LiveKind {
    uint32_t kind;  /* as of LiveRegister */
    uint64_t total; /* number of registers that the code has; 0 if the file does not say */
} LiveKind;

typedef struct LiveFunction {
    char *name;    /* NULL if the file does not say */
    int64_t start; /* place of its first instruction; -1 if the file does not say */
} LiveFunction;

/* Zeroed memory is empty. */
typedef struct Liveness {
    LiveKind kinds[LIVENESS_MAX_KINDS]; /* in the order of the file */
    size_t kind_count;
    LiveFunction *functions; /* in the order of the file */
    size_t function_count;
    uint64_t *addresses; /* of the instructions, in their order */
    size_t count;
    LiveRegister *registers; /* by kind, then by instruction */
    size_t register_count;
    size_t register_capacity;
} Liveness;

typedef enum LivenessOutcome { LIVENESS_GOOD, LIVENESS_BAD, LIVENESS_NO_MEMORY } LivenessOutcome;

/*
 * Read a whole file. A file that contradicts itself is rejected.
 *
 * @param[out] ret_why What is wrong, static; and the byte where.
 */
LivenessOutcome LivenessRead(Liveness *liveness, const unsigned char *bytes, size_t length,
                             const char **ret_why, size_t *ret_where);
void LivenessFinish(Liveness *liveness);

/* Letter of a kind of registers. */
char LivenessLetter(uint32_t kind);

#endif
