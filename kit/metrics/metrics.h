/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_METRICS_METRICS_H
#define KIT_METRICS_METRICS_H

#include <opprof/kit/metrics.h>
#include <opprof/map.h>

typedef enum MetricNameKind {
    METRIC_FACT,    /* a name that the row sets */
    METRIC_INDEXED, /* a name(key) that the row sets */
    METRIC_SYMBOL,  /* a shared formula */
    METRIC_NUMBER,  /* a name(key) for which the chip file has a number */
    METRIC_CONSTANT /* a name(key) for which it has none: always absent */
} MetricNameKind;

/* Meaning of an input; the input's number is its place in the table. */
typedef struct MetricName {
    char *name;
    char *key;                    /* NULL: none */
    const OpprofFormula *formula; /* symbols; NULL while it is being parsed */
    double number;                /* METRIC_NUMBER */
    char *place;                  /* METRIC_NUMBER: its dotted path in the chip file */
    uint8_t kind;                 /* MetricNameKind */
    bool is_broken;               /* a symbol whose formula was refused: as if it did not exist */
    bool is_integer;
} MetricName;

struct OpprofMetrics {
    const OpprofChip *chip;
    const OpprofFact *facts;
    const OpprofFact *indexed;
    const OpprofFact *symbols;
    char *variant;
    MetricName *names;
    OpprofTextMap by_name; /* "name(key)" to its place */
    uint32_t name_count;
    uint32_t name_capacity;
    uint32_t *order; /* symbols, each after those it uses */
    uint32_t order_count;
    uint32_t order_capacity;
    OpprofFormula **formulas;
    uint32_t formula_count;
    uint32_t formula_capacity;
    uint32_t depth;            /* symbols within symbols that are being parsed */
    OpprofMetricInput *inputs; /* made by sealing */
    uint32_t input_count;
    OpprofInputs values;
};

#endif
