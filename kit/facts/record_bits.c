/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the load that holds a field of a raw record. Tested by
 * tests/kit/facts/test_record_bits.c. */
#include "kit/facts/fact_bind.h"

#define LOAD_BYTES 8u
#define LOAD_BITS 64u

bool RecordBitsPlace(const RecordPlace *place, uint32_t size, bool is_big,
                     OpprofRecordBits *ret_bits)
{
    const uint32_t last = size - LOAD_BYTES; /* the last load of the record */
    const uint32_t back = place->at > last ? place->at - last : 0;
    const uint32_t bytes =
        (place->shift + place->bits + 7) / 8; /* of the number around the field */

    *ret_bits = (OpprofRecordBits){ .mask = 0 };
    if (back + bytes > LOAD_BYTES) {
        return false;
    }
    *ret_bits = (OpprofRecordBits){
        .mask = place->bits == LOAD_BITS ? UINT64_MAX : (UINT64_C(1) << place->bits) - 1,
        .offset = (uint16_t) (place->at - back),
        .shift = (uint8_t) (place->shift + (is_big ? LOAD_BITS - 8 * (back + bytes) : 8 * back)),
        .is_big = is_big
    };
    return true;
}
