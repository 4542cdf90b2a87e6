/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the pairing of begin and end: plugins/collect-sim/pairing. */
#include "plugins/collect-sim/pairing/pairing.h"
#include "tests/core/suites.h"
#include "tests/plugins/collect-sim/forms.h"
#include <check.h>
#include <inttypes.h>
#include <opprof/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For loops: an assertion of Check tells its parent even when it holds. */
#define REQUIRE(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_abort_msg(__VA_ARGS__);                                                             \
        }                                                                                          \
    } while (0)

/* ---- logs in memory ---- */

typedef struct Lines {
    char *text;
    size_t length;
    size_t capacity;
    size_t at; /* of the next line to be read */
} Lines;

static void reserve(Lines *lines, size_t more)
{
    if (lines->length + more > lines->capacity) {
        lines->capacity = (lines->length + more) * 2;
        lines->text = realloc(lines->text, lines->capacity);
        ck_assert_ptr_nonnull(lines->text);
    }
}

static void add_line(Lines *lines, const char *line)
{
    reserve(lines, strlen(line) + 1 + 64);
    lines->length += (size_t) sprintf(lines->text + lines->length, "%s\n", line);
}

/* The next line; NULL if none. */
static const char *next_line(Lines *lines, size_t *ret_length)
{
    const char *line = lines->text + lines->at;
    const char *end;

    if (lines->at >= lines->length) {
        return NULL;
    }
    end = memchr(line, '\n', lines->length - lines->at);
    *ret_length = (size_t) (end - line);
    lines->at += *ret_length + 1;
    return line;
}

typedef bool CountLine(Pairing *pairing, const char *line, size_t length);

/* Count at most so many lines; false: none is left. */
static bool count_lines(Pairing *pairing, CountLine *count, Lines *lines, uint32_t most)
{
    const char *line = NULL;
    size_t length;

    for (; most > 0 && (line = next_line(lines, &length)) != NULL; most--) {
        REQUIRE(count(pairing, line, length), "no memory");
    }
    return line != NULL;
}

/* Both logs, taking turns after so many lines, as a program that runs gives them. */
static void count_both(Pairing *pairing, Lines *popped, Lines *instr, uint32_t turn)
{
    bool more_popped = true, more_instr = true;

    popped->at = instr->at = 0;
    while (more_popped || more_instr) {
        more_popped = count_lines(pairing, PairingCountPopped, popped, turn);
        more_instr = count_lines(pairing, PairingCountInstr, instr, turn);
    }
    PairingCountEnd(pairing);
    popped->at = instr->at = 0;
}

/* Give at most so many lines of the second reading, or all. */
static OpprofStatus give_lines(Pairing *pairing, Lines *popped, Lines *instr, uint32_t most)
{
    OpprofStatus status = OPPROF_OK;

    for (; most > 0 && status == OPPROF_OK && PairingWants(pairing) != PAIRING_DONE; most--) {
        Lines *lines = PairingWants(pairing) == PAIRING_POPPED ? popped : instr;
        size_t length = 0;
        const char *line = next_line(lines, &length);

        status =
            line == NULL ? PairingGiveEnd(pairing, NULL) : PairingGive(pairing, line, length, NULL);
    }
    return status;
}

/* ---- rows ---- */

typedef struct Row {
    uint64_t key;
    uint64_t start;
    uint64_t end;
    uint64_t sequence;
    char detail[40];
} Row;

typedef struct Rows {
    Row *rows;
    size_t count;
    size_t capacity;
    uint64_t last_end;
    uint64_t last_floor;
    uint64_t start_floor; /* the latest that any row promised */
    uint64_t promises;    /* rows that promised one */
    bool by_id;
    bool is_sorted; /* every row so far ends no earlier than the one before */
    bool is_honest; /* and no earlier than any floor promised, nor starts so */
    bool discards;  /* only count */
} Rows;

static void keep_row(Rows *rows, const Row *row)
{
    if (rows->count == rows->capacity) {
        rows->capacity = rows->capacity == 0 ? 64 : rows->capacity * 2;
        rows->rows = realloc(rows->rows, rows->capacity * sizeof *rows->rows);
        ck_assert_ptr_nonnull(rows->rows);
    }
    rows->rows[rows->count++] = *row;
}

static uint32_t intern(void *context, const char *text, size_t length)
{
    (void) context;
    (void) text;
    return (uint32_t) length + 1;
}

