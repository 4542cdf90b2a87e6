/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/collect-sim/collect_sim.c. */
#include "tests/core/suites.h"
#include "tests/plugins/collect-sim/harness.h"
#include "tests/plugins/collect-sim/scratch.h"
#include "tests/tools/dump.h"
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DATA TEST_DATA_DIR "/sim/"

static Collected *collect(const char *directory, const char *chip, const char *more)
{
    char params[8192];

    snprintf(params, sizeof params, "{\"dump\":\"%s\",\"chip\":\"%s\"%s%s}", directory, chip,
             more[0] != '\0' ? "," : "", more);
    return CollectSim(params);
}

/* Columns core, pc, id, start, end, pipe, name, detail, warp, sch of the reference's table. */
static char *expected_line(char *line)
{
    char *columns[32] = { line };
    size_t count = 1;
    char *made;

    line[strcspn(line, "\n")] = '\0';
    for (char *at = line; *at != '\0'; at++) {
        if (*at == '\t') {
            *at = '\0';
            ck_assert_uint_lt(count, 32);
            columns[count++] = at + 1;
        }
    }
    ck_assert_uint_eq(count, 17);
    ck_assert_int_gt(asprintf(&made, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", columns[0],
                              columns[1], columns[2], columns[3], columns[4], columns[5],
                              columns[6], columns[16], columns[12], columns[13]),
                     0);
    return made;
}

static TextList read_expected(const char *name)
{
    TextList list = { .count = 0 };
    char path[1024];
    char *line = NULL;
    size_t room = 0;
    FILE *file;

    snprintf(path, sizeof path, DATA "expected/%s/rows.tsv", name);
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_gt(getline(&line, &room, file), 0); /* headings */
    while (getline(&line, &room, file) > 0) {
        char *made = expected_line(line);

        TextListAdd(&list, made);
        free(made);
    }
    free(line);
    fclose(file);
    return list;
}

static void compare(TextList *got, TextList *expected)
{
    TextListSort(got);
    TextListSort(expected);
    for (size_t i = 0; i < got->count && i < expected->count; i++) {
        ck_assert_str_eq(got->lines[i], expected->lines[i]);
    }
    ck_assert_uint_eq(got->count, expected->count);
}

static void expect_read(const Collected *collected, int outcome)
{
    ck_assert_ptr_null(collected->error);
    ck_assert_int_eq(collected->status, OPPROF_OK);
    ck_assert_int_eq(collected->outcome, outcome);
    ck_assert_uint_eq(collected->out_of_order, 0);
    ck_assert_uint_eq(collected->wrong_clock, 0);
}

static void expect_sound(const Collected *collected)
{
    expect_read(collected, OPPROF_RUN_COMPLETE);
}

/* They are read, and not called whole. */
static void expect_incomplete(const Collected *collected, const char *reason)
{
    ck_assert_ptr_null(collected->error);
    ck_assert_int_eq(collected->status, OPPROF_OK);
    ck_assert_int_eq(collected->outcome, OPPROF_RUN_INCOMPLETE);
    ck_assert_ptr_nonnull(strstr(collected->reason, reason));
    ck_assert_uint_eq(collected->out_of_order, 0);
    ck_assert_uint_eq(collected->wrong_clock, 0);
}

/* Some samples were cut out of longer dumps, within a line. */
static void expect_cut(const Collected *collected)
{
    expect_incomplete(collected, "in the middle of a line");
}

static bool is_cut(const char *name)
{
    return strcmp(name, "a2_910B") == 0 || strcmp(name, "a5_950") == 0 ||
           strcmp(name, "mte_a2") == 0 || strcmp(name, "sample_a2") == 0;
}

static Collected *expect_rows(const char *name, const char *expected_name, const char *chip,
                              const char *more)
{
    TextList expected = read_expected(expected_name);
    char directory[1024];
    Collected *collected;

    snprintf(directory, sizeof directory, DATA "%s", name);
    collected = collect(directory, chip, more);
    (is_cut(name) ? expect_cut : expect_sound)(collected);
    compare(&collected->rows, &expected);
    TextListFinish(&expected);
    return collected;
}

static void expect_list(const TextList *list, size_t count, const char *const *lines)
{
    for (size_t i = 0; i < count && i < list->count; i++) {
        ck_assert_str_eq(list->lines[i], lines[i]);
    }
    ck_assert_uint_eq(list->count, count);
}

