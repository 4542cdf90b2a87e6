/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/io/json_out.c. */
#include <opprof/kit/json_out.h>

#include "tests/core/base/failing_alloc.h"
#include "tests/core/suites.h"

#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const OpprofRecordType note_type = {
    .struct_size = sizeof(OpprofRecordType),
    .name = "test.note",
    .version = 1,
    .size = sizeof(OpprofText),
};

static void check_text(const OpprofJsonOut *json, const char *wanted)
{
    ck_assert(!json->is_short);
    ck_assert(!json->is_full);
    ck_assert_uint_eq(json->length, strlen(wanted));
    ck_assert(memcmp(json->text, wanted, json->length) == 0);
}

static void put_everything(OpprofJsonOut *json)
{
    OpprofJsonPutRaw(json, "{");
    OpprofJsonPutKey(json, "text");
    OpprofJsonPutString(json, "a\"b\n", 4);
    OpprofJsonPutKey(json, "list");
    OpprofJsonPutRaw(json, "[");
    OpprofJsonPutComma(json);
    OpprofJsonPutU64(json, UINT64_MAX);
    OpprofJsonPutComma(json);
    OpprofJsonPutI64(json, INT64_MIN);
    OpprofJsonPutComma(json);
    OpprofJsonPutF64(json, 2.5);
    OpprofJsonPutComma(json);
    OpprofJsonPutFixed(json, 1.0 / 3, 3);
    OpprofJsonPutComma(json);
    OpprofJsonPutHex(json, 0x1f, 4);
    OpprofJsonPutComma(json);
    OpprofJsonPutHex(json, UINT64_MAX, 99);
    OpprofJsonPutRaw(json, "]");
    OpprofJsonPutKey(json, "empty");
    OpprofJsonPutString(json, "", 0);
    OpprofJsonPutRaw(json, "}");
}

#define EVERYTHING                                                                                 \
    "{\"text\":\"a\\\"b\\n\",\"list\":[18446744073709551615,-9223372036854775808,2.5,0.333,"       \
    "\"0x001f\",\"0xffffffffffffffff\"],\"empty\":\"\"}"

START_TEST(every_kind_of_value_is_written)
{
    OpprofJsonOut json = { .text = NULL };

    put_everything(&json);
    check_text(&json, EVERYTHING);
    OpprofJsonOutClear(&json);
    OpprofJsonPutComma(&json);
    OpprofJsonPutU64(&json, 7);
    check_text(&json, "7");
    OpprofJsonOutFinish(&json);
    ck_assert_ptr_null(json.text);
}
END_TEST

START_TEST(a_text_in_a_batch_is_a_field_of_its_records)
{
    OpprofBatchPool *pool = OpprofBatchPoolCreate(&note_type, 1, 0);
    OpprofBatch *batch = OpprofBatchPoolTake(pool);
    OpprofJsonOut json;
    OpprofText text;

    ck_assert_ptr_nonnull(OpprofBatchReserveText(batch, 6));
    OpprofBatchCommitText(batch, 6);
    json = OpprofJsonOutInBatch(batch, 0);
    put_everything(&json);
    text = OpprofJsonOutText(&json);
    ck_assert_uint_eq(text.length, strlen(EVERYTHING));
    ck_assert(memcmp(OpprofBatchText(batch, text), EVERYTHING, text.length) == 0);
    ck_assert_uint_eq(text.offset, 6);
    OpprofBatchUnref(batch);
    OpprofBatchPoolDestroy(pool);
}
END_TEST

START_TEST(nothing_is_written_once_the_text_is_longer_than_its_limit)
{
    OpprofJsonOut json = { .max = 10 };

    for (int i = 0; i < 100; i++) {
        OpprofJsonPutRaw(&json, "1234");
    }
    ck_assert(json.is_full);
    ck_assert(!json.is_short);
    ck_assert_uint_eq(json.length, 12); /* the piece that passed it is the last */
    OpprofJsonOutFinish(&json);
}
END_TEST

