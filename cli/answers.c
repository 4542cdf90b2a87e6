/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers of opprof-run about plugins, pipelines and results, without a run.
 * Tested by tests/e2e/inspect.sh and tests/compare/test_diff.sh.
 */
#include "answers.h"

#include "complete.h"
#include "describe.h"
#include "describe_questions.h"
#include "documents.h"
#include "explain.h"
#include "inspect.h"
#include "inspect_man.h"
#include "inspect_pipeline.h"
#include "query.h"
#include "questions.h"
#include "run.h"

#include "compare/page.h"
#include "compare/print.h"
#include "compare/print_text.h"
#include "compare/texts.h"
#include "print/plain_output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The chip whose metrics are to be explained: the last one set. */
static const char *chip_of(const Options *options)
{
    const char *chip = NULL;

    for (size_t i = 0; i < options->settings.count; i++) {
        if (strncmp(options->settings.texts[i], "chip=", strlen("chip=")) == 0) {
            chip = options->settings.texts[i] + strlen("chip=");
        }
    }
    return chip;
}

static OpprofStatus explain(OpprofPipeline *pipeline, const Options *options, FILE *out,
                            OpprofError **error)
{
    const char *chip = chip_of(options);
    bool is_rule = false;
    const OpprofStatus status =
        options->json ? DescribeRule(pipeline, options->explain, &is_rule, out, error)
                      : QuestionsExplain(pipeline, options->explain, &is_rule, out, error);

    if (status != OPPROF_OK || is_rule) {
        return status;
    }
    return options->json ? DescribeWord(pipeline, chip, options->explain, out, error)
                         : Explain(pipeline, chip, options->explain, out, error);
}

static OpprofStatus list(OpprofPipeline *pipeline, const Options *options, FILE *out,
                         OpprofError **error)
{
    OpprofStatus status;

    OpprofPipelineRehearsePlugins(pipeline);
    if (options->json) {
        return DescribeAll(pipeline, out, error);
    }
    status = DocumentsList(out, error);
    if (status != OPPROF_OK) {
        return status;
    }
    fputs("\nplugins:\n", out);
    status = InspectList(pipeline, out, error);
    if (status == OPPROF_OK) {
        status = QuestionsList(&opprof_rules, "rules", out, error);
    }
    return status == OPPROF_OK ? QuestionsList(&opprof_queries, "queries", out, error) : status;
}

static bool is_module_file(const char *name)
{
    const size_t length = strlen(name);

    return length > 3 && strcmp(name + length - 3, ".so") == 0;
}

/* "dir/name.so": its directory is searched first, for the module "name". */
static OpprofStatus name_of_file(OpprofPipeline *pipeline, const char *path, char **ret_name,
                                 OpprofError **error)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash == NULL ? strdup(".") : strndup(path, (size_t) (slash - path) + 1);
    OpprofStatus status;

    *ret_name = strdup(slash == NULL ? path : slash + 1);
    if (directory == NULL || *ret_name == NULL) {
        free(directory);
        return OpprofErrorNoMemory(error, "inspect '%s'", path);
    }
    (*ret_name)[strlen(*ret_name) - 3] = '\0';
    status = OpprofPipelineAddPluginPath(pipeline, directory, error);
    free(directory);
    return status;
}

static bool is_man(const Options *options)
{
    return options->format != NULL && strcmp(options->format, "man") == 0;
}

static OpprofStatus inspect_plugin(OpprofPipeline *pipeline, const Options *options,
                                   const char *name, FILE *out, OpprofError **error)
{
    if (is_man(options)) {
        return InspectManPage(pipeline, name, out, error);
    }
    return options->json ? DescribePlugin(pipeline, name, out, error)
                         : InspectPlugin(pipeline, name, out, error);
}

static OpprofStatus inspect_file(OpprofPipeline *pipeline, const Options *options, FILE *out,
                                 OpprofError **error)
{
    char *name = NULL;
    OpprofStatus status = name_of_file(pipeline, options->inspect, &name, error);

    if (status == OPPROF_OK) {
        status = inspect_plugin(pipeline, options, name, out, error);
    }
    free(name);
    return status == OPPROF_E_NOT_FOUND ? OPPROF_E_LOAD : status;
}

/* A plugin, or a pipeline if no plugin has the name. */
static OpprofStatus inspect(OpprofPipeline *pipeline, const Options *options, FILE *out,
                            OpprofError **error)
{
    const char *name = options->inspect;
    bool is_pipeline = false;
    OpprofError *unused = NULL;
    const OpprofPlugin *plugin = NULL;
    OpprofStatus status;

    OpprofPipelineRehearsePlugins(pipeline); /* of a damaged module its name is to be known */
    if (is_module_file(name)) {
        return inspect_file(pipeline, options, out, error);
    }
    status = DocumentsHave(name, &is_pipeline, error);
    if (status != OPPROF_OK) {
        return status;
    }
    is_pipeline = is_pipeline || strchr(name, '/') != NULL || strstr(name, ".json") != NULL;
    if (is_pipeline &&
        OpprofPipelineFindPlugin(pipeline, name, &plugin, NULL, &unused) != OPPROF_OK) {
        OpprofErrorDestroy(unused);
        if (is_man(options)) {
            return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                  "'%s' is a pipeline; only plugins have manual pages", name);
        }
        return options->json ? DescribePipeline(pipeline, name, out, error)
                             : InspectPipeline(pipeline, name, out, error);
    }
    status = inspect_plugin(pipeline, options, name, out, error);
    return status == OPPROF_E_NOT_FOUND ? OPPROF_E_LOAD : status;
}

