/* SPDX-License-Identifier: Apache-2.0 */
/* Slots of the record area and of packets, whole and damaged. */
#include "plugins/parse-dbi/area.h"
#include "plugins/parse-dbi/chart.h"
#include "plugins/parse-dbi/moves.h"
#include "plugins/parse-dbi/packets.h"
#include "tests/core/suites.h"
#include "tests/plugins/parse-dbi/dbi_bytes.h"

#include <check.h>
#include <stdlib.h>

#define HEADER 176u
#define SLOT_BYTES 1024u /* of a small area */
#define GAP 64u
#define RECORD 56u /* a DMA_MOV with its header */
#define MAX_FOUND 512
#define OVERFLOWED (UINT64_C(1) << 63)

static OpprofChip *chip;
static DbiTables tables;
static DbiFinding found[MAX_FOUND];
static size_t found_count;
static uint64_t records; /* that came */
static uint64_t records_by_slot[128];
static uint64_t last_pc;

static bool take_record(void *context, uint32_t slot, uint64_t offset, DbiRecord *record)
{
    (void) context;
    (void) offset;
    ck_assert_uint_lt(slot, 108);
    records++;
    records_by_slot[slot]++;
    last_pc = record->values[DBI_PC];
    return true;
}

static void take_finding(void *context, const DbiFinding *finding)
{
    (void) context;
    ck_assert_uint_lt(found_count, MAX_FOUND);
    found[found_count++] = *finding;
}

static const DbiHandler handler = { .record = take_record, .finding = take_finding };

static void setup(void)
{
    OpprofError *error = NULL;

    ck_assert_msg(OpprofChipLoad("Ascend910B1", &chip, &error) == OPPROF_OK, "%s",
                  OpprofErrorMessage(error));
    ck_assert_msg(DbiTablesLoad(chip, &tables, &error) == OPPROF_OK, "%s",
                  OpprofErrorMessage(error));
    ck_assert_uint_eq(tables.area.bytes, 104857600);
    ck_assert_uint_eq(tables.area.bytes + tables.area.gap, 104857664);
    ck_assert_uint_eq(tables.area.slots, 108);
    ck_assert_uint_eq(tables.area.bytes - HEADER, 104857424); /* V19: data of a slot that is full */
    tables.area.bytes = SLOT_BYTES;
    tables.area.gap = GAP;
}

static void teardown(void)
{
    DbiTablesFinish(&tables);
    OpprofChipFree(chip);
}

static void forget(void)
{
    found_count = 0;
    records = 0;
    memset(records_by_slot, 0, sizeof records_by_slot);
}

/* Through a reader in pieces of this size. */
static void read_area(const unsigned char *bytes, size_t length, size_t piece)
{
    DbiAreaReader reader;

    forget();
    DbiAreaBegin(&reader, &tables, &handler);
    for (size_t at = 0; at < length; at += piece) {
        ck_assert(DbiAreaFeed(&reader, bytes + at, length - at < piece ? length - at : piece));
    }
    DbiAreaEnd(&reader);
}

static void read_packets(const unsigned char *bytes, size_t length, size_t piece)
{
    DbiPacketReader reader;

    forget();
    DbiPacketsBegin(&reader, &tables, &handler);
    for (size_t at = 0; at < length; at += piece) {
        ck_assert(DbiPacketsFeed(&reader, bytes + at, length - at < piece ? length - at : piece));
    }
    DbiPacketsEnd(&reader);
}

static void put_record(unsigned char *at, uint64_t pc)
{
    memset(at, 0, RECORD);
    put(at, 3, 4);
    put(at + 4, MAGIC, 4);
    put(at + 8 + 16, pc, 8);
    put(at + 8 + 32, 1, 2);
    put(at + 8 + 34, 1, 2);
    at[8 + 42] = UB;
    at[8 + 43] = GM;
}

/* A slot with whole records; returns its start. */
static unsigned char *put_slot(unsigned char *area, uint32_t slot, uint64_t count)
{
    unsigned char *at = area + slot * (SLOT_BYTES + GAP);

    put(at, count, 8);
    put(at + 8, count * RECORD, 8);
    for (uint64_t i = 0; i < count; i++) {
        put_record(at + HEADER + i * RECORD, 0x1000 * slot + i);
    }
    return at;
}

