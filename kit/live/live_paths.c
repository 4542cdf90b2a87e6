/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refuses paths that messages cannot show or that lead elsewhere, and files and directories that
 * others may change. Tested by tests/kit/live/test_live_paths.c.
 */
#include "kit/live/live_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <opprof/log.h>
#include <opprof/require.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_BYTES 16384u
#define MOST_PATH 2048u
#define MOST_COMPONENT 255u
#define MOST_LINKS 40
#define OLD_MOST 1000u /* folders of earlier runs in one directory */

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

/* NULL: no other user may change it. A link says who made it, and nothing else. */
static const char *why_not(const struct stat *about)
{
    /* From such a directory, others cannot remove files that are not theirs. */
    const bool is_sticky = S_ISDIR(about->st_mode) && (about->st_mode & S_ISVTX) != 0;
    /* Whom root has given a directory, root trusts. */
    const bool is_given = S_ISDIR(about->st_mode) && about->st_uid == 0;

    if (about->st_uid != geteuid() && about->st_uid != 0) {
        return "it belongs to another user";
    }
    if (S_ISLNK(about->st_mode) || is_sticky) {
        return NULL;
    }
    if ((about->st_mode & S_IWOTH) != 0) {
        return "everyone may write to it";
    }
    if ((about->st_mode & S_IWGRP) != 0 && !is_given && !is_private_group(about->st_gid)) {
        return "its group may write to it";
    }
    return NULL;
}

static OpprofStatus refuse(OpprofError **error, const char *path, const char *place,
                           const char *why)
{
    if (strcmp(path, place) == 0) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Cannot use '%s': %s", path, why);
    } else {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Cannot use '%s', which goes by way of '%s': %s",
                       path, place, why);
    }
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

/* ---- who may change it ---- */

/* A path that is followed from the root, one name at a time. */
typedef struct Walk {
    const char *path; /* as it was given, for messages */
    char at[PATH_MAX];
    char rest[PATH_MAX]; /* of the path, after `at` */
    int links;
    bool follows_links;
} Walk;

static bool is_at_end(const Walk *walk)
{
    return walk->rest[strspn(walk->rest, "/")] == '\0';
}

/* The next name of the rest is put after `at`; false: there is no room. */
static bool step(Walk *walk)
{
    const char *name = walk->rest + strspn(walk->rest, "/");
    const size_t length = strcspn(name, "/"), used = strlen(walk->at);

    if (used + length + 2 > sizeof walk->at) {
        return false;
    }
    walk->at[used] = '/';
    memcpy(walk->at + used + 1, name, length);
    walk->at[used + 1 + length] = '\0';
    memmove(walk->rest, name + length, strlen(name + length) + 1);
    return true;
}

/* `at` is a link: what it leads to is the beginning of the rest. */
static bool follow(Walk *walk)
{
    char target[2 * PATH_MAX];
    const ssize_t length = readlink(walk->at, target, PATH_MAX - 1);

    if (length <= 0 || ++walk->links > MOST_LINKS) {
        return false;
    }
    snprintf(target + length, sizeof target - (size_t) length, "%s", walk->rest);
    if (strlen(target) >= sizeof walk->rest) {
        return false;
    }
    memcpy(walk->rest, target, strlen(target) + 1);
    *strrchr(walk->at, '/') = '\0';
    if (target[0] == '/') {
        walk->at[0] = '\0';
    }
    return true;
}

static OpprofStatus check_component(Walk *walk, OpprofError **error)
{
    const char *place = walk->at[0] == '\0' ? "/" : walk->at, *why;
    struct stat about;

    if (lstat(place, &about) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot access '%s': %s", place, strerror(errno));
    }
    why = why_not(&about);
    if (why == NULL && S_ISLNK(about.st_mode) && !walk->follows_links) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Cannot use '%s': '%s' is a symbolic link",
                       walk->path, place);
        OpprofErrorHint(error, "Name the directory that it leads to, or allow it with "
                               "unsafe_paths=on");
        return OPPROF_E_ARGUMENT;
    }
    if (why == NULL && S_ISLNK(about.st_mode) && !follow(walk)) {
        why = "it leads nowhere";
    }
    if (why != NULL) {
        return refuse(error, walk->path, place, why);
    }
    return OPPROF_OK;
}

/* Who may write to a directory can replace what is in it, so all above the path count, and all
 * above what a link leads to. Once they are safe, nobody else changes them. */
