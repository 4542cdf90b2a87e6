/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_LAUNCH_MODEL_H
#define PARSE_DBI_LAUNCH_MODEL_H

#include "moves.h"
#include "text_file.h"

#include <opprof/kit/chip.h>

/* A chip's tables. */
typedef struct DbiModel {
    struct DbiModel *next;
    char *name; /* SoC as the data or the parameter names it */
    OpprofChip *chip;
    DbiTables tables;
    MovePaths paths;
} DbiModel;

/* The model for the SoC that the launch's info names, among those made before or added to them. */
OpprofStatus DbiModelFind(DbiModel **models, const char *asked, const DbiText *info,
                          const DbiModel **ret_model, OpprofError **error);
void DbiModelsFree(DbiModel *models);

#endif
