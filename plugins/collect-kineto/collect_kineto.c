/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-kineto: reads the Chrome traces that frameworks record and gives the device's work as
 * spans.
 *
 * Each instance reads a file of its own. The spans of a trace go out when all of it is read: only
 * then is it known what its rank is, what its times are relative to and which calls launched which
 * work.
 * Tested by tests/plugins/collect-kineto/test_trace_reader.
 */
#include "collect-kineto/emit/emit.h"
#include "collect-kineto/emit/report.h"
#include "collect-kineto/formats/ascend_folders.h"
#include "collect-kineto/formats/forms.h"
#include "collect-kineto/rank/device_ranks.h"
#include "collect-kineto/rank/file_rank.h"
#include "collect-kineto/rank/ranks.h"
#include "collect-kineto/formats/recognise.h"

#include <inttypes.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/records/grid.h>
#include <opprof/records/host.h>
#include <opprof/records/path.h>
#include <opprof/records/rank_file.h>
#include <opprof/stage.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_A_FILE 4u   /* with more, keeping events takes longer than reading them */
#define MACHINE_PART 4u     /* of the machine's memory, for traces that are being read */
#define EVENTS_A_CALL 8192u /* so that a request to stop is noticed soon */
enum { OUTPUT_SPANS, OUTPUT_HOST, OUTPUT_SHAPED, OUTPUT_PATH, OUTPUT_GRIDS, OUTPUT_FILES };

#define INSTEAD_BYTES 320u /* of what a trace of nothing has */
#define UNREAD_NAMED 8u    /* files that are not read, in a message */

/* small batches: queues count batches, and this data may be all there is */
#define SPANS_A_BATCH 512u

/* A trace that is being read. */
typedef struct Reading {
    size_t file;
    EventReader *reader; /* NULL: it could not be opened */
    RankTrace trace;
    OwnComparison sums;
} Reading;

typedef struct CollectKineto {
    OpprofStage *stage;
    const char *input;
    Vocabulary vocabulary;
    bool exclude_last_step;
    uint64_t most_bytes; /* of all traces that are read at the same time */
    ReadThreads threads; /* count 0: one for each unused core */
    Ranks *ranks;        /* shared by all instances */
    EmitWords words;
    bool is_reading;
    Reading reading;
    uint64_t done_before; /* bytes of files that this instance has finished */
    uint64_t all_bytes;   /* of all files; only in instance 0, since progress is summed up */
} CollectKineto;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(CollectKineto), ret_self, error);
}

/* ---- parameters ---- */

/* Parameters that replace lists of the vocabulary. */
static const struct {
    const char *param;
    VocabularyList list;
} replaced[] = {
    { "device_categories", LIST_DEVICE },
    { "comm_contains", LIST_COMM_CONTAINS },
    { "comm_prefix", LIST_COMM_PREFIX },
    { "mem_prefix", LIST_MEM_PREFIX },
};

static OpprofStatus replace_list(Vocabulary *vocabulary, const OpprofParams *params, size_t which,
                                 OpprofError **error)
{
    const char *param = replaced[which].param;
    const size_t count = OpprofParamsCount(params, param);
    const char **words;
    bool is_good;

    if (count == 0) {
        return OPPROF_OK;
    }
    words = calloc(count, sizeof *words);
    for (size_t i = 0; words != NULL && i < count; i++) {
        words[i] = OpprofParamsElement(params, param, i);
    }
    is_good = words != NULL && VocabularyReplace(vocabulary, replaced[which].list, words, count);
    free(words);
    return is_good ? OPPROF_OK : OpprofErrorNoMemory(error, "take the list '%s'", param);
}

