/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads values and registers in the texts of operands. Tested by
 * tests/plugins/analyse-sim/details/test_operands.c.
 */
#include "analyse-sim/common/operands.h"
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- finding bytes ---- */

#define WINDOW 32u /* bytes that are looked at at once */

/* Where a text is searched for a byte. */
typedef struct Search {
    const char *text;
    size_t length;
    size_t window; /* place of the bits in `hits` */
    uint32_t hits; /* a bit per byte of the window that is not given out yet */
    char byte;
} Search;

static inline uint32_t look(const char *at, char byte)
{
#ifdef __SSE2__
    const __m128i wanted = _mm_set1_epi8(byte);
    const __m128i low = _mm_loadu_si128((const __m128i *) (const void *) at);
    const __m128i high = _mm_loadu_si128((const __m128i *) (const void *) (at + 16));

    return (uint32_t) _mm_movemask_epi8(_mm_cmpeq_epi8(low, wanted)) |
           (uint32_t) _mm_movemask_epi8(_mm_cmpeq_epi8(high, wanted)) << 16;
#else
    uint32_t hits = 0;

    for (unsigned i = 0; i < WINDOW; i++) {
        hits |= (uint32_t) (at[i] == byte) << i;
    }
    return hits;
#endif
}

static inline uint32_t look_at(const Search *search)
{
    const size_t left = search->length - search->window;
    char rest[WINDOW];

    if (left >= WINDOW) {
        return look(search->text + search->window, search->byte);
    }
    if (search->length >= WINDOW) { /* the last bytes once more, in a whole window */
        return look(search->text + search->length - WINDOW, search->byte) >> (WINDOW - left);
    }
    memcpy(rest, search->text, left);
    memset(rest + left, 0, WINDOW - left);
    return look(rest, search->byte);
}

static inline Search search_for(const char *text, size_t length, char byte)
{
    Search search = { .text = text, .length = length, .byte = byte };

    search.hits = length == 0 ? 0 : look_at(&search);
    return search;
}

/* The next place of the byte; false if none. */
static inline bool search_next(Search *search, size_t *ret_at)
{
    while (search->hits == 0) {
        if (search->length - search->window <= WINDOW) {
            return false;
        }
        search->window += WINDOW;
        search->hits = look_at(search);
    }
    *ret_at = search->window + (size_t) __builtin_ctz(search->hits);
    search->hits &= search->hits - 1;
    return true;
}

/* ---- numbers ---- */

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline int hex_digit(char c)
{
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return -1;
}

static inline bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Hexadecimal digits; *ret_fits false: more than 64 bits. Returns how many digits there are. */
static size_t read_hex(const char *at, const char *end, uint64_t *ret_value, bool *ret_fits)
{
    const char *from = at;
    uint64_t value = 0;
    uint64_t lost = 0;
    int digit;

    for (; at < end && (digit = hex_digit(*at)) >= 0; at++) {
        lost |= value >> 60;
        value = value << 4 | (uint64_t) digit;
    }
    *ret_fits = lost == 0;
    *ret_value = lost == 0 ? value : 0;
    return (size_t) (at - from);
}

/* The same for decimal digits. */
static size_t read_decimal(const char *at, const char *end, uint64_t *ret_value, bool *ret_fits)
{
    const char *from = at;
    uint64_t value = 0;
    bool fits = true;

    for (; at < end && is_digit(*at); at++) {
        fits = fits && !__builtin_mul_overflow(value, 10, &value) &&
               !__builtin_add_overflow(value, (uint64_t) (*at - '0'), &value);
    }
    *ret_value = fits ? value : 0;
    *ret_fits = fits;
    return (size_t) (at - from);
}

/* Digits with or without 0x; false: there are none. */
static bool read_number(const char *at, const char *end, OperandBase base, uint64_t *ret_value,
                        bool *ret_fits)
{
    const bool has_prefix = end - at > 2 && at[0] == '0' && at[1] == 'x' && hex_digit(at[2]) >= 0 &&
                            base != OPERAND_DECIMAL;

    if (has_prefix) {
        return read_hex(at + 2, end, ret_value, ret_fits) > 0;
    }
    return (base == OPERAND_HEX ? read_hex : read_decimal)(at, end, ret_value, ret_fits) > 0;
}

bool OperandNumber(const char *text, size_t length, const char *key, OperandBase base,
                   uint64_t *ret_value)
{
    const size_t key_length = strlen(key);
    const char *end = text + length;
    const char *at = text;
    bool fits = false;

    while ((at = memmem(at, (size_t) (end - at), key, key_length)) != NULL) {
        at += key_length;
        if (read_number(at, end, base, ret_value, &fits)) {
            return fits;
        }
    }
    return false;
}

