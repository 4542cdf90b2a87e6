/* SPDX-License-Identifier: Apache-2.0 */
/* A case in a process of its own. Tested by tests/harness/check.sh. */
#include "child.h"

#include <errno.h>
#include <opprof/pipeline.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MARK_PASSED 'p'
#define MARK_SKIPPED 's'
#define MARK_FAILED 'f'

/* of processor time in the whole limit: less than that does not count as work */
#define STUCK_MS 50u

static unsigned limit_s;
static uint64_t spent_ms; /* processor time up to the last signal */

static uint64_t used_ms(int who)
{
    struct rusage usage = { 0 };

    getrusage(who, &usage);
    return 1000u * (uint64_t) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (uint64_t) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000u;
}

/* The work of a case may be done by processes of its own, one after the other. */
static uint64_t processor_ms(void)
{
    return used_ms(RUSAGE_SELF) + used_ms(RUSAGE_CHILDREN);
}

/*
 * The limit has passed on the clock. A busy machine may have given the case little processor time:
 * extend the limit while the child makes progress.
 */
static void judge_time(int signal_number)
{
    const uint64_t now_ms = processor_ms();

    if (now_ms >= 1000u * (uint64_t) limit_s || now_ms - spent_ms < STUCK_MS) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    spent_ms = now_ms;
    alarm(limit_s);
}

_Noreturn static void run_in_child(ChildCase *run, void *context, unsigned seconds, int verdict_fd,
                                   FILE *printed, FILE *said)
{
    static const char marks[] = { [VERDICT_PASSED] = MARK_PASSED,
                                  [VERDICT_SKIPPED] = MARK_SKIPPED,
                                  [VERDICT_FAILED] = MARK_FAILED };
    const struct rlimit no_core = { 0, 0 };
    char text[1 + sizeof((Outcome *) NULL)->reason] = "";
    Verdict verdict;

    setrlimit(RLIMIT_CORE, &no_core);
    dup2(fileno(printed), STDOUT_FILENO);
    dup2(fileno(said), STDERR_FILENO);
    limit_s = seconds;
    signal(SIGALRM, judge_time);
    alarm(seconds);
    OpprofPipelineReportCrashes();
    verdict = run(context, text + 1, sizeof text - 1);
    text[0] = marks[verdict];
    fflush(stdout);
    if (write(verdict_fd, text, strlen(text)) < 0) {
        _exit(EXIT_FAILURE);
    }
    _exit(EXIT_SUCCESS);
}

/* The runtime's message about a crash, which names the call; else the first line of the output. */
static void add_said(Outcome *outcome, FILE *said)
{
    char line[400];
    const size_t used = strlen(outcome->reason);
    char best[sizeof line] = "";

    rewind(said);
    while (fgets(line, sizeof line, said) != NULL) {
        const bool is_contract = strstr(line, "contract '") != NULL;

        line[strcspn(line, "\n")] = '\0';
        if (best[0] == '\0' || is_contract) {
            memcpy(best, line, sizeof best);
        }
        if (is_contract) {
            break;
        }
    }
    if (best[0] != '\0') {
        snprintf(outcome->reason + used, sizeof outcome->reason - used, " (%s)", best);
    }
}

static void judge_end(Outcome *outcome, int status, unsigned seconds, FILE *said)
{
    outcome->verdict = VERDICT_FAILED;
    if (WIFEXITED(status)) {
        snprintf(outcome->reason, sizeof outcome->reason,
                 "the module ended the program with exit code %d", WEXITSTATUS(status));
    } else if (WTERMSIG(status) == SIGALRM) {
        snprintf(outcome->reason, sizeof outcome->reason, "it did not come back within %u s",
                 seconds);
        return;
    } else {
        snprintf(outcome->reason, sizeof outcome->reason, "it crashed: %s",
                 strsignal(WTERMSIG(status)));
    }
    add_said(outcome, said);
}

static void judge(Outcome *outcome, const char *text, int status, unsigned seconds, FILE *said)
{
    if (text[0] == MARK_PASSED) {
        outcome->verdict = VERDICT_PASSED;
    } else if (text[0] == MARK_SKIPPED || text[0] == MARK_FAILED) {
        outcome->verdict = text[0] == MARK_SKIPPED ? VERDICT_SKIPPED : VERDICT_FAILED;
        snprintf(outcome->reason, sizeof outcome->reason, "%s", text + 1);
    } else {
        judge_end(outcome, status, seconds, said);
    }
}

static Outcome cannot(const char *what)
{
    Outcome outcome = { .verdict = VERDICT_FAILED };

    snprintf(outcome.reason, sizeof outcome.reason, "cannot %s: %s", what, strerror(errno));
    return outcome;
}

static void read_all(int fd, char *text, size_t size)
{
    size_t used = 0;
    ssize_t got;

    while (used + 1 < size &&
           ((got = read(fd, text + used, size - 1 - used)) > 0 || (got < 0 && errno == EINTR))) {
        used += got > 0 ? (size_t) got : 0;
    }
    text[used] = '\0';
}

Outcome ChildRun(ChildCase *run, void *context, unsigned seconds)
{
    Outcome outcome = { .verdict = VERDICT_FAILED };
    char text[1 + sizeof outcome.reason] = "";
    FILE *printed = tmpfile();
    FILE *said = tmpfile();
    int status = 0;
    int fds[2];
    pid_t child;

    if (printed == NULL || said == NULL || pipe(fds) != 0) {
        return cannot("make files for what the module prints");
    }
    fflush(stdout);
    child = fork();
    if (child == 0) {
        close(fds[0]);
        run_in_child(run, context, seconds, fds[1], printed, said);
    }
    close(fds[1]);
    if (child < 0) {
        outcome = cannot("start a process");
    } else {
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        read_all(fds[0], text, sizeof text);
        judge(&outcome, text, status, seconds, said);
        outcome.has_printed = fseek(printed, 0, SEEK_END) == 0 && ftell(printed) > 0;
    }
    close(fds[0]);
    fclose(printed);
    fclose(said);
    return outcome;
}
