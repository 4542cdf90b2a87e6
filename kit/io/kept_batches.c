/* SPDX-License-Identifier: Apache-2.0 */
/* Batches kept until the end, for outputs that are the same in every run. Tested by
 * tests/plugins/export/test_sqlite. */
#include <opprof/kit/kept_batches.h>

#include <opprof/grow.h>
#include <opprof/present.h>
#include <opprof/require.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct OpprofKeptBatch OpprofKeptBatch;

/* Where a batch lies in the spool, and what it was. */
struct OpprofKeptBatch {
    const OpprofRecordType *type; /* type of its records */
    uint64_t offset;              /* in the spool: records, then blob */
    uint64_t order;               /* number of its arrival */
    /* Track of its first record; all tracks of a batch are of one process. 0: no tracks. */
    uint32_t track;
    uint32_t reserved;  /* 0 */
    uint32_t count;     /* records */
    uint32_t blob_size; /* bytes of its blob */
    uint32_t partition; /* partition of the batch */
    uint32_t clock;     /* clock of the batch */
    uint32_t link;      /* link that it came by */
    uint32_t port;      /* input port that it came to */
};

#define PROCESS_NAME_MAX 1024u

/* The records of a batch that are kept together. */
typedef struct Part {
    const char *records;
    uint32_t count;
    uint32_t track;
} Part;

static OpprofStatus keep(OpprofKeptBatches *kept, OpprofStage *stage, uint32_t port,
                         const OpprofBatch *batch, const Part *part, OpprofError **error)
{
    OpprofKeptBatch entry = { .type = batch->type,
                              .order = kept->arrived,
                              .track = part->track,
                              .count = part->count,
                              .blob_size = batch->blob_size,
                              .partition = batch->partition,
                              .clock = batch->clock,
                              .link = OpprofStageLink(stage),
                              .port = port };
    uint64_t unused;
    OpprofStatus status;

    if (!OpprofGrow(&kept->list, &kept->capacity, kept->count + 1, sizeof *kept->list)) {
        return OpprofErrorNoMemory(error, "put records aside");
    }
    status = OpprofSpoolAppend(&kept->spool, OpprofStageOutput(stage), part->records,
                               (size_t) part->count * batch->type->size, &entry.offset, error);
    if (status == OPPROF_OK) {
        status = OpprofSpoolAppend(&kept->spool, OpprofStageOutput(stage), batch->blob,
                                   batch->blob_size, &unused, error);
    }
    if (status == OPPROF_OK) {
        kept->list[kept->count++] = entry;
    }
    return status;
}

/* ---- processes ---- */

/* Number of a track's process, from 1 on; 0 without memory. Undeclared tracks have a process of
 * their own. */
static uint32_t process_of(OpprofKeptBatches *kept, const OpprofStage *stage, uint32_t track)
{
    const uint32_t known = OpprofMapFind(&kept->tracks, track);
    const OpprofTrack *info = known == OPPROF_MAP_NONE ? OpprofStageTrackInfo(stage, track) : NULL;
    char name[PROCESS_NAME_MAX];
    uint32_t process;
    int length;

    if (known != OPPROF_MAP_NONE) {
        return known;
    }
    length =
        info == NULL ? 0 : snprintf(name, sizeof name, "%s\n%s", info->document, info->process);
    length = length < 0 ? 0 : length < (int) sizeof name ? length : (int) sizeof name - 1;
    process = OpprofTextMapFind(&kept->processes, name, (size_t) length);
    if (process == OPPROF_MAP_NONE) {
        process = ++kept->process_count;
        if (!OpprofTextMapPut(&kept->processes, name, (size_t) length, process, NULL)) {
            return 0;
        }
    }
    return OpprofMapPut(&kept->tracks, track, process) ? process : 0;
}

static uint32_t track_at(const OpprofBatch *batch, uint32_t i)
{
    return batch->type == &opprof_span_type
               ? ((const OpprofSpan *) OpprofBatchRecord(batch, i))->track
               : ((const OpprofCounter *) OpprofBatchRecord(batch, i))->track;
}

/*
 * The records from `first` on of its process, in *ret_part. Those taken before have process 0 in
 * `processes`.
 */
static void take_process(OpprofKeptBatches *kept, const OpprofBatch *batch, uint32_t *processes,
                         uint32_t first, Part *ret_part)
{
    const uint32_t process = processes[first];
    const size_t size = batch->type->size;

    *ret_part = (Part){ .records = kept->room, .track = track_at(batch, first) };
    for (uint32_t i = first; i < batch->count; i++) {
        if (processes[i] == process) {
            memcpy(kept->room + ret_part->count++ * size, OpprofBatchRecord(batch, i), size);
            processes[i] = 0;
        }
    }
}

/* The process of each record. False without memory. */
static bool find_processes(OpprofKeptBatches *kept, const OpprofStage *stage,
                           const OpprofBatch *batch, uint32_t *processes, bool *ret_are_one)
{
    *ret_are_one = true;
    for (uint32_t i = 0; i < batch->count; i++) {
        processes[i] = process_of(kept, stage, track_at(batch, i));
        if (processes[i] == 0) {
            return false;
        }
        *ret_are_one = *ret_are_one && processes[i] == processes[0];
    }
    return true;
}

/* Keep records with tracks, each process by itself. Most batches have one and
 * are kept as they are. */
