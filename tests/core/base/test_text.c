/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/base/text.c and the streams of core/base/printed.c. */
#include <opprof/record.h>
#include <opprof/text.h>

#include "tests/core/base/failing_alloc.h"
#include "tests/core/suites.h"

#include <check.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 50000

static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* What a call wrote, as text; checks that it stayed in its room. */
#define PRINTED(room, call)                                                                        \
    __extension__({                                                                                \
        const size_t room_ = (room);                                                               \
        printed[room_] = '#';                                                                      \
        char *out = printed;                                                                       \
        char *end_ = (call);                                                                       \
        if ((size_t) (end_ - printed) > room_ || printed[room_] != '#') {                          \
            ck_abort_msg("wrote after the room of %zu", room_);                                    \
        }                                                                                          \
        *end_ = '\0';                                                                              \
        (const char *) printed;                                                                    \
    })

static char printed[4096];

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

START_TEST(integers_print_as_printf_does)
{
    static const uint64_t edges[] = {
        0, 1, 9, 10, 99, 100, 999, 1000, UINT32_MAX, INT64_MAX, (uint64_t) INT64_MAX + 1, UINT64_MAX
    };
    char wanted[64];

    for (size_t i = 0; i < ROUNDS + sizeof edges / sizeof edges[0]; i++) {
        const uint64_t value = i < ROUNDS ? next_random() >> i % 64 : edges[i - ROUNDS];
        snprintf(wanted, sizeof wanted, "%" PRIu64, value);
        ck_assert_str_eq(PRINTED(20, OpprofTextPutU64(out, value)), wanted);
        snprintf(wanted, sizeof wanted, "%" PRId64, (int64_t) value);
        ck_assert_str_eq(PRINTED(20, OpprofTextPutI64(out, (int64_t) value)), wanted);
        snprintf(wanted, sizeof wanted, "0x%" PRIx64, value);
        ck_assert_str_eq(PRINTED(18, OpprofTextPutHex(out, value)), wanted);
    }
}
END_TEST

START_TEST(powers_of_ten_have_their_digits)
{
    uint64_t power = 1;

    for (int digits = 1; digits <= 20; digits++) {
        ck_assert_uint_eq(strlen(PRINTED(20, OpprofTextPutU64(out, power))), (size_t) digits);
        if (digits > 1) {
            ck_assert_uint_eq(strlen(PRINTED(20, OpprofTextPutU64(out, power - 1))),
                              (size_t) digits - 1);
        }
        power *= 10;
    }
}
END_TEST

START_TEST(microseconds_are_trimmed)
{
    static const struct {
        int64_t picoseconds;
        const char *text;
    } known[] = {
        { 0, "0" },
        { 1, "0.000001" },
        { 10, "0.00001" },
        { 500000, "0.5" },
        { 999999, "0.999999" },
        { 1000000, "1" },
        { 1000001, "1.000001" },
        { 20540540, "20.54054" },
        { 123456789012, "123456.789012" },
        { -1, "-0.000001" },
        { -2500000, "-2.5" },
        { INT64_MAX, "9223372036854.775807" },
        { INT64_MIN, "-9223372036854.775808" },
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ck_assert_str_eq(PRINTED(24, OpprofTextPutMicroseconds(out, known[i].picoseconds)),
                         known[i].text);
    }
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t value = (int64_t) (next_random() >> (i % 50 + 11));
        const char *text = PRINTED(24, OpprofTextPutMicroseconds(out, value));
        char *rest = NULL;
        const uint64_t whole = strtoull(text, &rest, 10);
        uint64_t fraction = 0;
        for (int digit = 1; digit <= 6; digit++) {
            const bool more = rest[0] == '.' && digit < (int) strlen(rest);
            fraction = fraction * 10 + (more ? (uint64_t) (rest[digit] - '0') : 0);
        }
        ck_assert_uint_eq(whole * 1000000 + fraction, (uint64_t) value);
        ck_assert(rest[0] == '\0' || rest[strlen(rest) - 1] != '0');
    }
}
END_TEST