bool OperandTypeCode(const char *text, size_t length, uint64_t *ret_code)
{
    const char *end = text + length;
    const char *at = text;
    bool fits = false;

    while ((at = memmem(at, (size_t) (end - at), "ype", 3)) != NULL) {
        const char *digits = at + 3;

        if (at > text && (at[-1] == 't' || at[-1] == 'T')) {
            for (unsigned i = 0; i < 3 && digits < end && *digits == ':'; i++) {
                digits++;
            }
            if (read_decimal(digits, end, ret_code, &fits) > 0) {
                return fits;
            }
        }
        at++;
    }
    return false;
}

/* ---- values ---- */

/* The member for the letter after X; NULL if none. */
static uint64_t *value_of(OperandValues *values, char letter, unsigned *ret_bit)
{
    switch (letter) {
    case 'D':
        *ret_bit = OPERAND_XD;
        return &values->xd;
    case 'N':
        *ret_bit = OPERAND_XN;
        return &values->xn;
    case 'M':
        *ret_bit = OPERAND_XM;
        return &values->xm;
    case 'S':
        *ret_bit = OPERAND_XS;
        return &values->xs;
    case 'T':
        *ret_bit = OPERAND_XT;
        return &values->xt;
    default:
        return NULL;
    }
}

static void take_value(OperandValues *values, unsigned *met, char letter, const char *digits,
                       const char *end)
{
    unsigned bit = 0;
    uint64_t *value = value_of(values, letter, &bit);
    bool fits = false;

    if (value == NULL || (*met & bit) != 0 ||
        !read_number(digits, end, OPERAND_HEX, value, &fits)) {
        return;
    }
    *met |= bit;
    values->has |= fits ? bit : 0;
}

/* "X", up to two digits and "=", between the ':' of a key and the value; NULL: not there. */
static const char *skip_register(const char *at, const char *end)
{
    if (at == end || *at != 'X') {
        return NULL;
    }
    at++;
    for (unsigned i = 0; i < 2 && at < end && is_digit(*at); i++) {
        at++;
    }
    return at < end && *at == '=' ? at + 1 : NULL;
}

static void take_word(OperandWord *word, const char *at, const char *end)
{
    const char *from = at;

    while (at < end && is_word(*at)) {
        at++;
    }
    if (word->text == NULL && at > from) {
        *word = (OperandWord){ .text = from, .length = (size_t) (at - from) };
    }
}

static bool ends_with(const char *text, size_t length, const char *tail, size_t tail_length)
{
    return length >= tail_length && memcmp(text + length - tail_length, tail, tail_length) == 0;
}

static void read_a2(const char *text, size_t length, OperandValues *values)
{
    Search search = search_for(text, length, ':');
    const char *end = text + length;
    unsigned met = 0;
    size_t at;

    while (search_next(&search, &at)) {
        const char *after = text + at + 1;

        if (at >= 2 && text[at - 2] == 'X') {
            const char *digits = skip_register(after, end);

            if (digits != NULL) {
                take_value(values, &met, text[at - 1], digits, end);
            }
        } else if (ends_with(text, at, "Src", 3)) {
            take_word(&values->src, after, end);
        } else if (ends_with(text, at, "Dst", 3)) {
            take_word(&values->dst, after, end);
        } else if (ends_with(text, at, "Dtype", 5)) {
            take_word(&values->dtype, after, end);
        }
    }
}

static void read_310p(const char *text, size_t length, OperandValues *values)
{
    Search search = search_for(text, length, ':');
    const char *end = text + length;
    unsigned met = 0;
    size_t at;

    while (search_next(&search, &at)) {
        if (at >= 7 && text[at - 7] == 'x' && memcmp(text + at - 5, "Value", 5) == 0) {
            take_value(values, &met, (char) (text[at - 6] - 'a' + 'A'), text + at + 1, end);
        }
    }
}

void OperandValuesRead(OperandDialect dialect, const char *text, size_t length,
                       OperandValues *ret_values)
{
    *ret_values = (OperandValues){ .has = 0 };
    if (dialect == OPERANDS_A2) {
        read_a2(text, length, ret_values);
    } else if (dialect == OPERANDS_310P) {
        read_310p(text, length, ret_values);
    }
}

/* ---- registers ---- */

static void add_register(OperandRegisters *registers, unsigned number, bool is_written)
{
    if (registers->count < OPERAND_MOST_REGISTERS) {
        registers->written |= (uint32_t) is_written << registers->count;
        registers->number[registers->count++] = (uint8_t) number;
    }
}

/* One or two decimal digits; returns how many. */
static unsigned read_register(const char *at, const char *end, unsigned *ret_number)
{
    if (at >= end || !is_digit(*at)) {
        return 0;
    }
    *ret_number = (unsigned) (*at - '0');
    if (at + 1 == end || !is_digit(at[1])) {
        return 1;
    }
    *ret_number = *ret_number * 10 + (unsigned) (at[1] - '0');
    return 2;
}

