/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_CONTAINER_H
#define MC2_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * timeline.bin.<k>: chunks of one size with a head that names core and kind, of which only the
 * first bytes are valid. They arrive in pieces of any length.
 */

#define CONTAINER_HEAD_BYTES 8u
#define CONTAINER_DATA_BYTES 2097152u
#define CONTAINER_CORE_TYPES 3u /* AIC, AIV0, AIV1 */

/* Takes valid bytes of a chunk; false: stop. */
typedef bool ContainerTake(void *context, uint32_t core, uint32_t type, const unsigned char *bytes,
                           size_t length);

/* Zero everything but `cores` before each file. */
typedef struct ContainerReader {
    uint32_t cores; /* a chunk's core is below this */
    uint32_t have;  /* bytes of the head */
    unsigned char head[CONTAINER_HEAD_BYTES];
    uint32_t data_at; /* bytes of the data so far */
    uint64_t chunks;  /* begun */
    bool is_lost;     /* the chunk has bytes, but its head calls none of them valid */
    uint64_t bad;     /* chunks with an invalid head: they are skipped */
    uint64_t bad_at;  /* offset of the first of them */
    /* An invalid head; NULL: not requested. */
    void (*on_bad)(void *context, uint64_t offset, const unsigned char *head);
    void *context;
} ContainerReader;

bool ContainerFeed(ContainerReader *reader, const unsigned char *bytes, size_t length,
                   ContainerTake *take, void *context);

/* Bytes of a chunk that did not arrive completely. */
uint64_t ContainerRest(const ContainerReader *reader);

#endif
