/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace: writes spans and counters as trace.json files, one per document. An instance has the
 * documents of its partitions. Events of several producers are sorted by producer, in whatever
 * order they arrive.
 */
#include "trace_document.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/records/block.h>
#include <opprof/text.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FIRST_SAMPLE_PS 1000 /* a nanosecond */
#define MANY_DOCUMENTS 32u   /* if there are more, only the current ones hold text in memory */

enum { INPUT_SPANS, INPUT_COUNTERS };
enum { OUTPUT_BLOCKS };

/* The events of a finished document. */
typedef struct FinishedDocument {
    char *name;
    char *path;
    uint64_t from; /* bytes of the file */
    uint64_t length;
} FinishedDocument;

/* Which instance writes which document. */
typedef struct Owners {
    pthread_mutex_t lock; /* guards all below */
    OpprofMap instances;  /* by interned document name */
    FinishedDocument *finished;
    uint32_t finished_count;
    uint32_t finished_capacity;
    uint32_t flushed; /* instances that have finished their documents */
} Owners;

/* A track in use. */
typedef struct TrackLine {
    uint32_t document; /* index into documents */
    uint32_t used_by;  /* the last link that used it plus 1 */
    uint32_t group;    /* its process, if that is separate: interned id plus 1; else 0 */
    const OpprofTrack *track;
    bool is_introduced; /* its metadata is in the file */
    JsonPiece ids;      /* "pid":…,"tid":… */
} TrackLine;

typedef struct Trace {
    OpprofStage *stage;
    const OpprofParams *params;
    Owners *owners;
    JsonCache strings;
    TraceDocument *documents;
    uint32_t document_count;
    uint32_t document_capacity;
    OpprofMap document_index; /* by interned name */
    TrackLine *lines;
    uint32_t line_count;
    uint32_t line_capacity;
    uint32_t *line_index; /* by track: index into lines plus 1, or 0 */
    uint32_t track_count; /* entries of line_index */
    TextArena texts;      /* of the lines */
    TraceEvent event;     /* the current one */
    uint64_t cut;         /* events that were too long */
    uint32_t link;        /* of the current batch */
    OpprofSpool spool;    /* of the documents' sections */
    bool is_framework;    /* documents belong to a framework, not to an operator */
    const char *merged;   /* document that has the events of all others; empty: none */
} Trace;

static const OpprofClock no_clock = { .name = "nanosecond", .hz = UINT64_C(1000000000) };

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "write traces");
}

/* ---- documents and tracks ---- */

/* Two instances must not write the same file. */
static OpprofStatus claim_document(Trace *self, uint32_t name, OpprofError **error)
{
    const uint32_t me = OpprofStageInstance(self->stage, NULL);
    uint32_t owner;
    bool is_stored = true;

    pthread_mutex_lock(&self->owners->lock);
    owner = OpprofMapFind(&self->owners->instances, name);
    if (owner == OPPROF_MAP_NONE) {
        owner = me;
        is_stored = OpprofMapPut(&self->owners->instances, name, me);
    }
    pthread_mutex_unlock(&self->owners->lock);
    if (!is_stored) {
        return no_memory(error);
    }
    if (owner != me) {
        OpprofErrorSet(error, OPPROF_E_CONTRACT,
                       "Spans of document '%s' come in several partitions",
                       OpprofStageString(self->stage, name));
        OpprofErrorHint(
            error, "A producer of spans must use the document's name as partition of its batches");
        return OPPROF_E_CONTRACT;
    }
    return OPPROF_OK;
}

static OpprofStatus add_document(Trace *self, uint32_t name, const OpprofTrack *track,
                                 OpprofError **error)
{
    OpprofStatus status = claim_document(self, name, error);

    if (status != OPPROF_OK) {
        return status;
    }
    if (!OpprofGrow32(&self->documents, &self->document_capacity, (size_t) self->document_count + 1,
                      sizeof(TraceDocument)) ||
        !OpprofMapPut(&self->document_index, name, self->document_count)) {
        return no_memory(error);
    }
    TraceDocument *document = &self->documents[self->document_count++];

    *document = (TraceDocument){ .stage = self->stage, .name = name, .spool = &self->spool };
    return TraceDocumentOpen(document, track, self->is_framework, error);
}

