/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the cells of a launch's views. Tested by tests/plugins/parse-pmu/test_cases.sh. */
#include "cells.h"

#include <string.h>

void CellsBegin(CellWriter *writer, OpprofStage *stage, uint32_t port, const LaunchView *view)
{
    *writer = (CellWriter){
        .stage = stage, .port = port, .partition = view->batch->partition, .launch = &view->launch
    };
}

static void put(CellWriter *writer, const CellPlace *place, uint32_t column, uint32_t unit,
                OpprofOnboardCell *cell)
{
    cell->device = writer->launch->device;
    cell->kernel = writer->launch->kernel;
    cell->order = writer->launch->order;
    cell->group = place->group;
    cell->table = place->table;
    cell->row = place->row;
    cell->column = column;
    cell->unit = unit;
    if (writer->status == OPPROF_OK) {
        writer->status = OpprofStageAppend(writer->stage, writer->port, writer->partition, cell);
    }
}

static OpprofOnboardCell nothing(void)
{
    return (OpprofOnboardCell){ .integer = OPPROF_NA_U64,
                                .real = OpprofNaF64(),
                                .text = { OPPROF_NA_U32, 0 } };
}

void CellInteger(CellWriter *writer, const CellPlace *place, uint32_t column, uint32_t unit,
                 uint64_t value)
{
    OpprofOnboardCell cell = nothing();

    cell.integer = value;
    put(writer, place, column, unit, &cell);
}

void CellReal(CellWriter *writer, const CellPlace *place, uint32_t column, uint32_t unit,
              double value)
{
    OpprofOnboardCell cell = nothing();

    cell.real = value;
    put(writer, place, column, unit, &cell);
}

void CellText(CellWriter *writer, const CellPlace *place, uint32_t column, const char *text)
{
    OpprofOnboardCell cell = nothing();

    if (text != NULL && writer->status == OPPROF_OK) {
        writer->status = OpprofStageText(writer->stage, writer->port, writer->partition, text,
                                         strlen(text), &cell.text);
    }
    put(writer, place, column, OPPROF_NA_STRING, &cell);
}

void CellFormula(CellWriter *writer, const CellPlace *place, uint32_t column, uint32_t unit,
                 const PmuMetrics *metrics, const OpprofFormula *formula)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(metrics->metrics);

    if (OpprofFormulaIsInteger(formula)) {
        CellInteger(writer, place, column, unit, OpprofFormulaCount(formula, inputs));
    } else {
        CellReal(writer, place, column, unit, OpprofFormulaReal(formula, inputs));
    }
}

OpprofStatus CellsEnd(CellWriter *writer, OpprofError **error)
{
    if (writer->status != OPPROF_OK) {
        return OpprofErrorExplain(error, writer->status, "Cannot emit a view");
    }
    return OpprofStagePushOpen(writer->stage, writer->port, UINT64_MAX);
}
