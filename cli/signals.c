/* SPDX-License-Identifier: Apache-2.0 */
/* Signals stop the run, then abort it, then end the process. Tested by tests/e2e/signals.sh. */
#include "signals.h"

#include "options.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* How long an abort may take before the process ends anyway. */
#define ABORT_SECONDS 5

/* For the signal handlers, which have no other way to reach the run. */
static OpprofPipeline *_Atomic running_pipeline;
static volatile sig_atomic_t last_signal;
static volatile sig_atomic_t signal_count;
static volatile sig_atomic_t late_count; /* of signals after all was printed */
static volatile sig_atomic_t final_code;

static const struct {
    int number;
    const char *name;
} stop_signals[] = {
    { SIGINT, "SIGINT (Ctrl+C)" },
    { SIGTERM, "SIGTERM" },
    { SIGHUP, "SIGHUP (the terminal was closed)" },
};
#define STOP_SIGNALS (sizeof stop_signals / sizeof stop_signals[0])

static const char *name_of_signal(int number)
{
    for (size_t i = 0; i < STOP_SIGNALS; i++) {
        if (stop_signals[i].number == number) {
            return stop_signals[i].name;
        }
    }
    return "a signal";
}

static void put_note(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));

    (void) written; /* only a note */
}

static void on_stop_signal(int number, siginfo_t *info, void *context)
{
    int saved_errno = errno;
    OpprofPipeline *pipeline = atomic_load(&running_pipeline);

    (void) context;
    last_signal = number;
    signal_count++;
    if (signal_count > 2 || pipeline == NULL) {
        _exit(EXIT_SIGNAL + number);
    }
    if (signal_count == 2) {
        put_note("\nopprof-run: aborting\n");
        alarm(ABORT_SECONDS);
    } else {
        put_note("\nopprof-run: stopping; the data read so far is being written (again: abort)\n");
    }
    if (number == SIGINT && info->si_code == SI_KERNEL) {
        OpprofPipelineStopFromTerminal(pipeline, name_of_signal(number));
    } else {
        OpprofPipelineStop(pipeline, name_of_signal(number));
    }
    errno = saved_errno;
}

static void on_alarm(int number)
{
    (void) number;
    _exit(EXIT_SIGNAL + last_signal);
}

/* SIGHUP that is ignored already stays so: nohup wants it. */
static void install_stop(int number, const struct sigaction *stop)
{
    struct sigaction before;

    if (number == SIGHUP && sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN) {
        return;
    }
    sigaction(number, stop, NULL);
}

void SignalsInstall(OpprofPipeline *pipeline)
{
    struct sigaction stop = { .sa_sigaction = on_stop_signal, .sa_flags = SA_RESTART | SA_SIGINFO };
    struct sigaction alarmed = { .sa_handler = on_alarm };
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    struct sigaction usual = { .sa_handler = SIG_DFL };

    atomic_store(&running_pipeline, pipeline);
    sigemptyset(&stop.sa_mask);
    for (size_t i = 0; i < STOP_SIGNALS; i++) {
        sigaddset(&stop.sa_mask, stop_signals[i].number);
    }
    for (size_t i = 0; i < STOP_SIGNALS; i++) {
        install_stop(stop_signals[i].number, &stop);
    }
    sigaction(SIGALRM, &alarmed, NULL);
    sigaction(SIGPIPE, &ignore, NULL); /* a closed reader of stdout is an error, not a death */
    sigaction(SIGXFSZ, &ignore, NULL); /* a file size limit is an error, not a death */
    sigaction(SIGCHLD, &usual, NULL);  /* if it is ignored, no child can be waited for */
    OpprofPipelineReportCrashes();
}

static void on_late_signal(int number)
{
    const int saved_errno = errno;

    (void) number;
    if (++late_count > 1) {
        _exit(final_code);
    }
    put_note("\nopprof-run: the run is over; waiting for plugins to end (again: end at once)\n");
    errno = saved_errno;
}

void SignalsReportLate(int code)
{
    struct sigaction late = { .sa_handler = on_late_signal, .sa_flags = SA_RESTART };

    sigemptyset(&late.sa_mask);
    final_code = code;
    for (size_t i = 0; i < STOP_SIGNALS; i++) {
        install_stop(stop_signals[i].number, &late);
    }
    atomic_store(&running_pipeline, NULL);
}

int SignalsLast(void)
{
    return last_signal;
}