static OpprofStatus take_row(void *context, const PairingRow *row, OpprofError **error)
{
    Rows *rows = context;
    Row kept = { .key = rows->by_id ? row->id : row->pc,
                 .start = row->start,
                 .end = row->end,
                 .sequence = row->sequence };

    (void) error;
    rows->is_sorted = rows->is_sorted && row->end >= rows->last_end;
    rows->is_honest =
        rows->is_honest && row->end >= rows->last_floor && row->start >= rows->start_floor;
    if (row->reach > 0 && row->reach <= row->end) {
        rows->promises++;
        rows->start_floor =
            row->end - row->reach > rows->start_floor ? row->end - row->reach : rows->start_floor;
    }
    rows->last_end = row->end;
    rows->last_floor = row->floor;
    snprintf(kept.detail, sizeof kept.detail, "%.*s", (int) row->detail_length, row->detail);
    if (rows->discards) {
        rows->count++;
    } else {
        keep_row(rows, &kept);
    }
    return OPPROF_OK;
}

static void run_all(Pairing *pairing, Lines *popped, Lines *instr, Rows *rows, uint32_t turn)
{
    const PairingSink sink = { .context = rows, .intern = intern, .row = take_row };

    rows->is_sorted = true;
    rows->is_honest = true;
    count_both(pairing, popped, instr, turn);
    PairingStart(pairing, &sink);
    REQUIRE(give_lines(pairing, popped, instr, UINT32_MAX) == OPPROF_OK, "pairing failed");
    REQUIRE(PairingWants(pairing) == PAIRING_DONE, "pairing is not done");
}

static PairingCounts pair_lines(const PairingOptions *options, Lines *popped, Lines *instr,
                                Rows *rows)
{
    Pairing *pairing = PairingCreate(options);
    PairingCounts counts;

    ck_assert_ptr_nonnull(pairing);
    rows->by_id = options->by_id;
    run_all(pairing, popped, instr, rows, 100);
    counts = PairingGetCounts(pairing);
    PairingDestroy(pairing);
    return counts;
}

/* ---- the pairing vectors of the specification ---- */

static void add_ticks(Lines *lines, const uint64_t *ticks)
{
    char line[200];

    for (; *ticks != 0; ticks++) {
        snprintf(line, sizeof line,
                 "[info] [%08" PRIu64
                 "] (PC: 0x1000) SCALAR   : (Binary: 0x003bd781) ADD  XD:X1=0x1,",
                 *ticks);
        add_line(lines, line);
    }
}

/* Lists end in 0; rows are start, end, start, end. */
static void expect_pairs(const uint64_t *popped_ticks, const uint64_t *instr_ticks,
                         const uint64_t *expected)
{
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .by_id = false };
    Lines popped = { .length = 0 }, instr = { .length = 0 };
    Rows rows = { .count = 0 };
    size_t count = 0;

    add_ticks(&popped, popped_ticks);
    add_ticks(&instr, instr_ticks);
    pair_lines(&options, &popped, &instr, &rows);
    for (; expected[2 * count] != 0; count++) {
        ck_assert_uint_gt(rows.count, count);
        ck_assert_uint_eq(rows.rows[count].start, expected[2 * count]);
        ck_assert_uint_eq(rows.rows[count].end, expected[2 * count + 1]);
    }
    ck_assert_uint_eq(rows.count, count);
    free(popped.text);
    free(instr.text);
    free(rows.rows);
}

#define TICKS(...) ((const uint64_t[]){ __VA_ARGS__ __VA_OPT__(, ) 0 })

START_TEST(unequal_counts_are_pruned_as_specified)
{
    expect_pairs(TICKS(100, 200), TICKS(110, 114, 120, 220), TICKS(100, 120, 200, 220));
    expect_pairs(TICKS(100, 101, 102, 200), TICKS(110, 220), TICKS(102, 110, 200, 220));
    expect_pairs(TICKS(100), TICKS(110, 130), TICKS(100, 110));
    expect_pairs(TICKS(100, 150), TICKS(110, 120, 130, 135), TICKS(100, 110));
    expect_pairs(TICKS(500), TICKS(400), TICKS());
    expect_pairs(TICKS(), TICKS(400), TICKS());
    expect_pairs(TICKS(400), TICKS(), TICKS());
}
END_TEST

START_TEST(rotated_pieces_pair_up_in_chronological_order)
{
    expect_pairs(TICKS(10, 50, 300), TICKS(20, 60, 310), TICKS(10, 20, 50, 60, 300, 310));
}
END_TEST

START_TEST(a_tick_that_goes_back_is_a_huge_gap)
{
    /* Instr has more: 110 then 105 are two records, 112 replaces 105. */
    expect_pairs(TICKS(100, 101), TICKS(110, 105, 112), TICKS(100, 110, 101, 112));
}
END_TEST

