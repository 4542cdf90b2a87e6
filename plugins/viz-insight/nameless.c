/* SPDX-License-Identifier: Apache-2.0 */
/* Copies a trace, giving a name to events without one, as the viewer needs. */
#include "nameless.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK ((size_t) 256 << 10)
/* As `trace` prints it. Inside a JSON string the quotes would be escaped, so this text occurs
 * nowhere else. */
#define NAMELESS "\"name\":\"\""
#define NAMELESS_LENGTH (sizeof NAMELESS - 1)
#define NAMED "\"name\":\"?\""

/* Bytes not written yet: a possible start of a name stays for the next chunk. */
typedef struct Window {
    char *bytes;
    size_t used;
} Window;

/* Writes all of the window but its last `keep` bytes, with names for the nameless. */
static OpprofStatus drain(Window *window, size_t keep, OpprofOutputFile *file, OpprofError **error)
{
    const char *at = window->bytes;
    const char *end = window->bytes + window->used;
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK) {
        const char *found = memmem(at, (size_t) (end - at), NAMELESS, NAMELESS_LENGTH);

        if (found == NULL) {
            break;
        }
        status = OpprofOutputFileWrite(file, at, (size_t) (found - at), error);
        if (status == OPPROF_OK) {
            status = OpprofOutputFileWrite(file, NAMED, sizeof NAMED - 1, error);
        }
        at = found + NAMELESS_LENGTH;
    }
    if (status == OPPROF_OK && (size_t) (end - at) > keep) {
        status = OpprofOutputFileWrite(file, at, (size_t) (end - at) - keep, error);
        at = end - keep;
    }
    window->used = (size_t) (end - at);
    memmove(window->bytes, at, window->used);
    return status;
}

static OpprofStatus fill(Window *window, int fd, const char *path, uint64_t offset, size_t size,
                         OpprofError **error)
{
    while (size > 0) {
        ssize_t got = pread(fd, window->bytes + window->used, size, (off_t) offset);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s' at byte %llu: %s", path,
                                  (unsigned long long) offset,
                                  got < 0 ? strerror(errno) : "it is shorter than it was");
        }
        window->used += (size_t) got;
        offset += (uint64_t) got;
        size -= (size_t) got;
    }
    return OPPROF_OK;
}

static OpprofStatus copy(const NamelessSource *source, int fd, OpprofOutputFile *file,
                         OpprofError **error)
{
    Window window = { .bytes = malloc(CHUNK + NAMELESS_LENGTH) };
    OpprofStatus status = OPPROF_OK;
    uint64_t done = 0;

    if (window.bytes == NULL) {
        return OpprofErrorNoMemory(error, "copy '%s'", source->path);
    }
    while (status == OPPROF_OK && done < source->length) {
        const uint64_t left = source->length - done;
        const size_t size = left < CHUNK ? (size_t) left : CHUNK;

        status = fill(&window, fd, source->path, source->offset + done, size, error);
        done += size;
        if (status == OPPROF_OK) {
            status = drain(&window, left > size ? NAMELESS_LENGTH - 1 : 0, file, error);
        }
        if (source->stage != NULL) {
            OpprofStageProgress(source->stage, source->written + done, source->all, "bytes");
        }
    }
    free(window.bytes);
    return status;
}

OpprofStatus NamelessCopy(const NamelessSource *source, OpprofOutputFile *file,
                          uint64_t *ret_length, OpprofError **error)
{
    const uint64_t start = OpprofOutputFileOffset(file);
    int fd = open(source->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    OpprofStatus status;

    if (fd < 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot open '%s': %s", source->path,
                              strerror(errno));
    }
    status = copy(source, fd, file, error);
    close(fd);
    *ret_length = OpprofOutputFileOffset(file) - start;
    return status;
}