/* Memory of this machine; without limit where it is unknown. */
static uint64_t machine_bytes(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGESIZE);

    return pages <= 0 || size <= 0 ? UINT64_MAX : (uint64_t) pages * (uint64_t) size;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    CollectKineto *self = context;
    OpprofStatus status =
        VocabularyLoad(OpprofParamsString(params, "vocabulary"), &self->vocabulary, error);

    self->input = OpprofParamsString(params, "input");
    self->vocabulary.reads_host = OpprofParamsBool(params, "operators");
    self->vocabulary.reads_frames = OpprofParamsBool(params, "frames");
    self->exclude_last_step = OpprofParamsBool(params, "exclude_last_step");
    self->most_bytes = (uint64_t) OpprofParamsInt(params, "memory");
    if (self->most_bytes == 0) {
        self->most_bytes = machine_bytes() / MACHINE_PART;
    }
    self->threads = (ReadThreads){ .count = (unsigned) OpprofParamsInt(params, "threads"),
                                   .piece_bytes = (size_t) OpprofParamsInt(params, "piece") };
    for (size_t i = 0; status == OPPROF_OK && i < sizeof replaced / sizeof replaced[0]; i++) {
        status = replace_list(&self->vocabulary, params, i, error);
    }
    return status == OPPROF_OK ? VocabularySettle(&self->vocabulary, error) : status;
}

/* Files beside the traces that are not read may have been traces. */
static void report_unread(const CollectKineto *self)
{
    char names[512] = "";
    size_t length = 0;
    size_t count = 0;

    for (; RanksUnread(self->ranks, count) != NULL; count++) {
        if (count < UNREAD_NAMED && length < sizeof names) {
            length += (size_t) snprintf(names + length, sizeof names - length, "%s'%s'",
                                        count == 0 ? "" : ", ", RanksUnread(self->ranks, count));
        }
    }
    if (count > 0) {
        OpprofStageWarn(self->stage,
                        "%zu file(s) are not read, since the names of traces end with " TRACE_NAMES
                        ": %s%s",
                        count, names, count > UNREAD_NAMED ? " …" : "");
    }
}

static bool has_tables(const char *input)
{
    AscendFolders folders;
    const bool result =
        AscendFoldersFind(input, &folders, NULL) == OPPROF_OK && AscendFoldersHaveTables(&folders);

    AscendFoldersFinish(&folders);
    return result;
}

/* A directory that has an Ascend profiler's tables may have no trace: the stage that reads them
 * gives the run's results. */
static OpprofStatus find_traces(const CollectKineto *self, TraceFiles *ret_files,
                                OpprofError **error)
{
    OpprofError *why = NULL;
    const OpprofStatus status = TraceFilesFind(self->input, ret_files, &why);

    if (status != OPPROF_E_NOT_FOUND || !has_tables(self->input)) {
        OpprofErrorPass(error, why);
        return status;
    }
    OpprofErrorDestroy(why);
    OpprofStageWarn(self->stage,
                    "'%s' has tables of an Ascend profiler, but no trace: what only a trace shows, "
                    "such as gaps and the critical path, is missing",
                    self->input);
    return OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    CollectKineto *self = context;
    TraceFiles files;
    OpprofStatus status;

    if (!EmitWordsInit(&self->words, self->stage)) {
        return OpprofErrorNoMemory(error, "start the parser");
    }
    self->vocabulary.reads_path =
        self->vocabulary.reads_host && OpprofStageHasReader(self->stage, OUTPUT_PATH);
    self->vocabulary.reads_grids = OpprofStageHasReader(self->stage, OUTPUT_GRIDS);
    self->vocabulary.reads_shapes =
        self->vocabulary.reads_host && OpprofStageHasReader(self->stage, OUTPUT_SHAPED);
    if (OpprofStageInstance(self->stage, NULL) == 0) {
        status = find_traces(self, &files, error);
        if (status != OPPROF_OK) {
            return status;
        }
        self->all_bytes = TraceFilesBytes(&files);
        OpprofStageProgress(self->stage, 0, self->all_bytes, "bytes");
        OpprofStageSetShared(self->stage, RanksCreate(&files, self->most_bytes));
        TraceFilesFinish(&files);
    }
    self->ranks = OpprofStageShared(self->stage);
    if (self->ranks == NULL) {
        return OpprofErrorNoMemory(error, "start the parser");
    }
    if (OpprofStageInstance(self->stage, NULL) == 0) {
        report_unread(self);
    }
    return OPPROF_OK;
}

