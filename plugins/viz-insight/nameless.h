/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_NAMELESS_H
#define VIZ_INSIGHT_NAMELESS_H

#include <opprof/output.h>
#include <opprof/stage.h>

/* A range of a finished trace. */
typedef struct NamelessSource {
    const char *path;
    uint64_t offset;
    uint64_t length;
    OpprofStage *stage; /* which says how far it is; NULL: none does */
    uint64_t written;   /* by this stage before the range */
    uint64_t all;       /* that it writes */
} NamelessSource;

/*
 * Append a range with the name "?" for every event whose name is empty: trace.json keeps what the
 * simulator printed, but the viewer takes no event without a name. *ret_length is the number of
 * appended bytes.
 */
OpprofStatus NamelessCopy(const NamelessSource *source, OpprofOutputFile *file,
                          uint64_t *ret_length, OpprofError **error);

#endif
