/* SPDX-License-Identifier: Apache-2.0 */
/* Records of the two monitors, and the compiler's notes on marked instructions. */
#include "plugins/mc2/monitor.h"
#include "plugins/mc2/region_map.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(two_values_of_12_bits_are_in_three_bytes)
{
    static const unsigned char bytes[] = { 0x01, 0x00, 0x10 };
    uint16_t low = 0;
    uint16_t high = 0;

    MonitorPair(bytes, &low, &high);
    ck_assert_uint_eq(low, 1);
    ck_assert_uint_eq(high, 256);
}
END_TEST

START_TEST(cycles_have_pipes_and_a_time)
{
    static const unsigned char bytes[MONITOR_BYTES] = {
        0x05, 0x70, 0x00, 0x09, 0x10, 0x00, 0x02, 0x30, 0x00, 0x00, 0x30, 0x12, 0x56, 0x04, 0x00, 0,
        0,    0,    0,    0,    0,    0x89, 0x07, 0x00, 0,    0,    0,    0,    0,    0,    0,    0
    };
    static const uint16_t wanted[MONITOR_PIPES] = { 5, 7, 9, 1, 2, 3 };
    MonitorCycles cycles;

    MonitorReadCycles(bytes, &cycles);
    for (uint32_t i = 0; i < MONITOR_PIPES; i++) {
        ck_assert_uint_eq(cycles.values[i], wanted[i]);
    }
    ck_assert_uint_eq(cycles.timestamp, 0x789456123);
    ck_assert_str_eq(monitor_pipes[0], "Vector");
}
END_TEST

START_TEST(flow_has_commands_latencies_and_fluxes)
{
    unsigned char bytes[MONITOR_BYTES] = { 1, 0, 2, 0, 3, 0, 1, 4, 0, 0, 5, 0, 0, 6, 0,  0,
                                           7, 0, 0, 8, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 10, 0 };
    MonitorFlow flow;

    MonitorReadFlow(bytes, &flow);
    ck_assert_uint_eq(flow.read_commands, 1);
    ck_assert_uint_eq(flow.write_commands, 2);
    ck_assert_uint_eq(flow.read_latency, 65539);
    ck_assert_uint_eq(flow.write_latency, 4);
    ck_assert_uint_eq(flow.read_flux, 5);
    ck_assert_uint_eq(flow.write_flux_l2, 8);
    ck_assert_uint_eq(flow.timestamp, 9);
    ck_assert_uint_eq(flow.l2_hit, 10);
    ck_assert_uint_eq(MonitorFlowValue(&flow, 2), 5);
    ck_assert_str_eq(monitor_flows[2], "Bandwidth Read");
}
END_TEST

START_TEST(counters_wrap)
{
    ck_assert_uint_eq(MonitorDelta(4095, 0), 1);
    ck_assert_uint_eq(MonitorDelta(0, 4095), 4095);
    ck_assert_uint_eq(MonitorDelta(7, 7), 0);
}
END_TEST

START_TEST(pieces_are_put_together)
{
    const BiuPieces pieces = { .at = { 32, 48, 64, 80 }, .count = 4 };
    const BiuPieces none = { .count = 0 };
    unsigned char record[96];
    unsigned char bytes[MONITOR_BYTES];

    for (size_t i = 0; i < sizeof record; i++) {
        record[i] = (unsigned char) i;
    }
    ck_assert(MonitorGather(&pieces, record, bytes));
    ck_assert_uint_eq(bytes[0], 32);
    ck_assert_uint_eq(bytes[8], 48);
    ck_assert_uint_eq(bytes[31], 87);
    ck_assert(!MonitorGather(&none, record, bytes));
}
END_TEST

START_TEST(units_have_numbers)
{
    uint32_t process = 9;

    ck_assert_uint_eq(MonitorFlowProcess(1), 8);
    ck_assert(MonitorCyclesProcess(1, 1, &process) && process == 5);
    ck_assert(MonitorCyclesProcess(26, 1, &process) && process == 7);
    ck_assert(MonitorCyclesProcess(27, 1, &process) && process == 6);
    ck_assert(!MonitorCyclesProcess(-1, 1, &process) && process == 0);
    ck_assert_uint_eq(MonitorCoreId(MONITOR_CUBE, 3), 3);
    ck_assert_uint_eq(MonitorCoreId(MONITOR_VECTOR_0, 1), 27);
    ck_assert_uint_eq(MonitorCoreId(MONITOR_VECTOR_1, 0), 26);
}
END_TEST

static void add_line(RegionMap *map, const char *line)
{
    ck_assert(RegionMapLine(map, line, strlen(line), 0x10000));
}

START_TEST(the_compiler_notes_where_its_marks_are)
{
    RegionMap map = { .count = 0 };

    add_line(&map, "region_id=100,pipe=FIXP,some_info,pc=0x1000,opcode=add_op");
    add_line(&map, "region_id=200,pipe=cube,some_info,pc=0x2000,opcode=mul_op");
    add_line(&map, "region_id=300,pipe=invalid,some_info,pc=0x3000,opcode=x");
    add_line(&map, "nothing of that form");
    add_line(&map, "region_id=12345,pipe=CUBE,pc=0x1,opcode=x");
    add_line(&map, "");
    ck_assert_uint_eq(map.count, 2);
    ck_assert_uint_eq(map.skipped, 3);
    const Region *fixp = RegionMapFind(&map, 6, 100);
    ck_assert_ptr_nonnull(fixp);
    ck_assert_uint_eq(fixp->pc, 0x11000);
    ck_assert_str_eq(fixp->opcode, "add_op");
    const Region *cube = RegionMapFind(&map, 2, 200);
    ck_assert_ptr_nonnull(cube);
    ck_assert_uint_eq(cube->pc, 0x12000);
    ck_assert_str_eq(cube->opcode, "mul_op");
    ck_assert_ptr_null(RegionMapFind(&map, 2, 100));
    RegionMapFinish(&map);
}
END_TEST

START_TEST(the_compiler_says_when_its_marks_are_used_up)
{
    static const char line[] = "x TUNE-ERROR: all dfx ids consumed [pipe=MTE2] y";
    uint32_t pipe = 0;

    ck_assert(RegionTuneLine(line, strlen(line), &pipe));
    ck_assert_uint_eq(pipe, 4);
    for (size_t length = 0; length < strlen(line) - 2; length++) {
        ck_assert(!RegionTuneLine(line, length, &pipe) || length >= strlen(line) - 2);
    }
    ck_assert(!RegionTuneLine("[pipe=MTE2]", 11, &pipe));
}
END_TEST

static Suite *monitor_suite(void)
{
    Suite *suite = suite_create("monitor");
    TCase *tests = tcase_create("monitor");

    tcase_add_test(tests, two_values_of_12_bits_are_in_three_bytes);
    tcase_add_test(tests, cycles_have_pipes_and_a_time);
    tcase_add_test(tests, flow_has_commands_latencies_and_fluxes);
    tcase_add_test(tests, counters_wrap);
    tcase_add_test(tests, pieces_are_put_together);
    tcase_add_test(tests, units_have_numbers);
    tcase_add_test(tests, the_compiler_notes_where_its_marks_are);
    tcase_add_test(tests, the_compiler_says_when_its_marks_are_used_up);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(monitor_suite)
