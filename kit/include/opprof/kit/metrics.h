/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_METRICS_H
#define OPPROF_KIT_METRICS_H

/**
 * @file
 * Metrics of a chip: formulas of its file (formula.h), bound to the names that the file declares.
 * Experimental.
 *
 * A name in a formula is looked up among
 *   - the members of the objects around the formula (a row's `requests`, its shape's defaults),
 *   - `metrics.symbols`: formulas that others share, evaluated once per row,
 *   - `metrics.facts`: what the evaluating stage knows of the row (`total_cycles`),
 *   - `metrics.indexed`, as name(key): counters (`e(10)`), and constants (`peak(GM_TO_L1)`).
 * See docs/chips/metrics.md.
 *
 * Use: create, add all formulas, seal; then for each row set the inputs, derive, evaluate.
 */

#include <opprof/kit/chip.h>
#include <opprof/kit/facts.h>
#include <opprof/kit/formula.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Formulas of one chip, and their inputs. The chip keeps each compiled formula for all metrics.
 * Opaque; one thread at a time. */
typedef struct OpprofMetrics OpprofMetrics;

/** Objects whose members a formula may name, the innermost first. */
typedef struct OpprofMetricScope {
    const OpprofFact *members; /**< An object: texts are formulas, numbers are numbers. */
    const struct OpprofMetricScope *outer; /**< The next outer one, or NULL. */
} OpprofMetricScope;

/** Something to be set for each row. */
typedef struct OpprofMetricInput {
    const char *name; /**< "total_cycles", "e". Borrowed from the metrics. */
    /** "10"; NULL without one. A number is in decimal. Borrowed from the metrics. */
    const char *key;
    uint32_t input;  /**< Which of the inputs. */
    bool is_integer; /**< Set it with OpprofInputsCount; else with OpprofInputsReal. */
} OpprofMetricInput;

/**
 * Begin.
 *
 * @param chip     Borrowed; outlives the metrics.
 * @param variant  What "@variant" stands for in `metrics.indexed` ("default": the memory vendor).
 * @param[out] ret_metrics  To be given to OpprofMetricsFree.
 * @return OPPROF_OK; OPPROF_E_DATA: the chip file has no metrics; OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus OpprofMetricsCreate(const OpprofChip *chip, const char *variant,
                                 OpprofMetrics **ret_metrics, OpprofError **error);

/** Free. NULL is allowed. [owner] */
void OpprofMetricsFree(OpprofMetrics *metrics);

/**
 * Add a formula.
 *
 * @param name              For messages.
 * @param text              NUL-terminated. Borrowed for the call.
 * @param scope             May be NULL.
 * @param[out] ret_formula  Borrowed from the chip. Evaluate it over OpprofMetricsInputs.
 * @return OPPROF_OK; OPPROF_E_DATA with the column and the chip; OPPROF_E_LIMIT; OPPROF_E_MEMORY.
 *         [owner]
 */
OpprofStatus OpprofMetricsAdd(OpprofMetrics *metrics, const char *name, const char *text,
                              const OpprofMetricScope *scope, const OpprofFormula **ret_formula,
                              OpprofError **error);

/**
 * As OpprofFactsBind, of the metrics' chip: formulas that fill a structure are added.
 *
 * @param path   Below `metrics`, such as "metrics.tables".
 * @param table  Static.
 * @param[out] ret_bound  As there.
 * @return As there. [owner]
 */
OpprofStatus OpprofMetricsBind(OpprofMetrics *metrics, const char *path,
                               const OpprofFactTable *table, void *ret_bound, OpprofError **error);

/** No more formulas. OPPROF_OK or OPPROF_E_MEMORY. [owner] */
OpprofStatus OpprofMetricsSeal(OpprofMetrics *metrics, OpprofError **error);

/** The inputs to be set for each row, `ret_count` of them. Borrowed. [owner] */
const OpprofMetricInput *OpprofMetricsInputList(const OpprofMetrics *metrics, size_t *ret_count);

/** Where to set each of them for a row, after sealing. Others keep their values. Borrowed.
 * [owner] */
OpprofInputs *OpprofMetricsInputs(OpprofMetrics *metrics);

/** Evaluate the symbols, when all inputs of the row are set. [owner] */
void OpprofMetricsDerive(OpprofMetrics *metrics);

/**
 * Say why a formula's value is absent ("e(1292) is absent"), in at most `size` bytes with the NUL.
 * [owner]
 *
 * @param formula  One of OpprofMetricsAdd.
 * @param[out] text   Of `size` bytes, at least 1.
 */
void OpprofMetricsWhy(const OpprofMetrics *metrics, const OpprofFormula *formula, char *text,
                      size_t size);

/**
 * Explain everything that has a name in the chip's metrics: where it stands, its formula and unit,
 * and for each input what it is, its unit and where it comes from.
 *
 * @param name  Such as "aic_cube_ratio" or "peak(GM_TO_L1)"; in any case, and without the unit at
 *              its end, as long as one name only is meant. "all" lists the names.
 * @param out   Open for writing. Borrowed.
 * @return OPPROF_OK; OPPROF_E_NOT_FOUND with the nearest names; OPPROF_E_ARGUMENT with the names it
 *         could be; OPPROF_E_DATA; OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus OpprofMetricsExplain(const OpprofChip *chip, const char *name, FILE *out,
                                  OpprofError **error);

#ifdef __cplusplus
}
#endif

#endif
