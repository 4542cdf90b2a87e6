/* SPDX-License-Identifier: Apache-2.0 */
/* Words of pipe activity: times, spans, marks, regions, and the marks of a kernel's end. */
#include "plugins/mc2/container.h"
#include "plugins/mc2/lanes.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ITEMS 256u

static OpprofChip *chip;
static BiuFacts facts;
static WordStream stream;
static Lanes lanes;
static LaneItem items[MAX_ITEMS];
static size_t item_count;

static bool keep(void *context, const LaneItem *item)
{
    (void) context;
    ck_assert_uint_lt(item_count, MAX_ITEMS);
    items[item_count++] = *item;
    return true;
}

static void begin(LanesMode mode)
{
    LanesFinish(&lanes);
    LanesInit(&lanes, mode, keep, NULL);
    WordStreamInit(&stream, &facts, facts.counter_hz); /* one cycle is one tick of the counter */
    item_count = 0;
}

static void setup(void)
{
    setenv("OPPROF_CHIP_PATH", TEST_SOURCE_DIR "/chips", 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", TEST_FACT_PATH, 1);
    ck_assert_int_eq(OpprofChipLoad("950", &chip, NULL), OPPROF_OK);
    ck_assert_int_eq(BiuFactsLoad(chip, &facts, NULL), OPPROF_OK);
    begin(LANES_PIPES);
}

static void teardown(void)
{
    LanesFinish(&lanes);
    OpprofChipFree(chip);
}

static void feed_bytes(const unsigned char *bytes, size_t length, size_t piece)
{
    for (size_t at = 0; at < length; at += piece) {
        const unsigned char *from = bytes + at;
        const unsigned char *end = bytes + (at + piece < length ? at + piece : length);
        while (from < end) {
            Word words[3];
            const size_t count = WordStreamDecode(&stream, &from, end, words, 3);
            ck_assert(LanesWords(&lanes, words, count));
        }
    }
}

static void feed(uint32_t cycles, uint32_t info)
{
    const uint32_t word = info << 16 | cycles;
    const unsigned char bytes[4] = { (unsigned char) word, (unsigned char) (word >> 8),
                                     (unsigned char) (word >> 16), (unsigned char) (word >> 24) };

    feed_bytes(bytes, sizeof bytes, 1);
}

static void feed_stamp(uint64_t time)
{
    for (uint32_t i = 0; i < 4; i++) {
        feed((uint32_t) (time >> (16 * i)) & 0xffff, 0xe000 + (i << 8));
    }
}

static void finish(void)
{
    WordStreamEnd(&stream);
    ck_assert(LanesEnd(&lanes));
}

static void expect(size_t index, LaneItemKind kind, uint32_t pipe, uint32_t id, uint64_t start,
                   uint64_t duration)
{
    ck_assert_uint_lt(index, item_count);
    const LaneItem *item = &items[index];
    ck_assert_msg(item->kind == kind && item->pipe == pipe && item->id == id &&
                      item->start == start && item->end - item->start == duration,
                  "item %zu: kind %u, pipe %u, id %u, start %llu, duration %llu", index, item->kind,
                  item->pipe, item->id, (unsigned long long) item->start,
                  (unsigned long long) (item->end - item->start));
}

START_TEST(busy_pipes_and_marks)
{
    feed(10, 0xf001);
    feed(20, 0xf000);
    feed(30, 0x2111);
    feed(40, 0xa60c);
    feed(50, 0xa60c);
    feed(60, 0x060d);
    finish();
    ck_assert_uint_eq(item_count, 5);
    expect(0, LANE_STATE, 0, 0, 10, 20);
    expect(1, LANE_MARK, 2, 273, 60, 1);
    expect(2, LANE_MARK, 6, 1548, 100, 1);
    expect(3, LANE_MARK, 6, 1548, 150, 1);
    expect(4, LANE_MARK, 0, 1549, 210, 1);
    ck_assert(LanesIsUnpaired(&lanes, 524) && LanesIsUnpaired(&lanes, 525));
    ck_assert_uint_eq(stream.counts.codes[10], 2);
    begin(LANES_INSTRUCTIONS);
    feed(10, 0xf001);
    feed(20, 0xf000);
    feed(30, 0x2111);
    feed(40, 0xa60c);
    feed(50, 0xa60c);
    feed(60, 0x060d);
    finish();
    ck_assert_uint_eq(item_count, 1);
    expect(0, LANE_INSTRUCTION, 6, 1548, 100, 50);
}
END_TEST

START_TEST(regions_have_starts_and_stops)
{
    feed(100, 0x1403);
    feed(50, 0x1014);
    feed(200, 0x1c03);
    finish();
    ck_assert_uint_eq(item_count, 4);
    expect(0, LANE_MARK, 1, 1027, 100, 1);
    expect(1, LANE_MARK, 1, 20, 150, 1);
    expect(2, LANE_MARK, 1, 3075, 350, 1);
    expect(3, LANE_REGION, 1, 3, 100, 250);
    ck_assert_uint_eq(lanes.counts.unpaired, 0);
}
END_TEST

START_TEST(a_second_start_takes_the_place_of_the_first)
{
    feed(100, 0x1405);
    feed(100, 0x1405);
    feed(150, 0x1c05);
    finish();
    expect(item_count - 1, LANE_REGION, 1, 5, 200, 150);
    ck_assert(LanesIsUnpaired(&lanes, 5));
    begin(LANES_PIPES);
    feed(100, 0x1c03);
    finish();
    ck_assert_uint_eq(item_count, 1);
    expect(0, LANE_MARK, 1, 3075, 100, 1);
    ck_assert(LanesIsUnpaired(&lanes, 3));
}
END_TEST

START_TEST(the_marks_of_the_end_are_a_sequence)
{
    static const uint16_t rest[] = { 0xd99, 0xdaa, 0xdbb, 0xdcc, 0xddd, 0xdee, 0xdff };
    EndMarks end = { .next = 0 };

    EndMarksTake(&end, 0xd88, 2);
    ck_assert(end.start == 2 && end.next == 1);
    EndMarksTake(&end, 0xd99, 3);
    ck_assert_uint_eq(end.next, 2);
    EndMarksTake(&end, 0xdaa, 4);
    ck_assert_uint_eq(end.next, 3);
    EndMarksTake(&end, 0xdff, 5);
    ck_assert_uint_eq(end.next, 0);
    EndMarksTake(&end, 0xd88, 6);
    EndMarksTake(&end, 0x100, 7);
    ck_assert_uint_eq(end.next, 0);
    EndMarksTake(&end, 0xd88, 8);
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        EndMarksTake(&end, rest[i], 9 + i);
    }
    ck_assert(EndMarksComplete(&end) && end.start == 8);
    EndMarksTake(&end, 0xdff, 20);
    ck_assert(EndMarksComplete(&end) && end.start == 8);
}
END_TEST

