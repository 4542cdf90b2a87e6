/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DIFF_TABLES_H
#define CLI_DIFF_TABLES_H

#include "diff_data.h"
#include "diff_file.h"

/* Add what tables and columns a database of the side describes, and note whether its run is complete. */
OpprofStatus DiffTablesDescribe(DiffData *data, const DiffFile *file, DiffSide *side,
                                OpprofError **error);

/* What decides how heavy a row is: the column that says so, or else the first time that adds up. */
void DiffTableFindWeight(DiffTable *table);

/* Numbers of different units do not compare: these are two columns, and each side has one of them. */
bool DiffColumnIs(const DiffColumn *column, const char *name, const char *unit);
/* A kind of fields, as the database calls it; NULL: unknown. */
bool DiffKindIsText(const char *kind);

#endif
