/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins a kernel's pieces to a file again, for the source service.
 * Tested by tests/plugins/parse-dbi/test_hot_spots.sh.
 */
#include "kernel_file.h"

#include <opprof/grow.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define TOOLKIT "ascend-toolkit" /* part of the paths of the toolkit's sources */
#define COPY_BYTES (256u << 10)

OpprofStatus KernelFileAdd(KernelFile *kernel, OpprofSpool *spool, OpprofOutputDirectory *directory,
                           const char *bytes, size_t length, OpprofError **error)
{
    uint64_t offset = 0;
    const OpprofStatus status = OpprofSpoolAppend(spool, directory, bytes, length, &offset, error);

    if (status != OPPROF_OK) {
        return status;
    }
    if (!OpprofGrow(&kernel->pieces, &kernel->capacity, kernel->count + 1,
                    sizeof *kernel->pieces)) {
        return OpprofErrorNoMemory(error, "keep a kernel");
    }
    kernel->pieces[kernel->count++] = (KernelPiece){ offset, length };
    return OPPROF_OK;
}

static bool write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(fd, bytes, length);
        if (written < 0) {
            return false;
        }
        bytes += written;
        length -= (size_t) written;
    }
    return true;
}

/* Pieces have the length the collector chose, so buffering one at a time needs little memory. */
static OpprofStatus copy_piece(const OpprofSpool *spool, const KernelPiece *piece, int fd,
                               char *room, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t done = 0; status == OPPROF_OK && done < piece->length;) {
        const size_t left = piece->length - done;
        const size_t part = left < COPY_BYTES ? left : COPY_BYTES;

        status = OpprofSpoolRead(spool, piece->offset + done, part, room, error);
        if (status == OPPROF_OK && !write_all(fd, room, part)) {
            status = OpprofErrorSet(error, OPPROF_E_IO, "Cannot copy a kernel: %m");
        }
        done += part;
    }
    return status;
}

static OpprofStatus copy_pieces(const KernelFile *kernel, const OpprofSpool *spool, int fd,
                                OpprofError **error)
{
    char *room = malloc(COPY_BYTES);
    OpprofStatus status = room == NULL ? OpprofErrorNoMemory(error, "copy a kernel") : OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < kernel->count; i++) {
        status = copy_piece(spool, &kernel->pieces[i], fd, room, error);
    }
    free(room);
    return status;
}

OpprofStatus KernelFileOpen(const KernelFile *kernel, const OpprofSpool *spool, const char *name,
                            int *ret_fd, OpprofSource **ret_source, OpprofError **error)
{
    const OpprofSourceOptions options = { .toolkit = TOOLKIT, .name = name };
    char path[64];

    *ret_source = NULL;
    *ret_fd = -1;
    if (kernel->count == 0) {
        return OPPROF_E_NOT_FOUND;
    }
    *ret_fd = memfd_create("kernel", MFD_CLOEXEC);
    if (*ret_fd < 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot copy kernel '%s': %m", name);
    }
    const OpprofStatus status = copy_pieces(kernel, spool, *ret_fd, error);
    if (status != OPPROF_OK) {
        return status;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", *ret_fd);
    return OpprofSourceOpen(path, &options, ret_source, error);
}

void KernelFileFinish(KernelFile *kernel)
{
    free(kernel->pieces);
    *kernel = (KernelFile){ .count = 0 };
}
