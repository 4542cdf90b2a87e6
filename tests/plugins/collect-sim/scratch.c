/* SPDX-License-Identifier: Apache-2.0 */
/* Temporary directories with dump files for the tests of collect-sim. */
#include "tests/plugins/collect-sim/scratch.h"
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *ScratchMake(void)
{
    const char *base = getenv("TMPDIR");
    char *directory = NULL;

    ck_assert_int_gt(asprintf(&directory, "%s/collect-sim-XXXXXX", base == NULL ? "/tmp" : base),
                     0);
    ck_assert_ptr_nonnull(mkdtemp(directory));
    return directory;
}

void ScratchFree(char *directory)
{
    DIR *list = opendir(directory);
    struct dirent *entry;
    char path[4096];

    ck_assert_ptr_nonnull(list);
    while ((entry = readdir(list)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            remove(path) != 0) {
            ck_abort_msg("cannot remove %s", path);
        }
    }
    closedir(list);
    rmdir(directory);
    free(directory);
}

void ScratchWrite(const char *directory, const char *name, const char *text)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}
