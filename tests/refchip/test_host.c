/* SPDX-License-Identifier: Apache-2.0 */
/* The small libraries beside the runtime: profapi, dump, dcmi. */
#include "refchip/hal_abi.h"
#include "refchip/host_abi.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

static MsprofCommandHandle heard;
static uint32_t reports;

static int32_t hear(uint32_t type, void *data, uint32_t length)
{
    ck_assert_uint_eq(type, PROFAPI_COMMAND_SWITCH);
    ck_assert_uint_eq(length, sizeof heard);
    memcpy(&heard, data, sizeof heard);
    return 0;
}

static int32_t take_report(uint32_t aging, const void *data, uint32_t length)
{
    ck_assert_uint_eq(aging, 1);
    ck_assert_uint_eq(length, PROFAPI_INFO_BYTES);
    ck_assert_int_eq(*(const char *) data, 'x');
    reports++;
    return 7;
}

START_TEST(modules_hear_commands)
{
    MsprofCommandHandle command = { .profSwitch = 0x100000010, .devNums = 1, .type = 1 };

    ck_assert_int_eq(MsprofRegisterCallback(61, hear), 0);
    ck_assert_int_ne(MsprofRegisterCallback(64, hear), 0);
    ck_assert_int_eq(profSetProfCommand(&command, sizeof command), 0);
    ck_assert_uint_eq(heard.profSwitch, 0x100000010);
    ck_assert_int_ne(profSetProfCommand(&command, 8), 0);
    ck_assert_int_eq(MsprofNotifySetDevice(5, 0, true), 0);
}
END_TEST

START_TEST(reports_go_to_who_wants_them)
{
    char info[PROFAPI_INFO_BYTES] = "x";

    ck_assert_int_eq(MsprofReportAdditionalInfo(1, info, sizeof info), 0); /* nobody */
    ck_assert_int_eq(MsprofRegisterProfileCallback(PROFAPI_ADDITIONAL, (void *) take_report, 4), 0);
    ck_assert_int_eq(MsprofReportAdditionalInfo(1, info, sizeof info), 7);
    ck_assert_int_eq(MsprofRegisterProfileCallback(PROFAPI_ADDITIONAL, NULL, 4), 0);
    ck_assert_int_eq(MsprofReportAdditionalInfo(1, info, sizeof info), 0);
    ck_assert_uint_eq(reports, 1);
    ck_assert_int_ne(MsprofRegisterProfileCallback(14, (void *) take_report, 4), 0);
    ck_assert_uint_gt(MsprofSysCycleTime(), 0);
}
END_TEST

START_TEST(room_for_sizes_has_a_number)
{
    uint64_t first = 0, second = 0;
    uint64_t *one = AdumpGetDFXInfoAddrForDynamic(10, &first);
    uint64_t *two = AdumpGetDFXInfoAddrForDynamic(10, &second);

    ck_assert_ptr_nonnull(one);
    ck_assert_ptr_eq(two, one + 10);
    ck_assert_uint_ne(first, second);
    ck_assert_ptr_null(AdumpGetDFXInfoAddrForDynamic(0, &first));
    ck_assert_ptr_null(AdumpGetDFXInfoAddrForDynamic(5000, &first));
}
END_TEST

START_TEST(a_device_has_memory_of_somebody)
{
    DcmiHbmProductInfo info;
    int32_t card = -1, device = -1;

    ck_assert_int_eq(dcmi_init(), 0);
    ck_assert_int_eq(dcmi_get_card_id_device_id_from_logicid(&card, &device, 3), 0);
    ck_assert_int_eq(card, 3);
    ck_assert_int_eq(device, 0);
    ck_assert_int_eq(dcmi_get_device_hbm_product_info(card, device, &info), 0);
    ck_assert_uint_eq(info.vendor, 86);
    setenv("OPPROF_REFCHIP", "seed=1 vendor=88", 1);
    ck_assert_int_eq(dcmi_get_device_hbm_product_info(card, device, &info), 0);
    ck_assert_uint_eq(info.vendor, 88);
    ck_assert_int_ne(dcmi_get_device_hbm_product_info(9, 0, &info), 0);
}
END_TEST

/* Mapped or not, a core has the same registers. */
START_TEST(registers_are_read_and_written)
{
    res_map_info info = { .res_id = 2 };
    unsigned long address = 0;
    unsigned length = 0;
    uint32_t words[4] = { 1, 2, 3, 4 }, *mapped;

    ck_assert_uint_eq(halGetMaxResMapType(), 3);
    ck_assert_int_eq(halResMap(0, &info, &address, &length), 0);
    ck_assert_uint_eq(length, 3u << 20);
    ck_assert_int_eq(halResWrite(0, &info, words, sizeof words), 0);
    mapped = (uint32_t *) address; /* NOLINT: the driver says it as a number */
    ck_assert_uint_eq(mapped[3], 4);
    mapped[0] = 77;
    ck_assert_int_eq(halResRead(0, &info, words, sizeof words), 0);
    ck_assert_uint_eq(words[0], 77);
    ck_assert_uint_eq(words[1], 2);
    ck_assert_int_eq(halResUnmap(0, &info), 0);
    ck_assert_int_ne(halResUnmap(0, &info), 0); /* reading holds nothing */
    ck_assert_int_ne(halResRead(0, &info, words, 6), 0);
    ck_assert_int_ne(halResRead(0, &info, words, (3u << 20) + 4), 0);
    ck_assert_int_ne(halResRead(0, &info, NULL, 4), 0);
    info.res_type = 3;
    ck_assert_int_ne(halResWrite(0, &info, words, 4), 0);
    info = (res_map_info){ .res_id = 1000 };
    ck_assert_int_ne(halResRead(0, &info, words, 4), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("refchip/host");
    TCase *tests = tcase_create("host");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tests, modules_hear_commands);
    tcase_add_test(tests, reports_go_to_who_wants_them);
    tcase_add_test(tests, room_for_sizes_has_a_number);
    tcase_add_test(tests, a_device_has_memory_of_somebody);
    tcase_add_test(tests, registers_are_read_and_written);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
