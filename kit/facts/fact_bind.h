/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_FACTS_FACT_BIND_H
#define KIT_FACTS_FACT_BIND_H

#include "kit/facts/fact_spot.h"

/*
 * Check the facts at a path against a table (docs/chips/chip-files.md): unknown members with the nearest name, wrong kinds and ranges,
 * references to what does not exist, formulas that cannot be parsed.
 */
void FactTableCheck(FactChecker *checker, const char *path, const OpprofFactTable *table);

#endif
