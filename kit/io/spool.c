/* SPDX-License-Identifier: Apache-2.0 */
/* Puts bytes aside: in memory while there are few, then in a file without a name. */
#include <opprof/kit/spool.h>

#include "unnamed_file.h"

#include <errno.h>
#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/require.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEMPORARY "temporary file" /* what errors call it */

static OpprofStatus open_file(OpprofSpool *spool, OpprofOutputDirectory *directory,
                              OpprofError **error)
{
    const char *path = OpprofOutputDirectoryPath(directory);
    const int fd = UnnamedFileOpen(path);

    if (fd < 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot make a temporary file in '%s': %s", path,
                              strerror(errno));
    }
    spool->fd_plus_1 = fd + 1;
    return OPPROF_OK;
}

static OpprofStatus write_file(OpprofSpool *spool, const OpprofOutputDirectory *directory,
                               const char *bytes, size_t size, OpprofError **error)
{
    while (size > 0) {
        ssize_t written =
            pwrite(spool->fd_plus_1 - 1, bytes, size, (off_t) (spool->total - spool->used));

        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return OpprofErrorSet(
                error, OPPROF_E_IO, "Cannot put %zu bytes aside in a temporary file in '%s': %s",
                size, OpprofOutputDirectoryPath(directory), strerror(written < 0 ? errno : ENOSPC));
        }
        bytes += written;
        size -= (size_t) written;
        spool->total += (uint64_t) written;
    }
    return OPPROF_OK;
}

static OpprofStatus write_memory(OpprofSpool *spool, const char *bytes, size_t size,
                                 OpprofError **error)
{
    if (!OpprofGrow(&spool->memory, &spool->capacity, spool->used + size, 1)) {
        return OpprofErrorNoMemory(error, "put %zu bytes aside", size);
    }
    if (size > 0) {
        memcpy(spool->memory + spool->used, bytes, size);
    }
    spool->used += size;
    spool->total += size;
    return OPPROF_OK;
}

static bool has_memory(const OpprofSpool *spool, size_t size)
{
    const size_t most = spool->most_memory != 0 ? spool->most_memory : OPPROF_SPOOL_MEMORY;

    return spool->used <= most && size <= most - spool->used;
}

OpprofStatus OpprofSpoolAppend(OpprofSpool *spool, OpprofOutputDirectory *directory,
                               const char *bytes, size_t size, uint64_t *ret_offset,
                               OpprofError **error)
{
    OPPROF_REQUIRE("spool-given", spool != NULL, "The spool is given");
    OPPROF_REQUIRE("spool-bytes-given", (bytes != NULL || size == 0) && ret_offset != NULL,
                   "The bytes, if any, and the result pointer are given");

    OpprofStatus status = OPPROF_OK;

    *ret_offset = spool->total;
    if (spool->fd_plus_1 == 0 && has_memory(spool, size)) {
        return write_memory(spool, bytes, size, error);
    }
    if (spool->fd_plus_1 == 0) {
        status = open_file(spool, directory, error);
    }
    return status == OPPROF_OK ? write_file(spool, directory, bytes, size, error) : status;
}

static OpprofStatus cannot_read(uint64_t offset, ssize_t got, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_IO,
                          "Cannot read what was put aside at offset %" PRIu64 ": %s", offset,
                          got < 0 ? strerror(errno) : "the file is shorter than expected");
}

OpprofStatus OpprofSpoolCopy(const OpprofSpool *spool, uint64_t offset, uint64_t size,
                             OpprofOutputFile *file, OpprofError **error)
{
    OPPROF_REQUIRE("spool-given", spool != NULL, "The spool is given");
    OPPROF_REQUIRE("spool-range", offset <= spool->total && size <= spool->total - offset,
                   "The bytes are in the spool");
    if (offset < spool->used) {
        const uint64_t there = spool->used - offset;
        const uint64_t step = size < there ? size : there;
        const OpprofStatus status =
            OpprofOutputFileWrite(file, spool->memory + offset, (size_t) step, error);

        if (status != OPPROF_OK || step == size) {
            return status;
        }
        offset += step;
        size -= step;
    }
    return size == 0 ? OPPROF_OK
                     : OpprofOutputFileCopyOpen(file, spool->fd_plus_1 - 1, TEMPORARY,
                                                offset - spool->used, size, error);
}

OpprofStatus OpprofSpoolRead(const OpprofSpool *spool, uint64_t offset, size_t size, char *out,
                             OpprofError **error)
{
    OPPROF_REQUIRE("spool-given", spool != NULL, "The spool is given");
    OPPROF_REQUIRE("spool-bytes-given", out != NULL || size == 0,
                   "The bytes, if any, and the result pointer are given");
    OPPROF_REQUIRE("spool-range", offset <= spool->total && size <= spool->total - offset,
                   "The bytes are in the spool");
    if (offset < spool->used) {
        const size_t there = (size_t) (spool->used - offset);
        const size_t step = size < there ? size : there;

        memcpy(out, spool->memory + offset, step);
        out += step;
        offset += step;
        size -= step;
    }
    while (size > 0) {
        const ssize_t got = pread(spool->fd_plus_1 - 1, out, size, (off_t) (offset - spool->used));

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return cannot_read(offset, got, error);
        }
        out += got;
        offset += (uint64_t) got;
        size -= (size_t) got;
    }
    return OPPROF_OK;
}

void OpprofSpoolFinish(OpprofSpool *spool)
{
    OPPROF_REQUIRE("spool-given", spool != NULL, "The spool is given");
    if (spool->fd_plus_1 > 0) {
        close(spool->fd_plus_1 - 1);
    }
    free(spool->memory);
    *spool = (OpprofSpool){ 0 };
}
