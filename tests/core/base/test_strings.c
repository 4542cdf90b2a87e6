/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/base/strings.c. */
#include <opprof/intern.h>
#include "base/strings.h"

#include "tests/core/base/failing_alloc.h"
#include "tests/core/suites.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define TEXTS 20000

START_TEST(equal_texts_have_equal_ids)
{
    StringTable *table = StringTableCreate();

    ck_assert_ptr_nonnull(table);
    const uint32_t first = StringTableIntern(table, "MTE1", 4);
    const uint32_t second = StringTableIntern(table, "MTE2", 4);
    ck_assert_uint_ne(first, 0);
    ck_assert_uint_ne(second, 0);
    ck_assert_uint_ne(first, second);
    ck_assert_uint_eq(StringTableIntern(table, "MTE1.", 4), first);
    ck_assert_uint_eq(StringTableIntern(table, "MTE2", 4), second);
    ck_assert_uint_ne(StringTableIntern(table, "MTE", 3), first);
    TableDestroy(table);
}
END_TEST

START_TEST(texts_come_back_with_their_length)
{
    StringTable *table = StringTableCreate();
    size_t length = 0;

    const uint32_t id = StringTableIntern(table, "a\0b", 3);
    const char *text = StringTableGet(table, id, &length);
    ck_assert_uint_eq(length, 3);
    ck_assert_mem_eq(text, "a\0b", 4); /* with the NUL after it */
    ck_assert_uint_ne(StringTableIntern(table, "a\0c", 3), id);
    ck_assert_uint_ne(StringTableIntern(table, "a", 1), id);
    ck_assert_str_eq(StringTableGet(table, id, NULL), "a");
    TableDestroy(table);
}
END_TEST

START_TEST(the_empty_text_is_not_the_absent_one)
{
    StringTable *table = StringTableCreate();
    size_t length = 99;

    const uint32_t id = StringTableIntern(table, "", 0);
    ck_assert_uint_eq(id, 1); /* always there, so the first */
    ck_assert_uint_eq(StringTableIntern(table, NULL, 0), id);
    ck_assert_str_eq(StringTableGet(table, id, &length), "");
    ck_assert_uint_eq(length, 0);
    length = 99;
    ck_assert_str_eq(StringTableGet(table, 0, &length), "");
    ck_assert_uint_eq(length, 0);
    TableDestroy(table);
}
END_TEST

START_TEST(unknown_ids_are_empty)
{
    StringTable *table = StringTableCreate();
    static const uint32_t unknown[] = {
        2, 4096, 4097, STRING_TABLE_MAX, STRING_TABLE_MAX + 1, UINT32_MAX
    };

    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        size_t length = 99;
        ck_assert_str_eq(StringTableGet(table, unknown[i], &length), "");
        ck_assert_uint_eq(length, 0);
    }
    TableDestroy(table);
}
END_TEST

START_TEST(nonsense_is_refused)
{
    StringTable *table = StringTableCreate();

    ck_assert_uint_eq(StringTableIntern(table, NULL, 5), 0);
    TableDestroy(NULL);
    TableDestroy(table);
}
END_TEST

START_TEST(texts_stay_where_they_are_as_the_table_grows)
{
    StringTable *table = StringTableCreate();
    const char *early = StringTableGet(table, StringTableIntern(table, "early", 5), NULL);
    char text[32];

    for (uint32_t i = 0; i < 200000; i++) {
        const int length = snprintf(text, sizeof text, "text %u", i);
        ck_assert_uint_eq(StringTableIntern(table, text, (size_t) length), i + 3);
    }
    for (uint32_t i = 0; i < 200000; i += 7) {
        size_t length = 0;
        const int wanted = snprintf(text, sizeof text, "text %u", i);
        ck_assert_str_eq(StringTableGet(table, i + 3, &length), text);
        ck_assert_uint_eq(length, (size_t) wanted);
    }
    ck_assert_str_eq(early, "early");
    TableDestroy(table);
}
END_TEST

