/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes operators' logs from the dump files of a simulator.
 * Tested by tests/plugins/collect-sim/test_live_parts.c.
 */
#include "dumps.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <opprof/kit/live_host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_BYTES ((size_t) 128 << 10)

OpprofStatus LiveDumpsOpen(LiveDumps *dumps, const char *results, OpprofError **error)
{
    const OpprofStatus status = OpprofScratchMake(results, &dumps->scratch, error);

    dumps->directory = status == OPPROF_OK ? OpprofScratchPath(dumps->scratch) : NULL;
    return status;
}

/* One file of the directory; `context` is the caller's. False ends the walk. */
typedef bool TakeFile(void *context, int directory, const char *name);

/* All files that have `part` in their name. */
static bool walk(const LiveDumps *dumps, const char *part, TakeFile *take, void *context)
{
    DIR *directory = dumps->directory == NULL ? NULL : OpprofLiveOpenDirectory(dumps->directory);
    const struct dirent *entry;
    bool goes_on = true;

    while (directory != NULL && goes_on && (entry = readdir(directory)) != NULL) {
        if (strstr(entry->d_name, part) != NULL) {
            goes_on = take(context, dirfd(directory), entry->d_name);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return goes_on;
}

/* Opens a file of the directory that is not a link; below 0 if none. */
static int open_file(int directory, const char *name, int flags)
{
    const int file = openat(directory, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;

    if (file >= 0 && (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))) {
        close(file);
        return -1;
    }
    return file;
}

static bool empty_file(void *context, int directory, const char *name)
{
    const int file = open_file(directory, name, O_WRONLY);

    (void) context;
    if (file >= 0) {
        (void) !ftruncate(file, 0);
        close(file);
    }
    return true;
}

void LiveDumpsEmpty(const LiveDumps *dumps)
{
    walk(dumps, "dump", empty_file, NULL);
}

/* ---- copying ---- */

typedef struct Copy {
    int to; /* directory */
    char *buffer;
    char name[NAME_MAX + 1]; /* of the file that could not be copied */
    int failure;             /* errno */
} Copy;

static bool write_all(int file, const char *data, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(file, data, size);

        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return false;
        }
        data += written;
        size -= (size_t) written;
    }
    return true;
}

static bool copy_bytes(const Copy *copy, int from, int to)
{
    ssize_t got;

    while ((got = read(from, copy->buffer, COPY_BYTES)) != 0) {
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0 || !write_all(to, copy->buffer, (size_t) got)) {
            return false;
        }
    }
    return true;
}

static bool is_empty(int file)
{
    struct stat about;

    return fstat(file, &about) == 0 && about.st_size == 0;
}

static bool fail(Copy *copy, const char *name)
{
    copy->failure = errno;
    snprintf(copy->name, sizeof copy->name, "%s", name);
    return false;
}

static bool take_file(void *context, int directory, const char *name)
{
    Copy *copy = context;
    const int from = open_file(directory, name, O_RDWR);
    bool is_good = true;
    int to;

    if (from < 0) {
        return true;
    }
    to = is_empty(from)
             ? -1
             : openat(copy->to, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
    if (to >= 0 || !is_empty(from)) {
        is_good = to >= 0 && copy_bytes(copy, from, to) && ftruncate(from, 0) == 0;
        is_good = is_good || fail(copy, name);
    }
    if (to >= 0 && close(to) != 0 && is_good) {
        is_good = fail(copy, name);
    }
    close(from);
    return is_good;
}

OpprofStatus LiveDumpsTake(const LiveDumps *dumps, int to, const char *shown, OpprofError **error)
{
    Copy copy = { .to = to, .buffer = malloc(COPY_BYTES) };
    OpprofStatus status = OPPROF_OK;

    if (copy.buffer == NULL) {
        status = OpprofErrorNoMemory(error, "copy dump files");
    } else if (!walk(dumps, "dump", take_file, &copy)) {
        status = OpprofErrorSet(error, OPPROF_E_IO, "Cannot copy dump file '%s' to '%s': %s",
                                copy.name, shown, strerror(copy.failure));
    }
    free(copy.buffer);
    return status;
}

void LiveDumpsClose(LiveDumps *dumps)
{
    OpprofScratchRemove(dumps->scratch);
    *dumps = (LiveDumps){ .scratch = NULL };
}
