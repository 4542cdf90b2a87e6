/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the cells of a launch's view until all have arrived.
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "view_cells.h"

#include <math.h>
#include <opprof/grow.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define DECIMALS 6u /* of reals that are shown as text */

bool ViewCellsAdd(ViewCells *view, const OpprofBatch *batch, const OpprofOnboardCell *cell)
{
    const char *text = OpprofBatchText(batch, cell->text);

    if (!OpprofGrow(&view->cells, &view->capacity, view->count + 1, sizeof *view->cells)) {
        return false;
    }
    view->device = cell->device;
    view->kernel = cell->kernel;
    view->order = cell->order;
    view->cells[view->count++] = (ViewCell){ .integer = cell->integer,
                                             .real = cell->real,
                                             .group = cell->group,
                                             .table = cell->table,
                                             .row = cell->row,
                                             .column = cell->column,
                                             .unit = cell->unit,
                                             .text_length = cell->text.length,
                                             .text = text == NULL ? SIZE_MAX : view->texts.length };
    if (text != NULL) {
        OpprofJsonPutBytes(&view->texts, text, cell->text.length);
        OpprofJsonPutBytes(&view->texts, "", 1);
    }
    return !view->texts.is_short;
}

void ViewCellsClear(ViewCells *view)
{
    view->count = 0;
    view->texts.length = 0;
}

void ViewCellsFinish(ViewCells *view)
{
    free(view->cells);
    OpprofJsonOutFinish(&view->texts);
    *view = (ViewCells){ .stage = view->stage };
}

size_t ViewGroupEnd(const ViewCells *view, size_t first)
{
    size_t end = first;

    while (end < view->count && view->cells[end].group == view->cells[first].group) {
        end++;
    }
    return end;
}

size_t ViewTableEnd(const ViewCells *view, size_t first)
{
    size_t end = first;

    while (end < view->count && view->cells[end].group == view->cells[first].group &&
           view->cells[end].table == view->cells[first].table) {
        end++;
    }
    return end;
}

size_t ViewRowEnd(const ViewCells *view, size_t first)
{
    const ViewCell *row = &view->cells[first];
    size_t end = first;

    while (end < view->count && view->cells[end].group == row->group &&
           view->cells[end].table == row->table && view->cells[end].row == row->row) {
        end++;
    }
    return end;
}

const char *ViewName(const ViewCells *view, uint32_t id)
{
    return OpprofStageString(view->stage, id);
}

const char *ViewText(const ViewCells *view, const ViewCell *cell)
{
    return cell->text == SIZE_MAX ? "" : view->texts.text + cell->text;
}

bool ViewIsColumn(const ViewCells *view, const ViewCell *cell, const char *name)
{
    return strcmp(ViewName(view, cell->column), name) == 0;
}

void ViewPutText(const ViewCells *view, const ViewCell *cell, OpprofJsonOut *json)
{
    char number[OPPROF_TEXT_NUMBER + 2] = "\"";
    char *end = number + 1;

    if (cell->text != SIZE_MAX) {
        /* If all texts are empty there are no bytes. */
        OpprofJsonPutString(json, cell->text_length == 0 ? "" : view->texts.text + cell->text,
                            cell->text_length);
        return;
    }
    if (cell->integer != OPPROF_NA_U64) {
        end = OpprofTextPutU64(end, cell->integer);
    } else if (isfinite(cell->real)) {
        end = OpprofTextPutFixed(end, cell->real, DECIMALS);
    } else {
        OpprofJsonPutRaw(json, "\"NA\"");
        return;
    }
    *end++ = '"';
    OpprofJsonPutBytes(json, number, (size_t) (end - number));
}

void ViewPutNumber(const ViewCells *view, const ViewCell *cell, OpprofJsonOut *json)
{
    if (cell->integer != OPPROF_NA_U64) {
        OpprofJsonPutU64(json, cell->integer);
    } else if (isfinite(cell->real)) {
        OpprofJsonPutF64(json, cell->real);
    } else {
        ViewPutText(view, cell, json);
    }
}
