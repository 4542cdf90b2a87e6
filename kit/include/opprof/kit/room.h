/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_ROOM_H
#define OPPROF_KIT_ROOM_H

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

/** Bytes of a room up to which it is ordinary memory. */
#define OPPROF_ROOM_MEMORY (1u << 20)

/** Bytes at an address, as malloc() gives them. Beyond OPPROF_ROOM_MEMORY they are those of a file
 * without a name, which the system brings into memory where they are used; OpprofRoomRest lets go
 * of that memory. Zeroed memory is an empty room. One thread at a time. */
typedef struct OpprofRoom {
    void *bytes;   /**< Moves when the room grows. */
    size_t size;   /**< Number of bytes. */
    int fd_plus_1; /**< File that they are in, or 0. */
} OpprofRoom;

/**
 * Let a room have at least `size` bytes; new ones are 0.
 *
 * @param directory  Where the file is made once it is needed. Where the file cannot be made or
 *                   grow, memory is used instead. NULL: always memory. Borrowed.
 * @return False without memory; the room is as before. [owner]
 */
bool OpprofRoomGrow(OpprofRoom *room, OpprofOutputDirectory *directory, size_t size);

/** Let go of the memory that the bytes of a file take. They stay as they are. [owner] */
void OpprofRoomRest(const OpprofRoom *room);

/** Free what the room holds; it is empty again. [owner] */
void OpprofRoomFinish(OpprofRoom *room);

#ifdef __cplusplus
}
#endif

#endif
