/* SPDX-License-Identifier: Apache-2.0 */
/* One more pointer among the arguments of a launch: where it goes in each of their forms, and what
 * moves after it. */
#include "inject/ascend/board.h"

#include "tests/core/suites.h"
#include <check.h>
#include <string.h>

#define POINTER UINT64_C(0x1122334455667788)

bool DeviceCopy(void *target, const void *source, uint64_t size, uint32_t kind)
{
    ck_assert_uint_eq(kind, COPY_TO_HOST);
    memcpy(target, source, size);
    return true;
}

static Arguments taken;

static void take(const Launch *launch)
{
    const char *why = "";

    ck_assert_msg(ArgumentsTake(&taken, launch, &why), "%s", why);
}

static uint64_t word(uint32_t at)
{
    uint64_t value;

    ck_assert_uint_le(at + 8, taken.size);
    memcpy(&value, taken.bytes + at, 8);
    return value;
}

START_TEST(plain_arguments_have_it_at_their_end)
{
    const uint64_t arguments[3] = { 1, 2, 3 };

    take(&(Launch){ .args = arguments, .args_size = sizeof arguments });
    ck_assert_uint_eq(ArgumentsPlace(&taken), 24);
    ck_assert(ArgumentsInsert(&taken, POINTER));
    ck_assert_uint_eq(taken.size, 32);
    ck_assert_uint_eq(word(0), 1);
    ck_assert_uint_eq(word(16), 3);
    ck_assert_uint_eq(word(24), POINTER);
    ArgumentsFinish(&taken);
}
END_TEST

START_TEST(an_end_that_is_no_whole_word_is_filled_up)
{
    const uint32_t arguments[3] = { 1, 2, 3 };

    take(&(Launch){ .args = arguments, .args_size = sizeof arguments, .has_device_args = true });
    ck_assert_uint_eq(ArgumentsPlace(&taken), 16);
    ck_assert(ArgumentsInsert(&taken, POINTER));
    ck_assert_uint_eq(taken.size, 24);
    ck_assert_uint_eq(word(8), 3);
    ck_assert_uint_eq(word(16), POINTER);
    ArgumentsFinish(&taken);
}
END_TEST

START_TEST(it_comes_before_the_data_that_others_point_to)
{
    const uint64_t arguments[6] = { 1, 0, 0, 41, 42, 43 };
    const aclrtPlaceHolderInfo places[2] = { { 16, 32 }, { 8, 24 } };

    take(&(Launch){
        .args = arguments, .args_size = sizeof arguments, .places = places, .place_count = 2 });
    ck_assert_uint_eq(ArgumentsPlace(&taken), 24);
    ck_assert(ArgumentsInsert(&taken, POINTER));
    ck_assert_uint_eq(taken.size, 56);
    ck_assert_uint_eq(word(24), POINTER);
    ck_assert_uint_eq(word(32), 41);
    ck_assert_uint_eq(word(48), 43);
    ck_assert_uint_eq(taken.places[0].addrOffset, 16);
    ck_assert_uint_eq(taken.places[0].dataOffset, 40);
    ck_assert_uint_eq(taken.places[1].dataOffset, 32);
    ArgumentsFinish(&taken);
}
END_TEST

/* addresses at 0 and 8, tiling's at 16; tiling data at 24, an input's after it */
START_TEST(tiling_data_move_and_so_do_inputs_behind_them)
{
    const uint64_t arguments[5] = { 1, 0, 0, 51, 61 };
    rtHostInputInfo_t inputs[1] = { { 8, 32 } };
    const rtArgsEx_t rt = { .hostInputInfoPtr = inputs,
                            .hostInputInfoNum = 1,
                            .hasTiling = 1,
                            .tilingAddrOffset = 16,
                            .tilingDataOffset = 24 };

    take(&(Launch){ .args = arguments, .args_size = sizeof arguments, .rt_args = &rt });
    ck_assert_uint_eq(ArgumentsPlace(&taken), 24);
    ck_assert(ArgumentsInsert(&taken, POINTER));
    ck_assert_uint_eq(word(24), POINTER);
    ck_assert_uint_eq(word(32), 51);
    ck_assert(taken.has_tiling);
    ck_assert_uint_eq(taken.tiling_pointer, 16);
    ck_assert_uint_eq(taken.tiling_data, 32);
    ck_assert_uint_eq(taken.places[0].dataOffset, 40);
    ArgumentsFinish(&taken);
}
END_TEST

START_TEST(a_list_of_the_runtime_is_laid_out_as_it_was_put_together)
{
    const char list = 0, data[12] = "tiling data";
    uint64_t first = 7;
    uint32_t second = 8;

    ArgumentsNoteList(&list, NULL, 0);
    ArgumentsNoteArgument(&list, &first, sizeof first, &first);
    ArgumentsNotePointer(&list, data);
    ArgumentsNoteArgument(&list, &second, sizeof second, &second);
    ArgumentsNoteData(&list, data, data, sizeof data);
    first = 9;
    ArgumentsNoteChange(&list, &first, &first, sizeof first);
    take(&(Launch){ .handle_args = &list });
    ck_assert_uint_eq(ArgumentsPlace(&taken), 24);
    ck_assert(ArgumentsInsert(&taken, POINTER));
    ck_assert_uint_eq(word(0), 9);
    ck_assert_uint_eq(word(8), 0);
    ck_assert_uint_eq(word(16), 8);
    ck_assert_uint_eq(word(24), POINTER);
    ck_assert_str_eq((const char *) taken.bytes + 32, data);
    ck_assert_uint_eq(taken.place_count, 1);
    ck_assert_uint_eq(taken.places[0].addrOffset, 8);
    ck_assert_uint_eq(taken.places[0].dataOffset, 32);
    ArgumentsFinish(&taken);
    ArgumentsNoteList(&list, NULL, 0); /* used again */
    ArgumentsNoteArgument(&list, &second, sizeof second, &second);
    take(&(Launch){ .handle_args = &list });
    ck_assert_uint_eq(taken.size, 4);
    ArgumentsFinish(&taken);
    ArgumentsNoteList(&list, NULL, 0);
}
END_TEST

START_TEST(what_is_not_known_is_refused)
{
    const char list = 0;
    const char *why = "";

    ck_assert(!ArgumentsTake(&taken, &(Launch){ .handle_args = &list + 1 }, &why));
    ck_assert_str_eq(why, "how its arguments were put together is unknown");
    ArgumentsFinish(&taken);
    ck_assert(!ArgumentsTake(&taken, &(Launch){ .has_array_args = true }, &why));
    ck_assert_str_eq(why, "its arguments are in a list whose length only the runtime knows");
    ArgumentsFinish(&taken);
}
END_TEST

static Suite *arguments_suite(void)
{
    Suite *suite = suite_create("arguments");
    TCase *cases = tcase_create("arguments");

    tcase_add_test(cases, plain_arguments_have_it_at_their_end);
    tcase_add_test(cases, an_end_that_is_no_whole_word_is_filled_up);
    tcase_add_test(cases, it_comes_before_the_data_that_others_point_to);
    tcase_add_test(cases, tiling_data_move_and_so_do_inputs_behind_them);
    tcase_add_test(cases, a_list_of_the_runtime_is_laid_out_as_it_was_put_together);
    tcase_add_test(cases, what_is_not_known_is_refused);
    suite_add_tcase(suite, cases);
    return suite;
}
TEST_SUITE(arguments_suite)
