/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The allocator of the checker, which counts and may fail: the program's own functions stand before
 * those of the C library. Tested by tests/harness/check.sh.
 */
#include "allocations.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define SEEN 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SEEN 0
#else
#define SEEN 1
#endif
#else
#define SEEN 1
#endif

static atomic_long live;
static atomic_long made;
static atomic_long fail_number;
static void *_Atomic module_base; /* the module whose calls count; NULL: all calls */

bool AllocationsAreSeen(void)
{
    return SEEN != 0;
}

long AllocationsLive(void)
{
    return atomic_load(&live);
}

static void *base_of(const void *address)
{
    Dl_info info;

    return dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

void AllocationsCount(long fail_at, const void *inside)
{
    atomic_store(&module_base, inside != NULL ? base_of(inside) : NULL);
    atomic_store(&made, 0);
    atomic_store(&fail_number, fail_at);
}

long AllocationsStop(void)
{
    atomic_store(&fail_number, 0);
    return atomic_load(&made);
}

#if SEEN
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void *memalign(size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **ret_block, size_t alignment, size_t size);
void free(void *block);

static bool must_fail(const void *caller)
{
    const void *base = atomic_load_explicit(&module_base, memory_order_relaxed);

    if (base != NULL && base_of(caller) != base) {
        return false;
    }
    const long number = atomic_fetch_add_explicit(&made, 1, memory_order_relaxed) + 1;

    if (number != atomic_load_explicit(&fail_number, memory_order_relaxed)) {
        return false;
    }
    errno = ENOMEM;
    return true;
}

static void *count(void *block)
{
    if (block != NULL) {
        atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    }
    return block;
}

void *malloc(size_t size)
{
    return must_fail(__builtin_return_address(0)) ? NULL : count(__libc_malloc(size));
}

void *calloc(size_t number, size_t size)
{
    return must_fail(__builtin_return_address(0)) ? NULL : count(__libc_calloc(number, size));
}

void *realloc(void *old, size_t size)
{
    if (size == 0 && old != NULL) {
        free(old);
        return NULL;
    }
    if (must_fail(__builtin_return_address(0))) {
        return NULL;
    }
    return old == NULL ? count(__libc_malloc(size)) : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
    return must_fail(__builtin_return_address(0)) ? NULL : count(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return must_fail(__builtin_return_address(0)) ? NULL : count(__libc_memalign(alignment, size));
}

int posix_memalign(void **ret_block, size_t alignment, size_t size)
{
    void *block =
        must_fail(__builtin_return_address(0)) ? NULL : count(__libc_memalign(alignment, size));

    if (block == NULL) {
        return ENOMEM;
    }
    *ret_block = block;
    return 0;
}

void free(void *block)
{
    if (block != NULL) {
        atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
        __libc_free(block);
    }
}
#endif
