/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_RULES_H
#define PARSE_DBI_RULES_H

#include "record.h"

#include <opprof/kit/formula.h>

/*
 * How the fields of a record become memory accesses: a rule of the chip file (`dbi.rules`), in
 * formulas of whole numbers over the record's values. Record types name their rule.
 */

/* Accesses of one record: far more than fit into any on-chip memory, so a record with more is
 * wrong. */
#define DBI_MAX_ACCESSES (UINT64_C(1) << 24)

typedef enum DbiOutcome {
    DBI_GOOD,
    DBI_INVALID,  /* impossible parameters of an instruction: no access */
    DBI_TOO_MANY, /* more than DBI_MAX_ACCESSES: no access */
    DBI_STOPPED   /* the sink stopped */
} DbiOutcome;

/*
 * A formula of a rule. Kernels repeat the same instruction at other addresses, so values that do
 * not depend on a field of 64 bits are kept until a record differs in another field.
 */
typedef struct DbiFormula {
    OpprofFormula *whole; /* NULL: the rule has none */
    bool turns;           /* it depends on a loop */
    bool varies;          /* it depends on a loop or a field of 64 bits */
    uint64_t value;       /* of the last record */
} DbiFormula;

typedef struct DbiRuleRun {
    DbiFormula parts[DBI_RUN_PART_COUNT];
} DbiRuleRun;

/* A rule for one record type, which owns the formulas. */
struct DbiRule {
    const char *name; /* borrowed from the chip */
    uint64_t shape
        [DBI_MAX_FIELDS]; /* fields of the last record, by place; those of 64 bits are ignored */
    bool has_shape;
    DbiRun kept[DBI_MAX_RUNS]; /* of the last record, for records that differ only in addresses */
    DbiFormula lets[DBI_MAX_LETS];   /* each needs only earlier ones */
    uint32_t let_count;              /* their values are DBI_FIRST_LET and following */
    DbiFormula loops[DBI_MAX_LOOPS]; /* numbers of turns; the outermost loop first */
    uint32_t loop_count;             /* their turns are DBI_FIRST_LOOP and following */
    DbiFormula invalid;
    DbiFormula rough;
    DbiRuleRun runs[DBI_MAX_RUNS];
    uint32_t run_count;
    bool varies;          /* a formula depends on more than the shape, or there are loops */
    bool wraps;           /* addresses are modulo 2^64; else they stay at the top */
    bool states_memories; /* each run states its memories */
};

/*
 * Compile the rule of a record type. OPPROF_E_DATA names the faulty formula. Without such a rule
 * *ret_rule is NULL. The tables keep the rule.
 */
OpprofStatus DbiRuleMake(const OpprofChip *chip, const DbiTables *tables, const DbiLayout *layout,
                         DbiRule **ret_rule, OpprofError **error);
void DbiRuleFree(DbiRule *rule);

/* Pass all accesses of a record to the sink. *ret_is_rough: sizes are right, addresses of one side
 * are unknown. */
DbiOutcome DbiDecompose(DbiRecord *record, const DbiSink *sink, bool *ret_is_rough);

#endif
