/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_LARGE_ARRAY_H
#define OPPROF_KIT_LARGE_ARRAY_H

/**
 * @file
 * Arrays that are too large to stay in memory. Experimental.
 */

#include <opprof/output.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of an array up to which it is ordinary memory. */
#define OPPROF_LARGE_ARRAY_MEMORY (1u << 20)

/** Bytes at an address, as malloc() gives them. Beyond OPPROF_LARGE_ARRAY_MEMORY they are those of
 * a file without a name, which the system brings into memory where they are used;
 * OpprofLargeArrayRest lets go of that memory. Zeroed memory is an empty array. One thread at a
 * time. */
typedef struct OpprofLargeArray {
    void *bytes;   /**< Moves when the array grows. */
    size_t size;   /**< Number of bytes. */
    int fd_plus_1; /**< File that they are in, or 0. */
} OpprofLargeArray;

/**
 * Let an array have at least `size` bytes; new ones are 0.
 *
 * @param directory  Where the file is made once it is needed. Where the file cannot be made or
 *                   grow, memory is used instead. NULL: always memory. Borrowed.
 * @return False without memory; the array is as before. [owner]
 */
bool OpprofLargeArrayGrow(OpprofLargeArray *array, OpprofOutputDirectory *directory, size_t size);

/** Let go of the memory that the bytes of a file take. They stay as they are. [owner] */
void OpprofLargeArrayRest(const OpprofLargeArray *array);

/** Free what the array holds; it is empty again. [owner] */
void OpprofLargeArrayFinish(OpprofLargeArray *array);

#ifdef __cplusplus
}
#endif

#endif
