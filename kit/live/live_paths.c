/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refuses paths that messages cannot show or that lead elsewhere, and files and directories that
 * others may change. Tested by tests/kit/live/test_live_paths.c.
 */
#include "kit/live/live_parts.h"

#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <opprof/require.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_BYTES 16384u
#define MOST_PATH 2048u
#define MOST_COMPONENT 255u

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

/* NULL: no other user may change it. */
static const char *why_not(const struct stat *about)
{
    /* From such a directory, others cannot remove files that are not theirs. */
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

static OpprofStatus refuse(OpprofError **error, const char *path, const char *why)
{
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Cannot use '%s': %s", path, why);
    OpprofErrorHint(error, "Change its owner or mode, use another place, or allow it with "
                           "unsafe_paths=on");
    return OPPROF_E_ARGUMENT;
}

/* ---- names ---- */

OpprofStatus LivePathCheckName(const char *path, OpprofError **error)
{
    OPPROF_REQUIRE("live-text-given", path != NULL, "The text is given");
    for (const char *at = path; *at != '\0'; at++) {
        if ((unsigned char) *at < ' ' || *at == 127) {
            OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                           "Cannot use a path with the character 0x%02x at position %zu",
                           (unsigned char) *at, (size_t) (at - path) + 1);
            OpprofErrorHint(error, "Name a path without newlines, tabs and the like");
            return OPPROF_E_ARGUMENT;
        }
    }
    if (strlen(path) > MOST_PATH) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                              "Cannot use a path of %zu bytes: the limit is %u", strlen(path),
                              MOST_PATH);
    }
    for (const char *at = path; *at != '\0'; at += *at == '/') {
        const size_t length = strcspn(at, "/");

        if (length > MOST_COMPONENT) {
            return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                  "Cannot use a path with a name of %zu bytes: the limit is %u",
                                  length, MOST_COMPONENT);
        }
        at += length;
    }
    return OPPROF_OK;
}

/* Of a path from the root, the part that is a symbolic link; false: none is. */
static bool find_link(char *path)
{
    struct stat about;

    for (char *at = path; *at != '\0';) {
        const char *rest = at + strspn(at, "/");
        char *end = at + (rest - at) + strcspn(rest, "/");
        const char before = *end;

        *end = '\0';
        if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode)) {
            return true;
        }
        *end = before;
        at = end;
    }
    return false;
}

/* A link may be changed to lead elsewhere after the check. */
static OpprofStatus refuse_links(const char *path, OpprofError **error)
{
    char *whole = strdup(path);
    OpprofStatus status = OPPROF_OK;

    if (whole == NULL) {
        return OpprofErrorNoMemory(error, "check '%s'", path);
    }
    if (find_link(whole)) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Cannot use '%s': '%s' is a symbolic link", path,
                       whole);
        OpprofErrorHint(error, "Name the directory that it leads to, or allow it with "
                               "unsafe_paths=on");
        status = OPPROF_E_ARGUMENT;
    }
    free(whole);
    return status;
}

/* ---- who may change it ---- */

OpprofStatus LivePathCheckFile(const char *path, OpprofError **error)
{
    OPPROF_REQUIRE("live-text-given", path != NULL, "The text is given");

    struct stat about;
    const char *why;

    if (stat(path, &about) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot access '%s': %s", path, strerror(errno));
    }
    why = why_not(&about);
    return why == NULL ? OPPROF_OK : refuse(error, path, why);
}

/* Check a directory and its parent: anyone who may write to the parent can
 * replace the directory. */
static OpprofStatus check_both(const char *path, OpprofError **error)
{
    char *above = strdup(path);
    char *slash = above == NULL ? NULL : strrchr(above, '/');
    OpprofStatus status = above == NULL ? OpprofErrorNoMemory(error, "check '%s'", path)
                                        : LivePathCheckFile(path, error);

    if (status == OPPROF_OK && slash != NULL) {
        slash[slash == above ? 1 : 0] = '\0';
        status = LivePathCheckFile(above, error);
    }
    free(above);
    return status;
}

OpprofStatus LivePathCheckResults(const char *path, OpprofError **error)
{
    OPPROF_REQUIRE("live-text-given", path != NULL, "The text is given");

    OpprofStatus status = LivePathCheckName(path, error);

    if (status == OPPROF_OK) {
        status = refuse_links(path, error);
    }
    if (status == OPPROF_OK) {
        status = check_both(path, error);
    }
    if (status == OPPROF_OK && access(path, R_OK | W_OK | X_OK) != 0) {
        return refuse(error, path, "it cannot be read and written");
    }
    return status;
}

/* A folder that launches are recorded in: dump, device<N>, or that of ranges. */
static bool is_of_launches(const char *name)
{
    const size_t digits = strncmp(name, "device", 6) == 0 ? strspn(name + 6, "0123456789") : 0;

    return strcmp(name, "dump") == 0 || strcmp(name, "tmp_dump") == 0 ||
           (digits > 0 && name[6 + digits] == '\0');
}

static OpprofStatus refuse_old_dump(const char *results, OpprofError **error)
{
    DIR *directory = opendir(results); /* NULL: there are no results yet */
    const struct dirent *entry;
    OpprofStatus status = OPPROF_OK;

    while (directory != NULL && status == OPPROF_OK && (entry = readdir(directory)) != NULL) {
        if (is_of_launches(entry->d_name)) {
            status = OpprofErrorSet(error, OPPROF_E_ARGUMENT, "'%s/%s' already exists", results,
                                    entry->d_name);
            OpprofErrorHint(error, "Remove it, or choose another directory for results");
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return status;
}

OpprofStatus OpprofLiveRunCheckPaths(const OpprofLiveRun *run, const char *inject, const char *tool,
                                     OpprofError **error)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    OPPROF_REQUIRE("live-run-configured", run->stage != NULL, "OpprofLiveRunConfigure was called");

    const char *results = OpprofOutputDirectoryPath(OpprofStageOutput(run->stage));
    const char *document = OpprofParamsString(run->params, "config");
    OpprofStatus status = LivePathCheckName(results, error);

    if (status == OPPROF_OK && !OpprofLiveIsOn(run->params, "unsafe_paths")) {
        status = LivePathCheckFile(inject, error);
        if (status == OPPROF_OK && document != NULL && *document != '\0') {
            status = LivePathCheckFile(document, error);
        }
        if (status == OPPROF_OK && tool != NULL && strchr(tool, '/') != NULL) {
            status = LivePathCheckFile(tool, error);
        }
        if (status == OPPROF_OK) {
            status = LivePathCheckResults(results, error);
        }
    }
    return status == OPPROF_OK ? refuse_old_dump(results, error) : status;
}