START_TEST(pruning_instr_below_popped_prunes_popped_too)
{
    /*
     * Walk (a) leaves 112 of 110 111 112; now popped has more, and walk (b) leaves 101 of 100 101.
     */
    expect_pairs(TICKS(100, 101), TICKS(110, 111, 112), TICKS(101, 112));
}
END_TEST

/* ---- against a plain implementation ---- */

typedef struct Event {
    uint64_t key;
    uint64_t tick;
    uint64_t sequence;
    bool is_gone;
} Event;

typedef struct Events {
    Event list[600];
    size_t count;
} Events;

static uint64_t random_state;

static uint32_t any_below(uint32_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t) ((random_state >> 33) % limit);
}

/* A log with some disorder, repeats, records that go missing and runs of small gaps. */
static void make_events(Events *events, uint32_t keys, uint32_t disorder, uint32_t most)
{
    uint64_t tick = 1000;
    const uint32_t count = any_below(most);

    events->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t back = disorder == 0 ? 0 : any_below(disorder);

        tick += any_below(4) == 0 ? any_below(30) : any_below(3);
        events->list[events->count++] =
            (Event){ .key = any_below(keys), .tick = tick > back ? tick - back : 1 };
    }
}

/* The other log of the same instructions: later, in another order, with some records lost or
 * doubled. */
static void derive_events(const Events *from, Events *events, uint32_t latency, uint32_t shuffle)
{
    events->count = 0;
    for (size_t i = 0; i < from->count; i++) {
        Event event = from->list[i];
        const uint32_t copies = any_below(20) == 0 ? any_below(3) : 1;

        event.tick += any_below(latency + 1);
        for (uint32_t copy = 0; copy < copies && events->count < 590;
             copy++, event.tick += any_below(9)) {
            events->list[events->count++] = event;
        }
    }
    for (size_t i = 0; shuffle > 0 && i < events->count; i++) {
        const size_t j = i + any_below(shuffle);

        if (j < events->count) {
            const Event event = events->list[i];

            events->list[i] = events->list[j];
            events->list[j] = event;
        }
    }
}

static void print_events(const Events *events, Lines *lines, bool by_id)
{
    char line[200];

    for (size_t i = 0; i < events->count; i++) {
        const Event *event = &events->list[i];

        snprintf(line, sizeof line,
                 "[info] [%08" PRIu64 "] (PC: 0x%" PRIx64
                 ") MTE2 : (Binary: 0x003bd781) (ID: %06" PRIu64 ") NAME%s  at:%" PRIu64 " #%zu,",
                 event->tick, by_id ? 0x1000 : 0x1000 + event->key, event->key,
                 i % 7 == 0 ? "X" : "", event->tick, i);
        add_line(lines, line);
    }
}

static void walk(Event **list, size_t *count, bool is_instr)
{
    size_t kept = 0;

    for (size_t i = 0; i < *count; i++) {
        const uint64_t gap = kept == 0 ? 0 : list[i]->tick - list[kept - 1]->tick;

        if (kept > 0 && (is_instr ? gap <= 8 : gap == 1)) {
            list[kept - 1] = list[i];
        } else {
            list[kept++] = list[i];
        }
    }
    *count = kept;
}

static size_t select_key(Events *events, uint64_t key, Event **list)
{
    size_t count = 0;

    for (size_t i = 0; i < events->count; i++) {
        if (events->list[i].key == key) {
            events->list[i].sequence = i;
            list[count++] = &events->list[i];
        }
    }
    return count;
}

/* Returns how many pairs start after their end. */
static uint64_t pair_plainly(Events *popped, Events *instr, uint32_t keys, bool by_id, Rows *rows)
{
    Event *starts[600], *ends[600];
    uint64_t backwards = 0;

    for (uint32_t key = 0; key < keys; key++) {
        size_t start_count = select_key(popped, key, starts);
        size_t end_count = select_key(instr, key, ends);

        if (start_count == 0 || end_count == 0) {
            continue;
        }
        if (!by_id && end_count > start_count) {
            walk(ends, &end_count, true);
        }
        if (!by_id && end_count < start_count) {
            walk(starts, &start_count, false);
        }
        for (size_t i = 0; i < start_count && i < end_count; i++) {
            Row row = { .key = by_id ? key : 0x1000 + key,
                        .start = starts[i]->tick,
                        .end = ends[i]->tick,
                        .sequence = starts[i]->sequence };

            snprintf(row.detail, sizeof row.detail, "at:%" PRIu64 "#%" PRIu64 ",", row.start,
                     row.sequence);
            if (row.start <= row.end) {
                keep_row(rows, &row);
            } else {
                backwards++;
            }
        }
    }
    return backwards;
}

