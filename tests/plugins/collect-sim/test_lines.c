/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/collect-sim/read/lines.c. */
#include "collect-sim/read/lines.h"

#include "tests/core/base/failing_alloc.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <inttypes.h>

#define WINDOW (256u << 10) /* what the reader reads at once */
#define LONGEST SIM_LINE_MOST

static uint64_t state = 88172645463325252u;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static SimLineReader *open_lines(const char *path)
{
    OpprofError *error = NULL;
    SimLineReader *reader = NULL;

    if (SimLineReaderOpen(path, &reader, &error) != OPPROF_OK) {
        ck_abort_msg("%s", OpprofErrorMessage(error));
    }
    return reader;
}

/* The promise that 64 bytes after a line may be read; sanitizers see to it that it is kept. */
static unsigned touch_behind(const char *line, size_t length)
{
    unsigned sum = 0;

    for (size_t i = 0; i < 64; i++) {
        sum += (unsigned char) line[length + i];
    }
    return sum;
}

/*
 * Reads `data` as a file and checks every line, its offset and the counts against what a plain
 * splitter finds.
 */
static void check_file(const char *data, size_t size)
{
    SimLineReader *reader = open_lines(write_scratch("lines", data, size));
    SimLineReaderCounts wanted = { .bytes = size };
    SimLineReaderCounts counts;
    OpprofError *error = NULL;
    const char *line = NULL;
    size_t length = 0;
    unsigned sum = 0;

    ck_assert_uint_eq(SimLineReaderSize(reader), size);
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(data + at, '\n', size - at);
        const size_t next = newline == NULL ? size : (size_t) (newline - data) + 1;
        size_t whole = next - at - (newline != NULL);
        wanted.ends_cut = newline == NULL;
        if (newline != NULL && whole > 0 && data[at + whole - 1] == '\r') {
            whole--;
        }
        if (whole > LONGEST) {
            wanted.first_too_long = wanted.too_long++ == 0 ? at : wanted.first_too_long;
        } else {
            wanted.lines++;
            const OpprofStatus status = SimLineReaderNext(reader, &line, &length, &error);
            if (status != OPPROF_OK || length != whole || memcmp(line, data + at, whole) != 0 ||
                SimLineReaderOffset(reader) != at) {
                ck_abort_msg("line %" PRIu64 " at %zu of %zu: status %d, length %zu, wanted %zu",
                             wanted.lines, at, size, (int) status, length, whole);
            }
            sum += touch_behind(line, length);
        }
        at = next;
    }
    ck_assert_int_eq(SimLineReaderNext(reader, &line, &length, &error), OPPROF_END);
    ck_assert_int_eq(SimLineReaderNext(reader, &line, &length, &error), OPPROF_END);
    SimLineReaderGetCounts(reader, &counts);
    ck_assert_uint_eq(counts.lines, wanted.lines);
    ck_assert_uint_eq(counts.too_long, wanted.too_long);
    ck_assert_uint_eq(counts.first_too_long, wanted.first_too_long);
    ck_assert_uint_eq(counts.bytes, wanted.bytes);
    ck_assert_int_eq(counts.ends_cut, wanted.ends_cut);
    ck_assert_ptr_null(error);
    ck_assert_uint_ne(sum, UINT32_MAX);
    SimLineReaderClose(reader);
}

static void check_text(const char *text)
{
    check_file(text, strlen(text));
}

START_TEST(small_files_are_split)
{
    check_text("");
    check_text("\n");
    check_text("\r\n");
    check_text("\r");
    check_text("a");
    check_text("a\n");
    check_text("a\r\n");
    check_text("a\r\r\n"); /* one CR belongs to the end */
    check_text("a\r");
    check_text("a\rb\n");
    check_text("\n\n\n");
    check_text("one\ntwo\r\n\nfour");
    check_file("a\0b\n\0\n\0\0", 8);
}
END_TEST

