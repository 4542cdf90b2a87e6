/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_LIVE_RECORDS_H
#define OPPROF_KIT_LIVE_RECORDS_H

/**
 * @file
 * Log records of a simulator as a program sends them after an OpprofLiveLogs. Nothing here is
 * linked. Experimental while the ABI's major number is 0.
 *
 * A log repeats itself with small differences: an instruction in a loop differs in a few digits
 * from its last turn. So both sides remember, for each log of an operator, the content that was
 * last seen in each of some slots, and a record brings only the pieces of its content that differ
 * from its slot. The sender chooses the slot, by the address of the instruction.
 *
 * A content is an OpprofLiveAccess, unless the record is an instruction, and the text; then blanks
 * up to a whole piece.
 */

#include <opprof/kit/live.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OPPROF_LIVE_PIECE 16u       /**< Bytes of a piece. */
#define OPPROF_LIVE_SLOTS 1024u     /**< Slots of a log. */
#define OPPROF_LIVE_SLOT_PIECES 16u /**< Pieces of a slot. */
/** No slot, as for longer contents: the whole content follows. */
#define OPPROF_LIVE_PLAIN 0xffffu
#define OPPROF_LIVE_AFTER 64u /**< Readable bytes after each content. */

/** A log record. Its pieces follow. */
typedef struct OpprofLiveRecord {
    uint64_t time;   /**< Tick. */
    uint16_t slot;   /**< Below OPPROF_LIVE_SLOTS, or OPPROF_LIVE_PLAIN. */
    uint16_t length; /**< Bytes of the content without its blanks. */
    /** A bit for each piece that follows, the first one the lowest; 0 if it is plain. */
    uint16_t pieces;
    uint8_t kind;    /**< OpprofLiveKind. */
    uint8_t is_last; /**< For misses. */
} OpprofLiveRecord;

/** Subject of a memory transfer, cache miss, fetch or issue. */
typedef struct OpprofLiveAccess {
    uint64_t address; /**< Memory address, for transfers; else the program counter. */
    uint64_t size;    /**< Bytes, for transfers and misses. */
    uint64_t id;      /**< Instruction, for transfers. */
    uint32_t request; /**< Request, for transfers; cache type, for misses. */
    uint32_t zero;    /**< 0. */
} OpprofLiveAccess;

/** A record that has been read. */
typedef struct OpprofLiveEntry {
    uint64_t time;           /**< Tick. */
    OpprofLiveAccess access; /**< Zeros for an instruction. */
    /** Not NUL-terminated; OPPROF_LIVE_AFTER bytes after it are readable. Valid until the next
     * record. */
    const char *text;
    uint16_t length; /**< Bytes of the text. */
    uint8_t kind;    /**< OpprofLiveKind. */
    uint8_t is_last; /**< For misses. */
} OpprofLiveEntry;

/** State of a log on both sides. Empty when `known` is zeroed. */
typedef struct OpprofLiveMemory {
    uint64_t known[OPPROF_LIVE_SLOTS / 64]; /**< A bit for each slot that holds something. */
    uint8_t slots[OPPROF_LIVE_SLOTS][OPPROF_LIVE_SLOT_PIECES * OPPROF_LIVE_PIECE]; /**< Contents. */
    uint8_t after[OPPROF_LIVE_AFTER]; /**< Readable bytes after the last slot. */
} OpprofLiveMemory;

/** Bytes of a content with its blanks. [any thread] */
static inline size_t OpprofLiveWhole(size_t length)
{
    return (length + OPPROF_LIVE_PIECE - 1) & ~(size_t) (OPPROF_LIVE_PIECE - 1);
}

/** Room for a record of some content. [any thread] */
static inline size_t OpprofLiveRecordRoom(size_t length)
{
    return sizeof(OpprofLiveRecord) + OpprofLiveWhole(length) + OPPROF_LIVE_PIECE;
}

/**
 * The content of a slot; zeros if nothing was there. Borrowed from `memory`. [any thread]
 *
 * @param slot  Below OPPROF_LIVE_SLOTS.
 */
static inline uint8_t *OpprofLiveSlotOf(OpprofLiveMemory *memory, uint32_t slot)
{
    const uint64_t bit = UINT64_C(1) << (slot & 63);

    if ((memory->known[slot / 64] & bit) == 0) {
        memory->known[slot / 64] |= bit;
        memset(memory->slots[slot], 0, sizeof memory->slots[slot]);
    }
    return memory->slots[slot];
}

