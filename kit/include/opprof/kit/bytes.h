/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_BYTES_H
#define OPPROF_KIT_BYTES_H

/**
 * @file
 * Bounds-checked cursor over bytes from outside. Failure is sticky: reads after a failure give 0, so a
 * record is read straight down and checked once at the end. [any thread]
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A cursor. Copying it is a bookmark. */
typedef struct OpprofByteReader {
    const unsigned char *data; /**< First byte. Borrowed. */
    size_t size;               /**< Bytes there are. */
    size_t position;           /**< Next byte. */
    size_t failed_at;          /**< Position of the first failed read; SIZE_MAX: none. */
} OpprofByteReader;

/** A cursor over `size` bytes at `data`. */
static inline OpprofByteReader OpprofByteReaderInit(const void *data, size_t size)
{
    OpprofByteReader reader = { (const unsigned char *) data, size, 0, SIZE_MAX };
    return reader;
}

/** False after the first read past the end. */
static inline bool OpprofByteReaderOk(const OpprofByteReader *reader)
{
    return reader->failed_at == SIZE_MAX;
}

/** Bytes left; 0 after a failure. */
static inline size_t OpprofByteReaderLeft(const OpprofByteReader *reader)
{
    return OpprofByteReaderOk(reader) ? reader->size - reader->position : 0;
}

/** The next `count` bytes, or NULL. Borrowed from the data. */
static inline const unsigned char *OpprofByteReaderTake(OpprofByteReader *reader, size_t count)
{
    const unsigned char *at;

    if (!OpprofByteReaderOk(reader) || count > reader->size - reader->position) {
        if (OpprofByteReaderOk(reader)) {
            reader->failed_at = reader->position;
        }
        return NULL;
    }
    at = reader->data + reader->position;
    reader->position += count;
    return at;
}

/** Little-endian unsigned integer of `count` (1..8) bytes; 0 on failure. */
static inline uint64_t OpprofByteReaderLe(OpprofByteReader *reader, size_t count)
{
    const unsigned char *at = OpprofByteReaderTake(reader, count);
    uint64_t value = 0;

    for (size_t i = count; at != NULL && i > 0; i--) {
        value = value << 8 | at[i - 1];
    }
    return value;
}

/** One byte. */
static inline uint8_t OpprofByteReaderU8(OpprofByteReader *reader)
{
    return (uint8_t) OpprofByteReaderLe(reader, 1);
}
/** Two bytes, little-endian. */
static inline uint16_t OpprofByteReaderU16(OpprofByteReader *reader)
{
    return (uint16_t) OpprofByteReaderLe(reader, 2);
}
/** Four bytes, little-endian. */
static inline uint32_t OpprofByteReaderU32(OpprofByteReader *reader)
{
    return (uint32_t) OpprofByteReaderLe(reader, 4);
}
/** Eight bytes, little-endian. */
static inline uint64_t OpprofByteReaderU64(OpprofByteReader *reader)
{
    return OpprofByteReaderLe(reader, 8);
}

/** Bits [low, low + count) of a value; 0 when low or count is 64 or more. */
static inline uint64_t OpprofBitsGet(uint64_t value, unsigned low, unsigned count)
{
    return low >= 64 || count >= 64 ? 0 : (value >> low) & ((UINT64_C(1) << count) - 1);
}

#ifdef __cplusplus
}
#endif

#endif
