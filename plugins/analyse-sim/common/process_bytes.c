/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the bytes that an instruction moves to or from global memory. Tested by
 * tests/plugins/analyse-sim/details/test_process_bytes.c.
 */
#include "analyse-sim/common/process_bytes.h"
#include <string.h>

/* What an instruction moves. */
typedef struct Traffic {
    uint64_t blocks;
    uint64_t block_size;
    uint64_t repeats;
} Traffic;

/* Whether an operand names one of the chip's memories. */
static bool is_memory(const NameFacts *facts, const OperandWord *word)
{
    for (size_t i = 0; word->text != NULL && i < OpprofFactCount(facts->memories); i++) {
        const char *name = OpprofFactText(OpprofFactAt(facts->memories, i));
        if (name != NULL && strlen(name) == word->length &&
            memcmp(name, word->text, word->length) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_word(const OperandWord *word, const char *text)
{
    return word->length == strlen(text) && memcmp(word->text, text, word->length) == 0;
}

static bool has(const OperandValues *values, unsigned wanted)
{
    return (values->has & wanted) == wanted;
}

static uint64_t factor(const MoveFactor *factor, const OperandValues *values)
{
    const uint64_t value = factor->value == OPERAND_XD   ? values->xd
                           : factor->value == OPERAND_XN ? values->xn
                           : factor->value == OPERAND_XM ? values->xm
                           : factor->value == OPERAND_XS ? values->xs
                                                         : values->xt;

    return factor->value == 0 ? factor->number : OperandBits(value, factor->first, factor->bits);
}

/* As the chip file says. */
static bool by_factors(const NameFacts *facts, const OperandValues *values, Traffic *traffic)
{
    *traffic = (Traffic){ .blocks = factor(&facts->factors[0], values),
                          .block_size = factor(&facts->factors[1], values),
                          .repeats = factor(&facts->factors[2], values) };
    return has(values, facts->needs);
}

static bool nd2nz(const OperandValues *values, Traffic *traffic)
{
    const int size = OperandTypeSize(values->dtype.text, values->dtype.length);

    *traffic = (Traffic){ .blocks = OperandBits(values->xm, 32, 16),
                          .block_size = size < 0 ? 0 : (uint64_t) size,
                          .repeats = OperandBits(values->xm, 16, 16) };
    return has(values, OPERAND_XN | OPERAND_XD | OPERAND_XM | OPERAND_XT);
}

static bool align(const NameFacts *facts, const OperandValues *values, Traffic *traffic)
{
    uint64_t burst = OperandBits(values->xm, 16, 21);

    if (is_word(&values->src, "UB")) {
        burst = (burst + 31) / 32 * 32;
    }
    *traffic =
        (Traffic){ .blocks = burst, .block_size = 1, .repeats = OperandBits(values->xm, 4, 12) };
    return has(values, OPERAND_XN | OPERAND_XD | OPERAND_XM | OPERAND_XT) &&
           is_memory(facts, &values->src);
}

/* Images: padding and size of rows and columns, 32 bytes a point. */
static bool image(const OperandValues *values, Traffic *traffic)
{
    const uint64_t xs = values->xs;
    const uint64_t xt = values->xt;

    *traffic = (Traffic){
        .blocks = OperandBits(xs, 0, 13) + OperandBits(xt, 32, 13) + OperandBits(xt, 45, 13),
        .block_size = 32,
        .repeats = OperandBits(xs, 16, 13) + OperandBits(xt, 16, 8) + OperandBits(xt, 24, 8)
    };
    return has(values, OPERAND_XD | OPERAND_XS | OPERAND_XT);
}

static bool smask(const OperandValues *values, Traffic *traffic)
{
    const uint64_t elements = ((values->xt & 0x800) >> 4) | (values->xt & 0x7f);

    *traffic = (Traffic){ .blocks = 1, .block_size = (elements + 15) / 16 * 32, .repeats = 1 };
    return has(values, OPERAND_XN | OPERAND_XD | OPERAND_XT);
}

/* ---- results of the cube ---- */

/* Bits of an element after quantisation. */
static unsigned quantised_bits(uint64_t quant)
{
    switch (quant) {
    case 1:
    case 10:
    case 11:
    case 12:
    case 13:
    case 16:
        return 16;
    case 8:
    case 9:
    case 23:
    case 24:
        return 8;
    case 21:
    case 22:
    case 25:
    case 26:
        return 4;
    default:
        return 32;
    }
}

/* Channels stay in blocks of 16; those of 8 and 4 bits are merged two and four blocks at a time. */
static Traffic fix_blocks(uint64_t m, uint64_t n, unsigned bits)
{
    const uint64_t blocks = (n + 15) / 16;

    if (bits == 4) {
        return (Traffic){ .blocks = m, .block_size = 16, .repeats = blocks / 4 * 2 + 1 };
    }
    if (bits == 8 && blocks % 2 == 0) {
        return (Traffic){ .blocks = m, .block_size = 32, .repeats = blocks / 2 };
    }
    if (bits == 8) {
        return (Traffic){ .blocks = m, .block_size = 16, .repeats = blocks / 2 * 2 + 1 };
    }
    return (Traffic){ .blocks = m * bits / 8 / 2, .block_size = 32, .repeats = blocks };
}

static bool fix(const NameFacts *facts, const OperandValues *values, Traffic *traffic)
{
    const uint64_t n = OperandBits(values->xm, 4, 12);
    const uint64_t m = OperandBits(values->xm, 16, 16);
    const unsigned bits = quantised_bits(OperandBits(values->xt, 34, 5));
    const bool splits = OperandBits(values->xt, 42, 1) != 0 && is_word(&values->src, "L0C32");

    if (OperandBits(values->xt, 43, 1) != 0) { /* rows of n elements */
        *traffic = bits == 4 ? (Traffic){ .blocks = n / 2, .block_size = 1, .repeats = m }
                             : (Traffic){ .blocks = n, .block_size = bits / 8, .repeats = m };
    } else if (splits && bits == 32) { /* channels in blocks of 8: half as large, twice as many */
        *traffic = (Traffic){ .blocks = m, .block_size = 32, .repeats = (n + 7) / 8 };
    } else {
        *traffic = fix_blocks(m, n, bits);
    }
    return has(values, OPERAND_XN | OPERAND_XD | OPERAND_XM | OPERAND_XT) &&
           is_memory(facts, &values->dst);
}

/* ---- all of them ---- */

static bool find_traffic(const NameFacts *facts, const OperandValues *values, Traffic *traffic)
{
    switch ((BytesForm) facts->bytes) {
    case BYTES_FACTORS:
        return by_factors(facts, values, traffic);
    case BYTES_ND2NZ:
        return nd2nz(values, traffic);
    case BYTES_ALIGN:
        return align(facts, values, traffic);
    case BYTES_FIX:
        return fix(facts, values, traffic);
    case BYTES_IMAGE:
        return image(values, traffic);
    case BYTES_SMASK:
        return smask(values, traffic);
    case BYTES_NONE:
    default:
        return false;
    }
}

int32_t ProcessBytes(const NameFacts *facts, const char *detail, size_t length)
{
    OperandValues values;
    Traffic traffic;
    uint64_t bytes;

    if (facts->bytes == BYTES_NONE) {
        return 0;
    }
    OperandValuesRead((OperandDialect) facts->dialect, detail, length, &values);
    if (!find_traffic(facts, &values, &traffic)) {
        return 0;
    }
    return __builtin_mul_overflow(traffic.blocks, traffic.block_size, &bytes) ||
                   __builtin_mul_overflow(bytes, traffic.repeats, &bytes) || bytes > INT32_MAX
               ? INT32_MAX
               : (int32_t) bytes;
}