static unsigned char *make_area(uint32_t slots)
{
    unsigned char *area = calloc(slots, SLOT_BYTES + GAP);

    ck_assert_ptr_nonnull(area);
    return area;
}

/* Exactly one thing was wrong, and it is this. */
static void expect_one(DbiProblem problem, uint32_t slot, uint64_t lost)
{
    ck_assert_uint_eq(found_count, 1);
    ck_assert_int_eq(found[0].problem, problem);
    ck_assert_uint_eq(found[0].slot, slot);
    ck_assert_uint_eq(found[0].lost, lost);
}

START_TEST(slots_at_their_places_in_pieces_of_any_size)
{
    unsigned char *area = make_area(4);

    put_slot(area, 0, 3);
    put_slot(area, 2, 5);
    put_slot(area, 3, 1);
    for (size_t piece = 1; piece <= 300; piece++) {
        read_area(area, 4 * (size_t) (SLOT_BYTES + GAP), piece);
        ck_assert_uint_eq(found_count, 0);
        ck_assert_uint_eq(records, 9);
        ck_assert_uint_eq(records_by_slot[0], 3);
        ck_assert_uint_eq(records_by_slot[2], 5);
        ck_assert_uint_eq(last_pc, 0x3000);
    }
    free(area);
}
END_TEST

START_TEST(all_slots_full)
{
    const uint64_t most = (SLOT_BYTES - HEADER) / RECORD;
    unsigned char *area = make_area(109);

    for (uint32_t slot = 0; slot < 108; slot++) {
        unsigned char *at = put_slot(area, slot, most);
        put(at + 8, OVERFLOWED | (most + slot + 1), 8);
    }
    read_area(area, 108 * (size_t) (SLOT_BYTES + GAP), 4096);
    ck_assert_uint_eq(records, 108 * most);
    ck_assert_uint_eq(found_count, 108);
    for (uint32_t slot = 0; slot < 108; slot++) {
        ck_assert_int_eq(found[slot].problem, DBI_OVERFLOWED);
        ck_assert_uint_eq(found[slot].slot, slot);
        ck_assert_uint_eq(found[slot].lost, slot + 1);
    }
    for (uint32_t slot = 0; slot < 108; slot++) {
        put_slot(area, slot, most);
    }
    read_area(area, 109 * (size_t) (SLOT_BYTES + GAP), 4096); /* there is no slot 108 */
    ck_assert_uint_eq(records, 108 * most);
    expect_one(DBI_BEYOND, 108, 0);
    free(area);
}
END_TEST

START_TEST(overflow_tells_what_was_lost)
{
    unsigned char *area = make_area(2);
    unsigned char *at = put_slot(area, 0, 10);

    put_slot(area, 1, 1);
    put(at + 8, OVERFLOWED | 15, 8); /* V19 */
    read_area(area, 2 * (size_t) (SLOT_BYTES + GAP), 4096);
    expect_one(DBI_OVERFLOWED, 0, 5);
    ck_assert_uint_eq(records, 11);
    put(at + 8, OVERFLOWED | 10, 8); /* nothing lost cannot be */
    read_area(area, 2 * (size_t) (SLOT_BYTES + GAP), 4096);
    expect_one(DBI_CONTRADICTION, 0, 10);
    ck_assert_uint_eq(records, 1);
    free(area);
}
END_TEST

START_TEST(counts_that_lie)
{
    const size_t length = 2 * (size_t) (SLOT_BYTES + GAP);
    unsigned char *area = make_area(2);
    unsigned char *at = put_slot(area, 0, 3);

    put_slot(area, 1, 2);
    put(at, UINT64_MAX, 8); /* more records than bytes */
    read_area(area, length, 100);
    expect_one(DBI_CUT_RECORD, 0, UINT64_MAX - 3);
    ck_assert_uint_eq(records, 5);
    put(at, 1, 8); /* fewer */
    read_area(area, length, 100);
    expect_one(DBI_UNCOUNTED, 0, 2 * RECORD);
    ck_assert_uint_eq(records, 3);
    put(at, 3, 8);
    put(at + 8, UINT64_MAX >> 1, 8); /* longer than a slot */
    read_area(area, length, 100);
    expect_one(DBI_TOO_LONG, 0, 0);
    ck_assert_uint_eq(records, 5);
    put(at + 8, 0, 8); /* records without bytes */
    read_area(area, length, 100);
    expect_one(DBI_CONTRADICTION, 0, 3);
    ck_assert_uint_eq(records, 2);
    free(area);
}
END_TEST