static OpprofStatus find_document(Trace *self, const OpprofTrack *track, uint32_t *ret_index,
                                  OpprofError **error)
{
    uint32_t name = OpprofStageIntern(self->stage, track->document, strlen(track->document));
    OpprofStatus status;

    if (name == OPPROF_NA_STRING) {
        return no_memory(error);
    }
    *ret_index = OpprofMapFind(&self->document_index, name);
    if (*ret_index != OPPROF_MAP_NONE) {
        return OPPROF_OK;
    }
    status = add_document(self, name, track, error);
    *ret_index = self->document_count - 1;
    return status;
}

/* 0: the process is not separate, or there is no memory to distinguish it. */
static uint32_t group_of(const Trace *self, const OpprofTrack *track)
{
    return (track->flags & OPPROF_TRACK_APART) == 0
               ? 0
               : OpprofStageIntern(self->stage, track->process, strlen(track->process)) + 1;
}

static OpprofStatus add_line(Trace *self, uint32_t id, OpprofError **error)
{
    const OpprofTrack *track = OpprofStageTrackInfo(self->stage, id);
    TrackLine *line;
    char *ids;
    OpprofStatus status;

    if (track == NULL) {
        return OpprofErrorSet(error, OPPROF_E_CONTRACT,
                              "A span is on track %u, which was not declared", id);
    }
    if (!OpprofGrow32(&self->lines, &self->line_capacity, (size_t) self->line_count + 1,
                      sizeof(TrackLine))) {
        return no_memory(error);
    }
    line = &self->lines[self->line_count];
    *line = (TrackLine){ .track = track, .group = group_of(self, track) };
    status = find_document(self, track, &line->document, error);
    if (status != OPPROF_OK) {
        return status;
    }
    ids = TextArenaReserve(&self->texts, TraceTrackRoom(track));
    if (ids == NULL || !OpprofGrowCleared32(&self->line_index, &self->track_count, (size_t) id + 1,
                                            sizeof *self->line_index)) {
        return no_memory(error);
    }
    line->ids = (JsonPiece){ ids, (size_t) (TraceTrackPut(ids, track, track->thread, "0") - ids) };
    TextArenaKeep(&self->texts, line->ids.length);
    self->line_index[id] = ++self->line_count;
    return OPPROF_OK;
}

/* Write the track's metadata, once. */
static OpprofStatus introduce(Trace *self, uint32_t track, OpprofError **error)
{
    TrackLine *line = &self->lines[self->line_index[track] - 1];

    if (line->is_introduced) {
        return OPPROF_OK;
    }
    line->is_introduced = true;
    return TraceDocumentIntroduce(&self->documents[line->document],
                                  OpprofStageTrackInfo(self->stage, track), line->ids, error);
}

/* The current link uses a track that another one used last. */
static OpprofStatus change_link(Trace *self, uint32_t track, OpprofError **error)
{
    TrackLine *line = &self->lines[self->line_index[track] - 1];
    TraceDocument *document = &self->documents[line->document];
    TraceSection *section;

    if (!TraceDocumentSelect(document, self->link, line->group, line->track)) {
        return no_memory(error);
    }
    line->used_by = self->link + 1;
    section = TraceDocumentSection(document);
    if (section == NULL) {
        return introduce(self, track, error);
    }
    return TraceSectionNote(section, track) ? OPPROF_OK : no_memory(error);
}

/* The line of a track, its document ready for an event from the current
 * link; NULL with an error. */
static inline const TrackLine *find_line(Trace *self, uint32_t track, OpprofStatus *ret_status,
                                         OpprofError **error)
{
    const TrackLine *line;

    if (track >= self->track_count || self->line_index[track] == 0) {
        *ret_status = add_line(self, track, error);
    }
    if (*ret_status != OPPROF_OK) {
        return NULL;
    }
    line = &self->lines[self->line_index[track] - 1];
    if (line->used_by != self->link + 1 || self->documents[line->document].link != self->link ||
        self->documents[line->document].group != line->group) {
        *ret_status = change_link(self, track, error);
    }
    return *ret_status == OPPROF_OK ? line : NULL;
}