static void feed_end(uint32_t marks)
{
    static const uint16_t sequence[] = { 0xd88, 0xd99, 0xdaa, 0xdbb, 0xdcc, 0xddd, 0xdee, 0xdff };

    for (uint32_t i = 0; i < marks; i++) {
        feed(1, sequence[i]);
    }
}

START_TEST(the_end_of_a_kernel_is_taken_away)
{
    feed(10, 0xf002); /* busy before and beyond the end: cut there */
    feed(10, 0x1007);
    feed_end(8); /* from 21 on */
    feed(5, 0xf000);
    feed(5, 0xf004);
    feed(9, 0x0dff);
    finish();
    ck_assert_uint_eq(item_count, 2);
    expect(0, LANE_MARK, 1, 7, 20, 1);
    expect(1, LANE_STATE, 1, 0, 10, 11);
    ck_assert_uint_eq(lanes.counts.unpaired, 0);
}
END_TEST

START_TEST(an_end_that_is_not_complete_takes_nothing_away)
{
    feed_end(7);
    finish();
    ck_assert_uint_eq(item_count, 7);
    begin(LANES_PIPES);
    feed_end(8);
    feed(1, 0x1001); /* something after it: no end */
    finish();
    ck_assert_uint_eq(item_count, 9);
}
END_TEST

