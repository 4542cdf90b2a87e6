/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the directories of a run, without following links out of them. Tested by
 * tests/core/output/test_output.
 */
#include "output/directories.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

bool RandomLetters(char *text, size_t size)
{
    const unsigned letters = 'Z' - 'A' + 1;
    size_t filled = 0;

    while (filled + 1 < size) {
        unsigned char bytes[32];
        const ssize_t got = getrandom(bytes, sizeof bytes, 0);
        if (got < 0 && errno != EINTR) {
            return false;
        }
        for (ssize_t i = 0; i < got && filled + 1 < size; i++) {
            if (bytes[i] < UCHAR_MAX / letters * letters) { /* all letters equally likely */
                text[filled++] = (char) ('A' + bytes[i] % letters);
            }
        }
    }
    text[filled] = '\0';
    return true;
}

static bool is_link(int at, const char *name)
{
    struct stat info;
    return fstatat(at, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode);
}

/* The umask may have taken bits. By descriptor, since the name could be another's by now. */
static int correct_mode(int fd)
{
    struct stat info;

    if (fstat(fd, &info) != 0) {
        return -1;
    }
    if ((info.st_mode & 0777) == DIRECTORY_MODE) {
        return 0;
    }
    return fchmodat(fd, ".", (info.st_mode & 07000) | DIRECTORY_MODE, 0);
}

static int make_and_open(int at, const char *name, bool *ret_made)
{
    *ret_made = mkdirat(at, name, DIRECTORY_MODE) == 0;
    if (!*ret_made && errno != EEXIST) {
        return -1;
    }
    const int fd = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && *ret_made && correct_mode(fd) != 0) {
        const int saved = errno;
        close(fd);
        errno = saved;
        return -1;
    }
    return fd;
}

/* One step down. -1: errno is ELOOP for a symbolic link that is not followed. */
static int enter(int at, const char *name, bool follow, bool *ret_made)
{
    int fd = openat(at, name, O_PATH | O_DIRECTORY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW));

    *ret_made = false;
    if (fd < 0 && errno == ENOENT) {
        fd = make_and_open(at, name, ret_made);
    }
    if (fd < 0 && errno == ENOTDIR && is_link(at, name)) {
        errno = ELOOP;
    }
    return fd;
}

/* The next name of a path into `name`; false at its end. Empty names and "." are passed over. */
static bool next_name(const char **path, char name[NAME_MAX + 1], bool *ret_too_long)
{
    for (;;) {
        *path += strspn(*path, "/");
        const size_t length = strcspn(*path, "/");
        if (length == 0) {
            return false;
        }
        const char *start = *path;
        *path += length;
        if (length == 1 && start[0] == '.') {
            continue;
        }
        *ret_too_long = length > NAME_MAX;
        if (!*ret_too_long) {
            memcpy(name, start, length);
            name[length] = '\0';
        }
        return true;
    }
}

static bool is_last(const char *rest)
{
    char name[NAME_MAX + 1];
    bool too_long = false;
    return !next_name(&rest, name, &too_long);
}

static OpprofStatus report(const char *shown, const char *path, const char *end,
                           OpprofError **error)
{
    const int length = (int) (end - path);

    if (errno == ELOOP) {
        OpprofErrorSet(error, OPPROF_E_IO,
                       "Cannot use the directory '%s%.*s': it is a symbolic link", shown, length,
                       path);
        OpprofErrorHint(error, "Name the directory that the link points to");
        return OPPROF_E_IO;
    }
    if (errno == ENOTDIR) {
        return OpprofErrorSet(error, OPPROF_E_IO,
                              "Cannot use the directory '%s%.*s': it is not a directory", shown,
                              length, path);
    }
    return OpprofErrorSet(error, OPPROF_E_IO, "Cannot open or make the directory '%s%.*s': %m",
                          shown, length, path);
}

OpprofStatus DirectoryOpen(const DirectoryPlace *place, int *ret_fd, unsigned *ret_made,
                           OpprofError **error)
{
    const char *path = place->path;
    const char *rest = path;
    char name[NAME_MAX + 1];
    bool too_long = false;
    bool made = false;
    int fd = openat(place->at, path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);

    *ret_fd = -1;
    *ret_made = 0;
    if (fd < 0) {
        return report(place->shown, path, path + strlen(path), error);
    }
    while (next_name(&rest, name, &too_long)) {
        const bool follow = place->links == DIRECTORY_LINKS_ABOVE && !is_last(rest);
        errno = ENAMETOOLONG;
        const int below = too_long ? -1 : enter(fd, name, follow, &made);
        const int saved = errno;
        *ret_made = made ? *ret_made + 1 : 0;
        close(fd);
        fd = below;
        if (fd < 0) {
            errno = saved;
            return report(place->shown, path, rest, error);
        }
    }
    *ret_fd = fd;
    return OPPROF_OK;
}
