/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The collector's side of the socket: messages of programs, checked and taken apart.
 * Tested by tests/refchip/test_injection.sh.
 */
#include "kit/live/live_parts.h"
#include <opprof/kit/live_records.h>
#include <opprof/require.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#define MOST_CLIENTS 256u
#define READ_BYTES (256u << 10)
#define MOST_GREETING 4096u /* of other versions, too */
#define ANSWERS_MS 5000     /* for a client to make room for its answers, in all */
#define GREETING_MS 10000   /* for a connection to say who it is */
#define DOOR_MS 1000        /* the same where others wait for its place */
#define BUFFER_BYTES (sizeof(OpprofLiveHead) + OPPROF_LIVE_MOST_BYTES)

struct OpprofLiveClient {
    int fd; /* -1: none, in tests */
    uint32_t id;
    uint32_t pid;
    pid_t process;    /* the same as this process sees it; 0: it does not */
    bool is_greeted;  /* it has the token; until then it is a stranger that counts for nothing */
    int64_t since_ms; /* when it came */
    bool has_asked_plan;
    int64_t waited_ms; /* for room for its answers */
    size_t used;       /* bytes of `buffer` */
    uint8_t buffer[BUFFER_BYTES + OPPROF_LIVE_AFTER];
};

struct OpprofLiveServer {
    int fd;
    char name[48];
    uint8_t token[OPPROF_LIVE_TOKEN_BYTES];
    char token_text[2 * OPPROF_LIVE_TOKEN_BYTES + 1];
    OpprofLiveWelcome welcome;
    OpprofLiveEvents events;
    uint32_t next_id;
    bool has_refused; /* and said so */
    bool is_ending;   /* no launch is wanted any more */
    unsigned greeted; /* of the clients */
    unsigned count;
    OpprofLiveClient *clients[MOST_CLIENTS];
};

/* ---- clients ---- */

