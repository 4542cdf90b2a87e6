/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_RECORD_BITS_H
#define OPPROF_KIT_RECORD_BITS_H

/**
 * @file
 * Fields of raw records as a chip file describes them: an object with `size` and `byte_order` of a record, and in
 * `fields` for each name the first byte (`at`), the number of `bits`, and the `shift`, the bits of the number below them. They are
 * compiled once, so that a field is read by one load, a shift and a mask.
 * Experimental while the ABI's major number is 0.
 */

#include <opprof/kit/bytes.h>
#include <opprof/kit/chip.h>

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
 * The value of a field in a record whose order of bytes is known: where `is_big` is a constant, it is not tested.
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

/** Whether a record of a chip file is big-endian: its `byte_order` is "big". [any thread] */
bool OpprofRecordIsBig(const OpprofFact *record);

/**
 * Compile a field of a record.
 *
 * @param record  The record, of `size` 8 to 65535 bytes; NULL has no fields.
 * @param name    Name of the field.
 * @param[out] ret_bits  Its mask is 0 if the record has no such field, or it is wrong.
 * @return NULL, or what is wrong with the field: a static text. [any thread]
 */
const char *OpprofRecordBitsRead(const OpprofFact *record, const char *name,
                                 OpprofRecordBits *ret_bits);

#ifdef __cplusplus
}
#endif

#endif
