/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_RULES_H
#define PARSE_DBI_RULES_H

#include "record.h"

/*
 * How the fields of a record become memory accesses. Chip files name a rule for each record type.
 */

#define DBI_BLOCK 32u    /* bytes: the unit of bursts and gaps */
#define DBI_FRACTAL 512u /* bytes: the unit of matrix loads */

/* Accesses of one record: far more than fit into any on-chip memory, so its counts cannot be true.
 */
#define DBI_MAX_ACCESSES (UINT64_C(1) << 24)

typedef enum DbiOutcome {
    DBI_GOOD,
    DBI_INVALID,  /* parameters that an instruction cannot have: no access */
    DBI_TOO_MANY, /* more than DBI_MAX_ACCESSES: no access */
    DBI_STOPPED   /* the sink said so */
} DbiOutcome;

/* A record on its way into accesses. */
typedef struct DbiEmit {
    const DbiRecord *record;
    const DbiSink *sink;
    bool is_stopped;
    bool is_rough; /* sizes are right, addresses of one side are not known */
} DbiEmit;

struct DbiRule {
    const char *name;
    DbiOutcome (*run)(DbiEmit *emit);
};

/* The rule of that name, NULL if none. */
const DbiRule *DbiRuleFind(const char *name);

/* Give all accesses of a record to the sink. *ret_is_rough: see DbiEmit. */
DbiOutcome DbiDecompose(const DbiRecord *record, const DbiSink *sink, bool *ret_is_rough);

/* What rules are made of */

/* Sums and products that stay at the top instead of passing 2^64. */
uint64_t DbiAdd(uint64_t a, uint64_t b);
uint64_t DbiMul(uint64_t a, uint64_t b);
/* Rounded up to whole blocks of 32 bytes. */
uint64_t DbiAlign(uint64_t bytes);

/* Accesses whose addresses saturate. */
void DbiEmitRun(DbiEmit *emit, const DbiRun *run);
/* As above, with source addresses that go down by src_step; below 0 they are at the top. */
void DbiEmitDown(DbiEmit *emit, const DbiRun *run);
/* Accesses as they are. */
void DbiEmitPlain(DbiEmit *emit, const DbiRun *run);

/* A run between the record's memories. */
DbiRun DbiRunOf(const DbiEmit *emit, uint64_t src_bytes, uint64_t dst_bytes, uint64_t count);

/* DBI_GOOD if so many accesses can be. */
DbiOutcome DbiCheckCount(uint64_t count);

/* The rules */
DbiOutcome DbiBursts(DbiEmit *emit);
DbiOutcome DbiAlignedBursts(DbiEmit *emit);
DbiOutcome DbiLoopedBursts(DbiEmit *emit);
DbiOutcome DbiFractals(DbiEmit *emit);
DbiOutcome DbiTransposedFractals(DbiEmit *emit);
DbiOutcome DbiFractalBlock(DbiEmit *emit);
DbiOutcome DbiScaleBlock(DbiEmit *emit);
DbiOutcome DbiPackedFractals(DbiEmit *emit);
DbiOutcome DbiFill(DbiEmit *emit);
DbiOutcome DbiNdRows(DbiEmit *emit);
DbiOutcome DbiDnLoops(DbiEmit *emit);
DbiOutcome DbiNdOrDnLoops(DbiEmit *emit);
DbiOutcome DbiFixPipe(DbiEmit *emit);
DbiOutcome DbiStrictFixPipe(DbiEmit *emit);
DbiOutcome DbiNestedLoops(DbiEmit *emit);
DbiOutcome DbiThreadAccess(DbiEmit *emit);
DbiOutcome DbiThreadAtomic(DbiEmit *emit);

#endif
