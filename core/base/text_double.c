/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Doubles as text: the shortest decimal that reads back as the same double, or a fixed number of
 * decimals. Tested by tests/core/base/test_text.
 */
#include <opprof/text.h>

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/*
 * The shortest decimal between the midpoints to a double's neighbours, and of those the nearest,
 * after Raffaello Giulietti, "The Schubfach way to render doubles" (2020); the names g, k, h and q
 * are the paper's. Where it calls for 126-bit powers of ten, these are computed exactly at first
 * use.
 */

#define MIN_POWER (-292) /* powers of ten that a double can ask for */
#define MAX_POWER 324
#define POWER_BITS 126
#define LIMBS 38 /* of 32 bits: 10^324 has 1077 bits, and 10^-292 needs 970 + 126 */
#define HIDDEN_BIT (UINT64_C(1) << 52)
#define MAX_DECIMALS 17u
#define LOW_63 (UINT64_C(0x7fffffffffffffff))

typedef struct Power {
    uint64_t high; /* g >> 63 */
    uint64_t low;  /* g & LOW_63 */
} Power;

typedef struct Decimal {
    uint64_t digits;
    int exponent; /* value = digits * 10^exponent */
} Decimal;

static Power powers[MAX_POWER - MIN_POWER + 1];
static pthread_once_t powers_once = PTHREAD_ONCE_INIT;

/* The upper 126 bits of a number, plus one in the last. */
static Power top_bits(const uint32_t *number)
{
    int top = LIMBS - 1;
    unsigned __int128 g = 0;

    while (number[top] == 0) {
        top--;
    }
    const int zeros = __builtin_clz(number[top]);
    for (int i = 0; i < 4; i++) {
        g = g << 32 | (top >= i ? number[top - i] : 0);
    }
    if (zeros > 0) {
        g = g << zeros | (top >= 4 ? number[top - 4] >> (32 - zeros) : 0);
    }
    g = (g >> (128 - POWER_BITS)) + 1;
    return (Power){ .high = (uint64_t) (g >> 63), .low = (uint64_t) g & LOW_63 };
}

static void multiply_by_ten(uint32_t *number)
{
    uint64_t carry = 0;

    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t) number[i] * 10;
        number[i] = (uint32_t) carry;
        carry >>= 32;
    }
}

/* Dropping the remainder each time gives the same as dividing once by the whole power. */
static void divide_by_ten(uint32_t *number)
{
    uint64_t rest = 0;

    for (int i = LIMBS; i > 0; i--) {
        rest = rest << 32 | number[i - 1];
        number[i - 1] = (uint32_t) (rest / 10);
        rest %= 10;
    }
}

static void compute_powers(void)
{
    uint32_t up[LIMBS] = { [0] = 1 };
    uint32_t down[LIMBS] = { [LIMBS - 1] = UINT32_C(1) << 31 };

    for (int i = 0; i <= MAX_POWER; i++) {
        powers[i - MIN_POWER] = top_bits(up);
        multiply_by_ten(up);
    }
    for (int i = -1; i >= MIN_POWER; i--) {
        divide_by_ten(down);
        powers[i - MIN_POWER] = top_bits(down);
    }
}

/* Floors of logarithms, exact for all exponents of doubles. */
static int log10_of_power_of_2(int q)
{
    return (int) (q * INT64_C(661971961083) >> 41);
}

static int log10_of_three_quarters_power_of_2(int q)
{
    return (int) ((q * INT64_C(661971961083) - INT64_C(274743187321)) >> 41);
}

static int log2_of_power_of_10(int k)
{
    return (int) (k * INT64_C(913124641741) >> 38);
}

/* g * factor / 2^127, rounded to odd; bits below 2^-63 are noise of g and do not count. */
static uint64_t round_to_odd(Power g, uint64_t factor)
{
    const unsigned __int128 high = (unsigned __int128) g.high * factor;
    const uint64_t low = (uint64_t) ((unsigned __int128) g.low * factor >> 64);
    const uint64_t rest = ((uint64_t) high >> 1) + low;

    return ((uint64_t) (high >> 64) + (rest >> 63)) | ((rest & LOW_63) != 0);
}

/* The decimal of c * 2^q; `irregular`: the double below is nearer than the one above. */
static Decimal shortest(uint64_t c, int q, bool irregular)
{
    const int k = irregular ? log10_of_three_quarters_power_of_2(q) : log10_of_power_of_2(q);
    const int h = q + log2_of_power_of_10(-k) + 2;
    const Power g = powers[-k - MIN_POWER];
    const uint64_t even = c & 1; /* an even double owns the ends of its interval */
    const uint64_t middle = round_to_odd(g, c << 2 << h);
    const uint64_t lower = round_to_odd(g, ((c << 2) - (irregular ? 1 : 2)) << h) + even;
    const uint64_t upper = round_to_odd(g, ((c << 2) + 2) << h) - even;
    const uint64_t s = middle >> 2;

    if (s >= 10) {
        const uint64_t tens = s / 10;
        const bool down = lower <= tens * 40;
        const bool up = tens * 40 + 40 <= upper;
        if (down != up) {
            return (Decimal){ .digits = tens + up, .exponent = k + 1 };
        }
    }
    const bool down = lower <= s << 2;
    const bool up = (s << 2) + 4 <= upper;
    if (down != up) {
        return (Decimal){ .digits = s + up, .exponent = k };
    }
    const uint64_t half = (s << 2) + 2;
    const bool round_up = middle > half || (middle == half && s % 2 != 0);
    return (Decimal){ .digits = s + round_up, .exponent = k };
}

