/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the blocks whose records came with those of the launch.
 * Tested by tests/plugins/parse-dbi/test_mutations.sh.
 */
#include "launch_parts.h"

#include <opprof/text.h>

#include <inttypes.h>
#include <stdlib.h>

/* Bit i of each block: its core i moved something. */
static void note_cores(const DbiLaunch *launch, bool is_each_vector, uint64_t *cores_of,
                       uint32_t blocks, uint32_t *ret_beyond)
{
    const OpprofBlockCores *cores = &launch->model->tables.cores;

    for (uint32_t slot = 0; slot < launch->moves.slots; slot++) {
        const uint32_t block = OpprofBlockCoresBlock(cores, slot, is_each_vector);
        const uint32_t core = is_each_vector ? 0 : slot % OpprofBlockCoresCount(cores);

        if (!DbiLaunchHasTraffic(launch, slot)) {
            continue;
        }
        if (block < blocks) {
            cores_of[block] |= UINT64_C(1) << core % 64;
        } else {
            *ret_beyond = slot;
        }
    }
}

/* How many of the blocks have nothing, or lack a core that all the others have; *ret_first is the
 * first of them. */
static uint32_t count_lacking(const uint64_t *cores_of, uint32_t blocks, uint32_t *ret_first)
{
    uint32_t lacking = 0;

    for (uint32_t block = blocks; block-- > 0;) {
        uint64_t others = blocks > 1 ? UINT64_MAX : 0;

        for (uint32_t other = 0; other < blocks; other++) {
            others &= other == block || cores_of[other] == 0 ? UINT64_MAX : cores_of[other];
        }
        if (cores_of[block] == 0 || (others != UINT64_MAX && (others & ~cores_of[block]) != 0)) {
            *ret_first = block;
            lacking++;
        }
    }
    return lacking;
}

/*
 * Records of fewer or of more blocks than the launch has. A block that moves nothing is rare, and
 * leaves the same file as one whose slots are lost: packets may say where they end, and a chart, of
 * records without order, is taken as it is.
 */
OpprofStatus DbiLaunchCheckBlocks(DbiLaunch *launch)
{
    const bool is_each_vector = DbiLaunchOp(launch) == OPPROF_DBI_VECTOR;
    const OpprofBlockCores *cores = &launch->model->tables.cores;
    const uint32_t most = is_each_vector
                              ? launch->moves.slots / OpprofBlockCoresCount(cores) * cores->vectors
                              : launch->moves.slots / OpprofBlockCoresCount(cores);
    const bool is_closed = launch->source == DBI_FORM_PACKETS && launch->packets.is_closed;
    uint32_t beyond = UINT32_MAX;
    uint32_t first = 0;
    double dim = 0;

    if (launch->source == DBI_FORM_CHART || !OpprofLaunchNumber(&launch->base, "block_dim", &dim) ||
        dim < 1) {
        return OPPROF_OK;
    }
    const uint32_t blocks = dim < most ? (uint32_t) dim : most;
    uint64_t *cores_of = calloc(blocks, sizeof *cores_of);
    if (cores_of == NULL) {
        return OPPROF_E_MEMORY;
    }
    note_cores(launch, is_each_vector, cores_of, blocks, &beyond);
    const uint32_t lacking = is_closed ? 0 : count_lacking(cores_of, blocks, &first);
    if (beyond != UINT32_MAX && dim < most) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "slot %" PRIu32 " has records, but the launch has %" PRIu32
                            " %s: they are of another launch, or '%s' is",
                            beyond, blocks, OPPROF_PLURAL(blocks, "block", "blocks"),
                            OpprofLaunchFileName(&launch->base, "info", 0).text);
    } else if (lacking > 0) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "%" PRIu32 " of its %" PRIu32 " blocks, such as block %" PRIu32
                            ", %s no records%s: they were cut, or nothing was moved there",
                            lacking, blocks, first, OPPROF_PLURAL(lacking, "has", "have"),
                            cores_of[first] != 0 ? " of a core that the others have" : "");
    }
    free(cores_of);
    return OPPROF_OK;
}
