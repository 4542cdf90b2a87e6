/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks for source files where they may be on this machine.
 * Tested by tests/plugins/viz-insight/test_source_blocks.
 */
#include <opprof/kit/source.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The path comes from a kernel, so it may be a pipe, which would block without O_NONBLOCK. */
static int open_path(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static int open_in(const char *folder, size_t length, const char *path)
{
    char *whole = NULL;
    int fd;

    if (asprintf(&whole, "%.*s/%s", (int) length, folder, path) < 0) {
        errno = ENOMEM;
        return -1;
    }
    fd = open_path(whole);
    const int why = errno;

    free(whole);
    errno = why;
    return fd;
}

/* The longest end of a path that is in a folder. */
static int open_end(const char *folder, const char *path)
{
    int fd = -1;

    for (const char *end = path; fd < 0 && end != NULL && *end != '\0';) {
        end += strspn(end, "/");
        fd = *end == '\0' ? -1 : open_in(folder, strlen(folder), end);
        end = strchr(end, '/');
    }
    return fd;
}

/* In a directory, or in that of a file. */
static int open_beside(const char *place, const char *path)
{
    struct stat info;
    const char *slash = strrchr(place, '/');

    if (stat(place, &info) == 0 && S_ISDIR(info.st_mode)) {
        return open_in(place, strlen(place), path);
    }
    return slash == NULL ? -1 : open_in(place, (size_t) (slash - place), path);
}

int OpprofSourceFileOpen(const char *path, const OpprofParams *params)
{
    static const char *const places[] = { "kernel", "beside" };
    const size_t folders = params == NULL ? 0 : OpprofParamsCount(params, "source");
    int fd = open_path(path);
    const int why = errno;

    for (size_t i = 0; fd < 0 && i < folders; i++) {
        fd = open_end(OpprofParamsElement(params, "source", i), path);
    }
    for (size_t i = 0; fd < 0 && params != NULL && path[0] != '/' && i < 2; i++) {
        const char *place = OpprofParamsString(params, places[i]);

        fd = place == NULL ? -1 : open_beside(place, path);
    }
    errno = why;
    return fd;
}