/* ---- records ---- */

/* The end is rounded, not the duration, so that a slice ends where the next one begins. */
static int64_t end_of(const OpprofClock *clock, const OpprofSpan *span)
{
    const uint64_t end =
        span->duration > UINT64_MAX - span->start ? UINT64_MAX : span->start + span->duration;

    return OpprofClockPicoseconds(clock, end);
}

/* MindStudio Insight keeps whole nanoseconds and drops samples at 0. */
static int64_t sample_time(const OpprofClock *clock, uint64_t time)
{
    const int64_t time_ps = OpprofClockPicoseconds(clock, time);

    return clock->epoch_ns == 0 && time_ps < FIRST_SAMPLE_PS ? FIRST_SAMPLE_PS : time_ps;
}

static OpprofStatus write_span(Trace *self, const OpprofBatch *batch, const OpprofSpan *span,
                               const OpprofClock *clock, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    const TrackLine *line = find_line(self, span->track, &status, error);
    TraceEvent *event = &self->event;
    TraceDocument *document;
    char *out;

    if (line == NULL) {
        return status;
    }
    document = &self->documents[line->document];
    TraceEventLoad(event, batch, span, &self->strings);
    event->track = line->ids;
    event->epoch_ns = clock->epoch_ns;
    event->start_ps = OpprofClockPicoseconds(clock, span->start);
    event->duration_ps = end_of(clock, span) - event->start_ps;
    out = TraceDocumentReserve(document, TraceEventRoom(event), error);
    if (out == NULL) {
        return OPPROF_E_IO;
    }
    self->cut += event->is_cut;
    document->nameless = document->nameless || event->name.length == strlen("\"\"");
    return TraceDocumentCommit(document, TraceEventPut(out, event), error);
}

static OpprofStatus write_counter(Trace *self, const OpprofCounter *counter,
                                  const OpprofClock *clock, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    const TrackLine *line;
    char *out;

    if (counter->value != counter->value) { /* absent, or not a number: no sample */
        return OPPROF_OK;
    }
    line = find_line(self, counter->track, &status, error);
    if (line == NULL) {
        return status;
    }
    const TraceCounter sample = { .name = JsonCacheGet(&self->strings, counter->name),
                                  .series = JsonCacheGet(&self->strings, counter->series),
                                  .track = line->ids,
                                  .value = counter->value,
                                  .epoch_ns = clock->epoch_ns,
                                  .time_ps = sample_time(clock, counter->time) };
    out = TraceDocumentReserve(&self->documents[line->document], TraceCounterRoom(&sample), error);
    if (out == NULL) {
        return OPPROF_E_IO;
    }
    return TraceDocumentCommit(&self->documents[line->document], TraceCounterPut(out, &sample),
                               error);
}

/* Track of the batch's last record. */
static uint32_t last_track(uint32_t port, const OpprofBatch *batch)
{
    const void *record = OpprofBatchRecord(batch, batch->count - 1);

    return port == INPUT_SPANS ? ((const OpprofSpan *) record)->track
                               : ((const OpprofCounter *) record)->track;
}

/* Traces of many ranks come one after another: the document of a batch may wait long for the next
 * one; or none follows on this link. */
