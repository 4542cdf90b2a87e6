/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the reader for a trace by the beginning of its file.
 * Tested by tests/plugins/collect-kineto/test_inputs.sh.
 */
#include "collect-kineto/formats/event_reader.h"

#include "collect-kineto/text/archive.h"
#include "collect-kineto/formats/ascend_reader.h"
#include "collect-kineto/formats/nsys_reader.h"
#include "collect-kineto/formats/trace_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <opprof/output.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNPACK_BYTES ((size_t) 256 << 10)

/* JSON text and where it comes from. */
typedef struct TextReader {
    EventReader base;
    Source *source;
    TraceReader *reader;
} TextReader;

static OpprofStatus text_next(EventReader *reader, const TraceEvent **ret_event,
                              OpprofError **error)
{
    return TraceReaderNext(((TextReader *) reader)->reader, ret_event, error);
}

static void text_stop(EventReader *reader)
{
    TraceReaderStop(((TextReader *) reader)->reader);
}

static void text_facts(const EventReader *reader, TraceFacts *ret_facts)
{
    TraceReaderGetFacts(((const TextReader *) reader)->reader, ret_facts);
}

static ReadProgress text_progress(const EventReader *reader)
{
    const TextReader *self = (const TextReader *) reader;

    return (ReadProgress){ TraceReaderDone(self->reader), SourceSize(self->source) };
}

static void text_destroy(EventReader *reader)
{
    TextReader *self = (TextReader *) reader;

    TraceReaderDestroy(self->reader);
    SourceClose(self->source);
    free(self);
}

static const EventReaderOps text_ops = { .next = text_next,
                                         .stop = text_stop,
                                         .get_facts = text_facts,
                                         .progress = text_progress,
                                         .destroy = text_destroy };

/* Takes ownership of the source in any case. */
static EventReader *open_text(Source *source, const Vocabulary *vocabulary, ReadThreads threads)
{
    const size_t piece_bytes = threads.piece_bytes == 0 ? AHEAD_PIECE_BYTES : threads.piece_bytes;
    TextReader *self = calloc(1, sizeof *self);

    if (self == NULL) {
        SourceClose(source);
        return NULL;
    }
    self->base.ops = &text_ops;
    self->source = source;
    self->reader = TraceReaderCreate(source, vocabulary);
    if (threads.piece_bytes == 0 && SourceSize(source) < AHEAD_FILE_BYTES) {
        threads.count = 1;
    }
    if (self->reader == NULL || !TraceReaderSetThreads(self->reader, threads.count, piece_bytes)) {
        text_destroy(&self->base);
        return NULL;
    }
    return &self->base;
}

/* Writes what is left of a source to a file, as far as it can be unpacked. */
static OpprofStatus unpack(Source *source, const char *path, FILE *file, OpprofError **error)
{
    char *room = malloc(UNPACK_BYTES);
    size_t got = 1;
    bool is_good = room != NULL;

    while (is_good && got > 0) {
        got = SourceRead(source, room, UNPACK_BYTES);
        is_good = fwrite(room, 1, got, file) == got;
    }
    is_good = is_good && fflush(file) == 0;
    free(room);
    if (room == NULL) {
        return OpprofErrorNoMemory(error, "unpack trace '%s'", path);
    }
    if (!is_good) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot unpack trace '%s': %s", path,
                              strerror(errno));
    }
    return OPPROF_OK;
}

static OpprofStatus unpack_to(Source *source, const char *path, const char *name,
                              OpprofError **error)
{
    FILE *file = fopen(name, "wbe");
    OpprofStatus status;

    if (file == NULL) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot unpack trace '%s' to '%s': %s", path,
                              name, strerror(errno));
    }
    status = unpack(source, path, file, error);
    fclose(file);
    return status;
}

/* A database of whichever profiler. */
static OpprofStatus open_database(const char *path, const char *damage,
                                  SourceIsStopping *is_stopping, const void *context,
                                  EventReader **ret_reader, OpprofError **error)
{
    return AscendReaderAccepts(path)
               ? AscendReaderOpen(path, damage, is_stopping, context, ret_reader, error)
               : NsysReaderOpen(path, damage, is_stopping, context, ret_reader, error);
}

/* A database that is compressed or in an archive becomes a file for a moment, since SQLite only
 * reads files. */
static OpprofStatus open_packed_database(Source *source, const char *path,
                                         SourceIsStopping *is_stopping, const void *context,
                                         EventReader **ret_reader, OpprofError **error)
{
    OpprofScratch *scratch;
    char *name = NULL;
    OpprofStatus status = OpprofScratchMake(NULL, &scratch, error);

    if (status != OPPROF_OK) {
        return OpprofErrorWrap(error, "Cannot unpack trace '%s'", path);
    }
    if (asprintf(&name, "%s/database", OpprofScratchPath(scratch)) < 0) {
        name = NULL;
        status = OpprofErrorNoMemory(error, "unpack trace '%s'", path);
    } else {
        status = unpack_to(source, path, name, error);
    }
    if (status == OPPROF_OK) {
        status =
            open_database(name, SourceProblem(source), is_stopping, context, ret_reader, error);
    }
    free(name);
    OpprofScratchRemove(scratch); /* the reader has the file open */
    return status;
}

static bool pass_over(void *context, const char *path)
{
    (void) context;
    (void) path;
    return true;
}

OpprofStatus EventReaderOpen(const char *path, const EventReading *reading,
                             EventReader **ret_reader, OpprofError **error)
{
    SourceIsStopping *is_stopping = reading->is_stopping;
    const void *context = reading->context;
    Source *source = NULL;
    /* One that can be listed was replaced by the traces in it. */
    OpprofStatus status = ArchiveIs(path) ? ArchiveList(path, pass_over, NULL, error) : OPPROF_OK;

    status = status == OPPROF_OK ? SourceOpen(path, &source, error) : status;
    if (status != OPPROF_OK) {
        return status;
    }
    if (SourceIsDatabase(source) && SourceIsPacked(source)) {
        SourceSetStop(source, is_stopping, context);
        status = open_packed_database(source, path, is_stopping, context, ret_reader, error);
        SourceClose(source);
        return status;
    }
    if (SourceIsDatabase(source)) {
        SourceClose(source);
        return open_database(path, NULL, is_stopping, context, ret_reader, error);
    }
    SourceSetStop(source, is_stopping, context);
    *ret_reader = open_text(source, reading->vocabulary, reading->threads);
    return *ret_reader != NULL ? OPPROF_OK : OpprofErrorNoMemory(error, "open trace '%s'", path);
}
