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

void LiveRunLetGo(OpprofLiveRun *run)
{
    if (run->results > 0) {
        close(run->results - 1);
    }
    run->results = 0;
}

OpprofStatus LiveRunHold(OpprofLiveRun *run, const char *results, OpprofError **error)
{
    LiveRunLetGo(run);
    run->results = open(results, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) + 1;
    return run->results > 0
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_IO, "Cannot open the directory of results '%s': %m",
                                results);
}

int OpprofLiveRunResults(const OpprofLiveRun *run)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    return run->results - 1;
}
