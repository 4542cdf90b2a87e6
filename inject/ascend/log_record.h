/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INJECT_ASCEND_LOG_RECORD_H
#define INJECT_ASCEND_LOG_RECORD_H

/* Writes log records as opprof/kit/live_records.h describes them. */

#include <opprof/kit/live_records.h>

/* Room for a record of some content. */
static inline size_t LogRecordRoom(size_t length)
{
    return sizeof(OpprofLiveRecord) + OpprofLiveWhole(length) + OPPROF_LIVE_PIECE;
}

/*
 * Write a record. For the sender.
 *
 * @param record   Time, kind, is_last and the length of the content; the rest is filled in.
 * @param slot     Below OPPROF_LIVE_SLOTS.
 * @param content  With its blanks.
 * @param out      LogRecordRoom(length) bytes.
 * @return Bytes that it takes.
 */
static inline size_t LogRecordPut(OpprofLiveMemory *memory, OpprofLiveRecord record, uint32_t slot,
                                  const uint8_t *content, uint8_t *out)
{
    const size_t whole = OpprofLiveWhole(record.length);
    uint8_t *at = out + sizeof record;
    unsigned pieces = 0;

    record.slot = OPPROF_LIVE_PLAIN;
    if (whole > sizeof memory->slots[0]) {
        memcpy(at, content, whole);
        at += whole;
    } else {
        uint8_t *old = OpprofLiveSlotOf(memory, slot);

        record.slot = (uint16_t) slot;
        for (size_t from = 0; from < whole; from += OPPROF_LIVE_PIECE) {
            const bool differs = memcmp(old + from, content + from, OPPROF_LIVE_PIECE) != 0;

            memcpy(at, content + from, OPPROF_LIVE_PIECE);
            memcpy(old + from, content + from, OPPROF_LIVE_PIECE);
            at += differs ? OPPROF_LIVE_PIECE : 0;
            pieces |= (unsigned) differs << from / OPPROF_LIVE_PIECE;
        }
    }
    record.pieces = (uint16_t) pieces;
    memcpy(out, &record, sizeof record);
    return (size_t) (at - out);
}

#endif
