/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a module is the user's or root's, so that loading it runs nobody else's code.
 * Tested by tests/core/plugin/test_registry.
 */
#include "plugin/trust.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_SIZE 16384 /* bytes for an entry of the user or group list */

/* The group that many systems give each user: of the user's name, and with no other member. */
static bool is_own_group(gid_t group)
{
    char *names = malloc(2 * NAMES_SIZE);
    struct passwd user, *found_user = NULL;
    struct group entry, *found_group = NULL;
    bool own = false;

    if (names != NULL && getpwuid_r(geteuid(), &user, names, NAMES_SIZE, &found_user) == 0 &&
        found_user != NULL && user.pw_gid == group &&
        getgrgid_r(group, &entry, names + NAMES_SIZE, NAMES_SIZE, &found_group) == 0 &&
        found_group != NULL && strcmp(entry.gr_name, user.pw_name) == 0) {
        own = true;
        for (char **member = entry.gr_mem; *member != NULL; member++) {
            own = own && strcmp(*member, user.pw_name) == 0;
        }
    }
    free(names);
    return own;
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

/* The directory of the path as it was found, with its slash. NULL without memory. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? strdup("./") : strndup(path, (size_t) (slash - path) + 1);
}

static bool is_right_below(const char *file, const char *directory)
{
    const size_t length = strlen(directory);

    return strncmp(file, directory, length) == 0 && file[length] == '/' &&
           strchr(file + length + 1, '/') == NULL;
}

void TrustFinish(Trust *trust)
{
    free(trust->found);
    free(trust->real);
    *trust = (Trust){ 0 };
}

/* A directory by both its names and all above it; remembered when nothing is wrong. Shortens `way`. */
static OpprofStatus check_directory(Trust *trust, const char *found, const char *real, char *way,
                                    OpprofError **error)
{
    const OpprofStatus status = check_way(way, error);

    TrustFinish(trust);
    if (status == OPPROF_OK) {
        trust->found = strdup(found);
        trust->real = strdup(real);
        if (trust->found == NULL || trust->real == NULL) {
            TrustFinish(trust); /* only the memory of it is lost */
        }
    }
    return status;
}

/* The way to a file whose directory was not the last that was checked. */
static OpprofStatus check_anew(Trust *trust, const char *found, const char *real_path,
                               OpprofError **error)
{
    char *real = realpath(found, NULL);
    char *way = real == NULL ? NULL : strdup(real);
    char *file = strdup(real_path);
    OpprofStatus status;

    if (way == NULL || file == NULL) {
        status = OpprofErrorSet(error, errno == ENOMEM ? OPPROF_E_MEMORY : OPPROF_E_LOAD,
                                "The directory cannot be accessed: %s", strerror(errno));
    } else {
        status = check_directory(trust, found, real, way, error);
        if (status == OPPROF_OK) {
            /* Unless a link was followed, the way to the file is the way to its directory. */
            status =
                is_right_below(real_path, real) ? check_entry(file, error) : check_way(file, error);
        }
    }
    free(real);
    free(way);
    free(file);
    return status;
}

OpprofStatus TrustCheck(Trust *trust, const char *path, const char *real_path, OpprofError **error)
{
    char *found = directory_of(path);
    OpprofStatus status;

    if (found == NULL) {
        return OpprofErrorNoMemory(error, "check who can write '%s'", path);
    }
    if (trust->found != NULL && strcmp(trust->found, found) == 0 &&
        is_right_below(real_path, trust->real)) {
        status = check_entry(real_path, error);
    } else {
        status = check_anew(trust, found, real_path, error);
    }
    free(found);
    return status;
}
