/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STREAM_LEDGER_H
#define STREAM_LEDGER_H

#include <opprof/batch.h>
#include <stdatomic.h>
#include <stdbool.h>

/*
 * Batches that a stage holds: references taken and not yet given back or pushed. The calling
 * thread's calls count for the stage it works for, so that a stage's share of the memory is known,
 * and a stage that gives back more than it took is named. Calls of a plugin's own threads are not
 * counted.
 */
typedef struct BatchLedger {
    atomic_llong references;
    atomic_llong bytes;
    atomic_llong peak_references;
    atomic_llong peak_bytes;
    /* batches were passed on that others took: too low a count says nothing */
    atomic_bool is_unsure;
} BatchLedger;

/* Whose batches this thread takes and gives back from now on, NULL: none. Returns the former owner.
 * [any thread] */
BatchLedger *BatchLedgerSwap(BatchLedger *ledger);

/* A batch is about to be pushed: false if it was before. */
bool BatchBeginPush(OpprofBatch *batch);

/* The holder has passed `bytes` and one reference on. */
void BatchLedgerPass(BatchLedger *ledger, long long bytes);

#endif
