/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the events of one producer of a document apart from those of the others.
 * Tested by tests/plugins/export/test_trace.
 */
#include "trace_section.h"

#include <stdlib.h>

#define TEXT_MAX (32u << 10) /* more than this goes into the spool: there may be many sections */

static bool grow(void **array, uint32_t count, uint32_t *capacity, size_t element)
{
    const uint32_t wanted = *capacity == 0 ? 8 : *capacity * 2;
    void *grown;

    if (count < *capacity) {
        return true;
    }
    grown = reallocarray(*array, wanted, element);
    if (grown == NULL) {
        return false;
    }
    *array = grown;
    *capacity = wanted;
    return true;
}

char *TraceSectionReserve(TraceSection *section, size_t size)
{
    const size_t wanted = section->length + size + 1;
    char *text;

    if (wanted > section->capacity) {
        text = realloc(section->text, wanted + wanted / 2);
        if (text == NULL) {
            return NULL;
        }
        section->text = text;
        section->capacity = wanted + wanted / 2;
    }
    section->text[section->length] = ',';
    return section->text + section->length + 1;
}

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot put events aside: out of memory");
}

OpprofStatus TraceSectionCommit(TraceSection *section, const char *end, OpprofSpool *spool,
                                OpprofOutputDirectory *directory, OpprofError **error)
{
    TraceExtent *extent;
    OpprofStatus status;

    section->length = (size_t) (end - section->text);
    section->events++;
    if (section->length < TEXT_MAX) {
        return OPPROF_OK;
    }
    if (!grow((void **) &section->extents, section->extent_count, &section->extent_capacity,
              sizeof *section->extents)) {
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

bool TraceSectionNote(TraceSection *section, uint32_t track)
{
    if (OpprofMapFind(&section->known, track) != OPPROF_MAP_NONE) {
        return true;
    }
    if (!grow((void **) &section->tracks, section->track_count, &section->track_capacity,
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
