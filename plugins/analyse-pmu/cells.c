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

/* A full batch goes on only when another cell comes, so that the last one can say that it is. */
static bool make_room(CellWriter *writer)
{
    if (writer->status != OPPROF_OK) {
        return false;
    }
    if (writer->batch != NULL && writer->batch->count == writer->batch->capacity) {
        writer->status = OpprofStagePush(writer->stage, writer->port, writer->batch);
        writer->batch = NULL;
    }
    if (writer->batch == NULL && writer->status == OPPROF_OK) {
        writer->batch = OpprofStageNewBatch(writer->stage, writer->port);
        writer->status = writer->batch == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    }
    if (writer->batch != NULL) {
        writer->batch->partition = writer->partition;
    }
    return writer->status == OPPROF_OK;
}

static void put(CellWriter *writer, const CellPlace *place, uint32_t column, uint32_t unit,
                const OpprofOnboardCell *value)
{
    OpprofOnboardCell *cell = OpprofBatchAppend(writer->batch);

    *cell = *value;
    cell->device = writer->launch->device;
    cell->kernel = writer->launch->kernel;
    cell->order = writer->launch->order;
    cell->group = place->group;
    cell->table = place->table;
    cell->row = place->row;
    cell->column = column;
    cell->unit = unit;
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

    if (make_room(writer)) {
        cell.integer = value;
        put(writer, place, column, unit, &cell);
    }
}

void CellReal(CellWriter *writer, const CellPlace *place, uint32_t column, uint32_t unit,
              double value)
{
    OpprofOnboardCell cell = nothing();

    if (make_room(writer)) {
        cell.real = value;
        put(writer, place, column, unit, &cell);
    }
}

void CellText(CellWriter *writer, const CellPlace *place, uint32_t column, const char *text)
{
    OpprofOnboardCell cell = nothing();

    if (!make_room(writer)) {
        return;
    }
    if (text != NULL) {
        const OpprofStatus status =
            OpprofBatchAppendText(writer->batch, text, strlen(text), &cell.text);
        if (status != OPPROF_OK) {
            writer->status = status;
            return;
        }
    }
    put(writer, place, column, OPPROF_NA_STRING, &cell);
}

void CellFormula(CellWriter *writer, const CellPlace *place, uint32_t column, uint32_t unit,
                 const PmuMetrics *metrics, const OpprofExpression *expression)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(metrics->metrics);

    if (OpprofExpressionIsInteger(expression)) {
        CellInteger(writer, place, column, unit, OpprofExpressionCount(expression, inputs));
    } else {
        CellReal(writer, place, column, unit, OpprofExpressionReal(expression, inputs));
    }
}

OpprofStatus CellsEnd(CellWriter *writer, OpprofError **error)
{
    OpprofBatch *batch = writer->batch;

    writer->batch = NULL;
    if (writer->status != OPPROF_OK) {
        OpprofBatchUnref(batch);
        return writer->status == OPPROF_CLOSED
                   ? OPPROF_CLOSED
                   : OpprofErrorSet(error, writer->status, "Cannot emit a view: %s",
                                    OpprofStatusName(writer->status));
    }
    if (batch == NULL) {
        return OPPROF_OK;
    }
    batch->watermark = UINT64_MAX;
    return OpprofStagePush(writer->stage, writer->port, batch);
}