/* ---- reading ---- */

static void drop_reading(CollectKineto *self)
{
    Reading *reading = &self->reading;

    EventReaderClose(reading->reader);
    RankTraceFinish(&reading->trace);
    *reading = (Reading){ .file = 0 };
    self->is_reading = false;
}

static const char *path_of(const CollectKineto *self)
{
    return RanksFile(self->ranks, self->reading.file);
}

static void report_skip(const CollectKineto *self, size_t file, const TraceFacts *facts,
                        const OpprofError *error)
{
    const char *path = RanksFile(self->ranks, file);

    if (facts->is_other) { /* nothing is lost with it */
        OpprofStageWarn(self->stage, "File '%s' was left out: %s", path, OpprofErrorLine(error));
    } else if (facts->was_stopped) {
        OpprofStageIncomplete(self->stage, "Trace '%s' was not read", path);
    } else {
        OpprofStageIncomplete(
            self->stage, "File '%s' was left out: %s (%s)", path, OpprofErrorLine(error),
            TracePlaceOf(facts, facts->is_database ? facts->events : facts->text_bytes).text);
    }
}

/*
 * After a file has been given out or skipped. Users who profile some of many ranks know it, so that
 * is only a warning. If most are there, the others were lost.
 */
static void report_missing_ranks(const CollectKineto *self)
{
    RanksLack lack;
    const char *instead;

    if (RanksHaveNothing(self->ranks, &instead)) {
        OpprofStageIncomplete(self->stage,
                              "Nothing in '%s' is device work, an iteration or an operator: %s",
                              self->input, instead);
    }

    if (!RanksLackSome(self->ranks, &lack)) {
        return;
    }
    if (lack.count < (uint64_t) lack.world_size - lack.count) {
        OpprofStageIncomplete(self->stage,
                              "%" PRIu64 " of the job's %" PRId64
                              " ranks are not in the input, so the results leave them out: %s",
                              lack.count, lack.world_size, lack.names);
    } else {
        OpprofStageWarn(self->stage,
                        "%" PRIu64 " of the job's %" PRId64
                        " ranks are not in the input, so the results leave them out: %s",
                        lack.count, lack.world_size, lack.names);
    }
}

/* Replaces the reason why a file is not a trace by what it is, where that is known. */
static void name_form(const CollectKineto *self, const char *path, OpprofError **error)
{
    const char *form = FormOfFile(&self->vocabulary, path);

    if (form != NULL) {
        OpprofErrorDestroy(*error);
        *error = NULL;
        OpprofErrorSet(error, OPPROF_E_DATA, "It is %s", form);
    }
}

/* The file is useless. That is a failure if it is the only file, or the last one that might have
 * been a trace, and nothing else has results of the run. */
static OpprofStatus skip_file(CollectKineto *self, OpprofStatus status, OpprofError **error)
{
    const size_t file = self->reading.file;
    TraceFacts facts = { .events = 0 };
    bool is_last_hope;

    if (self->reading.reader != NULL) {
        EventReaderGetFacts(self->reading.reader, &facts);
    }
    drop_reading(self);
    RanksSkip(self->ranks, file);
    report_missing_ranks(self);
    if (status == OPPROF_E_DATA && !facts.was_stopped) {
        name_form(self, RanksFile(self->ranks, file), error);
    }
    is_last_hope = RanksFileCount(self->ranks) == 1 || RanksAllSkipped(self->ranks);
    if (status == OPPROF_E_MEMORY ||
        (is_last_hope && !facts.was_stopped && !has_tables(self->input))) {
        return OpprofErrorWrap(error, "Cannot read trace '%s'", RanksFile(self->ranks, file));
    }
    report_skip(self, file, &facts, *error);
    OpprofErrorDestroy(*error);
    *error = NULL;
    return OPPROF_OK;
}

