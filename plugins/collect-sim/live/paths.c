/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses files and directories that others may change. Tested by tests/plugins/collect-sim/test_live_parts.c. */
#include "paths.h"
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_BYTES 16384u

/* A group of the user alone, as many systems give one to each: it has the user's name. */
static bool is_private_group(gid_t group)
{
    char user_text[NAMES_BYTES], group_text[NAMES_BYTES];
    struct passwd user, *found_user = NULL;
    struct group entry, *found_group = NULL;

    return getpwuid_r(geteuid(), &user, user_text, sizeof user_text, &found_user) == 0 &&
           found_user != NULL && user.pw_gid == group &&
           getgrgid_r(group, &entry, group_text, sizeof group_text, &found_group) == 0 &&
           found_group != NULL && strcmp(entry.gr_name, user.pw_name) == 0;
}

/* NULL: nobody else may change it. */
static const char *why_not(const struct stat *about)
{
    /* Of such a directory, others cannot take files away that are not theirs. */
    const bool is_sticky = S_ISDIR(about->st_mode) && (about->st_mode & S_ISVTX) != 0;

    if (geteuid() != 0 && about->st_uid != geteuid() && about->st_uid != 0) {
        return "it belongs to another user";
    }
    if ((about->st_mode & S_IWOTH) != 0 && !is_sticky) {
        return "everyone may write to it";
    }
    if ((about->st_mode & S_IWGRP) != 0 && !is_sticky && !is_private_group(about->st_gid)) {
        return "its group may write to it";
    }
    return NULL;
}

OpprofStatus LivePathsCheckFile(const char *path, OpprofError **error)
{
    struct stat about;
    const char *why;

    if (stat(path, &about) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot look at '%s': %s", path, strerror(errno));
    }
    why = why_not(&about);
    if (why == NULL) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Cannot use '%s': %s", path, why);
    OpprofErrorHint(error, "Change its owner or mode, use another place, or allow it with "
                           "unsafe_paths=on");
    return OPPROF_E_ARGUMENT;
}

OpprofStatus LivePathsCheckResults(const char *path, OpprofError **error)
{
    char *above = strdup(path);
    char *slash = above == NULL ? NULL : strrchr(above, '/');
    OpprofStatus status = above == NULL ? OpprofErrorNoMemory(error, "check '%s'", path)
                                        : LivePathsCheckFile(path, error);

    if (status == OPPROF_OK && slash != NULL) {
        slash[slash == above ? 1 : 0] = '\0';
        status = LivePathsCheckFile(above, error);
    }
    free(above);
    return status;
}
