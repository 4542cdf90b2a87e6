/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_CANNSIM_CORES_H
#define COLLECT_SIM_READ_CANNSIM_CORES_H

/* The cores of a directory with Cannsim's file (cannsim.h). */

#include "discovery.h"

/* As DiscoverCores; OPPROF_END: the directory has no such file. The cores are to be freed in any
 * case. */
OpprofStatus CannsimDiscover(const char *directory, uint64_t max_file_size, FoundCores *ret_cores,
                             OpprofError **error);

#endif
