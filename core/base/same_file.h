/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_SAME_FILE_H
#define BASE_SAME_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

/* Whatever their names are. */
static inline bool IsSameFile(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

#endif
