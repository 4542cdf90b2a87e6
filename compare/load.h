/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_LOAD_H
#define COMPARE_LOAD_H

#include "model.h"

/*
 * Read two results. A path is a database, a folder with results.sqlite, or a folder of such
 * folders: repetitions of one run, every one of which must have left one.
 *
 * @return OPPROF_OK; OPPROF_E_NOT_FOUND or OPPROF_E_DATA (no results); OPPROF_E_MEMORY. `data` is
 *         to be freed in any case.
 */
OpprofStatus DiffDataLoad(DiffData *data, const char *a, const char *b, OpprofError **error);

#endif