START_TEST(every_length_around_a_block_is_right)
{
    char data[400];

    for (size_t first = 0; first <= 200; first++) {
        memset(data, 'x', sizeof data);
        data[first] = '\n';
        data[first + 65] = '\n';
        for (size_t size = first + 1; size <= first + 199; size += 33) {
            check_file(data, size);
        }
    }
}
END_TEST

START_TEST(lines_cross_the_window_at_every_alignment)
{
    const size_t size = WINDOW + 1000;
    char *data = malloc(size);

    ck_assert_ptr_nonnull(data);
    for (size_t shift = 0; shift <= 101; shift++) {
        for (size_t i = 0; i < size; i++) {
            data[i] = (i + shift) % 101 == 100 ? '\n' : (char) ('!' + i % 90);
        }
        check_file(data, size);
    }
    free(data);
}
END_TEST

START_TEST(two_hundred_thousand_lines_are_all_there)
{
    size_t size = 0;
    char *data = malloc(200000 * 152);

    ck_assert_ptr_nonnull(data);
    for (int i = 0; i < 200000; i++) {
        const uint64_t random = next_random();
        const size_t length = random % 16 == 0 ? 0 : random / 16 % 150;
        for (size_t k = 0; k < length; k++) {
            data[size + k] = (char) (random >> k % 57);
            data[size + k] = data[size + k] == '\n' ? '\0' : data[size + k];
        }
        size += length;
        if (random >> 60 == 0) {
            data[size++] = '\r';
        }
        data[size++] = '\n';
    }
    check_file(data, size);
    check_file(data, size - 1);
    free(data);
}
END_TEST

/* `before` short lines, one of `length` bytes with this end, `after` short lines. */
static void check_long(size_t before, size_t length, const char *end, size_t after)
{
    const size_t room = (before + after) * 4 + length + 2;
    char *data = malloc(room);
    size_t size = 0;

    ck_assert_ptr_nonnull(data);
    for (size_t i = 0; i < before; i++, size += 4) {
        memcpy(data + size, "abc\n", 4);
    }
    memset(data + size, 'L', length);
    size += length;
    memcpy(data + size, end, strlen(end));
    size += strlen(end);
    for (size_t i = 0; i < after; i++, size += 4) {
        memcpy(data + size, "xyz\n", 4);
    }
    check_file(data, size);
    free(data);
}

START_TEST(the_longest_line_is_kept_and_one_more_byte_is_not)
{
    static const size_t befores[] = { 0, 1, 16000, WINDOW / 4, WINDOW / 4 + 40 };
    static const char *const ends[] = { "\n", "\r\n", "", "\r" };

    for (size_t i = 0; i < sizeof befores / sizeof befores[0]; i++) {
        for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++) {
            for (size_t length = LONGEST - 2; length <= LONGEST + 3; length++) {
                check_long(befores[i], length, ends[k], k < 2 ? 3 : 0);
            }
        }
    }
}
END_TEST

START_TEST(too_long_lines_are_skipped_wherever_they_are)
{
    static const size_t lengths[] = { LONGEST + 1,    WINDOW - 1,          WINDOW,
                                      WINDOW + 1,     WINDOW + LONGEST,    2 * WINDOW,
                                      3 * WINDOW + 7, WINDOW + LONGEST + 2 };

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        check_long(0, lengths[i], "\n", 0);
        check_long(0, lengths[i], "\n", 1000);
        check_long(1000, lengths[i], "\r\n", 1000);
        check_long(1000, lengths[i], "", 0);
        check_long(1000, lengths[i], "\n", 0);
    }
}
END_TEST

START_TEST(a_window_can_be_one_whole_line_with_its_end_in_the_next)
{
    /* The CR ends one window and the LF begins the next. */
    for (size_t length = WINDOW - 70; length <= WINDOW + 2; length++) {
        char *data = malloc(length + 6);
        ck_assert_ptr_nonnull(data);
        memset(data, 'x', length);
        for (size_t i = 100; i < length - 50; i += 100) {
            data[i] = '\n';
        }
        memcpy(data + length, "\r\nend\n", 6);
        check_file(data, length + 6);
        free(data);
    }
}
END_TEST

