/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits a command line, and starts and ends its program.
 * Tested by tests/kit/live/test_live_host.c.
 */
#include "kit/live/live_parts.h"

#include "kit/io/spawned.h"

#include <errno.h>
#include <opprof/kit/live.h>
#include <opprof/require.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- words ---- */

/* Copy one word, without its quotes. Returns its end; NULL: a quote is not closed. */
static const char *copy_word(const char *at, char *word)
{
    char quote = '\0';

    for (; *at != '\0' && (quote != '\0' || strchr(" \t\n", *at) == NULL); at++) {
        if (quote == '\0' && (*at == '\'' || *at == '"')) {
            quote = *at;
        } else if (quote != '\0' && *at == quote) {
            quote = '\0';
        } else {
            if (*at == '\\' && quote != '\'' && at[1] != '\0') {
                at++;
            }
            *word++ = *at;
        }
    }
    *word = '\0';
    return quote == '\0' ? at : NULL;
}

static OpprofStatus bad_command(const char *command, const char *why, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter app: '%s' %s", command, why);
    OpprofErrorHint(error, "Give a command line, such as app='./program 3', or put it after '--'");
    return OPPROF_E_ARGUMENT;
}

OpprofStatus LiveAppParse(OpprofLiveApp *app, const char *command, OpprofError **error)
{
    OPPROF_REQUIRE("live-app-given", app != NULL, "The program is given");
    OPPROF_REQUIRE("live-text-given", command != NULL, "The text is given");

    const size_t most = strlen(command) / 2 + 2;
    size_t count = 0;

    *app = (OpprofLiveApp){ .words = calloc(most + 1, sizeof(char *)) };
    if (app->words == NULL) {
        return OpprofErrorNoMemory(error, "read the command line '%s'", command);
    }
    for (const char *at = command; at != NULL;) {
        at += strspn(at, " \t\n");
        if (*at == '\0') {
            break;
        }
        app->words[count] = malloc(strlen(at) + 1);
        if (app->words[count] == NULL) {
            return OpprofErrorNoMemory(error, "read the command line '%s'", command);
        }
        at = copy_word(at, app->words[count++]);
        if (at == NULL) {
            return bad_command(command, "has a quote that is not closed", error);
        }
    }
    return count > 0 ? OPPROF_OK : bad_command(command, "has no words", error);
}

void LiveAppFinish(OpprofLiveApp *app)
{
    OPPROF_REQUIRE("live-app-given", app != NULL, "The program is given");
    for (char **word = app->words; word != NULL && *word != NULL; word++) {
        free(*word);
    }
    free(app->words);
    *app = (OpprofLiveApp){ .words = NULL };
}

/* ---- the environment ---- */

typedef struct Environment {
    char **entries; /* NULL-terminated; all owned */
    size_t count;
    bool failed;
} Environment;

