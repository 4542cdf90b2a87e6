/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who is at the other end of a connection: its user, its namespaces, and whether this process has
 * started it. Tested by tests/refchip/test_strangers.sh.
 */
#include "kit/live/live_parts.h"

#include <opprof/require.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_ANCESTORS 64

static pid_t parent_of(pid_t process)
{
    char path[64], line[512];
    const char *after;
    int parent = 0;
    FILE *in;

    snprintf(path, sizeof path, "/proc/%d/stat", (int) process);
    in = fopen(path, "re");
    if (in == NULL) {
        return 0;
    }
    /* the program's name, which may contain anything, ends with the last parenthesis */
    after = fgets(line, sizeof line, in) == NULL ? NULL : strrchr(line, ')');
    fclose(in);
    return after != NULL && sscanf(after, ") %*c %d", &parent) == 1 ? parent : 0;
}

bool LivePeerIsDescendant(pid_t process)
{
    for (int i = 0; i < MOST_ANCESTORS && process > 1; i++) {
        if (process == getpid()) {
            return true;
        }
        process = parent_of(process);
    }
    return false;
}

bool LivePeerIsOwn(int fd, pid_t *ret_process, char *why, size_t size)
{
    OPPROF_REQUIRE("live-text-given", ret_process != NULL && why != NULL, "The text is given");

    struct ucred peer;
    socklen_t length = sizeof peer;

    why[0] = '\0';
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) {
        return false;
    }
    *ret_process = peer.pid;
    if (peer.uid == geteuid() && peer.gid == getegid()) {
        return true;
    }
    if (LivePeerIsDescendant(peer.pid)) {
        snprintf(why, size,
                 "process %d runs as user %u of group %u, and opprof-run as user %u of group %u; "
                 "start opprof-run as the program's user",
                 (int) peer.pid, (unsigned) peer.uid, (unsigned) peer.gid, (unsigned) geteuid(),
                 (unsigned) getegid());
    }
    return false;
}

const char *LivePeerNamespace(pid_t process)
{
    static const struct {
        const char *file;
        const char *why;
    } spaces[] = { { "user", "it runs in another user namespace" },
                   { "pid", "it runs in another pid namespace" },
                   { "mnt", "it runs in another mount namespace" } };

    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        struct stat own, other;
        char path[64];

        snprintf(path, sizeof path, "/proc/self/ns/%s", spaces[i].file);
        if (stat(path, &own) != 0) {
            continue; /* this system has none */
        }
        snprintf(path, sizeof path, "/proc/%d/ns/%s", (int) process, spaces[i].file);
        if (stat(path, &other) != 0) {
            return "its namespaces cannot be seen";
        }
        if (own.st_dev != other.st_dev || own.st_ino != other.st_ino) {
            return spaces[i].why;
        }
    }
    return NULL;
}
