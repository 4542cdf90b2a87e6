/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_NAMELESS_H
#define VIZ_INSIGHT_NAMELESS_H

#include <opprof/output.h>

/*
 * Append a range of a finished trace with the name "?" for every event whose name is empty:
 * trace.json keeps what the simulator printed, but the viewer takes no event without a name.
 * *ret_length is the number of appended bytes.
 */
OpprofStatus NamelessCopy(OpprofOutputFile *file, const char *source_path, uint64_t offset,
                          uint64_t length, uint64_t *ret_length, OpprofError **error);

#endif