static OpprofStatus rest(Trace *self, uint32_t port, const OpprofBatch *batch, OpprofError **error)
{
    const uint32_t track = batch->count == 0 ? OPPROF_NA_U32 : last_track(port, batch);
    const bool may_wait = self->document_count > MANY_DOCUMENTS || batch->watermark == UINT64_MAX;

    if (!may_wait || track >= self->track_count || self->line_index[track] == 0) {
        return OPPROF_OK;
    }
    return TraceDocumentRest(&self->documents[self->lines[self->line_index[track] - 1].document],
                             error);
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Trace *self = context;
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, batch->clock);
    OpprofStatus status = OPPROF_OK;

    clock = clock == NULL ? &no_clock : clock;
    self->link = OpprofStageLink(self->stage);
    JsonCacheTrim(&self->strings);
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        status = port == INPUT_SPANS
                     ? write_span(self, batch, OpprofBatchRecord(batch, i), clock, error)
                     : write_counter(self, OpprofBatchRecord(batch, i), clock, error);
    }
    return status == OPPROF_OK ? rest(self, port, batch, error) : status;
}

/* ---- life ---- */

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Trace *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return no_memory(error);
    }
    self->stage = stage;
    self->strings.stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Trace *self = context;

    (void) error;
    self->params = params;
    self->merged = OpprofParamsString(params, "merged");
    self->merged = self->merged == NULL ? "" : self->merged;
    self->is_framework = strcasecmp(OpprofParamsString(params, "of"), "framework") == 0;
    return OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Trace *self = context;

    if (OpprofStageInstance(self->stage, NULL) == 0) {
        Owners *owners = calloc(1, sizeof *owners);

        if (owners == NULL || pthread_mutex_init(&owners->lock, NULL) != 0) {
            free(owners);
            return no_memory(error);
        }
        OpprofStageSetShared(self->stage, owners);
    }
    self->owners = OpprofStageShared(self->stage);
    return OPPROF_OK;
}

/* True if a document is also part of a viewer's container. */
static bool is_for_viewer(const Trace *self, const char *document)
{
    for (size_t i = 0; i < OpprofParamsCount(self->params, "viewer"); i++) {
        if (fnmatch(OpprofParamsElement(self->params, "viewer", i), document, 0) == 0) {
            return true;
        }
    }
    return false;
}

/* The folder of a document, in which its container is; absent: the output directory itself. */
static uint32_t folder_of(const Trace *self, const char *document)
{
    const char *slash = strrchr(document, '/');

    return slash == NULL ? OPPROF_NA_STRING
                         : OpprofStageIntern(self->stage, document, (size_t) (slash - document));
}

/* Give the container's writer the place of the finished text. */
static OpprofStatus offer_block(Trace *self, const TraceDocument *document, const char *path,
                                uint64_t length, OpprofError **error)
{
    OpprofBatch *batch = OpprofStageNewBatch(self->stage, OUTPUT_BLOCKS);
    OpprofBlock *block = batch == NULL ? NULL : OpprofBatchAppend(batch);
    OpprofText file;

    if (block == NULL || OpprofBatchAppendText(batch, path, strlen(path), &file) != OPPROF_OK) {
        OpprofBatchUnref(batch);
        return no_memory(error);
    }
    *block =
        (OpprofBlock){ .block_type = OPPROF_BLOCK_TRACE,
                       .version = OPPROF_BLOCK_VERSION,
                       .path = { OPPROF_NA_U32, 0 },
                       .bytes = { OPPROF_NA_U32, 0 },
                       .file = file,
                       .file_length = length,
                       .folder = folder_of(self, OpprofStageString(self->stage, document->name)),
                       .flags = document->nameless ? OPPROF_BLOCK_NAMELESS : 0 };
    return OpprofStagePush(self->stage, OUTPUT_BLOCKS, batch);
}

/* By rank, then id; events outside of separate processes, such as curves, come last. */
static int compare_processes(const OpprofTrack *left, const OpprofTrack *right)
{
    if (left == NULL || right == NULL) {
        return (left == NULL) - (right == NULL);
    }
    if (left->process_sort != right->process_sort) {
        return left->process_sort < right->process_sort ? -1 : 1;
    }
    return strcmp(left->process, right->process);
}

static int compare_sections(const void *a, const void *b)
{
    const TraceSection *left = a;
    const TraceSection *right = b;

    const int order = compare_processes(left->process, right->process);

    return order != 0 ? order : (left->link > right->link) - (left->link < right->link);
}

