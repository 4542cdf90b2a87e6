/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A document instead of a program: a launcher checks it, and then is the program.
 * Tested by tests/kit/live/test_live_host.c and tests/refchip/test_config.sh.
 */
#include <opprof/kit/live_host.h>
#include <opprof/kit/tool.h>
#include <opprof/require.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WORDS 3

/* Its message about the document is the reason. */
static OpprofStatus check(const OpprofStage *stage, const char *launcher, const char *kind,
                          const char *document, OpprofError **error)
{
    char option[64];
    const char *const words[] = { launcher, option, document, NULL };
    OpprofToolCall call = { .words = words, .file = -1 };
    OpprofError *why = NULL;

    snprintf(option, sizeof option, "check=%s", kind);
    if (OpprofToolRun(stage, &call, &why) != OPPROF_OK) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter config: '%s' cannot be used: %s",
                       document, call.said[0] != '\0' ? call.said : OpprofErrorLine(why));
        OpprofErrorDestroy(why);
        return OPPROF_E_ARGUMENT;
    }
    return OPPROF_OK;
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
    status = check(run->stage, launcher, kind, document, error);
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
