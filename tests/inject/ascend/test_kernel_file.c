/* SPDX-License-Identifier: Apache-2.0 */
/* Documents of kernels: what they say, and what is wrong with them. */
#include "inject/ascend/kernel_file.h"
#include "refchip/abi.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOT "\"kernel_name\": \"add\", \"kernel_path\": \"./add.o\", \"mode\": \"ca\", "
#define MAGIC "\"magic\": \"RT_DEV_BINARY_MAGIC_ELF_AIVEC\", "
#define CASE(arguments)                                                                            \
    "\"test_cases\": [{ \"case_name\": \"one\", \"param_desc\": [" arguments "] }]"
#define OUTPUT                                                                                     \
    "{ \"param_type\": \"output\", \"type\": \"float16\", \"shape\": [8, 2048], \"name\": \"z\" }"

static void setup(void)
{
    make_scratch();
    write_text("add.o", "ELF");
    write_text("x.bin", "12345678");
    write_text("tiling.bin", "1234");
}

static bool read_text(KernelFile *file, const char *text)
{
    write_text("kernel.json", text);
    return KernelFileRead(file, in_scratch("kernel.json"));
}

/* The document is refused, with a sentence that has `why` in it. */
static void refuses(const char *text, const char *why)
{
    KernelFile file;

    ck_assert(!read_text(&file, text));
    ck_assert_msg(strstr(file.why, why) != NULL, "'%s' has no '%s'", file.why, why);
    KernelFileFinish(&file);
}

START_TEST(arguments_have_kinds_and_sizes)
{
    KernelFile file;

    ck_assert(read_text(
        &file, "{ " ROOT MAGIC "\"blockdim\": 8, \"device_id\": 1, \"tiling_key\": 7, " CASE(
                   "{ \"param_type\": \"input\", \"type\": \"int32\", \"shape\": [2], "
                   "\"data_path\": \"x.bin\", \"name\": \"x\" }, " OUTPUT
                   ", { \"param_type\": \"workspace\", \"user_workspace_size\": 4096 }, "
                   "{ \"param_type\": \"tiling\", \"tiling_data_size\": 4, "
                   "\"tiling_data_path\": \"./tiling.bin\" }") " }"));
    ck_assert_str_eq(file.kernel_name, "add");
    ck_assert_str_eq(file.kernel_path + strlen(file.kernel_path) - 8, "/./add.o");
    ck_assert_uint_eq(file.magic, RT_MAGIC_VECTOR);
    ck_assert_uint_eq(file.blocks, 8);
    ck_assert_int_eq(file.device, 1);
    ck_assert(file.has_key && file.key == 7 && !file.is_on_device);
    ck_assert_uint_eq(file.argument_count, 4);
    ck_assert_uint_eq(file.arguments[0].bytes, 8);
    ck_assert_int_eq(file.arguments[0].kind, KERNEL_INPUT);
    ck_assert_uint_eq(file.arguments[1].bytes, UINT64_C(8) * 2048 * 2);
    ck_assert_str_eq(file.arguments[1].name, "z");
    ck_assert_ptr_null(file.arguments[1].data_path);
    ck_assert_uint_eq(file.arguments[2].bytes, 4096);
    ck_assert_int_eq(file.arguments[3].kind, KERNEL_TILING);
    KernelFileFinish(&file);
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
    refuses("{", "line 1");
    refuses("[]", "not a JSON object");
    refuses("{ \"kernel_path\": \"add.o\" }", "kernel_name");
    refuses("{ \"kernel_name\": \"add\", \"kernel_path\": \"add.o\", \"mode\": \"onboards\" }",
            "'mode' is 'onboards'");
    refuses("{ " ROOT "\"magic\": \"ELF\" }", "'magic' is 'ELF'");
    refuses("{ " ROOT MAGIC "\"blockdim\": 0 }", "'blockdim'");
    refuses("{ " ROOT MAGIC "\"device_id\": -1 }", "'device_id'");
    refuses("{ " ROOT MAGIC "\"test_cases\": [] }", "one case");
    refuses("{ " ROOT MAGIC CASE("") " }", "'param_desc'");
    refuses(
        "{ \"kernel_name\": \"add\", \"kernel_path\": \"none.o\", \"mode\": \"ca\", " MAGIC CASE(
            OUTPUT) " }",
        "none.o");
}
END_TEST

START_TEST(an_argument_that_is_wrong_is_named)
{
    refuses("{ " ROOT MAGIC CASE(OUTPUT ", { \"param_type\": \"inout\" }") " }",
            "argument 2: 'param_type' is 'inout'");
    refuses("{ " ROOT MAGIC CASE(
                "{ \"param_type\": \"input\", \"type\": \"float24\", \"shape\": [1] }") " }",
            "'float24' is unknown");
    refuses("{ " ROOT MAGIC CASE(
                "{ \"param_type\": \"input\", \"type\": \"int8\", \"shape\": [0] }") " }",
            "argument 1: 'shape'");
    refuses("{ " ROOT MAGIC CASE("{ \"param_type\": \"input\", \"type\": \"int8\", \"shape\": "
                                 "[1048576, 1048576] }") " }",
            "too large");
    refuses("{ " ROOT MAGIC CASE("{ \"param_type\": \"input\", \"type\": \"int8\", \"shape\": [9], "
                                 "\"data_path\": \"x.bin\" }") " }",
            "does not have the 9 bytes");
    refuses("{ " ROOT MAGIC CASE("{ \"param_type\": \"workspace\" }") " }", "user_workspace_size");
}
END_TEST

START_TEST(a_file_that_is_not_there_or_none_is_refused)
{
    KernelFile file;

    ck_assert(!KernelFileRead(&file, in_scratch("none.json")));
    ck_assert_ptr_nonnull(strstr(file.why, "No such file"));
    KernelFileFinish(&file);
    ck_assert(!KernelFileRead(&file, scratch));
    ck_assert_ptr_nonnull(strstr(file.why, "not a regular file"));
    KernelFileFinish(&file);
}
END_TEST

static Suite *kernel_file_suite(void)
{
    Suite *suite = suite_create("kernel_file");
    TCase *tests = tcase_create("kernel_file");

    tcase_add_checked_fixture(tests, setup, remove_scratch);
    tcase_add_test(tests, arguments_have_kinds_and_sizes);
    tcase_add_test(tests, what_is_wrong_is_said);
    tcase_add_test(tests, an_argument_that_is_wrong_is_named);
    tcase_add_test(tests, a_file_that_is_not_there_or_none_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(kernel_file_suite)