/* Append the events from all links but the first. */
static OpprofStatus join_sections(Trace *self, TraceDocument *document, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (document->section_count == 0) {
        return OPPROF_OK;
    }
    qsort(document->sections, document->section_count, sizeof *document->sections,
          compare_sections);
    TraceDocumentSelect(document, 0, 0, NULL);
    for (uint32_t i = 0; status == OPPROF_OK && i < document->section_count; i++) {
        TraceSection *section = &document->sections[i];

        for (uint32_t t = 0; status == OPPROF_OK && t < section->tracks.count; t++) {
            status = introduce(self, section->tracks.list[t], error);
        }
        if (status == OPPROF_OK) {
            status = TraceDocumentJoin(document, section, error);
        }
    }
    return status;
}

/* Remember where the events of a document are, for the merged one. */
static bool note_finished(const Trace *self, const TraceDocument *document, const char *path,
                          uint64_t length)
{
    Owners *owners = self->owners;
    FinishedDocument finished = { .name = strdup(OpprofStageString(self->stage, document->name)),
                                  .path = strdup(path),
                                  .from = document->head_length,
                                  .length = length - document->head_length - strlen("]}") };
    bool is_noted = finished.name != NULL && finished.path != NULL;

    pthread_mutex_lock(&owners->lock);
    is_noted = is_noted && OpprofGrow32(&owners->finished, &owners->finished_capacity,
                                        (size_t) owners->finished_count + 1, sizeof finished);
    if (is_noted) {
        owners->finished[owners->finished_count++] = finished;
    }
    pthread_mutex_unlock(&owners->lock);
    if (!is_noted) {
        free(finished.name);
        free(finished.path);
    }
    return is_noted;
}

static OpprofStatus finish_document(Trace *self, TraceDocument *document, OpprofError **error)
{
    char *path = NULL;
    uint64_t length = 0;
    OpprofStatus status = join_sections(self, document, error);

    if (status == OPPROF_OK) {
        status = TraceDocumentFinish(document, &path, &length, error);
    }
    if (status == OPPROF_OK &&
        is_for_viewer(self, OpprofStageString(self->stage, document->name))) {
        status = offer_block(self, document, path, length, error);
    }
    if (status == OPPROF_OK && self->merged[0] != '\0' &&
        !note_finished(self, document, path, length)) {
        status = no_memory(error);
    }
    free(path);
    return status;
}

static int compare_finished(const void *a, const void *b)
{
    const FinishedDocument *left = a;
    const FinishedDocument *right = b;

    return strverscmp(left->name, right->name);
}

/* The events of all documents, copied in the order of their names. */
static OpprofStatus write_merged(Trace *self, OpprofError **error)
{
    const Owners *owners = self->owners;
    const OpprofTrack track = { .document = self->merged };
    const uint32_t name = OpprofStageIntern(self->stage, self->merged, strlen(self->merged));
    TraceDocument merged = { .stage = self->stage, .name = name, .spool = &self->spool };
    OpprofStatus status = TraceDocumentOpen(&merged, &track, self->is_framework, error);
    char *path = NULL;
    uint64_t length;

    qsort(owners->finished, owners->finished_count, sizeof *owners->finished, compare_finished);
    for (uint32_t i = 0; status == OPPROF_OK && i < owners->finished_count; i++) {
        const FinishedDocument *finished = &owners->finished[i];

        if (i > 0) {
            status = OpprofOutputFileWrite(merged.file, ",", 1, error);
        }
        if (status == OPPROF_OK) {
            status = OpprofOutputFileCopy(merged.file, finished->path, finished->from,
                                          finished->length, error);
        }
    }
    if (status == OPPROF_OK) {
        status = TraceDocumentFinish(&merged, &path, &length, error);
    }
    free(path);
    TraceDocumentClose(&merged);
    return status;
}

/* The last instance merges; not needed with only one document, or one that has the merged one's
 * name. */
