/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the formulas of all tables of a chip file, in its order. */
#include "bench/formulas.h"

#include <stdio.h>
#include <stdlib.h>

static OpprofStatus add_column(Formulas *formulas, const OpprofFact *column, OpprofError **error)
{
    const OpprofMetricScope scope = { .members = column };
    const char *name = OpprofFactText(OpprofFactMember(column, "name"));
    const char *formula = OpprofFactText(OpprofFactMember(column, "is"));

    if (formula == NULL) {
        return OPPROF_OK; /* a column of the operator's facts */
    }
    const OpprofFormula **grown =
        reallocarray(formulas->columns, (size_t) formulas->count + 1, sizeof *formulas->columns);
    if (grown == NULL) {
        return OPPROF_E_MEMORY;
    }
    formulas->columns = grown;
    return OpprofMetricsAdd(formulas->metrics, name, formula, &scope,
                            &formulas->columns[formulas->count++], error);
}

static OpprofStatus load(const char *soc, Formulas *formulas, OpprofError **error)
{
    OpprofStatus status = OpprofChipLoad(soc, &formulas->chip, error);
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *table;

    if (status == OPPROF_OK) {
        status = OpprofMetricsCreate(formulas->chip, "default", &formulas->metrics, error);
    }
    const OpprofFact *tables =
        status == OPPROF_OK ? OpprofChipFact(formulas->chip, "metrics.tables") : NULL;
    while (status == OPPROF_OK && OpprofFactNext(tables, &walk, &name, &table)) {
        const OpprofFact *columns = OpprofFactMember(table, "columns");
        for (size_t i = 0; status == OPPROF_OK && i < OpprofFactCount(columns); i++) {
            status = add_column(formulas, OpprofFactAt(columns, i), error);
        }
    }
    return status == OPPROF_OK ? OpprofMetricsSeal(formulas->metrics, error) : status;
}

bool FormulasLoad(const char *soc, Formulas *ret_formulas)
{
    OpprofError *error = NULL;

    *ret_formulas = (Formulas){ .chip = NULL };
    const OpprofStatus status = load(soc, ret_formulas, &error);
    if (status != OPPROF_OK) {
        fprintf(stderr, "cannot load the formulas of '%s': %s\n", soc,
                error == NULL ? OpprofStatusName(status) : OpprofErrorMessage(error));
    }
    OpprofErrorDestroy(error);
    return status == OPPROF_OK;
}

void FormulasFree(Formulas *formulas)
{
    OpprofMetricsFree(formulas->metrics);
    OpprofChipFree(formulas->chip);
    free(formulas->columns);
    *formulas = (Formulas){ .chip = NULL };
}
