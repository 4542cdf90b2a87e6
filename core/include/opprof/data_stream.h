/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_DATA_STREAM_H
#define OPPROF_DATA_STREAM_H

/**
 * @file
 * DataStream: a bounded queue of batches with any number of producers and readers. Every reader
 * sees every batch that was pushed after it attached; the order of each producer is kept.
 * Experimental.
 *
 * Inside a pipeline the runner owns the streams and plugins use OpprofStagePush; this interface is
 * for the runner, for tests and for embedders.
 */

#include <opprof/batch.h>
#include <opprof/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The queue. Opaque. */
typedef struct OpprofDataStream OpprofDataStream;
/** One reader's place in a stream. Opaque; used by one thread at a time. */
typedef struct OpprofDataStreamReader OpprofDataStreamReader;
/** Bytes that several streams may hold together. Opaque. */
typedef struct OpprofDataStreamBudget OpprofDataStreamBudget;
/** A thread sleeps on it while all its readers are empty. Opaque. */
typedef struct OpprofDataStreamBell OpprofDataStreamBell;

/** How a stream ends. */
typedef enum OpprofDataStreamEnd {
    OPPROF_DATA_STREAM_OPEN = 0,     /**< Not ended. */
    OPPROF_DATA_STREAM_COMPLETE = 1, /**< Drain: everything was produced. */
    /** Drain: stopped early or input truncated; the data so far is good. */
    OPPROF_DATA_STREAM_CUT = 2,
    OPPROF_DATA_STREAM_FAILED = 3, /**< Drain: the producer failed; the data so far is good. */
    OPPROF_DATA_STREAM_ABORT = 4   /**< At once: queued batches are dropped. */
} OpprofDataStreamEnd;

/** Settings of a stream; zero means the default. */
typedef struct OpprofDataStreamOptions {
    uint32_t max_batches; /**< Batches queued for the slowest reader; default 64, at most 65536. */
    size_t max_bytes;     /**< Bytes queued; default 16 MiB. One batch is always let in. */
    /** Shared limit, borrowed; NULL: none. One batch per stream is always let in. */
    OpprofDataStreamBudget *budget;
} OpprofDataStreamOptions;

/** Counts of a stream so far. */
typedef struct OpprofDataStreamStats {
    uint64_t batches;      /**< Batches pushed. */
    uint64_t records;      /**< Records pushed. */
    uint64_t bytes;        /**< Bytes pushed. */
    uint64_t push_wait_ns; /**< Time producers waited for room. */
    uint32_t queued;       /**< Batches the slowest reader has not popped. */
    uint32_t queued_peak;  /**< Largest value of queued. */
    uint64_t queued_bytes; /**< Bytes of these batches. */
} OpprofDataStreamStats;

/** Create a budget of `max_bytes`; NULL without memory. Outlives its streams. [any thread] */
OpprofDataStreamBudget *OpprofDataStreamBudgetCreate(size_t max_bytes);
/** Free a budget that no stream uses any more. NULL is allowed. [owner] */
void OpprofDataStreamBudgetDestroy(OpprofDataStreamBudget *budget);

/** Create a bell; NULL without memory. [any thread] */
OpprofDataStreamBell *OpprofDataStreamBellCreate(void);
/** Free a bell that no reader uses any more. NULL is allowed. [owner] */
void OpprofDataStreamBellDestroy(OpprofDataStreamBell *bell);
/** Wake all that sleep in OpprofDataStreamPopAny with this bell; it returns OPPROF_AGAIN.
 * [any thread] */
void OpprofDataStreamBellRing(OpprofDataStreamBell *bell);

/** Create a stream. `options` may be NULL. NULL without memory. [any thread] */
OpprofDataStream *OpprofDataStreamCreate(const OpprofDataStreamOptions *options);

/** Free a stream; no thread may be inside a call on it, and all its readers must be detached. NULL
 * is allowed. [owner] */
void OpprofDataStreamDestroy(OpprofDataStream *stream);

/** Add a reader, to be given to OpprofDataStreamDetach. It sees what is pushed from now on; a
 * stream without readers drops what it takes. Its thread sleeps on `bell`, borrowed; NULL: one of
 * its own. NULL without memory. [any thread] */
OpprofDataStreamReader *OpprofDataStreamAttach(OpprofDataStream *stream,
                                               OpprofDataStreamBell *bell);

/** Remove a reader; items that it has not popped are dropped for it, and it no longer blocks
 * producers. NULL is allowed. [any thread, not while popping] */
void OpprofDataStreamDetach(OpprofDataStreamReader *reader);

/** Push a `batch`, waiting while the slowest reader is full. OPPROF_OK: the stream owns it;
 * OPPROF_CLOSED after a shutdown: the caller still does. [any thread] */
OpprofStatus DataStreamPush(OpprofDataStream *stream, OpprofBatch *batch);

/** Pop the next batch, waiting for one. `ret_batch` is for OpprofBatchUnref; NULL unless OPPROF_OK;
 * OPPROF_END when drained after a shutdown; OPPROF_CLOSED when aborted. [owner] */
OpprofStatus DataStreamPop(OpprofDataStreamReader *reader, OpprofBatch **ret_batch);

/** As DataStreamPop, with its `ret_batch`, but OPPROF_AGAIN instead of waiting. [owner] */
OpprofStatus OpprofDataStreamTryPop(OpprofDataStreamReader *reader, OpprofBatch **ret_batch);

/** Pop, in turn, from whichever of `count` `readers` has something, sleeping once for all of them:
 * they share one bell; NULL entries and drained ones are skipped. `which` is the index of the
 * reader that `ret_batch` came from, or that has just ended. OPPROF_OK; OPPROF_END once for each
 * reader that ends (the caller sets its entry to NULL after detaching it); OPPROF_CLOSED when
 * aborted; OPPROF_AGAIN when the bell was rung by hand; OPPROF_E_ARGUMENT when no reader is left.
 * [owner] */
OpprofStatus OpprofDataStreamPopAny(OpprofDataStreamReader *const *readers, uint32_t count,
                                    uint32_t *which, OpprofBatch **ret_batch);

/** End a stream, as `how` says; OPPROF_DATA_STREAM_OPEN does nothing. A drain lets readers pop all
 * that was pushed and then gives OPPROF_END; an abort drops it. Idempotent: the first drain wins,
 * an abort always does. Pushes return OPPROF_CLOSED from now on. [any thread] */
void DataStreamShutdown(OpprofDataStream *stream, OpprofDataStreamEnd how);

/** How the stream ended, OPPROF_DATA_STREAM_OPEN while it has not. [any thread] */
OpprofDataStreamEnd OpprofDataStreamEndState(OpprofDataStream *stream);

/** Fill `ret_stats` with the counts so far. [any thread] */
void OpprofDataStreamGetStats(OpprofDataStream *stream, OpprofDataStreamStats *ret_stats);

#ifdef __cplusplus
}
#endif

#endif
