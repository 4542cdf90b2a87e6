/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the logs of memory transfer engines. Tested by tests/plugins/collect-sim/test_collect_sim.c. */
#include "mte_files.h"
#include <stdio.h>
#include <stdlib.h>

OpprofStatus MteFilesFind(const char *directory, uint32_t core, uint64_t max_size,
                          SimFiles *ret_files, OpprofError **error)
{
    char prefix[32];
    uint32_t kept = 0;
    OpprofStatus status;

    snprintf(prefix, sizeof prefix, "core%u.", (unsigned) core);
    status =
        SimFilesFindNumbered(directory, prefix, "mte_log.dump", true, max_size, ret_files, error);
    for (uint32_t i = 0; i < ret_files->count; i++) {
        SimPiece *piece = &ret_files->pieces[i];

        if (piece->size >= MTE_LEAST_BYTES || ret_files->count > 1) {
            ret_files->pieces[kept++] = *piece;
        } else {
            ret_files->bytes -= piece->size;
            free(piece->path);
        }
    }
    ret_files->count = kept;
    return status;
}
