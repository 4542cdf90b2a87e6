/* SPDX-License-Identifier: Apache-2.0 */
/* A directory that vanishes with the command. Tested by tests/plugins/collect-results/test_show.sh. */
#include "scratch.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

#define OPEN_MOST 8

char *ScratchMake(void)
{
    const char *parent = getenv("TMPDIR");
    char *path = NULL;

    if (asprintf(&path, "%s/opprof-show-XXXXXX",
                 parent != NULL && parent[0] != '\0' ? parent : "/tmp") < 0) {
        return NULL;
    }
    if (mkdtemp(path) == NULL) {
        free(path);
        return NULL;
    }
    return path;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void) info;
    (void) kind;
    (void) place;
    return remove(path) == 0 ? 0 : 1;
}

void ScratchRemove(char *path)
{
    if (path != NULL) {
        nftw(path, remove_one, OPEN_MOST, FTW_DEPTH | FTW_PHYS);
        free(path);
    }
}