START_TEST(texts_of_all_sizes_are_kept)
{
    StringTable *table = StringTableCreate();
    const size_t most = 200000; /* well over a block of the arena */
    char *text = malloc(most);
    uint32_t ids[64];
    size_t count = 0;

    ck_assert_ptr_nonnull(text);
    memset(text, 'z', most);
    for (size_t length = 1; length < most; length = length * 3 / 2 + 1) {
        ids[count++] = StringTableIntern(table, text, length);
    }
    count = 0;
    for (size_t length = 1; length < most; length = length * 3 / 2 + 1) {
        size_t got = 0;
        const char *kept = StringTableGet(table, ids[count++], &got);
        ck_assert_uint_eq(got, length);
        ck_assert_int_eq(memcmp(kept, text, length), 0);
        ck_assert_int_eq(kept[length], '\0');
    }
    free(text);
    TableDestroy(table);
}
END_TEST

START_TEST(all_texts_together_are_limited)
{
    StringTable *table = StringTableCreate();
    const size_t length =
        (8u << 20) - 1; /* 8 MiB with its NUL; 32 of them are the limit, less "" */
    char *text = malloc(length);
    uint32_t taken = 0;

    ck_assert_ptr_nonnull(text);
    memset(text, 'a', length);
    for (int i = 0; i < 40; i++) {
        text[0] = (char) ('A' + i);
        taken += StringTableIntern(table, text, length) != 0;
    }
    ck_assert_uint_eq(taken, 31);
    ck_assert_uint_ne(StringTableIntern(table, "still room", 10), 0);
    text[0] = 'A';
    ck_assert_uint_eq(StringTableIntern(table, text, length), 2); /* known ones are found */
    free(text);
    TableDestroy(table);
}
END_TEST

static bool same_number(const void *item, const void *key)
{
    return *(const int *) item == *(const int *) key;
}

START_TEST(the_number_of_items_is_limited)
{
    static int numbers[5001];
    OpprofIntern *intern = OpprofInternCreate(5000, same_number);

    ck_assert_ptr_nonnull(intern);
    for (int i = 0; i <= 5000; i++) {
        numbers[i] = i;
        const uint64_t hash =
            OpprofInternHash(OpprofInternSeed(intern), &numbers[i], sizeof numbers[i]);
        ck_assert_uint_eq(OpprofInternFind(intern, hash, &numbers[i]), OPPROF_INTERN_NONE);
        ck_assert_uint_eq(OpprofInternAdd(intern, hash, &numbers[i]),
                          i < 5000 ? (uint32_t) i : OPPROF_INTERN_NONE);
    }
    ck_assert_uint_eq(OpprofInternCount(intern), 5000);
    ck_assert_ptr_null(OpprofInternGet(intern, 5000));
    OpprofInternDestroy(intern);
}
END_TEST

START_TEST(items_of_one_hash_are_told_apart)
{
    static int numbers[1000];
    OpprofIntern *intern = OpprofInternCreate(1000, same_number);

    for (int i = 0; i < 1000; i++) {
        numbers[i] = i;
        ck_assert_uint_eq(OpprofInternFind(intern, 42, &numbers[i]), OPPROF_INTERN_NONE);
        ck_assert_uint_eq(OpprofInternAdd(intern, 42, &numbers[i]), (uint32_t) i);
    }
    for (int i = 0; i < 1000; i++) {
        ck_assert_uint_eq(OpprofInternFind(intern, 42, &numbers[i]), (uint32_t) i);
    }
    OpprofInternDestroy(intern);
}
END_TEST

START_TEST(hashes_of_similar_bytes_differ)
{
    static const char zeros[64] = { 0 };
    uint64_t hashes[65];

    for (size_t i = 0; i <= sizeof zeros; i++) {
        hashes[i] = OpprofInternHash(1, zeros, i);
        for (size_t j = 0; j < i; j++) {
            ck_assert_uint_ne(hashes[i], hashes[j]);
        }
    }
    ck_assert_uint_ne(OpprofInternHash(1, "ab", 2), OpprofInternHash(2, "ab", 2));
    ck_assert_uint_ne(OpprofInternHash(1, "abcdefgh1", 9), OpprofInternHash(1, "abcdefgh2", 9));
}
END_TEST

static int compare_hashes(const void *one, const void *other)
{
    const uint64_t a = *(const uint64_t *) one;
    const uint64_t b = *(const uint64_t *) other;

    return (a > b) - (a < b);
}

