/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_FORMULAS_H
#define BENCH_FORMULAS_H

#include "kit/metrics/metrics.h"

/* The formulas of all columns of a chip's tables, in the order of the chip file. */
typedef struct Formulas {
    OpprofChip *chip;
    OpprofMetrics *metrics;
    const OpprofFormula **columns;
    uint32_t count;
} Formulas;

/* False: says why. */
bool FormulasLoad(const char *soc, Formulas *ret_formulas);
void FormulasFree(Formulas *formulas);

/* A formula over the values of all inputs (NaN: absent), as formulas_to_c writes it. */
typedef double FormulaInC(const double *x);

/* The symbols, each after those it uses, with the inputs that they set; then the columns. */
extern FormulaInC *const formulas_symbols[];
extern const unsigned formulas_symbol_inputs[];
extern const unsigned formulas_symbol_count;
extern FormulaInC *const formulas_columns[];
extern const unsigned formulas_column_count;

#endif