static int compare_rows(const void *left, const void *right)
{
    const Row *a = left;
    const Row *b = right;

    if (a->end != b->end) {
        return a->end < b->end ? -1 : 1;
    }
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

/* By id all rows have one PC, so that rows of one end come by start. */
static int compare_id_rows(const void *left, const void *right)
{
    const Row *a = left;
    const Row *b = right;

    if (a->end != b->end) {
        return a->end < b->end ? -1 : 1;
    }
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

static void compare_with_plain(Events *popped, Events *instr, uint32_t keys,
                               const PairingOptions *options, uint32_t step)
{
    Lines popped_lines = { .length = 0 }, instr_lines = { .length = 0 };
    Rows rows = { .by_id = options->by_id }, expected = { .count = 0 };
    Pairing *pairing = PairingCreate(options);
    PairingCounts counts;
    uint64_t backwards;

    print_events(popped, &popped_lines, options->by_id);
    print_events(instr, &instr_lines, options->by_id);
    backwards = pair_plainly(popped, instr, keys, options->by_id, &expected);
    if (expected.count > 0) {
        qsort(expected.rows, expected.count, sizeof(Row),
              options->by_id ? compare_id_rows : compare_rows);
    }
    run_all(pairing, &popped_lines, &instr_lines, &rows, step);
    counts = PairingGetCounts(pairing);
    REQUIRE(rows.count == expected.count, "%zu rows, not %zu", rows.count, expected.count);
    REQUIRE(rows.is_honest, "a row ends before a floor that was promised");
    REQUIRE(counts.missing == 0, "%" PRIu64 " pairs went missing", counts.missing);
    REQUIRE(counts.backwards == backwards, "%" PRIu64 " backwards, not %" PRIu64, counts.backwards,
            backwards);
    REQUIRE(counts.popped + counts.instr ==
                counts.pruned + counts.alone + 2 * (counts.rows + counts.backwards),
            "counts do not add up");
    if (counts.is_out_of_order && rows.count > 0) {
        qsort(rows.rows, rows.count, sizeof(Row), options->by_id ? compare_id_rows : compare_rows);
    } else {
        REQUIRE(rows.is_sorted, "rows are out of order");
    }
    for (size_t i = 0; i < rows.count; i++) {
        REQUIRE(compare_rows(&rows.rows[i], &expected.rows[i]) == 0 &&
                    strcmp(rows.rows[i].detail, expected.rows[i].detail) == 0,
                "row %zu of %zu: 0x%" PRIx64 " %" PRIu64 "-%" PRIu64 " %s, not 0x%" PRIx64
                " %" PRIu64 "-%" PRIu64 " %s",
                i, rows.count, rows.rows[i].key, rows.rows[i].start, rows.rows[i].end,
                rows.rows[i].detail, expected.rows[i].key, expected.rows[i].start,
                expected.rows[i].end, expected.rows[i].detail);
    }
    PairingDestroy(pairing);
    free(popped_lines.text);
    free(instr_lines.text);
    free(rows.rows);
    free(expected.rows);
}

static void compare_many(uint64_t seed, unsigned rounds, const PairingOptions *options)
{
    static Events popped, instr;

    random_state = seed;
    for (unsigned round = 0; round < rounds; round++) {
        const uint32_t keys = 1 + any_below(any_below(2) ? 4 : 60);
        const uint32_t disorder = any_below(3) == 0 ? any_below(100) : 0;

        make_events(&popped, keys, disorder, round % 16 == 0 ? 550 : 60);
        if (any_below(8) == 0) {
            make_events(&instr, keys, disorder, 60);
        } else {
            derive_events(&popped, &instr, any_below(3) * 20,
                          any_below(3) == 0 ? any_below(40) : 0);
        }
        compare_with_plain(&popped, &instr, keys, options, 1 + any_below(50));
    }
}

START_TEST(random_dumps_pair_up_by_pc_as_a_plain_implementation_does)
{
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .by_id = false };

    compare_many(1, 4000, &options);
}
END_TEST

START_TEST(random_dumps_pair_up_by_id_as_a_plain_implementation_does)
{
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .by_id = true };

    compare_many(2, 4000, &options);
}
END_TEST

/* ---- long logs: blocks, memory ---- */