START_TEST(damaged_records_end_their_slot)
{
    const size_t length = 2 * (size_t) (SLOT_BYTES + GAP);
    unsigned char *area = make_area(2);
    unsigned char *at = put_slot(area, 0, 4);

    put_slot(area, 1, 2);
    put(at + HEADER + 2 * RECORD + 4, 0x12345678, 4);
    read_area(area, length, 70);
    expect_one(DBI_BAD_MAGIC, 0, 2);
    ck_assert_uint_eq(found[0].value, 0x12345678);
    ck_assert_uint_eq(found[0].offset, HEADER + 2 * RECORD);
    ck_assert_uint_eq(records, 4);
    put_slot(area, 0, 4);
    put(at + HEADER + RECORD, 77, 4);
    read_area(area, length, 70);
    expect_one(DBI_UNKNOWN_TYPE, 0, 3);
    ck_assert_uint_eq(found[0].value, 77);
    ck_assert_uint_eq(records, 3);
    put(at + HEADER + RECORD, 0, 4); /* type 0 is not one either */
    read_area(area, length, 70);
    expect_one(DBI_UNKNOWN_TYPE, 0, 3);
    put_slot(area, 0, 4);
    put(at + HEADER + 3 * RECORD, 17, 4); /* a type whose body is longer than what is left */
    read_area(area, length, 70);
    expect_one(DBI_CUT_RECORD, 0, 1);
    ck_assert_uint_eq(records, 5);
    free(area);
}
END_TEST

/* Whatever is cut off, the records before it count, and that some are missing is said. */
START_TEST(an_area_cut_at_every_byte)
{
    const size_t stride = SLOT_BYTES + GAP;
    unsigned char *area = make_area(2);

    put_slot(area, 0, 3);
    put_slot(area, 1, 2);
    for (size_t length = 0; length <= stride + HEADER + 2 * RECORD; length++) {
        const size_t first = length < HEADER ? 0 : (length - HEADER) / RECORD;
        const size_t second = length < stride + HEADER ? 0 : (length - stride - HEADER) / RECORD;
        const uint64_t wanted = (first > 3 ? 3 : first) + (second > 2 ? 2 : second);
        const bool in_first = length > 0 && length < HEADER + 3 * RECORD;
        const bool in_second = length > stride && wanted < 5;
        read_area(area, length, 64);
        ck_assert_uint_eq(records, wanted);
        ck_assert_uint_eq(found_count, in_first || in_second);
        if (found_count > 0) {
            ck_assert_int_eq(found[0].problem, DBI_CUT_FILE);
            ck_assert_uint_le(found[0].offset, length);
        }
    }
    free(area);
}
END_TEST

/* ---- packets ---- */

/* A packet of a slot; returns its length. */
static size_t put_packet(unsigned char *at, uint32_t slot, uint64_t count, uint64_t length,
                         uint64_t overflow)
{
    put(at, 3, 4);
    put(at + 4, 28 + length, 4);
    put(at + 8, count, 8);
    put(at + 16, length, 8);
    put(at + 24, overflow, 8);
    put(at + 32, slot, 2);
    at[34] = 0;
    at[35] = 0;
    return (size_t) (36 + length);
}

static size_t put_good_packet(unsigned char *at, uint32_t slot, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        put_record(at + 36 + i * RECORD, i);
    }
    return put_packet(at, slot, count, count * RECORD, 0);
}

/* The packet that closes a kernel: a directory's name. */
static size_t put_end(unsigned char *at)
{
    const size_t length = put_packet(at, 0, 0, 5, 0);

    at[34] = 1;
    memcpy(at + 36, "/dump", 5);
    return length;
}

