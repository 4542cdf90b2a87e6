/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one document of events. Tested by tests/plugins/export/test_trace. */
#include "trace_document.h"

#include "trim.h"

#include <opprof/grow.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ID_LENGTH_MAX 4096u /* bytes of a process or thread id, or of a name of one */

static OpprofStatus no_memory(const TraceDocument *document, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "write document '%s'",
                               OpprofStageString(document->stage, document->name));
}

OpprofStatus TraceDocumentOpen(TraceDocument *document, const OpprofTrack *track, bool is_framework,
                               OpprofError **error)
{
    /* The viewer's convention: 2 means that lanes have ranks, which numbered processes show by
     * themselves. */
    const int schema = (track->flags & OPPROF_TRACK_NUMERIC_PROCESS) != 0 ? 1 : 2;
    char head[128];
    char *path = NULL;
    OpprofStatus status;

    if (asprintf(&path, "%s.json", track->document) < 0) {
        return no_memory(document, error);
    }
    status =
        OpprofOutputFileCreate(OpprofStageOutput(document->stage), path, &document->file, error);
    free(path);
    if (status != OPPROF_OK) {
        return status;
    }
    snprintf(head, sizeof head,
             "{\"displayTimeUnit\":\"ns\",%s\"schemaVersion\":%d,\"traceEvents\":[",
             is_framework ? "" : "\"profilingType\":\"op\",", schema);
    document->head_length = strlen(head);
    return OpprofOutputFileWrite(document->file, head, strlen(head), error);
}

bool TraceDocumentSelect(TraceDocument *document, uint32_t link, uint32_t group,
                         const OpprofTrack *process)
{
    uint32_t at = 0;

    document->link = link;
    document->group = group;
    while (at < document->section_count &&
           (document->sections[at].link != link || document->sections[at].group != group)) {
        at++;
    }
    document->section = at;
    if ((link == 0 && group == 0) || at < document->section_count) {
        return true;
    }
    if (!OpprofGrow32(&document->sections, &document->section_capacity, (size_t) at + 1,
                      sizeof *document->sections)) {
        return false;
    }
    document->sections[document->section_count++] =
        (TraceSection){ .link = link, .group = group, .process = process };
    return true;
}

TraceSection *TraceDocumentSection(TraceDocument *document)
{
    return document->link == 0 && document->group == 0 ? NULL
                                                       : &document->sections[document->section];
}

OpprofStatus TraceDocumentRest(TraceDocument *document, OpprofError **error)
{
    TraceSection *section;
    OpprofStatus status;

    Trim32(&document->sections, &document->section_capacity, document->section_count,
           sizeof *document->sections);
    NumberSetTrim(&document->processes);
    status = OpprofOutputFileRest(document->file, error);
    section = TraceDocumentSection(document);
    return section == NULL || status != OPPROF_OK
               ? status
               : TraceSectionRest(section, document->spool, OpprofStageOutput(document->stage),
                                  error);
}

OpprofStatus TraceDocumentJoin(TraceDocument *document, TraceSection *section, OpprofError **error)
{
    const bool is_first = document->events == 0;

    document->events += section->events;
    return TraceSectionWrite(section, document->spool, document->file, is_first, error);
}

/* Room in the file, after the comma. */
static char *reserve_in_file(TraceDocument *document, size_t size, OpprofError **error)
{
    char *room = OpprofOutputFileReserve(document->file, size + 1);

    document->reserved = room;
    if (room == NULL) {
        /* The file keeps the error for the next write. */
        if (OpprofOutputFileWrite(document->file, "", 0, error) == OPPROF_OK) {
            no_memory(document, error);
        }
        return NULL;
    }
    if (document->events > 0) {
        *room++ = ',';
    }
    return room;
}

char *TraceDocumentReserve(TraceDocument *document, size_t size, OpprofError **error)
{
    TraceSection *section = TraceDocumentSection(document);
    char *room;

    if (section == NULL) {
        return reserve_in_file(document, size, error);
    }
    room = TraceSectionReserve(section, size);
    if (room == NULL) {
        no_memory(document, error);
    }
    return room;
}

OpprofStatus TraceDocumentCommit(TraceDocument *document, const char *end, OpprofError **error)
{
    TraceSection *section = TraceDocumentSection(document);

    if (section != NULL) {
        return TraceSectionCommit(section, end, document->spool, OpprofStageOutput(document->stage),
                                  error);
    }
    OpprofOutputFileCommit(document->file, (size_t) (end - document->reserved));
    document->events++;
    return OPPROF_OK;
}