START_TEST(members_are_sorted_by_their_keys)
{
    OpprofJsonOut json = { .text = NULL };
    OpprofJsonMembers object = { .count = 0 };

    OpprofJsonPutU64(OpprofJsonMember(&object, "c"), 3);
    OpprofJsonMemberString(&object, "a", "one");
    OpprofJsonOut *list = OpprofJsonMember(&object, "b\"");
    OpprofJsonPutRaw(list, "[");
    for (unsigned i = 0; i < 3; i++) {
        OpprofJsonPutComma(list);
        OpprofJsonPutU64(list, i);
    }
    OpprofJsonPutRaw(list, "]");
    OpprofJsonMembersEnd(&object, &json);
    check_text(&json, "{\"a\":\"one\",\"b\\\"\":[0,1,2],\"c\":3}");
    OpprofJsonOutClear(&json);
    OpprofJsonMembersEnd(&object, &json);
    check_text(&json, "{}");
    OpprofJsonOutFinish(&json);
}
END_TEST

/* Strings of any bytes read back as JSON; those in plain ASCII are the same then. */
START_TEST(any_bytes_make_a_string_that_reads_back)
{
    uint64_t state = 88172645463325252u;

    for (int round = 0; round < 2000; round++) {
        OpprofJsonOut json = { .text = NULL };
        char bytes[40];
        bool is_plain = true;
        size_t length;

        for (size_t i = 0; i < sizeof bytes; i++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            bytes[i] = (char) (round % 2 == 0 ? state & 0xff : state & 0x7f);
            is_plain = is_plain && (signed char) bytes[i] > 0;
        }
        length = (size_t) (state >> 32) % sizeof bytes;
        OpprofJsonPutString(&json, bytes, length);
        ck_assert_uint_le(json.length, json.capacity);
        json_t *read = json_loadb(json.text, json.length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        ck_assert_ptr_nonnull(read);
        if (is_plain) {
            ck_assert_uint_eq(json_string_length(read), length);
            ck_assert(memcmp(json_string_value(read), bytes, length) == 0);
        }
        json_decref(read);
        OpprofJsonOutFinish(&json);
    }
}
END_TEST

static bool write_all(OpprofJsonOut *json)
{
    OpprofJsonMembers object = { .count = 0 };

    OpprofJsonMemberString(&object, "b", "two");
    put_everything(OpprofJsonMember(&object, "a"));
    OpprofJsonMembersEnd(&object, json);
    return !json->is_short;
}

START_TEST(failing_allocations_are_survived)
{
    int n = 1;

    for (;; n++) {
        OpprofJsonOut json = { .text = NULL };
        fail_allocation(n);
        const bool is_good = write_all(&json);
        const bool has_failed = has_failed_allocation();
        ck_assert(is_good == !has_failed);
        if (is_good) {
            check_text(&json, "{\"a\":" EVERYTHING ",\"b\":\"two\"}");
        }
        OpprofJsonOutFinish(&json);
        if (!has_failed) {
            break;
        }
    }
    ck_assert_int_gt(n, 3); /* the list of members, their values, the text */
}
END_TEST

/* Members are begun in descending order. */
START_TEST(any_number_of_members_is_sorted)
{
    const int counts[] = { 1, 2, 32, 33, 99 };

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        OpprofJsonMembers object = { .count = 0 };
        OpprofJsonOut json = { .text = NULL };
        char wanted[2000] = "{";
        size_t length = 1;

        for (int k = counts[i]; k-- > 0;) {
            char key[16];

            snprintf(key, sizeof key, "k%02d", k);
            OpprofJsonPutU64(OpprofJsonMember(&object, key), (uint64_t) k);
        }
        for (int k = 0; k < counts[i]; k++) {
            length += (size_t) snprintf(wanted + length, sizeof wanted - length, "%s\"k%02d\":%d",
                                        k == 0 ? "" : ",", k, k);
        }
        snprintf(wanted + length, sizeof wanted - length, "}");
        OpprofJsonMembersEnd(&object, &json);
        check_text(&json, wanted);
        OpprofJsonOutFinish(&json);
    }
}
END_TEST

static Suite *json_out_suite(void)
{
    Suite *suite = suite_create("json_out");
    TCase *tests = tcase_create("json_out");

    tcase_add_test(tests, every_kind_of_value_is_written);
    tcase_add_test(tests, a_text_in_a_batch_is_a_field_of_its_records);
    tcase_add_test(tests, nothing_is_written_once_the_text_is_longer_than_its_limit);
    tcase_add_test(tests, members_are_sorted_by_their_keys);
    tcase_add_test(tests, any_bytes_make_a_string_that_reads_back);
    tcase_add_test(tests, failing_allocations_are_survived);
    tcase_add_test(tests, any_number_of_members_is_sorted);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(json_out_suite)
