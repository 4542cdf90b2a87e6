/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_METRICS_METRICS_INDEX_H
#define KIT_METRICS_METRICS_INDEX_H

#include <opprof/kit/chip.h>

/* Everything in a chip's metrics that has a name, by name. */

typedef enum MetricEntryKind {
    ENTRY_COLUMN,       /* of a table */
    ENTRY_LOAD,         /* of the compute load */
    ENTRY_SHAPE_COLUMN, /* of memory tables of one shape */
    ENTRY_ROW,          /* of memory tables */
    ENTRY_UNIT,         /* of the memory map */
    ENTRY_PATH,         /* of the memory map */
    ENTRY_LOADING,      /* of the occupancy */
    ENTRY_WORK,         /* of the roofline */
    ENTRY_SHARE,        /* of a work */
    ENTRY_LINE,         /* of the roofline */
    ENTRY_OPERATOR,     /* of the operator as a whole */
    ENTRY_SYMBOL,       /* formula that others share */
    ENTRY_FACT,         /* what a launch says */
    ENTRY_EVENT         /* of the PMU */
} MetricEntryKind;

typedef struct MetricEntry {
    char *name;
    /* dotted path in the chip file, with indices: "metrics.tables.L2Cache.columns[4]" */
    char *place;
    char *where;             /* for people: "column of the table 'L2Cache'" */
    const OpprofFact *fact;  /* borrowed from the chip, as are the next ones */
    const OpprofFact *outer; /* members that its formulas may name as well; NULL: none */
    const OpprofFact *shape; /* whose columns are calculated from its members; NULL: none */
    const char *operand;     /* what {operand} stands for; NULL: nothing */
    MetricEntryKind kind;
} MetricEntry;

typedef struct MetricIndex {
    MetricEntry *entries;
    size_t count;
    size_t capacity;
} MetricIndex;

/* False without memory; finish the index in any case. */
bool MetricIndexInit(MetricIndex *index, const OpprofChip *chip);
void MetricIndexFinish(MetricIndex *index);

/*
 * How the index spells a name: as it is, else in any case, else without the unit in brackets at its
 * end
 * ("aic_time" for "aic_time(us)"). OPPROF_E_NOT_FOUND names the nearest ones, OPPROF_E_ARGUMENT
 * those it could be.
 */
OpprofStatus MetricIndexFind(const MetricIndex *index, const OpprofChip *chip, const char *name,
                             const char **ret_name, OpprofError **error);

/* The text with what {operand} stands for; to be given to free(). NULL without memory. */
char *MetricText(const MetricEntry *entry, const char *text);

#endif