static OpprofStatus try_open(const char *path, const char *wanted)
{
    OpprofError *error = NULL;
    SimLineReader *reader = (SimLineReader *) &error;
    const OpprofStatus status = SimLineReaderOpen(path, &reader, &error);

    ck_assert_ptr_null(reader);
    ck_assert_ptr_nonnull(error);
    if (strstr(OpprofErrorMessage(error), wanted) == NULL ||
        strstr(OpprofErrorMessage(error), path) == NULL) {
        ck_abort_msg("'%s' lacks '%s'", OpprofErrorMessage(error), wanted);
    }
    OpprofErrorDestroy(error);
    return status;
}

START_TEST(what_is_no_regular_file_is_refused)
{
    ck_assert_int_eq(mkfifo(in_scratch("pipe"), 0600), 0);
    ck_assert_int_eq(try_open(in_scratch("pipe"), "pipe"), OPPROF_E_IO); /* and does not wait */
    ck_assert_int_eq(try_open(scratch, "directory"), OPPROF_E_IO);
    ck_assert_int_eq(try_open("/dev/null", "device"), OPPROF_E_IO);
    ck_assert_int_eq(try_open(in_scratch("nothing"), "No such file"), OPPROF_E_NOT_FOUND);
    ck_assert_int_eq(try_open(in_scratch("pipe/x"), "Not a directory"), OPPROF_E_NOT_FOUND);
    if (geteuid() != 0) {
        write_scratch("secret", "x", 1);
        ck_assert_int_eq(chmod(in_scratch("secret"), 0), 0);
        ck_assert_int_eq(try_open(in_scratch("secret"), "Permission denied"), OPPROF_E_IO);
    }
    SimLineReaderClose(NULL);
}
END_TEST

/* Lines of ten bytes. */
static const char *numbered_lines(size_t size)
{
    char *data = malloc(size);
    char line[32];

    ck_assert_ptr_nonnull(data);
    for (size_t i = 0; i < size; i += 10) {
        snprintf(line, sizeof line, "%09zu\n", i);
        memcpy(data + i, line, 10);
    }
    const char *path = write_scratch("numbers", data, size);
    free(data);
    return path;
}

START_TEST(a_file_that_shrinks_is_an_error_that_names_the_offset)
{
    const char *path = numbered_lines(1000000);
    SimLineReader *reader = open_lines(path);
    OpprofError *error = NULL;
    const char *line = NULL;
    size_t length = 0;
    size_t lines = 1;

    ck_assert_int_eq(SimLineReaderNext(reader, &line, &length, &error), OPPROF_OK);
    ck_assert_int_eq(truncate(path, 500003), 0);
    OpprofStatus status;
    while ((status = SimLineReaderNext(reader, &line, &length, &error)) == OPPROF_OK) {
        lines++;
    }
    ck_assert_int_eq(status, OPPROF_E_IO);
    ck_assert_uint_eq(lines, 50000); /* all whole ones, and not the three bytes of the next */
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "at byte 500003: it shrank"));
    OpprofErrorDestroy(error);
    error = NULL;
    ck_assert_int_eq(SimLineReaderNext(reader, &line, &length, &error), OPPROF_E_IO); /* for good */
    ck_assert_ptr_nonnull(error);
    OpprofErrorDestroy(error);
    SimLineReaderClose(reader);
}
END_TEST

START_TEST(a_file_that_grows_is_read_to_the_size_it_had)
{
    const char *path = numbered_lines(300000);
    FILE *file = fopen(path, "ab");
    const char *line = NULL;
    size_t length = 0;
    size_t lines = 0;
    SimLineReaderCounts counts;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs("half", file), 0);
    ck_assert_int_eq(fflush(file), 0);
    SimLineReader *reader = open_lines(path);
    ck_assert_int_ge(fputs(" and the rest\nmore\n", file), 0);
    ck_assert_int_eq(fclose(file), 0);
    while (SimLineReaderNext(reader, &line, &length, NULL) == OPPROF_OK) {
        lines++;
    }
    ck_assert_uint_eq(lines, 30001);
    ck_assert_uint_eq(length, 4);
    ck_assert_mem_eq(line, "half", 4);
    SimLineReaderGetCounts(reader, &counts);
    ck_assert(counts.ends_cut);
    ck_assert_uint_eq(counts.bytes, 300004);
    SimLineReaderClose(reader);
}
END_TEST

