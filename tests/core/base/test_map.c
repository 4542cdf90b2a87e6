/* SPDX-License-Identifier: Apache-2.0 */
/* Maps and growing arrays against plain arrays that are searched from end to end. */
#include <opprof/grow.h>
#include <opprof/map.h>

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS 500
#define STEPS 200000

static uint64_t random_state;

static uint32_t next_random(uint32_t below)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t) (random_state >> 33) % below;
}

/* Keys that collide in simple hashes: multiples of a power of two, and neighbours. */
static uint64_t key_of(uint32_t number)
{
    return number % 2 == 0 ? (uint64_t) number << 40 : UINT64_MAX - number;
}

START_TEST(reserved_room_is_made_once)
{
    OpprofMap map = { 0 };

    ck_assert(OpprofMapReserve(&map, 0));
    ck_assert_ptr_null(map.slots);
    ck_assert(OpprofMapPut(&map, 7, 70));
    ck_assert(OpprofMapReserve(&map, KEYS));
    const OpprofMapSlot *slots = map.slots;
    for (uint32_t number = 0; number < KEYS - 1; number++) {
        ck_assert(OpprofMapPut(&map, key_of(number), number));
    }
    ck_assert_ptr_eq(map.slots, slots);
    ck_assert_uint_eq(map.count, KEYS);
    ck_assert_uint_eq(OpprofMapFind(&map, 7), 70);
    for (uint32_t number = 0; number < KEYS - 1; number++) {
        ck_assert_uint_eq(OpprofMapFind(&map, key_of(number)), number);
    }
    ck_assert(OpprofMapReserve(&map, 3));
    ck_assert_ptr_eq(map.slots, slots);
    ck_assert(!OpprofMapReserve(&map, UINT32_MAX));
    OpprofMapFinish(&map);
}
END_TEST

START_TEST(numbers_are_found_as_in_a_plain_array)
{
    OpprofMap map = { 0 };
    uint32_t expected[KEYS];
    uint32_t count = 0;

    memset(expected, 0xff, sizeof expected);
    random_state = 42;
    for (uint32_t step = 0; step < STEPS; step++) {
        const uint32_t number = next_random(KEYS);

        ck_assert_uint_eq(OpprofMapFind(&map, key_of(number)), expected[number]);
        if (next_random(2) == 0) {
            count += expected[number] == OPPROF_MAP_NONE;
            expected[number] = step;
            ck_assert(OpprofMapPut(&map, key_of(number), step));
        } else {
            count -= expected[number] != OPPROF_MAP_NONE;
            ck_assert_uint_eq(OpprofMapRemove(&map, key_of(number)), expected[number]);
            expected[number] = OPPROF_MAP_NONE;
        }
        ck_assert_uint_eq(map.count, count);
    }
    for (uint32_t number = 0; number < KEYS; number++) {
        ck_assert_uint_eq(OpprofMapFind(&map, key_of(number)), expected[number]);
    }
    OpprofMapClear(&map);
    ck_assert_uint_eq(map.count, 0);
    ck_assert_uint_eq(OpprofMapFind(&map, key_of(1)), OPPROF_MAP_NONE);
    OpprofMapFinish(&map);
}
END_TEST

START_TEST(an_empty_map_finds_nothing)
{
    OpprofMap map = { 0 };
    OpprofTextMap texts = { 0 };

    ck_assert_uint_eq(OpprofMapFind(&map, 0), OPPROF_MAP_NONE);
    ck_assert_uint_eq(OpprofMapRemove(&map, 0), OPPROF_MAP_NONE);
    ck_assert_uint_eq(OpprofTextMapFind(&texts, "", 0), OPPROF_MAP_NONE);
    ck_assert(!OpprofMapPut(&map, 0, OPPROF_MAP_NONE));
    OpprofMapClear(&map);
    OpprofTextMapClear(&texts);
    OpprofMapFinish(&map);
    OpprofTextMapFinish(&texts);
}
END_TEST

START_TEST(texts_of_any_bytes_are_copied_and_found)
{
    OpprofTextMap map = { 0 };
    char text[32];
    const char *copy = NULL;

    for (uint32_t i = 0; i < 10000; i++) {
        const int length = snprintf(text, sizeof text, "name %u", i);

        ck_assert_uint_eq(OpprofTextMapFind(&map, text, (size_t) length), OPPROF_MAP_NONE);
        ck_assert(OpprofTextMapPut(&map, text, (size_t) length, i, &copy));
        ck_assert_str_eq(copy, text);
    }
    memset(text, 0, sizeof text);
    for (uint32_t i = 0; i < 4; i++) { /* zeros differ by their number */
        ck_assert(OpprofTextMapPut(&map, text, i, 20000 + i, NULL));
    }
    for (uint32_t i = 0; i < 10000; i++) {
        const int length = snprintf(text, sizeof text, "name %u", i);

        ck_assert_uint_eq(OpprofTextMapFind(&map, text, (size_t) length), i);
    }
    memset(text, 0, sizeof text);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(OpprofTextMapFind(&map, text, i), 20000 + i);
    }
    OpprofTextMapClear(&map);
    ck_assert_uint_eq(OpprofTextMapFind(&map, "name 1", 6), OPPROF_MAP_NONE);
    ck_assert(OpprofTextMapPut(&map, "name 1", 6, 7, NULL));
    ck_assert_uint_eq(OpprofTextMapFind(&map, "name 1", 6), 7);
    OpprofTextMapFinish(&map);
}
END_TEST

