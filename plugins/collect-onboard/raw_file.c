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

int RawScan(const char *directory, struct dirent ***ret_entries,
            int (*is_wanted)(const struct dirent *entry),
            int (*order)(const struct dirent **a, const struct dirent **b))
{
    const int fd = OpprofLiveOpen(directory, O_DIRECTORY);
    const int count = fd < 0 ? -1 : scandirat(fd, ".", ret_entries, is_wanted, order);
    const int failure = errno;

    if (fd >= 0) {
        close(fd);
    }
    errno = failure;
    return count;
}

const char *RawFileOpen(const char *path, int *ret_fd, uint64_t *ret_size, int *ret_errno)
{
    struct stat info;
    const char *why = NULL;

    *ret_errno = 0;
    const int fd = OpprofLiveOpen(path, 0);

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
