/* SPDX-License-Identifier: Apache-2.0 */
/* Files for what is put aside. Tested by tests/kit/io/test_spool. */
#include "unnamed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* For file systems that cannot make a file without a name: a named one, removed at once. */
static int open_removed(const char *directory)
{
    char *path = NULL;
    int fd;

    if (asprintf(&path, "%s/.spool-XXXXXX", directory) < 0) {
        errno = ENOMEM;
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0 && unlink(path) != 0) {
        close(fd);
        fd = -1;
    }
    free(path);
    return fd;
}

int UnnamedFileOpen(const char *directory)
{
    const int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    return fd >= 0 ? fd : open_removed(directory);
}