START_TEST(doubles_print_as_people_expect)
{
    static const struct {
        double value;
        const char *text;
    } known[] = {
        { 0.0, "0.0" },
        { -0.0, "-0.0" },
        { 1.0, "1.0" },
        { -2.5, "-2.5" },
        { 0.1, "0.1" },
        { 0.3, "0.3" },
        { 0.1 + 0.2, "0.30000000000000004" },
        { 100.0, "100.0" },
        { 1.0 / 3, "0.3333333333333333" },
        { 0.0001, "0.0001" },
        { 0.00009, "9e-05" },
        { 1.5e-7, "1.5e-07" },
        { 123456.789, "123456.789" },
        { 9007199254740991.0, "9007199254740991.0" },
        { 9007199254740992.0, "9007199254740992.0" },
        { 9999999999999998.0, "9999999999999998.0" },
        { 1e16, "1e+16" },
        { 1e22, "1e+22" },
        { 1e23, "1e+23" },
        { 9.5e-310, "9.5e-310" },
        { 1.5e300, "1.5e+300" },
        { 5e-324, "5e-324" },
        { 2.2250738585072014e-308, "2.2250738585072014e-308" },
        { 1.7976931348623157e308, "1.7976931348623157e+308" },
        { 2e-44, "2e-44" },
        { 9.109e-31, "9.109e-31" },
        { 4.35, "4.35" },
        { 299792458.0, "299792458.0" },
        { (double) INFINITY, "null" },
        { -(double) INFINITY, "null" },
        { (double) NAN, "null" },
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ck_assert_str_eq(PRINTED(OPPROF_TEXT_NUMBER, OpprofTextPutF64(out, known[i].value)),
                         known[i].text);
    }
    ck_assert_str_eq(PRINTED(OPPROF_TEXT_NUMBER, OpprofTextPutF64(out, OpprofNaF64())), "null");
}
END_TEST

/* A double of one of several sorts: such as exporters write, and such as cause trouble. */
static double some_double(int sort)
{
    static const double divisors[] = { 1, 10, 1000, 1e6, 1e9, 3, 7, 1850 };
    const uint64_t random = next_random();
    const uint64_t mantissa = random & UINT64_C(0x800fffffffffffff);

    switch (sort % 6) {
    case 0: /* any */
        return from_bits(random);
    case 1: /* of everyday size */
        return from_bits(mantissa | (993 + next_random() % 60) << 52);
    case 2: /* few digits, or quotients */
        return (double) (random % 1000000007) / divisors[next_random() % 8];
    case 3: /* powers of two and their neighbours, where the interval is lopsided */
        return from_bits((next_random() % 2046 + 1) << 52) * (random % 2 == 0 ? 1 : 1 + 0x1p-52);
    case 4: /* subnormal */
        return from_bits(random >> (12 + random % 52));
    default: /* powers of ten and their neighbours */
        return pow(10, (double) (random % 600) - 300) * (1 + (double) (random % 5) * 0x1p-52);
    }
}

/* The fewest digits that %e needs to read back as the same; 18: none did. */
static int digits_needed(double value)
{
    char text[64];

    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (strtod(text, NULL) == value) {
            return digits;
        }
    }
    return 18;
}

/* The digits of a number's text without zeros at either end; how many there are. */
static int digits_of(const char *text, char digits[32])
{
    int count = 0;
    int zeros = 0;

    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text >= '0' && *text <= '9' && (count > 0 || *text != '0')) {
            digits[count++] = *text;
            zeros = *text == '0' ? zeros + 1 : 0;
        }
    }
    digits[count - zeros] = '\0';
    return count - zeros;
}

/* Reads back, needs no more digits than any other text, and is the nearest of that length. */
static void check_double(double value)
{
    char digits[32];
    char nearest[64];
    char nearest_digits[32];
    const char *text = PRINTED(OPPROF_TEXT_NUMBER, OpprofTextPutF64(out, value));
    const int count = digits_of(text, digits);
    const int needed = digits_needed(value);

    if (strtod(text, NULL) != value) {
        ck_abort_msg("%a printed as %s", value, text);
    }
    if (count > needed) {
        ck_abort_msg("%a printed as %s, has %d digits", value, text, needed);
    }
    if (strpbrk(text, ".e") == NULL) {
        ck_abort_msg("%a printed as %s, looks like an integer", value, text);
    }
    snprintf(nearest, sizeof nearest, "%.*e", needed - 1, value);
    digits_of(nearest, nearest_digits);
    if (count == needed && strcmp(digits, nearest_digits) != 0) {
        ck_abort_msg("%a printed as %s, nearer is %s", value, text, nearest);
    }
}

