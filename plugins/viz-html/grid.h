/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_GRID_H
#define VIZ_HTML_GRID_H

#include "names.h"

#define GRID_METRICS 16u /* columns of a table that a grid can show */
#define GRID_SIDE 128u   /* lines, and columns, of a grid */

/*
 * The heat map of a table with columns `rank` and `place`, whatever its length. Neighbouring ranks
 * and places are put together until no more than PAGE_GRID_CELLS cells are left; a cell has the
 * largest value of each metric and where it is, so that one slow rank among many stays visible.
 */
typedef struct Grid Grid;

/* True if tables of a type have a grid. */
bool GridFits(const OpprofRecordType *type);

/* An empty grid. NULL without memory. */
Grid *GridCreate(OpprofStage *stage, const OpprofRecordType *type);

/* Add a row of a producer. False without memory. */
bool GridAdd(Grid *grid, uint32_t link, const char *record);

/*
 * Append `,"grid":{…}` if rows were put together or `is_cut`, that is, if the rows on the page do
 * not make the same map. Rows of several producers have none.
 */
void GridPut(const Grid *grid, bool is_cut, Names *names, OpprofJsonOut *json);

/* Free it, also NULL. */
void GridDestroy(Grid *grid);

#endif
