/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of the devices: an arena each at an address that does not differ from run to run.
 * Tested by tests/refchip/test_operators.sh.
 */
#include "refchip/chip/config.h"
#include "refchip/chip/execute.h"
#include "refchip/chip/fault.h"
#include "state.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __SANITIZE_THREAD__
#define ARENA_ADDRESS UINT64_C(0x4000000000) /* the thread sanitizer uses the usual place itself */
#else
#define ARENA_ADDRESS UINT64_C(0x120000000000)
#endif
#define ALIGNMENT 512u

typedef struct Range {
    uint64_t address;
    uint64_t size;
    struct Range *next; /* by address */
} Range;

typedef struct Arena {
    uint64_t address; /* 0: not there yet */
    Range *ranges;
} Arena;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static Arena arenas[REFCHIP_MOST_DEVICES];

static bool make_arena(Arena *arena, uint32_t device)
{
    const uint64_t size = RefchipConfigGet()->memory;
    void *wish = (void *) (uintptr_t) (ARENA_ADDRESS + ((uint64_t) device << 36));
    void *got;

    if (arena->address != 0) {
        return true;
    }
    got = mmap(wish, size, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED) {
        got = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    }
    if (got == MAP_FAILED) {
        return false;
    }
    arena->address = (uint64_t) (uintptr_t) got;
    RefchipMemoryNote(device, arena->address, size);
    return true;
}

/* First fit. */
static Range *place(Arena *arena, uint64_t size)
{
    const uint64_t end = arena->address + RefchipConfigGet()->memory;
    uint64_t at = arena->address;
    Range **link = &arena->ranges;
    Range *range;

    while (*link != NULL && (*link)->address - at < size) {
        at = ((*link)->address + (*link)->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        link = &(*link)->next;
    }
    if (at > end || size > end - at) {
        return NULL;
    }
    range = malloc(sizeof *range);
    if (range != NULL) {
        *range = (Range){ .address = at, .size = size, .next = *link };
        *link = range;
    }
    return range;
}

void *MemoryAllocate(uint32_t device, uint64_t size)
{
    const bool has_fault = RefchipFault(FAULT_AT_malloc, device) == FAULT_FAILS;
    Range *range = NULL;
    void *memory = NULL;

    pthread_mutex_lock(&lock);
    if (size > 0 && !has_fault && make_arena(&arenas[device], device)) {
        range = place(&arenas[device], size);
    }
    if (range != NULL) {
        memory = (void *) (uintptr_t) range->address;
    }
    pthread_mutex_unlock(&lock);
    return memory;
}

bool MemoryFree(void *memory)
{
    bool is_found = false;

    pthread_mutex_lock(&lock);
    for (uint32_t device = 0; device < REFCHIP_MOST_DEVICES && !is_found; device++) {
        for (Range **link = &arenas[device].ranges; *link != NULL; link = &(*link)->next) {
            Range *range = *link;

            if (range->address == (uint64_t) (uintptr_t) memory) {
                *link = range->next;
                free(range);
                is_found = true;
                break;
            }
        }
    }
    pthread_mutex_unlock(&lock);
    return is_found;
}

void MemoryFreeAll(uint32_t device)
{
    pthread_mutex_lock(&lock);
    while (arenas[device].ranges != NULL) {
        Range *range = arenas[device].ranges;

        arenas[device].ranges = range->next;
        free(range);
    }
    pthread_mutex_unlock(&lock);
}

bool MemoryIsValid(void *context, uint64_t address, uint64_t size)
{
    bool is_valid = false;

    (void) context;
    pthread_mutex_lock(&lock);
    for (uint32_t device = 0; device < REFCHIP_MOST_DEVICES && !is_valid; device++) {
        for (const Range *range = arenas[device].ranges; range != NULL && !is_valid;
             range = range->next) {
            is_valid = address >= range->address && size <= range->size &&
                       address - range->address <= range->size - size;
        }
    }
    pthread_mutex_unlock(&lock);
    return is_valid;
}
