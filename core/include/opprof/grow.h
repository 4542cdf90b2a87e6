/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_GROW_H
#define OPPROF_GROW_H

/**
 * @file
 * Arrays that grow: `array` is the address of the pointer to one from malloc, NULL with capacity 0;
 * `capacity`, in and out, are the elements of `element_size` bytes that there is room for, `needed`
 * those that there must be. Experimental. [owner]
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Make room for `needed` elements in an array from malloc: nothing happens while there is room,
 * else the capacity at least doubles. New elements are not cleared.
 *
 * @code
 * if (!OpprofGrow(&list->items, &list->capacity, list->count + 1, sizeof *list->items)) {
 *     … out of memory …
 * }
 * @endcode
 *
 * @return False without memory or on overflow; array and capacity are as before.
 */
bool OpprofGrow(void *array, size_t *capacity, size_t needed, size_t element_size);

/** OpprofGrow for arrays whose elements up to the capacity are all in use: the bytes of new ones
 * are 0. Returns as OpprofGrow. */
bool OpprofGrowCleared(void *array, size_t *capacity, size_t needed, size_t element_size);

/** OpprofGrow for arrays whose capacity is kept in 32 bits. False beyond UINT32_MAX elements, too.
 */
bool OpprofGrow32(void *array, uint32_t *capacity, size_t needed, size_t element_size);

/** OpprofGrowCleared with the capacity of OpprofGrow32. Returns as that. */
bool OpprofGrowCleared32(void *array, uint32_t *capacity, size_t needed, size_t element_size);

/** Make room for one more element in a `ring` from malloc, where place p is element p modulo the
 * capacity, a power of two: nothing happens while there is room, else the capacity doubles and each
 * element keeps its place. `first` is the place of the oldest of `count` elements. False beyond
 * 2^31 elements, too. */
bool OpprofGrowRing(void *ring, uint32_t *capacity, uint64_t first, uint32_t count,
                    size_t element_size);

#ifdef __cplusplus
}
#endif

#endif
