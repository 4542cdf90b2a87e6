/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the pipeline for an input without a name. Tested by tests/e2e/recognise.sh. */
#include "recognise.h"

#include "documents.h"

#include "print/plain_output.h"

#include <opprof/error.h>
#include <opprof/text.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LISTED_MOST 20u /* pipelines in an error */

/* Answers of the collectors so far. */
typedef struct Answers {
    const char *input;
    uint32_t best;            /* confidence */
    char *names[LISTED_MOST]; /* of the pipelines with that confidence */
    size_t count;
    bool lacks_memory;
    FILE *sought; /* what was looked for, a line each */
} Answers;

static void drop_names(Answers *answers)
{
    while (answers->count > 0) {
        free(answers->names[--answers->count]);
    }
}

/* A pipeline that fits for two reasons is one. */
static void add_name(Answers *answers, const char *name)
{
    for (size_t i = 0; i < answers->count; i++) {
        if (strcmp(answers->names[i], name) == 0) {
            return;
        }
    }
    if (answers->count < LISTED_MOST) {
        char *copy = strdup(name);

        if (copy == NULL) {
            answers->lacks_memory = true;
            return;
        }
        answers->names[answers->count++] = copy;
    }
}

static void take_answer(void *context, const OpprofCandidate *candidate)
{
    Answers *answers = context;

    if (candidate->error != NULL) {
        fprintf(answers->sought, "\n  %s: not usable: %s", candidate->pipeline,
                OpprofErrorLine(candidate->error));
        return;
    }
    fprintf(answers->sought, "\n  %s: %s", candidate->pipeline, candidate->summary);
    if (candidate->confidence > answers->best) {
        drop_names(answers);
        answers->best = candidate->confidence;
    }
    if (candidate->confidence > 0 && candidate->confidence == answers->best) {
        add_name(answers, candidate->pipeline);
    }
}

/* ---- errors ---- */

static OpprofStatus fail_missing(const char *input, OpprofError **error)
{
    char *nearest = DocumentsNearest(input);

    OpprofErrorDestroy(*error);
    *error = NULL;
    OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                   "'%s' is neither a file or directory nor an installed pipeline", input);
    if (nearest != NULL) {
        OpprofErrorHint(error, "Did you mean '%s'? opprof-run --list shows all pipelines", nearest);
    }
    free(nearest);
    return OPPROF_E_NOT_FOUND;
}

static OpprofStatus fail_unknown(const char *input, const char *sought, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "Cannot recognise '%s'; looked for:%s", input,
                   *sought != '\0' ? sought
                                   : "\n  nothing: no installed pipeline recognises inputs");
    OpprofErrorHint(error, "Name the pipeline: opprof-run NAME INPUT");
    return OPPROF_E_NOT_FOUND;
}

/* "\n  opprof-run NAME INPUT" for each. */
static OpprofStatus fail_several(const Answers *answers, OpprofError **error)
{
    char *list = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&list, &size);

    for (size_t i = 0; out != NULL && i < answers->count; i++) {
        const char *const words[] = { answers->names[i], answers->input };
        char *command = PlainQuote("opprof-run ", words, 2);

        fprintf(out, "\n  %s", command != NULL ? command : answers->names[i]);
        free(command);
    }
    if (out == NULL || fclose(out) != 0) {
        free(list);
        return OpprofErrorNoMemory(error, "list the pipelines");
    }
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "'%s' fits %zu pipelines; run one of:%s",
                   answers->input, answers->count, list);
    free(list);
    return OPPROF_E_ARGUMENT;
}

/* ---- entry ---- */

static OpprofStatus decide(Answers *answers, const char *sought, char **ret_name,
                           OpprofError **error)
{
    if (answers->count == 0) {
        return fail_unknown(answers->input, sought, error);
    }
    if (answers->count > 1) {
        return fail_several(answers, error);
    }
    *ret_name = answers->names[0];
    answers->count = 0;
    return OPPROF_OK;
}

static OpprofStatus ask(OpprofPipeline *pipeline, const char *input, char **ret_name,
                        OpprofError **error)
{
    char *sought = NULL;
    size_t size = 0;
    Answers answers = { .input = input, .sought = OpprofTextOpen(&sought, &size) };
    OpprofStatus status;

    if (answers.sought == NULL) {
        return OpprofErrorNoMemory(error, "look at '%s'", input);
    }
    status = OpprofPipelineRecognise(pipeline, input, take_answer, &answers, error);
    if (fclose(answers.sought) != 0 || (status == OPPROF_OK && answers.lacks_memory)) {
        status = OpprofErrorNoMemory(error, "look at '%s'", input);
    }
    if (status == OPPROF_OK) {
        status = decide(&answers, sought, ret_name, error);
    }
    drop_names(&answers);
    free(sought);
    return status;
}

/* A directory has the account of a run of this program. A pipeline that is named may still read raw
 * files there: those that the run kept, or its own input. */
static bool is_result(const char *folder, const char *input, bool is_named)
{
    char *path = NULL;
    json_t *account =
        asprintf(&path, "%s/run.json", folder) < 0 ? NULL : json_load_file(path, 0, NULL);
    const json_t *vars = json_object_get(account, "vars");
    const char *read = json_string_value(json_object_get(vars, "input"));
    const char *dump = json_string_value(json_object_get(vars, "dump"));
    const bool has_raw =
        (read != NULL && strcmp(read, input) == 0) || (dump != NULL && strcmp(dump, "on") == 0);
    const bool is_it = json_object_get(account, "opprof_run") != NULL && !(is_named && has_raw);

    json_decref(account);
    free(path);
    return is_it;
}

OpprofStatus RecogniseRefuseOwn(const char *input, bool is_named, OpprofError **error)
{
    const char *slash = strrchr(input, '/');
    const bool is_file = strcmp(slash == NULL ? input : slash + 1, "results.sqlite") == 0;
    char *folder = !is_file        ? strdup(input)
                   : slash == NULL ? strdup(".")
                                   : strndup(input, (size_t) (slash - input) + 1);
    const char *const words[] = { folder };
    char *command = NULL;
    OpprofStatus status = OPPROF_OK;

    if (folder != NULL && is_result(folder, input, is_named)) {
        status = OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                "'%s' is the result of a run, not an input", input);
        command = PlainQuote("opprof-run --show ", words, 1);
        OpprofErrorHint(error, "Show it: %s", command == NULL ? "opprof-run --show DIR" : command);
    }
    free(command);
    free(folder);
    return status;
}

OpprofStatus RecogniseInput(OpprofPipeline *pipeline, const char *input, char **ret_name,
                            bool *ret_is_name, OpprofError **error)
{
    const bool is_there = access(input, F_OK) == 0;
    OpprofStatus status = OPPROF_OK;

    *ret_name = NULL;
    *ret_is_name = false;
    if (!is_there) {
        status = DocumentsHave(input, ret_is_name, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    if (*ret_is_name) {
        *ret_name = strdup(input);
        return *ret_name != NULL ? OPPROF_OK : OpprofErrorNoMemory(error, "take '%s'", input);
    }
    if (!is_there) {
        return fail_missing(input, error);
    }
    status = RecogniseRefuseOwn(input, false, error);
    return status == OPPROF_OK ? ask(pipeline, input, ret_name, error) : status;
}
