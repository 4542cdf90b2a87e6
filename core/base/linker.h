/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_LINKER_H
#define BASE_LINKER_H

#include <opprof/status.h>

#define LINKER_UNMAPPED "failed to map segment"

/* Status for a message of the dynamic linker, or of libltdl, about a file that is there:
 * OPPROF_E_MEMORY or OPPROF_E_LOAD. [any thread] */
OpprofStatus LinkerStatus(const char *reason);

#endif
