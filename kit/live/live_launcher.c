/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A document instead of a program: a launcher checks it, and then is the program.
 * Tested by tests/kit/live/test_live_host.c and tests/refchip/test_config.sh.
 */
#include <opprof/kit/live_host.h>
#include <errno.h>
#include <fcntl.h>
#include <opprof/require.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_WORDS 3

/* All that it says, as one line. */
static void read_all(int from, char *text, size_t room)
{
    size_t used = 0;
    ssize_t got;
    char rest[256];

    while ((got = used < room - 1 ? read(from, text + used, room - 1 - used)
                                  : read(from, rest, sizeof rest)) > 0 ||
           (got < 0 && errno == EINTR)) {
        used += got > 0 && used < room - 1 ? (size_t) got : 0;
    }
    text[used] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

/* Run a command and take what it says on standard error. Its exit code, -1: it did not run, or was ended by a signal. */
static int ask(char *const *words, char *text, size_t room)
{
    posix_spawn_file_actions_t actions;
    int ends[2], status = -1, failure;
    pid_t pid = 0;

    text[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0) {
        snprintf(text, room, "cannot start '%s': %s", words[0], strerror(errno));
        return -1;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    failure = posix_spawn(&pid, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failure == 0) {
        read_all(ends[0], text, room);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        if (text[0] == '\0') {
            snprintf(text, room, "'%s' ended with %s %d and did not say why", words[0],
                     WIFSIGNALED(status) ? "signal" : "exit code",
                     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        }
    } else {
        snprintf(text, room, "cannot start '%s': %s", words[0], strerror(failure));
    }
    close(ends[0]);
    return failure == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static OpprofStatus check(const char *launcher, const char *kind, const char *document,
                          OpprofError **error)
{
    char text[1024], option[64];
    char *words[MOST_WORDS + 1] = { (char *) (uintptr_t) launcher, option,
                                    (char *) (uintptr_t) document, NULL };

    snprintf(option, sizeof option, "check=%s", kind);
    if (ask(words, text, sizeof text) == 0) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter config: '%s' cannot be used: %s", document,
                   text);
    return OPPROF_E_ARGUMENT;
}

OpprofStatus OpprofLiveRunLauncher(OpprofLiveRun *run, const char *installed, const char *kind,
                                   OpprofError **error)
{
    OPPROF_REQUIRE("live-run-given", run != NULL, "The run is given");
    OPPROF_REQUIRE("live-run-options", installed != NULL && kind != NULL,
                   "What the run needs is given");
    OPPROF_REQUIRE("live-run-configured", run->stage != NULL, "OpprofLiveRunConfigure was called");

    const char *launcher = secure_getenv("OPPROF_LAUNCHER");
    const char *document = OpprofParamsString(run->params, "config");
    const char *names = OpprofParamsString(run->params, "kernel_name");
    OpprofStatus status;

    if (document == NULL || *document == '\0') {
        return OPPROF_OK;
    }
    if (names != NULL && *names != '\0') {
        return OpprofErrorSet(
            error, OPPROF_E_ARGUMENT,
            "Parameter kernel_name cannot be used with config, which names a kernel");
    }
    launcher = launcher == NULL ? installed : launcher;
    status = check(launcher, kind, document, error);
    if (status != OPPROF_OK) {
        return status;
    }
    run->app = (OpprofLiveApp){ .words = calloc(MOST_WORDS, sizeof(char *)) };
    if (run->app.words != NULL) {
        run->app.words[0] = strdup(launcher);
        run->app.words[1] = run->app.words[0] == NULL ? NULL : strdup(document);
    }
    return run->app.words == NULL || run->app.words[1] == NULL
               ? OpprofErrorNoMemory(error, "launch what '%s' describes", document)
               : OPPROF_OK;
}
