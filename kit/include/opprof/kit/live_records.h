/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_LIVE_RECORDS_H
#define OPPROF_KIT_LIVE_RECORDS_H

/**
 * @file
 * Log records of a simulator as a program sends them after an OpprofLiveLogs. Nothing here is
 * linked. Experimental. [any thread]
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

/** State of a log on both sides. Empty when `known` is zeroed. */
typedef struct OpprofLiveMemory {
    uint64_t known[OPPROF_LIVE_SLOTS / 64]; /**< A bit for each slot that holds something. */
    uint8_t slots[OPPROF_LIVE_SLOTS][OPPROF_LIVE_SLOT_PIECES * OPPROF_LIVE_PIECE]; /**< Contents. */
    uint8_t after[OPPROF_LIVE_AFTER]; /**< Readable bytes after the last slot. */
} OpprofLiveMemory;

/** Bytes of a content with its blanks. */
static inline size_t OpprofLiveWhole(size_t length)
{
    return (length + OPPROF_LIVE_PIECE - 1) & ~(size_t) (OPPROF_LIVE_PIECE - 1);
}

/**
 * The content of a slot; zeros if nothing was there. Borrowed from `memory`.
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

/** Bytes of an access before the text. */
static inline size_t OpprofLiveAccessBytes(uint8_t kind)
{
    return kind == OPPROF_LIVE_INSTRUCTION ? 0 : sizeof(OpprofLiveAccess);
}

/**
 * Whether a log has records of a kind.
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

/** How many pieces a record brings. */
static inline size_t OpprofLivePieces(unsigned pieces)
{
    pieces -= pieces >> 1 & 0x5555u;
    pieces = (pieces & 0x3333u) + (pieces >> 2 & 0x3333u);
    pieces = (pieces + (pieces >> 4)) & 0x0f0fu;
    return (pieces + (pieces >> 8)) & 0x1fu;
}

/**
 * Bytes of the record at the beginning of `left` bytes; 0: it is not one of the log, or not whole.
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

#ifdef __cplusplus
}
#endif

#endif