/* Inlined, so that the division is by a constant. */
static inline Decimal without(Decimal decimal, uint64_t power, int zeros)
{
    if (decimal.digits % power == 0) {
        decimal.digits /= power;
        decimal.exponent += zeros;
    }
    return decimal;
}

/* At most 17 digits, so 16 zeros. */
static Decimal without_zeros(Decimal decimal)
{
    decimal = without(decimal, 100000000, 8);
    decimal = without(decimal, 100000000, 8);
    decimal = without(decimal, 10000, 4);
    decimal = without(decimal, 100, 2);
    return without(decimal, 10, 1);
}

/* As other writers of JSON do it: an exponent below 1e-4 and from 1e16 on. */
static char *put_decimal(char *out, Decimal decimal)
{
    decimal = without_zeros(decimal);
    char digits[20];
    const int count = (int) (OpprofTextPutU64(digits, decimal.digits) - digits);
    const int point = count + decimal.exponent; /* digits before the point */
    if (point > 16 || point < -3) {
        *out++ = digits[0];
        if (count > 1) {
            *out++ = '.';
            memcpy(out, digits + 1, (size_t) count - 1);
            out += count - 1;
        }
        *out++ = 'e';
        *out++ = point > 0 ? '+' : '-';
        const unsigned exponent = (unsigned) (point > 0 ? point - 1 : 1 - point);
        if (exponent < 10) {
            *out++ = '0';
        }
        return OpprofTextPutU64(out, exponent);
    }
    if (point <= 0) {
        memcpy(out, "0.000", 5);
        out += 2 - point;
        memcpy(out, digits, (size_t) count);
        return out + count;
    }
    if (point >= count) {
        memcpy(out, digits, (size_t) count);
        memset(out + count, '0', (size_t) (point - count));
        memcpy(out + point, ".0", 2);
        return out + point + 2;
    }
    memcpy(out, digits, (size_t) point);
    out[point] = '.';
    memcpy(out + point + 1, digits + point, (size_t) (count - point));
    return out + count + 1;
}

/* A finite number that is not below 0: c * 2^q. */
typedef struct SplitDouble {
    uint64_t c;
    int q;
} SplitDouble;

static SplitDouble split_double(double value)
{
    uint64_t bits = 0;

    memcpy(&bits, &value, sizeof bits);
    const uint64_t fraction = bits & (HIDDEN_BIT - 1);
    const int exponent = (int) (bits >> 52);
    return (SplitDouble){ .c = exponent == 0 ? fraction : fraction | HIDDEN_BIT,
                          .q = (exponent == 0 ? 1 : exponent) - 1075 };
}

char *OpprofTextPutF64(char *out, double value)
{
    if (!isfinite(value)) {
        memcpy(out, "null", 4);
        return out + 4;
    }
    if (signbit(value)) {
        *out++ = '-';
        value = -value;
    }
    if (value < 0x1p53 &&
        value == (double) (uint64_t) value) { /* whole, and no shorter text is as near */
        out = OpprofTextPutU64(out, (uint64_t) value);
        memcpy(out, ".0", 2);
        return out + 2;
    }
    pthread_once(&powers_once, compute_powers);
    const SplitDouble split = split_double(value);
    const bool is_irregular = split.c == HIDDEN_BIT && split.q > -1074;
    return put_decimal(out, shortest(split.c, split.q, is_irregular));
}

/* ---- a fixed number of decimals ---- */

static uint64_t power_of_ten(unsigned exponent)
{
    uint64_t power = 1;

    while (exponent-- > 0) {
        power *= 10;
    }
    return power;
}

/* Numerator * one / 2^shift, rounded half to even; `odd`: the whole part before it is. */
static uint64_t scale_fraction(uint64_t numerator, unsigned shift, uint64_t one, bool odd)
{
    const unsigned __int128 product = (unsigned __int128) numerator * one;

    if (shift > 120) { /* the product is below 2^110: less than a half */
        return 0;
    }
    const unsigned __int128 half = (unsigned __int128) 1 << (shift - 1);
    const unsigned __int128 rest = product & (2 * half - 1);
    uint64_t scaled = (uint64_t) (product >> shift);
    const bool is_odd = one == 1 ? odd : scaled % 2 != 0;
    if (rest > half || (rest == half && is_odd)) {
        scaled++;
    }
    return scaled;
}

char *OpprofTextPutFixed(char *out, double value, unsigned decimals)
{
    const double size = fabs(value);

    if (!(size < 1e18)) { /* also what is not finite */
        return OpprofTextPutF64(out, value);
    }
    decimals = decimals > MAX_DECIMALS ? MAX_DECIMALS : decimals;
    const SplitDouble split = split_double(size);
    const uint64_t one = power_of_ten(decimals);
    uint64_t whole = split.c;
    uint64_t scaled = 0;
    if (split.q >= 0) {
        whole <<= split.q;
    } else {
        const unsigned shift = (unsigned) -split.q;
        const uint64_t bits = whole;
        whole = shift < 64 ? bits >> shift : 0;
        scaled =
            scale_fraction(shift < 64 ? bits - (whole << shift) : bits, shift, one, whole % 2 != 0);
    }
    if (scaled == one) { /* rounded up to the next whole */
        scaled = 0;
        whole++;
    }
    if (signbit(value)) {
        *out++ = '-';
    }
    out = OpprofTextPutU64(out, whole);
    if (decimals > 0) {
        OpprofTextPutU64(
            out, one + scaled); /* a digit, whose place the point takes, and `decimals` more */
        *out = '.';
        out += decimals + 1;
    }
    return out;
}
