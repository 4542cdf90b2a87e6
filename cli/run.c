/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies the command line to a pipeline, runs it, and reports how it went.
 * Tested by tests/e2e/signals.sh and tests/e2e/recognise.sh.
 */
#include "run.h"

#include "programs.h"
#include "recognise.h"
#include "screen.h"
#include "signals.h"

#include "print/plain_output.h"

#include <opprof/json.h>

#include <errno.h>
#include <jansson.h>
#include <opprof/results.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- stages that are added ---- */

/* Length of "PARAM=VALUE" up to the comma before the next one with a '='. */
static size_t pair_length(const char *text)
{
    size_t length = strcspn(text, ",");

    while (text[length] == ',') {
        const size_t piece = strcspn(text + length + 1, ",");

        if (memchr(text + length + 1, '=', piece) != NULL) {
            break;
        }
        length += 1 + piece;
    }
    return length;
}

/* False: there is no PARAM=VALUE, or it is not UTF-8; without memory errno is ENOMEM. */
static bool add_pair(json_t *params, const char *text, size_t length)
{
    const char *equals = memchr(text, '=', length);
    const size_t name_length = equals != NULL ? (size_t) (equals - text) : 0;
    char *name = name_length > 0 ? strndup(text, name_length) : NULL;
    bool is_good = false;

    if (name != NULL) {
        json_t *value = json_stringn(equals + 1, length - name_length - 1);

        is_good = value != NULL && json_object_set_new(params, name, value) == 0;
    }
    free(name);
    return is_good;
}

/* The parameters as JSON text to be given to free(); NULL: they are not right, or as above. */
static char *params_of(const char *text)
{
    json_t *params = json_object();
    bool is_good = params != NULL;
    char *json;

    while (is_good && *text == ',') {
        const size_t length = pair_length(text + 1);

        is_good = add_pair(params, text + 1, length);
        text += 1 + length;
    }
    json = is_good ? OpprofJsonText(params, JSON_COMPACT) : NULL;
    json_decref(params);
    return json;
}

/*
 * Add the stage of an option's value ID=PLUGIN[,PARAM=VALUE]... to the pipeline. A piece between
 * commas without '=' belongs to the value before it.
 */
static OpprofStatus add_stage(OpprofPipeline *pipeline, const char *value, OpprofError **error)
{
    const size_t id_length = strcspn(value, "=,");
    const char *plugin = value[id_length] == '=' ? value + id_length + 1 : "";
    const size_t plugin_length = strcspn(plugin, ",");
    char *params = NULL;
    char *id = strndup(value, id_length);
    char *use = strndup(plugin, plugin_length);
    OpprofStatus status;

    errno = 0;
    params = params_of(plugin + plugin_length);
    if (id == NULL || use == NULL || (params == NULL && errno == ENOMEM)) {
        status = OpprofErrorNoMemory(error, "add a stage");
    } else if (params == NULL || id_length == 0 || plugin_length == 0) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT, "--add cannot take '%s'", value);
        OpprofErrorHint(error,
                        "Write ID=PLUGIN[,PARAM=VALUE]..., such as --add mine=my-metric,top=20");
        status = OPPROF_E_ARGUMENT;
    } else {
        status = OpprofPipelineAddStage(pipeline, id, use, params, error);
    }
    free(params);
    free(id);
    free(use);
    return status;
}

/* ---- what the command line sets ---- */

/* Leave out the stages of an option's value STAGE[,STAGE]. */
static OpprofStatus leave_out(OpprofPipeline *pipeline, const char *value, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && *value != '\0') {
        const size_t length = strcspn(value, ",");
        char *id = strndup(value, length);

        status = id == NULL ? OpprofErrorNoMemory(error, "leave stages out")
                            : OpprofPipelineLeaveOut(pipeline, id, error);
        free(id);
        value += length;
        value += *value == ',';
    }
    return status;
}

/* What ran, as the results say. If they cannot be read, the run says so. */
static OpprofStatus set_title(OpprofPipeline *pipeline, const char *path, OpprofError **error)
{
    OpprofResults *results = NULL;
    OpprofStatus status = OPPROF_OK;

    if (OpprofResultsOpen(path, NULL, &results, NULL) == OPPROF_OK &&
        OpprofResultsAbout(results)->title != NULL) {
        status = OpprofPipelineSet(pipeline, "title", OpprofResultsAbout(results)->title, error);
    }
    OpprofResultsClose(results);
    return status;
}

typedef OpprofStatus ApplyText(OpprofPipeline *pipeline, const char *name, const char *value,
                               OpprofError **error);