/* ---- the samples ---- */

START_TEST(a2_sample_gives_the_reference_rows_marks_and_misses)
{
    static const char *const marks[] = {
        "core0.veccore0\tMark "
        "0x1\t0x10f86148\t0x10f86390\t11746\t14010\tSPR:LPCNT,XN:X6=0x80000001,",
        "core0.veccore1\tMark "
        "0x1\t0x10f86148\t0x10f86390\t11746\t14010\tSPR:LPCNT,XN:X6=0x80000001,",
    };
    static const char *const misses[] = {
        "core0.veccore0\t23071\t0x10f86a80\t0x10f86a80\tsizeis0x00000080,type:1,last:0,"
        "statusisMISS",
        "core0.veccore0\t23073\t0x10f86b00\t0x10f86b00\tsizeis0x00000080,type:1,last:0,"
        "statusisMISS",
        "core0.veccore0\t23074\t0x10f86ad8\t0x10f86ad8\tsizeis0x00000080,type:1,last:0,"
        "statusisMISS",
        "core0.veccore1\t23071\t0x10f86a80\t0x10f86a80\tsizeis0x00000080,type:1,last:0,"
        "statusisMISS",
        "core0.veccore1\t23073\t0x10f86b00\t0x10f86b00\tsizeis0x00000080,type:1,last:0,"
        "statusisMISS",
        "core0.veccore1\t23074\t0x10f86ad8\t0x10f86ad8\tsizeis0x00000080,type:1,last:0,"
        "statusisMISS",
    };
    Collected *collected = expect_rows("a2_910B", "a2_910B", "Ascend910B1", "");

    TextListSort(&collected->marks);
    TextListSort(&collected->misses);
    expect_list(&collected->marks, 2, marks);
    expect_list(&collected->misses, 6, misses);
    ck_assert_uint_eq(collected->hz, 1850000000);
    CollectedFree(collected);
}
END_TEST

START_TEST(without_resource_conflict_ratio_flags_are_left_out)
{
    CollectedFree(expect_rows("a2_910B", "a2_910B_no_conflict", "Ascend910B1",
                              "\"metrics\":[\"PipeUtilization\"]"));
    CollectedFree(expect_rows("a2_910B", "a2_910B", "Ascend910B1",
                              "\"metrics\":\"pipeutilization,resourceconflictratio\""));
}
END_TEST

START_TEST(other_a2_samples_give_the_reference_rows)
{
    CollectedFree(expect_rows("sample_a2", "sample_a2", "910B", ""));
    CollectedFree(expect_rows("gpr_bytes", "gpr_bytes", "Ascend910B1", ""));
    CollectedFree(expect_rows("mte_a2", "mte_a2", "Ascend910B4", ""));
}
END_TEST

START_TEST(a_logical_core_gives_rows_their_name)
{
    static const char *const marks[] = {
        "core2.veccore1\tMark 0x3\t0x10f86024\t0x10f8602c\t1423\t1455\tSPR:LPCNT,XN:X6=0x80000003,",
    };
    Collected *collected = expect_rows("a2_synthetic", "a2_synthetic", "Ascend910B1", "");

    expect_list(&collected->marks, 1, marks);
    ck_assert_uint_eq(collected->misses.count, 1);
    ck_assert_str_eq(
        collected->misses.lines[0],
        "core2.veccore1\t990\t0x10f86000\t0x10f86000\tsizeis0x00000080,type:1,last:0,statusisMISS");
    CollectedFree(collected);
}
END_TEST

START_TEST(a5_samples_pair_by_id)
{
    Collected *collected = expect_rows("a5_950", "a5_950", "Ascend950PR_9599", "");

    ck_assert_uint_eq(collected->hz, 1800000000);
    CollectedFree(collected);
    CollectedFree(expect_rows("a5_synthetic", "a5_synthetic", "Ascend950PR_9599", ""));
}
END_TEST

START_TEST(p310_sample_gives_the_reference_rows_and_misses)
{
    static const char *const misses[] = {
        "core0\t0\t0x10cfa000\t0x10cfa000\tsizeis0x00000010,statusisMISS",
        "core0\t308\t0x10cfa010\t0x10cfa010\tsizeis0x00000010,statusisMISS",
        "core0\t319\t0x10cfa020\t0x10cfa020\tsizeis0x00000010,statusisMISS",
    };
    Collected *collected = expect_rows("p310_310P", "p310_310P", "Ascend310P1", "");

    expect_list(&collected->misses, 3, misses);
    ck_assert_uint_eq(collected->hz, 1060000000);
    CollectedFree(collected);
}
END_TEST