static OpprofStatus keep_by_process(OpprofKeptBatches *kept, OpprofStage *stage, uint32_t port,
                                    const OpprofBatch *batch, OpprofError **error)
{
    const size_t records = (size_t) batch->count * batch->type->size;
    OpprofStatus status = OPPROF_OK;
    uint32_t *processes = calloc(batch->count + 1, sizeof *processes);
    bool are_one = true;

    if (processes == NULL || !find_processes(kept, stage, batch, processes, &are_one) ||
        (!are_one && !OpprofGrow(&kept->room, &kept->room_size, records, 1))) {
        free(processes);
        return OpprofErrorNoMemory(error, "put records aside");
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        Part part = { .records = batch->records,
                      .count = batch->count,
                      .track = track_at(batch, i) };

        if (processes[i] == 0) {
            continue;
        }
        if (!are_one) {
            take_process(kept, batch, processes, i, &part);
        }
        status = keep(kept, stage, port, batch, &part, error);
        if (are_one) {
            break;
        }
    }
    free(processes);
    return status;
}

OpprofStatus OpprofKeptBatchesAdd(OpprofKeptBatches *kept, OpprofStage *stage, uint32_t port,
                                  const OpprofBatch *batch, OpprofError **error)
{
    OPPROF_REQUIRE("kept-given", kept != NULL, "What is kept is given");
    OPPROF_REQUIRE("kept-batch-given", batch != NULL, "The batch is given");

    const bool has_tracks = batch->type == &opprof_span_type || batch->type == &opprof_counter_type;
    const Part all = { .records = batch->records, .count = batch->count };

    kept->arrived++;
    return has_tracks ? keep_by_process(kept, stage, port, batch, error)
                      : keep(kept, stage, port, batch, &all, error);
}

/* ---- the order ---- */

static int compare_processes(const OpprofStage *stage, uint32_t a, uint32_t b)
{
    const OpprofTrack *left = OpprofStageTrackInfo(stage, a);
    const OpprofTrack *right = OpprofStageTrackInfo(stage, b);
    int order;

    if (left == NULL || right == NULL) {
        return (right == NULL) - (left == NULL);
    }
    order = strverscmp(left->document, right->document);
    return order != 0 ? order : strverscmp(left->process, right->process);
}

/* Context of the comparison; the interface of qsort_r. */
static int compare(const void *a, const void *b, void *context)
{
    const OpprofKeptBatch *x = a;
    const OpprofKeptBatch *y = b;
    const OpprofStage *stage = context;

    if (x->port != y->port) {
        return x->port < y->port ? -1 : 1;
    }
    if (x->link != y->link) {
        return x->link < y->link ? -1 : 1;
    }
    if (x->partition != y->partition) {
        return strverscmp(OpprofStageString(stage, x->partition),
                          OpprofStageString(stage, y->partition));
    }
    if (x->track != y->track) {
        const int order = compare_processes(stage, x->track, y->track);

        if (order != 0) {
            return order;
        }
    }
    return (x->order > y->order) - (x->order < y->order);
}

/* The batch as it was, in `room`. */
static OpprofStatus load(const OpprofKeptBatches *kept, const OpprofKeptBatch *entry, char *room,
                         OpprofBatch *ret_batch, OpprofError **error)
{
    const size_t records = (size_t) entry->count * entry->type->size;
    OpprofStatus status = OpprofSpoolRead(&kept->spool, entry->offset, records, room, error);

    if (status == OPPROF_OK) {
        status = OpprofSpoolRead(&kept->spool, entry->offset + records, entry->blob_size,
                                 room + records, error);
    }
    *ret_batch = (OpprofBatch){ .type = entry->type,
                                .records = room,
                                .blob = room + records,
                                .count = entry->count,
                                .capacity = entry->count,
                                .blob_size = entry->blob_size,
                                .blob_capacity = entry->blob_size,
                                .partition = entry->partition,
                                .clock = entry->clock };
    return status;
}

static size_t largest(const OpprofKeptBatches *kept)
{
    size_t most = 1;

    for (size_t i = 0; i < kept->count; i++) {
        const size_t size =
            (size_t) kept->list[i].count * kept->list[i].type->size + kept->list[i].blob_size;
        most = size > most ? size : most;
    }
    return most;
}

OpprofStatus OpprofKeptBatchesHandOut(OpprofKeptBatches *kept, OpprofStage *stage,
                                      OpprofKeptBatchesTake *take, void *context,
                                      OpprofError **error)
{
    OPPROF_REQUIRE("kept-given", kept != NULL, "What is kept is given");
    OPPROF_REQUIRE("kept-take-given", take != NULL, "A function takes the batches");

    char *room = malloc(largest(kept));
    OpprofStatus status =
        room == NULL ? OpprofErrorNoMemory(error, "read what was put aside") : OPPROF_OK;

    if (kept->count > 0) {
        qsort_r(kept->list, kept->count, sizeof *kept->list, compare, stage);
    }
    for (size_t i = 0; status == OPPROF_OK && i < kept->count; i++) {
        OpprofBatch batch;

        status = load(kept, &kept->list[i], room, &batch, error);
        if (status == OPPROF_OK) {
            status = take(context, kept->list[i].port, &batch, error);
        }
        OpprofStageProgress(stage, i + 1, kept->count, "batches");
    }
    free(room);
    return status;
}

void OpprofKeptBatchesFinish(OpprofKeptBatches *kept)
{
    OPPROF_REQUIRE("kept-given", kept != NULL, "What is kept is given");
    OpprofSpoolFinish(&kept->spool);
    OpprofTextMapFinish(&kept->processes);
    OpprofMapFinish(&kept->tracks);
    free(kept->room);
    free(kept->list);
    *kept = (OpprofKeptBatches){ .count = 0 };
}