/* A loop over `pcs` instructions whose ends lag behind and swap places, as in a real core. */
static void make_long(Lines *popped, Lines *instr, uint32_t count, uint32_t pcs, bool doubles)
{
    uint64_t waiting_pc[32] = { 0 };
    char line[200];

    for (uint32_t i = 0; i < count + 32; i++) {
        const uint32_t place = any_below(32);
        const uint64_t now = 1000 + i * 3;

        if (waiting_pc[place] != 0) {
            for (unsigned copy = 0; copy < (doubles && any_below(50) == 0 ? 2u : 1u); copy++) {
                snprintf(line, sizeof line,
                         "[info] [%08" PRIu64 "] (PC: 0x%" PRIx64
                         ") MTE2 : (Binary: 0x003bd781) NAME  x:1,",
                         now + any_below(40) + copy, waiting_pc[place]);
                add_line(instr, line);
            }
        }
        waiting_pc[place] = 0;
        if (i < count) {
            waiting_pc[place] = 0x1000 + i % pcs * 4;
            snprintf(line, sizeof line,
                     "[info] [%08" PRIu64 "] (PC: 0x%" PRIx64
                     ") MTE2 : (Binary: 0x003bd781) NAME  x:1, y: %u",
                     now, waiting_pc[place], i);
            add_line(popped, line);
        }
    }
}

static PairingCounts pair_long(uint32_t count, bool doubles, size_t *ret_rows)
{
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .by_id = false };
    Lines popped = { .length = 0 }, instr = { .length = 0 };
    Rows rows = { .discards = true };
    PairingCounts counts;

    random_state = 42;
    make_long(&popped, &instr, count, 100, doubles);
    counts = pair_lines(&options, &popped, &instr, &rows);
    ck_assert(rows.is_sorted);
    ck_assert(rows.is_honest);
    ck_assert(!counts.is_out_of_order);
    *ret_rows = rows.count;
    free(popped.text);
    free(instr.text);
    return counts;
}

START_TEST(what_is_in_flight_does_not_grow_with_the_log)
{
    size_t rows;
    const PairingCounts small = pair_long(50000, false, &rows);
    const PairingCounts large = pair_long(500000, false, &rows);

    ck_assert_uint_gt(large.rows, 490000);
    ck_assert_uint_lt(small.peak_in_flight, 10000);
    ck_assert_uint_lt(large.peak_in_flight, 10000);
}
END_TEST

START_TEST(pruning_of_long_logs_holds_no_more_either)
{
    size_t rows;
    const PairingCounts counts = pair_long(200000, true, &rows);

    ck_assert_uint_gt(counts.pruned, 1000);
    ck_assert_uint_lt(counts.peak_in_flight, 12000);
    ck_assert_uint_eq(counts.rows, rows);
}
END_TEST

START_TEST(a_popped_log_that_lost_its_beginning_is_not_read_ahead)
{
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .by_id = false };
    Lines popped = { .length = 0 }, instr = { .length = 0 }, rest;
    Rows rows = { .discards = true };
    PairingCounts counts;

    random_state = 43;
    make_long(&popped, &instr, 100000, 50, false);
    rest = popped;
    rest.text += popped.length / 2;
    rest.length -= popped.length / 2;
    counts = pair_lines(&options, &rest, &instr, &rows);
    ck_assert_uint_gt(counts.backwards, 20000);
    ck_assert_uint_lt(counts.peak_in_flight, 20000);
    free(popped.text);
    free(instr.text);
}
END_TEST

/* Ids one after the other, ends in another order within a window. */
START_TEST(ids_in_flight_do_not_grow_with_the_log)
{
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .by_id = true };
    Lines popped = { .length = 0 }, instr = { .length = 0 };
    Rows rows = { .discards = true };
    PairingCounts counts;
    char line[200];

    for (uint32_t i = 0; i < 200000; i++) {
        snprintf(line, sizeof line,
                 "[info] [%08u] (PC: 0x1000) RVECEX : (Binary: 0x003bd781) (ID: %06u) NAME  x:1,",
                 i + 1, i);
        add_line(&popped, line);
        snprintf(line, sizeof line,
                 "[info] [%08u] (PC: 0x1000) RVECEX : (Binary: 0x003bd781) (ID: %06u) NAME  x:1,",
                 i + 50, i ^ 7);
        add_line(&instr, line);
    }
    counts = pair_lines(&options, &popped, &instr, &rows);
    ck_assert_uint_eq(counts.rows, 200000);
    ck_assert(rows.is_sorted);
    ck_assert_uint_lt(counts.peak_in_flight, 9000);
    free(popped.text);
    free(instr.text);
}
END_TEST

