/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_METRICS_METRICS_H
#define KIT_METRICS_METRICS_H

#include <opprof/kit/metrics.h>
#include <opprof/map.h>

#include <pthread.h>

typedef enum MetricNameKind {
    METRIC_FACT,    /* a name that the row sets */
    METRIC_INDEXED, /* a name(key) that the row sets */
    METRIC_SYMBOL,  /* a shared formula */
    METRIC_CONSTANT /* a name(key) for which the chip file may have a number */
} MetricNameKind;

/* Meaning of an input; the input's number is its place in the table. */
typedef struct MetricName {
    char *name;
    char *key;                    /* NULL: none */
    const OpprofFormula *formula; /* symbols; NULL while it is being parsed */
    uint8_t kind;                 /* MetricNameKind */
    bool is_broken;               /* a symbol whose formula was refused: as if it did not exist */
    bool is_integer;
} MetricName;

/* ---- the formulas of a chip (metric_formulas.c) ---- */

/*
 * Formulas that the check of the chip or an analysis asked for, each compiled once. They belong to
 * the chip: any thread may use them, and what may differ between two analyses, the numbers of a
 * variant, are inputs.
 */
typedef struct MetricFormulas {
    const OpprofChip *chip;
    const OpprofFact *facts; /* NULL: the chip has no metrics */
    const OpprofFact *indexed;
    const OpprofFact *symbols;
    pthread_mutex_t lock; /* guards all that follows; a leaf */
    MetricName *names;
    OpprofTextMap by_name; /* "name(key)" to its place */
    uint32_t name_count;
    uint32_t name_capacity;
    uint32_t *order; /* symbols, each after those it uses */
    uint32_t order_count;
    uint32_t order_capacity;
    OpprofFormula **list;
    OpprofTextMap by_text; /* the objects around a formula and its text, to its place */
    uint32_t count;
    uint32_t capacity;
    uint32_t depth; /* symbols within symbols that are being parsed */
} MetricFormulas;

OpprofStatus MetricFormulasCreate(const OpprofChip *chip, MetricFormulas **ret_formulas,
                                  OpprofError **error);
void MetricFormulasFree(MetricFormulas *formulas);
/* As OpprofMetricsAdd. */
OpprofStatus MetricFormulasCompile(MetricFormulas *formulas, const char *name, const char *text,
                                   const OpprofMetricScope *scope,
                                   const OpprofFormula **ret_formula, OpprofError **error);
/* What an input is; its texts are the formulas'. */
MetricName MetricFormulasName(MetricFormulas *formulas, uint32_t input);

/* ---- those of one analysis (metrics.c) ---- */

/* A symbol that is evaluated for each row. */
typedef struct MetricSymbol {
    const OpprofFormula *formula;
    uint32_t input; /* that takes the value */
    bool is_integer;
} MetricSymbol;

struct OpprofMetrics {
    MetricFormulas *formulas;
    char *variant;
    uint32_t *used; /* inputs that the formulas use, a symbol before those of its own */
    OpprofMap is_used;
    uint32_t used_count;
    uint32_t used_capacity;
    OpprofMetricInput *inputs; /* made by sealing, as all that follows */
    uint32_t input_count;
    MetricSymbol *symbols; /* each after those it uses */
    uint32_t symbol_count;
    OpprofInputs values;
};

/* The formula belongs to those of the analysis. False without memory. */
bool MetricsUse(OpprofMetrics *metrics, const OpprofFormula *formula);
/* Bytes of a dotted path to a constant. */
#define METRIC_MAX_PLACE 512u
/* False: the chip file states no number for the variant. `place` has METRIC_MAX_PLACE bytes. */
bool MetricsConstant(const OpprofMetrics *metrics, const MetricName *name, double *ret_value,
                     char *place);

#endif
