/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A preloaded library that makes the k-th allocation of a process fail: FAIL_ALLOC_AT=k, counted
 * from 1 over malloc, calloc, realloc, reallocarray, posix_memalign, aligned_alloc, strdup and
 * friends (which call malloc) of all threads, once the library is initialised. FAIL_ALLOC_EVER=1:
 * every one from the k-th on. FAIL_ALLOC_COUNT=FILE: write how many there were. Allocations that
 * libltdl makes itself succeed always: its lt_dlopenadvise follows a null pointer when one of them
 * fails, and no caller can help that.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long calls;
static long fail_at = -1;
static bool fail_ever;
static atomic_bool counting;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAIL_ALLOC_AT");

    fail_at = at != NULL ? strtol(at, NULL, 10) : -1;
    fail_ever = getenv("FAIL_ALLOC_EVER") != NULL;
    atomic_store(&counting, true);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_ALLOC_COUNT");
    char text[32];
    int fd, length;

    atomic_store(&counting, false);
    if (path == NULL || (fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600)) < 0) {
        return;
    }
    length = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
    if (write(fd, text, (size_t) length) != length) {
        _exit(99);
    }
    close(fd);
}

static bool is_of_libltdl(const void *caller)
{
    Dl_info info;

    return dladdr(caller, &info) != 0 && info.dli_fname != NULL &&
           strstr(info.dli_fname, "libltdl") != NULL;
}

static bool must_fail(const void *caller)
{
    long call;

    if (!atomic_load_explicit(&counting, memory_order_relaxed)) {
        return false;
    }
    call = atomic_fetch_add(&calls, 1) + 1;
    return (call == fail_at || (fail_ever && fail_at > 0 && call > fail_at)) &&
           !is_of_libltdl(caller);
}

static void *refuse(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size)
{
    return must_fail(__builtin_return_address(0)) ? refuse() : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return must_fail(__builtin_return_address(0)) ? refuse() : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return must_fail(__builtin_return_address(0)) ? refuse() : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        return refuse();
    }
    return realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    return must_fail(__builtin_return_address(0)) ? refuse() : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **ret_memory, size_t alignment, size_t size)
{
    void *memory = memalign(alignment, size);

    if (memory == NULL) {
        return ENOMEM;
    }
    *ret_memory = memory;
    return 0;
}
