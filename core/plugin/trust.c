/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a module is the user's or root's, so that loading it runs no other user's code.
 * Tested by tests/core/plugin/test_registry.
 */
#include "plugin/trust.h"

#include "base/names.h"

#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_SIZE 16384 /* bytes for an entry of the user or group list */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static gid_t own_group; /* set once, since lists of users may be far away */
static bool has_own_group;

/* The group that many systems give each user: of the user's name, and with no other member. */
static void find_own_group(void)
{
    char *names = malloc(2 * NAMES_SIZE);
    struct passwd user, *found_user = NULL;
    struct group entry, *found_group = NULL;

    if (names != NULL && getpwuid_r(geteuid(), &user, names, NAMES_SIZE, &found_user) == 0 &&
        found_user != NULL &&
        getgrgid_r(user.pw_gid, &entry, names + NAMES_SIZE, NAMES_SIZE, &found_group) == 0 &&
        found_group != NULL && strcmp(entry.gr_name, user.pw_name) == 0) {
        own_group = user.pw_gid;
        has_own_group = true;
        for (char **member = entry.gr_mem; *member != NULL; member++) {
            has_own_group = has_own_group && strcmp(*member, user.pw_name) == 0;
        }
    }
    free(names);
}

static bool is_own_group(gid_t group)
{
    pthread_once(&once, find_own_group);
    return has_own_group && group == own_group;
}

static bool others_can_write(const struct stat *info)
{
    if (S_ISDIR(info->st_mode) && (info->st_mode & S_ISVTX) != 0) {
        return false;
    }
    return (info->st_mode & S_IWOTH) != 0 ||
           ((info->st_mode & S_IWGRP) != 0 && !is_own_group(info->st_gid));
}

static OpprofStatus check_entry(const char *path, OpprofError **error)
{
    struct stat info;

    if (stat(path, &info) != 0) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "'%s' cannot be accessed: %s", path,
                              strerror(errno));
    }
    if (info.st_uid != 0 && info.st_uid != geteuid()) {
        OpprofErrorSet(error, OPPROF_E_LOAD, "'%s' belongs to user %u, who is neither you nor root",
                       path, (unsigned) info.st_uid);
        OpprofErrorHint(error, "Copy the module to a directory of your own");
        return OPPROF_E_LOAD;
    }
    if (others_can_write(&info)) {
        OpprofErrorSet(error, OPPROF_E_LOAD, "Others can write '%s' (mode %04o)", path,
                       (unsigned) info.st_mode & 07777);
        OpprofErrorHint(error, "Remove that permission: chmod go-w '%s'", path);
        return OPPROF_E_LOAD;
    }
    return OPPROF_OK;
}

/* A real path and all directories above it. Shortens the text. */
static OpprofStatus check_way(char *path, OpprofError **error)
{
    OpprofStatus status = check_entry(path, error);
    char *slash;

    while (status == OPPROF_OK && strcmp(path, "/") != 0 && (slash = strrchr(path, '/')) != NULL) {
        slash[slash == path ? 1 : 0] = '\0';
        status = check_entry(path, error);
    }
    return status;
}

OpprofStatus TrustCheck(const char *path, const char *real_path, OpprofError **error)
{
    char *found = NameDirectory(path);
    char *directory = found == NULL ? NULL : realpath(found, NULL);
    char *file = strdup(real_path);
    OpprofStatus status;

    if (found == NULL || file == NULL || (directory == NULL && errno == ENOMEM)) {
        status = OpprofErrorNoMemory(error, "check who can write '%s'", path);
    } else if (directory == NULL) {
        status = OpprofErrorSet(error, OPPROF_E_LOAD, "The directory cannot be accessed: %m");
    } else {
        status = check_way(directory, error);
    }
    if (status == OPPROF_OK) {
        status = check_way(file, error);
    }
    free(found);
    free(directory);
    free(file);
    return status;
}