START_TEST(ticks_that_go_back_wildly_are_all_emitted_and_told_of)
{
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .by_id = false,
                                     .most_rows = 1000 };
    Lines popped = { .length = 0 }, instr = { .length = 0 };
    Rows rows = { .discards = true };
    PairingCounts counts;
    char line[200];

    /* The last record is the earliest of all, so nothing can be said to be in order before it is
     * read. */
    for (uint32_t i = 0; i < 20000; i++) {
        snprintf(line, sizeof line,
                 "[info] [%08u] (PC: 0x1000) MTE2 : (Binary: 0x003bd781) NAME  x:1,",
                 i == 19999 ? 1 : i + 10);
        add_line(&popped, line);
        add_line(&instr, line);
    }
    counts = pair_lines(&options, &popped, &instr, &rows);
    ck_assert_uint_eq(counts.rows, 20000);
    ck_assert(counts.is_out_of_order);
    ck_assert(!rows.is_sorted);
    ck_assert(rows.is_honest);
    ck_assert_uint_lt(counts.peak_in_flight, 12000);
    free(popped.text);
    free(instr.text);
}
END_TEST

/* ---- rules about lines ---- */

START_TEST(instructions_can_be_left_out_by_name)
{
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .left_out = "WAIT_FLAG|SET_FLAG" };
    Lines popped = { .length = 0 }, instr = { .length = 0 };
    Rows rows = { .count = 0 };
    PairingCounts counts;

    add_line(&popped, "[info] [00000001] (PC: 0x1000) MTE2 : (Binary: 0x003bd781) SET_FLAG  x:1,");
    add_line(&popped, "[info] [00000002] (PC: 0x1004) MTE2 : (Binary: 0x003bd781) SET_FLAGS  x:1,");
    add_line(&popped, "no record");
    add_line(&instr, "[info] [00000003] (PC: 0x1000) MTE2 : (Binary: 0x003bd781) SET_FLAG  x:1,");
    add_line(&instr, "[info] [00000004] (PC: 0x1004) MTE2 : (Binary: 0x003bd781) SET_FLAGS  x:1,");
    counts = pair_lines(&options, &popped, &instr, &rows);
    ck_assert_uint_eq(rows.count, 1);
    ck_assert_uint_eq(rows.rows[0].key, 0x1004);
    ck_assert_uint_eq(counts.left_out, 2);
    ck_assert_uint_eq(counts.no_records, 1);
    ck_assert_uint_eq(counts.lines, 5);
    free(popped.text);
    free(instr.text);
    free(rows.rows);
}
END_TEST

START_TEST(a_user_mark_takes_no_part_and_its_popped_record_vanishes)
{
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .by_id = false };
    Lines popped = { .length = 0 }, instr = { .length = 0 };
    Rows rows = { .count = 0 };
    PairingCounts counts;

    add_line(&popped,
             "[info] [00000001] (PC: 0x1000) SCALAR : (Binary: 0x003bd781) MOV_SPR_XN  SPR:LPCNT, "
             "XN:X6=0x80000001,");
    add_line(&instr,
             "[info] [00000002] (PC: 0x1000) SCALAR : (Binary: 0x003bd781) MOV_SPR_XN  SPR:LPCNT, "
             "XN:X6=0x80000001,");
    counts = pair_lines(&options, &popped, &instr, &rows);
    ck_assert_uint_eq(rows.count, 0);
    ck_assert_uint_eq(counts.marks, 1);
    ck_assert_uint_eq(counts.alone, 1);
    free(popped.text);
    free(instr.text);
}
END_TEST

START_TEST(a_pairing_that_is_cut_short_emits_what_is_paired)
{
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .by_id = false };
    Lines popped = { .length = 0 }, instr = { .length = 0 };
    Rows rows = { .count = 0, .is_sorted = true };
    const PairingSink sink = { .context = &rows, .intern = intern, .row = take_row };
    Pairing *pairing = PairingCreate(&options);

    random_state = 44;
    make_long(&popped, &instr, 3000, 10, false);
    count_both(pairing, &popped, &instr, UINT32_MAX);
    PairingStart(pairing, &sink);
    ck_assert_int_eq(give_lines(pairing, &popped, &instr, 1000), OPPROF_OK);
    ck_assert_int_eq(PairingFlush(pairing, NULL), OPPROF_OK);
    ck_assert_uint_gt(rows.count, 400);
    ck_assert(rows.is_sorted);
    PairingDestroy(pairing);
    free(popped.text);
    free(instr.text);
    free(rows.rows);
}
END_TEST

static PairingCore core_of(const char *const *lines)
{
    const PairingOptions options = { .marks = camodel_marks(), .core_words = CAMODEL_CORE_WORDS };
    Pairing *pairing = PairingCreate(&options);
    Lines popped = { .length = 0 };
    PairingCore core;

    for (; *lines != NULL; lines++) {
        add_line(&popped, *lines);
    }
    count_lines(pairing, PairingCountPopped, &popped, UINT32_MAX);
    core = PairingGetCore(pairing);
    PairingDestroy(pairing);
    free(popped.text);
    return core;
}

