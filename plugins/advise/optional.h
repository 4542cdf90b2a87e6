/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADVISE_OPTIONAL_H
#define ADVISE_OPTIONAL_H

#include "rules.h"

#include <opprof/results.h>

/* Tables that rules can do without; NULL: none. */
typedef struct OptionalTable OptionalTable;

/* Read the heads of rules. OPPROF_OK, OPPROF_E_DATA, OPPROF_E_MEMORY; `ret_list` goes to
 * OptionalFree in any case. */
OpprofStatus OptionalRead(const Rules *rules, OptionalTable **ret_list, OpprofError **error);
/* Make empty tables in place of those that the run lacks. The list has to stay as long as the
 * tables. As OpprofResultsKeepBatch. */
OpprofStatus OptionalMake(const OptionalTable *list, OpprofResults *tables, OpprofError **error);
void OptionalFree(OptionalTable *list);

#endif