/* The reference loses the line that ends in CR LF. */
START_TEST(odd_lines_give_the_reference_rows_and_the_one_with_cr_lf)
{
    TextList expected = read_expected("edge_lines");
    Collected *collected = collect(DATA "edge_lines", "Ascend910B1", "");

    TextListAdd(&expected, "core0.veccore0\t0x2000\t0\t120\t120\tSCALAR\tCR\tx:1\t-1\t-1");
    expect_incomplete(collected, "4 instructions of dump file '");
    expect_incomplete(collected, "that cannot be read are left out, the first in line 5");
    compare(&collected->rows, &expected);
    TextListFinish(&expected);
    CollectedFree(collected);
}
END_TEST

/*
 * All pieces are read as .2, .1, base. PC 0x1050: popped 10, 50, 300, instr 20, 60, 310 pair up in
 * this order (the reference reads instr as .1, .2, base). 0x1000: instr 110 114 120 220 against
 * popped 100 200; 114 and 120 each take the place of the one before, leaving 120 220. 0x1010:
 * popped 100 101 102 200 against instr 110 220; 101 and 102 each follow by 1 tick, leaving 102 200.
 * 0x1020: popped 100 takes the first of instr 110 130. 0x1030: instr 110 120 130 135 against popped
 * 100 150 leaves 110 120 135, so 150 pairs with 120 and is dropped. 0x1040: 500 against 400 is
 * dropped.
 */
START_TEST(rotated_pieces_are_read_oldest_first)
{
    static const char *const rows[] = {
        "core0.veccore0\t0x1000\t0\t100\t120\tSCALAR\tADD\tXD:X1=0x1,XN:X2=0x2,\t-1\t-1",
        "core0.veccore0\t0x1000\t0\t200\t220\tSCALAR\tADD\tXD:X1=0x1,XN:X2=0x2,\t-1\t-1",
        "core0.veccore0\t0x1010\t0\t102\t110\tSCALAR\tADD\tXD:X1=0x1,XN:X2=0x2,\t-1\t-1",
        "core0.veccore0\t0x1010\t0\t200\t220\tSCALAR\tADD\tXD:X1=0x1,XN:X2=0x2,\t-1\t-1",
        "core0.veccore0\t0x1020\t0\t100\t110\tSCALAR\tADD\tXD:X1=0x1,XN:X2=0x2,\t-1\t-1",
        "core0.veccore0\t0x1030\t0\t100\t110\tSCALAR\tADD\tXD:X1=0x1,XN:X2=0x2,\t-1\t-1",
        "core0.veccore0\t0x1050\t0\t10\t20\tSCALAR\tADD\tXD:X1=0x1,XN:X2=0x2,\t-1\t-1",
        "core0.veccore0\t0x1050\t0\t300\t310\tSCALAR\tADD\tXD:X1=0x1,XN:X2=0x2,\t-1\t-1",
        "core0.veccore0\t0x1050\t0\t50\t60\tSCALAR\tADD\tXD:X1=0x1,XN:X2=0x2,\t-1\t-1",
    };
    Collected *collected = collect(DATA "prune_rotate", "Ascend910B1", "");

    expect_read(collected,
                OPPROF_RUN_INCOMPLETE); /* two of its instructions end before they start */
    TextListSort(&collected->rows);
    expect_list(&collected->rows, 9, rows);
    CollectedFree(collected);
}
END_TEST

/* ---- choosing the chip ---- */

static void expect_guess(const char *directory, const char *soc, uint64_t hz)
{
    Collected *collected = collect(directory, "auto", "");

    ck_assert_ptr_null(collected->error);
    ck_assert_ptr_nonnull(strstr(collected->record, soc));
    ck_assert_ptr_nonnull(strstr(collected->record, "--set chip="));
    ck_assert_uint_eq(collected->hz, hz);
    CollectedFree(collected);
}

START_TEST(the_chip_is_guessed_from_what_the_dump_looks_like)
{
    expect_guess(DATA "a2_910B", "Ascend910B1", 1850000000);
    expect_guess(DATA "a5_synthetic", "Ascend950PR_9599", 1800000000);
    expect_guess(DATA "p310_310P", "Ascend310P1", 1060000000);
}
END_TEST

