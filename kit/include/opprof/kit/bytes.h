/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_BYTES_H
#define OPPROF_KIT_BYTES_H

/**
 * @file
 * Bytes from outside: integers at any address, and a bounds-checked cursor. The cursor's failure is
 * sticky: reads after a failure give 0, so a record is read straight down and checked once at the
 * end. [any thread] Experimental.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A little-endian uint16_t at any address. */
static inline uint16_t OpprofLoadLe16(const void *at)
{
    const unsigned char *bytes = (const unsigned char *) at;

    return (uint16_t) (bytes[0] | bytes[1] << 8);
}

/** A little-endian uint32_t at any address. */
static inline uint32_t OpprofLoadLe32(const void *at)
{
    const unsigned char *bytes = (const unsigned char *) at;

    return (uint32_t) bytes[0] | (uint32_t) bytes[1] << 8 | (uint32_t) bytes[2] << 16 |
           (uint32_t) bytes[3] << 24;
}

/** A little-endian uint64_t at any address. */
static inline uint64_t OpprofLoadLe64(const void *at)
{
    const unsigned char *bytes = (const unsigned char *) at;

    return OpprofLoadLe32(bytes) | (uint64_t) OpprofLoadLe32(bytes + 4) << 32;
}

/** A big-endian uint64_t at any address. */
static inline uint64_t OpprofLoadBe64(const void *at)
{
    const unsigned char *bytes = (const unsigned char *) at;

    return (uint64_t) bytes[0] << 56 | (uint64_t) bytes[1] << 48 | (uint64_t) bytes[2] << 40 |
           (uint64_t) bytes[3] << 32 | (uint64_t) bytes[4] << 24 | (uint64_t) bytes[5] << 16 |
           (uint64_t) bytes[6] << 8 | (uint64_t) bytes[7];
}

/** A big-endian unsigned integer of `count` (0..8) bytes. */
static inline uint64_t OpprofLoadBe(const void *at, size_t count)
{
    const unsigned char *bytes = (const unsigned char *) at;
    uint64_t value = 0;

    for (size_t i = 0; i < count; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

/** A little-endian unsigned integer of `count` (0..8) bytes. */
static inline uint64_t OpprofLoadLe(const void *at, size_t count)
{
    const unsigned char *bytes = (const unsigned char *) at;
    uint64_t value = 0;

    for (size_t i = count; i > 0; i--) {
        value = value << 8 | bytes[i - 1];
    }
    return value;
}

/** A cursor. Copying it is a bookmark. */
typedef struct OpprofByteReader {
    const unsigned char *data; /**< First byte. Borrowed. */
    size_t size;               /**< Number of bytes. */
    size_t position;           /**< Index of the next byte. */
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

/** The next `count` (1..8) bytes as a little-endian unsigned integer; 0 on failure. */
static inline uint64_t OpprofByteReaderLe(OpprofByteReader *reader, size_t count)
{
    const unsigned char *at = OpprofByteReaderTake(reader, count);

    return at == NULL ? 0 : OpprofLoadLe(at, count);
}

/** The next byte; 0 on failure. */
static inline uint8_t OpprofByteReaderU8(OpprofByteReader *reader)
{
    return (uint8_t) OpprofByteReaderLe(reader, 1);
}
/** The next two bytes, little-endian; 0 on failure. */
static inline uint16_t OpprofByteReaderU16(OpprofByteReader *reader)
{
    return (uint16_t) OpprofByteReaderLe(reader, 2);
}
/** The next four bytes, little-endian; 0 on failure. */
static inline uint32_t OpprofByteReaderU32(OpprofByteReader *reader)
{
    return (uint32_t) OpprofByteReaderLe(reader, 4);
}
/** The next eight bytes, little-endian; 0 on failure. */
static inline uint64_t OpprofByteReaderU64(OpprofByteReader *reader)
{
    return OpprofByteReaderLe(reader, 8);
}

/**
 * Bits [low, low + count) of a value; 0 when low or count is 64 or more.
 *
 * @param low    Number of the lowest bit.
 * @param count  Number of bits.
 */
static inline uint64_t OpprofBitsGet(uint64_t value, unsigned low, unsigned count)
{
    return low >= 64 || count >= 64 ? 0 : (value >> low) & ((UINT64_C(1) << count) - 1);
}

#ifdef __cplusplus
}
#endif

#endif
