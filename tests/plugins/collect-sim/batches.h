/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_PLUGINS_COLLECT_SIM_BATCHES_H
#define TESTS_PLUGINS_COLLECT_SIM_BATCHES_H

/* Batches of log records as a program sends them. */

#include <check.h>
#include "inject/ascend/log_record.h"

typedef struct Batch {
    OpprofLiveLogs logs;
    OpprofLiveMemory memory; /* the sender's */
    size_t size;
    uint8_t records[1 << 18];
} Batch;

static inline void batch_add(Batch *batch, OpprofLiveRecord record, const OpprofLiveAccess *access,
                             uint32_t slot, const char *text, size_t length)
{
    static uint8_t content[sizeof *access + OPPROF_LIVE_MOST_TEXT + OPPROF_LIVE_PIECE];
    const size_t before = OpprofLiveAccessBytes(record.kind);

    ck_assert_uint_le(length, OPPROF_LIVE_MOST_TEXT);
    ck_assert((access != NULL) == (before > 0));
    if (access != NULL) {
        memcpy(content, access, before);
    }
    memcpy(content + before, text, length);
    memset(content + before + length, ' ', OPPROF_LIVE_PIECE);
    record.length = (uint16_t) (before + length);
    ck_assert_uint_le(LogRecordRoom(record.length) + OPPROF_LIVE_AFTER,
                      sizeof batch->records - batch->size);
    batch->size +=
        LogRecordPut(&batch->memory, record, slot, content, batch->records + batch->size);
    batch->logs.count++;
}

/* An instruction. */
static inline void batch_add_text(Batch *batch, uint64_t time, uint32_t slot, const char *text)
{
    const OpprofLiveRecord record = { .time = time };

    batch_add(batch, record, NULL, slot, text, strlen(text));
}

/* It has been sent; the next one is of the same log. */
static inline void batch_empty(Batch *batch)
{
    batch->logs.count = 0;
    batch->size = 0;
}

#endif
