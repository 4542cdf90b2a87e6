/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_KEPT_BATCHES_H
#define OPPROF_KIT_KEPT_BATCHES_H

/**
 * @file
 * Batches put aside until the end of the run, so that a stage can take them in an order that does
 * not depend on which thread was faster: its output is the same in every run. Experimental.
 */

#include <opprof/kit/spool.h>
#include <opprof/map.h>
#include <opprof/stage.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Batches that were put aside. Zeroed memory holds none. Spans and counters of several processes
 * that came in one batch are kept as one batch per process, since it is chance which processes
 * share a batch. Memory: 64 bytes per batch, one batch, and what the spool keeps. One thread at a
 * time. */
typedef struct OpprofKeptBatches {
    OpprofSpool spool;            /**< Records and blobs. */
    struct OpprofKeptBatch *list; /**< The batches. */
    size_t count;                 /**< Number of batches. */
    size_t capacity;              /**< Entries allocated for the list. */
    uint64_t arrived;             /**< Batches that have arrived. */
    OpprofTextMap processes;      /**< Numbers of documents' processes, by their names. */
    OpprofMap tracks;             /**< Number of the process plus 1, by track. */
    uint32_t process_count;       /**< Number of processes. */
    char *room;                   /**< Records of one process. */
    size_t room_size;             /**< Bytes allocated for them. */
} OpprofKeptBatches;

/**
 * Put a copy of a `batch` of an input `port` aside. OPPROF_OK, OPPROF_E_IO, OPPROF_E_MEMORY.
 * [stage]
 *
 * @param stage  Its output directory takes the spool's file; it knows the names and tracks.
 */
OpprofStatus OpprofKeptBatchesAdd(OpprofKeptBatches *kept, OpprofStage *stage, uint32_t port,
                                  const OpprofBatch *batch, OpprofError **error);

/** Takes a batch again; borrowed for the call. What it returns other than OPPROF_OK ends the
 * handing out. */
typedef OpprofStatus OpprofKeptBatchesTake(void *context, uint32_t port, const OpprofBatch *batch,
                                           OpprofError **error);

/**
 * Hand out all batches by port, link, name of the partition, document and process of the tracks,
 * and arrival.
 * @param stage    The one of OpprofKeptBatchesAdd.
 * @param take     Called for each batch.
 * @param context  For `take`.
 * @return OPPROF_OK, OPPROF_E_IO, OPPROF_E_MEMORY, or what `take` returned. [stage]
 */
OpprofStatus OpprofKeptBatchesHandOut(OpprofKeptBatches *kept, OpprofStage *stage,
                                      OpprofKeptBatchesTake *take, void *context,
                                      OpprofError **error);

/** Free what is kept; it holds none again. [stage] */
void OpprofKeptBatchesFinish(OpprofKeptBatches *kept);

#ifdef __cplusplus
}
#endif

#endif
