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

/*
 * Open the directory `path` below the directory `at` (an AT_FDCWD-like fd; ignored when the path is
 * absolute) for use with the …at calls. Missing ones are made with mode 0750, whatever the umask.
 * `shown` stands before `path` in messages, "" for none.
 *
 * ret_fd: to be closed. ret_made: whether the last one was made, may be NULL.
 */
OpprofStatus DirectoryOpen(int at, const char *shown, const char *path, DirectoryLinks links,
                           int *ret_fd, bool *ret_made, OpprofError **error);

/* Random letters 'A' to 'Z' and a NUL into `text` of size `size`. False: errno says why. */
bool RandomLetters(char *text, size_t size);

#endif