static bool is_named(const char *entry, const char *name)
{
    const size_t length = strlen(name);

    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

/* With room for as many more. */
static void copy_environment(Environment *to, size_t more)
{
    size_t count = 0;

    while (environ[count] != NULL) {
        count++;
    }
    to->entries = calloc(count + more + 1, sizeof(char *));
    to->failed = to->entries == NULL;
    for (size_t i = 0; i < count && !to->failed; i++) {
        to->entries[to->count] = strdup(environ[i]);
        to->failed = to->entries[to->count++] == NULL;
    }
}

/* Set a variable; with `is_list`, before the value that it has. */
static void set(Environment *to, const char *name, const char *value, bool is_list)
{
    char *entry = NULL;
    char **place = NULL;
    const char *before = NULL;

    for (size_t i = 0; i < to->count && !to->failed; i++) {
        if (is_named(to->entries[i], name)) {
            place = &to->entries[i];
            before = *place + strlen(name) + 1;
        }
    }
    if (!is_list || before == NULL || *before == '\0') {
        before = NULL;
    }
    if (to->failed || asprintf(&entry, "%s=%s%s%s", name, value, before == NULL ? "" : ":",
                               before == NULL ? "" : before) < 0) {
        to->failed = true;
        return;
    }
    if (place == NULL) {
        place = &to->entries[to->count++];
    } else {
        free(*place);
    }
    *place = entry;
}

static void unset(Environment *to, const char *name)
{
    size_t kept = 0;

    for (size_t i = 0; i < to->count && !to->failed; i++) {
        if (is_named(to->entries[i], name)) {
            free(to->entries[i]);
        } else {
            to->entries[kept++] = to->entries[i];
        }
    }
    if (!to->failed) {
        to->entries[kept] = NULL;
        to->count = kept;
    }
}

/* A program with gcc's address sanitizer ends at once where another library comes before the
 * sanitizer's, so that stands first; what the program starts gets the list without it, since the
 * injection library takes it out. For programs that others start, such as shells, the sanitizer's
 * options say that the order is meant, which those of gcc 7 and older do not know. */
static void add_library(Environment *to, const char *program, const char *inject)
{
    char sanitizer[LIVE_SANITIZER_BYTES];

    set(to, "LD_PRELOAD", inject, true);
    if (LiveSanitizerOf(program, sanitizer)) {
        set(to, "LD_PRELOAD", sanitizer, true);
        set(to, OPPROF_LIVE_FIRST, sanitizer, false);
    }
    set(to, "ASAN_OPTIONS", "verify_asan_link_order=0", true);
}

static void make_environment(Environment *to, const char *program, const OpprofLiveAppPlace *place)
{
    copy_environment(to, place->variable_count + 5);
    for (size_t i = 0; i < place->variable_count; i++) {
        const OpprofLiveVariable *variable = &place->variables[i];

        if (variable->value == NULL) {
            unset(to, variable->name);
        } else {
            set(to, variable->name, variable->value, variable->is_list);
        }
    }
    add_library(to, program, place->inject);
    set(to, OPPROF_LIVE_SOCKET, place->socket, false);
    set(to, OPPROF_LIVE_TOKEN, place->token, false);
}

static void finish_environment(Environment *environment)
{
    for (size_t i = 0; i < environment->count; i++) {
        free(environment->entries[i]);
    }
    free(environment->entries);
}

/* ---- life ---- */

OpprofStatus LiveAppStart(OpprofLiveApp *app, const OpprofLiveAppPlace *place, OpprofError **error)
{
    OPPROF_REQUIRE("live-app-given", app != NULL, "The program is given");
    OPPROF_REQUIRE("live-app-parsed", app->words != NULL && place != NULL,
                   "The program has a command line");

    Environment environment = { .count = 0 };
    posix_spawnattr_t attributes;
    int failure;

    make_environment(&environment, app->words[0], place);
    if (environment.failed) {
        finish_environment(&environment);
        return OpprofErrorNoMemory(error, "start '%s'", app->words[0]);
    }
    SpawnedAttributes(false, &attributes);
    failure =
        posix_spawnp(&app->pid, app->words[0], NULL, &attributes, app->words, environment.entries);
    posix_spawnattr_destroy(&attributes);
    finish_environment(&environment);
    if (failure != 0) {
        app->pid = 0;
        OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Cannot start '%s': %s", app->words[0],
                       strerror(failure));
        OpprofErrorHint(error, "Name an executable file, or a program of PATH");
        return OPPROF_E_ARGUMENT;
    }
    return OPPROF_OK;
}

bool LiveAppHasEnded(OpprofLiveApp *app)
{
    OPPROF_REQUIRE("live-app-given", app != NULL, "The program is given");
    if (!app->has_ended && app->pid > 0) {
        const pid_t waited = waitpid(app->pid, &app->status, WNOHANG);

        app->has_ended = waited != 0;
        /* another part of the process has waited for it, or it needs no waiting */
        if (waited < 0) {
            app->status = OPPROF_LIVE_STATUS_UNKNOWN;
        }
    }
    return app->has_ended || app->pid == 0;
}

void LiveAppSignal(OpprofLiveApp *app, int number)
{
    OPPROF_REQUIRE("live-app-given", app != NULL, "The program is given");
    if (!LiveAppHasEnded(app)) {
        kill(app->pid, number);
    }
}
