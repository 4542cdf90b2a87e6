/* SPDX-License-Identifier: Apache-2.0 */
/* Makes cores of the records of Cannsim's file. Tested by
 * tests/plugins/collect-sim/test_cannsim.sh. */
#include "cannsim_cores.h"
#include "cannsim.h"
#include <opprof/kit/live_host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A core with records of either log. */
static OpprofStatus add_cannsim_core(const char *path, CannsimFile *file, unsigned index,
                                     FoundCores *cores, OpprofError **error)
{
    const unsigned number = index / CANNSIM_SUB_CORES;
    const unsigned sub = index % CANNSIM_SUB_CORES;
    CannsimSteps *logs = file->logs[number][sub];
    FoundCore *core = &cores->cores[cores->count];
    OpprofStatus status;

    if (logs[CANNSIM_POPPED].count == 0 && logs[CANNSIM_INSTR].count == 0) {
        return OPPROF_OK;
    }
    cores->count++;
    core->number = number;
    core->has_sub = true;
    if (asprintf(&core->name, "core%u.%s", number, cannsim_sub_cores[sub]) < 0) {
        core->name = NULL;
    } else if (asprintf(&core->prefix, "%s.", core->name) < 0) {
        core->prefix = NULL;
    }
    core->files[SIM_LOG_POPPED] = strdup(CANNSIM_FILE);
    core->files[SIM_LOG_INSTR] = strdup(CANNSIM_FILE);
    if (core->name == NULL || core->prefix == NULL || core->files[SIM_LOG_POPPED] == NULL ||
        core->files[SIM_LOG_INSTR] == NULL) {
        return OpprofErrorNoMemory(error, "look through '%s'", path);
    }
    status = SimFilesOfCannsim(path, &logs[CANNSIM_POPPED], &core->popped, error);
    return status == OPPROF_OK ? SimFilesOfCannsim(path, &logs[CANNSIM_INSTR], &core->instr, error)
                               : status;
}

static OpprofStatus make_cannsim_cores(const char *path, CannsimFile *file, FoundCores *cores,
                                       OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    bool has_whole_core = false;

    cores->cores = calloc(CANNSIM_CORES * CANNSIM_SUB_CORES, sizeof *cores->cores);
    cores->damage = strdup(file->damage);
    if (cores->cores == NULL || cores->damage == NULL) {
        return OpprofErrorNoMemory(error, "look through '%s'", path);
    }
    for (unsigned i = 0; i < CANNSIM_CORES * CANNSIM_SUB_CORES && status == OPPROF_OK; i++) {
        const CannsimSteps *logs = file->logs[i / CANNSIM_SUB_CORES][i % CANNSIM_SUB_CORES];

        has_whole_core |= logs[CANNSIM_POPPED].count > 0 && logs[CANNSIM_INSTR].count > 0;
        status = add_cannsim_core(path, file, i, cores, error);
    }
    if (status == OPPROF_OK && !has_whole_core) {
        status = OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                                "'%s' has no core with records of instructions that are issued and "
                                "of such that end%s%s",
                                path, cores->damage[0] == '\0' ? "" : ": ", cores->damage);
    }
    return status;
}

static int compare_cores(const void *left, const void *right)
{
    return strcmp(((const FoundCore *) left)->name, ((const FoundCore *) right)->name);
}

OpprofStatus CannsimDiscover(const char *directory, uint64_t max_file_size, FoundCores *ret_cores,
                             OpprofError **error)
{
    CannsimFile *file = calloc(1, sizeof *file);
    struct stat about;
    char *path = NULL;
    OpprofStatus status;

    *ret_cores = (FoundCores){ .count = 0 };
    if (file == NULL || asprintf(&path, "%s/" CANNSIM_FILE, directory) < 0) {
        free(file);
        return OpprofErrorNoMemory(error, "look through '%s'", directory);
    }
    if (OpprofLiveStat(path, &about) != 0) {
        status = OPPROF_END;
    } else {
        status = SimFilesCheckSize(path, (uint64_t) about.st_size, max_file_size, error);
    }
    if (status == OPPROF_OK) {
        status = CannsimFileRead(path, file, error);
    }
    if (status == OPPROF_OK) {
        status = make_cannsim_cores(path, file, ret_cores, error);
        qsort(ret_cores->cores, ret_cores->count, sizeof *ret_cores->cores, compare_cores);
    }
    CannsimFileFinish(file);
    free(file);
    free(path);
    return status;
}
