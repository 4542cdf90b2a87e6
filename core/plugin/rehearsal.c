/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads a module in a child process first, for --list, --inspect and runs with a time limit. Tested
 * by tests/core/plugin/test_rehearsal.
 */
#include "plugin/rehearsal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CAME_BACK 42 /* exit code of the child; a module that calls exit() has another one */
/* with which glibc's dynamic linker ends a process, its reason on stderr */
#define LINKER_GAVE_UP 127

/* A module that hung: every further try would take as long, and one run looks at a module several
 * times. */
typedef struct Hung {
    struct Hung *next;
    dev_t device;
    ino_t file;
    off_t size;
    struct timespec changed; /* a file built again is tried again */
} Hung;

static Hung *hung;

static bool is_known_to_hang(const struct stat *info)
{
    const Hung *known = hung;

    while (known != NULL &&
           (known->device != info->st_dev || known->file != info->st_ino ||
            known->size != info->st_size || known->changed.tv_sec != info->st_ctim.tv_sec ||
            known->changed.tv_nsec != info->st_ctim.tv_nsec)) {
        known = known->next;
    }
    return known != NULL;
}

/* Without memory it is tried again, that is all. */
static void remember_hung(const struct stat *info)
{
    Hung *entry = malloc(sizeof *entry);

    if (entry != NULL) {
        *entry = (Hung){ .next = hung,
                         .device = info->st_dev,
                         .file = info->st_ino,
                         .size = info->st_size,
                         .changed = info->st_ctim };
        hung = entry;
    }
}

/* The parent reports crashes; what the module prints is dropped. */
_Noreturn static void load_in_child(const char *path, unsigned seconds)
{
    static const int numbers[] = { SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                   SIGABRT, SIGTRAP, SIGSYS, SIGALRM };
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        signal(numbers[i], SIG_DFL);
    }
    for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++) {
        dup2(nowhere, fd);
    }
    alarm(seconds);
    dlopen(path, RTLD_NOW | RTLD_LOCAL);
    _exit(CAME_BACK);
}

static OpprofStatus judge(int outcome, unsigned seconds, OpprofError **error)
{
    if (WIFEXITED(outcome) && WEXITSTATUS(outcome) == CAME_BACK) {
        return OPPROF_OK;
    }
    if (WIFEXITED(outcome) && WEXITSTATUS(outcome) == LINKER_GAVE_UP) {
        OpprofErrorSet(error, OPPROF_E_MEMORY,
                       "The dynamic linker ends the process that loads it, as it does when memory "
                       "runs out");
        OpprofErrorHint(error, "Start the program again, with more memory; if that does not help, "
                               "the module is damaged: build or copy it again.");
        return OPPROF_E_MEMORY;
    }
    if (WIFEXITED(outcome)) {
        OpprofErrorSet(error, OPPROF_E_LOAD, "Its start-up code ends the program");
    } else if (WTERMSIG(outcome) == SIGALRM) {
        OpprofErrorSet(error, OPPROF_E_LOAD, "Its start-up code does not come back within %u s",
                       seconds);
    } else {
        OpprofErrorSet(error, OPPROF_E_LOAD, "It crashes when it is loaded: %s",
                       strsignal(WTERMSIG(outcome)));
    }
    OpprofErrorHint(error, "The module is damaged or its start-up code is at fault: build or copy "
                           "it again.");
    return OPPROF_E_LOAD;
}

static bool did_hang(int outcome)
{
    return WIFSIGNALED(outcome) && WTERMSIG(outcome) == SIGALRM;
}

OpprofStatus RehearseModule(const char *path, unsigned seconds, OpprofError **error)
{
    struct stat info;
    const bool is_file = stat(path, &info) == 0;
    int outcome = SIGALRM; /* as waitpid gives it */
    pid_t child;

    if (is_file && is_known_to_hang(&info)) {
        return judge(outcome, seconds, error);
    }
    child = fork();
    if (child == 0) {
        load_in_child(path, seconds);
    }
    if (child < 0) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot start a process to try '%s': %s",
                              path, strerror(errno));
    }
    while (waitpid(child, &outcome, 0) < 0 && errno == EINTR) {
    }
    if (is_file && did_hang(outcome)) {
        remember_hung(&info);
    }
    return judge(outcome, seconds, error);
}
