/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_TRIM_H
#define EXPORT_TRIM_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Shrink an array that was grown with OpprofGrow32 to its items, where there are thousands of such
 * arrays. */
static inline void Trim32(void *array, uint32_t *capacity, uint32_t count, size_t item_size)
{
    void *old;
    void *fitting;

    memcpy(&old, array, sizeof old);
    if (count == 0 || count == *capacity) {
        return;
    }
    fitting = malloc(count * item_size);
    if (fitting != NULL) {
        memcpy(fitting, old, count * item_size);
        free(old);
        memcpy(array, &fitting, sizeof fitting);
        *capacity = count;
    }
}

#endif