/* Each text is NAME=VALUE, or NAME of which no value is said. */
static OpprofStatus apply_texts(OpprofPipeline *pipeline, const OptionsTexts *texts,
                                ApplyText *apply, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < texts->count && status == OPPROF_OK; i++) {
        const char *text = texts->texts[i];
        size_t length = strcspn(text, "=");
        char *name = strndup(text, length);

        if (name == NULL) {
            return OpprofErrorNoMemory(error, "read '%s'", text);
        }
        status = apply(pipeline, name, text[length] == '=' ? text + length + 1 : NULL, error);
        free(name);
    }
    return status;
}

/* A variable, or a parameter STAGE.NAME, of a pipeline that reads data: not a run's own results. */
static OpprofStatus set_of_data(OpprofPipeline *pipeline, const char *name, const char *value,
                                OpprofError **error)
{
    const char *dot = strrchr(name, '.');
    const bool is_input = strcmp(dot == NULL ? name : dot + 1, "input") == 0;
    const OpprofStatus status = is_input ? RecogniseRefuseOwn(value, true, error) : OPPROF_OK;

    return status == OPPROF_OK ? OpprofPipelineSet(pipeline, name, value, error) : status;
}

OpprofStatus RunApplySettings(OpprofPipeline *pipeline, const Options *options, OpprofError **error)
{
    const bool reads_results = options->pipeline != NULL && strcmp(options->pipeline, "show") == 0;
    ApplyText *set = reads_results ? OpprofPipelineSet : set_of_data;
    OpprofStatus status = OPPROF_OK;

    /*
     * A shown report goes to standard output, which need not be the terminal that the exporter
     * looks at.
     */
    if (options->shows && isatty(STDOUT_FILENO) == 0) {
        status = OpprofPipelineSet(pipeline, "report.colour", "never", error);
        if (status == OPPROF_OK) {
            status = OpprofPipelineSet(pipeline, "report.width", "80", error);
        }
    }
    if (options->shows && status == OPPROF_OK) {
        status = set_title(pipeline, options->input, error);
    }
    for (size_t i = 0; i < options->additions.count && status == OPPROF_OK; i++) {
        status = add_stage(pipeline, options->additions.texts[i], error);
    }
    for (size_t i = 0; i < options->without.count && status == OPPROF_OK; i++) {
        status = leave_out(pipeline, options->without.texts[i], error);
    }
    if (options->input != NULL && !options->input_is_name && status == OPPROF_OK) {
        status = set(pipeline, "input", options->input, error);
    }
    return status == OPPROF_OK ? apply_texts(pipeline, &options->settings, set, error) : status;
}

/* Whether the text is STAGE.PORT=FILE and not a file with such a name. */
static bool has_link(const char *text)
{
    const char *equals = strchr(text, '=');
    const char *dot = strchr(text, '.');
    const char *slash = strchr(text, '/');

    return equals != NULL && dot != NULL && dot < equals && (slash == NULL || equals < slash);
}

static OpprofStatus apply_replays(OpprofPipeline *pipeline, const Options *options,
                                  OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < options->replays.count && status == OPPROF_OK; i++) {
        const char *text = options->replays.texts[i];
        char *link = has_link(text) ? strndup(text, strcspn(text, "=")) : NULL;

        if (has_link(text) && link == NULL) {
            return OpprofErrorNoMemory(error, "replay '%s'", text);
        }
        status = OpprofPipelineReplay(pipeline, link, link != NULL ? text + strlen(link) + 1 : text,
                                      error);
        free(link);
    }
    return status;
}

OpprofStatus RunLoad(OpprofPipeline *pipeline, const Options *options, OpprofError **error)
{
    OpprofStatus status;

    OpprofPipelineSetTimeout(pipeline, options->timeout_s);
    if (options->timeout_s > 0) {
        OpprofPipelineRehearsePlugins(pipeline); /* start-up code that hangs is ended, too */
    }
    status = apply_replays(pipeline, options, error);
    if (status == OPPROF_OK) {
        status = OpprofPipelineLoad(pipeline, options->pipeline, error);
    }
    if (status == OPPROF_OK) {
        status = apply_texts(pipeline, &options->taps, OpprofPipelineTap, error);
    }
    if (status == OPPROF_OK) {
        status = apply_texts(pipeline, &options->recordings, OpprofPipelineRecordLink, error);
    }
    if (status == OPPROF_OK) {
        status = OpprofPipelineSetOutput(pipeline, options->output, options->flat, error);
    }
    if (status == OPPROF_OK) {
        status = OpprofPipelineValidate(pipeline, error);
    }
    return status;
}

/* ---- the run ---- */

void RunPrintError(const OpprofError *error, int verbose)
{
    char *text = OpprofErrorText(error, verbose > 1);

    fprintf(stderr, "opprof-run: error: %s\n", text != NULL ? text : OpprofErrorMessage(error));
    while (text == NULL && (error = OpprofErrorCause(error)) != NULL) {
        fprintf(stderr, "  because: %s\n", OpprofErrorMessage(error));
    }
    free(text);
}

