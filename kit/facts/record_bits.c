/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles fields of raw records from a chip file. Tested by tests/kit/facts/test_record_bits.c. */
#include <opprof/kit/record_bits.h>

#include <opprof/require.h>
#include <string.h>

#define LOAD_BYTES 8u
#define LOAD_BITS 64u

/* A whole number of at most `most`, `otherwise` if it is absent. False: it is not one. */
static bool read_number(const OpprofFact *object, const char *name, uint32_t most,
                        uint32_t otherwise, uint32_t *ret_number)
{
    const OpprofFact *fact = OpprofFactMember(object, name);
    double value = otherwise;

    if (OpprofFactGetKind(fact) != OPPROF_FACT_NONE &&
        (!OpprofFactNumber(fact, &value) || value < 0 || value > most ||
         value != (double) (uint32_t) value)) {
        return false;
    }
    *ret_number = (uint32_t) value;
    return true;
}

bool OpprofRecordIsBig(const OpprofFact *record)
{
    const char *order = OpprofFactText(OpprofFactMember(record, "byte_order"));

    return order != NULL && strcmp(order, "big") == 0;
}

/* The load that holds the bits: at the field, or the last one of the record. False if none. */
static bool place(uint32_t size, uint32_t at, uint32_t bits, uint32_t shift, bool is_big,
                  OpprofRecordBits *ret_bits)
{
    const uint32_t last = size - LOAD_BYTES;
    const uint32_t back = at > last ? at - last : 0;
    const uint32_t bytes = (shift + bits + 7) / 8; /* of the number that the field is of */

    if (back + bytes > LOAD_BYTES) {
        return false;
    }
    *ret_bits = (OpprofRecordBits){
        .mask = bits == LOAD_BITS ? UINT64_MAX : (UINT64_C(1) << bits) - 1,
        .offset = (uint16_t) (at - back),
        .shift = (uint8_t) (shift + (is_big ? LOAD_BITS - 8 * (back + bytes) : 8 * back)),
        .is_big = is_big
    };
    return true;
}

const char *OpprofRecordBitsRead(const OpprofFact *record, const char *name,
                                 OpprofRecordBits *ret_bits)
{
    OPPROF_REQUIRE("record-bits-given", name != NULL && ret_bits != NULL,
                   "The name of the field and the place of the result are given");

    const OpprofFact *field = OpprofFactMember(OpprofFactMember(record, "fields"), name);
    uint32_t size = 0;
    uint32_t at = 0;
    uint32_t bits = 0;
    uint32_t shift = 0;

    *ret_bits = (OpprofRecordBits){ .mask = 0 };
    if (!read_number(record, "size", UINT16_MAX, 0, &size) || field == NULL || size < LOAD_BYTES) {
        return NULL; /* the size is the reader's to check */
    }
    if (!read_number(field, "at", size - 1, UINT32_MAX, &at) ||
        !read_number(field, "bits", LOAD_BITS, 0, &bits) ||
        !read_number(field, "shift", LOAD_BITS - 1, 0, &shift)) {
        return "a number is not a whole number or too large";
    }
    if (at == UINT32_MAX || bits == 0) {
        return "the field needs 'at' and 'bits'";
    }
    return place(size, at, bits, shift, OpprofRecordIsBig(record), ret_bits)
               ? NULL
               : "the field reaches beyond the record or beyond eight bytes";
}