#define LINE(tick, pc) "[info] [" tick "] (PC: " pc ") SCALAR   : (Binary: 0x003bd781) ADD  x:1\n"
#define ID_LINE(tick, pc)                                                                          \
    "[info] [" tick "] (PC: " pc ") SCALAR   : (Binary: 0x003bd781) (ID: 000001) ADD  x:1\n"

static void expect_error(Collected *collected, OpprofStatus status, const char *first,
                         const char *second)
{
    ck_assert_int_eq(collected->status, status);
    ck_assert_ptr_nonnull(collected->error);
    ck_assert_msg(strstr(collected->error, first) != NULL, "no '%s' in: %s", first,
                  collected->error);
    ck_assert_msg(strstr(collected->error, second) != NULL, "no '%s' in: %s", second,
                  collected->error);
    CollectedFree(collected);
}

START_TEST(a_log_suffix_tells_of_310b)
{
    char *directory = ScratchMake();

    ScratchWrite(directory, "core0.instr_popped_log.dump", ID_LINE("1", "0x1000"));
    ScratchWrite(directory, "core0.instr_log.dump", ID_LINE("3", "0x1000"));
    ScratchWrite(directory, "core0.ifu.icache_log.log",
                 "[info] @7: icache read address is 0x0010, size is 0x00000010, status is MISS\n"
                 "@5: icache read address is 0x20, size is 0x00000010, status is MISS\n"
                 "@5: icache read address is 0x20, size is 0x00000010, status is HIT\n");
    Collected *collected = collect(directory, "auto", "");
    expect_sound(collected);
    ck_assert_ptr_nonnull(strstr(collected->record, "Ascend310B1"));
    ck_assert_uint_eq(collected->rows.count, 1);
    ck_assert_uint_eq(collected->misses.count, 2);
    ck_assert_str_eq(collected->misses.lines[0],
                     "core0\t5\t0x20\t0x20\tsizeis0x00000010,statusisMISS");
    ck_assert_str_eq(collected->misses.lines[1],
                     "core0\t7\t0x10\t0x0010\tsizeis0x00000010,statusisMISS");
    CollectedFree(collected);
    ScratchFree(directory);
}
END_TEST

START_TEST(a_dump_like_no_chip_asks_for_its_name)
{
    char *directory = ScratchMake();

    ScratchWrite(directory, "core0.instr_popped_log.dump", ID_LINE("1", "0x1000"));
    ScratchWrite(directory, "core0.instr_log.dump", ID_LINE("3", "0x1000"));
    expect_error(collect(directory, "auto", ""), OPPROF_E_NOT_FOUND, "which chip", "--set chip=");
    ScratchFree(directory);
}
END_TEST

START_TEST(a_wrong_chip_is_reported_before_anything_runs)
{
    expect_error(collect("/nowhere", "Ascend910B99", ""), OPPROF_E_ARGUMENT, "Ascend910B99",
                 "Ascend910B");
}
END_TEST

/* ---- directories and files ---- */

START_TEST(missing_and_empty_directories_are_errors_that_say_what_is_wanted)
{
    char *directory = ScratchMake();

    expect_error(collect("/nowhere/at/all", "910B", ""), OPPROF_E_NOT_FOUND, "'/nowhere/at/all'",
                 "instr_log.dump");
    expect_error(collect(directory, "910B", ""), OPPROF_E_NOT_FOUND, "has no core",
                 "no file in it");
    ScratchWrite(directory, "core0.veccore0.instr_log.dump", LINE("3", "0x1000"));
    ScratchWrite(directory, "core0.veccore0.instr_popped_log.dump", "");
    expect_error(collect(directory, "910B", ""), OPPROF_E_NOT_FOUND, "has no core",
                 "two dump files");
    ScratchFree(directory);
}
END_TEST

START_TEST(a_file_over_the_limit_is_refused_by_the_parameter_s_name)
{
    char *directory = ScratchMake();

    ScratchWrite(directory, "core0.veccore0.instr_log.dump", LINE("3", "0x1000"));
    ScratchWrite(directory, "core0.veccore0.instr_popped_log.dump", LINE("1", "0x1000"));
    ScratchWrite(directory, "core0.veccore0.instr_log.1.dump",
                 LINE("3", "0x1000") LINE("3", "0x1000"));
    expect_error(collect(directory, "910B", "\"max_file_size\":100"), OPPROF_E_LIMIT,
                 "max_file_size", "instr_log.1.dump");
    ScratchFree(directory);
}
END_TEST

