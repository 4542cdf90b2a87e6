/* SPDX-License-Identifier: Apache-2.0 */
/* What the linker sends calls of the allocators to, in programs linked with $(WRAP_ALLOC). */
#include "failing_alloc.h"

#include <errno.h>
#include <stdatomic.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t count, size_t size);
char *__real_strdup(const char *text);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);
char *__wrap_strdup(const char *text);

/* Counts down with each allocation; the one that finds 1 fails. 0 and below: none does. */
static atomic_long allocations_left;

void fail_allocation(long n)
{
    atomic_store(&allocations_left, n);
}

bool has_failed_allocation(void)
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
