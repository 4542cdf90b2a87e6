/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_BATCH_H
#define OPPROF_BATCH_H

/**
 * @file
 * Batches: a few hundred KiB of records of one type with a blob for their texts. One producer fills
 * a batch; once pushed it is immutable, reference-counted and fanned out without copies.
 * Experimental.
 */

#include <opprof/record.h>
#include <opprof/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where batches of one type come from and return to. Opaque. */
typedef struct OpprofBatchPool OpprofBatchPool;

/** A batch. Members are for reading; change them only before the push, and only as their comment
 * says. */
typedef struct OpprofBatch {
    const OpprofRecordType *type; /**< Type of all records. */
    void *records;                /**< `count` records of type->size bytes. */
    const char *blob;             /**< Texts of the records. */
    uint32_t count;               /**< Records filled. Set by OpprofBatchAppend. */
    uint32_t capacity;            /**< Records there is room for. */
    uint32_t blob_size;           /**< Bytes of the blob in use. Set by OpprofBatchAppendText. */
    uint32_t blob_capacity;       /**< Bytes of the blob allocated. */
    /** Interned name of the core, device, rank or document; 0: none. Producer sets. */
    uint32_t partition;
    uint32_t clock; /**< Clock of the TICK fields, from OpprofStageClock; 0: none. Producer sets. */
    uint64_t sequence; /**< Number of the batch on its port, from 0. Set by OpprofStagePush. */
    /** No later batch of this partition holds an earlier time; 0: no promise. Producer sets. */
    uint64_t watermark;
} OpprofBatch;

/** Create a pool of batches of records of `type`, which outlives it: `capacity` records a batch, at
 * least 1, and as the first size of blobs `blob` bytes; these grow as needed and keep their size.
 * NULL without memory. [any thread] */
OpprofBatchPool *OpprofBatchPoolCreate(const OpprofRecordType *type, uint32_t capacity,
                                       uint32_t blob);

/** Drop the pool. Batches still in use keep working and are freed with their last reference. NULL
 * is allowed. [owner] */
void OpprofBatchPoolDestroy(OpprofBatchPool *pool);

/** An empty batch owned by the caller, or NULL without memory. Records are not zeroed. [any thread]
 * */
OpprofBatch *OpprofBatchPoolTake(OpprofBatchPool *pool);

/** Number of batches taken and not yet given back; exact while no thread takes or gives back. For
 * tests and statistics. [any thread] */
uint32_t OpprofBatchPoolInUse(OpprofBatchPool *pool);

/** One more reference, to be given to OpprofBatchUnref. Returns batch, never NULL. [any thread] */
OpprofBatch *OpprofBatchRef(const OpprofBatch *batch);

/** Give a reference back; the last one returns the batch to its pool. NULL is allowed. A plugin
 * that takes a batch or a reference in one of its calls also gives it back in one: what a stage
 * holds is counted, and a stage that gives back a batch that it does not hold, such as the one that
 * process lends it, is stopped. [any thread] */
void OpprofBatchUnref(const OpprofBatch *batch);

/** Bytes that the batch holds in memory, for queue accounting. [any thread] */
size_t OpprofBatchBytes(const OpprofBatch *batch);

/** Room for one more record, or NULL when the batch is full. The caller fills every member (the
 * memory is not cleared). [owner] */
static inline void *OpprofBatchAppend(OpprofBatch *batch)
{
    if (batch->count == batch->capacity) {
        return NULL;
    }
    return (char *) batch->records + (size_t) batch->count++ * batch->type->size;
}

/** Record `i` as const bytes, below `count` of the batch, which is not checked. Borrowed.
 * [any thread] */
static inline const void *OpprofBatchRecord(const OpprofBatch *batch, uint32_t i)
{
    return (const char *) batch->records + (size_t) i * batch->type->size;
}

/** Make room for `length` more bytes in the blob and return where they go, or NULL without memory
 * or beyond 1 GiB. Alignment: 1. Follow with OpprofBatchCommitText. [owner] */
char *OpprofBatchReserveText(OpprofBatch *batch, size_t length);

/** Make the first `length` bytes of what OpprofBatchReserveText gave a text. Returns it, for a TEXT
 * field of a record of the batch. [owner] */
static inline OpprofText OpprofBatchCommitText(OpprofBatch *batch, size_t length)
{
    OpprofText text = { batch->blob_size, (uint32_t) length };
    batch->blob_size += (uint32_t) length;
    return text;
}

/** Copy a text of `length` bytes into the blob; `text` may be NULL when it is empty. `ret_text` is
 * where it is now; the absent text on failure: OPPROF_E_MEMORY or OPPROF_E_LIMIT (blob over 1 GiB).
 * [owner] */
OpprofStatus OpprofBatchAppendText(OpprofBatch *batch, const char *text, size_t length,
                                   OpprofText *ret_text);

/** Bytes of a `text`, NULL if absent or out of the blob's bounds. Borrowed from the batch.
 * [any thread] */
static inline const char *OpprofBatchText(const OpprofBatch *batch, OpprofText text)
{
    if (text.offset > batch->blob_size || text.length > batch->blob_size - text.offset) {
        return NULL;
    }
    return batch->blob + text.offset;
}

#ifdef __cplusplus
}
#endif

#endif
