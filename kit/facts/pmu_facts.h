/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_FACTS_PMU_FACTS_H
#define KIT_FACTS_PMU_FACTS_H

#include <opprof/plugin.h>

/* Tables of other files here. */
extern const OpprofFactTable kit_raw_table;
extern const OpprofFactTable kit_core_table;

/* The sections that several families read: every chip is checked against them. Ended as those of a
 * module. */
extern const OpprofChipTable kit_chip_tables[];

#endif
