/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_CROSS_FLAGS_H
#define SIM_TIMELINE_CROSS_FLAGS_H

#include "flags.h"

#include "analyse-sim/common/instruction_facts.h"

/* Facts about flags between the cores of a block, `flags.between_cores`; missing texts are NULL. */
typedef struct CrossRule {
    const char *hub;   /* what the name of a block's hub begins with after the dot: "cube" */
    const char *spoke; /* the same for its other cores, which have numbers: "vec" */
    uint32_t spokes;   /* number of these cores */
    uint32_t ids;      /* of the hub's ids, number for each spoke: the first ones are spoke 0's */
    const char *pipe;  /* text before the pipe in operands: "PIPE:" */
    const char *id;    /* text before the id: "sync_id:" */
} CrossRule;

CrossRule CrossRuleOf(const InstructionFacts *words);

/* Flags between the hub and the spokes of one block: SET_INTRA_BLOCK and its kin. */
typedef enum CrossKind {
    CROSS_NONE = 0,
    CROSS_SET = 1,
    CROSS_WAIT = 2,
    CROSS_SET_I = 3, /* the …BLOCKI names pair among themselves */
    CROSS_WAIT_I = 4
} CrossKind;

CrossKind CrossKindOfName(const InstructionFacts *words, const char *name);
FlagSide CrossSide(CrossKind kind);

/* Contents of the detail of such an instruction. */
typedef struct CrossDetail {
    char pipe[11]; /* as printed */
    uint64_t sync_id;
} CrossDetail;

/* False unless the detail has the form "PIPE:<pipe>, … sync_id:<number>", with the rule's words. */
bool CrossDetailParse(const CrossRule *rule, const char *detail, size_t length,
                      CrossDetail *ret_detail);

/* Name of the lane for a pipe as printed in such a detail; NULL if none. */
const char *CrossPipeName(const InstructionFacts *words, const char *pipe);

#define CROSS_KEY_SIZE 96u

/*
 * Puts a key: the same text for a set and for the waits it may pair with, whichever cores they are
 * on. Returns its length, or 0 if the core's name is not that of a hub or spoke of a block.
 */
size_t CrossKey(const CrossRule *rule, const char *core, CrossKind kind, uint64_t sync_id,
                char text[CROSS_KEY_SIZE]);

#endif