static OpprofStatus merge(Trace *self, OpprofError **error)
{
    Owners *owners = self->owners;
    uint32_t instances;
    bool is_last;
    bool is_wanted;

    OpprofStageInstance(self->stage, &instances);
    pthread_mutex_lock(&owners->lock);
    is_last = ++owners->flushed == instances;
    is_wanted = is_last && owners->finished_count > 1;
    for (uint32_t i = 0; is_wanted && i < owners->finished_count; i++) {
        is_wanted = strcmp(owners->finished[i].name, self->merged) != 0;
    }
    pthread_mutex_unlock(&owners->lock);
    return is_wanted ? write_merged(self, error) : OPPROF_OK;
}

static void free_finished(Owners *owners)
{
    for (uint32_t i = 0; i < owners->finished_count; i++) {
        free(owners->finished[i].name);
        free(owners->finished[i].path);
    }
    free(owners->finished);
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Trace *self = context;
    OpprofStatus status = OPPROF_OK;

    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Writes timelines: documents=%" PRIu32,
              self->document_count);
    for (uint32_t i = 0; status == OPPROF_OK && i < self->document_count; i++) {
        status = finish_document(self, &self->documents[i], error);
    }
    if (self->cut > 0) {
        OpprofStageIncomplete(
            self->stage, "Texts of %llu %s were cut: the viewer takes none over 1 MiB",
            (unsigned long long) self->cut, OPPROF_PLURAL(self->cut, "event", "events"));
    }
    return status == OPPROF_OK ? merge(self, error) : status;
}

static OpprofStatus stop(void *context, OpprofError **error)
{
    Trace *self = context;

    (void) error;
    for (uint32_t i = 0; i < self->document_count; i++) {
        TraceDocumentClose(&self->documents[i]);
    }
    self->document_count = 0;
    if (OpprofStageInstance(self->stage, NULL) == 0) {
        pthread_mutex_destroy(&self->owners->lock);
        OpprofMapFinish(&self->owners->instances);
        free_finished(self->owners);
        free(self->owners);
        OpprofStageSetShared(self->stage, NULL);
    }
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Trace *self = context;

    JsonCacheFinish(&self->strings);
    OpprofMapFinish(&self->document_index);
    OpprofSpoolFinish(&self->spool);
    free(self->line_index);
    TextArenaFinish(&self->texts);
    free(self->documents);
    free(self->lines);
    free(self);
}

static const OpprofPort inputs[] = {
    [INPUT_SPANS] = { .name = "spans",
                      .type = "span",
                      .record_type = &opprof_span_type,
                      .flags = OPPROF_PORT_MANY,
                      .summary = "Pieces of timelines; a batch's partition is its document." },
    [INPUT_COUNTERS] = { .name = "counters",
                         .type = "counter",
                         .record_type = &opprof_counter_type,
                         .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                         .summary = "Samples of curves; a batch's partition is its document." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_BLOCKS] = { .name = "blocks",
                        .record_type = &opprof_block_type,
                        .batch_records = 1,
                        .summary = "Finished documents, for the viewer's containers." },
};

static const char *const kinds[] = { "operator", "framework", NULL };

static const OpprofParam params[] = {
    { .name = "of",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "operator",
      .choices = kinds,
      .summary = "What the timelines show: MindStudio Insight uses the colours of an operator's "
                 "timelines, and colours a framework's by name." },
    { .name = "viewer",
      .type = OPPROF_PARAM_LIST,
      .default_value = "trace",
      .summary =
          "Documents, with * and ?, that also go into the viewer's container of their folder." },
    { .name = "merged",
      .type = OPPROF_PARAM_STRING,
      .summary = "Document that repeats the events of all others; none if there is only one, or "
                 "one has this name." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .flush = flush,
    .stop = stop,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "trace", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Writes timelines and curves as trace.json, one file per document.",
                     .help =
                         "A document 'x/trace' becomes 'x/trace.json' in the form that MindStudio "
                         "Insight takes for operators. Documents without events are not written.",
                     .kind = OPPROF_EXPORTER, .flags = OPPROF_PLUGIN_PARTITIONED, .inputs = inputs,
                     .input_count = OPPROF_COUNT(inputs), .outputs = outputs,
                     .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
