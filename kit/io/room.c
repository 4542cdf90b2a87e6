/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that move to an unnamed temporary file when large. The file's blocks are reserved before
 * they are used: a full disk is noticed there, not by a signal in the middle of a loop. Tested by
 * tests/kit/io/test_room.
 */
#include <opprof/kit/room.h>

#include "unnamed_file.h"

#include <fcntl.h>
#include <opprof/grow.h>
#include <opprof/require.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STEP_BYTES ((size_t) OPPROF_ROOM_MEMORY) /* sizes of files are multiples of it */

/* The bytes of a file become ordinary memory. */
static bool leave_file(OpprofRoom *room, size_t size)
{
    OpprofRoom memory = { .bytes = NULL };

    if (!OpprofGrowCleared(&memory.bytes, &memory.size, size, 1)) {
        return false;
    }
    memcpy(memory.bytes, room->bytes, room->size);
    OpprofRoomFinish(room);
    *room = memory;
    return true;
}

static bool map_file(OpprofRoom *room, int fd, size_t size)
{
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (bytes == MAP_FAILED) {
        return false;
    }
    if (room->size > 0) {
        memcpy(bytes, room->bytes, room->size);
    }
    free(room->bytes);
    *room = (OpprofRoom){ .bytes = bytes, .size = size, .fd_plus_1 = fd + 1 };
    return true;
}

/* False: it has to stay in memory. */
static bool enter_file(OpprofRoom *room, OpprofOutputDirectory *directory, size_t size)
{
    const int fd = UnnamedFileOpen(OpprofOutputDirectoryPath(directory));

    if (fd < 0) {
        return false;
    }
    if (posix_fallocate(fd, 0, (off_t) size) != 0 || !map_file(room, fd, size)) {
        close(fd);
        return false;
    }
    return true;
}

static bool grow_file(OpprofRoom *room, size_t size)
{
    void *bytes;

    if (posix_fallocate(room->fd_plus_1 - 1, 0, (off_t) size) != 0) {
        return false;
    }
    bytes = mremap(room->bytes, room->size, size, MREMAP_MAYMOVE);
    if (bytes == MAP_FAILED) {
        return false;
    }
    room->bytes = bytes;
    room->size = size;
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

bool OpprofRoomGrow(OpprofRoom *room, OpprofOutputDirectory *directory, size_t size)
{
    OPPROF_REQUIRE("room-given", room != NULL, "The room is given");

    const size_t rounded = file_size(size);

    if (size <= room->size) {
        return true;
    }
    if (rounded == 0) {
        return false;
    }
    if (room->fd_plus_1 != 0) {
        return grow_file(room, rounded) || leave_file(room, rounded);
    }
    if (directory != NULL && size > OPPROF_ROOM_MEMORY && enter_file(room, directory, rounded)) {
        return true;
    }
    return OpprofGrowCleared(&room->bytes, &room->size, size, 1);
}

void OpprofRoomRest(const OpprofRoom *room)
{
    OPPROF_REQUIRE("room-given", room != NULL, "The room is given");
    if (room->fd_plus_1 != 0) {
        madvise(room->bytes, room->size, MADV_DONTNEED);
    }
}

void OpprofRoomFinish(OpprofRoom *room)
{
    OPPROF_REQUIRE("room-given", room != NULL, "The room is given");
    if (room->fd_plus_1 != 0) {
        munmap(room->bytes, room->size);
        close(room->fd_plus_1 - 1);
    } else {
        free(room->bytes);
    }
    *room = (OpprofRoom){ .bytes = NULL };
}
