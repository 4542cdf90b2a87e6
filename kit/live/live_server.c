/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The collector's side of the socket: its connections, each in its turn.
 * Tested by tests/refchip/test_injection.sh.
 */
#include "kit/live/live_server.h"

#include <errno.h>
#include <opprof/require.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define READ_BYTES (256u << 10)
#define GREETING_MS 10000 /* for a connection to say who it is */
#define DOOR_MS 1000      /* the same where others wait for its place */
#define MOST_FOREIGN 16u

static void put_digits(char *text, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    }
}

static OpprofStatus listen_failed(OpprofLiveServer *server, const char *what, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_IO, "Cannot %s the socket for running programs: %s", what,
                   strerror(errno));
    LiveServerDestroy(server);
    return OPPROF_E_IO;
}

OpprofStatus LiveServerCreate(const OpprofLiveWelcome *welcome, const OpprofLiveEvents *events,
                              OpprofLiveServer **ret_server, OpprofError **error)
{
    OPPROF_REQUIRE("live-server-options", welcome != NULL && events != NULL && ret_server != NULL,
                   "The welcome, the events and the result pointer are given");

    OpprofLiveServer *server = calloc(1, sizeof *server);
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    uint8_t random[16];
    size_t length;

    *ret_server = NULL;
    if (server == NULL) {
        return OpprofErrorNoMemory(error, "listen for running programs");
    }
    server->welcome = *welcome;
    server->events = *events;
    server->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (server->fd < 0 || getrandom(random, sizeof random, 0) != (ssize_t) sizeof random ||
        getrandom(server->token, sizeof server->token, 0) != (ssize_t) sizeof server->token) {
        return listen_failed(server, "make", error);
    }
    memcpy(server->name, "opprof.", 7);
    put_digits(server->name + 7, random, sizeof random);
    put_digits(server->token_text, server->token, sizeof server->token);
    length = strlen(server->name);
    memcpy(address.sun_path + 1, server->name, length);
    if (bind(server->fd, (const struct sockaddr *) &address,
             (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + length)) != 0 ||
        listen(server->fd, (int) MOST_CLIENTS) != 0) {
        return listen_failed(server, "bind", error);
    }
    *ret_server = server;
    return OPPROF_OK;
}

void LiveServerDestroy(OpprofLiveServer *server)
{
    if (server == NULL) {
        return;
    }
    for (unsigned i = 0; i < server->count; i++) {
        LiveClientDestroy(server->clients[i]);
    }
    if (server->fd >= 0) {
        close(server->fd);
    }
    LiveTallyFinish(&server->tally);
    free(server);
}

const char *LiveServerName(const OpprofLiveServer *server)
{
    OPPROF_REQUIRE("live-server-given", server != NULL, "The server is given");
    return server->name;
}

const char *LiveServerToken(const OpprofLiveServer *server)
{
    OPPROF_REQUIRE("live-server-given", server != NULL, "The server is given");
    return server->token_text;
}

unsigned LiveServerClients(const OpprofLiveServer *server)
{
    OPPROF_REQUIRE("live-server-given", server != NULL, "The server is given");
    return server->greeted;
}

unsigned LiveServerStrangers(const OpprofLiveServer *server)
{
    OPPROF_REQUIRE("live-server-given", server != NULL, "The server is given");
    return server->count - server->greeted - server->foreign;
}

void LiveServerRefuse(OpprofLiveServer *server)
{
    OPPROF_REQUIRE("live-server-given", server != NULL, "The server is given");
    server->is_ending = true;
}

void LiveServerSignal(const OpprofLiveServer *server, int number, pid_t but, pid_t group)
{
    OPPROF_REQUIRE("live-server-given", server != NULL, "The server is given");
    for (unsigned i = 0; i < server->count; i++) {
        const OpprofLiveClient *client = server->clients[i];
        const pid_t process = client->is_greeted ? client->peer.pid : 0;

        if (process > 0 && process != but && process != getpid() &&
            (group == 0 || getpgid(process) != group)) {
            kill(process, number);
        }
    }
}

static void drop_client(OpprofLiveServer *server, unsigned place, const char *why)
{
    OpprofLiveClient *client = server->clients[place];

    server->clients[place] = server->clients[--server->count];
    if (client->is_greeted) {
        server->greeted--;
        server->events.gone(server->events.context, client, why);
    }
    server->foreign -= client->is_foreign;
    LiveClientDestroy(client);
}

/* The place of the connection that has said nothing for longest, of this user or of others. */
static unsigned oldest_silent(const OpprofLiveServer *server, bool is_foreign)
{
    unsigned oldest = server->count;

    for (unsigned i = 0; i < server->count; i++) {
        const OpprofLiveClient *client = server->clients[i];

        if (!client->is_greeted && client->is_foreign == is_foreign &&
            (oldest == server->count || client->since_ms < server->clients[oldest]->since_ms)) {
            oldest = i;
        }
    }
    return oldest;
}

