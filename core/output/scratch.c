/* SPDX-License-Identifier: Apache-2.0 */
/* Directories for temporary files, removed with the run. Tested by
 * tests/core/output/test_output. */
#include "output/directories.h"
#include "base/files.h"
#include "output/leftovers.h"

#include <errno.h>
#include <fcntl.h>
#include <opprof/error.h>
#include <opprof/output.h>
#include <opprof/require.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_TRIES 16

struct OpprofScratch {
    char *path;
    char name[64];
    int parent; /* descriptors; the second one is locked as long as it is open */
    int fd;
};

static const char *temporary_directory(void)
{
    const char *path = secure_getenv("TMPDIR");

    return path != NULL && path[0] != '\0' ? path : "/tmp";
}

/* One try; false with EEXIST or EAGAIN: another name may be free. */
static bool make_one(OpprofScratch *scratch)
{
    char letters[LEFTOVER_LETTERS + 1];

    if (!RandomLetters(letters, sizeof letters)) {
        return false;
    }
    LeftoverName(scratch->name, sizeof scratch->name, LEFTOVER_SCRATCH, letters);
    if (mkdirat(scratch->parent, scratch->name, 0700) != 0) {
        return false;
    }
    scratch->fd =
        openat(scratch->parent, scratch->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (scratch->fd >= 0 && LeftoverClaim(scratch->fd)) {
        return true;
    }
    /* Another run that cleans up was faster. */
    if (scratch->fd >= 0) {
        close(scratch->fd);
        scratch->fd = -1;
        errno = EAGAIN;
    }
    errno = errno == ENOENT ? EAGAIN : errno;
    return false;
}

static bool make(OpprofScratch *scratch, const char *parent)
{
    bool is_made = false;

    scratch->parent = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (scratch->parent < 0) {
        return false;
    }
    LeftoversRemoveScratch(scratch->parent);
    for (int i = 0; !is_made && i < MAX_TRIES; i++) {
        is_made = make_one(scratch);
        if (!is_made && errno != EEXIST && errno != EAGAIN) {
            break;
        }
    }
    return is_made;
}

OpprofStatus OpprofScratchMake(const char *parent, OpprofScratch **ret_scratch, OpprofError **error)
{
    const char *where = parent != NULL ? parent : temporary_directory();
    OpprofScratch *scratch;

    OPPROF_REQUIRE("scratch-result-given", ret_scratch != NULL, "The result pointer is given");
    scratch = calloc(1, sizeof *scratch);
    *ret_scratch = NULL;
    if (scratch == NULL) {
        return OpprofErrorNoMemory(error, "make a temporary directory");
    }
    scratch->parent = -1;
    scratch->fd = -1;
    if (!make(scratch, where)) {
        OpprofErrorSet(error, OPPROF_E_IO, "Cannot make a temporary directory in '%s': %m", where);
        OpprofScratchRemove(scratch);
        return OPPROF_E_IO;
    }
    if (asprintf(&scratch->path, "%s/%s", where, scratch->name) < 0) {
        scratch->path = NULL;
        OpprofScratchRemove(scratch);
        return OpprofErrorNoMemory(error, "make a temporary directory");
    }
    *ret_scratch = scratch;
    return OPPROF_OK;
}

const char *OpprofScratchPath(const OpprofScratch *scratch)
{
    OPPROF_REQUIRE("scratch-given", scratch != NULL, "The directory is given");
    return scratch->path;
}

void OpprofScratchRemove(OpprofScratch *scratch)
{
    if (scratch == NULL) {
        return;
    }
    if (scratch->fd >= 0) {
        LeftoverEmpty(scratch->fd);
        (void) unlinkat(scratch->parent, scratch->name, AT_REMOVEDIR);
        close(scratch->fd);
    }
    CloseOpened(scratch->parent);
    free(scratch->path);
    free(scratch);
}

void ScratchRemoveDead(void)
{
    const int parent = open(temporary_directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (parent >= 0) {
        LeftoversRemoveScratch(parent);
        close(parent);
    }
}
