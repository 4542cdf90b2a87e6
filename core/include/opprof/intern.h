/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_INTERN_H
#define OPPROF_INTERN_H

/**
 * @file
 * Interning: things that are equal get one index, indices count up from 0, and nothing is ever
 * taken out. Finding and getting are lock-free and may run beside an addition; additions are
 * serialised by a lock of the owner. A map that one thread fills and changes is in map.h.
 * A `hash` is that of the key, from OpprofInternHash. Experimental. [any thread]
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A table of interned things. Opaque. */
typedef struct OpprofIntern OpprofIntern;

#define OPPROF_INTERN_NONE UINT32_MAX /**< No such index. */

/** True if the item is the one that the key describes. */
typedef bool OpprofInternEquals(const void *item, const void *key);

/** Make a table of at most `max` items, up to 1 << 30, that `equals` compares with keys. To be
 * given to OpprofInternDestroy; NULL without memory. */
OpprofIntern *OpprofInternCreate(uint32_t max, OpprofInternEquals *equals);

/** Free the table, not its items. NULL is allowed. [owner] */
void OpprofInternDestroy(OpprofIntern *intern);

/** Index of the item that is equal to the `key`, which the comparison of the table takes, or
 * OPPROF_INTERN_NONE. */
uint32_t OpprofInternFind(const OpprofIntern *intern, uint64_t hash, const void *key);

/** Add an `item` that OpprofInternFind did not find under the same lock; it stays the caller's, and
 * outlives the table. Returns its index; OPPROF_INTERN_NONE: no memory, or full. [any thread, under
 * the owner's lock] */
uint32_t OpprofInternAdd(OpprofIntern *intern, uint64_t hash, const void *item);

/** Item of an `index`, or NULL if there is none. Wait-free. */
const void *OpprofInternGet(const OpprofIntern *intern, uint32_t index);

/** Number of items. */
uint32_t OpprofInternCount(const OpprofIntern *intern);

/** Hash of `size` bytes of `data` after those that gave `seed`; OpprofInternSeed gives the first.
 */
uint64_t OpprofInternHash(uint64_t seed, const void *data, size_t size);

/** Seed of the table's hashes. Differs from table to table, so that no input can aim for
 * collisions. */
uint64_t OpprofInternSeed(const OpprofIntern *intern);

#ifdef __cplusplus
}
#endif

#endif
