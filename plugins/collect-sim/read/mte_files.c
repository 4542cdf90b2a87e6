/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the logs of memory transfer engines. Tested by
 * tests/plugins/collect-sim/test_collect_sim.c. */
#include "mte_files.h"
#include <stdio.h>
#include <stdlib.h>

bool MteFilesName(const SimFacts *facts, uint32_t core, char **ret_name)
{
    const SimLogName name = { .core = core, .sub = "" };

    *ret_name = NULL;
    if (facts->logs != NULL) {
        *ret_name = SimLogNamesFile(facts->logs, SIM_LOG_MTE, &name);
        return *ret_name != NULL || facts->logs->forms[SIM_LOG_MTE] == NULL;
    }
    if (facts->mte_file != NULL &&
        asprintf(ret_name, "core%u.%s", (unsigned) core, facts->mte_file) < 0) {
        *ret_name = NULL;
        return false;
    }
    return true;
}

/* Whether a log as a dump file has fewer bytes than one that counts. */
static bool is_small(const SimPiece *piece)
{
    SimSource source;
    const char *line;
    size_t length;
    uint64_t bytes = 0;
    OpprofStatus status;

    if (!piece->is_recorded) {
        return piece->size < MTE_LEAST_BYTES;
    }
    status = SimSourceOpen(piece, &source, NULL);
    while (status == OPPROF_OK && bytes < MTE_LEAST_BYTES) {
        status = SimSourceNext(&source, &line, &length, NULL);
        bytes += status == OPPROF_OK ? length + 1 : 0;
    }
    SimSourceClose(&source);
    /* One that cannot be read stays: its reader says why. */
    return !OpprofFailed(status) && bytes < MTE_LEAST_BYTES;
}

/* A small log contains only a head. Pieces of a log count together. */
static void drop_small(SimFiles *files)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < files->count; i++) {
        SimPiece *piece = &files->pieces[i];

        if (files->count > 1 || !is_small(piece)) {
            files->pieces[kept++] = *piece;
        } else {
            files->bytes -= piece->size;
            free(piece->path);
        }
    }
    files->count = kept;
}

OpprofStatus MteFilesFind(const char *directory, const SimFacts *facts, uint32_t core,
                          uint64_t max_size, SimFiles *ret_files, OpprofError **error)
{
    char *name = NULL;
    OpprofStatus status = OPPROF_OK;

    *ret_files = (SimFiles){ .count = 0 };
    if (!MteFilesName(facts, core, &name)) {
        return OpprofErrorNoMemory(error, "look for logs of memory engines");
    }
    if (name != NULL) {
        const SimPlace place = { .directory = directory,
                                 .prefix = "",
                                 .file = name,
                                 .after = facts->logs == NULL,
                                 .max_size = max_size };

        status = SimFilesFindNumbered(&place, ret_files, error);
    }
    free(name);
    if (facts->logs == NULL) { /* the size of other logs' heads is unknown */
        drop_small(ret_files);
    }
    return status;
}
