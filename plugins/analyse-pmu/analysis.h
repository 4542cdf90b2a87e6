/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_PMU_ANALYSIS_H
#define ANALYSE_PMU_ANALYSIS_H

/*
 * Shared by analyses of launches: a launch taken out of its batch, the chip's facts with the
 * metrics compiled for them, and the rows that formulas are evaluated over.
 */

#include <opprof/kit/metrics.h>
#include <opprof/records/onboard.h>
#include <opprof/stage.h>

/* The keys of one block: [first, end). */
typedef struct KeyBlock {
    uint32_t first;
    uint32_t end;
} KeyBlock;

/* A launch taken out of its batch, with aligned arrays: those of the batch, or copies. */
typedef struct LaunchView {
    const OpprofBatch *batch; /* borrowed while the launch is analysed */
    OpprofPmuLaunch launch;
    const OpprofPmuKey *keys;
    uint32_t key_count;
    const KeyBlock *blocks; /* for each key its block */
    const uint32_t *events;
    uint32_t event_count;
    const uint64_t *values;     /* key * event_count + column */
    const OpprofPmuMove *moves; /* by block */
    uint32_t move_count;
    const OpprofPmuOperand *operands; /* by index */
    uint32_t operand_count;
    void *copies[6]; /* of the copied arrays */
    uint32_t copy_count;
    bool has_moves;
    bool has_operands;
} LaunchView;

OpprofStatus LaunchViewTake(const OpprofBatch *batch, const OpprofPmuLaunch *launch,
                            LaunchView *ret_view, OpprofError **error);
void LaunchViewFinish(LaunchView *view);

static inline bool LaunchIsMix(const LaunchView *view)
{
    return (view->launch.flags & OPPROF_PMU_LAUNCH_MIX) != 0;
}

/* Keys of the block of keys[first], as [first, return). */
static inline uint32_t LaunchBlockEnd(const LaunchView *view, uint32_t first)
{
    return view->blocks[first].end;
}

/* Blocks and cores that a row of a table covers. */
typedef struct PmuRow {
    uint32_t first; /* its own keys: [first, end) of the launch's … */
    uint32_t end;
    const uint32_t *list;  /* … or, when not NULL, keys[list[first]] to keys[list[end - 1]] */
    uint32_t around_first; /* the keys of its block, or of the operator */
    uint32_t around_end;
    uint32_t kind; /* interned: only own keys of this kind count; absent: all */
} PmuRow;

/* The row of one key. */
PmuRow RowOfKey(const LaunchView *view, uint32_t key);
/* The row of all keys, or of all of one kind. */
PmuRow RowOfOperator(const LaunchView *view, uint32_t kind);

/* A chip's metrics, and how each of their inputs is found in a launch. Opaque. */
typedef struct PmuMetrics PmuMetrics;

/* Compiles the formulas that an analysis wants. */
typedef OpprofStatus PmuCompile(PmuMetrics *metrics, OpprofError **error);
/* Frees the compiled metrics. */
typedef void PmuForget(void *compiled);

#define PMU_MAX_SLOTS 4u /* kinds of cores that have only one place in a block */

#define PMU_KEPT_ROWS 4u /* a block has at most three keys */

/* The inputs of a key's row, derived symbols included. */
typedef struct PmuKeptRow {
    OpprofInputs inputs;
    uint32_t key;
    bool is_set; /* for the current launch */
} PmuKeptRow;

struct PmuMetrics {
    PmuMetrics *next;
    uint32_t chip_name; /* interned SoC */
    uint32_t variant;   /* interned */
    OpprofStage *stage;
    OpprofChip *chip;
    OpprofMetrics *metrics;
    void *compiled; /* owned by the analysis */
    PmuForget *forget;
    struct PmuSource *sources; /* one for each input */
    uint32_t source_count;
    uint32_t *events; /* launch layout that the sources' columns are valid for */
    uint32_t event_count;
    struct {
        uint32_t kind; /* interned */
        uint32_t slot; /* its place among a block's three cores */
    } slots[PMU_MAX_SLOTS];
    uint32_t slot_count;
    PmuKeptRow kept[PMU_KEPT_ROWS]; /* by key */
};

/*
 * The metrics for a launch's chip, compiled at first use and kept in *list.
 *
 * `compile` adds its formulas with OpprofMetricsAdd and leaves what it made in metrics->compiled.
 */
OpprofStatus PmuMetricsFind(PmuMetrics **list, OpprofStage *stage, const LaunchView *view,
                            PmuCompile *compile, PmuMetrics **ret_metrics, OpprofError **error);
void PmuMetricsFree(PmuMetrics *list);

/* Set all inputs to those of a row and derive the symbols; then formulas can be evaluated. */
void PmuMetricsSetRow(PmuMetrics *metrics, const LaunchView *view, const PmuRow *row);

/* The same for the row of a key, by turns among those of a block: each is computed once. */
void PmuMetricsSetKey(PmuMetrics *metrics, const LaunchView *view, uint32_t key);

/* A number as the data states it, interned; absent unless it is all digits. */
double PmuStatedNumber(OpprofStage *stage, uint32_t text);

/* Interned text of a fact of the chip, or OPPROF_NA_STRING. */
uint32_t PmuIntern(OpprofStage *stage, const char *text);

/* A placeholder, which begins with '{', and its replacement. */
typedef struct PmuPlaceholder {
    const char *name; /* NULL ends a list */
    const char *with; /* NULL: not replaced */
} PmuPlaceholder;

/* The text with all placeholders replaced; free with free(). NULL without memory. */
char *PmuReplace(const char *text, const PmuPlaceholder *all);

/* Sections of chip files that this family reads, for the descriptors of its modules. */
extern const OpprofChipTable pmu_chip_tables[];

#endif