static OpprofStatus add_text(TraceDocument *document, const char *name, JsonPiece ids,
                             const char *text, OpprofError **error)
{
    char *out = TraceDocumentReserve(document, TraceMetadataRoom(ids, strlen(text)), error);

    if (out == NULL) {
        return OPPROF_E_IO;
    }
    return TraceDocumentCommit(document, TraceMetadataText(out, name, ids, text), error);
}

static OpprofStatus add_sort(TraceDocument *document, const char *name, JsonPiece ids, int32_t sort,
                             OpprofError **error)
{
    char *out = TraceDocumentReserve(document, TraceMetadataRoom(ids, 0), error);

    if (out == NULL) {
        return OPPROF_E_IO;
    }
    return TraceDocumentCommit(document, TraceMetadataSort(out, name, ids, sort), error);
}

static OpprofStatus introduce_process(TraceDocument *document, const OpprofTrack *track,
                                      OpprofError **error)
{
    const bool is_numeric = (track->flags & OPPROF_TRACK_NUMERIC_PROCESS) != 0;
    char *ids = malloc(TraceTrackRoom(track));
    JsonPiece piece = { ids, 0 };
    OpprofStatus status = OPPROF_OK;

    if (ids == NULL) {
        return no_memory(document, error);
    }
    piece.length = (size_t) (TraceTrackPut(ids, track, NULL, is_numeric ? "0" : "\"NA\"") - ids);
    if (track->process_name != NULL) {
        status = add_text(document, "process_name", piece, track->process_name, error);
    }
    if (status == OPPROF_OK && track->process_sort >= 0) {
        status = add_sort(document, "process_sort_index", piece, track->process_sort, error);
    }
    free(ids);
    return status;
}

static OpprofStatus introduce_thread(TraceDocument *document, const OpprofTrack *track,
                                     JsonPiece ids, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (track->thread_name != NULL) {
        status = add_text(document, "thread_name", ids, track->thread_name, error);
    }
    if (status == OPPROF_OK && track->thread_sort >= 0) {
        status = add_sort(document, "thread_sort_index", ids, track->thread_sort, error);
    }
    return status;
}

/* Longest of the texts of a track. */
static size_t longest_text(const OpprofTrack *track)
{
    const char *const texts[] = { track->process, track->process_name, track->thread,
                                  track->thread_name };
    size_t longest = 0;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        size_t length = texts[i] == NULL ? 0 : strlen(texts[i]);

        longest = length > longest ? length : longest;
    }
    return longest;
}

OpprofStatus TraceDocumentIntroduce(TraceDocument *document, const OpprofTrack *track,
                                    JsonPiece ids, OpprofError **error)
{
    uint32_t process = OpprofStageIntern(document->stage, track->process, strlen(track->process));
    OpprofStatus status = OPPROF_OK;
    bool is_new;

    if (longest_text(track) > ID_LENGTH_MAX) {
        return OpprofErrorSet(
            error, OPPROF_E_LIMIT,
            "Cannot draw in document '%s': a track's text has %zu bytes, the limit is %u",
            track->document, longest_text(track), ID_LENGTH_MAX);
    }
    if (!NumberSetAdd(&document->processes, process, &is_new)) {
        return no_memory(document, error);
    }
    if (is_new) {
        status = introduce_process(document, track, error);
    }
    if (status != OPPROF_OK || track->thread == NULL) {
        return status;
    }
    return introduce_thread(document, track, ids, error);
}

OpprofStatus TraceDocumentFinish(TraceDocument *document, char **ret_path, uint64_t *ret_length,
                                 OpprofError **error)
{
    OpprofOutputFile *file = document->file;
    OpprofStatus status = OpprofOutputFileWrite(file, "]}", 2, error);

    *ret_path = NULL;
    *ret_length = 0;
    if (status != OPPROF_OK) {
        return status;
    }
    *ret_path = strdup(OpprofOutputFilePath(file));
    if (*ret_path == NULL) {
        return no_memory(document, error);
    }
    *ret_length = OpprofOutputFileOffset(file);
    document->file = NULL;
    status = OpprofOutputFileFinish(file, error);
    if (status != OPPROF_OK) {
        free(*ret_path);
        *ret_path = NULL;
    }
    return status;
}

void TraceDocumentClose(TraceDocument *document)
{
    OpprofOutputFileDiscard(document->file);
    document->file = NULL;
    NumberSetFinish(&document->processes);
    for (uint32_t i = 0; i < document->section_count; i++) {
        TraceSectionFinish(&document->sections[i]);
    }
    free(document->sections);
    document->sections = NULL;
    document->section_count = 0;
}
