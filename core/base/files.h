/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/* Close a descriptor, unless it is that of a file that could not be opened. */
static inline void CloseOpened(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

/* Whatever their names are. */
static inline bool IsSameFile(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

#endif
