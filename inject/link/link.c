/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The connection to the collector: one per process, opened when first needed, given up at the first
 * failure. Tested by tests/refchip/test_injection.sh.
 */
#include "inject/link/link.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#define ANSWER_SECONDS 600    /* unless OPPROF_LIVE_PATIENCE says otherwise */
#define LOWEST_DESCRIPTOR 200 /* numbers below are the program's, which may count on them */

enum { STATE_NEW = 0, STATE_OPEN, STATE_CLOSED };

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* guards the connection and a question with its answer */
static atomic_int state;
static int descriptor = -1;
static struct stat made; /* what the descriptor was when it was made */
static OpprofLiveHello hello;
static OpprofLiveWelcome welcome;
static pthread_once_t collector_once = PTHREAD_ONCE_INIT;
static char collector[sizeof((struct sockaddr_un *) NULL)->sun_path]; /* "": no collector */
static uint8_t token[OPPROF_LIVE_TOKEN_BYTES];

static void read_collector(void)
{
    const char *name = secure_getenv(OPPROF_LIVE_SOCKET);
    const char *digits = secure_getenv(OPPROF_LIVE_TOKEN);

    if (name != NULL && strlen(name) < sizeof collector) {
        memcpy(collector, name, strlen(name) + 1);
    }
    for (size_t i = 0; digits != NULL && i < sizeof token; i++, digits += 2) {
        if (sscanf(digits, "%2hhx", &token[i]) != 1) {
            return;
        }
    }
}

static bool has_collector(void)
{
    pthread_once(&collector_once, read_collector);
    return collector[0] != '\0';
}

/* Before the program changes its environment. */
__attribute__((constructor)) static void read_early(void)
{
    has_collector();
}

bool LinkIsWanted(void)
{
    ForkNotice();

    const int now = atomic_load_explicit(&state, memory_order_relaxed);

    return now == STATE_OPEN || (now == STATE_NEW && has_collector());
}

/* A thread that is cancelled while it waits for an answer would keep the lock. Returns what
 * unlock_link is given. */
static int lock_link(void)
{
    int cancel_state;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    pthread_mutex_lock(&lock);
    return cancel_state;
}

static void unlock_link(int cancel_state)
{
    pthread_mutex_unlock(&lock);
    pthread_setcancelstate(cancel_state, NULL);
}

/* ---- bytes ---- */

/* A program that closes all descriptors closes this one, too, and its number may come to be one of
 * the program's own. */
static bool is_ours(void)
{
    struct stat now;

    return descriptor >= 0 && fstat(descriptor, &now) == 0 && now.st_dev == made.st_dev &&
           now.st_ino == made.st_ino;
}

static void close_ours(void)
{
    if (is_ours()) {
        close(descriptor);
    }
    descriptor = -1;
}

static void give_up(void)
{
    close_ours();
    atomic_store(&state, STATE_CLOSED);
}

/* How long an answer may take; a collector that says nothing for that long is dead. */
static struct timeval patience(void)
{
    const char *text = secure_getenv("OPPROF_LIVE_PATIENCE");
    const long seconds = text == NULL ? 0 : strtol(text, NULL, 10);

    return (struct timeval){ .tv_sec = seconds > 0 ? seconds : ANSWER_SECONDS };
}