/* Several numbers as one key, with a seed that is nobody's secret. */
START_TEST(hashes_of_small_numbers_differ)
{
    static uint64_t hashes[32 * 8 * 32];
    const uint64_t seed = (uint64_t) _i;
    size_t count = 0;

    for (uint32_t i = 0; i < 32 * 8 * 32; i++) {
        const uint32_t key[3] = { i / 256, i / 32 % 8, i % 32 };

        hashes[count++] = OpprofInternHash(seed, key, sizeof key);
    }
    qsort(hashes, count, sizeof *hashes, compare_hashes);
    for (size_t i = 1; i < count; i++) {
        ck_assert_uint_ne(hashes[i - 1], hashes[i]);
    }
}
END_TEST

typedef struct Worker {
    StringTable *table;
    unsigned step; /* odd: visits all texts in an order of its own */
    uint32_t ids[TEXTS];
    bool good;
} Worker;

static void *intern_all(void *context)
{
    Worker *worker = context;
    char text[32];

    worker->good = true;
    for (unsigned i = 0; i < TEXTS; i++) {
        const unsigned number = (unsigned) ((uint64_t) i * worker->step % TEXTS);
        const int length = snprintf(text, sizeof text, "%u", number);
        const uint32_t id = StringTableIntern(worker->table, text, (size_t) length);
        worker->ids[number] = id;
        worker->good =
            worker->good && id != 0 && strcmp(StringTableGet(worker->table, id, NULL), text) == 0;
    }
    return NULL;
}

START_TEST(threads_agree_about_ids)
{
    static Worker workers[THREADS];
    static const unsigned steps[THREADS] = { 1, 7, 19999, 12347 }; /* prime to TEXTS */
    pthread_t threads[THREADS];
    StringTable *table = StringTableCreate();

    for (int i = 0; i < THREADS; i++) {
        workers[i].table = table;
        workers[i].step = steps[i];
        ck_assert_int_eq(pthread_create(&threads[i], NULL, intern_all, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert(workers[i].good);
        ck_assert_int_eq(memcmp(workers[i].ids, workers[0].ids, sizeof workers[0].ids), 0);
    }
    ck_assert_uint_eq(StringTableIntern(table, "one more", 8), TEXTS + 2);
    TableDestroy(table);
}
END_TEST

START_TEST(every_failing_allocation_is_survived)
{
    for (long n = 1;; n++) {
        fail_allocation(n);
        StringTable *table = StringTableCreate();
        uint32_t ids[300] = { 0 };
        for (uint32_t i = 0; table != NULL && i < 300; i++) {
            ids[i] = StringTableIntern(table, (const char *) &i, sizeof i);
        }
        const bool failed = has_failed_allocation();
        for (uint32_t i = 0; table != NULL && i < 300; i++) { /* what failed works later */
            const uint32_t id = StringTableIntern(table, (const char *) &i, sizeof i);
            ck_assert_uint_ne(id, 0);
            ck_assert(ids[i] == 0 || ids[i] == id);
        }
        TableDestroy(table);
        if (!failed) {
            ck_assert_int_gt(n, 5);
            break;
        }
    }
}
END_TEST

static Suite *strings_suite(void)
{
    Suite *suite = suite_create("strings");
    TCase *tests = tcase_create("strings");

    tcase_add_test(tests, equal_texts_have_equal_ids);
    tcase_add_test(tests, texts_come_back_with_their_length);
    tcase_add_test(tests, the_empty_text_is_not_the_absent_one);
    tcase_add_test(tests, unknown_ids_are_empty);
    tcase_add_test(tests, nonsense_is_refused);
    tcase_add_test(tests, texts_stay_where_they_are_as_the_table_grows);
    tcase_add_test(tests, texts_of_all_sizes_are_kept);
    tcase_add_test(tests, all_texts_together_are_limited);
    tcase_add_test(tests, the_number_of_items_is_limited);
    tcase_add_test(tests, items_of_one_hash_are_told_apart);
    tcase_add_test(tests, hashes_of_similar_bytes_differ);
    tcase_add_loop_test(tests, hashes_of_small_numbers_differ, 0, 4);
    tcase_add_test(tests, threads_agree_about_ids);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(strings_suite)
