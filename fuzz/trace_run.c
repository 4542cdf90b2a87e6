/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads whatever input as traces, twice each: what is read of it is sorted and within bounds. Part
 * of the fuzz targets of collect-kineto, whose corpora are its tests.
 */
#include "trace_run.h"

#include "fuzz/fuzz.h"
#include "plugins/collect-kineto/formats/event_reader.h"
#include "plugins/collect-kineto/formats/forms.h"
#include "plugins/collect-kineto/rank/file_rank.h"
#include "plugins/collect-kineto/formats/files.h"
#include "plugins/collect-kineto/rank/host.h"
#include "plugins/collect-kineto/rank/own_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TRACES_TRIED 4u /* of a directory or an archive */

static OpprofStatus read_all(EventReader *reader, RankTrace *trace)
{
    OpprofStatus status = OPPROF_OK;
    OpprofError *error = NULL;
    const TraceEvent *event = NULL;

    while (status == OPPROF_OK || status == OPPROF_AGAIN) {
        status = EventReaderNext(reader, &event, &error);
        if (status == OPPROF_OK) {
            FUZZ_REQUIRE(RankTraceAdd(trace, event));
        }
    }
    FUZZ_REQUIRE(status == OPPROF_END || status == OPPROF_E_DATA);
    FUZZ_REQUIRE((status == OPPROF_E_DATA) == (error != NULL));
    OpprofErrorDestroy(error);
    return status;
}

static void check_work(const RankTrace *trace, const LinkedTrace *linked, uint32_t number)
{
    const WorkEvent *work = RankTraceWork(trace, number);
    const Transfer *transfer = RankTraceTransfer(trace, number);

    FUZZ_REQUIRE(work->duration_ns <= (uint64_t) DURATION_MAX_NS);
    FUZZ_REQUIRE(work->start_ns >= linked->earliest_ns);
    FUZZ_REQUIRE(work->name < trace->names.list.count);
    FUZZ_REQUIRE(work->lane < trace->lanes.list.count);
    FUZZ_REQUIRE(work->work_class < WORK_CLASSES);
    FUZZ_REQUIRE(((work->flags & WORK_HAS_TRANSFER) != 0) == (transfer != NULL));
    if ((work->flags & WORK_IS_LINKED) != 0) {
        FUZZ_REQUIRE(work->correlation < trace->launches.count);
    }
}

static void check_order(const RankTrace *trace, const LinkedTrace *linked)
{
    for (uint32_t i = 0; i < linked->work_count; i++) {
        check_work(trace, linked, linked->work[i]);
        FUZZ_REQUIRE(i == 0 || RankTraceWork(trace, linked->work[i - 1])->start_ns <=
                                   RankTraceWork(trace, linked->work[i])->start_ns);
    }
    FUZZ_REQUIRE(linked->work_count + linked->dropped <= trace->work.count &&
                 trace->work.count <= linked->work_count + linked->dropped + linked->absurd +
                                          linked->faults.far.count + linked->faults.twice.count);
}

/* Results of the walk over a host. */
typedef struct HostSeen {
    const RankTrace *trace;
    uint64_t kernels[HOST_KINDS];
    uint32_t count;
} HostSeen;

/* An event inside another did not begin before it. */
static OpprofStatus see_host(void *context, const HostEnd *end)
{
    HostSeen *seen = context;
    const HostEvent *event = RankTraceHost(seen->trace, end->number);

    seen->count++;
    seen->kernels[event->kind] += end->work.kernels;
    FUZZ_REQUIRE(end->work.kernels <= end->work.kernels_all);
    FUZZ_REQUIRE(end->work.device_ns <= end->work.device_all_ns);
    if (end->parent != HOST_NONE) {
        const HostEvent *parent = RankTraceHost(seen->trace, end->parent);

        FUZZ_REQUIRE(parent->kind == event->kind && parent->thread == event->thread);
        FUZZ_REQUIRE(parent->start_ns <= event->start_ns);
    }
    return OPPROF_OK;
}