static bool is_stopping(const void *stage)
{
    return OpprofStageStopRequested(stage);
}

/* Each instance reads its own file; cores without one help the others. */
static ReadThreads threads_of(const CollectKineto *self)
{
    const size_t files = RanksFileCount(self->ranks);
    ReadThreads threads = self->threads;
    uint32_t instances;

    OpprofStageInstance(self->stage, &instances);
    if (threads.count == 0) {
        threads.count = files >= instances ? 1 : (unsigned) (instances / files);
        threads.count = threads.count < THREADS_A_FILE ? threads.count : THREADS_A_FILE;
    }
    return threads;
}

static OpprofStatus begin_file(CollectKineto *self, size_t file, OpprofError **error)
{
    Reading *reading = &self->reading;
    OpprofStatus status;

    *reading = (Reading){ .file = file };
    self->is_reading = true;
    status = EventReaderOpen(path_of(self),
                             &(EventReading){ .vocabulary = &self->vocabulary,
                                              .threads = threads_of(self),
                                              .is_stopping = is_stopping,
                                              .context = self->stage },
                             &reading->reader, error);
    if (status != OPPROF_OK) {
        return skip_file(self, status, error);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Opened '%s': threads=%u", path_of(self),
              (unsigned) threads_of(self).count);
    if (!RankTraceInit(&reading->trace, &self->vocabulary)) {
        return skip_file(self, OpprofErrorNoMemory(error, "begin to read"), error);
    }
    return OPPROF_OK;
}

static void report_progress(const CollectKineto *self)
{
    const ReadProgress progress = EventReaderProgress(self->reading.reader);

    OpprofStageProgress(self->stage, self->done_before + progress.done, self->all_bytes, "bytes");
}

/* Reads a bounded piece of the trace; OPPROF_END at its end. */
static OpprofStatus read_piece(CollectKineto *self, OpprofError **error)
{
    Reading *reading = &self->reading;
    OpprofStatus status = OPPROF_OK;
    const TraceEvent *event = NULL;

    for (uint32_t i = 0; i < EVENTS_A_CALL && status == OPPROF_OK; i++) {
        status = EventReaderNext(reading->reader, &event, error);
        if (status == OPPROF_OK && !RankTraceAdd(&reading->trace, event)) {
            return OpprofErrorNoMemory(error, "keep more than %" PRIu32 " events",
                                       reading->trace.work.count);
        }
    }
    report_progress(self);
    RanksHold(self->ranks, reading->file, RankTraceBytes(&reading->trace), is_stopping,
              self->stage);
    return status == OPPROF_AGAIN ? OPPROF_OK : status;
}

/* ---- end of a trace ---- */

/* Earliest time of the trace, absolute as far as it is known. */
static int64_t absolute_ns(const CollectKineto *self, const TraceFacts *facts,
                           const LinkedTrace *linked)
{
    int64_t result;

    if (!facts->has_base) {
        return linked->earliest_ns;
    }
    if (__builtin_add_overflow(facts->base_ns, linked->earliest_ns, &result)) {
        OpprofStageWarn(self->stage,
                        "Trace '%s': its 'baseTimeNanoseconds' is too large and ignored",
                        path_of(self));
        return linked->earliest_ns;
    }
    return result;
}

/* Annotations, Python functions and the like only name what the host did: they do not count. */
static bool has_operators(const RankTrace *trace)
{
    for (uint32_t i = 0; i < trace->host.count; i++) {
        if (RankTraceHost(trace, i)->kind == HOST_OPERATOR) {
            return true;
        }
    }
    return false;
}