static OpprofStatus check_chain(const char *path, bool follows_links, OpprofError **error)
{
    Walk *walk = calloc(1, sizeof *walk);
    OpprofStatus status = OPPROF_OK;

    if (walk == NULL) {
        return OpprofErrorNoMemory(error, "check '%s'", path);
    }
    walk->path = path;
    walk->follows_links = follows_links;
    bool has_room = path[0] == '/' || getcwd(walk->rest, sizeof walk->rest) != NULL;

    has_room = has_room && strlen(walk->rest) + strlen(path) + 2 <= sizeof walk->rest;
    if (has_room) {
        strcat(strcat(walk->rest, "/"), path);
        status = check_component(walk, error); /* at the root */
    }
    while (has_room && status == OPPROF_OK && !is_at_end(walk)) {
        has_room = step(walk);
        status = has_room ? check_component(walk, error) : status;
    }
    if (!has_room) {
        status = OpprofErrorSet(error, OPPROF_E_IO, "Cannot follow '%s' from the root", path);
    }
    free(walk);
    return status;
}

OpprofStatus LivePathCheckFile(const char *path, OpprofError **error)
{
    OPPROF_REQUIRE("live-text-given", path != NULL, "The text is given");
    return check_chain(path, true, error);
}

OpprofStatus LivePathCheckResults(const char *path, OpprofError **error)
{
    OPPROF_REQUIRE("live-text-given", path != NULL, "The text is given");

    OpprofStatus status = LivePathCheckName(path, error);

    if (status == OPPROF_OK) {
        status = check_chain(path, false, error);
    }
    if (status == OPPROF_OK && access(path, R_OK | W_OK | X_OK) != 0) {
        return refuse(error, path, path, "it cannot be read and written");
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

/* Give a folder of an earlier run another name, which no other one has: "dump.1". */
static OpprofStatus rename_old(const OpprofLiveRun *run, DIR *directory, const char *name,
                               OpprofError **error)
{
    const int at = dirfd(directory);
    char other[300] = "";
    int failure = EEXIST;

    for (unsigned number = 1; failure == EEXIST && number <= OLD_MOST; number++) {
        snprintf(other, sizeof other, "%s.%u", name, number);
        failure = renameat2(at, name, at, other, RENAME_NOREPLACE) == 0 ? 0 : errno;
    }
    if (failure != 0) {
        OpprofErrorSet(error, OPPROF_E_IO, "'%s' of an earlier run cannot be renamed: %s", name,
                       strerror(failure));
        OpprofErrorHint(error, "Remove it, or choose another directory for results");
        return OPPROF_E_IO;
    }
    OpprofLog(OPPROF_LOG_WARNING, OpprofStageId(run->stage), "'%s' of an earlier run is now '%s'",
              name, other);
    return OPPROF_OK;
}

/* Launches are recorded in new folders: what lies where they will be stays, with another name. */
static OpprofStatus keep_old_dump(const OpprofLiveRun *run, OpprofError **error)
{
    const int copy = openat(run->results - 1, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = copy < 0 ? NULL : fdopendir(copy);
    const struct dirent *entry;
    OpprofStatus status = OPPROF_OK;

    while (directory != NULL && status == OPPROF_OK && (entry = readdir(directory)) != NULL) {
        if (is_of_launches(entry->d_name)) {
            status = rename_old(run, directory, entry->d_name, error);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    } else if (copy >= 0) {
        close(copy);
    }
    return status;
}

static OpprofStatus check_held(const OpprofLiveRun *run, const char *results, OpprofError **error)
{
    struct stat held, there;

    return fstat(run->results - 1, &held) == 0 && lstat(results, &there) == 0 &&
                   held.st_dev == there.st_dev && held.st_ino == there.st_ino
               ? OPPROF_OK
               : refuse(error, results, results, "it was exchanged while it was checked");
}

OpprofStatus OpprofLiveRunCheckPaths(OpprofLiveRun *run, const char *inject, const char *tool,
                                     OpprofError **error)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    OPPROF_REQUIRE("live-run-configured", run->stage != NULL, "OpprofLiveRunConfigure was called");

    const char *results = OpprofOutputDirectoryPath(OpprofStageOutput(run->stage));
    const char *document = run->is_plain ? NULL : OpprofParamsString(run->params, "config");
    OpprofStatus status = LivePathCheckName(results, error);

    if (status == OPPROF_OK) {
        status = LiveRunHold(run, results, error);
    }
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
        if (status == OPPROF_OK) {
            status = check_held(run, results, error);
        }
    }
    return status == OPPROF_OK ? keep_old_dump(run, error) : status;
}