START_TEST(spans_from_time_zero_and_open_ones_are_kept)
{
    feed(0, 0xf003);
    feed(40, 0xf002);
    feed(10, 0x1001);
    finish();
    ck_assert_uint_eq(item_count, 3);
    expect(0, LANE_STATE, 0, 0, 0, 40);
    expect(2, LANE_STATE, 1, 0, 0, 50);
    ck_assert(items[2].is_cut && !items[0].is_cut);
}
END_TEST

START_TEST(words_without_meaning_let_time_go_on_and_fillers_do_not)
{
    feed(10, 0x7000);
    feed(10, 0xd000);
    feed(0xdddd, 0xdddd);
    feed(0xffff, 0xefff);
    feed(10, 0x1001);
    ck_assert_uint_eq(stream.time, 30);
    ck_assert_uint_eq(stream.counts.fillers, 2);
    expect(0, LANE_MARK, 1, 1, 30, 1);
}
END_TEST

static const unsigned char stamped[] = { 0x26, 0x99, 0x00, 0xe0, 0xf4, 0x8e, 0x00, 0xe1,
                                         0xcd, 0x03, 0x00, 0xe2, 0x00, 0x00, 0x00, 0xe3,
                                         0x0c, 0x17, 0x01, 0xf0, 0x40, 0x06, 0x00, 0xf0,
                                         0x30, 0x00, 0x10, 0xf0, 0x6f, 0x08, 0x00, 0xf0 };

START_TEST(a_stamp_sets_time_and_block)
{
    for (size_t piece = 1; piece <= sizeof stamped; piece++) {
        begin(LANES_CHECKPOINTS);
        feed_bytes(stamped, sizeof stamped, piece);
        finish();
        ck_assert_uint_eq(item_count, 2);
        expect(0, LANE_STATE, 0, 0, UINT64_C(4181401579570), 1600);
        expect(1, LANE_STATE, 4, 0, UINT64_C(4181401581218), 2159);
        ck_assert_uint_eq(items[0].block, 0);
        ck_assert_uint_eq(stream.counts.stamps, 1);
    }
}
END_TEST

START_TEST(a_broken_stamp_stops_time_until_the_next_one)
{
    begin(LANES_CHECKPOINTS);
    feed_bytes(stamped, 12, 12); /* three words of it */
    feed_bytes(stamped + 16, sizeof stamped - 16, 16);
    finish();
    ck_assert_uint_eq(item_count, 0);
    ck_assert_uint_eq(stream.counts.broken, 1);
    ck_assert_uint_eq(stream.counts.lost, 4);
    feed_stamp(5000);
    feed(7, 0x1001);
    expect(0, LANE_CHECKPOINT, 1, 1, 5007, 0);
    begin(LANES_CHECKPOINTS);
    feed_bytes(stamped, 8, 8);
    finish();
    ck_assert_uint_eq(stream.counts.broken, 1);
}
END_TEST

START_TEST(states_and_checkpoints)
{
    begin(LANES_CHECKPOINTS);
    feed_stamp(100);
    feed(0, 0xf055);
    feed(100, 0xf000);
    feed(1, 0x10ff);
    finish();
    ck_assert_uint_eq(item_count, 5);
    for (uint32_t i = 0; i < 4; i++) {
        expect(i, LANE_STATE, 2 * i, 0, 100, 100);
    }
    expect(4, LANE_CHECKPOINT, 1, 255, 201, 0);
}
END_TEST

START_TEST(a_stamp_that_sets_time_back_is_counted)
{
    feed_stamp(1000);
    feed(10, 0xf001);
    feed_stamp(100);
    feed(10, 0xf000);
    finish();
    ck_assert_uint_eq(item_count, 0);
    ck_assert_uint_eq(lanes.counts.backwards, 1);
}
END_TEST