/* Each host event comes once, unless its time is absurd, and no work is
 * counted twice in one kind. */
static void check_host(const RankTrace *trace, const LinkedTrace *linked)
{
    HostSeen seen = { .trace = trace };
    HostLinks host;

    FUZZ_REQUIRE(HostLink(trace, linked, &host));
    FUZZ_REQUIRE(HostSums(trace, linked, &host, see_host, &seen, NULL) == OPPROF_OK);
    FUZZ_REQUIRE(seen.count <= trace->host.count &&
                 trace->host.count <= seen.count + linked->absurd);
    for (int kind = 0; kind < HOST_KINDS; kind++) {
        FUZZ_REQUIRE(seen.kernels[kind] <= linked->work_count);
    }
    HostLinksFinish(&host);
}

static void try_trace(const char *path, bool exclude_last_step)
{
    static Vocabulary vocabulary;
    LinkedTrace linked;
    OwnComparison sums;
    EventReader *reader;
    RankTrace trace;
    TraceFacts facts;

    if (vocabulary.category_count == 0 && (VocabularyLoad(NULL, &vocabulary, NULL) != OPPROF_OK ||
                                           VocabularySettle(&vocabulary, NULL) != OPPROF_OK)) {
        abort();
    }
    vocabulary.reads_host = true;
    vocabulary.reads_shapes = true;
    vocabulary.reads_path = true;
    const EventReading reading = { .vocabulary = &vocabulary,
                                   .threads = { .count = 2, .piece_bytes = 512 } };
    const OpprofStatus opened = EventReaderOpen(path, &reading, &reader, NULL);
    FUZZ_REQUIRE(opened == OPPROF_OK || opened == OPPROF_E_DATA); /* its file is there */
    if (opened != OPPROF_OK) {
        return;
    }
    FUZZ_REQUIRE(RankTraceInit(&trace, &vocabulary));
    read_all(reader, &trace);
    EventReaderGetFacts(reader, &facts);
    FUZZ_REQUIRE(facts.problem == NULL || facts.is_database ||
                 facts.problem_at <= facts.text_bytes);
    FUZZ_REQUIRE(RankTraceClose(&trace));
    FUZZ_REQUIRE(trace.work.count + trace.steps.count + trace.launches.count + trace.host.count <=
                 facts.events);
    FUZZ_REQUIRE(LinkTrace(&trace, exclude_last_step, &linked));
    FUZZ_REQUIRE(OwnCompare(&trace, &linked, &sums));
    (void) FormOfFile(&vocabulary, path);
    check_order(&trace, &linked);
    check_host(&trace, &linked);
    LinkedTraceFinish(&linked);
    RankTraceFinish(&trace);
    EventReaderClose(reader);
}

void TraceRunPath(const char *path)
{
    TraceFiles files;
    int64_t rank;

    if (TraceFilesFind(path, &files, NULL) == OPPROF_OK) {
        for (size_t i = 0; i < files.count && i < TRACES_TRIED; i++) {
            FileRankFind(files.paths[i], &rank);
            try_trace(files.paths[i], false);
            try_trace(files.paths[i], true);
        }
        TraceFilesFinish(&files);
    }
}

static char own_file[sizeof "/dev/shm/opprof-fuzz-XXXXXX"];

static void remove_file(void)
{
    unlink(own_file);
}

/* With a name, since SQLite opens no file without one. */
static void make_file(void)
{
    const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

    snprintf(own_file, sizeof own_file, "%s/opprof-fuzz-XXXXXX", parent);
    const int file = mkstemp(own_file);
    FUZZ_REQUIRE(file >= 0 && close(file) == 0 && atexit(remove_file) == 0);
}

void TraceRunBytes(const void *data, size_t size)
{
    if (own_file[0] == '\0') {
        make_file();
    }
    FILE *file = fopen(own_file, "we");
    FUZZ_REQUIRE(file != NULL && (size == 0 || fwrite(data, 1, size, file) == size) &&
                 fclose(file) == 0);
    TraceRunPath(own_file);
}
