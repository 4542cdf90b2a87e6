/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_KEPT_BATCHES_H
#define EXPORT_KEPT_BATCHES_H

#include <opprof/kit/spool.h>
#include <opprof/map.h>
#include <opprof/stage.h>

/* Where a batch lies in the spool, and what it was. */
typedef struct KeptBatch {
    const OpprofRecordType *type;
    uint64_t offset;
    uint64_t order; /* of arrival */
    uint32_t
        track; /* of its first record; of records with tracks all are of one process. 0: no tracks */
    uint32_t reserved;
    uint32_t count;
    uint32_t blob_size;
    uint32_t partition;
    uint32_t clock;
    uint32_t link;
    uint32_t port;
} KeptBatch;

/*
 * Batches put aside until the end of the run, so that they can be taken in an order that does not depend on which thread
 * was faster. Spans and counters of several processes that came in one batch are kept as a batch a process, for who else
 * fills batches of their processes is chance. Zeroed memory holds none. Memory: 64 bytes a batch, and one batch.
 */
typedef struct KeptBatches {
    OpprofSpool spool;
    KeptBatch *list;
    size_t count;
    size_t capacity;
    uint64_t arrived;        /* batches */
    OpprofTextMap processes; /* numbers of documents' processes, by their names */
    OpprofMap tracks;        /* number of the process plus 1, by track */
    uint32_t process_count;
    char *room; /* records of one process */
    size_t room_size;
} KeptBatches;

/* Put a batch aside. */
OpprofStatus KeptBatchesAdd(KeptBatches *kept, OpprofStage *stage, uint32_t port,
                            const OpprofBatch *batch, OpprofError **error);

/* Takes a batch again; borrowed for the call. */
typedef OpprofStatus KeptBatchesTake(void *context, uint32_t port, const OpprofBatch *batch,
                                     OpprofError **error);

/* Hand out all of them by port, link, name of the partition, document and process of the tracks, and arrival. */
OpprofStatus KeptBatchesHandOut(KeptBatches *kept, OpprofStage *stage, KeptBatchesTake *take,
                                void *context, OpprofError **error);
void KeptBatchesFree(KeptBatches *kept);

#endif