START_TEST(doubles_read_back_and_are_shortest_and_nearest)
{
    for (int i = 0; i < ROUNDS; i++) {
        const double value = some_double(i);
        if (isfinite(value) && value != 0) {
            check_double(value);
        }
    }
}
END_TEST

START_TEST(doubles_around_powers_of_two_are_shortest_and_nearest)
{
    for (int exponent = -1074; exponent < 1024; exponent++) {
        const double value = ldexp(1, exponent);
        check_double(value);
        check_double(nextafter(value, (double) INFINITY));
        if (exponent > -1074) {
            check_double(nextafter(value, 0));
        }
    }
}
END_TEST

START_TEST(fixed_prints_as_printf_does)
{
    static const double edges[] = { 0.5,
                                    1.5,
                                    2.5,
                                    0.125,
                                    0.375,
                                    1e-5,
                                    999.9995,
                                    0.05,
                                    0.25,
                                    9.995,
                                    0.999999999999,
                                    1e17,
                                    999999999999999872.0,
                                    4503599627370497.5,
                                    5e-324,
                                    0x1p-60,
                                    0.49999999999999994,
                                    -0.0,
                                    -0.4,
                                    -1e-9 };
    char wanted[64];

    for (size_t i = 0; i < ROUNDS; i++) {
        const double value =
            i / 18 < sizeof edges / sizeof edges[0] ? edges[i / 18] : some_double((int) i);
        const int decimals = (int) (i % 18);
        if (fabs(value) < 1e18) {
            snprintf(wanted, sizeof wanted, "%.*f", decimals, value);
            ck_assert_str_eq(
                PRINTED(OPPROF_TEXT_NUMBER, OpprofTextPutFixed(out, value, (unsigned) decimals)),
                wanted);
        }
    }
}
END_TEST

START_TEST(fixed_falls_back_where_it_makes_no_sense)
{
    ck_assert_str_eq(PRINTED(OPPROF_TEXT_NUMBER, OpprofTextPutFixed(out, 1e18, 2)), "1e+18");
    ck_assert_str_eq(PRINTED(OPPROF_TEXT_NUMBER, OpprofTextPutFixed(out, -1e300, 2)), "-1e+300");
    ck_assert_str_eq(PRINTED(OPPROF_TEXT_NUMBER, OpprofTextPutFixed(out, (double) NAN, 2)), "null");
    ck_assert_str_eq(PRINTED(OPPROF_TEXT_NUMBER, OpprofTextPutFixed(out, (double) INFINITY, 2)),
                     "null");
    ck_assert_str_eq(PRINTED(OPPROF_TEXT_NUMBER, OpprofTextPutFixed(out, 0.5, 400)),
                     "0.50000000000000000");
    ck_assert_uint_eq(
        strlen(PRINTED(OPPROF_TEXT_NUMBER, OpprofTextPutFixed(out, -999999999999999872.0, 17))),
        37);
}
END_TEST

START_TEST(a_locale_changes_nothing)
{
    static const char *const commas[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                          "fr_FR.utf8" };

    for (size_t i = 0; i < sizeof commas / sizeof commas[0]; i++) {
        if (setlocale(LC_ALL, commas[i]) != NULL) {
            break;
        }
    }
    ck_assert_str_eq(PRINTED(OPPROF_TEXT_NUMBER, OpprofTextPutF64(out, 0.25)), "0.25");
    ck_assert_str_eq(PRINTED(OPPROF_TEXT_NUMBER, OpprofTextPutFixed(out, 1234.5, 2)), "1234.50");
    ck_assert_str_eq(PRINTED(24, OpprofTextPutMicroseconds(out, 1500000)), "1.5");
}
END_TEST

/* ---- JSON strings ---- */

static const char *json(const char *text, size_t length)
{
    return PRINTED(OPPROF_TEXT_JSON_ROOM(length), OpprofTextPutJson(out, text, length));
}

