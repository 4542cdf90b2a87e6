/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include <opprof/pipeline.h>
#include <pthread.h>
#include <stdio.h>

/*
 * The terminal: one progress line at the bottom of stderr while log lines scroll above it. Any
 * thread may log while the main thread draws.
 */
typedef struct Screen {
    bool is_quiet;            /* no progress */
    OpprofPipeline *pipeline; /* whose stages show something; NULL: not before the end. Borrowed */
    FILE *shows;              /* where they do */
    bool has_shown;           /* something */
    bool is_terminal;         /* stderr: a line at its bottom, else one a minute */
    bool runs_program;        /* that may write to the terminal, too */
    const char *runner;       /* the stage that does; NULL: not known so far. Borrowed */
    pthread_mutex_t lock;     /* guards what is on the terminal, and the next member */
    bool line_is_drawn;
    uint64_t (*now)(void); /* nanoseconds; tests have their own clock */
    uint64_t started_ns;
    uint64_t logged; /* minutes for which a line was printed */
} Screen;

void ScreenInit(Screen *screen, bool quiet);
void ScreenFinish(Screen *screen);
/* Remove the progress line. */
void ScreenClear(Screen *screen);

/* Callbacks; context is the Screen. */
void ScreenProgress(void *context, const OpprofProgress *progress);
void ScreenLog(void *context, OpprofLogLevel level, const char *line);

/*
 * Texts of stages, or the short tables and the advice where none does; then the stages'
 * statistics: `all` of them, or the one that limited the run by much.
 */
void ScreenPrintTable(Screen *screen, const OpprofRunReport *report, bool all);
/* Print texts of stages, now. */
void ScreenShow(Screen *screen, const char *text);

#endif