START_TEST(packets_in_pieces_of_any_size)
{
    unsigned char bytes[2048];
    size_t length = put_good_packet(bytes, 7, 3);

    put(bytes + length, 20, 4); /* of another kind */
    put(bytes + length + 4, 6, 4);
    length += 14;
    length += put_good_packet(bytes + length, 2, 5);
    length += put_end(bytes + length);
    for (size_t piece = 1; piece < 300; piece++) {
        read_packets(bytes, length, piece);
        expect_one(DBI_OTHER_PACKET, UINT32_MAX, 0);
        ck_assert_uint_eq(records, 8);
        ck_assert_uint_eq(records_by_slot[7], 3);
        ck_assert_uint_eq(records_by_slot[2], 5);
    }
}
END_TEST

START_TEST(damaged_packets)
{
    unsigned char bytes[2048] = { 0 };
    size_t length = put_packet(bytes, 1, 1, 8, 0); /* V20: a record's header only */

    put(bytes + 36, 3, 4);
    put(bytes + 40, MAGIC, 4);
    read_packets(bytes, length, 64);
    expect_one(DBI_CUT_RECORD, 1, 1);
    length = put_good_packet(bytes, 1, 1);
    put(bytes + 36, 0, 4);
    read_packets(bytes, length, 64);
    expect_one(DBI_UNKNOWN_TYPE, 1, 1);
    length = put_packet(bytes, 1, 1, 3, 0); /* stray bytes */
    read_packets(bytes, length, 64);
    expect_one(DBI_CUT_RECORD, 1, 1);
    length = put_good_packet(bytes, 1, 2);
    put(bytes + 16, 5,
        8); /* the lengths contradict each other: the next packet is found nevertheless */
    length += put_good_packet(bytes + length, 2, 1);
    read_packets(bytes, length, 64);
    expect_one(DBI_BAD_PACKET, 1, 2);
    ck_assert_uint_eq(records, 1);
    length = put_good_packet(bytes, 108, 1);
    read_packets(bytes, length, 64);
    expect_one(DBI_BEYOND, 108, RECORD);
    length = put_good_packet(bytes, 4, 2);
    put(bytes + 24, 9, 8);
    read_packets(bytes, length, 64);
    expect_one(DBI_OVERFLOWED, 4, 9);
    ck_assert_uint_eq(records, 2);
}
END_TEST

/* V20: a result of 128 rows. */
START_TEST(a_result_in_a_packet)
{
    unsigned char bytes[256] = { 0 };
    unsigned char *body = bytes + 36 + 8;
    const size_t length = put_packet(bytes, 0, 1, 68, 0);

    put(bytes + 36, 10, 4);
    put(bytes + 40, MAGIC, 4);
    put(body + 38, 256, 2);
    put(body + 40, 128, 2);
    put(body + 44, 1, 2);
    put(body + 50, 32, 2);
    body[56] = 1;
    read_packets(bytes, length, 64);
    ck_assert_uint_eq(found_count, 0);
    ck_assert_uint_eq(records, 1);
}
END_TEST

START_TEST(packets_cut_at_every_byte)
{
    unsigned char bytes[1024];
    const size_t first = put_good_packet(bytes, 0, 2);
    const size_t all = first + put_good_packet(bytes + first, 1, 1);

    for (size_t length = 0; length <= all; length++) {
        const size_t one = length < 36 ? 0 : (length - 36) / RECORD;
        const size_t two = length < first + 36 ? 0 : (length - first - 36) / RECORD;
        read_packets(bytes, length, 50);
        ck_assert_uint_eq(records, (one > 2 ? 2 : one) + two);
        ck_assert_uint_eq(found_count, length != 0 && length != first && length != all);
    }
}
END_TEST

/* ---- sums ---- */

static void add(Moves *moves, uint32_t slot, unsigned from, unsigned to, uint64_t bytes)
{
    const DbiRun run = { .src_bytes = bytes,
                         .dst_bytes = bytes,
                         .count = 1,
                         .from = (uint8_t) from,
                         .to = (uint8_t) to };

    MovesAdd(moves, slot, 0, &run);
}

static void expect_path(const Moves *moves, uint32_t slot, const char *name, uint64_t requests,
                        uint64_t bytes)
{
    for (uint32_t i = 0; i < moves->paths->count; i++) {
        if (strcmp(moves->paths->list[i].name, name) == 0) {
            ck_assert_uint_eq(moves->sums[slot].requests[i], requests);
            ck_assert_uint_eq(moves->sums[slot].bytes[i], bytes);
            return;
        }
    }
    ck_abort_msg("there is no path '%s'", name);
}

