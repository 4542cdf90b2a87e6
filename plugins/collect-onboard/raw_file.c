/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads raw files in pieces, bounded by their size at the start. Tested by
 * tests/plugins/collect-onboard/test_ranges.sh.
 */
#include "raw_file.h"

#include <errno.h>
#include <fcntl.h>
#include <opprof/kit/live_host.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE_BYTES (UINT64_C(10) << 30)

void RawFileFinish(RawFile *file)
{
    free(file->name);
    free(file->path);
    free(file->extents);
    *file = (RawFile){ .name = NULL };
}

/* The path below the root; NULL: it is not there. */
static const char *below(const RawRoot *root, const char *path)
{
    const size_t length = root == NULL ? 0 : strlen(root->path);

    return length > 0 && strncmp(path, root->path, length) == 0 && path[length] == '/'
               ? path + length + 1
               : NULL;
}

int RawOpen(const RawRoot *root, const char *path, int flags)
{
    const char *relative = below(root, path);
    const char *name = relative == NULL ? NULL : strrchr(relative, '/');
    char *folder;
    int at, fd, failure;

    if (relative == NULL) {
        return open(path, O_RDONLY | O_CLOEXEC | flags);
    }
    folder = name == NULL ? strdup("") : strndup(relative, (size_t) (name - relative));
    at = folder == NULL ? -1 : OpprofLiveFolderOpen(root->fd, folder, false);
    free(folder);
    if (at < 0) {
        return -1;
    }
    fd = openat(at, name == NULL ? relative : name + 1, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | flags);
    failure = errno;
    close(at);
    errno = failure;
    return fd;
}

int RawScan(const RawRoot *root, const char *directory, struct dirent ***ret_entries,
            int (*is_wanted)(const struct dirent *entry),
            int (*order)(const struct dirent **a, const struct dirent **b))
{
    const int fd = RawOpen(root, directory, O_DIRECTORY);
    const int count = fd < 0 ? -1 : scandirat(fd, ".", ret_entries, is_wanted, order);
    const int failure = errno;

    if (fd >= 0) {
        close(fd);
    }
    errno = failure;
    return count;
}

const char *RawFileOpen(const RawRoot *root, const char *path, int *ret_fd, uint64_t *ret_size,
                        int *ret_errno)
{
    struct stat info;
    const char *why = NULL;

    *ret_errno = 0;
    /* Without O_NONBLOCK a named pipe would block forever. */
    const int fd = RawOpen(root, path, O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &info) != 0) {
        *ret_errno = errno;
        why = "it cannot be opened";
    } else if (!S_ISREG(info.st_mode)) {
        why = "it is not a regular file";
    } else if ((uint64_t) info.st_size > MAX_FILE_BYTES) {
        why = "it is larger than 10 GiB";
    }
    if (why != NULL) {
        if (fd >= 0) {
            close(fd);
        }
        return why;
    }
    *ret_fd = fd;
    *ret_size = (uint64_t) info.st_size;
    return NULL;
}

ssize_t RawFileRead(int fd, void *room, size_t size, uint64_t offset)
{
    ssize_t got;

    do {
        got = pread(fd, room, size, (off_t) offset);
    } while (got < 0 && errno == EINTR);
    return got;
}
