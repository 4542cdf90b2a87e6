/* SPDX-License-Identifier: Apache-2.0 */
/* Which cores a block has. Tested by tests/kit/facts/test_block_cores.c. */
#include <opprof/kit/block_cores.h>

#include <opprof/require.h>
#include <stdio.h>

#define MAX_CORES 64

static uint32_t read_count(const OpprofChip *chip, const char *path)
{
    double value = 0;

    return OpprofChipNumber(chip, path, &value) && value >= 0 && value <= MAX_CORES
               ? (uint32_t) value
               : 0;
}

OpprofBlockCores OpprofBlockCoresOf(const OpprofChip *chip)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");

    const OpprofBlockCores cores = { .vectors = read_count(chip, "cores.vectors"),
                                     .cubes = read_count(chip, "cores.cubes") };

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