/* ---- chunks ---- */

static uint64_t chunk_bytes;
static uint32_t chunk_core;
static uint32_t chunk_type;

static bool take_chunk(void *context, uint32_t core, uint32_t type, const unsigned char *bytes,
                       size_t length)
{
    (void) context;
    for (size_t i = 0; i < length; i++) {
        ck_assert_uint_eq(bytes[i], 0x11);
    }
    chunk_bytes += length;
    chunk_core = core;
    chunk_type = type;
    return true;
}

START_TEST(chunks_have_a_head_and_valid_bytes)
{
    static unsigned char chunk[CONTAINER_HEAD_BYTES + CONTAINER_DATA_BYTES];
    ContainerReader reader = { .cores = 6 };

    chunk[0] = 5;
    chunk[2] = 2;
    chunk[4] = 24;
    memset(chunk + 8, 0x11, 24);
    for (int i = 0; i < 2; i++) {
        for (size_t at = 0; at < sizeof chunk; at += 100003) {
            const size_t left = sizeof chunk - at;
            ck_assert(ContainerFeed(&reader, chunk + at, left < 100003 ? left : 100003, take_chunk,
                                    NULL));
        }
    }
    ck_assert_uint_eq(chunk_bytes, 48);
    ck_assert_uint_eq(chunk_core, 5);
    ck_assert_uint_eq(chunk_type, 2);
    ck_assert_uint_eq(ContainerRest(&reader), 0);
    chunk[0] = 6; /* there are six groups */
    ck_assert(ContainerFeed(&reader, chunk, sizeof chunk, take_chunk, NULL));
    ck_assert_uint_eq(chunk_bytes, 48);
    ck_assert_uint_eq(reader.bad, 1);
    ck_assert_uint_eq(reader.bad_at, 2 * sizeof chunk);
    memset(chunk, 0, CONTAINER_HEAD_BYTES); /* but not its bytes */
    ck_assert(ContainerFeed(&reader, chunk, sizeof chunk, take_chunk, NULL));
    ck_assert_uint_eq(reader.bad, 2);
    memset(chunk, 0, sizeof chunk);
    ck_assert(ContainerFeed(&reader, chunk, sizeof chunk, take_chunk, NULL));
    ck_assert_uint_eq(reader.bad, 2);
    ck_assert_uint_eq(chunk_bytes, 48);
    ck_assert(ContainerFeed(&reader, chunk, 20, take_chunk, NULL));
    ck_assert_uint_eq(ContainerRest(&reader), 20);
}
END_TEST

static Suite *words_suite(void)
{
    Suite *suite = suite_create("words");
    TCase *words = tcase_create("words");

    tcase_add_checked_fixture(words, setup, teardown);
    tcase_add_test(words, busy_pipes_and_marks);
    tcase_add_test(words, regions_have_starts_and_stops);
    tcase_add_test(words, a_second_start_takes_the_place_of_the_first);
    tcase_add_test(words, the_marks_of_the_end_are_a_sequence);
    tcase_add_test(words, the_end_of_a_kernel_is_taken_away);
    tcase_add_test(words, an_end_that_is_not_complete_takes_nothing_away);
    tcase_add_test(words, spans_from_time_zero_and_open_ones_are_kept);
    tcase_add_test(words, words_without_meaning_let_time_go_on_and_fillers_do_not);
    tcase_add_test(words, a_stamp_sets_time_and_block);
    tcase_add_test(words, a_broken_stamp_stops_time_until_the_next_one);
    tcase_add_test(words, states_and_checkpoints);
    tcase_add_test(words, a_stamp_that_sets_time_back_is_counted);
    tcase_add_test(words, chunks_have_a_head_and_valid_bytes);
    suite_add_tcase(suite, words);
    return suite;
}
TEST_SUITE(words_suite)
