/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_LINKER_H
#define BASE_LINKER_H

#include <opprof/status.h>

#define LINKER_UNMAPPED "failed to map segment"

/* What the words of the dynamic linker, or of libltdl, mean for a file that is there: OPPROF_E_MEMORY or OPPROF_E_LOAD. [any thread] */
OpprofStatus LinkerStatus(const char *reason);

#endif
