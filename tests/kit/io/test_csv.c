/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/io/csv.c. */
#include <opprof/kit/csv.h>

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

/* A text that comes in pieces, each of them later than it is asked for first. */
typedef struct Pieces {
    const char *text;
    size_t length;
    size_t piece;
    bool is_late;
} Pieces;

static size_t read_piece(void *context, char *out, size_t size)
{
    Pieces *pieces = context;
    const size_t length = pieces->length < pieces->piece ? pieces->length : pieces->piece;

    ck_assert_uint_le(length, size);
    pieces->is_late = !pieces->is_late;
    if (pieces->is_late) {
        return OPPROF_CSV_LATER;
    }
    memcpy(out, pieces->text, length);
    pieces->text += length;
    pieces->length -= length;
    return length;
}

/* All cells of a text as "[a][b]\n", with what is not a row in words. */
static void read_all(const char *text, size_t piece, char *out, size_t size)
{
    static OpprofCsv csv;
    Pieces pieces = { text, strlen(text), piece, false };
    OpprofCsvResult result;

    OpprofCsvBegin(&csv, read_piece, &pieces);
    *out = '\0';
    while ((result = OpprofCsvNext(&csv)) != OPPROF_CSV_END && result != OPPROF_CSV_CUT) {
        for (size_t i = 0; result == OPPROF_CSV_ROW && i < csv.count; i++) {
            ck_assert_uint_eq(strlen(csv.cells[i].text), csv.cells[i].length);
            snprintf(out + strlen(out), size - strlen(out), "[%s]", csv.cells[i].text);
        }
        if (result != OPPROF_CSV_WAIT) {
            snprintf(out + strlen(out), size - strlen(out), "%s%d\n",
                     result == OPPROF_CSV_BROKEN ? "broken " : "", (int) csv.line);
        }
    }
    snprintf(out + strlen(out), size - strlen(out), result == OPPROF_CSV_CUT ? "cut" : "end");
    OpprofCsvFinish(&csv);
}

START_TEST(rows_are_the_same_however_the_pieces_are_cut)
{
    static const char text[] = "a, b ,\"c,\"\"d\"\"\nx\"\r\n1,,\" 2 \"\r\n\"open,\n3,4\nla";
    char got[256];

    for (size_t piece = 1; piece <= sizeof text; piece++) {
        read_all(text, piece, got, sizeof got);
        ck_assert_str_eq(got, "[a][b][c,\"d\"\nx]1\n[1][][2]3\nbroken 4\n[3][4]5\ncut");
    }
    read_all("a\n", 1, got, sizeof got);
    ck_assert_str_eq(got, "[a]1\nend");
    read_all("", 1, got, sizeof got);
    ck_assert_str_eq(got, "end");
}
END_TEST

static Suite *csv_suite(void)
{
    Suite *suite = suite_create("csv");
    TCase *tests = tcase_create("rows");

    tcase_add_test(tests, rows_are_the_same_however_the_pieces_are_cut);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(csv_suite)