/* Whether there is anything to analyse; without operators that is not known. */
static void note_contents(const CollectKineto *self, const TraceReport *report)
{
    const bool has_any = !self->vocabulary.reads_host || report->linked->work_count > 0 ||
                         report->linked->step_count > 0 || has_operators(report->trace);
    char instead[INSTEAD_BYTES] = "";

    if (!has_any) {
        TraceReportInstead(report, FormOfFile(&self->vocabulary, report->path), instead,
                           sizeof instead);
    }
    RanksNoteContents(self->ranks, has_any, instead);
}

/* Whether all events of a trace were read, so that what it lacks was never in it. */
static bool is_whole(const RankTrace *trace, const TraceFacts *facts)
{
    static const TraceLosses none = { .no_start = { 0, 0 } };

    return !facts->was_stopped && facts->problem == NULL && !facts->is_unclosed &&
           !facts->has_zeros &&
           facts->broken.count + facts->too_long.count + facts->strangers.count == 0 &&
           memcmp(&trace->losses, &none, sizeof none) == 0;
}

/*
 * Among several traces one of a process that only has a host, such as the front end of an engine:
 * no rank, unless it says that it is one.
 */
static bool is_of_host(const CollectKineto *self, const LinkedTrace *linked)
{
    const RankTrace *trace = &self->reading.trace;
    TraceFacts facts;

    EventReaderGetFacts(self->reading.reader, &facts);
    return RanksFileCount(self->ranks) > 1 && !facts.has_rank && !facts.has_odd_rank &&
           is_whole(trace, &facts) && trace->work.count == 0 && linked->faults.enqueued == 0 &&
           trace->host.count > 0 &&
           !RanksNeedHost(self->ranks, self->reading.file, is_stopping, self->stage);
}

/* Leaves such a trace out. */
static OpprofStatus leave_host(CollectKineto *self)
{
    const size_t file = self->reading.file;

    OpprofStageWarn(self->stage,
                    "Trace '%s' is of a host alone, without device work or launches: it is not a "
                    "rank, and its operators are left out",
                    path_of(self));
    self->done_before += EventReaderProgress(self->reading.reader).done;
    drop_reading(self);
    RanksSkip(self->ranks, file);
    report_missing_ranks(self);
    return OPPROF_OK;
}

/* Says where the rank was read, so that timelines of some of many ranks can be chosen, and its
 * clock, so that others can join its timeline. */
static OpprofStatus emit_file(const CollectKineto *self, const EmitTarget *target)
{
    const char *path = path_of(self);
    const char *rank = target->rank;
    const OpprofRankFile record = { .rank = OpprofStageIntern(self->stage, rank, strlen(rank)),
                                    .file = OpprofStageIntern(self->stage, path, strlen(path)),
                                    .files = (uint32_t) RanksFileCount(self->ranks) };

    OpprofStageSetClock(self->stage, OUTPUT_FILES, EmitClock(target));
    const OpprofStatus status = OpprofStageAppend(self->stage, OUTPUT_FILES, record.rank, &record);

    return status == OPPROF_OK ? OpprofStagePushOpen(self->stage, OUTPUT_FILES, 0) : status;
}

/* Emits one rank; its timeline has a document of its own if there are several. */
static OpprofStatus emit_rank(const CollectKineto *self, EmitTarget *target,
                              const LinkedTrace *linked, bool is_one_of_several)
{
    char document[2 * RANK_NAME_MAX] = "trace";

    if (is_one_of_several) {
        snprintf(document, sizeof document, "rank%s/trace", target->rank);
    }
    target->document = document;
    const OpprofStatus status = emit_file(self, target);

    return status == OPPROF_OK ? EmitTrace(target, &self->reading.trace, linked) : status;
}

/* Emits a trace as one rank, or as one for each of its devices if these take part in the same
 * collectives: of the only file they are called as the devices. */