#define MOV "[info] [00001000] (PC: 0x10f86000) SCALAR   : (Binary: 0x02161880) MOV_XD_SPR  "

START_TEST(the_logical_core_is_read_from_the_first_moves_that_tell_it)
{
    const char *const lines[] = { MOV "XD:X1=0x7f, SPR:SYS_VA_BASE,",
                                  MOV "XD:X11=0x1f, SPR:BLOCKID, ", MOV "XD:X14=1, SPR:SUBBLOCKID,",
                                  MOV "XD:X11=0x5, SPR:BLOCKID, ", NULL };
    const PairingCore core = core_of(lines);

    ck_assert(core.has_block && core.has_sub);
    ck_assert_uint_eq(core.block, 31);
    ck_assert_uint_eq(core.sub, 1);
}
END_TEST

START_TEST(other_texts_tell_no_logical_core)
{
    const char *const lines[] = {
        MOV "XD:X11=0x12345, SPR:BLOCKID, ",
        MOV "XD:X11=, SPR:BLOCKID, ",
        MOV "XD:X11=zz, SPR:BLOCKID, ",
        MOV "SPR:BLOCKID, ",
        "[info] [1] (PC: 0x1) SCALAR : (Binary: 0x02161880) MOV  X=1, SPR:BLOCKID",
        NULL
    };

    ck_assert(!core_of(lines).has_block);
}
END_TEST

/* ---- user marks ---- */

static const Marks *marks_of(Pairing *pairing, const char *const *lines, uint64_t *nested,
                             uint64_t *open)
{
    Lines popped = { .length = 0 }, instr = { .length = 0 };

    for (; *lines != NULL; lines++) {
        add_line(&instr, *lines);
    }
    count_both(pairing, &popped, &instr, UINT32_MAX);
    free(instr.text);
    return PairingGetMarks(pairing, nested, open);
}

#define MARK(tick, pc, value)                                                                      \
    "[info] [" tick "] (PC: " pc ") SCALAR   : (Binary: 0x02106900) MOV_SPR_XN  SPR:LPCNT, "       \
    "XN:X6=" value ","
#define NOP(tick) "[info] [" tick "] (PC: 0x9000) MTE2     : (Binary: 0x41001000) NOP_PIPE"
#define ADD(tick) "[info] [" tick "] (PC: 0x9004) SCALAR   : (Binary: 0x41001000) ADD  x:1"

/* Vector C27 of the specification of dumps. */
START_TEST(a_mark_reaches_from_the_first_nop_behind_its_start_to_the_last_behind_its_stop)
{
    const char *const lines[] = { MARK("00011744", "0x10f86148", "0x80000001"),
                                  NOP("00011746"),
                                  NOP("00011747"),
                                  MARK("00014010", "0x10f86390", "0xc0000001"),
                                  NOP("00014010"),
                                  NOP("00014011"),
                                  ADD("00014015"),
                                  NOP("00014020"),
                                  NULL };
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .by_id = false };
    Pairing *pairing = PairingCreate(&options);
    uint64_t nested, open;
    const Marks *marks = marks_of(pairing, lines, &nested, &open);

    ck_assert_uint_eq(marks->count, 1);
    ck_assert_uint_eq(marks->marks[0].start, 11746);
    ck_assert_uint_eq(marks->marks[0].end, 14011);
    ck_assert_uint_eq(marks->marks[0].start_pc, 0x10f86148);
    ck_assert_uint_eq(marks->marks[0].end_pc, 0x10f86390);
    ck_assert_uint_eq(marks->marks[0].digit, 1);
    ck_assert_uint_eq(marks->marks[0].length, strlen("SPR:LPCNT,XN:X6=0x80000001,"));
    ck_assert_mem_eq(marks->texts + marks->marks[0].text, "SPR:LPCNT,XN:X6=0x80000001,", 27);
    ck_assert_uint_eq(nested + open, 0);
    PairingDestroy(pairing);
}
END_TEST

START_TEST(marks_of_different_digits_may_overlap)
{
    const char *const lines[] = { MARK("00000010", "0x10", "0x80000001"),
                                  MARK("00000020", "0x20", "0x80000009"),
                                  MARK("00000030", "0x30", "0xc0000001"),
                                  MARK("00000040", "0x40", "0xc0000009"),
                                  MARK("00000050", "0x10", "0x80000001"),
                                  MARK("00000060", "0x30", "0xc0000001"),
                                  NULL };
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .by_id = false };
    Pairing *pairing = PairingCreate(&options);
    uint64_t nested, open;
    const Marks *marks = marks_of(pairing, lines, &nested, &open);

    ck_assert_uint_eq(marks->count, 3);
    ck_assert_uint_eq(marks->marks[0].end, 30);
    ck_assert_uint_eq(marks->marks[1].digit, 9);
    ck_assert_uint_eq(marks->marks[1].end, 40);
    ck_assert_uint_eq(marks->marks[2].start, 50);
    PairingDestroy(pairing);
}
END_TEST

