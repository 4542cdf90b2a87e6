/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that move to an unnamed temporary file when large. The file's blocks are reserved before
 * they are used: a full disk is noticed there, not by a signal in the middle of a loop. Tested by
 * tests/kit/io/test_large_array.
 */
#include <opprof/kit/large_array.h>

#include "unnamed_file.h"

#include <fcntl.h>
#include <opprof/grow.h>
#include <opprof/require.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STEP_BYTES ((size_t) OPPROF_LARGE_ARRAY_MEMORY) /* sizes of files are multiples of it */

/* The bytes of a file become ordinary memory. */
static bool leave_file(OpprofLargeArray *array, size_t size)
{
    OpprofLargeArray memory = { .bytes = NULL };

    if (!OpprofGrowCleared(&memory.bytes, &memory.size, size, 1)) {
        return false;
    }
    memcpy(memory.bytes, array->bytes, array->size);
    OpprofLargeArrayFinish(array);
    *array = memory;
    return true;
}

static bool map_file(OpprofLargeArray *array, int fd, size_t size)
{
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (bytes == MAP_FAILED) {
        return false;
    }
    if (array->size > 0) {
        memcpy(bytes, array->bytes, array->size);
    }
    free(array->bytes);
    *array = (OpprofLargeArray){ .bytes = bytes, .size = size, .fd_plus_1 = fd + 1 };
    return true;
}

/* False: it has to stay in memory. */
static bool enter_file(OpprofLargeArray *array, OpprofOutputDirectory *directory, size_t size)
{
    const int fd = UnnamedFileOpen(OpprofOutputDirectoryPath(directory));

    if (fd < 0) {
        return false;
    }
    if (posix_fallocate(fd, 0, (off_t) size) != 0 || !map_file(array, fd, size)) {
        close(fd);
        return false;
    }
    return true;
}

static bool grow_file(OpprofLargeArray *array, size_t size)
{
    void *bytes;

    if (posix_fallocate(array->fd_plus_1 - 1, 0, (off_t) size) != 0) {
        return false;
    }
    bytes = mremap(array->bytes, array->size, size, MREMAP_MAYMOVE);
    if (bytes == MAP_FAILED) {
        return false;
    }
    array->bytes = bytes;
    array->size = size;
    return true;
}

/* A quarter more than is asked for, in whole steps; 0 if that is too much. */
static size_t file_size(size_t size)
{
    if (size > SIZE_MAX / 2 || size > INT64_MAX / 2) {
        return 0;
    }
    return (size + size / 4 + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
}

bool OpprofLargeArrayGrow(OpprofLargeArray *array, OpprofOutputDirectory *directory, size_t size)
{
    OPPROF_REQUIRE("large-array-given", array != NULL, "The array is given");

    const size_t rounded = file_size(size);

    if (size <= array->size) {
        return true;
    }
    if (rounded == 0) {
        return false;
    }
    if (array->fd_plus_1 != 0) {
        return grow_file(array, rounded) || leave_file(array, rounded);
    }
    if (directory != NULL && size > OPPROF_LARGE_ARRAY_MEMORY &&
        enter_file(array, directory, rounded)) {
        return true;
    }
    return OpprofGrowCleared(&array->bytes, &array->size, size, 1);
}

void OpprofLargeArrayRest(const OpprofLargeArray *array)
{
    OPPROF_REQUIRE("large-array-given", array != NULL, "The array is given");
    if (array->fd_plus_1 != 0) {
        madvise(array->bytes, array->size, MADV_DONTNEED);
    }
}

void OpprofLargeArrayFinish(OpprofLargeArray *array)
{
    OPPROF_REQUIRE("large-array-given", array != NULL, "The array is given");
    if (array->fd_plus_1 != 0) {
        munmap(array->bytes, array->size);
        close(array->fd_plus_1 - 1);
    } else {
        free(array->bytes);
    }
    *array = (OpprofLargeArray){ .bytes = NULL };
}
