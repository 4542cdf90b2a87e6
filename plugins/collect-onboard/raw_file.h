/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_RAW_FILE_H
#define COLLECT_ONBOARD_RAW_FILE_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* As scandir(), also of a directory that is held (OpprofLiveOpen). */
int RawScan(const char *directory, struct dirent ***ret_entries,
            int (*is_wanted)(const struct dirent *entry),
            int (*order)(const struct dirent **a, const struct dirent **b));

/* Bytes of a file. */
typedef struct Extent {
    uint64_t offset;
    uint64_t length;
} Extent;

/* A requested raw file. */
typedef struct RawFile {
    char *name;      /* the parser's name for it */
    size_t rank;     /* role of the pattern that it matches */
    char *path;      /* path of a file that several launches share; NULL: the one of that name */
    Extent *extents; /* the part of that file that makes this one */
    size_t extent_count;
} RawFile;

void RawFileFinish(RawFile *file);

/* NULL and a descriptor, or the reason why the file cannot be read; `*ret_errno` adds details
 * unless it is 0. */
const char *RawFileOpen(const char *path, int *ret_fd, uint64_t *ret_size, int *ret_errno);

/* As pread(), but restarted after signals. */
ssize_t RawFileRead(int fd, void *room, size_t size, uint64_t offset);

#endif
