/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_TRACE_SECTION_H
#define EXPORT_TRACE_SECTION_H

#include "number_set.h"
#include "spool_ranges.h"

#include <opprof/present.h>

/*
 * Events of a document that came from one link, or of one process from one link if processes are
 * separate, put aside until those before them are written, so that the file does not depend on the
 * order of arrival. A comma precedes each event.
 */
typedef struct TraceSection {
    uint32_t link;
    uint32_t group;             /* 0: of no separate process */
    const OpprofTrack *process; /* a track of it; NULL for group 0 */
    uint64_t events;
    char *text; /* not in the spool yet */
    size_t length;
    size_t capacity;
    SpoolRanges spooled;
    NumberSet tracks; /* in the order of their first use */
} TraceSection;

/* Room for one more event; NULL without memory. */
char *TraceSectionReserve(TraceSection *section, size_t size);

/* The event ends at `end`. Large amounts of text go to the spool. */
OpprofStatus TraceSectionCommit(TraceSection *section, const char *end, OpprofSpool *spool,
                                OpprofOutputDirectory *directory, OpprofError **error);

/* Write everything so far to the spool, and hold no room for text until more comes. */
OpprofStatus TraceSectionRest(TraceSection *section, OpprofSpool *spool,
                              OpprofOutputDirectory *directory, OpprofError **error);

/* The track is used in the section. False without memory. */
bool TraceSectionNote(TraceSection *section, uint32_t track);

/* Append the section to a file; without its first comma if is_first. */
OpprofStatus TraceSectionWrite(TraceSection *section, const OpprofSpool *spool,
                               OpprofOutputFile *file, bool is_first, OpprofError **error);

/* A zeroed one is allowed. */
void TraceSectionFinish(TraceSection *section);

#endif
