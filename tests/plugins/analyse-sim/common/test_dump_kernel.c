/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/analyse-sim/common/dump_kernel.c. */
#include "plugins/analyse-sim/common/dump_kernel.h"

#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#define KERNEL TEST_BUILD_DIR "/tests/data/source/mapped.o"

START_TEST(a_dump_tells_its_start)
{
    write_text("pc_start_addr.txt", "0x800000\nanything\n");
    ck_assert_uint_eq(DumpKernelStart(scratch), 0x800000);
    write_text("pc_start_addr.txt", "0x10cfa000");
    ck_assert_uint_eq(DumpKernelStart(scratch), 0x10cfa000);
}
END_TEST

START_TEST(without_a_start_it_is_the_smallest_address_of_the_popped_logs)
{
    static const char *const no_starts[] = { "0x0\n", "", "start\n", "0x12zz\n", NULL };
    static char log[700000];
    size_t used = 0;

    for (unsigned i = 0; used < sizeof log - 100; i++) {
        used += (size_t) snprintf(log + used, 100, "[info] [%08u] (PC: 0x%x) SCALAR : ADD\n", i,
                                  i == 9000 ? 0x10cfa008 : 0x10cfb000 + 4 * i);
    }
    write_text("core0.instr_popped_log.dump", "[info] [00000100] (PC: 0x10cfa00c) SCALAR : NOP");
    write_text("core1.instr_log.dump", "[info] [00000100] (PC: 0x8) SCALAR : NOP\n");
    write_text("core1.instr_popped_log.1.dump", log);
    for (size_t i = 0; i < sizeof no_starts / sizeof no_starts[0]; i++) {
        if (no_starts[i] != NULL) {
            write_text("pc_start_addr.txt", no_starts[i]);
        } else {
            remove(in_scratch("pc_start_addr.txt"));
        }
        ck_assert_uint_eq(DumpKernelStart(scratch), 0x10cfa008);
    }
}
END_TEST

START_TEST(a_dump_without_a_kernel_is_not_an_error)
{
    OpprofSource *source;
    OpprofError *error = NULL;

    ck_assert_int_eq(DumpKernelOpen(NULL, scratch, &dump_usual_names, &source, &error),
                     OPPROF_E_NOT_FOUND);
    ck_assert_int_eq(DumpKernelOpen(NULL, NULL, &dump_usual_names, &source, &error),
                     OPPROF_E_NOT_FOUND);
    ck_assert_ptr_null(error);
    ck_assert_int_eq(
        DumpKernelOpen(in_scratch("missing"), scratch, &dump_usual_names, &source, &error),
        OPPROF_E_IO);
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(the_kernel_is_the_one_in_the_dump_or_the_one_given)
{
    OpprofSource *source;

    ck_assert_int_eq(symlink(KERNEL, in_scratch("aicore_binary.o")), 0);
    ck_assert_int_eq(DumpKernelOpen(NULL, scratch, &dump_usual_names, &source, NULL), OPPROF_OK);
    ck_assert_str_eq(OpprofSourcePath(source), in_scratch("aicore_binary.o"));
    OpprofSourceClose(source);
    ck_assert_int_eq(DumpKernelOpen(KERNEL, NULL, &dump_usual_names, &source, NULL), OPPROF_OK);
    ck_assert_str_eq(OpprofSourcePath(source), KERNEL);
    OpprofSourceClose(source);
}
END_TEST

START_TEST(a_chip_may_name_kernel_and_start_otherwise)
{
    static const DumpNames names = { .file = "program.elf", .start = "loaded-at.txt" };
    OpprofSource *source;

    ck_assert_int_eq(DumpKernelOpen(NULL, scratch, &names, &source, NULL), OPPROF_E_NOT_FOUND);
    ck_assert_int_eq(symlink(KERNEL, in_scratch("program.elf")), 0);
    ck_assert_int_eq(DumpKernelOpen(NULL, scratch, &names, &source, NULL), OPPROF_OK);
    ck_assert_str_eq(OpprofSourcePath(source), in_scratch("program.elf"));
    OpprofSourceClose(source);
}
END_TEST

static Suite *dump_kernel_suite(void)
{
    Suite *suite = suite_create("dump_kernel");
    TCase *tests = tcase_create("dump_kernel");

    tcase_add_checked_fixture(tests, make_scratch, remove_scratch);
    tcase_add_test(tests, a_chip_may_name_kernel_and_start_otherwise);
    tcase_add_test(tests, a_dump_tells_its_start);
    tcase_add_test(tests, without_a_start_it_is_the_smallest_address_of_the_popped_logs);
    tcase_add_test(tests, a_dump_without_a_kernel_is_not_an_error);
    tcase_add_test(tests, the_kernel_is_the_one_in_the_dump_or_the_one_given);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(dump_kernel_suite)
