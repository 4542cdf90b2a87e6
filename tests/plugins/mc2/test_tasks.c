/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of streams, turns of the AI CPU and communication tasks, as raw records hold them. */
#include "plugins/mc2/aicpu.h"
#include "plugins/mc2/task_log.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>

static OpprofChip *chip;
static Mc2Facts facts;
static TaskLog task_log;

static void setup(void)
{
    setenv("OPPROF_CHIP_PATH", TEST_SOURCE_DIR "/chips", 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", TEST_FACT_PATH, 1);
    ck_assert_int_eq(OpprofChipLoad("Ascend910B1", &chip, NULL), OPPROF_OK);
    ck_assert_int_eq(Mc2FactsLoad(chip, &facts, NULL), OPPROF_OK);
    task_log = (TaskLog){ .layout = &facts.log };
}

static void teardown(void)
{
    TaskLogFinish(&task_log);
    OpprofChipFree(chip);
}

static void put(unsigned char *at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        at[i] = (unsigned char) (value >> (8 * i));
    }
}

static void add(uint32_t type, uint32_t function, uint32_t stream, uint32_t task, uint64_t time)
{
    unsigned char record[64] = { 0 };

    put(record, type << 10 | function, 2);
    put(record + 4, stream, 2);
    put(record + 6, task, 2);
    put(record + 8, time, 8);
    ck_assert(TaskLogRecords(&task_log, record, 1));
}

