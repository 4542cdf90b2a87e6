/* SPDX-License-Identifier: Apache-2.0 */
/* Batches kept until the end, for outputs that are the same in every run. Tested by tests/plugins/export/test_sqlite. */
#include "kept_batches.h"

#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

OpprofStatus KeptBatchesAdd(KeptBatches *kept, OpprofStage *stage, uint32_t port,
                            const OpprofBatch *batch, OpprofError **error)
{
    KeptBatch entry = { .type = batch->type,
                        .order = kept->count,
                        .count = batch->count,
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
    status = OpprofSpoolAppend(&kept->spool, OpprofStageOutput(stage), batch->records,
                               (size_t) batch->count * batch->type->size, &entry.offset, error);
    if (status == OPPROF_OK) {
        status = OpprofSpoolAppend(&kept->spool, OpprofStageOutput(stage), batch->blob,
                                   batch->blob_size, &unused, error);
    }
    if (status == OPPROF_OK) {
        kept->list[kept->count++] = entry;
    }
    return status;
}

/* ------------------------------------------------------------------ the order */

/* What comparing needs; the interface of qsort_r. */
static int compare(const void *a, const void *b, void *context)
{
    const KeptBatch *x = a;
    const KeptBatch *y = b;
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
    return (x->order > y->order) - (x->order < y->order);
}

/* The batch as it was, in `room`. */
static OpprofStatus load(const KeptBatches *kept, const KeptBatch *entry, char *room,
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

static size_t largest(const KeptBatches *kept)
{
    size_t most = 1;

    for (size_t i = 0; i < kept->count; i++) {
        const size_t size =
            (size_t) kept->list[i].count * kept->list[i].type->size + kept->list[i].blob_size;
        most = size > most ? size : most;
    }
    return most;
}

OpprofStatus KeptBatchesHandOut(KeptBatches *kept, OpprofStage *stage, KeptBatchesTake *take,
                                void *context, OpprofError **error)
{
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
        OpprofStageProgress(stage, i + 1, kept->count, "batch");
    }
    free(room);
    return status;
}

void KeptBatchesFree(KeptBatches *kept)
{
    OpprofSpoolFinish(&kept->spool);
    free(kept->list);
    *kept = (KeptBatches){ .count = 0 };
}