START_TEST(arrays_grow_and_keep_what_they_hold)
{
    uint32_t *numbers = NULL;
    size_t capacity = 0;
    uint32_t small = 0;

    for (size_t i = 0; i < 100000; i++) {
        ck_assert(OpprofGrow(&numbers, &capacity, i + 1, sizeof *numbers));
        ck_assert_uint_ge(capacity, i + 1);
        numbers[i] = (uint32_t) i;
    }
    for (size_t i = 0; i < 100000; i++) {
        ck_assert_uint_eq(numbers[i], (uint32_t) i);
    }
    ck_assert(!OpprofGrow(&numbers, &capacity, SIZE_MAX, sizeof *numbers));
    ck_assert_uint_eq(numbers[99999], 99999);
    free(numbers);
    numbers = NULL;
    ck_assert(OpprofGrow32(&numbers, &small, 3, sizeof *numbers));
    ck_assert_uint_ge(small, 3);
    ck_assert(!OpprofGrow32(&numbers, &small, (size_t) UINT32_MAX + 1, sizeof *numbers));
    free(numbers);
}
END_TEST

/* Fills the heap with other bytes first, so that new elements are not 0 by chance. */
START_TEST(arrays_grow_with_new_elements_cleared)
{
    uint32_t *numbers = NULL;
    size_t capacity = 0;
    uint32_t small = 0;
    void *used = malloc(1 << 20);

    ck_assert_ptr_nonnull(used);
    memset(used, 0xff, 1 << 20);
    free(used);
    for (size_t i = 0; i < 10000; i++) {
        ck_assert(OpprofGrowCleared(&numbers, &capacity, i + 1, sizeof *numbers));
        ck_assert_uint_eq(numbers[capacity - 1], i + 1 == capacity ? numbers[i] : 0);
        ck_assert_uint_eq(numbers[i], 0);
        numbers[i] = (uint32_t) i + 1;
    }
    for (size_t i = 0; i < capacity; i++) {
        ck_assert_uint_eq(numbers[i], i < 10000 ? i + 1 : 0);
    }
    ck_assert(!OpprofGrowCleared(&numbers, &capacity, SIZE_MAX, sizeof *numbers));
    ck_assert_uint_eq(numbers[9999], 10000);
    free(numbers);
    numbers = NULL;
    for (uint32_t needed = 3; needed < 10000; needed *= 3) {
        ck_assert(OpprofGrowCleared32(&numbers, &small, needed, sizeof *numbers));
        ck_assert_uint_ge(small, needed);
        for (uint32_t i = 0; i < small; i++) {
            ck_assert_uint_eq(numbers[i], 0);
        }
    }
    ck_assert(!OpprofGrowCleared32(&numbers, &small, (size_t) UINT32_MAX + 1, sizeof *numbers));
    free(numbers);
}
END_TEST

START_TEST(a_ring_grows_and_keeps_places)
{
    uint64_t *ring = NULL, first = 0;
    uint32_t capacity = 0, count = 0;

    /* Two come for each one that goes, so that the ring is split at its end whenever it grows. */
    for (uint64_t place = 0; place < 5000; place++) {
        ck_assert(OpprofGrowRing(&ring, &capacity, first, count, sizeof *ring));
        ck_assert_uint_eq(capacity & (capacity - 1), 0);
        ring[place & (capacity - 1)] = place;
        count++;
        if (place % 2 == 1) {
            ck_assert_uint_eq(ring[first & (capacity - 1)], first);
            first++;
            count--;
        }
    }
    for (uint64_t place = first; place < first + count; place++) {
        ck_assert_uint_eq(ring[place & (capacity - 1)], place);
    }
    ck_assert_uint_eq(capacity, 4096);
    free(ring);
}
END_TEST

static Suite *map_suite(void)
{
    Suite *suite = suite_create("map");
    TCase *cases = tcase_create("map");

    tcase_add_test(cases, reserved_room_is_made_once);
    tcase_add_test(cases, numbers_are_found_as_in_a_plain_array);
    tcase_add_test(cases, an_empty_map_finds_nothing);
    tcase_add_test(cases, texts_of_any_bytes_are_copied_and_found);
    tcase_add_test(cases, arrays_grow_and_keep_what_they_hold);
    tcase_add_test(cases, arrays_grow_with_new_elements_cleared);
    tcase_add_test(cases, a_ring_grows_and_keeps_places);
    suite_add_tcase(suite, cases);
    return suite;
}
TEST_SUITE(map_suite)
