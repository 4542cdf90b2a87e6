/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_TOOLS_CONTAINER_READER_H
#define TESTS_TOOLS_CONTAINER_READER_H

#include <opprof/error.h>
#include <stddef.h>
#include <stdint.h>

/* A block of visualize_data.bin, found where it must be. Borrowed from the bytes. */
typedef struct FoundBlock {
    unsigned type;
    unsigned version;
    const char *path; /* of type 0x01, NUL-terminated; else NULL */
    const unsigned char *content;
    uint64_t length; /* without padding */
} FoundBlock;

/*
 * Read a container strictly by the format: headers, padding of zeros, no stray bytes, no empty
 * block, a first block that the viewer's signature test accepts. OPPROF_E_DATA names the byte;
 * OPPROF_E_LIMIT: more than `max` blocks.
 */
OpprofStatus ContainerRead(const void *bytes, size_t size, FoundBlock *found, size_t max,
                           size_t *ret_count, OpprofError **error);

#endif
