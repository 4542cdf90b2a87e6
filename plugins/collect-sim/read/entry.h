/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_ENTRY_H
#define COLLECT_SIM_READ_ENTRY_H

/* Reads log records as opprof/kit/live_records.h describes them. */

#include <opprof/kit/live_records.h>

/* A record that has been read. */
typedef struct SimEntry {
    uint64_t time;           /* tick */
    OpprofLiveAccess access; /* zeros for an instruction */
    /* Not NUL-terminated; OPPROF_LIVE_AFTER bytes after it are readable. Valid until the next
     * record. */
    const char *text;
    uint16_t length; /* bytes of the text */
    uint8_t kind;    /* OpprofLiveKind */
    uint8_t is_last; /* for misses */
} SimEntry;

/* The content of a record that OpprofLiveRecordBytes knows. For SimEntryRead. */
static inline const uint8_t *SimEntryContent(OpprofLiveMemory *memory,
                                             const OpprofLiveRecord *record, const uint8_t *pieces)
{
    uint8_t *content;

    if (record->slot == OPPROF_LIVE_PLAIN) {
        return pieces;
    }
    content = OpprofLiveSlotOf(memory, record->slot);
    for (unsigned left = record->pieces, at = 0; left != 0; left >>= 1, at += OPPROF_LIVE_PIECE) {
        if ((left & 1) != 0) {
            memcpy(content + at, pieces, OPPROF_LIVE_PIECE);
            pieces += OPPROF_LIVE_PIECE;
        }
    }
    return content;
}

/*
 * Read the record at the beginning of `left` bytes, after which OPPROF_LIVE_AFTER are readable.
 * Records of a log are read in their order, all of them.
 *
 * @param log             As OpprofLiveRecordBytes.
 * @param bytes           `left` bytes.
 * @param[out] ret_entry  The record; as it was when it is not one.
 * @return Bytes that it takes; 0: it is not one of the log, or not whole.
 */
static inline size_t SimEntryRead(OpprofLiveMemory *memory, uint8_t log, const uint8_t *bytes,
                                  size_t left, SimEntry *ret_entry)
{
    const size_t size = OpprofLiveRecordBytes(log, bytes, left);
    OpprofLiveRecord record;
    const uint8_t *content;
    size_t access;

    if (size == 0) {
        return 0;
    }
    memcpy(&record, bytes, sizeof record);
    content = SimEntryContent(memory, &record, bytes + sizeof record);
    access = OpprofLiveAccessBytes(record.kind);
    memset(&ret_entry->access, 0, sizeof ret_entry->access);
    memcpy(&ret_entry->access, content, access);
    ret_entry->time = record.time;
    ret_entry->text = (const char *) content + access;
    ret_entry->length = (uint16_t) (record.length - access);
    ret_entry->kind = record.kind;
    ret_entry->is_last = record.is_last;
    return size;
}

#endif