START_TEST(a_nul_byte_is_known_before_its_line_is_given)
{
    const size_t size = 3 * WINDOW;
    char *data = malloc(size);
    bool is_known = false;
    const char *line = NULL;
    size_t length = 0;

    ck_assert_ptr_nonnull(data);
    for (size_t i = 0; i < size; i++) {
        data[i] = i % 100 == 99 ? '\n' : 'x';
    }
    data[2 * WINDOW + 12345] = '\0';
    SimLineReader *reader = open_lines(write_scratch("lines", data, size));
    ck_assert(SimLineReaderIsPlain(reader));
    while (SimLineReaderNext(reader, &line, &length, NULL) == OPPROF_OK) {
        ck_assert(!SimLineReaderIsPlain(reader) || memchr(line, '\0', length) == NULL);
        ck_assert(!SimLineReaderIsPlain(reader) || !is_known);
        is_known = !SimLineReaderIsPlain(reader);
        ck_assert(!is_known || SimLineReaderOffset(reader) > WINDOW);
    }
    ck_assert(is_known);
    SimLineReaderClose(reader);
    free(data);
}
END_TEST

START_TEST(only_a_last_line_without_its_end_is_not_plain)
{
    const char *line = NULL;
    size_t length = 0;
    SimLineReader *reader = open_lines(write_scratch("lines", "one\r\n\nthree", 11));

    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(SimLineReaderNext(reader, &line, &length, NULL), OPPROF_OK);
        ck_assert_int_eq(SimLineReaderIsPlain(reader), i < 2);
    }
    SimLineReaderClose(reader);
}
END_TEST

START_TEST(failing_allocations_are_survived)
{
    const char *path = write_scratch("lines", "a\n", 2);
    long n = 1;

    for (;; n++) {
        SimLineReader *reader = NULL;
        fail_allocation(n);
        const OpprofStatus status = SimLineReaderOpen(path, &reader, NULL);
        if (!has_failed_allocation()) {
            ck_assert_int_eq(status, OPPROF_OK);
            SimLineReaderClose(reader);
            break;
        }
        ck_assert_int_eq(status, OPPROF_E_MEMORY);
        ck_assert_ptr_null(reader);
    }
    ck_assert_int_eq(n, 3);
}
END_TEST

static Suite *lines_suite(void)
{
    Suite *suite = suite_create("lines");
    TCase *tests = tcase_create("lines");

    tcase_add_checked_fixture(tests, make_scratch, remove_scratch);
    tcase_add_test(tests, small_files_are_split);
    tcase_add_test(tests, every_length_around_a_block_is_right);
    tcase_add_test(tests, lines_cross_the_window_at_every_alignment);
    tcase_add_test(tests, two_hundred_thousand_lines_are_all_there);
    tcase_add_test(tests, the_longest_line_is_kept_and_one_more_byte_is_not);
    tcase_add_test(tests, too_long_lines_are_skipped_wherever_they_are);
    tcase_add_test(tests, a_window_can_be_one_whole_line_with_its_end_in_the_next);
    tcase_add_test(tests, what_is_no_regular_file_is_refused);
    tcase_add_test(tests, a_file_that_shrinks_is_an_error_that_names_the_offset);
    tcase_add_test(tests, a_file_that_grows_is_read_to_the_size_it_had);
    tcase_add_test(tests, a_nul_byte_is_known_before_its_line_is_given);
    tcase_add_test(tests, only_a_last_line_without_its_end_is_not_plain);
    tcase_add_test(tests, failing_allocations_are_survived);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(lines_suite)
