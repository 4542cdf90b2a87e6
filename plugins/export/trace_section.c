/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the events of one producer of a document apart from those of the others.
 * Tested by tests/plugins/export/test_trace.
 */
#include "trace_section.h"

#include <opprof/grow.h>

#include <stdlib.h>

char *TraceSectionReserve(TraceSection *section, size_t size)
{
    const size_t wanted = section->length + size + 1;

    if (!OpprofGrow(&section->text, &section->capacity, wanted, 1)) {
        return NULL;
    }
    section->text[section->length] = ',';
    return section->text + section->length + 1;
}

static OpprofStatus spool_text(TraceSection *section, OpprofSpool *spool,
                               OpprofOutputDirectory *directory, OpprofError **error)
{
    const OpprofStatus status = SpoolRangesAppend(&section->spooled, spool, directory,
                                                  section->text, section->length, error);

    if (status == OPPROF_OK) {
        section->length = 0;
    }
    return status;
}

OpprofStatus TraceSectionCommit(TraceSection *section, const char *end, OpprofSpool *spool,
                                OpprofOutputDirectory *directory, OpprofError **error)
{
    section->length = (size_t) (end - section->text);
    section->events++;
    return section->length < SpoolRangesPiece(&section->spooled)
               ? OPPROF_OK
               : spool_text(section, spool, directory, error);
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
        SpoolRangesTrim(&section->spooled);
        NumberSetTrim(&section->tracks);
    }
    return status;
}

bool TraceSectionNote(TraceSection *section, uint32_t track)
{
    bool is_new;

    return NumberSetAdd(&section->tracks, track, &is_new);
}

OpprofStatus TraceSectionWrite(TraceSection *section, const OpprofSpool *spool,
                               OpprofOutputFile *file, bool is_first, OpprofError **error)
{
    const size_t comma = is_first ? 1 : 0;
    const size_t skip =
        section->spooled.count == 0 ? comma : 0; /* of the text that is not in the spool */
    OpprofStatus status = SpoolRangesCopy(&section->spooled, spool, comma, file, error);

    if (status == OPPROF_OK && section->length > 0) {
        status = OpprofOutputFileWrite(file, section->text + skip, section->length - skip, error);
    }
    return status;
}

void TraceSectionFinish(TraceSection *section)
{
    free(section->text);
    SpoolRangesFinish(&section->spooled);
    NumberSetFinish(&section->tracks);
    *section = (TraceSection){ .link = 0 };
}
