/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_SPOOL_H
#define OPPROF_KIT_SPOOL_H

/**
 * @file
 * Bytes put aside until the end of the run. Experimental.
 */

#include <opprof/output.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes that a spool keeps in memory. */
#define OPPROF_SPOOL_MEMORY (1u << 20)

/** The first OPPROF_SPOOL_MEMORY bytes are in memory, the rest in a file without a name in the
 * output directory, which vanishes by itself. Zeroed memory is an empty spool. One thread at a
 * time. */
typedef struct OpprofSpool {
    char *memory;       /**< First bytes. */
    size_t used;        /**< Bytes in memory. */
    size_t capacity;    /**< Bytes allocated for memory. */
    int fd_plus_1;      /**< File, or 0. */
    uint64_t total;     /**< Bytes in memory and file. */
    size_t most_memory; /**< Limit instead of OPPROF_SPOOL_MEMORY; 0: that one. Set by the owner. */
} OpprofSpool;

/**
 * Append `size` `bytes`, a copy. OPPROF_OK, OPPROF_E_IO, OPPROF_E_MEMORY. [owner]
 *
 * @param directory        Where the file is made once it is needed. Borrowed.
 * @param[out] ret_offset  Where the bytes are.
 */
OpprofStatus OpprofSpoolAppend(OpprofSpool *spool, OpprofOutputDirectory *directory,
                               const char *bytes, size_t size, uint64_t *ret_offset,
                               OpprofError **error);

/** Append `size` bytes from `offset`, of one OpprofSpoolAppend, to an open `file`. OPPROF_OK,
 * OPPROF_E_IO, OPPROF_E_MEMORY. [owner] */
OpprofStatus OpprofSpoolCopy(const OpprofSpool *spool, uint64_t offset, uint64_t size,
                             OpprofOutputFile *file, OpprofError **error);

/** Read `size` bytes from `offset` into `out`. OPPROF_OK, OPPROF_E_IO. [owner] */
OpprofStatus OpprofSpoolRead(const OpprofSpool *spool, uint64_t offset, size_t size, char *out,
                             OpprofError **error);

/** Free what the spool holds; it is empty again. [owner] */
void OpprofSpoolFinish(OpprofSpool *spool);

#ifdef __cplusplus
}
#endif

#endif