/**
 * Write a record. For the sender.
 *
 * @param record   Time, kind, is_last and the length of the content; the rest is filled in.
 * @param slot     Below OPPROF_LIVE_SLOTS.
 * @param content  With its blanks.
 * @param out      OpprofLiveRecordRoom(length) bytes.
 * @return Bytes that it takes. [any thread]
 */
static inline size_t OpprofLiveRecordPut(OpprofLiveMemory *memory, OpprofLiveRecord record,
                                         uint32_t slot, const uint8_t *content, uint8_t *out)
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

/** Bytes of an access before the text. [any thread] */
static inline size_t OpprofLiveAccessBytes(uint8_t kind)
{
    return kind == OPPROF_LIVE_INSTRUCTION ? 0 : sizeof(OpprofLiveAccess);
}

/**
 * Whether a log has records of a kind. [any thread]
 *
 * @param log   OpprofLiveLog.
 * @param kind  OpprofLiveKind.
 */
static inline bool OpprofLiveLogHas(uint8_t log, uint8_t kind)
{
    switch (log) {
    case OPPROF_LIVE_LOG_START:
    case OPPROF_LIVE_LOG_END:
        return kind == OPPROF_LIVE_INSTRUCTION;
    case OPPROF_LIVE_LOG_TRANSFER:
        return kind == OPPROF_LIVE_TRANSFER;
    case OPPROF_LIVE_LOG_FETCH:
        return kind == OPPROF_LIVE_MISS || kind == OPPROF_LIVE_FETCH;
    case OPPROF_LIVE_LOG_ISSUE:
        return kind == OPPROF_LIVE_ISSUE;
    default:
        return false;
    }
}

/** How many pieces a record brings. [any thread] */
static inline size_t OpprofLivePieces(unsigned pieces)
{
    pieces -= pieces >> 1 & 0x5555u;
    pieces = (pieces & 0x3333u) + (pieces >> 2 & 0x3333u);
    pieces = (pieces + (pieces >> 4)) & 0x0f0fu;
    return (pieces + (pieces >> 8)) & 0x1fu;
}

/**
 * Bytes of the record at the beginning of `left` bytes; 0: it is not one of the log, or not whole.
 * [any thread]
 *
 * @param bytes  `left` bytes.
 */
static inline size_t OpprofLiveRecordBytes(uint8_t log, const uint8_t *bytes, size_t left)
{
    OpprofLiveRecord record;
    size_t whole, size;

    if (left < sizeof record) {
        return 0;
    }
    memcpy(&record, bytes, sizeof record);
    whole = OpprofLiveWhole(record.length);
    if (record.slot == OPPROF_LIVE_PLAIN) {
        size = sizeof record + whole;
    } else {
        size = sizeof record + OpprofLivePieces(record.pieces) * OPPROF_LIVE_PIECE;
        if (record.slot >= OPPROF_LIVE_SLOTS ||
            whole > OPPROF_LIVE_SLOT_PIECES * OPPROF_LIVE_PIECE ||
            record.pieces >> whole / OPPROF_LIVE_PIECE != 0) {
            return 0;
        }
    }
    return size <= left && OpprofLiveLogHas(log, record.kind) &&
                   record.length >= OpprofLiveAccessBytes(record.kind) &&
                   record.length <= OpprofLiveAccessBytes(record.kind) + OPPROF_LIVE_MOST_TEXT
               ? size
               : 0;
}

/** The content of a record that OpprofLiveRecordBytes knows. For OpprofLiveRecordRead. */
static inline const uint8_t *
OpprofLiveContent(OpprofLiveMemory *memory, const OpprofLiveRecord *record, const uint8_t *pieces)
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

/**
 * Read the record at the beginning of `left` bytes, after which OPPROF_LIVE_AFTER are readable.
 * Records of a log are read in their order, all of them.
 *
 * @param log             As OpprofLiveRecordBytes.
 * @param bytes           `left` bytes.
 * @param[out] ret_entry  The record; as it was when it is not one.
 * @return Bytes that it takes; 0: it is not one of the log, or not whole. [any thread]
 */
static inline size_t OpprofLiveRecordRead(OpprofLiveMemory *memory, uint8_t log,
                                          const uint8_t *bytes, size_t left,
                                          OpprofLiveEntry *ret_entry)
{
    const size_t size = OpprofLiveRecordBytes(log, bytes, left);
    OpprofLiveRecord record;
    const uint8_t *content;
    size_t access;

    if (size == 0) {
        return 0;
    }
    memcpy(&record, bytes, sizeof record);
    content = OpprofLiveContent(memory, &record, bytes + sizeof record);
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

#ifdef __cplusplus
}
#endif

#endif
