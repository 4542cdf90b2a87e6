/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_GROW_H
#define OPPROF_GROW_H

/**
 * @file
 * Arrays that grow. Experimental. [owner]
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
 * @param array         Address of the pointer to the array, which may be NULL with capacity 0.
 * @param capacity      Elements there is room for; in and out.
 * @param element_size  Bytes of an element, at least 1.
 * @return False without memory or on overflow; array and capacity are as before.
 */
bool OpprofGrow(void *array, size_t *capacity, size_t needed, size_t element_size);

/**
 * OpprofGrow for arrays whose elements up to the capacity are all in use: new ones are cleared, so
 * their bytes are 0.
 *
 * @param array     As OpprofGrow, like `needed` and `element_size`.
 * @param capacity  Elements there is room for; in and out.
 * @return As OpprofGrow.
 */
bool OpprofGrowCleared(void *array, size_t *capacity, size_t needed, size_t element_size);

/**
 * OpprofGrow for arrays whose capacity is kept in 32 bits.
 *
 * @param array     As OpprofGrow, like `needed` and `element_size`.
 * @param capacity  Elements there is room for; in and out.
 * @return As OpprofGrow; false beyond UINT32_MAX elements, too.
 */
bool OpprofGrow32(void *array, uint32_t *capacity, size_t needed, size_t element_size);

/**
 * OpprofGrowCleared for arrays whose capacity is kept in 32 bits.
 *
 * @param array     As OpprofGrow, like `needed` and `element_size`.
 * @param capacity  Elements there is room for; in and out.
 * @return As OpprofGrow32.
 */
bool OpprofGrowCleared32(void *array, uint32_t *capacity, size_t needed, size_t element_size);

/**
 * Make room for one more element in a ring from malloc, where place p is element p modulo the
 * capacity, a power of two: nothing happens while there is room, else the capacity doubles and each
 * element keeps its place.
 *
 * @param ring          As the array of OpprofGrow, like `element_size`.
 * @param capacity      Elements there is room for; in and out.
 * @param first, count  Place of the oldest element, and how many there are.
 * @return As OpprofGrow32; false beyond 2^31 elements, too.
 */
bool OpprofGrowRing(void *ring, uint32_t *capacity, uint64_t first, uint32_t count,
                    size_t element_size);

#ifdef __cplusplus
}
#endif

#endif
