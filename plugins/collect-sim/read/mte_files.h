/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_MTE_FILES_H
#define COLLECT_SIM_READ_MTE_FILES_H

/* Logs of the memory transfer engines of a core. */

#include "facts.h"
#include "log.h"

#define MTE_CORES 100u       /* core numbers have one or two digits */
#define MTE_LEAST_BYTES 501u /* a smaller log contains only a head */

/* Name of a core's log, to be freed; NULL: the chip has none. False without memory. */
bool MteFilesName(const SimFacts *facts, uint32_t core, char **ret_name);

/* The log of a core, such as core<N>.mte_log.dump, and its rotated pieces
 * core<N>.mte_log.dump.<k>. */
OpprofStatus MteFilesFind(const char *directory, const SimFacts *facts, uint32_t core,
                          uint64_t max_size, SimFiles *ret_files, OpprofError **error);

#endif
