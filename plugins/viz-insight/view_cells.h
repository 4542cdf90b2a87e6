/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_VIEW_CELLS_H
#define VIZ_INSIGHT_VIEW_CELLS_H

#include <opprof/kit/json_out.h>
#include <opprof/records/onboard.h>
#include <opprof/stage.h>

/* The cells of one launch's view, kept until all have arrived. */
typedef struct ViewCell {
    uint64_t integer;
    double real;
    uint32_t group;
    uint32_t table;
    uint32_t row;
    uint32_t column;
    uint32_t unit;
    uint32_t text_length;
    size_t text; /* offset in the texts; SIZE_MAX: none */
} ViewCell;

typedef struct ViewCells {
    const OpprofStage *stage;
    ViewCell *cells;
    size_t count;
    size_t capacity;
    OpprofJsonOut texts; /* raw bytes, each with a NUL */
    uint32_t device;     /* parts of the results' folder */
    uint32_t kernel;
    uint32_t order;
} ViewCells;

/* Add a cell of a batch; false without memory. */
bool ViewCellsAdd(ViewCells *view, const OpprofBatch *batch, const OpprofOnboardCell *cell);
void ViewCellsClear(ViewCells *view);
void ViewCellsFinish(ViewCells *view);

/* The end of the cells from `first` on that belong to the same group (table, row). */
size_t ViewGroupEnd(const ViewCells *view, size_t first);
size_t ViewTableEnd(const ViewCells *view, size_t first);
size_t ViewRowEnd(const ViewCells *view, size_t first);

/* Text of an id; "" for an absent one. */
const char *ViewName(const ViewCells *view, uint32_t id);
/* Text of a cell; "" for an absent one. */
const char *ViewText(const ViewCells *view, const ViewCell *cell);
/* True if the cell's column has that name. */
bool ViewIsColumn(const ViewCells *view, const ViewCell *cell, const char *name);

/* The value as a JSON string: integers in digits, reals with six decimals, "NA" if absent. */
void ViewPutText(const ViewCells *view, const ViewCell *cell, OpprofJsonOut *json);
/* The value as a JSON number if it is one; "NA" if absent. */
void ViewPutNumber(const ViewCells *view, const ViewCell *cell, OpprofJsonOut *json);

#endif
