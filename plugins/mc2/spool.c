/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks must be seen twice: what the colours are is known only when all of them have come.
 * Tests: tests/plugins/mc2/test_vectors.sh.
 */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static OpprofStatus failed(const Spool *spool, const char *what, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_IO, "Cannot %s a temporary file in '%s': %s", what,
                          spool->directory, strerror(errno));
}

static OpprofStatus open_file(Spool *spool, OpprofError **error)
{
    int fd = open(spool->directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT)) {
        char *path = NULL;
        if (asprintf(&path, "%s/.marks-XXXXXX", spool->directory) < 0) {
            return OpprofErrorNoMemory(error, "keep marks");
        }
        fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0) {
            unlink(path);
        }
        free(path);
    }
    if (fd < 0) {
        return failed(spool, "make", error);
    }
    spool->fd = fd + 1;
    return OPPROF_OK;
}

static OpprofStatus write_all(Spool *spool, const unsigned char *bytes, size_t length,
                              OpprofError **error)
{
    while (length > 0) {
        const ssize_t put = pwrite(spool->fd - 1, bytes, length, (off_t) spool->written);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return failed(spool, "write", error);
        }
        bytes += put;
        length -= (size_t) put;
        spool->written += (uint64_t) put;
    }
    return OPPROF_OK;
}

static OpprofStatus spill(Spool *spool, OpprofError **error)
{
    OpprofStatus status = spool->fd == 0 ? open_file(spool, error) : OPPROF_OK;

    if (status == OPPROF_OK) {
        status = write_all(spool, spool->bytes, spool->have, error);
        spool->have = 0;
    }
    return status;
}

static bool make_room(Spool *spool, size_t wanted)
{
    size_t capacity = spool->capacity == 0 ? 4096 : spool->capacity;

    while (capacity < wanted) {
        capacity *= 2;
    }
    if (capacity == spool->capacity) {
        return true;
    }
    unsigned char *grown = realloc(spool->bytes, capacity);
    if (grown == NULL) {
        return false;
    }
    spool->bytes = grown;
    spool->capacity = capacity;
    return true;
}

OpprofStatus SpoolWrite(Spool *spool, const void *bytes, size_t length, OpprofError **error)
{
    if (length == 0) {
        return OPPROF_OK;
    }
    if (spool->have + length > SPOOL_MEMORY) {
        const OpprofStatus status = spill(spool, error);
        if (status != OPPROF_OK || length > SPOOL_MEMORY) {
            return status != OPPROF_OK ? status : write_all(spool, bytes, length, error);
        }
    }
    if (!make_room(spool, spool->have + length)) {
        return OpprofErrorNoMemory(error, "keep marks");
    }
    memcpy(spool->bytes + spool->have, bytes, length);
    spool->have += length;
    return OPPROF_OK;
}

OpprofStatus SpoolRewind(Spool *spool, OpprofError **error)
{
    spool->position = 0;
    return spool->fd != 0 && spool->have > 0 ? spill(spool, error) : OPPROF_OK;
}

OpprofStatus SpoolRead(Spool *spool, void *bytes, size_t room, size_t *ret_length,
                       OpprofError **error)
{
    const uint64_t size = spool->fd == 0 ? spool->have : spool->written;
    const uint64_t left = size - spool->position;
    ssize_t got = (ssize_t) (left < room ? left : room);

    if (spool->fd == 0) {
        if (got > 0) {
            memcpy(bytes, spool->bytes + spool->position, (size_t) got);
        }
    } else if (got > 0) {
        do {
            got = pread(spool->fd - 1, bytes, (size_t) got, (off_t) spool->position);
        } while (got < 0 && errno == EINTR);
        if (got <= 0) {
            return failed(spool, "read", error);
        }
    }
    spool->position += (uint64_t) got;
    *ret_length = (size_t) got;
    return OPPROF_OK;
}

void SpoolFinish(Spool *spool)
{
    const char *directory = spool->directory;

    if (spool->fd != 0) {
        close(spool->fd - 1);
    }
    free(spool->bytes);
    *spool = (Spool){ .directory = directory };
}
