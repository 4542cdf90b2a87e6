/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that forbids itself the system calls of the connection (seccomp). What there is to say
 * about that is said by write, which such programs keep: from where on launches are lost, and at
 * the end how many were. Tested by tests/refchip/test_unfriendly.sh.
 */
#include "inject/link/link.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_NAME 128u

static int voice = -1; /* the connection, while it is only spoken to */
static atomic_bool is_mute;
static atomic_uint missed;         /* launches */
static char since[MOST_NAME + 16]; /* " from 'NAME' on"; "": it was no launch that failed first */
static const char *error = "";

/* If the collector is gone, the program must not hear of it: a signal that comes is taken. */
static void write_guarded(const char *data, size_t size)
{
    const struct timespec now = { 0, 0 };
    sigset_t pipe, pending, before;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    if (sigpending(&pending) != 0 || pthread_sigmask(SIG_BLOCK, &pipe, &before) != 0) {
        return;
    }
    if (write(voice, data, size) < 0 && errno == EPIPE && !sigismember(&pending, SIGPIPE)) {
        sigtimedwait(&pipe, NULL, &now);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void say(const char *text)
{
    const OpprofLiveNote note = { 0, OPPROF_LIVE_INCOMPLETE };
    const OpprofLiveHead head = { OPPROF_LIVE_NOTE, (uint32_t) (sizeof note + strlen(text)) };
    char message[512];

    memcpy(message, &head, sizeof head);
    memcpy(message + sizeof head, &note, sizeof note);
    memcpy(message + sizeof head + sizeof note, text, strlen(text));
    write_guarded(message, sizeof head + head.length);
}

bool MuteBegin(int descriptor, const LinkMessage *lost)
{
    const int failure = errno;
    const bool is_launch = lost->type == OPPROF_LIVE_LAUNCH;
    char text[320];

    if (failure != EPERM && failure != EACCES && failure != ENOSYS) {
        return false;
    }
    voice = descriptor;
    error = failure == ENOSYS ? "ENOSYS" : failure == EACCES ? "EACCES" : "EPERM";
    if (is_launch) {
        snprintf(since, sizeof since, " from '%.*s' on",
                 (int) (lost->second_size < MOST_NAME ? lost->second_size : MOST_NAME),
                 (const char *) lost->second);
    }
    atomic_store(&missed, is_launch);
    atomic_store(&is_mute, true);
    snprintf(text, sizeof text,
             "the program forbids itself system calls by which opprof-run hears of launches (%s): "
             "those%s are not profiled",
             error, is_launch ? since : " from now on");
    say(text);
    return true;
}

void MuteCount(void)
{
    if (atomic_load_explicit(&is_mute, memory_order_relaxed)) {
        atomic_fetch_add(&missed, 1);
    }
}

__attribute__((destructor)) static void say_how_many(void)
{
    const unsigned count = atomic_load(&missed);
    char text[320];

    ForkNotice();
    if (atomic_load(&is_mute) && count > 0) {
        snprintf(text, sizeof text,
                 "%u %s%s %s not profiled: the program has forbidden itself system calls by which "
                 "opprof-run hears of them (%s)",
                 count, count == 1 ? "launch" : "launches", since, count == 1 ? "was" : "were",
                 error);
        say(text);
    }
}

static void forget(void)
{
    voice = -1;
    atomic_store(&is_mute, false);
}
ON_FORK(forget)