START_TEST(nested_and_unfinished_marks_are_left_out)
{
    const char *const lines[] = { MARK("00000010", "0x10", "0x80000001"),
                                  MARK("00000020", "0x10", "0x80000001"),
                                  MARK("00000030", "0x30", "0xc0000001"), /* nested */
                                  MARK("00000040", "0x40", "0xc0000002"), /* a stop first */
                                  MARK("00000050", "0x50", "0x80000002"),
                                  MARK("00000060", "0x60", "0xc0000002"),
                                  MARK("00000070", "0x70", "0x80000003"),
                                  MARK("00000080", "0x80", "0xc0000003"),
                                  MARK("00000090", "0x90", "0x80000003"), /* no end */
                                  NULL };
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .by_id = false };
    Pairing *pairing = PairingCreate(&options);
    uint64_t nested, open;
    const Marks *marks = marks_of(pairing, lines, &nested, &open);

    ck_assert_uint_eq(marks->count, 1);
    ck_assert_uint_eq(marks->marks[0].digit, 3);
    ck_assert_uint_eq(marks->marks[0].end, 80);
    ck_assert_uint_eq(open, 1);
    ck_assert_uint_eq(nested, 1);
    ck_assert(marks->is_nested[1] && marks->is_nested[2] && !marks->is_nested[3]);
    PairingDestroy(pairing);
}
END_TEST

START_TEST(a_register_without_a_mark_value_is_no_mark)
{
    const char *const lines[] = { MARK("00000010", "0x10", "0x90000001"),
                                  MARK("00000020", "0x20", "0x8000001"),
                                  MARK("00000030", "0x30", "0x8000000a"), NULL };
    const PairingOptions options = { .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .by_id = false };
    Pairing *pairing = PairingCreate(&options);
    uint64_t nested, open;

    ck_assert_uint_eq(marks_of(pairing, lines, &nested, &open)->count, 0);
    ck_assert_uint_eq(PairingGetCounts(pairing).instr, 3);
    PairingDestroy(pairing);
}
END_TEST

static Suite *pairing_suite(void)
{
    Suite *suite = suite_create("pairing");
    TCase *pairs = tcase_create("pairs");
    TCase *marks = tcase_create("marks");

    tcase_set_timeout(pairs, 1800); /* half a million lines, on a busy machine */
    tcase_add_test(pairs, unequal_counts_are_pruned_as_specified);
    tcase_add_test(pairs, rotated_pieces_pair_up_in_chronological_order);
    tcase_add_test(pairs, a_tick_that_goes_back_is_a_huge_gap);
    tcase_add_test(pairs, pruning_instr_below_popped_prunes_popped_too);
    tcase_add_test(pairs, random_dumps_pair_up_by_pc_as_a_plain_implementation_does);
    tcase_add_test(pairs, random_dumps_pair_up_by_id_as_a_plain_implementation_does);
    tcase_add_test(pairs, what_is_in_flight_does_not_grow_with_the_log);
    tcase_add_test(pairs, pruning_of_long_logs_holds_no_more_either);
    tcase_add_test(pairs, a_popped_log_that_lost_its_beginning_is_not_read_ahead);
    tcase_add_test(pairs, ids_in_flight_do_not_grow_with_the_log);
    tcase_add_test(pairs, ticks_that_go_back_wildly_are_all_emitted_and_told_of);
    tcase_add_test(pairs, instructions_can_be_left_out_by_name);
    tcase_add_test(pairs, a_user_mark_takes_no_part_and_its_popped_record_vanishes);
    tcase_add_test(pairs, a_pairing_that_is_cut_short_emits_what_is_paired);
    tcase_add_test(pairs, the_logical_core_is_read_from_the_first_moves_that_tell_it);
    tcase_add_test(pairs, other_texts_tell_no_logical_core);
    tcase_add_test(marks,
                   a_mark_reaches_from_the_first_nop_behind_its_start_to_the_last_behind_its_stop);
    tcase_add_test(marks, marks_of_different_digits_may_overlap);
    tcase_add_test(marks, nested_and_unfinished_marks_are_left_out);
    tcase_add_test(marks, a_register_without_a_mark_value_is_no_mark);
    suite_add_tcase(suite, pairs);
    suite_add_tcase(suite, marks);
    return suite;
}
TEST_SUITE(pairing_suite)