START_TEST(a_core_without_one_of_the_logs_makes_the_run_incomplete)
{
    char *directory = ScratchMake();
    Collected *collected;

    ScratchWrite(directory, "core0.veccore0.instr_log.dump", LINE("3", "0x1000"));
    ScratchWrite(directory, "core0.veccore0.ifu.icache_log.dump", "x\n");
    ScratchWrite(directory, "core1.veccore0.instr_log.dump", LINE("3", "0x1000"));
    ScratchWrite(directory, "core1.veccore0.instr_popped_log.dump", LINE("1", "0x1000"));
    collected = collect(directory, "910B", "");
    ck_assert_int_eq(collected->outcome, OPPROF_RUN_INCOMPLETE);
    ck_assert_uint_eq(collected->rows.count, 1);
    ck_assert_ptr_nonnull(
        strstr(collected->record, "'core0.veccore0.instr_popped_log.dump' is missing"));
    ck_assert_ptr_nonnull(strstr(collected->record, "cores without a popped or instr log"));
    CollectedFree(collected);
    ScratchFree(directory);
}
END_TEST

START_TEST(only_names_of_cores_count)
{
    static const char *const names[] = {
        "core.instr_log.dump",          "core0-instr_log.dump",   "core0.vec0.instr_log.dump",
        "core0.veccore.instr_log.dump", "xcore0.instr_log.dump",  "core0.instr_log.dump.1",
        "core0.rvec.IDU.dump",          "core0.instr_log.1.dump", "core1234567890.instr_log.dump"
    };
    char *directory = ScratchMake();

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ScratchWrite(directory, names[i], LINE("3", "0x1000"));
    }
    expect_error(collect(directory, "910B", ""), OPPROF_E_NOT_FOUND, "has no core",
                 "no file in it");
    ScratchWrite(directory, "core7_instr_log.dump", LINE("3", "0x1000"));
    ScratchWrite(directory, "core7_instr_popped_log.dump", LINE("1", "0x1000"));
    ScratchWrite(directory, "core12.mixcore3_instr_log.dump", LINE("3", "0x1000"));
    ScratchWrite(directory, "core12.mixcore3_instr_popped_log.dump", LINE("1", "0x1000"));
    Collected *collected = collect(directory, "910B", "");
    expect_sound(collected);
    TextListSort(&collected->rows);
    ck_assert_uint_eq(collected->rows.count, 2);
    ck_assert_int_eq(strncmp(collected->rows.lines[0], "core12.mixcore3\t", 16), 0);
    ck_assert_int_eq(strncmp(collected->rows.lines[1], "core7\t", 6), 0);
    CollectedFree(collected);
    ScratchFree(directory);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_leaves_the_rest_and_an_incomplete_run)
{
    char *directory = ScratchMake();
    char path[4096];
    Collected *collected;

    ScratchWrite(directory, "core0.veccore0.instr_log.dump", LINE("3", "0x1000"));
    ScratchWrite(directory, "core0.veccore0.instr_popped_log.dump", LINE("1", "0x1000"));
    snprintf(path, sizeof path, "%s/core0.veccore0.instr_log.1.dump", directory);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    collected = collect(directory, "910B", "");
    ck_assert_int_eq(collected->status, OPPROF_OK);
    ck_assert_int_eq(collected->outcome, OPPROF_RUN_INCOMPLETE);
    ck_assert_uint_eq(collected->rows.count, 1);
    ck_assert_ptr_nonnull(strstr(collected->reason, "instr_log.1.dump"));
    CollectedFree(collected);
    ScratchFree(directory);
}
END_TEST

