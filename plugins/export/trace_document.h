/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_TRACE_DOCUMENT_H
#define EXPORT_TRACE_DOCUMENT_H

#include "trace_event.h"
#include "trace_section.h"

#include <opprof/output.h>

/* One file of events. */
typedef struct TraceDocument {
    OpprofStage *stage;
    uint32_t name; /* interned */
    OpprofOutputFile *file;
    uint64_t events;
    size_t head_length;  /* bytes before the first event */
    bool nameless;       /* an event has an empty name */
    char *reserved;      /* between TraceDocumentReserve and TraceDocumentCommit */
    NumberSet processes; /* interned ids of the introduced tracks */
    uint32_t link;       /* link of the next event */
    uint32_t group;      /* of its process, see TraceSection */
    uint32_t section;    /* of both; unused by the first link, unless processes are separate */
    TraceSection *sections;
    uint32_t section_count;
    uint32_t section_capacity;
    OpprofSpool *spool; /* of the sections; borrowed */
} TraceDocument;

/* Begin "<name>.json": of the document, stage, name and spool are set. `track` is the first one to
 * be drawn there. */
OpprofStatus TraceDocumentOpen(TraceDocument *document, const OpprofTrack *track, bool is_framework,
                               OpprofError **error);

/*
 * The next events come from that link, and belong to a separate process unless group is 0;
 * `process` is one of its tracks. False without memory.
 */
bool TraceDocumentSelect(TraceDocument *document, uint32_t link, uint32_t group,
                         const OpprofTrack *process);

/* Where events from the selected link go; NULL: straight to the file. */
TraceSection *TraceDocumentSection(TraceDocument *document);

/* Hold no text of the selected link until more comes. */
OpprofStatus TraceDocumentRest(TraceDocument *document, OpprofError **error);

/* Append a section to the file; its tracks were introduced. */
OpprofStatus TraceDocumentJoin(TraceDocument *document, TraceSection *section, OpprofError **error);

/* Room for one more event of up to `size` bytes; NULL with an error. */
char *TraceDocumentReserve(TraceDocument *document, size_t size, OpprofError **error);

/* The event ends at `end`. */
OpprofStatus TraceDocumentCommit(TraceDocument *document, const char *end, OpprofError **error);

/*
 * Write metadata of a track that is used for the first time: name and rank of its process if that
 * is new too, name and rank of its thread. `ids` is the track as in TraceEvent.track.
 */
OpprofStatus TraceDocumentIntroduce(TraceDocument *document, const OpprofTrack *track,
                                    JsonPiece ids, OpprofError **error);

/* Finish the file. *ret_path, to be freed with free(), and *ret_length say where its text is. */
OpprofStatus TraceDocumentFinish(TraceDocument *document, char **ret_path, uint64_t *ret_length,
                                 OpprofError **error);

/* Free; an unfinished file is dropped. */
void TraceDocumentClose(TraceDocument *document);

#endif