static void registers_a2(const char *text, size_t length, OperandRegisters *registers)
{
    Search search = search_for(text, length, 'X');
    unsigned number;
    size_t at;

    while (search_next(&search, &at)) {
        if (read_register(text + at + 1, text + length, &number) > 0) {
            add_register(registers, number, false);
        }
    }
}

/* xn:3, xn:0x3: a whole number below 32. A larger one is a value. */
static bool register_behind_colon(const char *at, const char *end, unsigned *ret_number)
{
    uint64_t value;
    bool fits;

    if (!read_number(at, end, OPERAND_ANY, &value, &fits) || !fits || value >= 32) {
        return false;
    }
    *ret_number = (unsigned) value;
    return true;
}

static void register_310p(const char *at, const char *end, OperandRegisters *registers)
{
    unsigned number;

    if (*at == 'X') {
        if (read_register(at + 1, end, &number) > 0) {
            add_register(registers, number, false);
        }
    } else if (end - at > 3 && at[1] == '[') {
        const unsigned digits = read_register(at + 2, end, &number);

        if (digits > 0 && at + 2 + digits < end && at[2 + digits] == ']') {
            add_register(registers, number, false);
        }
    } else if (end - at > 3 && at[1] >= 'a' && at[1] <= 'z' && at[2] == ':' &&
               register_behind_colon(at + 3, end, &number)) {
        add_register(registers, number, false);
    }
}

static void registers_310p(const char *text, size_t length, OperandRegisters *registers)
{
    const char *end = text + length;

    for (const char *at = text; at < end; at++) {
        if (*at == 'x' || *at == 'X') {
            register_310p(at, end, registers);
        }
    }
}

/* R<1-2 of a-z0-9>:<1-2 hexadecimal digits>|R */
static void register_950(const char *at, const char *end, OperandRegisters *registers)
{
    const bool is_written = end - at > 1 && at[1] == 'd';
    const char *part = at + 1;
    unsigned number = 0;
    unsigned digits = 0;

    while (part < end && part - at <= 2 && (is_digit(*part) || (*part >= 'a' && *part <= 'z'))) {
        part++;
    }
    if (part == at + 1 || part == end || *part != ':') {
        return;
    }
    for (part++; part < end && digits < 2 && hex_digit(*part) >= 0; part++, digits++) {
        number = number * 16 + (unsigned) hex_digit(*part);
    }
    if (digits > 0 && end - part >= 2 && part[0] == '|' && part[1] == 'R') {
        add_register(registers, number, is_written);
    }
}

static void registers_950(const char *text, size_t length, OperandRegisters *registers)
{
    Search search = search_for(text, length, 'R');
    size_t at;

    while (search_next(&search, &at)) {
        register_950(text + at, text + length, registers);
    }
}

void OperandRegistersRead(OperandDialect dialect, const char *text, size_t length,
                          OperandRegisters *ret_registers)
{
    ret_registers->count = 0;
    ret_registers->written = 0;
    switch (dialect) {
    case OPERANDS_A2:
        registers_a2(text, length, ret_registers);
        break;
    case OPERANDS_310P:
        registers_310p(text, length, ret_registers);
        break;
    case OPERANDS_950:
        registers_950(text, length, ret_registers);
        break;
    case OPERANDS_NONE:
    default:
        break;
    }
}

/* ---- data types ---- */

typedef struct TypeSize {
    const char *name;
    int size;
} TypeSize;

static const TypeSize type_sizes[] = {
    { "F16", 2 },    { "F32", 4 },  { "B16", 2 },    { "B32", 4 },     { "S32", 4 },
    { "S16", 2 },    { "U8", 1 },   { "S8", 1 },     { "B8", 1 },      { "U16", 2 },
    { "U32", 4 },    { "BF16", 2 }, { "S4", 1 },     { "B4", 1 },      { "U8S8", 1 },
    { "B8U2", 1 },   { "DEQ", 1 },  { "F16F16", 2 }, { "F16U2", 2 },   { "B32S", 4 },
    { "B32L", 4 },   { "FMIX", 4 }, { "F16F32", 4 }, { "BF16F32", 4 }, { "U64", 8 },
    { "F32F32", 4 }, { "S64", 8 },  { "B64", 8 },    { "F64", 8 },     { "UNDEF", 0 },
};

int OperandTypeSize(const char *name, size_t length)
{
    for (size_t i = 0; name != NULL && i < sizeof type_sizes / sizeof type_sizes[0]; i++) {
        if (strlen(type_sizes[i].name) == length && memcmp(type_sizes[i].name, name, length) == 0) {
            return type_sizes[i].size;
        }
    }
    return -1;
}

int OperandTypeCodeSize(uint64_t code)
{
    static const int sizes[] = { 1, 2, 4, 1, 4, 2, 4, 4, 4, 2 };

    return code < sizeof sizes / sizeof sizes[0] ? sizes[code] : -1;
}