START_TEST(over_long_lines_nuls_and_a_cut_end_are_survived)
{
    char *directory = ScratchMake();
    char *text = calloc(1, 200000);
    char path[4096];
    Collected *collected;
    FILE *file;
    size_t length;

    ck_assert_ptr_nonnull(text);
    ScratchWrite(directory, "core0.veccore0.instr_popped_log.dump",
                 LINE("1", "0x1000") LINE("2", "0x1004"));
    length = (size_t) sprintf(text, LINE("3", "0x1000"));
    memset(text + length, 'x', 70000);
    length += 70000;
    length += (size_t) sprintf(text + length, "\nNULs:");
    length += 10; /* of them */
    length += (size_t) sprintf(text + length,
                               "\n[info] [4] (PC: 0x1004) SCALAR   : (Binary: 0x003bd781) ADD  x");
    snprintf(path, sizeof path, "%s/core0.veccore0.instr_log.dump", directory);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, length, file), length);
    fclose(file);
    free(text);
    collected = collect(directory, "910B", "");
    ck_assert_int_eq(collected->outcome, OPPROF_RUN_INCOMPLETE);
    ck_assert_uint_eq(collected->rows.count, 2);
    ck_assert_ptr_nonnull(strstr(collected->reason, "longer than 65536 bytes"));
    CollectedFree(collected);
    ScratchFree(directory);
}
END_TEST

/* ---- cores ---- */

#define MOV(what) "[info] [1] (PC: 0x2000) SCALAR : (Binary: 0x003bd781) MOV_XD_SPR  " what "\n"

static void write_core(const char *directory, const char *core, const char *moves)
{
    char name[200];
    char text[2000];

    snprintf(name, sizeof name, "%s.instr_popped_log.dump", core);
    snprintf(text, sizeof text, "%s" LINE("1", "0x1000"), moves);
    ScratchWrite(directory, name, text);
    snprintf(name, sizeof name, "%s.instr_log.dump", core);
    ScratchWrite(directory, name, LINE("3", "0x1000"));
}

static void expect_cores(const char *directory, const char *more, const char *const *names)
{
    Collected *collected = collect(directory, "910B", more);
    size_t count = 0;

    expect_sound(collected);
    TextListSort(&collected->rows);
    for (; names[count] != NULL; count++) {
        ck_assert_uint_lt(count, collected->rows.count);
        collected->rows.lines[count][strcspn(collected->rows.lines[count], "\t")] = '\0';
        ck_assert_str_eq(collected->rows.lines[count], names[count]);
    }
    ck_assert_uint_eq(collected->rows.count, count);
    CollectedFree(collected);
}

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

START_TEST(the_second_core_of_a_logical_name_keeps_its_physical_one)
{
    char *directory = ScratchMake();

    write_core(directory, "core5.veccore0",
               MOV("XD:X1=0x1, SPR:BLOCKID,") MOV("XD:X1=0, SPR:SUBBLOCKID,"));
    write_core(directory, "core3.veccore1",
               MOV("XD:X1=0x1, SPR:BLOCKID,") MOV("XD:X1=0, SPR:SUBBLOCKID,"));
    write_core(directory, "core4.cubecore0", MOV("XD:X1=0x2, SPR:BLOCKID,"));
    write_core(directory, "core6.veccore0", MOV("XD:X1=0x2, SPR:BLOCKID,"));
    write_core(directory, "core7.veccore1", "");
    expect_cores(directory, "",
                 NAMES("core1.veccore0", "core2.cubecore0", "core5.veccore0", "core6.veccore0",
                       "core7.veccore1"));
    ScratchFree(directory);
}
END_TEST

START_TEST(a_name_that_is_taken_twice_has_a_number)
{
    char *directory = ScratchMake();

    write_core(directory, "core0.veccore0",
               MOV("XD:X1=0x1, SPR:BLOCKID,") MOV("XD:X1=0, SPR:SUBBLOCKID,"));
    write_core(directory, "core1.veccore0", "");
    expect_cores(directory, "", NAMES("core1.veccore0", "core1.veccore0_2"));
    ScratchFree(directory);
}
END_TEST

START_TEST(core_id_chooses_logical_blocks)
{
    char *directory = ScratchMake();

    write_core(directory, "core5.veccore0",
               MOV("XD:X1=0x1, SPR:BLOCKID,") MOV("XD:X1=0, SPR:SUBBLOCKID,"));
    write_core(directory, "core1.veccore0",
               MOV("XD:X1=0x11, SPR:BLOCKID,") MOV("XD:X1=0, SPR:SUBBLOCKID,"));
    write_core(directory, "core7.veccore1", "");
    expect_cores(directory, "\"core_id\":\"1\"", NAMES("core1.veccore0"));
    expect_cores(directory, "\"core_id\":[\"17\"]", NAMES("core17.veccore0"));
    expect_cores(directory, "\"core_id\":\"1|17\"", NAMES("core1.veccore0", "core17.veccore0"));
    expect_cores(directory, "\"core_id\":\"0,17\"", NAMES("core17.veccore0", "core7.veccore1"));
    ScratchFree(directory);
}
END_TEST