/* The same, one byte after another, from the grammar. */
static size_t plain_json(char *out, const char *text, size_t length)
{
    size_t used = 0;

    out[used++] = '"';
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char) text[i];
        const char *known = byte == 0 ? NULL : strchr("\"\"\\\\\bb\tt\nn\ff\rr", byte);
        if (byte == '"' || byte == '\\' || (byte < 0x20 && known != NULL)) {
            out[used++] = '\\';
            out[used++] = byte < 0x20 ? known[1] : (char) byte;
        } else if (byte < 0x20) {
            used += (size_t) snprintf(out + used, sizeof "\\u0000", "\\u%04x", byte);
        } else {
            out[used++] = (char) byte;
        }
    }
    out[used++] = '"';
    out[used] = '\0';
    return used;
}

START_TEST(json_escapes_what_must_be_escaped)
{
    ck_assert_str_eq(json("", 0), "\"\"");
    ck_assert_str_eq(json(NULL, 0), "\"\"");
    ck_assert_str_eq(json("a\"b\\c/", 6), "\"a\\\"b\\\\c/\"");
    ck_assert_str_eq(json("\b\t\n\f\r", 5), "\"\\b\\t\\n\\f\\r\"");
    ck_assert_str_eq(json("\0\001\037\177", 4), "\"\\u0000\\u0001\\u001f\177\"");
}
END_TEST

START_TEST(json_escapes_at_every_place)
{
    char text[80];
    char wanted[512];

    for (int byte = 0; byte < 0x80; byte++) {
        for (size_t length = 1; length <= 67; length += 11) {
            for (size_t at = 0; at < length; at++) {
                memset(text, 'x', length);
                text[at] = (char) byte;
                text[length - 1 - at] = (char) byte;
                plain_json(wanted, text, length);
                if (strcmp(json(text, length), wanted) != 0) {
                    ck_abort_msg("byte %d at %zu of %zu: %s", byte, at, length, printed);
                }
            }
        }
    }
}
END_TEST

START_TEST(json_agrees_with_the_plain_way_on_any_ascii)
{
    char text[200];
    char wanted[OPPROF_TEXT_JSON_ROOM(sizeof text) + 1];

    for (int round = 0; round < 20000; round++) {
        const size_t length = next_random() % sizeof text;
        const unsigned rare = (unsigned) (next_random() % 40) + 1; /* one in so many is special */
        for (size_t i = 0; i < length; i++) {
            const uint64_t random = next_random();
            text[i] = (char) (random % rare == 0 ? random >> 32 & 0x7f : 'a' + (random >> 32) % 26);
        }
        plain_json(wanted, text, length);
        ck_assert_str_eq(json(text, length), wanted);
    }
}
END_TEST

/* Encodes a code point as UTF-8, also ones that must not be. */
static size_t encode(char *out, uint32_t point, size_t length)
{
    static const unsigned char leads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

    for (size_t i = length; i > 1; i--) {
        out[i - 1] = (char) (0x80 | (point & 0x3f));
        point >>= 6;
    }
    out[0] = (char) (length == 1 ? point : leads[length] | point);
    return length;
}

