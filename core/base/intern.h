/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the run's tables of strings, tracks and clocks have in common: things that are equal get one
 * index, indices count up from 0, and nothing is ever taken out. Finding and getting are lock-free
 * and may run beside an addition; additions are serialised by the owner's lock.
 */
typedef struct Intern Intern;

#define INTERN_NONE UINT32_MAX

/* True if the item is the one that the key describes. */
typedef bool InternEquals(const void *item, const void *key);

/* `max`: most items, at most 1 << 30. NULL without memory. Items are owned by the caller. */
Intern *InternCreate(uint32_t max, InternEquals *equals);
void InternDestroy(Intern *intern);

/* Index of the item equal to the key, or INTERN_NONE. */
uint32_t InternFind(const Intern *intern, uint64_t hash, const void *key);

/* Add an item that InternFind did not find under the same lock. INTERN_NONE: no memory or full. */
uint32_t InternAdd(Intern *intern, uint64_t hash, const void *item);

/* Item of an index, or NULL. Wait-free. */
const void *InternGet(const Intern *intern, uint32_t index);

uint32_t InternCount(const Intern *intern);

/* Hash of bytes after those that gave `seed`; InternSeed gives the first. */
uint64_t InternHash(uint64_t seed, const void *data, size_t size);

/* Differs from table to table, so that no input can aim for collisions. */
uint64_t InternSeed(const Intern *intern);

#endif