static OpprofStatus emit_ranks(const CollectKineto *self, EmitTarget *target,
                               const LinkedTrace *linked)
{
    const bool has_files = RanksFileCount(self->ranks) > 1;
    const char *rank = target->rank;
    OpprofStatus status = OPPROF_OK;
    DeviceRanks ranks;

    if (!DeviceRanksFind(&self->reading.trace, linked, &ranks)) {
        return OPPROF_E_MEMORY;
    }
    if (ranks.count == 0) {
        return emit_rank(self, target, linked, has_files);
    }
    OpprofStageWarn(self->stage,
                    "Trace '%s': its %" PRIu32 " devices take part in the same collectives, so "
                    "that each is a rank; what the host did is of the first one",
                    path_of(self), ranks.count);
    for (uint32_t i = 0; status == OPPROF_OK && i < ranks.count; i++) {
        char name[RANK_NAME_MAX];

        snprintf(name, sizeof name, "%.40s%s%" PRId64, has_files ? rank : "", has_files ? "." : "",
                 ranks.devices[i]);
        target->rank = name;
        target->only = &ranks.devices[i];
        target->has_host = i == 0;
        status = emit_rank(self, target, linked, true);
    }
    DeviceRanksFinish(&ranks);
    return status;
}

/* The trace was read, or as much of it as possible: turn it into spans. */
static OpprofStatus finish_trace(CollectKineto *self, const LinkedTrace *linked, HostLinks *host,
                                 OpprofError **error)
{
    const Reading *reading = &self->reading;
    RankTimes times;
    TraceFacts facts;
    RankSeat seat;
    EmitTarget target;
    OpprofStatus status;

    EventReaderGetFacts(reading->reader, &facts);
    const bool names_rank = facts.has_rank;
    if (facts.has_world) {
        RanksNoteWorld(self->ranks, facts.world_size);
    }
    if (!facts.has_rank) {
        facts.has_rank = FileRankFind(path_of(self), &facts.rank);
    }
    times.from_ns = absolute_ns(self, &facts, linked);
    times.to_ns = times.from_ns + (linked->latest_ns - linked->earliest_ns);
    times.own_ns = linked->earliest_ns;
    const RankEntry entry = { .file = reading->file,
                              .rank = facts.has_rank ? facts.rank : 0,
                              .times =
                                  linked->work_count + linked->step_count > 0 ? &times : NULL };
    if (!RanksEnter(self->ranks, &entry, is_stopping, self->stage, &seat)) {
        RanksLeave(self->ranks, reading->file);
        return OpprofErrorNoMemory(error, "enter the rank of trace '%s'", path_of(self));
    }
    const TraceReport report = { .stage = self->stage,
                                 .path = path_of(self),
                                 .trace = &reading->trace,
                                 .facts = &facts,
                                 .linked = linked,
                                 .sums = &reading->sums,
                                 .seat = &seat,
                                 .names_rank = names_rank };
    TraceReportAll(&report);
    note_contents(self, &report);
    target = (EmitTarget){ .stage = self->stage,
                           .host_port = OUTPUT_HOST,
                           .shaped_port = OUTPUT_SHAPED,
                           .path_port = OUTPUT_PATH,
                           .grid_port = OUTPUT_GRIDS,
                           .units = facts.units,
                           .device = facts.device,
                           .host = self->vocabulary.reads_host ? host : NULL,
                           .words = &self->words,
                           .rank = seat.name,
                           .has_host = true,
                           .rank_sort = (uint32_t) reading->file,
                           .offset_ps = seat.offset_ps,
                           .epoch_ns = seat.epoch_ns };
    status = emit_ranks(self, &target, linked);
    RanksLeave(self->ranks, reading->file);
    report_missing_ranks(self);
    return OpprofErrorExplain(error, status, "Cannot emit the work of trace '%s'", path_of(self));
}

/*
 * A file without any event is not a rank: a cut file, or one without events beside others.
 * OPPROF_E_DATA with the reason; OPPROF_OK if there are events.
 */