START_TEST(core_id_chooses_physical_numbers_of_other_chips)
{
    char *directory = ScratchMake();
    Collected *collected;

    write_core(directory, "core0", "");
    write_core(directory, "core1", "");
    collected = collect(directory, "310P", "\"core_id\":\"1\"");
    expect_sound(collected);
    ck_assert_uint_eq(collected->rows.count, 1);
    ck_assert_int_eq(strncmp(collected->rows.lines[0], "core1\t", 6), 0);
    CollectedFree(collected);
    ScratchFree(directory);
}
END_TEST

START_TEST(a_core_id_that_is_no_number_up_to_49_is_refused)
{
    static const char *const wrong[] = { "50", "-1",   "x",   "1|",
                                         "|1", "1||2", "1 2", "99999999999999999999" };
    char more[100];

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(more, sizeof more, "\"core_id\":[\"%s\"]", wrong[i]);
        expect_error(collect(DATA "a2_910B", "910B", more), OPPROF_E_ARGUMENT, "core_id",
                     "core_id=0,2");
    }
}
END_TEST

/* Many cores of different sizes: all instances take part, and none is lost or mixed up. */
START_TEST(many_cores_are_read_in_parallel_and_none_is_lost)
{
    char *directory = ScratchMake();
    char name[100], text[60 * 200];
    Collected *collected;
    size_t expected = 0;

    for (unsigned core = 0; core < 40; core++) {
        size_t length = 0;

        for (unsigned i = 0; i <= core; i++) {
            length += (size_t) snprintf(
                text + length, sizeof text - length,
                "[info] [%08u] (PC: 0x%x) SCALAR   : (Binary: 0x003bd781) ADD  core:%u\n", i + 1,
                0x1000 + i, core);
        }
        expected += core + 1;
        snprintf(name, sizeof name, "core%u.veccore0.instr_popped_log.dump", core);
        ScratchWrite(directory, name, text);
        snprintf(name, sizeof name, "core%u.veccore0.instr_log.dump", core);
        ScratchWrite(directory, name, text);
    }
    collected = collect(directory, "910B", "");
    expect_sound(collected);
    ck_assert_uint_eq(collected->rows.count, expected);
    for (size_t i = 0; i < collected->rows.count; i++) {
        unsigned core = 99, detail = 98;
        const char *at = strstr(collected->rows.lines[i], "core:");

        ck_assert_int_eq(sscanf(collected->rows.lines[i], "core%u", &core), 1);
        ck_assert_int_eq(sscanf(at, "core:%u", &detail), 1);
        ck_assert_uint_eq(core, detail);
    }
    ck_assert_uint_eq(collected->ends.count, 40);
    for (size_t i = 0; i < collected->ends.count; i++) {
        unsigned core = 99, instructions = 0, cores = 0;

        ck_assert_int_eq(sscanf(collected->ends.lines[i], "core%u.veccore0\t%u\t0\t0\t%u", &core,
                                &instructions, &cores),
                         3);
        ck_assert_uint_eq(instructions, core + 1);
        ck_assert_uint_eq(cores, 40);
    }
    CollectedFree(collected);
    ScratchFree(directory);
}
END_TEST

/* ---- whole runs over made-up dumps ---- */

static char *make_dump(DumpSeries series, uint64_t instructions)
{
    const DumpOptions options = { .cores = 1,
                                  .instructions = instructions,
                                  .pcs = 300,
                                  .flags_percent = 10,
                                  .line_length = 128,
                                  .series = series,
                                  .seed = 3 };
    char *directory = ScratchMake();

    ck_assert(DumpWrite(directory, &options));
    return directory;
}

/* 310P prints some lines twice, which do not count; A2 adds two instructions and a mark to each
 * core. */
