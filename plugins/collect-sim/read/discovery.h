/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_DISCOVERY_H
#define COLLECT_SIM_READ_DISCOVERY_H

/*
 * Finds physical cores by the names in a dump directory. A core is `core<N>` or
 * `core<N>.<veccore|cubecore|mixcore><M>`, then '.' or '_', then the kind of the log and ".dump".
 * It counts if one of its logs exists and is not empty; a directory counts if one core has two.
 * Where no file has such a name, cores are those of Cannsim's file (cannsim.h).
 */

#include "log.h"
#include "log_names.h"

typedef struct FoundCore {
    char *name;   /* "core0.veccore0" */
    char *prefix; /* the same with the separator */
    char *files
        /* names of its logs; except for popped and instr NULL until the chip is known, and if it
         * has none */
        [SIM_LOG_KINDS];
    uint32_t number; /* after "core" */
    bool has_sub;    /* its name has a sub-core */
    SimFiles popped;
    SimFiles instr;
    SimFiles icache; /* filled when the chip is known */
    SimFiles ccu;    /* filled when it is wanted */
} FoundCore;

typedef struct FoundCores {
    FoundCore *cores; /* sorted by name, then prefix */
    uint32_t count;
    bool has_icache_log_suffix; /* a file *icache_log.log exists */
    bool has_icache_log;        /* a file *icache_log.dump exists and is not empty */
    char *damage; /* what is wrong with Cannsim's file, as a sentence; NULL: nothing */
} FoundCores;

/*
 * Look through a directory.
 *
 * @return OPPROF_OK; OPPROF_E_NOT_FOUND (no such directory, or no core in it); OPPROF_E_IO;
 *         OPPROF_E_LIMIT (a file is larger than max_file_size); OPPROF_E_MEMORY.
 */
OpprofStatus DiscoverCores(const char *directory, uint64_t max_file_size, FoundCores *ret_cores,
                           OpprofError **error);
/*
 * The same for logs with names that a chip's file states. A core counts if one of its logs exists
 * and is not empty; a directory counts if one core has both.
 */
OpprofStatus DiscoverNamed(const char *directory, const SimLogNames *names, uint64_t max_file_size,
                           FoundCores *ret_cores, OpprofError **error);
void FoundCoresFinish(FoundCores *cores);

/* True for the name of a log that makes a core of a directory. */
bool DiscoverIsLog(const char *file);

/* Text of the sub-core in a name, "veccore0"; "" if none. */
const char *SubCoreName(const char *core_name);

#endif
