/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADVISE_SELECTION_H
#define ADVISE_SELECTION_H

#include "findings.h"
#include "rules.h"

/*
 * Drop the advice of rules in whose place others speak about the same subject, or about all, and
 * what is beyond five subjects of a rule. `of_rules` has a list for each rule.
 */
void SelectionMake(const Rules *rules, Findings *of_rules);

#endif