START_TEST(every_instruction_of_a_made_up_dump_comes_out_in_order)
{
    static const struct {
        DumpSeries series;
        const char *chip;
        size_t rows, marks;
    } runs[] = { { DUMP_A2, "910B", 2 * 30002, 2 },
                 { DUMP_950, "950", 2 * 30000, 0 },
                 { DUMP_310P, "310P", 30000, 0 } };

    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char *directory = make_dump(runs[i].series, 30000);
        Collected *collected = collect(directory, runs[i].chip, "");

        expect_sound(collected);
        ck_assert_uint_eq(collected->rows.count, runs[i].rows);
        ck_assert_uint_eq(collected->marks.count, runs[i].marks);
        ck_assert_uint_gt(collected->misses.count, 20);
        CollectedFree(collected);
        ScratchFree(directory);
    }
}
END_TEST

START_TEST(a_run_that_is_stopped_keeps_what_was_paired)
{
    char *directory = make_dump(DUMP_A2, 200000);
    char params[4200];
    Collected *collected;

    snprintf(params, sizeof params, "{\"dump\":\"%s\",\"chip\":\"910B\"}", directory);
    collected = CollectSimStopped(params, 10000);
    ck_assert_ptr_null(collected->error);
    ck_assert_int_eq(collected->outcome, OPPROF_RUN_INCOMPLETE);
    ck_assert_uint_ge(collected->rows.count, 10000);
    ck_assert_uint_lt(collected->rows.count, 400000);
    ck_assert_uint_eq(collected->out_of_order, 0);
    CollectedFree(collected);
    ScratchFree(directory);
}
END_TEST

static Suite *collect_sim_suite(void)
{
    Suite *suite = suite_create("collect_sim");
    TCase *samples = tcase_create("samples");
    TCase *chips = tcase_create("chips");
    TCase *files = tcase_create("files");
    TCase *cores = tcase_create("cores");
    TCase *runs = tcase_create("runs");

    tcase_set_timeout(runs, 1800); /* whole runs, on a busy machine */
    tcase_add_test(samples, a2_sample_gives_the_reference_rows_marks_and_misses);
    tcase_add_test(samples, without_resource_conflict_ratio_flags_are_left_out);
    tcase_add_test(samples, other_a2_samples_give_the_reference_rows);
    tcase_add_test(samples, a_logical_core_gives_rows_their_name);
    tcase_add_test(samples, a5_samples_pair_by_id);
    tcase_add_test(samples, p310_sample_gives_the_reference_rows_and_misses);
    tcase_add_test(samples, odd_lines_give_the_reference_rows_and_the_one_with_cr_lf);
    tcase_add_test(samples, rotated_pieces_are_read_oldest_first);
    tcase_add_test(chips, the_chip_is_guessed_from_what_the_dump_looks_like);
    tcase_add_test(chips, a_log_suffix_tells_of_310b);
    tcase_add_test(chips, a_dump_like_no_chip_asks_for_its_name);
    tcase_add_test(chips, a_wrong_chip_is_reported_before_anything_runs);
    tcase_add_test(files, missing_and_empty_directories_are_errors_that_say_what_is_wanted);
    tcase_add_test(files, a_file_over_the_limit_is_refused_by_the_parameter_s_name);
    tcase_add_test(files, a_core_without_one_of_the_logs_makes_the_run_incomplete);
    tcase_add_test(files, only_names_of_cores_count);
    tcase_add_test(files, a_file_that_cannot_be_read_leaves_the_rest_and_an_incomplete_run);
    tcase_add_test(files, over_long_lines_nuls_and_a_cut_end_are_survived);
    tcase_add_test(cores, the_second_core_of_a_logical_name_keeps_its_physical_one);
    tcase_add_test(cores, a_name_that_is_taken_twice_has_a_number);
    tcase_add_test(cores, core_id_chooses_logical_blocks);
    tcase_add_test(cores, core_id_chooses_physical_numbers_of_other_chips);
    tcase_add_test(cores, a_core_id_that_is_no_number_up_to_49_is_refused);
    tcase_add_test(cores, many_cores_are_read_in_parallel_and_none_is_lost);
    tcase_add_test(runs, every_instruction_of_a_made_up_dump_comes_out_in_order);
    tcase_add_test(runs, a_run_that_is_stopped_keeps_what_was_paired);
    suite_add_tcase(suite, samples);
    suite_add_tcase(suite, chips);
    suite_add_tcase(suite, files);
    suite_add_tcase(suite, cores);
    suite_add_tcase(suite, runs);
    return suite;
}
TEST_SUITE(collect_sim_suite)
