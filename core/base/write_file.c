/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a run writes where the user says. Tested by tests/e2e/record_replay.sh. */
#include "base/write_file.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void cannot_write(const char *path, OpprofError **error)
{
    if (errno != EWOULDBLOCK) {
        OpprofErrorSet(error, OPPROF_E_IO, "Cannot write '%s': %m", path);
        return;
    }
    OpprofErrorSet(error, OPPROF_E_IO,
                   "Cannot write '%s': it is replayed, or another tap or recording writes it",
                   path);
    OpprofErrorHint(error, "Name another file");
}

/* Only regular files lose what they hold, and only some filesystems can lock. */
static bool make_own(int fd)
{
    struct stat info;

    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        return true;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return false;
    }
    return ftruncate(fd, 0) == 0;
}

OpprofStatus WriteFileOpen(const char *path, FILE **ret_file, OpprofError **error)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0640);

    *ret_file = fd >= 0 && make_own(fd) ? fdopen(fd, "wb") : NULL;
    if (*ret_file == NULL) {
        cannot_write(path, error);
        CloseOpened(fd);
        return OPPROF_E_IO;
    }
    return OPPROF_OK;
}

void WriteFileHold(int fd)
{
    (void) !flock(fd,
                  LOCK_SH | LOCK_NB); /* one that is still being written is read as far as it is */
}
