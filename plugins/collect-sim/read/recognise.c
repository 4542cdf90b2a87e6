/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distinguishes dump directories of a simulation from other inputs, by the names of their files.
 * Tested by tests/e2e/recognise.sh.
 */
#include "recognise.h"

#include "discovery.h"

#include "cannsim.h"

#include <opprof/kit/chip.h>

#include <stdlib.h>
#include <string.h>

/* Whether the directory itself has a file with the name that a chip's file
 * gives this kind of log. */
static bool has_log(OpprofProbe *probe, const SimLogNames *names, SimLogKind kind)
{
    char *glob = SimLogNamesGlob(names, kind);
    const char *file = NULL;
    bool is_there = false;
    SimLogName unused;

    for (size_t i = 0;
         glob != NULL && !is_there && (file = OpprofProbeFile(probe, glob, i)) != NULL; i++) {
        is_there = SimLogNamesMatch(names, kind, file, &unused);
    }
    free(glob);
    return is_there;
}

static bool has_logs_of(OpprofProbe *probe, const char *series)
{
    OpprofChip *chip = NULL;
    SimLogNames names;
    bool has_both = false;

    if (OpprofChipLoad(series, &chip, NULL) == OPPROF_OK &&
        OpprofChipFact(chip, "simulator.logs") != NULL &&
        SimLogNamesOf(chip, &names, NULL) == OPPROF_OK) {
        has_both = has_log(probe, &names, SIM_LOG_POPPED) && has_log(probe, &names, SIM_LOG_INSTR);
        SimLogNamesFinish(&names);
    }
    OpprofChipFree(chip);
    return has_both;
}

/* Logs that a chip's file names. Both must exist, since such a name may belong to anything. */
static bool has_named_logs(OpprofProbe *probe)
{
    char **names = NULL;
    const size_t count =
        OpprofProbeIsDirectory(probe) ? OpprofChipSeriesStating("simulator.logs", &names) : 0;
    bool is_there = false;

    for (size_t i = 0; i < count; i++) {
        is_there = is_there || has_logs_of(probe, names[i]);
        free(names[i]);
    }
    free(names);
    return is_there;
}

/* Cannsim's file, by its first record. */
static bool has_cannsim(OpprofProbe *probe)
{
    const char *file =
        OpprofProbeIsDirectory(probe) ? OpprofProbeFile(probe, CANNSIM_FILE, 0) : NULL;
    const void *bytes = NULL;
    const size_t size =
        file == NULL || strchr(file, '/') != NULL ? 0 : OpprofProbeHead(probe, file, &bytes);

    return size > 0 && CannsimIsRecord(bytes, size);
}

/* Dump files lie in the directory itself, whose files come before those of folders. */
static uint32_t recognise(OpprofProbe *probe)
{
    const char *file;

    for (size_t i = 0; (file = OpprofProbeFile(probe, "core*_log.dump", i)) != NULL; i++) {
        if (!OpprofProbeIsDirectory(probe) || strchr(file, '/') != NULL) {
            return 0;
        }
        if (DiscoverIsLog(file)) {
            return strstr(file, "icache") == NULL ? OPPROF_LIKELY : OPPROF_POSSIBLE;
        }
    }
    return has_cannsim(probe) || has_named_logs(probe) ? OPPROF_LIKELY : 0;
}

const OpprofInputKind recognise_kinds[] = {
    { .name = "camodel-dump",
      .summary =
          "a simulator's dump directory, with files such as core0.veccore0.instr_log.dump or "
          "instr.bin",
      .recognise = recognise },
    { .name = NULL },
};
