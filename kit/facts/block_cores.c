/* SPDX-License-Identifier: Apache-2.0 */
/* Which cores a block has. Tested by tests/kit/facts/test_block_cores.c. */
#include <opprof/kit/block_cores.h>

#include "kit/facts/pmu_facts.h"

#include <opprof/kit/facts.h>
#include <opprof/require.h>
#include <stdio.h>

#define MAX_CORES 64

static const OpprofFactField fields[] = {
    { "count", OPPROF_FACT_IS_WHOLE, .least = 1 },
    { "vectors", OPPROF_FACT_IS_WHOLE, .most = MAX_CORES,
      OPPROF_FACT_IN(OpprofBlockCores, vectors) },
    { "cubes", OPPROF_FACT_IS_WHOLE, .most = MAX_CORES, OPPROF_FACT_IN(OpprofBlockCores, cubes) },
    { .name = NULL },
};
const OpprofFactTable kit_core_table = { .fields = fields, .size = sizeof(OpprofBlockCores) };

OpprofBlockCores OpprofBlockCoresOf(const OpprofChip *chip)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");

    OpprofBlockCores cores;

    if (OpprofFactsBind(chip, "cores", &kit_core_table, &cores, NULL) != OPPROF_OK) {
        cores = (OpprofBlockCores){ .vectors = 0 };
    }
    return cores.vectors + cores.cubes > 0 ? cores : (OpprofBlockCores){ .vectors = 1 };
}

void OpprofBlockCoresName(const OpprofBlockCores *cores, uint32_t place, bool each_vector,
                          char ret_name[24])
{
    OPPROF_REQUIRE("block-cores-given",
                   cores != NULL && OpprofBlockCoresCount(cores) > 0 && ret_name != NULL,
                   "The cores are given, and one of their numbers is above 0");

    const uint32_t core = place % OpprofBlockCoresCount(cores);

    if (core >= cores->vectors) {
        snprintf(ret_name, 24, "cube%u", core - cores->vectors);
    } else {
        snprintf(ret_name, 24, "vector%u", each_vector ? 0 : core);
    }
}