/* V21 */
START_TEST(volumes_by_core_and_path)
{
    OpprofChip *a5 = NULL;
    DbiTables own;
    MovePaths paths;
    Moves moves;

    ck_assert_int_eq(OpprofChipLoad("950", &a5, NULL), OPPROF_OK);
    ck_assert_int_eq(DbiTablesLoad(a5, &own, NULL), OPPROF_OK);
    ck_assert_int_eq(MovePathsLoad(a5, &own, &paths, NULL), OPPROF_OK);
    ck_assert(MovesInit(&moves, &paths, own.area.slots));
    add(&moves, 0, GM, REG, 1024);
    add(&moves, 1, UB, L1, 512);
    add(&moves, 2, L1, UB, 256);
    add(&moves, 0, REG, GM, 768);
    expect_path(&moves, 0, "GM_TO_DCACHE", 8, 1024);
    expect_path(&moves, 0, "DCACHE_TO_VEC", 8, 1024);
    expect_path(&moves, 0, "VEC_TO_DCACHE", 6, 768);
    expect_path(&moves, 0, "DCACHE_TO_GM", 6, 768);
    expect_path(&moves, 0, "L1_TO_UB", 1, 256);
    expect_path(&moves, 1, "UB_TO_L1", 4, 512);
    expect_path(&moves, 2, "L1_TO_UB", 1, 256);
    expect_path(&moves, 1, "L1_TO_UB", 0, 0);
    add(&moves, 0, GM, REG, UINT64_MAX); /* sums stay below "absent" */
    expect_path(&moves, 0, "GM_TO_DCACHE", 8 + (UINT64_C(1) << 57), UINT64_MAX - 1);
    MovesFinish(&moves);
    DbiTablesFinish(&own);
    OpprofChipFree(a5);
}
END_TEST

START_TEST(a_chart_holds_one_access_a_record)
{
    unsigned char bytes[56] = { 0 };
    DbiChartAccess access;

    put(bytes, 0x1000, 8);
    put(bytes + 8, 0x2000, 8);
    put(bytes + 16, 40, 8);
    put(bytes + 24, 64, 8);
    put(bytes + 32, 0x4c, 8);
    put(bytes + 48, 5, 2);
    put(bytes + 50, 1, 2);
    bytes[52] = GM;
    bytes[53] = L1;
    DbiChartRead(&tables, bytes, &access);
    ck_assert_uint_eq(access.run.src, 0x1000);
    ck_assert_uint_eq(access.run.dst, 0x2000);
    ck_assert_uint_eq(access.run.src_bytes, 40);
    ck_assert_uint_eq(access.run.dst_bytes, 64);
    ck_assert_uint_eq(access.run.count, 1);
    ck_assert_uint_eq(access.pc, 0x4c);
    ck_assert_uint_eq(access.slot, 5);
    ck_assert_uint_eq(access.sub_block, 1);
    ck_assert_uint_eq(access.run.from, GM);
    ck_assert_uint_eq(access.run.to, L1);
    bytes[53] = 9;
    DbiChartRead(&tables, bytes, &access);
    ck_assert_uint_eq(access.run.to, DBI_NO_MEMORY);
}
END_TEST

static Suite *slots_suite(void)
{
    Suite *suite = suite_create("slots");
    TCase *tcase = tcase_create("slots");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, slots_at_their_places_in_pieces_of_any_size);
    tcase_add_test(tcase, all_slots_full);
    tcase_add_test(tcase, overflow_tells_what_was_lost);
    tcase_add_test(tcase, counts_that_lie);
    tcase_add_test(tcase, damaged_records_end_their_slot);
    tcase_add_test(tcase, an_area_cut_at_every_byte);
    tcase_add_test(tcase, packets_in_pieces_of_any_size);
    tcase_add_test(tcase, damaged_packets);
    tcase_add_test(tcase, a_result_in_a_packet);
    tcase_add_test(tcase, packets_cut_at_every_byte);
    tcase_add_test(tcase, volumes_by_core_and_path);
    tcase_add_test(tcase, a_chart_holds_one_access_a_record);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(slots_suite)
