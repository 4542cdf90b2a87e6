/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broken contracts end the program, naming the stage or program that broke them.
 * Tested by tests/core/pipeline/test_require.
 */
#include "base/require.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local const char *actor_stage;
static _Thread_local const char *actor_plugin;

void RequireSetActor(const char *stage, const char *plugin)
{
    actor_stage = stage;
    actor_plugin = plugin;
}

static void put(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));

    (void) written; /* the program ends anyway */
}

void OpprofRequireFailed(const char *id, const char *call, const char *sentence)
{
    put("opprof: contract '");
    put(id);
    put("' of ");
    put(call);
    put(" is broken: ");
    put(sentence);
    if (actor_stage != NULL) {
        put("\n  by stage '");
        put(actor_stage);
        put("' (plugin ");
        put(actor_plugin);
        put(")");
    }
    put("\n  hint: this is a mistake in the plugin's code; report it to its author\n");
    abort();
}