static size_t shortest_length(uint32_t point)
{
    return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

START_TEST(json_passes_every_code_point)
{
    for (uint32_t point = 0x80; point <= 0x10ffff; point++) {
        char text[8];
        char wanted[16];
        if (point >= 0xd800 && point <= 0xdfff) {
            continue;
        }
        const size_t length = encode(text, point, shortest_length(point));
        snprintf(wanted, sizeof wanted, "\"%.*s\"", (int) length, text);
        char *end = OpprofTextPutJson(printed, text, length);
        if ((size_t) (end - printed) != length + 2 || memcmp(printed, wanted, length + 2) != 0) {
            ck_abort_msg("U+%04X is not passed", point);
        }
    }
}
END_TEST

#define BAD "\xef\xbf\xbd" /* U+FFFD */

START_TEST(json_replaces_what_is_no_utf8)
{
    static const struct {
        const char *text;
        const char *wanted;
    } known[] = {
        { "\x80", BAD }, /* continuation without lead */
        { "\xbf\xbf", BAD BAD },
        { "\xc0\xaf", BAD BAD }, /* overlong '/' */
        { "\xc1\xbf", BAD BAD },
        { "\xe0\x80\xaf", BAD BAD BAD },
        { "\xe0\x9f\xbf", BAD BAD BAD },
        { "\xf0\x80\x80\xaf", BAD BAD BAD BAD },
        { "\xf0\x8f\xbf\xbf", BAD BAD BAD BAD },
        { "\xed\xa0\x80", BAD BAD BAD }, /* surrogates */
        { "\xed\xbf\xbf", BAD BAD BAD },
        { "\xf4\x90\x80\x80", BAD BAD BAD BAD }, /* beyond U+10FFFF */
        { "\xf5\x80\x80\x80", BAD BAD BAD BAD },
        { "\xff", BAD },
        { "\xfe", BAD },
        { "\xc3", BAD }, /* cut */
        { "\xe2\x82", BAD },
        { "\xf0\x9f\x98", BAD },
        { "\xe2\x82z", BAD "z" }, /* cut by what follows */
        { "\xf0\x9f\x98\xf0\x9f\x98\x80", BAD "\xf0\x9f\x98\x80" },
        { "a\xc3\xa4\xe4 0123456789abcdefghij", "a\xc3\xa4" BAD " 0123456789abcdefghij" },
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char wanted[128];
        snprintf(wanted, sizeof wanted, "\"%s\"", known[i].wanted);
        ck_assert_str_eq(json(known[i].text, strlen(known[i].text)), wanted);
    }
}
END_TEST

START_TEST(json_never_writes_more_than_its_room)
{
    char text[64];

    for (int round = 0; round < 50000; round++) {
        const size_t length = next_random() % sizeof text;
        for (size_t i = 0; i < length; i++) {
            text[i] = (char) (next_random() >> 24);
        }
        const char *result = json(text, length); /* PRINTED checks */
        ck_assert_int_eq(result[0], '"');
        ck_assert_int_eq(result[strlen(result) - 1], '"');
    }
}
END_TEST

/* What a text from outside becomes. */
static const struct {
    const char *text;
    const char *tamed;
    const char *with_lines;
} tamed_texts[] = {
    { "plain text, caf\xc3\xa9, \xe4\xb8\xad, \xf0\x9f\x98\x80", NULL, NULL },
    { "", NULL, NULL },
    { "\x1b[31mred\x1b[0m", "?[31mred?[0m", "?[31mred?[0m" },
    { "title \x1b]0;x\x07", "title ?]0;x?", "title ?]0;x?" },
    { "bare C1 \x9b"
      "31m",
      "bare C1 ?31m", "bare C1 ?31m" },
    { "C1 \xc2\x9b"
      "31m \xc2\x80 \xc2\x9f \xc2\xa0",
      "C1 ?31m ? ? \xc2\xa0", "C1 ?31m ? ? \xc2\xa0" },
    { "del \x7f", "del ?", "del ?" },
    { "a\nb\tc\rd", "a?b?c?d", "a\nb\tc?d" },
    { "failed\n  because: x", "failed\n  because: x", "failed\n  because: x" },
    { "overlong \xc0\xaf, surrogate \xed\xa0\x80", "overlong ??, surrogate ???",
      "overlong ??, surrogate ???" },
    { "above \xf4\x90\x80\x80, cut \xe4\xb8", "above ????, cut ??", "above ????, cut ??" },
    { "other way \xe2\x80\xae \xe2\x80\xaa \xe2\x81\xa6 \xe2\x81\xa9 \xe2\x80\x8f \xd8\x9c",
      "other way ? ? ? ? ? ?", "other way ? ? ? ? ? ?" },
    { "kept \xe2\x80\xa9 \xe2\x80\xaf \xe2\x81\xa5 \xe2\x81\xaa \xd7\xa9\xd7\x9c \xd8\xb9", NULL,
      NULL },
    { "lead before ESC \xc3\x1b[m", "lead before ESC ??[m", "lead before ESC ??[m" },
};

START_TEST(what_a_terminal_obeys_becomes_a_question_mark)
{
    const char *text = tamed_texts[_i].text;
    const char *tamed = tamed_texts[_i].tamed != NULL ? tamed_texts[_i].tamed : text;
    const char *with_lines = tamed_texts[_i].with_lines != NULL ? tamed_texts[_i].with_lines : text;
    char *copy = strdup(text);

    ck_assert_uint_eq(OpprofTextTame(copy, false), strlen(tamed));
    ck_assert_str_eq(copy, tamed);
    free(copy);
    copy = strdup(text);
    OpprofTextTame(copy, true);
    ck_assert_str_eq(copy, with_lines);
    free(copy);
}
END_TEST

/* Cut at every byte: no piece reaches beyond the length, none is empty. */
START_TEST(pieces_end_where_the_text_does)
{
    static const char text[] = "a\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80\x1b";
    bool plain;

    for (size_t length = 0; length < sizeof text; length++) {
        size_t at = 0;

        while (at < length) {
            const size_t taken = OpprofTextNext(text + at, length - at, &plain);

            ck_assert_uint_ge(taken, 1);
            ck_assert_uint_le(taken, length - at);
            at += taken;
        }
        ck_assert_uint_eq(OpprofTextNext(text + at, 0, &plain), 0);
    }
}
END_TEST

/* ---- streams ---- */

#define PIECES 5000

START_TEST(a_printed_text_is_whole)
{
    char *text;
    size_t size;
    FILE *out = OpprofTextOpen(&text, &size);

    ck_assert_int_eq(ftell(out), 0);
    for (int i = 0; i < PIECES; i++) {
        fprintf(out, "%05d%c", i, '\0');
    }
    ck_assert_int_eq(ftell(out), 6 * PIECES);
    ck_assert_int_ne(fseek(out, 0, SEEK_SET), 0);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_uint_eq(size, 6 * PIECES);
    for (int i = 0; i < PIECES; i++) {
        ck_assert_int_eq(atoi(text + (ptrdiff_t) 6 * i), i);
    }
    free(text);
    out = OpprofTextOpen(&text, &size);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

/* Whichever allocation fails, the text is whole or there is none. */
START_TEST(a_text_without_memory_is_missing)
{
    bool has_failed = true;
    unsigned failures = 0;

    for (long nth = 1; has_failed; nth++) {
        char *text = NULL;
        size_t size = 1;
        bool is_whole;

        fail_allocation(nth);
        FILE *out = OpprofTextOpen(&text, &size);
        for (int i = 0; out != NULL && i < PIECES; i++) {
            fprintf(out, "%05d\n", i);
        }
        is_whole = out != NULL && fclose(out) == 0;
        has_failed = has_failed_allocation();
        failures += has_failed;
        ck_assert_int_ne(is_whole, has_failed);
        ck_assert_uint_eq(size, is_whole ? 6 * PIECES : 0);
        ck_assert(is_whole == (text != NULL));
        free(text);
    }
    ck_assert_uint_ge(failures, 3);
}
END_TEST

static Suite *text_suite(void)
{
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");

    tcase_add_loop_test(tests, what_a_terminal_obeys_becomes_a_question_mark, 0,
                        sizeof tamed_texts / sizeof tamed_texts[0]);
    tcase_add_test(tests, pieces_end_where_the_text_does);
    tcase_add_test(tests, integers_print_as_printf_does);
    tcase_add_test(tests, powers_of_ten_have_their_digits);
    tcase_add_test(tests, microseconds_are_trimmed);
    tcase_add_test(tests, doubles_print_as_people_expect);
    tcase_add_test(tests, doubles_read_back_and_are_shortest_and_nearest);
    tcase_add_test(tests, doubles_around_powers_of_two_are_shortest_and_nearest);
    tcase_add_test(tests, fixed_prints_as_printf_does);
    tcase_add_test(tests, fixed_falls_back_where_it_makes_no_sense);
    tcase_add_test(tests, a_locale_changes_nothing);
    tcase_add_test(tests, json_escapes_what_must_be_escaped);
    tcase_add_test(tests, json_escapes_at_every_place);
    tcase_add_test(tests, json_agrees_with_the_plain_way_on_any_ascii);
    tcase_add_test(tests, json_passes_every_code_point);
    tcase_add_test(tests, json_replaces_what_is_no_utf8);
    tcase_add_test(tests, json_never_writes_more_than_its_room);
    tcase_add_test(tests, a_printed_text_is_whole);
    tcase_add_test(tests, a_text_without_memory_is_missing);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(text_suite)
