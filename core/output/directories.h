/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTPUT_DIRECTORIES_H
#define OUTPUT_DIRECTORIES_H

#include <opprof/error.h>
#include <stdbool.h>

#define DIRECTORY_MODE 0750
#define FILE_MODE 0640

/* Which symbolic links on a path are followed. */
typedef enum DirectoryLinks {
    DIRECTORY_LINKS_NONE,
    DIRECTORY_LINKS_ABOVE, /* all but the last */
} DirectoryLinks;

/* Where a directory is. */
typedef struct DirectoryPlace {
    int at;            /* a directory, or AT_FDCWD; ignored when the path is absolute */
    const char *shown; /* before the path in messages, "" for none */
    const char *path;
    DirectoryLinks links;
} DirectoryPlace;

/*
 * Open a directory for use with the …at calls. Missing ones are made with mode 0750, whatever the
 * umask.
 *
 * ret_fd: to be closed. ret_made: how many were made, counted from the last one.
 */
OpprofStatus DirectoryOpen(const DirectoryPlace *place, int *ret_fd, unsigned *ret_made,
                           OpprofError **error);

/* Random letters 'A' to 'Z' and a NUL into `text` of size `size`. False: errno says why. */
bool RandomLetters(char *text, size_t size);

#endif