static OpprofStatus require_events(const CollectKineto *self, OpprofError **error)
{
    TraceFacts facts;

    EventReaderGetFacts(self->reading.reader, &facts);
    if (!facts.has_events && facts.problem != NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "It ends before its events: %s", facts.problem);
    }
    if (facts.events == 0 && facts.problem == NULL && RanksFileCount(self->ranks) > 1) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "It has no events");
    }
    return OPPROF_OK;
}

static OpprofStatus end_file(CollectKineto *self, OpprofError **error)
{
    Reading *reading = &self->reading;
    OpprofStatus status = require_events(self, error);
    HostLinks host = { .count = 0 };
    LinkedTrace linked;

    if (status != OPPROF_OK) {
        return skip_file(self, status, error);
    }
    if (!RankTraceClose(&reading->trace) ||
        !LinkTrace(&reading->trace, self->exclude_last_step, &linked)) {
        return skip_file(self, OpprofErrorNoMemory(error, "link its events"), error);
    }
    if (is_of_host(self, &linked)) {
        LinkedTraceFinish(&linked);
        return leave_host(self);
    }
    if (!OwnCompare(&reading->trace, &linked, &reading->sums) ||
        (self->vocabulary.reads_host && !HostLink(&reading->trace, &linked, &host))) {
        LinkedTraceFinish(&linked);
        return skip_file(self, OpprofErrorNoMemory(error, "link its events"), error);
    }
    status = finish_trace(self, &linked, &host, error);
    self->done_before += EventReaderProgress(reading->reader).done;
    HostLinksFinish(&host);
    LinkedTraceFinish(&linked);
    drop_reading(self);
    return status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    CollectKineto *self = context;
    OpprofStatus status;
    size_t file;

    (void) port;
    (void) batch;
    if (!self->is_reading) {
        return RanksTake(self->ranks, &file) ? begin_file(self, file, error) : OPPROF_END;
    }
    status = read_piece(self, error);
    if (status == OPPROF_END) {
        return end_file(self, error);
    }
    return OpprofFailed(status) ? skip_file(self, status, error) : status;
}

/* Stopped before all files were begun. */
static void report_untaken(CollectKineto *self)
{
    size_t count = 0;
    size_t first = 0;
    size_t file;

    while (RanksTake(self->ranks, &file)) {
        first = count++ == 0 ? file : first;
        RanksSkip(self->ranks, file);
    }
    if (count > 0) {
        OpprofStageIncomplete(self->stage, "%zu %s not read; the first is '%s'", count,
                              count == 1 ? "trace was" : "traces were",
                              RanksFile(self->ranks, first));
    }
}

/* Stopped in the middle of a file: what was read so far counts. */
static OpprofStatus flush(void *context, OpprofError **error)
{
    CollectKineto *self = context;

    report_untaken(self);
    if (!self->is_reading) {
        return OPPROF_OK;
    }
    EventReaderStop(self->reading.reader);
    return end_file(self, error);
}

static OpprofStatus stop(void *context, OpprofError **error)
{
    CollectKineto *self = context;

    (void) error;
    if (self->is_reading) {
        drop_reading(self);
    }
    if (OpprofStageInstance(self->stage, NULL) == 0) {
        RanksDestroy(self->ranks);
        OpprofStageSetShared(self->stage, NULL);
    }
    return OPPROF_OK;
}

static void destroy(void *context)
{
    CollectKineto *self = context;

    VocabularyFinish(&self->vocabulary);
    free(self);
}

