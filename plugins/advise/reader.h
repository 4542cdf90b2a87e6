/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADVISE_READER_H
#define ADVISE_READER_H

#include "findings.h"
#include "rules.h"

#include <opprof/results.h>

/*
 * Ask a rule, and add what it says to an empty list: one finding a subject, that with the largest
 * gain, and none whose gain is below `least_gain` percent. OPPROF_E_NOT_FOUND: the tables lack what
 * it reads; OPPROF_E_ARGUMENT, OPPROF_E_LIMIT, OPPROF_E_DATA: it is wrong, too long, or stopped.
 * The error has the reason alone.
 */
OpprofStatus ReaderAsk(const Rule *rule, OpprofResults *tables, double least_gain,
                       Findings *ret_findings, OpprofError **error);

/* Add what the rule's head says, and where the value stands, to a finding that is given. False
 * without memory. */
bool ReaderComplete(const Rule *rule, const OpprofResults *tables, Finding *finding);

#endif
