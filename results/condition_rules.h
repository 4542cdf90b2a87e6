/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_CONDITION_RULES_H
#define RESULTS_CONDITION_RULES_H

#include "condition_columns.h"

/* Add the rule of a text to the SQL: "COLUMN OPERATOR VALUE". Status as of ConditionsMake. */
OpprofStatus ConditionsPutRule(Making *making, const char *text);

#endif