/* Width of the terminal on standard output; 0: it is not a terminal, or its width is unknown. */
static unsigned columns_of_output(void)
{
    struct winsize size;

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ? 0 : size.ws_col;
}

/* A comparison, as the format says. */
static OpprofStatus print_diff(const DiffFound *found, OpprofPipeline *pipeline,
                               const Options *options, FILE *out, OpprofError **error)
{
    const char *format = options->json             ? "json"
                         : options->format == NULL ? "text"
                                                   : options->format;
    static const char rest[] = "All rows: --format json, or --format html >diff.html for a page";
    bool is_good;

    if (strcmp(format, "html") == 0) {
        return DiffPrintPage(found, pipeline, out, error);
    }
    is_good = strcmp(format, "json") == 0 ? DiffPrintJson(found, out)
              : strcmp(format, "markdown") == 0
                  ? DiffPrintMarkdown(found, out)
                  : DiffPrintText(found, columns_of_output(), rest, out);
    return is_good ? OPPROF_OK : OpprofErrorNoMemory(error, "print");
}

static OpprofStatus diff(OpprofPipeline *pipeline, const Options *options, FILE *out, int *ret_code,
                         OpprofError **error)
{
    static const int codes[] = { [DIFF_DONE] = EXIT_DONE,
                                 [DIFF_REGRESSION] = EXIT_REGRESSION,
                                 [DIFF_UNDECIDED] = EXIT_INCOMPLETE };
    DiffFound found;
    OpprofStatus status = DiffFind(&found, options->diff[0], options->diff[1], options->rules.texts,
                                   options->rules.count, error);

    if (status == OPPROF_OK) {
        status = print_diff(&found, pipeline, options, out, error);
    }
    *ret_code = status == OPPROF_OK ? codes[DiffOutcomeOf(&found)] : EXIT_DONE;
    DiffFoundFree(&found);
    return status;
}

static void use_module(void *pipeline, const OpprofPluginFile *file)
{
    const OpprofPlugin *plugin;

    if (file->plugin != NULL) {
        OpprofPipelineFindPlugin(pipeline, file->plugin->name, &plugin, NULL, NULL);
    }
}

/* The facts of chips are checked against the tables of all modules, not only of the pipeline's. */
static OpprofStatus validate(OpprofPipeline *pipeline, const Options *options, FILE *out,
                             OpprofError **error)
{
    OpprofPipelineRehearsePlugins(pipeline); /* modules that the pipeline does not name */
    OpprofStatus status = OpprofPipelineVisitPlugins(pipeline, use_module, pipeline, error);

    if (status == OPPROF_OK) {
        status = RunLoad(pipeline, options, error);
    }
    if (status == OPPROF_OK) {
        status = QuestionsCheckRules(pipeline, error);
    }
    if (status == OPPROF_OK) {
        fputs("Pipeline '", out);
        PlainPut(out, options->pipeline);
        fputs("' is valid.\n", out);
    }
    return status;
}

static OpprofStatus answer(OpprofPipeline *pipeline, const Options *options, FILE *out,
                           int *ret_code, OpprofError **error)
{
    OpprofStatus status;

    switch (options->action) {
    case ACTION_EXPLAIN:
        return explain(pipeline, options, out, error);
    case ACTION_COMPLETE:
        return CompletePrint(pipeline, options->complete, options->pipeline, out, error);
    case ACTION_LIST:
        return list(pipeline, options, out, error);
    case ACTION_INSPECT:
        return inspect(pipeline, options, out, error);
    case ACTION_QUERY:
        return QueryPrint(options, out, error);
    case ACTION_DIFF:
        return diff(pipeline, options, out, ret_code, error);
    case ACTION_GRAPH:
        status = RunLoad(pipeline, options, error);
        return status == OPPROF_OK ? OpprofPipelineGraph(pipeline, out, error) : status;
    case ACTION_VALIDATE:
        return validate(pipeline, options, out, error);
    case ACTION_RUN:
    case ACTION_HELP:
    case ACTION_VERSION:
    default:
        return OPPROF_OK;
    }
}

bool AnswersArePage(const Options *options)
{
    return options->action == ACTION_DIFF && options->format != NULL &&
           strcmp(options->format, "html") == 0;
}

/* Names of modules, documents and files must not drive the terminal. */
OpprofStatus AnswersPrint(OpprofPipeline *pipeline, const Options *options, int *ret_code,
                          OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    PlainOutput plain;

    if (AnswersArePage(options)) {
        return answer(pipeline, options, stdout, ret_code, error);
    }
    PlainOutputOpen(&plain);
    if (plain.stream != NULL) {
        status = answer(pipeline, options, plain.stream, ret_code, error);
    }
    if (!PlainOutputClose(&plain, stdout) && status == OPPROF_OK) {
        status = OpprofErrorNoMemory(error, "print");
    }
    return status;
}
