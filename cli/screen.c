/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run on the terminal: progress, log lines, and the table at the end.
 * Tested by tests/e2e/output_errors.sh.
 */
#include "screen.h"

#include "print/plain_output.h"
#include "print/progress.h"
#include "print/stages.h"
#include "print/summary.h"

#include <opprof/text.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define LOG_EVERY_NS (60 * UINT64_C(1000000000))

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

void ScreenInit(Screen *screen, bool quiet)
{
    const char *terminal = getenv("TERM");

    *screen = (Screen){ .started_ns = now_ns(), .now = now_ns, .is_quiet = quiet, .shows = stderr };
    pthread_mutex_init(&screen->lock, NULL);
    screen->is_terminal =
        isatty(STDERR_FILENO) != 0 && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

void ScreenFinish(Screen *screen)
{
    pthread_mutex_destroy(&screen->lock);
}

/* Under the lock. */
static void clear_line(Screen *screen)
{
    if (screen->line_is_drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        screen->line_is_drawn = false;
    }
}

void ScreenClear(Screen *screen)
{
    pthread_mutex_lock(&screen->lock);
    clear_line(screen);
    pthread_mutex_unlock(&screen->lock);
}

static unsigned terminal_columns(void)
{
    struct winsize size;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return 80;
    }
    return size.ws_col;
}

static void draw_line(Screen *screen, const OpprofProgress *progress, uint64_t elapsed_ns)
{
    char line[PROGRESS_LINE];

    ProgressLine(progress, elapsed_ns, terminal_columns() - 1, line);
    pthread_mutex_lock(&screen->lock);
    fprintf(stderr, "\r\033[K%s", line);
    fflush(stderr);
    screen->line_is_drawn = true;
    pthread_mutex_unlock(&screen->lock);
}

/* A line a minute, for a log. */
static void print_line(Screen *screen, const OpprofProgress *progress, uint64_t elapsed_ns)
{
    char line[PROGRESS_LINE];

    if (elapsed_ns / LOG_EVERY_NS <= screen->logged) {
        return;
    }
    screen->logged = elapsed_ns / LOG_EVERY_NS;
    ProgressSentence(progress, elapsed_ns, line);
    pthread_mutex_lock(&screen->lock);
    fprintf(stderr, "opprof-run: %s\n", line);
    pthread_mutex_unlock(&screen->lock);
}

void ScreenShow(Screen *screen, const char *text)
{
    pthread_mutex_lock(&screen->lock);
    clear_line(screen);
    fputs(text, screen->shows); /* its stage saw to what names hold; colours stay */
    fflush(screen->shows);
    screen->has_shown = true;
    pthread_mutex_unlock(&screen->lock);
}

/* The answer comes as soon as it is known: files may take longer. */
static void show_answer(Screen *screen)
{
    char *text = screen->pipeline == NULL ? NULL : OpprofPipelineTakeShown(screen->pipeline);

    if (text != NULL) {
        ScreenShow(screen, text);
    }
    free(text);
}

/* A profiled program writes to the terminal as well, at the end of any line that stands there. The
 * first stage runs it. */
static bool may_draw(Screen *screen, const OpprofProgress *progress)
{
    if (screen->runs_program && screen->runner == NULL) {
        screen->runner = progress->stage_id;
    }
    return !screen->runs_program || screen->runner != progress->stage_id;
}

void ScreenProgress(void *context, const OpprofProgress *progress)
{
    Screen *screen = context;
    const uint64_t elapsed_ns = screen->now() - screen->started_ns;

    show_answer(screen);
    if (progress->unit == NULL || screen->is_quiet) {
        return;
    }
    if (!screen->is_terminal) {
        print_line(screen, progress, elapsed_ns);
    } else if (may_draw(screen, progress)) {
        draw_line(screen, progress, elapsed_ns);
    }
}

void ScreenLog(void *context, OpprofLogLevel level, const char *line)
{
    Screen *screen = context;

    (void) level;
    pthread_mutex_lock(&screen->lock);
    clear_line(screen);
    fprintf(stderr, "opprof-run: %s\n", line);
    pthread_mutex_unlock(&screen->lock);
}

static void print_table(const Screen *screen, const OpprofRunReport *report, bool all, FILE *out)
{
    if (!screen->has_shown) {
        SummaryPrint(report->tables, report->table_count, out);
    }
    if (all) {
        fputs(screen->has_shown || report->table_count > 0 ? "\n" : "", out);
        StagesPrint(report, out);
    } else {
        StagesPrintLimit(report, out);
    }
}

void ScreenPrintTable(Screen *screen, const OpprofRunReport *report, bool all)
{
    PlainOutput plain;

    if (report->shown != NULL) {
        ScreenShow(screen, report->shown);
    }
    PlainOutputOpen(&plain);
    if (plain.stream != NULL) {
        print_table(screen, report, all, plain.stream);
    }
    if (!PlainOutputClose(&plain, stderr)) {
        fputs("opprof-run: Cannot show the stages: out of memory\n", stderr);
    }
}