/* Whether who knocks has to wait, because connections that have not said yet who they are take up
 * all room. One that had its time makes room, and so does one of another user at once. */
static bool is_crowded(OpprofLiveServer *server)
{
    const bool has_foreign = server->foreign > 0;
    unsigned oldest;

    if (server->count < MOST_CLIENTS || server->greeted == server->count) {
        return false;
    }
    oldest = oldest_silent(server, has_foreign);
    if (!has_foreign && LiveNowMs() - server->clients[oldest]->since_ms < DOOR_MS) {
        return true;
    }
    drop_client(server, oldest, NULL);
    return false;
}

/* How many messages it has said. Those who are not let in say nothing. */
static unsigned read_client(OpprofLiveServer *server, unsigned place)
{
    OpprofLiveClient *client = server->clients[place];
    const size_t room = BUFFER_BYTES - client->used;
    const char *why = NULL;
    unsigned count = 0;
    const ssize_t got = recv(client->fd, client->buffer + client->used,
                             room < READ_BYTES ? room : READ_BYTES, MSG_DONTWAIT);

    if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
        return 0;
    }
    if (got <= 0) {
        count = client->is_greeted;
        drop_client(server, place, client->used > 0 ? "it ended in the middle of a message" : NULL);
        return count;
    }
    client->used += (size_t) got;
    if (LiveMessagesTake(server, client, &count, &why) != OPPROF_OK) {
        count = client->is_greeted;
        drop_client(server, place, why);
    }
    return count;
}

/* Another user's connections take no place of this one's, and never wait for each other. */
static void keep_few_foreign(OpprofLiveServer *server)
{
    if (server->foreign > MOST_FOREIGN) {
        drop_client(server, oldest_silent(server, true), NULL);
    }
}

/* How many messages it has said already. */
static unsigned add_client(OpprofLiveServer *server, int fd)
{
    OpprofLiveClient *client = NULL;
    char why[64];

    if (server->count == MOST_CLIENTS) {
        snprintf(why, sizeof why, "%u others are connected at the same time", MOST_CLIENTS);
        LiveDoorReport(server, why);
    } else {
        client = LiveClientCreate(fd, server->next_id);
        if (client == NULL) {
            LiveDoorReport(server, "out of memory");
        }
    }
    if (client == NULL) {
        close(fd);
        return 0;
    }
    if (!LiveDoorSee(client)) {
        LiveClientDestroy(client);
        return 0;
    }
    client->since_ms = LiveNowMs();
    server->next_id++;
    server->foreign += client->is_foreign;
    server->clients[server->count] = client;
    return read_client(server, server->count++);
}

/* All that wait at the door, so that those who are not let in do not keep the others from it.
 * Returns how many messages they have said. */
static unsigned accept_clients(OpprofLiveServer *server)
{
    unsigned spoke = 0;

    for (unsigned i = 0; i < MOST_CLIENTS && !is_crowded(server); i++) {
        const int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC);

        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
                LiveDoorReport(server, strerror(errno));
            }
            break;
        }
        spoke += add_client(server, fd);
        keep_few_foreign(server);
    }
    return spoke;
}

/* Those that said nothing in time; and those whose process has ended, though a copy of it that is
 * not profiled still has their connection. */
static void drop_silent(OpprofLiveServer *server)
{
    const int64_t now = LiveNowMs();

    for (unsigned i = server->count; i-- > 0;) {
        const OpprofLiveClient *client = server->clients[i];

        if ((!client->is_greeted && now - client->since_ms > GREETING_MS) ||
            (client->peer.pid > 0 && kill(client->peer.pid, 0) != 0 && errno == ESRCH)) {
            drop_client(server, i, NULL);
        }
    }
}

unsigned OpprofLiveServerStep(OpprofLiveServer *server, int timeout_ms)
{
    OPPROF_REQUIRE("live-server-given", server != NULL, "The server is given");

    struct pollfd polled[MOST_CLIENTS + 1];
    const bool is_open = !is_crowded(server);
    const unsigned count = server->count;
    unsigned spoke = 0;

    for (unsigned i = 0; i < count; i++) {
        polled[i] = (struct pollfd){ .fd = server->clients[i]->fd, .events = POLLIN };
    }
    polled[count] = (struct pollfd){ .fd = is_open ? server->fd : -1, .events = POLLIN };
    if (poll(polled, count + 1, timeout_ms) <= 0) {
        drop_silent(server);
        return 0;
    }
    for (unsigned i = count;
         i-- > 0;) { /* from the end, since a dropped client's place is filled from there */
        if (polled[i].revents != 0) {
            spoke += read_client(server, i);
        }
    }
    if (polled[count].revents != 0) {
        spoke += accept_clients(server);
    }
    return spoke;
}
