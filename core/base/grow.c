/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow. Tested by tests/core/base/test_map.c. */
#include <opprof/grow.h>

#include <opprof/require.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 8
#define FIRST_RING 4u

#define REQUIRE_ARRAY(array, capacity, element_size)                                               \
    OPPROF_REQUIRE("grow-array", (array) != NULL && (capacity) != NULL && (element_size) > 0,      \
                   "The array, its capacity and the size of an element are given")

/* New elements are zero if they are to be cleared. */
static bool grow(void *array, size_t *capacity, size_t needed, size_t most, size_t element_size,
                 bool is_cleared)
{
    const size_t before = *capacity;
    size_t wanted = before < FIRST_CAPACITY / 2 ? FIRST_CAPACITY : before;
    size_t bytes;
    char *old, *grown;

    if (needed <= before || needed > most) {
        return needed <= before;
    }
    wanted = wanted > most / 2 ? most : wanted * 2;
    wanted = wanted < needed ? needed : wanted;
    if (__builtin_mul_overflow(wanted, element_size, &bytes)) {
        return false;
    }
    memcpy(&old, array, sizeof old); /* a pointer to any type */
    grown = realloc(old, bytes);
    if (grown == NULL) {
        return false;
    }
    if (is_cleared) {
        memset(grown + before * element_size, 0, bytes - before * element_size);
    }
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

static bool grow_32(void *array, uint32_t *capacity, size_t needed, size_t element_size,
                    bool is_cleared)
{
    size_t wide = *capacity;
    const bool is_grown = grow(array, &wide, needed, UINT32_MAX, element_size, is_cleared);

    *capacity = (uint32_t) wide;
    return is_grown;
}

bool OpprofGrow(void *array, size_t *capacity, size_t needed, size_t element_size)
{
    REQUIRE_ARRAY(array, capacity, element_size);
    return grow(array, capacity, needed, SIZE_MAX, element_size, false);
}

bool OpprofGrow32(void *array, uint32_t *capacity, size_t needed, size_t element_size)
{
    REQUIRE_ARRAY(array, capacity, element_size);
    return grow_32(array, capacity, needed, element_size, false);
}

bool OpprofGrowCleared(void *array, size_t *capacity, size_t needed, size_t element_size)
{
    REQUIRE_ARRAY(array, capacity, element_size);
    return grow(array, capacity, needed, SIZE_MAX, element_size, true);
}

bool OpprofGrowCleared32(void *array, uint32_t *capacity, size_t needed, size_t element_size)
{
    REQUIRE_ARRAY(array, capacity, element_size);
    return grow_32(array, capacity, needed, element_size, true);
}

bool OpprofGrowRing(void *ring, uint32_t *capacity, uint64_t first, uint32_t count,
                    size_t element_size)
{
    REQUIRE_ARRAY(ring, capacity, element_size);

    const uint32_t wanted = *capacity == 0 ? FIRST_RING : *capacity * 2;
    char *old, *grown;

    if (count < *capacity) {
        return true;
    }
    grown = wanted == 0 ? NULL : reallocarray(NULL, wanted, element_size);
    if (grown == NULL) {
        return false;
    }
    memcpy(&old, ring, sizeof old); /* a pointer to any type */
    for (uint64_t place = first; place < first + count; place++) {
        memcpy(grown + (place & (wanted - 1)) * element_size,
               old + (place & (*capacity - 1)) * element_size, element_size);
    }
    free(old);
    memcpy(ring, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}
