/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_TABLE_PAGES_H
#define RESULTS_TABLE_PAGES_H

#include "results.h"

/*
 * Look at the pages of a table that lead to its rows, one in some hundred: no page of rows may be
 * missing, or come twice. What each page of rows holds is for who reads it.
 *
 * @return OPPROF_OK; OPPROF_E_DATA: they are damaged; OPPROF_E_IO; OPPROF_E_MEMORY.
 */
OpprofStatus TablePagesCheck(OpprofResults *results, const char *table, OpprofError **error);

#endif
