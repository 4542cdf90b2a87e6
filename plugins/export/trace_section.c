/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the events of one producer of a document apart from those of the others.
 * Tested by tests/plugins/export/test_trace.
 */
#include "trace_section.h"

#include <opprof/grow.h>

#include <stdlib.h>

#define TEXT_MAX (4u << 10) /* more than this goes into the spool: there may be many sections */

char *TraceSectionReserve(TraceSection *section, size_t size)
{
    const size_t wanted = section->length + size + 1;

    if (!OpprofGrow(&section->text, &section->capacity, wanted, 1)) {
        return NULL;
    }
    section->text[section->length] = ',';
    return section->text + section->length + 1;
}

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "put events aside");
}

static OpprofStatus spool_text(TraceSection *section, OpprofSpool *spool,
                               OpprofOutputDirectory *directory, OpprofError **error)
{
    TraceExtent *extent;
    OpprofStatus status;

    if (!OpprofGrow32(&section->extents, &section->extent_capacity,
                      (size_t) section->extent_count + 1, sizeof *section->extents)) {
        return no_memory(error);
    }
    extent = &section->extents[section->extent_count];
    extent->size = section->length;
    status =
        OpprofSpoolAppend(spool, directory, section->text, section->length, &extent->offset, error);
    if (status == OPPROF_OK) {
        section->extent_count++;
        section->length = 0;
    }
    return status;
}

OpprofStatus TraceSectionCommit(TraceSection *section, const char *end, OpprofSpool *spool,
                                OpprofOutputDirectory *directory, OpprofError **error)
{
    section->length = (size_t) (end - section->text);
    section->events++;
    return section->length < TEXT_MAX ? OPPROF_OK : spool_text(section, spool, directory, error);
}

OpprofStatus TraceSectionRest(TraceSection *section, OpprofSpool *spool,
                              OpprofOutputDirectory *directory, OpprofError **error)
{
    const OpprofStatus status =
        section->length == 0 ? OPPROF_OK : spool_text(section, spool, directory, error);

    if (status == OPPROF_OK) {
        free(section->text);
        section->text = NULL;
        section->capacity = 0;
    }
    return status;
}

bool TraceSectionNote(TraceSection *section, uint32_t track)
{
    if (OpprofMapFind(&section->known, track) != OPPROF_MAP_NONE) {
        return true;
    }
    if (!OpprofGrow32(&section->tracks, &section->track_capacity, (size_t) section->track_count + 1,
                      sizeof *section->tracks) ||
        !OpprofMapPut(&section->known, track, section->track_count)) {
        return false;
    }
    section->tracks[section->track_count++] = track;
    return true;
}

OpprofStatus TraceSectionWrite(TraceSection *section, const OpprofSpool *spool,
                               OpprofOutputFile *file, bool is_first, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    size_t skip = is_first ? 1 : 0;

    for (uint32_t i = 0; status == OPPROF_OK && i < section->extent_count; i++) {
        const TraceExtent *extent = &section->extents[i];

        status = OpprofSpoolCopy(spool, extent->offset + skip, extent->size - skip, file, error);
        skip = 0;
    }
    if (status == OPPROF_OK && section->length > 0) {
        status = OpprofOutputFileWrite(file, section->text + skip, section->length - skip, error);
    }
    return status;
}

void TraceSectionFinish(TraceSection *section)
{
    free(section->text);
    free(section->extents);
    free(section->tracks);
    OpprofMapFinish(&section->known);
    *section = (TraceSection){ .link = 0 };
}
