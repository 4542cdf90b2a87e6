/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_PMU_CELLS_H
#define ANALYSE_PMU_CELLS_H

#include "analysis.h"

/* Where the next cells of a view go: interned names, absent if not applicable. */
typedef struct CellPlace {
    uint32_t group;
    uint32_t table;
    uint32_t row;
} CellPlace;

/* Writes the cells of one launch's view to a port. */
typedef struct CellWriter {
    OpprofStage *stage;
    uint32_t port;
    uint32_t partition;
    const OpprofPmuLaunch *launch; /* borrowed */
    OpprofStatus status;           /* of the first cell that could not be written */
} CellWriter;

void CellsBegin(CellWriter *writer, OpprofStage *stage, uint32_t port, const LaunchView *view);

/* Each sets one column of the place. `column` and `unit` are interned. */
void CellInteger(CellWriter *writer, const CellPlace *place, uint32_t column, uint32_t unit,
                 uint64_t value);
void CellReal(CellWriter *writer, const CellPlace *place, uint32_t column, uint32_t unit,
              double value);
/* `text` NULL: not available. */
void CellText(CellWriter *writer, const CellPlace *place, uint32_t column, const char *text);

/* The value of a formula for the row set last: an integer if it always gives one. */
void CellFormula(CellWriter *writer, const CellPlace *place, uint32_t column, uint32_t unit,
                 const PmuMetrics *metrics, const OpprofFormula *formula);

/* Push the rest, as the last batch of the launch. OPPROF_OK, or the first error so far. */
OpprofStatus CellsEnd(CellWriter *writer, OpprofError **error);

#endif
