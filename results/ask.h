/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_ASK_H
#define RESULTS_ASK_H

#include "results.h"

/*
 * Prepare a database for questions of strangers: functions, limits, and an authorizer that counts
 * while one of them is open. OPPROF_OK or OPPROF_E_MEMORY.
 */
OpprofStatus AskPrepare(OpprofResults *results, OpprofError **error);

#endif
