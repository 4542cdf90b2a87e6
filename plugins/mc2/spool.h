/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_SPOOL_H
#define MC2_SPOOL_H

#include <opprof/error.h>

/*
 * Bytes that are written once and read several times: in memory as long as they are few, then in a
 * file without a name.
 */

#define SPOOL_MEMORY (4u << 20)

typedef struct Spool {
    const char *directory; /* borrowed; for the file */
    unsigned char *bytes;
    size_t have; /* bytes in memory that are not in the file */
    size_t capacity;
    int fd;            /* plus 1; 0: there is no file */
    uint64_t written;  /* bytes in the file */
    uint64_t position; /* next byte to be read */
} Spool;

OpprofStatus SpoolWrite(Spool *spool, const void *bytes, size_t length, OpprofError **error);
/* Begin to read from the first byte. */
OpprofStatus SpoolRewind(Spool *spool, OpprofError **error);
/* Up to `room` bytes; 0 at the end. */
OpprofStatus SpoolRead(Spool *spool, void *bytes, size_t room, size_t *ret_length,
                       OpprofError **error);
void SpoolFinish(Spool *spool);

#endif