/* A collector that was too late hears why there is no more of this process, if it comes to that. */
static void give_up_waiting(void)
{
    char text[96];
    const OpprofLiveNote note = { .severity = OPPROF_LIVE_INCOMPLETE };
    const int length = snprintf(text, sizeof text,
                                "no answer of opprof-run came within %ld s: further launches of "
                                "the process are not profiled",
                                (long) patience().tv_sec);
    OpprofLiveHead head = { OPPROF_LIVE_NOTE, (uint32_t) (sizeof note + (size_t) length) };
    struct iovec parts[3] = { { &head, sizeof head },
                              { (void *) (uintptr_t) &note, sizeof note },
                              { text, (size_t) length } };
    const struct msghdr message = { .msg_iov = parts, .msg_iovlen = 3 };

    (void) !sendmsg(descriptor, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    give_up();
}

/* The connection failed. One that the program forbids itself stays open, for what is still said. */
static void lose(const LinkMessage *message, void (*give)(void))
{
    if (MuteBegin(descriptor, message)) {
        atomic_store(&state, STATE_CLOSED);
    } else {
        give();
    }
}

/* All of the parts, whatever the socket takes at once. */
static bool send_parts(struct iovec *parts, size_t count)
{
    while (count > 0) {
        struct msghdr message = { .msg_iov = parts, .msg_iovlen = count };
        ssize_t sent = sendmsg(descriptor, &message, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        while (count > 0 && (size_t) sent >= parts->iov_len) {
            sent -= (ssize_t) parts->iov_len;
            parts++;
            count--;
        }
        if (count > 0) {
            parts->iov_base = (char *) parts->iov_base + sent;
            parts->iov_len -= (size_t) sent;
        }
    }
    return true;
}

static bool receive(void *data, size_t size)
{
    char *at = data;

    while (size > 0) {
        const ssize_t got = recv(descriptor, at, size, 0);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            errno = got == 0 ? ECONNRESET : errno;
            return false;
        }
        at += got;
        size -= (size_t) got;
    }
    return true;
}

static bool send_message(uint32_t type, const void *first, size_t first_size, const void *second,
                         size_t second_size)
{
    OpprofLiveHead head = { type, (uint32_t) (first_size + second_size) };
    struct iovec parts[3] = { { &head, sizeof head },
                              { (void *) (uintptr_t) first, first_size },
                              { (void *) (uintptr_t) second, second_size } };

    return send_parts(parts, second_size > 0 ? 3 : 2);
}

/* ---- opening ---- */

/* A socket that is out of the program's way: a high number, closed by exec. */
static int make_socket(void)
{
    const int low = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int high;

    if (low < 0) {
        return -1;
    }
    high = fcntl(low, F_DUPFD_CLOEXEC, LOWEST_DESCRIPTOR);
    if (high < 0) {
        return low;
    }
    close(low);
    return high;
}

static bool is_own_user(void)
{
    struct ucred peer;
    socklen_t size = sizeof peer;

    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           peer.uid == geteuid() && peer.gid == getegid();
}

static bool connect_to_collector(void)
{
    const struct timeval limit = patience();
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    const size_t length = strlen(collector);

    memcpy(address.sun_path + 1, collector, length);
    descriptor = make_socket();
    return descriptor >= 0 && fstat(descriptor, &made) == 0 &&
           setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
           setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0 &&
           connect(descriptor, (const struct sockaddr *) &address,
                   (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + length)) == 0;
}

/* Says who this is. A collector of another user serves nobody of this one's: it hears that, so that
 * it can say so itself, and is not listened to. */
static bool greet(void)
{
    return send_message(OPPROF_LIVE_HELLO, &hello, sizeof hello, NULL, 0) && is_own_user();
}

static bool is_welcome(void)
{
    OpprofLiveHead head;

    /* A collector of another version says so itself. */
    if (!receive(&head, sizeof head) || head.type != OPPROF_LIVE_WELCOME ||
        head.length != sizeof welcome || !receive(&welcome, sizeof welcome) ||
        welcome.magic != OPPROF_LIVE_MAGIC || welcome.version != OPPROF_LIVE_VERSION) {
        return false;
    }
    welcome.mstx_include[sizeof welcome.mstx_include - 1] = '\0';
    return true;
}

static void introduce(const char *soc, bool has_logs)
{
    hello = (OpprofLiveHello){ .magic = OPPROF_LIVE_MAGIC,
                               .version = OPPROF_LIVE_VERSION,
                               .pid = (uint32_t) getpid(),
                               .flags = has_logs ? OPPROF_LIVE_HAS_LOGS : 0 };
    snprintf(hello.soc, sizeof hello.soc, "%s", soc == NULL ? "" : soc);
    snprintf(hello.program, sizeof hello.program, "%s", program_invocation_short_name);
    memcpy(hello.token, token, sizeof hello.token);
}

/* With the lock. */
static bool open_link(void)
{
    if (!connect_to_collector() || !greet()) {
        give_up();
        return false;
    }
    if (!is_welcome()) {
        give_up_waiting();
        return false;
    }
    atomic_store(&state, STATE_OPEN);
    return true;
}

/* With the lock. Whether there is a connection, if need be a new one: the collector knows this
 * process no longer. */
static bool is_open(void)
{
    if (atomic_load(&state) != STATE_OPEN) {
        return false;
    }
    return is_ours() || open_link();
}

bool LinkOpen(const char *soc, bool has_logs, const OpprofLiveWelcome **ret_welcome)
{
    int cancel_state;

    if (atomic_load(&state) == STATE_CLOSED) {
        return false;
    }
    cancel_state = lock_link();
    if (atomic_load(&state) == STATE_NEW && has_collector()) {
        introduce(soc, has_logs);
        open_link();
    }
    unlock_link(cancel_state);
    *ret_welcome = &welcome;
    return atomic_load(&state) == STATE_OPEN;
}

/* ---- messages ---- */

bool LinkSend(uint32_t type, const void *first, size_t first_size, const void *second,
              size_t second_size)
{
    const int cancel_state = lock_link();
    bool is_sent = false;

    if (is_open()) {
        is_sent = send_message(type, first, first_size, second, second_size);
        if (!is_sent) {
            lose(&(LinkMessage){ .type = type }, give_up);
        }
    }
    unlock_link(cancel_state);
    return is_sent;
}

bool LinkAsk(const LinkMessage *question, uint32_t answer_type, void *answer, size_t answer_size)
{
    const int cancel_state = lock_link();
    bool is_answered = false;

    if (is_open()) {
        OpprofLiveHead head = { 0, 0 };

        is_answered = send_message(question->type, question->first, question->first_size,
                                   question->second, question->second_size) &&
                      receive(&head, sizeof head) && head.type == answer_type &&
                      head.length == answer_size && receive(answer, answer_size);
        if (!is_answered) {
            lose(question, give_up_waiting);
        }
    }
    unlock_link(cancel_state);
    return is_answered;
}

/* With the lock. */
static bool receive_bytes(uint32_t type, uint8_t **ret_bytes, size_t *ret_size)
{
    OpprofLiveHead head = { 0, 0 };
    uint8_t *bytes = NULL;

    if (receive(&head, sizeof head) && head.type == type && head.length <= OPPROF_LIVE_MOST_BYTES) {
        bytes = malloc(head.length + 1u);
    }
    if (bytes != NULL && !receive(bytes, head.length)) {
        free(bytes);
        bytes = NULL;
    }
    *ret_bytes = bytes;
    *ret_size = head.length;
    return bytes != NULL;
}

bool LinkAskBytes(uint32_t type, const void *question, size_t size, uint32_t answer_type,
                  uint8_t **ret_answer, size_t *ret_size)
{
    const int cancel_state = lock_link();
    bool is_answered = false;

    if (is_open()) {
        is_answered = send_message(type, question, size, NULL, 0) &&
                      receive_bytes(answer_type, ret_answer, ret_size);
        if (!is_answered) {
            lose(&(LinkMessage){ .type = type }, give_up_waiting);
        }
    }
    unlock_link(cancel_state);
    return is_answered;
}

static void forget(void)
{
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

    memcpy(&lock, &fresh, sizeof lock); /* another thread of the parent may have held it */
    close_ours();
    atomic_store(&state, STATE_NEW);
}
ON_FORK(forget)
