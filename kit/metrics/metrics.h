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
    char *key;                       /* NULL: none */
    const OpprofFormula *expression; /* symbols; NULL while it is being parsed */
    double number;                   /* METRIC_NUMBER */
    char *place;                     /* METRIC_NUMBER: its dotted path in the chip file */
    uint8_t kind;                    /* MetricNameKind */
    bool is_broken; /* a symbol whose formula was refused: as if it did not exist */
    bool is_integer;
} MetricName;

/* A formula that was added. Its text follows the members, with its NUL. */
typedef struct MetricAdded {
    const OpprofFormula *expression;
    size_t scopes;               /* objects around it */
    const OpprofFact *members[]; /* of those, the innermost first */
} MetricAdded;

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
    OpprofFormula **expressions;
    uint32_t expression_count;
    uint32_t expression_capacity;
    uint32_t depth;            /* symbols within symbols that are being parsed */
    OpprofMetricInput *inputs; /* made by sealing */
    uint32_t input_count;
    OpprofInputs values;
    MetricAdded **added; /* in their order */
    uint32_t added_count;
    uint32_t added_capacity;
    uint32_t repeated; /* of `added`: taken over, and then added once more */
    const void *owner; /* NULL: not to be kept */
    bool is_odd;       /* nor then: a formula was refused, or others than before were added */
    struct OpprofMetrics *next; /* kept */
};

/* Free all of it. */
void MetricsDestroy(OpprofMetrics *metrics);

/* Take over those of the same chip, variant and owner, if there are some. */
void MetricsTakeOver(OpprofMetrics *metrics, const void *owner);
/* The next formula, if that is what was added before; NULL: it is not. */
const OpprofFormula *MetricsRepeat(OpprofMetrics *metrics, const char *formula,
                                   const OpprofMetricScope *scope);
/* Note a formula. False without memory. */
bool MetricsNote(OpprofMetrics *metrics, const char *formula, const OpprofMetricScope *scope,
                 const OpprofFormula *expression);
/* The metrics are not used any more. */
void MetricsKeep(OpprofMetrics *metrics);
/* Free the kept metrics. No thread may use a chip meanwhile. */
void MetricsForget(void);

#endif