START_TEST(streams_and_tasks_are_normalised)
{
    static const struct {
        uint32_t stream, task, wanted_stream, wanted_task;
    } cases[] = {
        { 0x1005, 0x0234, 5, 0x0234 },
        { 0x2a03, 0x5007, 7, 0x5a03 },
        { 0x0835, 9, 0x35, 9 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t stream = cases[i].stream;
        uint32_t task = cases[i].task;
        TaskNormalise(&stream, &task);
        ck_assert_uint_eq(stream, cases[i].wanted_stream);
        ck_assert_uint_eq(task, cases[i].wanted_task);
    }
}
END_TEST

START_TEST(a_record_has_type_function_stream_task_and_time)
{
    static const unsigned char bytes[64] = { 0x01, 0x2c, 0, 0, 0x35, 0x00, 0x05, 0x00,
                                             0x08, 0x07, 0, 0, 0,    0,    0,    0 };

    ck_assert_uint_eq(OpprofRecordBitsGet(&facts.log.task_type, bytes), 11);
    ck_assert_str_eq(TaskTypeName(11), "SDMA_SQE");
    ck_assert_uint_eq(OpprofRecordBitsGet(&facts.log.function, bytes), 1);
    ck_assert_uint_eq(OpprofRecordBitsGet(&facts.log.stream, bytes), 53);
    ck_assert_uint_eq(OpprofRecordBitsGet(&facts.log.task, bytes), 5);
    ck_assert_uint_eq(OpprofRecordBitsGet(&facts.log.time, bytes), 1800);
    ck_assert_ptr_null(TaskTypeName(21));
}
END_TEST

START_TEST(starts_and_ends_are_paired_by_task_and_stream)
{
    add(11, 0, 53, 5, 1300);
    add(7, 0, 53, 3, 1310);
    add(11, 1, 53, 5, 1800);
    add(7, 1, 53, 3, 1400);
    add(11, 2, 53, 3, 1500); /* another function: normal */
    TaskLogEnd(&task_log);
    ck_assert_uint_eq(task_log.time_count, 2);
    ck_assert_uint_eq(task_log.times[0].start, 1300);
    ck_assert_uint_eq(task_log.times[0].end, 1800);
    ck_assert_uint_eq(task_log.times[1].type, 7);
    ck_assert_uint_eq(task_log.counts.other, 1);
    ck_assert_uint_eq(task_log.counts.without_end + task_log.counts.without_start, 0);
}
END_TEST

START_TEST(a_number_used_twice_gives_two_spans)
{
    add(11, 0, 53, 5, 100);
    add(11, 1, 53, 5, 200);
    add(11, 0, 53, 5, 300);
    add(11, 1, 53, 5, 450);
    ck_assert_uint_eq(task_log.time_count, 2);
    ck_assert_uint_eq(TaskLogTake(&task_log, 53, 0x10005)->start, 100); /* low 16 bits count */
    ck_assert_uint_eq(TaskLogTake(&task_log, 53, 5)->end, 450);
    ck_assert_ptr_null(TaskLogTake(&task_log, 53, 5));
    ck_assert_ptr_null(TaskLogTake(&task_log, 53, 6));
}
END_TEST

START_TEST(halves_repeated_starts_and_time_that_runs_back_are_counted)
{
    add(11, 1, 1, 1, 100); /* end without start */
    add(11, 0, 1, 2, 100); /* start without end */
    add(11, 0, 1, 3, 100);
    add(11, 0, 1, 3, 200); /* again: the later one counts */
    add(11, 1, 1, 3, 300);
    add(11, 0, 1, 4, 300);
    add(11, 1, 1, 4, 200); /* backwards */
    add(11, 0, 1, 4, 400);
    add(11, 1, 1, 4, 500); /* the next pair counts */
    add(11, 0, 1, 5, 0);   /* no time */
    TaskLogEnd(&task_log);
    ck_assert_uint_eq(task_log.counts.without_start, 1);
    ck_assert_uint_eq(task_log.counts.without_end, 1);
    ck_assert_uint_eq(task_log.counts.repeated, 1);
    ck_assert_uint_eq(task_log.counts.backwards, 1);
    ck_assert_uint_eq(task_log.counts.timeless, 1);
    ck_assert_uint_eq(task_log.time_count, 2);
    ck_assert_uint_eq(task_log.times[0].start, 200);
    ck_assert_uint_eq(task_log.times[1].start, 400);
}
END_TEST

START_TEST(the_launch_is_found_by_its_stream_and_task)
{
    add(1, 0, 4, 1, 1000); /* AI CPU of an earlier launch */
    add(0, 0, 3, 2, 1100);
    add(0, 1, 3, 2, 1900);
    add(1, 0, 4, 6, 2000);
    add(0, 0, 3, 7, 2100);
    add(0, 1, 3, 7, 2800);
    add(1, 0, 4, 8, 3000);
    const LaunchStart first = TaskLogLaunch(&task_log, true, 3, 2);
    ck_assert_uint_eq(first.cores, 1100);
    ck_assert_uint_eq(first.cpu, 1000);
    ck_assert_uint_eq(first.core_end, 1900);
    const LaunchStart second = TaskLogLaunch(&task_log, true, 3, 7);
    ck_assert_uint_eq(second.cores, 2100);
    ck_assert_uint_eq(second.cpu, 2000);
    ck_assert_uint_eq(TaskLogLaunch(&task_log, false, 0, 0).cores, 2100);
    ck_assert_uint_eq(TaskLogLaunch(&task_log, true, 9, 9).cores, 2100);
}
END_TEST

/* ---- reports of the AI CPU ---- */

static void report_head(unsigned char record[256], uint32_t type, uint32_t length)
{
    memset(record, 0, 256);
    put(record, 0x5a5a, 2);
    put(record + 2, 6000, 2);
    put(record + 4, type, 4);
    put(record + 12, length, 4);
}

static void put_task(unsigned char *slot, uint64_t item, uint64_t group, uint32_t task)
{
    put(slot, item, 8);
    put(slot + 16, group, 8);
    put(slot + 24, 1, 4);
    put(slot + 28, 2, 4);
    put(slot + 40, 77, 8);
    put(slot + 80, 4096, 8);
    put(slot + 88, task, 4);
    put(slot + 96, 53, 2);
    put(slot + 98, 3, 2);
    slot[101] = 4;
    slot[102] = 1;
    slot[103] = 2;
}

START_TEST(a_turn_has_seven_borders)
{
    unsigned char record[256];
    AicpuReport report;

    report_head(record, 4, 80);
    for (uint32_t i = 0; i < 7; i++) {
        put(record + 24 + 8 * (size_t) i, 1000 + 100 * i, 8);
    }
    put(record + 24 + 68, 60, 2);
    put(record + 24 + 70, 100, 2);
    record[24 + 73] = 9;
    record[24 + 74] = 2;
    AicpuRead(record, &report);
    ck_assert_int_eq(report.kind, AICPU_TURN);
    ck_assert_uint_eq(report.turn.times[6], 1600);
    ck_assert_uint_eq(report.turn.stream, 60);
    ck_assert_uint_eq(report.turn.task, 100);
    ck_assert_uint_eq(report.turn.turn, 2);
    ck_assert_str_eq(TurnPhase(5)->name, "Finalize");
}
END_TEST

START_TEST(the_second_slot_counts_without_the_first)
{
    unsigned char record[256];
    AicpuReport report;

    report_head(record, 13, 232);
    put_task(record + 24, 1, 0, 8); /* empty: it has no group */
    put_task(record + 24 + 116, UINT64_C(0xab44b101f36f4b07), 5, 0x10009);
    AicpuRead(record, &report);
    ck_assert_int_eq(report.kind, AICPU_TASKS);
    ck_assert_uint_eq(report.task_count, 1);
    const CommTask *task = &report.tasks[0];
    ck_assert_uint_eq(task->task, 0x10009);
    ck_assert_uint_eq(task->stream, 53);
    ck_assert_uint_eq(task->plane, 3);
    ck_assert_uint_eq(task->notify, 77);
    ck_assert_uint_eq(task->bytes, 4096);
    ck_assert_str_eq(TaskNameFind(task->item)->name, "Notify_Wait");
    ck_assert_str_eq(DataTypeName(task->data_type), "FP32");
    ck_assert_str_eq(LinkName(task->link), "HCCS");
    ck_assert_str_eq(TransportName(task->transport), "LOCAL");
    ck_assert_str_eq(TransportName(3), "INVALID_TYPE");
    ck_assert_str_eq(TaskNameFind(1)->name, "INVALID_TYPE");
}
END_TEST

START_TEST(a_slot_beyond_the_length_is_not_there)
{
    unsigned char record[256];
    AicpuReport report;

    report_head(record, 13, 116);
    put_task(record + 24, 1, 5, 8);
    put_task(record + 24 + 116, 1, 5, 9);
    AicpuRead(record, &report);
    ck_assert_uint_eq(report.task_count, 1);
}
END_TEST

START_TEST(wrong_magic_and_length_are_bad)
{
    unsigned char record[256];
    AicpuReport report;

    report_head(record, 13, 232);
    record[0] = 0;
    AicpuRead(record, &report);
    ck_assert_int_eq(report.kind, AICPU_BAD);
    report_head(record, 13, 100);
    AicpuRead(record, &report);
    ck_assert_int_eq(report.kind, AICPU_BAD);
    report_head(record, 4, 233);
    AicpuRead(record, &report);
    ck_assert_int_eq(report.kind, AICPU_BAD);
    report_head(record, 12, 0); /* a report of something else */
    AicpuRead(record, &report);
    ck_assert_int_eq(report.kind, AICPU_OTHER);
}
END_TEST

static Suite *tasks_suite(void)
{
    Suite *suite = suite_create("tasks");
    TCase *tasks = tcase_create("log");
    TCase *reports = tcase_create("reports");

    tcase_add_checked_fixture(tasks, setup, teardown);
    tcase_add_test(tasks, streams_and_tasks_are_normalised);
    tcase_add_test(tasks, a_record_has_type_function_stream_task_and_time);
    tcase_add_test(tasks, starts_and_ends_are_paired_by_task_and_stream);
    tcase_add_test(tasks, a_number_used_twice_gives_two_spans);
    tcase_add_test(tasks, halves_repeated_starts_and_time_that_runs_back_are_counted);
    tcase_add_test(tasks, the_launch_is_found_by_its_stream_and_task);
    tcase_add_test(reports, a_turn_has_seven_borders);
    tcase_add_test(reports, the_second_slot_counts_without_the_first);
    tcase_add_test(reports, a_slot_beyond_the_length_is_not_there);
    tcase_add_test(reports, wrong_magic_and_length_are_bad);
    suite_add_tcase(suite, tasks);
    suite_add_tcase(suite, reports);
    return suite;
}
TEST_SUITE(tasks_suite)
