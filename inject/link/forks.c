/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notices that this process is a copy of its parent, whichever way it was made: only fork calls the
 * handlers of pthread_atfork, _Fork and clone do not. Tested by tests/refchip/test_injection.sh.
 */
#include "inject/link/link.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_FUNCTIONS 16u

enum { MARK_COPIED = 0, MARK_OURS, MARK_FORGETTING };

static void (*functions[MOST_FUNCTIONS])(void); /* set as the library is loaded */
static size_t function_count;
/* In a page that is zero in a copy of the process. A child that shares its parent's memory shares
 * the connection as well, so it is none. */
static atomic_int *mark;
static atomic_int plain_mark; /* where the system has no such pages: the process has to tell */
static pid_t owner;

static bool is_copy(void)
{
    return atomic_load_explicit(mark, memory_order_acquire) != MARK_OURS ||
           (mark == &plain_mark && owner != getpid());
}

static void forget_all(void)
{
    int seen = mark == &plain_mark ? MARK_OURS : MARK_COPIED;

    /* The first thread of the child does it, the others wait. */
    if (atomic_compare_exchange_strong(mark, &seen, MARK_FORGETTING)) {
        for (size_t i = 0; i < function_count; i++) {
            functions[i]();
        }
        owner = getpid();
        atomic_store_explicit(mark, MARK_OURS, memory_order_release);
    }
    while (atomic_load_explicit(mark, memory_order_acquire) != MARK_OURS) {
        sched_yield();
    }
}

void ForkNotice(void)
{
    if (mark != NULL && is_copy()) {
        forget_all();
    }
}

static void begin(void)
{
    void *page =
        mmap(NULL, sizeof *mark, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page != MAP_FAILED && madvise(page, sizeof *mark, MADV_WIPEONFORK) != 0) {
        munmap(page, sizeof *mark);
        page = MAP_FAILED;
    }
    owner = getpid();
    mark = page == MAP_FAILED ? &plain_mark : page;
    atomic_store(mark, MARK_OURS);
    pthread_atfork(NULL, NULL, ForkNotice);
}

void ForkAdd(void (*function)(void))
{
    if (function_count == 0) {
        begin();
    }
    if (function_count < MOST_FUNCTIONS) {
        functions[function_count++] = function;
    }
}
