/* SPDX-License-Identifier: Apache-2.0 */
/* Bandwidth that follows from what memory engines did. */
#include "plugins/analyse-sim/bandwidth/bandwidth.h"

#include "tests/core/suites.h"
#include <check.h>
#include <opprof/record.h>
#include <stdlib.h>

#define NA OPPROF_NA_U64

static void add(Bandwidth *bandwidth, uint64_t ns, const char *unit, bool is_write,
                uint64_t instruction, uint64_t request, uint64_t size)
{
    const BandwidthEvent event = { .time_ns = ns,
                                   .instruction = instruction,
                                   .request = request,
                                   .size = size,
                                   .unit = unit,
                                   .is_write = is_write };

    ck_assert(BandwidthAdd(bandwidth, &event));
}

static void check_bin(const BandwidthBin *bin, uint64_t number,
                      const uint64_t bytes[BANDWIDTH_CURVES])
{
    ck_assert_uint_eq(bin->bin, number);
    for (uint32_t i = 0; i < BANDWIDTH_CURVES; i++) {
        ck_assert_uint_eq(bin->bytes[i], bytes[i]);
    }
}

START_TEST(bytes_count_in_the_bin_of_the_latest_event)
{
    Bandwidth *bandwidth = BandwidthCreate(0);
    const BandwidthBin *bins;
    size_t count;

    add(bandwidth, 12100, "B", false, 1, 1, 128);
    add(bandwidth, 12000, "L1", true, 1, NA, NA);
    add(bandwidth, 3000, "B", false, 2, 1, NA);
    add(bandwidth, 12900, "B", false, 2, 1, 128);
    add(bandwidth, 12000, "UB1", true, 2, NA, NA);
    add(bandwidth, 13000, "L1", true, 2, NA, NA);
    add(bandwidth, 18530, "B", true, 3, 9, 256);
    add(bandwidth, 18000, "UB0", false, 3, NA, NA);
    ck_assert(BandwidthEnd(bandwidth));
    bins = BandwidthBins(bandwidth, &count);
    ck_assert_uint_eq(count, 2);
    check_bin(&bins[0], 12, (const uint64_t[]){ 128, 128, 256, 0, 0, 0 });
    check_bin(&bins[1], 18, (const uint64_t[]){ 0, 0, 0, 256, 0, 256 });
    ck_assert_double_eq(BandwidthRate(128), 122.0703125);
    ck_assert_double_eq(BandwidthRate(256), 244.140625);
    BandwidthDestroy(bandwidth);
}
END_TEST

START_TEST(requests_of_both_kinds_count_in_both_directions)
{
    Bandwidth *bandwidth = BandwidthCreate(0);
    const BandwidthBin *bins;
    size_t count;

    add(bandwidth, 500, "B", false, 1, 7, 128);
    add(bandwidth, 500, "B", true, 1, 7, 32);
    add(bandwidth, 500, "UB", true, 1, NA, NA);
    add(bandwidth, 500, "B", true, 2, 1, 256);
    add(bandwidth, 500, "B", false, 2, 2, 512);
    add(bandwidth, 500, "L1", false, 2, NA, NA);
    add(bandwidth, 500, "B", true, 3, 1, 3);
    add(bandwidth, 500, "B", false, 3, 2, 5);
    ck_assert(BandwidthEnd(bandwidth));
    bins = BandwidthBins(bandwidth, &count);
    ck_assert_uint_eq(count, 1);
    check_bin(&bins[0], 0, (const uint64_t[]){ 128, 512, 128 + 512 + 5, 32, 256, 32 + 256 + 3 });
    BandwidthDestroy(bandwidth);
}
END_TEST

START_TEST(instructions_without_a_type_count_in_the_totals)
{
    Bandwidth *bandwidth = BandwidthCreate(0);
    const BandwidthBin *bins;
    size_t count;

    add(bandwidth, 500, "B", false, 1, 1, 10);
    add(bandwidth, 500, "B", true, 2, 1, 20);
    add(bandwidth, 500, "B", true, 3, 1, 40);
    add(bandwidth, 500, "other", true, 3, NA, NA);
    add(bandwidth, 500, "L1", true, 4, NA, NA);
    add(bandwidth, 500, "B", false, 5, NA, 1000);
    add(bandwidth, 60000001000, "B", false, 6, 1, 1000);
    ck_assert(BandwidthEnd(bandwidth));
    bins = BandwidthBins(bandwidth, &count);
    ck_assert_uint_eq(count, 1);
    check_bin(&bins[0], 0, (const uint64_t[]){ 0, 0, 50, 0, 0, 20 });
    ck_assert_uint_eq(BandwidthTooLate(bandwidth), 1);
    BandwidthDestroy(bandwidth);
}
END_TEST

START_TEST(ticks_become_microseconds_with_three_decimals)
{
    ck_assert_uint_eq(BandwidthNanoseconds(19689, 1650000000), 11933);
    ck_assert_uint_eq(BandwidthNanoseconds(24183, 1650000000) / 1000, 14);
    ck_assert_uint_eq(BandwidthNanoseconds(UINT64_MAX, 1), UINT64_MAX);
}
END_TEST

START_TEST(memory_does_not_grow_with_the_number_of_requests)
{
    Bandwidth *bandwidth = BandwidthCreate(64);
    const BandwidthBin *bins;
    uint64_t bytes = 0;
    size_t count;

    for (uint64_t i = 0; i < 20000; i++) {
        add(bandwidth, i * 10, "B", false, i / 3, i, 2);
        add(bandwidth, i * 10 + 5, "UB", true, i / 3, NA, NA);
    }
    for (uint64_t i = 0; i < 1000; i++) {
        add(bandwidth, i * 10, "B", false, 7, i, 2); /* more of one instruction than fit */
    }
    ck_assert(BandwidthEnd(bandwidth));
    bins = BandwidthBins(bandwidth, &count);
    for (size_t i = 0; i < count; i++) {
        bytes += bins[i].bytes[GM_TO_TOTAL];
        ck_assert(i == 0 || bins[i - 1].bin < bins[i].bin);
    }
    ck_assert_uint_eq(bytes, 42000);
    ck_assert_uint_gt(BandwidthLetGo(bandwidth), 0);
    BandwidthDestroy(bandwidth);
}
END_TEST

static Suite *bandwidth_suite(void)
{
    Suite *suite = suite_create("bandwidth");
    TCase *tests = tcase_create("parse-mte");

    tcase_add_test(tests, bytes_count_in_the_bin_of_the_latest_event);
    tcase_add_test(tests, requests_of_both_kinds_count_in_both_directions);
    tcase_add_test(tests, instructions_without_a_type_count_in_the_totals);
    tcase_add_test(tests, ticks_become_microseconds_with_three_decimals);
    tcase_add_test(tests, memory_does_not_grow_with_the_number_of_requests);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(bandwidth_suite)