OpprofLiveClient *LiveClientCreate(int fd, uint32_t id)
{
    OpprofLiveClient *client = malloc(sizeof *client);

    if (client != NULL) {
        client->fd = fd;
        client->id = id;
        client->pid = 0;
        client->process = 0;
        client->since_ms = client->waited_ms = 0;
        client->is_greeted = client->has_asked_plan = false;
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

/* ---- messages ---- */

static OpprofStatus refuse(const char *why, const char **ret_why)
{
    *ret_why = why;
    return OPPROF_E_DATA;
}

/* Once: a process that is not served may try again and again. */
static void report_refused(OpprofLiveServer *server, const char *why)
{
    if (!server->has_refused && server->events.stage != NULL) {
        OpprofStageIncomplete(server->events.stage, "At least one process cannot be profiled: %s",
                              why);
    }
    server->has_refused = true;
}

/* A process that is not served. Who may have expected that it is, because it was started from here,
 * is named; others count for nothing. */
static OpprofStatus turn_away(OpprofLiveServer *server, const OpprofLiveClient *client,
                              const char *why, const char **ret_why)
{
    char text[192];

    if (LivePeerIsDescendant(client->process)) {
        snprintf(text, sizeof text, "process %d: %s", (int) client->process, why);
        report_refused(server, text);
    }
    return refuse(NULL, ret_why);
}

/* Takes the same time wherever they differ. */
static bool is_token(const OpprofLiveServer *server, const uint8_t *token)
{
    unsigned differs = 0;

    for (size_t i = 0; i < OPPROF_LIVE_TOKEN_BYTES; i++) {
        differs |= (unsigned) (server->token[i] ^ token[i]);
    }
    return differs == 0;
}

static OpprofStatus take_hello(OpprofLiveServer *server, OpprofLiveClient *client,
                               const uint8_t *body, size_t size, const char **ret_why)
{
    const OpprofLiveRefused refused = { OPPROF_LIVE_MAGIC, OPPROF_LIVE_VERSION };
    OpprofLiveHello hello = { .magic = 0 };
    const char *space;
    char text[160];

    if (client->is_greeted) {
        return refuse("it greets a second time", ret_why);
    }
    memcpy(&hello, body, size < sizeof hello ? size : sizeof hello);
    if (size < 8 || hello.magic != OPPROF_LIVE_MAGIC) {
        return refuse(NULL, ret_why);
    }
    if (hello.version != OPPROF_LIVE_VERSION) {
        OpprofLiveClientAnswer(client, OPPROF_LIVE_REFUSED, &refused, sizeof refused);
        snprintf(text, sizeof text,
                 "its injection library speaks version %u of the protocol, and this collector "
                 "version %u",
                 (unsigned) hello.version, OPPROF_LIVE_VERSION);
        return turn_away(server, client, text, ret_why);
    }
    if (size != sizeof hello || !is_token(server, hello.token)) {
        return turn_away(server, client, "it does not know the token in " OPPROF_LIVE_TOKEN,
                         ret_why);
    }
    space = client->fd < 0 ? NULL : LivePeerNamespace(client->process);
    if (space != NULL) {
        return turn_away(server, client, space, ret_why);
    }
    hello.soc[sizeof hello.soc - 1] = hello.program[sizeof hello.program - 1] = '\0';
    client->pid = hello.pid;
    client->is_greeted = true;
    server->greeted++;
    server->events.hello(server->events.context, client, &hello);
    OpprofLiveClientAnswer(client, OPPROF_LIVE_WELCOME, &server->welcome, sizeof server->welcome);
    return OPPROF_OK;
}

static OpprofStatus take_launch(OpprofLiveServer *server, OpprofLiveClient *client,
                                const uint8_t *body, size_t size, const char **ret_why)
{
    OpprofLiveLaunch launch;
    OpprofLiveVerdict verdict = { OPPROF_LIVE_NEVER, 0 };

    if (size < sizeof launch || size > sizeof launch + OPPROF_LIVE_MOST_NAME) {
        return refuse("a launch has a wrong length", ret_why);
    }
    memcpy(&launch, body, sizeof launch);
    if (!server->is_ending) {
        verdict = server->events.launch(server->events.context, client, &launch,
                                        (const char *) body + sizeof launch, size - sizeof launch);
    }
    OpprofLiveClientAnswer(client, OPPROF_LIVE_VERDICT, &verdict, sizeof verdict);
    return OPPROF_OK;
}

static OpprofStatus take_kernel(OpprofLiveServer *server, OpprofLiveClient *client,
                                const uint8_t *body, size_t size, const char **ret_why)
{
    OpprofLiveKernel kernel;

    if (size < sizeof kernel) {
        return refuse("a piece of a kernel has a wrong length", ret_why);
    }
    memcpy(&kernel, body, sizeof kernel);
    server->events.kernel(server->events.context, client, &kernel, body + sizeof kernel,
                          size - sizeof kernel);
    return OPPROF_OK;
}

static OpprofStatus take_logs(OpprofLiveServer *server, OpprofLiveClient *client,
                              const uint8_t *body, size_t size, const char **ret_why)
{
    OpprofLiveLogs logs;
    size_t at = sizeof logs, record = 1;
    uint32_t count = 0;

    if (size < sizeof logs) {
        return refuse("a batch of logs has a wrong length", ret_why);
    }
    memcpy(&logs, body, sizeof logs);
    if (logs.log >= OPPROF_LIVE_LOGS_OF_CORE || logs.sub_core > 2) {
        return refuse("a batch of logs is of an unknown log", ret_why);
    }
    while (count < logs.count && record > 0) {
        record = OpprofLiveRecordBytes(logs.log, body + at, size - at);
        at += record;
        count += record > 0;
    }
    logs.count = count;
    if (count > 0) {
        server->events.logs(server->events.context, client, &logs, body + sizeof logs,
                            at - sizeof logs);
    }
    if (record == 0) {
        return refuse("a log record is cut, or has a wrong kind, slot or length", ret_why);
    }
    return at == size ? OPPROF_OK : refuse("a batch of logs has too many bytes", ret_why);
}

static OpprofStatus take_finish(OpprofLiveServer *server, OpprofLiveClient *client,
                                const uint8_t *body, size_t size, const char **ret_why)
{
    OpprofLiveFinish finish;

    if (size != sizeof finish) {
        return refuse("the end of an operator has a wrong length", ret_why);
    }
    memcpy(&finish, body, sizeof finish);
    server->events.finish(server->events.context, client, &finish);
    const OpprofLiveFinished finished = { finish.operator_id, 0 };

    OpprofLiveClientAnswer(client, OPPROF_LIVE_FINISHED, &finished, sizeof finished);
    return OPPROF_OK;
}

static OpprofStatus take_note(OpprofLiveServer *server, OpprofLiveClient *client,
                              const uint8_t *body, size_t size, const char **ret_why)
{
    OpprofLiveNote note;
    char text[512];
    size_t used = 0;

    if (size < sizeof note) {
        return refuse("a sentence has a wrong length", ret_why);
    }
    memcpy(&note, body, sizeof note);
    for (; used < size - sizeof note && used < sizeof text - 1; used++) {
        const unsigned char c = body[sizeof note + used];

        text[used] = c < ' ' || c == 127 ? '?' : (char) c;
    }
    text[used] = '\0';
    if (server->events.note != NULL) {
        server->events.note(server->events.context, client, &note, text);
    }
    return OPPROF_OK;
}

OpprofStatus LiveServerTake(OpprofLiveServer *server, OpprofLiveClient *client,
                            const OpprofLiveHead *head, const uint8_t *body, const char **ret_why)
{
    OPPROF_REQUIRE("live-server-given", server != NULL, "The server is given");
    OPPROF_REQUIRE("live-client-given", client != NULL, "The client is given");
    OPPROF_REQUIRE("live-message-given", head != NULL && ret_why != NULL, "The message is given");
    if (head->type == OPPROF_LIVE_HELLO) {
        return take_hello(server, client, body, head->length, ret_why);
    }
    if (!client->is_greeted) {
        return refuse(NULL, ret_why); /* it does not know the protocol */
    }
    if (head->type == OPPROF_LIVE_ASK_PLAN && client->has_asked_plan) {
        return refuse("it asks for the plan a second time", ret_why);
    }
    client->has_asked_plan = client->has_asked_plan || head->type == OPPROF_LIVE_ASK_PLAN;
    switch (head->type) {
    case OPPROF_LIVE_LAUNCH:
        return take_launch(server, client, body, head->length, ret_why);
    case OPPROF_LIVE_KERNEL:
        return take_kernel(server, client, body, head->length, ret_why);
    case OPPROF_LIVE_LOGS:
        return take_logs(server, client, body, head->length, ret_why);
    case OPPROF_LIVE_FINISH:
        return take_finish(server, client, body, head->length, ret_why);
    case OPPROF_LIVE_NOTE:
        return take_note(server, client, body, head->length, ret_why);
    default:
        if (server->events.other != NULL) {
            return server->events.other(server->events.context, client, head, body, ret_why);
        }
        return refuse("it sends a message of an unknown kind", ret_why);
    }
}

/* All whole messages of the buffer; *ret_count of them were taken. */
static OpprofStatus take_messages(OpprofLiveServer *server, OpprofLiveClient *client,
                                  unsigned *ret_count, const char **ret_why)
{
    OpprofStatus status = OPPROF_OK;
    size_t at = 0;

    *ret_count = 0;
    while (status == OPPROF_OK && client->used - at >= sizeof(OpprofLiveHead)) {
        OpprofLiveHead head;

        memcpy(&head, client->buffer + at, sizeof head);
        if (head.length > (client->is_greeted ? OPPROF_LIVE_MOST_BYTES : MOST_GREETING)) {
            return refuse("it sends a message that is too long", ret_why);
        }
        if (client->used - at - sizeof head < head.length) {
            break;
        }
        at += sizeof head;
        status = LiveServerTake(server, client, &head, client->buffer + at, ret_why);
        at += head.length;
        (*ret_count)++;
    }
    memmove(client->buffer, client->buffer + at, client->used - at);
    client->used -= at;
    return status;
}

/* ---- the socket ---- */

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
                   "The welcome, the events and the place of the result are given");

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
    return server->count - server->greeted;
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
        const pid_t process = client->is_greeted ? client->process : 0;

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
    LiveClientDestroy(client);
}

