/* SPDX-License-Identifier: Apache-2.0 */
/* Ends jansson's reader where memory runs out. Tested by tests/core/base/test_json. */
#include "json_guard.h"

#include <opprof/grow.h>

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define WAS_FREED 1u        /* lowest bit of an address on the list; no allocation has it */
#define BYTES_AN_ADDRESS 2u /* of text: a document seldom needs more room on the list */

/* The document that a thread is reading. */
typedef struct Guard {
    jmp_buf place;   /* where it goes on when memory runs out */
    uintptr_t *list; /* what was allocated, and what of it was freed */
    size_t count;
    size_t capacity; /* at least twice as many as were allocated: freeing needs no room */
    size_t allocated;
} Guard;

static _Thread_local Guard *guard;

/* jansson's allocator before ours. Either can free what the other allocated. */
static json_malloc_t take_memory;
static json_free_t give_memory;

static void *take(size_t size)
{
    Guard *self = guard;
    void *memory = take_memory(size);

    if (self == NULL) {
        return memory;
    }
    if (memory == NULL ||
        !OpprofGrow(&self->list, &self->capacity, 2 * (self->allocated + 1), sizeof *self->list)) {
        give_memory(memory);
        longjmp(self->place, 1);
    }
    self->list[self->count++] = (uintptr_t) memory;
    self->allocated++;
    return memory;
}

static void give(void *memory)
{
    Guard *self = guard;

    give_memory(memory);
    if (self != NULL && memory != NULL && self->count < self->capacity) {
        self->list[self->count++] = (uintptr_t) memory | WAS_FREED;
    }
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void install(void)
{
    json_get_alloc_funcs(&take_memory, &give_memory);
    json_set_alloc_funcs(take, give);
}

static int compare(const void *one, const void *other)
{
    const uintptr_t a = *(const uintptr_t *) one;
    const uintptr_t b = *(const uintptr_t *) other;

    return (a > b) - (a < b);
}

/* Room that is not used costs nothing, and a list that grows is copied. False without memory. */
static bool reserve(Guard *self, size_t length)
{
    self->capacity = length / BYTES_AN_ADDRESS + 1;
    self->list = malloc(self->capacity * sizeof *self->list);
    return self->list != NULL;
}

/* An address may have been allocated and freed several times: it is still held if it was freed less
 * often. */
static void free_all(Guard *self)
{
    long held = 0;

    if (self->count > 0) {
        qsort(self->list, self->count, sizeof *self->list, compare);
    }
    for (size_t i = 0; i < self->count; i++) {
        const uintptr_t address = self->list[i] & ~(uintptr_t) WAS_FREED;

        held += (self->list[i] & WAS_FREED) == 0 ? 1 : -1;
        if (i + 1 == self->count || (self->list[i + 1] & ~(uintptr_t) WAS_FREED) != address) {
            if (held > 0) {
                give_memory((void *) address);
            }
            held = 0;
        }
    }
}

json_t *JsonGuardLoad(const char *text, size_t length, size_t flags, json_error_t *ret_problem)
{
    Guard self = { .count = 0 };
    json_t *root = NULL;

    pthread_once(&once, install);
    if (!reserve(&self, length)) {
        errno = ENOMEM;
        return NULL;
    }
    guard = &self;
    if (setjmp(self.place) == 0) {
        root = json_loadb(text, length, flags, ret_problem);
        guard = NULL;
    } else {
        guard = NULL;
        root = NULL;
        free_all(&self);
        errno = ENOMEM;
    }
    free(self.list);
    return root;
}
