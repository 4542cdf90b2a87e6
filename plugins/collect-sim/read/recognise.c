/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells dump directories of a simulation from other inputs, by the names of their files. Tested by
 * tests/e2e/recognise.sh.
 */
#include "recognise.h"

#include "discovery.h"

#include <string.h>

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
    return 0;
}

const OpprofInputKind recognise_kinds[] = {
    { .name = "camodel-dump",
      .summary = "a simulator's dump directory, with files such as core0.veccore0.instr_log.dump",
      .recognise = recognise },
    { .name = NULL },
};
