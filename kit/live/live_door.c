/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who is let in: processes of this user, in these namespaces, that know the token. One that belongs
 * to the run and is not let in is named; all others count for nothing.
 * Tested by tests/refchip/test_strangers.sh.
 */
#include "kit/live/live_server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_ANCESTORS 64

void LiveDoorReport(OpprofLiveServer *server, const char *why)
{
    if (!server->has_refused && server->events.stage != NULL) {
        OpprofStageIncomplete(server->events.stage, "At least one process cannot be profiled: %s",
                              why);
    }
    server->has_refused = true;
}

/* ---- who it is ---- */

bool LiveDoorSee(OpprofLiveClient *client)
{
    socklen_t length = sizeof client->peer;

    if (getsockopt(client->fd, SOL_SOCKET, SO_PEERCRED, &client->peer, &length) != 0) {
        return false;
    }
    client->is_foreign = client->peer.uid != geteuid() || client->peer.gid != getegid();
    return true;
}

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

/* Whether this process has started another one, itself or by others that still run. Only for what
 * is reported: processes end, and their numbers are given to others. */
static bool is_descendant(pid_t process)
{
    for (int i = 0; i < MOST_ANCESTORS && process > 1; i++) {
        if (process == getpid()) {
            return true;
        }
        process = parent_of(process);
    }
    return false;
}

static bool has_ended(pid_t process)
{
    return process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

/* Why a process is not of this one's user, pid and mount namespaces; NULL: it is. */
static const char *why_elsewhere(pid_t process)
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

/* ---- greetings ---- */

/* Takes the same time wherever they differ. */
static bool is_token(const OpprofLiveServer *server, const uint8_t *token)
{
    unsigned differs = 0;

    for (size_t i = 0; i < OPPROF_LIVE_TOKEN_BYTES; i++) {
        differs |= (unsigned) (server->token[i] ^ token[i]);
    }
    return differs == 0;
}

/* A process with the token belongs to the run, as whichever user, and ended or not; one without
 * it does if it was started from here. */
static OpprofStatus turn_away(OpprofLiveServer *server, const OpprofLiveClient *client,
                              bool has_token, const char *why)
{
    char text[256];

    if (has_token || is_descendant(client->peer.pid)) {
        snprintf(text, sizeof text, "process %d%s: %s", (int) client->peer.pid,
                 client->peer.pid == 0 ? ", which cannot be seen from here" : "", why);
        LiveDoorReport(server, text);
    }
    return OPPROF_E_DATA;
}

static OpprofStatus turn_away_version(OpprofLiveServer *server, OpprofLiveClient *client,
                                      uint32_t version)
{
    const OpprofLiveRefused refused = { OPPROF_LIVE_MAGIC, OPPROF_LIVE_VERSION };
    char text[160];

    OpprofLiveClientAnswer(client, OPPROF_LIVE_REFUSED, &refused, sizeof refused);
    snprintf(text, sizeof text,
             "its injection library speaks version %u of the protocol, and this collector "
             "version %u",
             (unsigned) version, OPPROF_LIVE_VERSION);
    return turn_away(server, client, false, text);
}

static OpprofStatus turn_away_user(OpprofLiveServer *server, const OpprofLiveClient *client)
{
    char text[160];

    snprintf(text, sizeof text,
             "it runs as user %u of group %u, and opprof-run as user %u of group %u; start "
             "opprof-run as the program's user",
             (unsigned) client->peer.uid, (unsigned) client->peer.gid, (unsigned) geteuid(),
             (unsigned) getegid());
    return turn_away(server, client, true, text);
}

static void let_in(OpprofLiveServer *server, OpprofLiveClient *client, OpprofLiveHello *hello)
{
    hello->soc[sizeof hello->soc - 1] = hello->program[sizeof hello->program - 1] = '\0';
    client->pid = hello->pid;
    client->is_greeted = true;
    server->greeted++;
    server->events.hello(server->events.context, client, hello);
    OpprofLiveClientAnswer(client, OPPROF_LIVE_WELCOME, &server->welcome, sizeof server->welcome);
}

OpprofStatus LiveDoorGreet(OpprofLiveServer *server, OpprofLiveClient *client, const uint8_t *body,
                           size_t size, const char **ret_why)
{
    OpprofLiveHello hello = { .magic = 0 };
    const char *space;

    *ret_why = client->is_greeted ? "it greets a second time" : NULL;
    memcpy(&hello, body, size < sizeof hello ? size : sizeof hello);
    if (client->is_greeted || size < 8 || hello.magic != OPPROF_LIVE_MAGIC) {
        return OPPROF_E_DATA;
    }
    if (hello.version != OPPROF_LIVE_VERSION) {
        return turn_away_version(server, client, hello.version);
    }
    if (size != sizeof hello || !is_token(server, hello.token)) {
        return turn_away(server, client, false, "it does not know the token in " OPPROF_LIVE_TOKEN);
    }
    if (client->is_foreign) {
        return turn_away_user(server, client);
    }
    space = client->fd < 0 ? NULL : why_elsewhere(client->peer.pid);
    if (space != NULL && has_ended(client->peer.pid)) {
        return OPPROF_E_DATA; /* before it launched anything */
    }
    if (space != NULL) {
        return turn_away(server, client, true, space);
    }
    let_in(server, client, &hello);
    return OPPROF_OK;
}
