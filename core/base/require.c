/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broken contracts end the program, naming the stage or program that broke them.
 * Tested by tests/core/run/test_require.
 */
#include "base/require.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static _Thread_local const char *actor_stage;
static _Thread_local const char *actor_plugin;
static _Thread_local const char *subject_of_next;

void RequireSetActor(const char *stage, const char *plugin)
{
    actor_stage = stage;
    actor_plugin = plugin;
}

void RequireSetSubject(const char *subject)
{
    subject_of_next = subject;
}

/* One write, so that what several threads break at once stays readable. */
void OpprofRequireFailed(const char *id, const char *call, const char *sentence)
{
    const bool is_stage = actor_stage != NULL;
    const bool has_subject = subject_of_next != NULL;
    char text[1024];
    const int length = snprintf(
        text, sizeof text,
        "opprof: contract '%s' of %s is broken: %s%s%.200s%s%s%.200s%s%.200s%s\n"
        "  hint: this is a mistake in the plugin's code; report it to its author\n",
        id, call, sentence, has_subject ? ": '" : "", has_subject ? subject_of_next : "",
        has_subject ? "'" : "", is_stage ? "\n  by stage '" : "", is_stage ? actor_stage : "",
        is_stage ? "' (plugin " : "", is_stage ? actor_plugin : "", is_stage ? ")" : "");
    const ssize_t written =
        write(STDERR_FILENO, text, length < (int) sizeof text ? (size_t) length : sizeof text - 1);

    (void) written; /* the program ends anyway */
    abort();
}