static int outcome_code(const OpprofRunReport *report)
{
    switch (report->outcome) {
    case OPPROF_RUN_COMPLETE:
        return EXIT_DONE;
    case OPPROF_RUN_INCOMPLETE:
        return EXIT_INCOMPLETE;
    case OPPROF_RUN_ABORTED:
        return SignalsLast() != 0 ? EXIT_SIGNAL + SignalsLast() : EXIT_FAILED;
    case OPPROF_RUN_FAILED:
    default:
        return EXIT_FAILED;
    }
}

/* Scripts get the path as it is. */
static void put_results_path(const char *path)
{
    if (isatty(STDOUT_FILENO) != 0) {
        PlainPut(stdout, path);
    } else {
        fputs(path, stdout);
    }
    fputc('\n', stdout);
}

/* Says where the page is, if the run made one. */
static void report_page(const char *path, bool is_quiet)
{
    char *page = NULL;

    if (!is_quiet && asprintf(&page, "%s/report.html", path) >= 0 && access(page, F_OK) == 0) {
        fputs("Page: ", stderr);
        PlainPut(stderr, page);
        fputc('\n', stderr);
    }
    free(page);
}

/* Says what the database of a shown run has not, and how the next run gets it. */
static void report_contents(const Options *options)
{
    OpprofResults *results = NULL;

    if (!options->quiet && OpprofResultsOpen(options->input, NULL, &results, NULL) == OPPROF_OK &&
        !OpprofResultsAbout(results)->has_timelines) {
        fputs("opprof-run: the database has tables only; that of a run with --set formats=spans "
              "has timelines, too\n",
              stderr);
    }
    OpprofResultsClose(results);
}

static void report_outcome(Screen *screen, const OpprofRunReport *report, const OpprofError *error,
                           const Options *options)
{
    if (options->shows) {
        /* before stderr; RunFinishOutput reports an error */
        ScreenShow(screen, report->shown != NULL ? report->shown : "");
    } else if (!options->quiet && report->stage_count > 0) {
        ScreenPrintTable(screen, report, options->verbose > 0);
    }
    if (report->reason != NULL) {
        bool failed = report->outcome == OPPROF_RUN_FAILED;
        fprintf(stderr, "opprof-run: %s%s\n", failed ? "error: " : "incomplete: ", report->reason);
    } else if (error != NULL) {
        RunPrintError(error, options->verbose);
    }
    if (options->shows) {
        report_contents(options);
        return;
    }
    if (report->output_path != NULL && report->outcome != OPPROF_RUN_ABORTED) {
        report_page(report->output_path, options->quiet);
        put_results_path(report->output_path);
    }
}

int RunFinishOutput(int code)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return code;
    }
    fprintf(stderr, "opprof-run: error: Cannot write standard output: %s\n", strerror(errno));
    return code == EXIT_DONE ? EXIT_FAILED : code;
}

int RunPipeline(OpprofPipeline *pipeline, const Options *options)
{
    OpprofRunReport report = { 0 };
    OpprofError *error = NULL;
    OpprofError *stats_error = NULL;
    Screen screen;
    OpprofStatus status;
    int code;

    ScreenInit(&screen, options->quiet);
    screen.pipeline = options->quiet && !options->shows ? NULL : pipeline;
    screen.shows = options->shows ? stdout : stderr;
    screen.runs_program = options->pipeline != NULL && ProgramsRunIn(options->pipeline);
    OpprofLogSetSink(ScreenLog, &screen);
    OpprofPipelineSetProgress(pipeline, ScreenProgress, &screen);
    status = RunAllPlugins(pipeline, &report, &error);
    ScreenClear(&screen);
    OpprofLogSetSink(NULL, NULL);
    code = report.stage_count > 0 ? outcome_code(&report) : EXIT_FAILED;
    if (OpprofFailed(status) && code == EXIT_DONE) {
        code = EXIT_FAILED;
    }
    report_outcome(&screen, &report, error, options);
    if (options->stats != NULL && OpprofPipelineRecord(pipeline) != NULL &&
        OpprofPipelineCopyRecord(pipeline, options->stats, &stats_error) != OPPROF_OK) {
        RunPrintError(stats_error, options->verbose);
        code = code == EXIT_DONE ? EXIT_FAILED : code;
    }
    code = RunFinishOutput(code);
    if (report.hanging > 0) {
        _exit(code); /* a plugin's thread still runs, so nothing of it can be freed */
    }
    OpprofErrorDestroy(stats_error);
    OpprofErrorDestroy(error);
    OpprofRunReportFinish(&report);
    ScreenFinish(&screen);
    return code;
}
