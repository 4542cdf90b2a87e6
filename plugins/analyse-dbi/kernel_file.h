/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_KERNEL_FILE_H
#define ANALYSE_DBI_KERNEL_FILE_H

#include <opprof/kit/source.h>
#include <opprof/kit/spool.h>

/* The kernels of launches, kept in one spool until their lines are looked up. */

/* Where a piece of a kernel is in the spool. */
typedef struct KernelPiece {
    uint64_t offset;
    size_t length;
} KernelPiece;

/* A kernel whose bytes come in pieces. Zeroed memory holds none. */
typedef struct KernelFile {
    KernelPiece *pieces;
    size_t count;
    size_t capacity;
} KernelFile;

OpprofStatus KernelFileAdd(KernelFile *kernel, OpprofSpool *spool, OpprofOutputDirectory *directory,
                           const char *bytes, size_t length, OpprofError **error);

/* Open the source lines of a kernel that messages call `name`. OPPROF_E_NOT_FOUND: no kernel
 * arrived. */
OpprofStatus KernelFileOpen(const KernelFile *kernel, const OpprofSpool *spool, const char *name,
                            int *ret_fd, OpprofSource **ret_source, OpprofError **error);

void KernelFileFinish(KernelFile *kernel);

#endif
