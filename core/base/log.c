/* SPDX-License-Identifier: Apache-2.0 */
/* The log: lines with a level and a tag, on stderr or wherever a program wants them. */
#include "base/log_wanted.h"

#include <opprof/require.h>
#include <opprof/text.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void LogSink(void *context, OpprofLogLevel level, const char *line);

static const struct {
    const char *name;
    const char *colour; /* terminal sequence put before the name; "" for none */
} levels[] = {
    [OPPROF_LOG_ERROR] = { "error", "\033[1;31m" },
    [OPPROF_LOG_WARNING] = { "warning", "\033[33m" },
    [OPPROF_LOG_INFO] = { "info", "" },
    [OPPROF_LOG_DEBUG] = { "debug", "\033[2m" },
};

static _Atomic int log_level = OPPROF_LOG_WARNING;

/* Guards log_sink and log_context, and keeps lines whole. */
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static LogSink *log_sink;
static void *log_context;

/* ---- levels of single tags ---- */

static int level_from(const char *name, size_t length)
{
    for (int level = OPPROF_LOG_ERROR; level <= OPPROF_LOG_DEBUG; level++) {
        if (strlen(levels[level].name) == length && memcmp(levels[level].name, name, length) == 0) {
            return level;
        }
    }
    return -1;
}

/*
 * The level that "tag:level[,tag:level]" gives a tag, `otherwise` where it gives none. The list is
 * short and read for each line, so that nothing is kept; what makes no sense in it is ignored.
 */
static int level_of_tag(const char *list, const char *tag, int otherwise)
{
    while (list != NULL && *list != '\0') {
        const size_t length = strcspn(list, ",");
        const char *colon = memchr(list, ':', length);
        const size_t name = colon == NULL ? 0 : (size_t) (colon - list);

        if (colon != NULL && strlen(tag) == name && memcmp(list, tag, name) == 0) {
            const int level = level_from(colon + 1, length - name - 1);

            otherwise = level >= 0 ? level : otherwise;
        }
        list += length + (list[length] == ',' ? 1 : 0);
    }
    return otherwise;
}

bool LogIsWanted(OpprofLogLevel level, const char *tag)
{
    const char *list = getenv("OPPROF_LOG");
    const int common = atomic_load_explicit(&log_level, memory_order_relaxed);

    return (int) level <= (list == NULL || tag == NULL ? common : level_of_tag(list, tag, common));
}

void OpprofLogSetLevel(OpprofLogLevel level)
{
    atomic_store_explicit(&log_level, (int) level, memory_order_relaxed);
}

void OpprofLogSetSink(LogSink *sink, void *context)
{
    pthread_mutex_lock(&log_lock);
    log_sink = sink;
    log_context = context;
    pthread_mutex_unlock(&log_lock);
}

static bool wants_colours(void)
{
    const char *refused = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");

    return (refused == NULL || refused[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0 && isatty(STDERR_FILENO) == 1;
}

/* The line starts with the level's name, which is what gets the colour. */
static void write_stderr(OpprofLogLevel level, const char *line)
{
    const char *colour = wants_colours() ? levels[level].colour : "";

    if (colour[0] == '\0') {
        fprintf(stderr, "%s\n", line);
        return;
    }
    const size_t name_length = strlen(levels[level].name);
    fprintf(stderr, "%s%.*s\033[0m%s\n", colour, (int) name_length, line, line + name_length);
}

/* Names from outside may hold anything; a log line is one line and drives no terminal. */
static void tame(char *line)
{
    for (char *at = line; *at != '\0'; at++) {
        if (*at == '\n' || *at == '\t') {
            *at = ' ';
        }
    }
    OpprofTextTame(line, false);
}

/* Prints "level tag: message" into `out`; returns the length it would need. */
OPPROF_PRINTF(5, 0)
static size_t print_line(char *out, size_t size, OpprofLogLevel level, const char *tag,
                         const char *format, va_list args)
{
    const int saved = errno;
    const bool tagged = tag != NULL && tag[0] != '\0';
    const int head =
        snprintf(out, size, "%s%s%s: ", levels[level].name, tagged ? " " : "", tagged ? tag : "");
    const size_t used = head < 0 ? 0 : (size_t) head;
    const size_t room = used < size ? size - used : 0;

    errno = saved; /* for %m */
    const int body = vsnprintf(room == 0 ? NULL : out + used, room, format, args);
    return used + (body < 0 ? 0 : (size_t) body);
}

static void emit(OpprofLogLevel level, char *line)
{
    tame(line);
    pthread_mutex_lock(&log_lock);
    if (log_sink != NULL) {
        log_sink(log_context, level, line);
    } else {
        write_stderr(level, line);
    }
    pthread_mutex_unlock(&log_lock);
}

void OpprofLog(OpprofLogLevel level, const char *tag, const char *format, ...)
{
    OPPROF_REQUIRE("log-format", format != NULL, "A line of the log has a format");
    if ((int) level < 0 || level > OPPROF_LOG_DEBUG || !LogIsWanted(level, tag)) {
        return;
    }
    const int saved = errno;
    char small[1024];
    char *large = NULL;
    va_list args;

    va_start(args, format);
    const size_t length = print_line(small, sizeof small, level, tag, format, args);
    va_end(args);
    if (length >= sizeof small && (large = malloc(length + 1)) != NULL) {
        errno = saved;
        va_start(args, format);
        print_line(large, length + 1, level, tag, format, args);
        va_end(args);
    }
    emit(level, large != NULL ? large : small); /* without memory: what fits */
    free(large);
    errno = saved;
}