/* Whether who knocks has to wait, because connections that have not said yet who they are take up
 * all room. One that had its time makes room. */
static bool is_crowded(OpprofLiveServer *server)
{
    unsigned oldest = server->count;

    if (server->count < MOST_CLIENTS || server->greeted == server->count) {
        return false;
    }
    for (unsigned i = 0; i < server->count; i++) {
        const OpprofLiveClient *client = server->clients[i];

        if (!client->is_greeted &&
            (oldest == server->count || client->since_ms < server->clients[oldest]->since_ms)) {
            oldest = i;
        }
    }
    if (LiveNowMs() - server->clients[oldest]->since_ms < DOOR_MS) {
        return true;
    }
    drop_client(server, oldest, NULL);
    return false;
}

/* Whether it has said something: a whole message, or that it ends. */
static bool read_client(OpprofLiveServer *server, unsigned place)
{
    OpprofLiveClient *client = server->clients[place];
    const size_t room = BUFFER_BYTES - client->used;
    const char *why = NULL;
    unsigned count = 0;
    const ssize_t got = recv(client->fd, client->buffer + client->used,
                             room < READ_BYTES ? room : READ_BYTES, MSG_DONTWAIT);

    if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
        return false;
    }
    if (got <= 0) {
        drop_client(server, place, client->used > 0 ? "it ended in the middle of a message" : NULL);
        return true;
    }
    client->used += (size_t) got;
    if (take_messages(server, client, &count, &why) != OPPROF_OK) {
        drop_client(server, place, why);
        return true;
    }
    return count > 0;
}

/* Whether it has said something already. */
static bool add_client(OpprofLiveServer *server, int fd, pid_t process)
{
    OpprofLiveClient *client = NULL;
    char why[64];

    if (server->count == MOST_CLIENTS) {
        snprintf(why, sizeof why, "%u others are connected at the same time", MOST_CLIENTS);
        report_refused(server, why);
    } else {
        client = LiveClientCreate(fd, server->next_id);
        if (client == NULL) {
            report_refused(server, "out of memory");
        }
    }
    if (client == NULL) {
        close(fd);
        return false;
    }
    client->process = process;
    client->since_ms = LiveNowMs();
    server->next_id++;
    server->clients[server->count] = client;
    return read_client(server, server->count++);
}

/* All that wait at the door, so that those who are not let in do not keep the others from it.
 * Returns how many have said something. */
static unsigned accept_clients(OpprofLiveServer *server)
{
    unsigned spoke = 0;

    for (unsigned i = 0; i < MOST_CLIENTS && !is_crowded(server); i++) {
        const int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC);
        pid_t process = 0;
        char why[192];

        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
                report_refused(server, strerror(errno));
            }
            break;
        }
        if (LivePeerIsOwn(fd, &process, why, sizeof why)) {
            spoke += add_client(server, fd, process);
            continue;
        }
        close(fd);
        if (why[0] != '\0') {
            report_refused(server, why);
        }
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
            (client->process > 0 && kill(client->process, 0) != 0 && errno == ESRCH)) {
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
