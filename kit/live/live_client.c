/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection of a program to the collector, and the answers to it.
 * Tested by tests/refchip/test_protocol.sh.
 */
#include "kit/live/live_server.h"

#include <errno.h>
#include <opprof/require.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#define ANSWERS_MS 5000 /* for a client to make room for its answers, in all */

OpprofLiveClient *LiveClientCreate(int fd, uint32_t id)
{
    OpprofLiveClient *client = malloc(sizeof *client);

    if (client != NULL) {
        client->fd = fd;
        client->id = id;
        client->pid = 0;
        client->peer = (struct ucred){ .uid = geteuid(), .gid = getegid() };
        client->since_ms = client->waited_ms = 0;
        client->is_foreign = client->is_greeted = client->has_asked_plan = false;
        client->used = 0;
    }
    return client;
}

void LiveClientDestroy(OpprofLiveClient *client)
{
    if (client != NULL && client->fd >= 0) {
        close(client->fd);
    }
    free(client);
}

uint32_t OpprofLiveClientId(const OpprofLiveClient *client)
{
    OPPROF_REQUIRE("live-client-given", client != NULL, "The client is given");
    return client->id;
}

uint32_t OpprofLiveClientPid(const OpprofLiveClient *client)
{
    OPPROF_REQUIRE("live-client-given", client != NULL, "The client is given");
    return client->pid;
}

/* Waits until there is room for more. A program waits for each answer, so there always is; one that
 * takes them slowly must not hold up the others and the end of the run. */
static bool wait_for_room(OpprofLiveClient *client)
{
    struct pollfd room = { .fd = client->fd, .events = POLLOUT };
    const int64_t since = LiveNowMs();
    bool is_there = false;

    if (client->waited_ms < ANSWERS_MS) {
        is_there = poll(&room, 1, (int) (ANSWERS_MS - client->waited_ms)) > 0 || errno == EINTR;
        client->waited_ms += LiveNowMs() - since;
    }
    return is_there;
}

static bool send_all(OpprofLiveClient *client, struct iovec *part, unsigned count)
{
    while (count > 0) {
        const struct msghdr message = { .msg_iov = part, .msg_iovlen = count };
        ssize_t sent = sendmsg(client->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (sent < 0 && errno != EINTR && (errno != EAGAIN || !wait_for_room(client))) {
            return false;
        }
        for (sent = sent < 0 ? 0 : sent; count > 0 && (size_t) sent >= part->iov_len; count--) {
            sent -= (ssize_t) part->iov_len;
            part++;
        }
        if (count > 0) {
            part->iov_base = (char *) part->iov_base + sent;
            part->iov_len -= (size_t) sent;
        }
    }
    return true;
}

/* A client that does not take its answers in time is dropped when it is read next. */
void OpprofLiveClientAnswer(OpprofLiveClient *client, uint32_t type, const void *body, size_t size)
{
    OPPROF_REQUIRE("live-client-given", client != NULL, "The client is given");
    OPPROF_REQUIRE("live-message-given", body != NULL || size == 0, "The message is given");

    OpprofLiveHead head = { type, (uint32_t) size };
    struct iovec parts[2] = { { &head, sizeof head }, { (void *) (uintptr_t) body, size } };

    if (client->fd >= 0 && !send_all(client, parts, size > 0 ? 2 : 1)) {
        shutdown(client->fd, SHUT_RDWR);
    }
}
