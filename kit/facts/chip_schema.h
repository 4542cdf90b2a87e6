/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_FACTS_CHIP_SCHEMA_H
#define KIT_FACTS_CHIP_SCHEMA_H

#include "kit/facts/fact_spot.h"

/*
 * Check a section of a chip against the schema of its owner (docs/chips/chip-files.md): unknown members with the nearest name, wrong
 * kinds and ranges, references to what does not exist, formulas that cannot be parsed.
 */
void ChipSchemaCheck(const OpprofChip *chip, const char *section, const char *schema,
                     ChipMistakes *mistakes);

#endif
