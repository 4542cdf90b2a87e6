/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_RECORD_BITS_H
#define OPPROF_KIT_RECORD_BITS_H

/**
 * @file
 * Fields of raw records as a chip file describes them: an object with `size` and `byte_order` of a
 * record, and in `fields` for each name the first byte (`at`), the number of `bits`, and the
 * `shift`, the bits of the number below them. OpprofFactsBind compiles them (OPPROF_FACT_IS_BITS),
 * so that a field is read by one load, a shift and a mask. Experimental.
 */

#include <opprof/kit/bytes.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of a record. One load of eight bytes at `offset` holds them all. */
typedef struct OpprofRecordBits {
    uint64_t mask;   /**< 0: the record has no such field, its value is 0. */
    uint16_t offset; /**< Where the load begins. */
    uint8_t shift;   /**< Bits below the field. */
    bool is_big;     /**< The record is big-endian. */
} OpprofRecordBits;

/**
 * The value of a field in a record whose order of bytes is known: where `is_big` is a constant, it
 * is not tested.
 *
 * @param record  At least `size` bytes.
 * @param is_big  That of the record, of all its fields alike. [any thread]
 */
static inline uint64_t OpprofRecordBitsGetIn(const OpprofRecordBits *bits,
                                             const unsigned char *record, bool is_big)
{
    const unsigned char *at = record + bits->offset;

    return (is_big ? OpprofLoadBe64(at) : OpprofLoadLe64(at)) >> bits->shift & bits->mask;
}

/** The value of a field. @param record at least `size` bytes. [any thread] */
static inline uint64_t OpprofRecordBitsGet(const OpprofRecordBits *bits,
                                           const unsigned char *record)
{
    return OpprofRecordBitsGetIn(bits, record, bits->is_big);
}

#ifdef __cplusplus
}
#endif

#endif