static const OpprofPort outputs[] = {
    [OUTPUT_SPANS] = { .name = "spans",
                       .record_type = &opprof_span_type,
                       .order = OPPROF_ORDER_START,
                       .batch_records = SPANS_A_BATCH,
                       .summary =
                           "Device work and iterations of each rank; see opprof/activity.h." },
    [OUTPUT_HOST] = { .name = "host",
                      .record_type = &opprof_host_call_type,
                      .batch_records = 512,
                      .summary =
                          "Operators, annotations and modules of the host, or named by their "
                          "work alone, with the device work launched in them." },
    [OUTPUT_SHAPED] = { .name = "shaped",
                        .record_type = &opprof_shaped_call_type,
                        .batch_records = 512,
                        .summary = "Operators whose inputs' shapes show how much they compute." },
    [OUTPUT_PATH] = { .name = "path",
                      .record_type = &opprof_path_event_type,
                      .batch_records = 512,
                      .summary = "Operators, calls, work and waits of each rank, tied to each "
                                 "other; see opprof/path.h." },
    [OUTPUT_GRIDS] = { .name = "grids",
                       .record_type = &opprof_kernel_grid_type,
                       .summary = "Blocks and threads of kernels of each rank, where the trace has "
                                  "them." },
    [OUTPUT_FILES] = { .name = "files",
                       .record_type = &opprof_rank_file_type,
                       .summary = "The file of each rank, before all else of the rank." },
};

static const OpprofParam params[] = {
    { .name = "input",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "Trace (.json, or .sqlite of Nsight Systems; plain, " TRACE_PACKED
                 " or in a .zip), or a directory of them, one per rank." },
    { .name = "exclude_last_step",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "false",
      .summary =
          "Leave out the work of the last of several iterations, which profilers often cut." },
    { .name = "vocabulary",
      .type = OPPROF_PARAM_PATH,
      .summary =
          "File with lists of words that replace those of the module; see vocabulary.json." },
    { .name = "operators",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "true",
      .summary =
          "Read operators, annotations and modules of the host, to know what launched the work." },
    { .name = "frames",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "true",
      .summary = "Also read Python functions, if the trace has them and operators are read." },
    { .name = "memory",
      .type = OPPROF_PARAM_SIZE,
      .default_value = "0",
      .summary = "Most that the traces being read hold, all together: with more, all but the first "
                 "of them wait; 0: a quarter of the machine's memory." },
    { .name = "threads",
      .type = OPPROF_PARAM_INT,
      .default_value = "0",
      .min = 0,
      .max = 8,
      .summary = "Threads that read one file; 0: as many as there are cores without a file, up to "
                 "4. The result is the same." },
    { .name = "piece",
      .type = OPPROF_PARAM_INT,
      .default_value = "0",
      .min = 0,
      .max = 1048576,
      .summary = "Bytes of text that a thread reads at a time; 0: 1 MiB, and one thread for "
                 "files under 2 MiB." },
    { .name = "device_categories",
      .type = OPPROF_PARAM_LIST,
      .summary = "Values of 'cat' that are device work; replaces the vocabulary's list." },
    { .name = "comm_contains",
      .type = OPPROF_PARAM_LIST,
      .summary = "A kernel with one of these anywhere in its name, in upper or lower case, is "
                 "communication; replaces the vocabulary's list." },
    { .name = "comm_prefix",
      .type = OPPROF_PARAM_LIST,
      .summary = "The same for a kernel whose name begins with one of these." },
    { .name = "mem_prefix",
      .type = OPPROF_PARAM_LIST,
      .summary = "Another kernel whose name begins with one of these is memory work; replaces the "
                 "vocabulary's list." },
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

OPPROF_PLUGIN_DEFINE(
        .name = "collect-kineto", .version = "1.0", .license = "Apache-2.0",
        .summary = "Reads the device's work from traces of PyTorch and other frameworks.",
        .help = "Reads traces of PyTorch on NVIDIA, AMD and Ascend, of JAX, rocprofv3 and Nsight "
                "Systems, ties device work to the calls and operators that launched it, and emits "
                "it in order of time, one partition per rank.",
        .kind = OPPROF_COLLECTOR, .flags = OPPROF_PLUGIN_PARALLEL, .outputs = outputs,
        .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops, .input_kinds = recognise_kinds);
