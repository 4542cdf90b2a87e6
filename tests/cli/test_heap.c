/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of cli/heap.c. */
#include "cli/heap.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define BLOCK_BYTES 1000u
#define BLOCKS 5000u /* 5 MB, as a small run has */

static void use_blocks(void)
{
    char *blocks[BLOCKS];

    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(BLOCK_BYTES);
        ck_assert_ptr_nonnull(blocks[i]);
        memset(blocks[i], (int) (i % 251), BLOCK_BYTES);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        ck_assert_int_eq(blocks[i][0], (char) (i % 251));
        ck_assert_int_eq(blocks[i][BLOCK_BYTES - 1], (char) (i % 251));
        free(blocks[i]);
    }
}

/* Whether the kernel was asked for large pages where the address is; false without /proc. */
static bool is_advised(const void *address)
{
    FILE *file = fopen("/proc/self/smaps", "re");
    char line[512];
    bool is_it = false, is_advised = false;

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned long begin = 0, end = 0;

        if (sscanf(line, "%lx-%lx ", &begin, &end) == 2) {
            is_it = (uintptr_t) address >= begin && (uintptr_t) address < end;
        } else if (is_it && strncmp(line, "VmFlags:", strlen("VmFlags:")) == 0) {
            is_advised = strstr(line, " hg") != NULL;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return is_advised;
}

/* Whether the kernel has large pages, and says where it was asked for them: emulators do not pass
 * that on. */
static bool has_large_pages(void)
{
    const size_t size = (size_t) 4 << 20;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool has_them = false;

    if (memory != MAP_FAILED) {
        has_them = madvise(memory, size, MADV_HUGEPAGE) == 0 && is_advised(memory + size / 2);
        munmap(memory, size);
    }
    return has_them;
}

/* Tools that replace the allocator take its memory elsewhere. */
static bool is_from_heap(void)
{
    void *block = malloc(BLOCK_BYTES);
    const bool is_below = (uintptr_t) block < (uintptr_t) sbrk(0) &&
                          (uintptr_t) sbrk(0) - (uintptr_t) block < (uintptr_t) 64 << 20;

    free(block);
    return is_below;
}

/*
 * Takes memory until the heap ends so many pages before a large one; it grows by 33 pages or so,
 * and so comes by every page of a large one within 68 MB. Where it does not grow, other memory is
 * taken.
 */
static void grow_heap_to(uintptr_t pages)
{
    const uintptr_t large = (uintptr_t) 2 << 20;
    const uintptr_t below = pages * (uintptr_t) sysconf(_SC_PAGESIZE);
    const uint32_t most = 100u * 1000 * 1000 / BLOCK_BYTES;

    for (uint32_t i = 0; i < most && ((uintptr_t) sbrk(0) + below) % large != 0; i++) {
        ck_assert_ptr_nonnull(malloc(BLOCK_BYTES));
    }
}

START_TEST(memory_of_a_small_run_comes_in_large_pages)
{
    uint32_t advised = 0;
    char *blocks[BLOCKS];

    if (_i < 3 && is_from_heap()) {
        grow_heap_to((uintptr_t) _i);
    }
    HeapPrepare();
    if (!has_large_pages() || !is_from_heap()) {
        return;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(BLOCK_BYTES);
        ck_assert_ptr_nonnull(blocks[i]);
        advised += i % 100 == 0 && is_advised(blocks[i]);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        free(blocks[i]);
    }
    /* but for what still fits in the pages that were there before */
    ck_assert_uint_ge(advised, BLOCKS / 100 - 5);
}
END_TEST

START_TEST(memory_is_there_after_little_of_it_was_to_be_had)
{
    const struct rlimit little = { .rlim_cur = 1 << 20, .rlim_max = RLIM_INFINITY };
    const struct rlimit all = { .rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY };

    if (!is_from_heap()) {
        return; /* a sanitizer's allocator ends the program */
    }
    ck_assert_int_eq(setrlimit(RLIMIT_DATA, &little), 0);
    HeapPrepare();
    ck_assert_int_eq(setrlimit(RLIMIT_DATA, &all), 0);
    use_blocks();
}
END_TEST

START_TEST(twice_is_as_once)
{
    HeapPrepare();
    HeapPrepare();
    use_blocks();
}
END_TEST

static Suite *heap_suite(void)
{
    Suite *suite = suite_create("heap");
    TCase *tests = tcase_create("heap");

    tcase_add_loop_test(tests, memory_of_a_small_run_comes_in_large_pages, 0, 4);
    tcase_add_test(tests, memory_is_there_after_little_of_it_was_to_be_had);
    tcase_add_test(tests, twice_is_as_once);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(heap_suite)
