/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory of results and folders in it, held by descriptors: a path may lead elsewhere by the
 * time that it is used. Tested by tests/refchip/test_second_user.sh.
 */
#include "kit/live/live_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <opprof/require.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A name of the path, which begins at *at; false: it is too long. */
static bool take_name(const char **at, char name[NAME_MAX + 1])
{
    const size_t length = strcspn(*at, "/");

    if (length > NAME_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(name, *at, length);
    name[length] = '\0';
    *at += length + ((*at)[length] == '/');
    return true;
}

int OpprofLiveFolderOpen(int directory, const char *relative, bool is_new)
{
    OPPROF_REQUIRE("live-text-given", relative != NULL, "The text is given");

    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int at = openat(directory, ".", flags);
    char name[NAME_MAX + 1];

    while (at >= 0 && *relative != '\0') {
        bool is_good = take_name(&relative, name);
        int next;

        is_good = is_good && (!is_new || mkdirat(at, name, 0750) == 0 ||
                              (errno == EEXIST && *relative != '\0'));
        next = is_good ? openat(at, name, flags) : -1;
        const int failure = errno;

        close(at);
        at = next;
        errno = failure;
    }
    return at;
}

/* ---- results that are held ---- */

static pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list */
static OpprofLiveRun *held;

void LiveRunLetGo(OpprofLiveRun *run)
{
    pthread_mutex_lock(&held_lock);
    for (OpprofLiveRun **at = &held; *at != NULL; at = &(*at)->next) {
        if (*at == run) {
            *at = run->next;
            break;
        }
    }
    pthread_mutex_unlock(&held_lock);
    if (run->results > 0) {
        close(run->results - 1);
    }
    run->results = 0;
}

OpprofStatus LiveRunHold(OpprofLiveRun *run, const char *results, OpprofError **error)
{
    LiveRunLetGo(run);
    run->results = open(results, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) + 1;
    if (run->results == 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot open the directory of results '%s': %m",
                              results);
    }
    run->results_path = results;
    pthread_mutex_lock(&held_lock);
    run->next = held;
    held = run;
    pthread_mutex_unlock(&held_lock);
    return OPPROF_OK;
}

int OpprofLiveRunResults(const OpprofLiveRun *run)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    return run->results - 1;
}

/* The part of a path below the results; NULL: it is not there. */
static const char *below(const OpprofLiveRun *run, const char *path)
{
    const size_t length = strlen(run->results_path);

    if (length == 0 || strncmp(path, run->results_path, length) != 0 ||
        (path[length] != '/' && path[length] != '\0')) {
        return NULL;
    }
    return path + length + strspn(path + length, "/");
}

static int open_below(int directory, const char *relative, int flags)
{
    const char *slash = strrchr(relative, '/');
    const char *name = slash == NULL ? relative : slash + 1;
    char *folder = strndup(relative, (size_t) (name - relative));
    const int at = folder == NULL ? -1 : OpprofLiveFolderOpen(directory, folder, false);
    const int fd = at < 0 ? -1 : openat(at, *name == '\0' ? "." : name, flags | O_NOFOLLOW);
    const int failure = errno;

    if (at >= 0) {
        close(at);
    }
    free(folder);
    errno = failure;
    return fd;
}

int OpprofLiveOpen(const char *path, int flags)
{
    OPPROF_REQUIRE("live-text-given", path != NULL, "The text is given");

    const char *relative = NULL;
    int fd = -1;

    flags |= O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    pthread_mutex_lock(&held_lock);
    for (const OpprofLiveRun *run = held; run != NULL && relative == NULL; run = run->next) {
        relative = below(run, path);
        fd = relative == NULL ? -1 : open_below(run->results - 1, relative, flags);
    }
    pthread_mutex_unlock(&held_lock);
    return relative == NULL ? open(path, flags) : fd;
}

DIR *OpprofLiveOpenDirectory(const char *path)
{
    const int fd = OpprofLiveOpen(path, O_DIRECTORY);
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);

    if (fd >= 0 && directory == NULL) {
        close(fd);
    }
    return directory;
}

int OpprofLiveStat(const char *path, struct stat *ret_about)
{
    OPPROF_REQUIRE("live-text-given", path != NULL && ret_about != NULL, "The text is given");

    const int fd = OpprofLiveOpen(path, O_PATH);
    const int result = fd < 0 ? -1 : fstat(fd, ret_about);

    if (fd >= 0) {
        close(fd);
    }
    return result;
}
