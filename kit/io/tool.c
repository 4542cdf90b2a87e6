/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs another program, which may hang, print without end or leave programs of its own behind.
 * Tested by tests/kit/io/test_tool.c; a stop by tests/plugins/parse-dbi/hot_spots.py.
 */
#include <opprof/kit/tool.h>

#include "kit/io/spawned.h"

#include <errno.h>
#include <fcntl.h>
#include <opprof/require.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_MS 50 /* between looks whether it is to be ended */
#define WAIT_MS 5  /* from the end of its output to its own */
#define PIECE_BYTES (16u << 10)

/* The two that it prints to. */
enum { OUTPUT, ERRORS, PIPES };

typedef enum Cut { NOT_CUT, CUT_BY_STOP, CUT_BY_TIME, CUT_BY_TAKE } Cut;

typedef struct Running {
    const OpprofStage *stage;
    OpprofToolCall *call;
    int64_t limit_ms;
    size_t said; /* bytes */
    struct pollfd from[PIPES];
    pid_t pid;
    Cut cut;
} Running;

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Its group, so that nothing is left that holds its pipes. */
static void cut(Running *running, Cut why)
{
    running->cut = why;
    kill(-running->pid, SIGKILL);
}

static void cut_if_over(Running *running)
{
    if (running->stage != NULL && OpprofStageStopRequested(running->stage)) {
        cut(running, CUT_BY_STOP);
    } else if (running->call->seconds > 0 && now_ms() >= running->limit_ms) {
        cut(running, CUT_BY_TIME);
    }
}

/* ---- what it prints ---- */

/* The pipes' ends for the tool; below 0: it has none of its own for that. False: errno says why. */
static bool make_pipes(Running *running, int ends[PIPES])
{
    for (int which = 0; which < PIPES; which++) {
        int both[2] = { -1, -1 };

        if ((which == ERRORS || running->call->take != NULL) && pipe2(both, O_CLOEXEC) != 0) {
            return false;
        }
        running->from[which] = (struct pollfd){ .fd = both[0], .events = POLLIN };
        ends[which] = both[1];
    }
    return true;
}

static void close_pipe(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

static void keep_said(Running *running, const char *text, size_t length)
{
    for (size_t i = 0; i < length && running->said < OPPROF_TOOL_SAID - 1; i++) {
        running->call->said[running->said++] = text[i];
    }
}

static OpprofStatus take_piece(Running *running, int which, OpprofError **error)
{
    char piece[PIECE_BYTES];
    const ssize_t got = read(running->from[which].fd, piece, sizeof piece);

    if (got < 0 && errno == EINTR) {
        return OPPROF_OK;
    }
    if (got <= 0) {
        close_pipe(&running->from[which].fd);
    } else if (which == OUTPUT) {
        return running->call->take(running->call->context, piece, (size_t) got, error);
    } else {
        keep_said(running, piece, (size_t) got);
    }
    return OPPROF_OK;
}

static OpprofStatus hear(Running *running, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && running->cut == NOT_CUT &&
           (running->from[OUTPUT].fd >= 0 || running->from[ERRORS].fd >= 0)) {
        const int ready = poll(running->from, PIPES, LOOK_MS);

        for (int which = 0; ready > 0 && status == OPPROF_OK && which < PIPES; which++) {
            if (running->from[which].revents != 0) {
                status = take_piece(running, which, error);
            }
        }
        cut_if_over(running);
    }
    if (status != OPPROF_OK) {
        cut(running, CUT_BY_TAKE);
    }
    running->call->said[running->said] = '\0';
    running->call->said[strcspn(running->call->said, "\n")] = '\0';
    return status;
}

/* ---- its life ---- */

static int start(Running *running, const int ends[PIPES])
{
    const OpprofToolCall *call = running->call;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);

    if (failure != 0) {
        return failure;
    }
    /* The file last: the pipes may have its number, and their copies keep them. */
    if (posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) != 0 ||
        posix_spawn_file_actions_adddup2(&actions, call->take == NULL ? ends[ERRORS] : ends[OUTPUT],
                                         STDOUT_FILENO) != 0 ||
        posix_spawn_file_actions_adddup2(&actions, ends[ERRORS], STDERR_FILENO) != 0 ||
        (call->file >= 0 &&
         posix_spawn_file_actions_adddup2(&actions, call->file, OPPROF_TOOL_FILE) != 0)) {
        failure = ENOMEM;
    } else {
        SpawnedAttributes(true, &attributes);
        failure = posix_spawnp(&running->pid, call->words[0], &actions, &attributes,
                               (char *const *) (uintptr_t) call->words, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

/* It may go on after it has closed what it prints to. */
static int wait_for_end(Running *running)
{
    int status = 0;
    pid_t ended = 0;

    while (ended == 0 || (ended < 0 && errno == EINTR)) {
        ended = waitpid(running->pid, &status, running->cut == NOT_CUT ? WNOHANG : 0);
        if (ended == 0) {
            poll(NULL, 0, WAIT_MS);
            cut_if_over(running);
        }
    }
    return status;
}

static OpprofStatus refuse(const Running *running, int status, OpprofError **error)
{
    const OpprofToolCall *call = running->call;
    const char *name = call->words[0];

    if (running->cut == CUT_BY_STOP) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' was ended because the run was stopped",
                              name);
    }
    if (running->cut == CUT_BY_TIME) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' did not end within %u s and was ended",
                              name, (unsigned) call->seconds);
    }
    return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' failed with %s %d: %s", name,
                          WIFSIGNALED(status) ? "signal" : "exit code",
                          WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
                          call->said[0] == '\0' ? "it did not say why" : call->said);
}

static OpprofStatus run(Running *running, OpprofError **error)
{
    OpprofStatus status;
    int ended;

    running->limit_ms = now_ms() + (int64_t) running->call->seconds * 1000;
    status = hear(running, error);
    ended = wait_for_end(running);
    if (status != OPPROF_OK ||
        (running->cut == NOT_CUT && WIFEXITED(ended) && WEXITSTATUS(ended) == 0)) {
        return status;
    }
    return refuse(running, ended, error);
}

OpprofStatus OpprofToolRun(const OpprofStage *stage, OpprofToolCall *call, OpprofError **error)
{
    OPPROF_REQUIRE("tool-call-given", call != NULL, "The call is given");
    OPPROF_REQUIRE("tool-words-given", call->words != NULL && call->words[0] != NULL,
                   "The tool has a name");

    Running running = { .stage = stage, .call = call, .from = { { .fd = -1 }, { .fd = -1 } } };
    int ends[PIPES] = { -1, -1 };
    OpprofStatus status;
    int failure;

    call->said[0] = '\0';
    if (!make_pipes(&running, ends)) {
        status =
            OpprofErrorSet(error, OPPROF_E_IO, "'%s' cannot be run: no pipe: %m", call->words[0]);
    } else {
        failure = start(&running, ends);
        close_pipe(&ends[OUTPUT]);
        close_pipe(&ends[ERRORS]);
        status = failure == 0 ? run(&running, error)
                              : OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "'%s' cannot be run: %s",
                                               call->words[0], strerror(failure));
    }
    for (int which = 0; which < PIPES; which++) {
        close_pipe(&ends[which]);
        close_pipe(&running.from[which].fd);
    }
    return status;
}
