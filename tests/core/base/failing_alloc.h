/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CORE_BASE_FAILING_ALLOC_H
#define TESTS_CORE_BASE_FAILING_ALLOC_H

/*
 * Lets an allocation of the code under test fail. For programs linked with $(WRAP_ALLOC): there the
 * linker sends calls of the allocators to the functions below. Include it in one file a program.
 */

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t count, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);
char *__wrap_strdup(const char *text);

/* Counts down with each allocation; the one that finds 1 fails. 0 and below: none does. */
static atomic_long allocations_left;

/* Let the n-th allocation from now on fail, counted from 1. */
static inline void fail_allocation(long n)
{
    atomic_store(&allocations_left, n);
}

/* Ends that; true if the allocation was asked for, and so failed. */
static inline bool has_failed_allocation(void)
{
    return atomic_exchange(&allocations_left, 0) <= 0;
}

static bool fails_now(void)
{
    if (atomic_load(&allocations_left) <= 0 || atomic_fetch_sub(&allocations_left, 1) != 1) {
        return false;
    }
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return fails_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails_now() ? NULL : __real_realloc(old, size);
}

void *__wrap_reallocarray(void *old, size_t count, size_t size)
{
    return fails_now() ? NULL : __real_reallocarray(old, count, size);
}

char *__wrap_strdup(const char *text)
{
    return fails_now() ? NULL : __real_strdup(text);
}

#endif
