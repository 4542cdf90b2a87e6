/* SPDX-License-Identifier: Apache-2.0 */
/* How the program takes its memory from the kernel. Tested by tests/cli/test_heap.c. */
#include "heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_PAGE ((size_t) 2 << 20) /* as x86-64 and AArch64 with pages of 4 KiB have it */
#define LARGE_PAGES 8u /* as many as a small run needs; each counts when it is first touched */

/*
 * The C library gives each thread an arena of its own, which grows page by page: a system call
 * each, an eighth of the time of a small run. Stages take their batches from pools, so that few
 * arenas are enough.
 */
static void limit_arenas(void)
{
#ifdef M_ARENA_MAX
    const long arenas = sysconf(_SC_NPROCESSORS_ONLN) / 4;

    mallopt(M_ARENA_MAX, arenas < 1 ? 1 : arenas > 64 ? 64 : (int) arenas);
#endif
}

#if defined __GLIBC__ && defined MADV_HUGEPAGE

/* Bytes from an address to the next large page, 0 on one. */
static size_t to_large_page(uintptr_t at)
{
    return (size_t) (-at & (LARGE_PAGE - 1));
}

/*
 * Bytes that the heap's end is moved by, to a page before a large one. Never 0: the allocator would
 * go on where it was, with what it has left below.
 */
static intptr_t gap_after(uintptr_t end, size_t page)
{
    const size_t gap = to_large_page(end + page);

    return (intptr_t) (gap == 0 ? LARGE_PAGE : gap);
}

/*
 * A small run touches a thousand pages, and the kernel takes longer to give them out one by one
 * than the run for its work. So the heap grows at once, and the kernel is asked for large pages
 * there. The page before the first of them holds what the allocator notes in front of its memory:
 * one that is touched already would stay small.
 */
static void take_large_pages(void)
{
    const size_t size = LARGE_PAGES * LARGE_PAGE;
    const size_t page = (size_t) sysconf(_SC_PAGESIZE);
    const uintptr_t before = (uintptr_t) sbrk(0);
    /*
     * What is freed the first time makes the allocator take the second from the heap. Volatile: or
     * both are optimised away.
     */
    void *volatile block = malloc(size);

    free(block);
    if (page > LARGE_PAGE / 2 || (uintptr_t) sbrk(gap_after(before, page)) == UINTPTR_MAX) {
        return;
    }
    block = malloc(size);
    const uintptr_t first = (uintptr_t) block + to_large_page((uintptr_t) block);
    const uintptr_t after = (uintptr_t) sbrk(0);

    if (block != NULL && (uintptr_t) block >= before && first < after) {
        madvise((void *) first, (after - first) & ~(page - 1), MADV_HUGEPAGE); /* only advice */
    }
    free(block);
}

#else

static void take_large_pages(void)
{
}

#endif

void HeapPrepare(void)
{
    limit_arenas();
    take_large_pages();
}
