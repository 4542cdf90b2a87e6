/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opprof-run: reads the command line, runs a pipeline or looks at plugins, and says how it went.
 * Tested by tests/e2e/signals.sh.
 */
#include "add.h"
#include "complete.h"
#include "describe.h"
#include "documents.h"
#include "diff.h"
#include "explain.h"
#include "heap.h"
#include "inspect.h"
#include "inspect_man.h"
#include "inspect_pipeline.h"
#include "options.h"
#include "plain_output.h"
#include "recognise.h"
#include "screen.h"

#include <opprof/opprof.h>

#include <errno.h>
#include <fcntl.h>
#include <opprof/output.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* How long an abort may take before the process ends anyway. */
#define ABORT_SECONDS 5

enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_INVALID = 2,
    EXIT_NO_PLUGIN = 3,
    EXIT_INCOMPLETE = 4,
    EXIT_REGRESSION = 5,
    EXIT_SIGNAL = 128
};

/* For the signal handlers, which have no other way to reach the run. */
static OpprofPipeline *_Atomic running_pipeline;
static volatile sig_atomic_t last_signal;
static volatile sig_atomic_t signal_count;
static volatile sig_atomic_t late_count; /* of signals after all was printed */
static volatile sig_atomic_t final_code;

static const struct {
    int number;
    const char *name;
} stop_signals[] = {
    { SIGINT, "SIGINT (Ctrl+C)" },
    { SIGTERM, "SIGTERM" },
    { SIGHUP, "SIGHUP (the terminal was closed)" },
};
#define STOP_SIGNALS (sizeof stop_signals / sizeof stop_signals[0])

static const char *name_of_signal(int number)
{
    for (size_t i = 0; i < STOP_SIGNALS; i++) {
        if (stop_signals[i].number == number) {
            return stop_signals[i].name;
        }
    }
    return "a signal";
}

static void put_note(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));

    (void) written; /* only a note */
}

static void on_stop_signal(int number, siginfo_t *info, void *context)
{
    int saved_errno = errno;
    OpprofPipeline *pipeline = atomic_load(&running_pipeline);

    (void) context;
    last_signal = number;
    signal_count++;
    if (signal_count > 2 || pipeline == NULL) {
        _exit(EXIT_SIGNAL + number);
    }
    if (signal_count == 2) {
        put_note("\nopprof-run: aborting\n");
        alarm(ABORT_SECONDS);
    } else {
        put_note("\nopprof-run: stopping; what has been read is being written (again: abort)\n");
    }
    if (number == SIGINT && info->si_code == SI_KERNEL) {
        OpprofPipelineStopFromTerminal(pipeline, name_of_signal(number));
    } else {
        OpprofPipelineStop(pipeline, name_of_signal(number));
    }
    errno = saved_errno;
}

static void on_alarm(int number)
{
    (void) number;
    _exit(EXIT_SIGNAL + last_signal);
}

/* SIGHUP that is ignored already stays so: nohup wants it. */
static void install_stop(int number, const struct sigaction *stop)
{
    struct sigaction before;

    if (number == SIGHUP && sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN) {
        return;
    }
    sigaction(number, stop, NULL);
}

static void install_signals(void)
{
    struct sigaction stop = { .sa_sigaction = on_stop_signal, .sa_flags = SA_RESTART | SA_SIGINFO };
    struct sigaction alarmed = { .sa_handler = on_alarm };
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    struct sigaction usual = { .sa_handler = SIG_DFL };

    sigemptyset(&stop.sa_mask);
    for (size_t i = 0; i < STOP_SIGNALS; i++) {
        sigaddset(&stop.sa_mask, stop_signals[i].number);
    }
    for (size_t i = 0; i < STOP_SIGNALS; i++) {
        install_stop(stop_signals[i].number, &stop);
    }
    sigaction(SIGALRM, &alarmed, NULL);
    sigaction(SIGPIPE, &ignore, NULL); /* a closed reader of stdout is an error, not a death */
    sigaction(SIGXFSZ, &ignore, NULL); /* a file size limit is an error, not a death */
    sigaction(SIGCHLD, &usual, NULL);  /* if it is ignored, no child can be waited for */
    OpprofPipelineReportCrashes();
}

static void on_late_signal(int number)
{
    const int saved_errno = errno;

    (void) number;
    if (++late_count > 1) {
        _exit(final_code);
    }
    put_note("\nopprof-run: the run is over; waiting for plugins to end (again: end at once)\n");
    errno = saved_errno;
}

/* What is done is done: a late Ctrl+C must not change the exit code. But a plugin may hang in its end. */
static void take_late_signals(int code)
{
    struct sigaction late = { .sa_handler = on_late_signal, .sa_flags = SA_RESTART };

    sigemptyset(&late.sa_mask);
    final_code = code;
    for (size_t i = 0; i < STOP_SIGNALS; i++) {
        install_stop(stop_signals[i].number, &late);
    }
}

/*
 * A file that is opened must not become standard error by chance. A closed standard stream gets a
 * descriptor that refuses its use, so that a closed standard output is still an error.
 */
static void guard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) {
            _exit(EXIT_FAILED);
        }
    }
}

static void print_error(const OpprofError *error, int verbose)
{
    char *text = OpprofErrorText(error, verbose > 1);

    fprintf(stderr, "opprof-run: error: %s\n", text != NULL ? text : OpprofErrorMessage(error));
    while (text == NULL && (error = OpprofErrorCause(error)) != NULL) {
        fprintf(stderr, "  because: %s\n", OpprofErrorMessage(error));
    }
    free(text);
}

/* Exit code of a failure before the run. */
static int refusal_code(OpprofStatus status)
{
    if (status == OPPROF_E_LOAD || status == OPPROF_E_ABI) {
        return EXIT_NO_PLUGIN;
    }
    if (status == OPPROF_E_CRASH && last_signal != 0) {
        return EXIT_SIGNAL + last_signal;
    }
    return status == OPPROF_E_MEMORY || status == OPPROF_E_CRASH || status == OPPROF_E_CONTRACT
               ? EXIT_FAILED
               : EXIT_INVALID;
}

static OpprofStatus apply_paths(OpprofPipeline *pipeline, const Options *options,
                                OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (options->allow_writable) {
        OpprofPipelineAllowWritablePlugins(pipeline);
    }
    for (size_t i = 0; i < options->plugin_paths.count && status == OPPROF_OK; i++) {
        status = OpprofPipelineAddPluginPath(pipeline, options->plugin_paths.texts[i], error);
    }
    return status;
}

static OpprofStatus apply_settings(OpprofPipeline *pipeline, const Options *options,
                                   OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    /* A shown report goes to standard output, which need not be the terminal that the exporter looks at. */
    if (options->shows && isatty(STDOUT_FILENO) == 0) {
        status = OpprofPipelineSet(pipeline, "report.colour", "never", error);
        if (status == OPPROF_OK) {
            status = OpprofPipelineSet(pipeline, "report.width", "80", error);
        }
    }
    for (size_t i = 0; i < options->additions.count && status == OPPROF_OK; i++) {
        status = AddStage(pipeline, options->additions.texts[i], error);
    }
    if (options->input != NULL && !options->input_is_name && status == OPPROF_OK) {
        status = OpprofPipelineSet(pipeline, "input", options->input, error);
    }
    for (size_t i = 0; i < options->settings.count && status == OPPROF_OK; i++) {
        const char *text = options->settings.texts[i];
        const char *equals = strchr(text, '=');
        char *name = strndup(text, (size_t) (equals - text));

        if (name == NULL) {
            return OpprofErrorNoMemory(error, "set '%s'", text);
        }
        status = OpprofPipelineSet(pipeline, name, equals + 1, error);
        free(name);
    }
    return status;
}

typedef OpprofStatus ReadPort(OpprofPipeline *pipeline, const char *port, const char *file,
                              OpprofError **error);

/* Each text is STAGE.PORT or STAGE.PORT=FILE. */
static OpprofStatus apply_ports(OpprofPipeline *pipeline, const OptionsTexts *texts, ReadPort *read,
                                OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < texts->count && status == OPPROF_OK; i++) {
        const char *text = texts->texts[i];
        size_t length = strcspn(text, "=");
        char *port = strndup(text, length);

        if (port == NULL) {
            return OpprofErrorNoMemory(error, "read '%s'", text);
        }
        status = read(pipeline, port, text[length] == '=' ? text + length + 1 : NULL, error);
        free(port);
    }
    return status;
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

static OpprofStatus load(OpprofPipeline *pipeline, const Options *options, OpprofError **error)
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
        status = apply_ports(pipeline, &options->taps, OpprofPipelineTap, error);
    }
    if (status == OPPROF_OK) {
        status = apply_ports(pipeline, &options->recordings, OpprofPipelineRecordLink, error);
    }
    if (status == OPPROF_OK) {
        status = OpprofPipelineSetOutput(pipeline, options->output, options->flat, error);
    }
    if (status == OPPROF_OK) {
        status = OpprofPipelineValidate(pipeline, error);
    }
    return status;
}

static int outcome_code(const OpprofRunReport *report)
{
    switch (report->outcome) {
    case OPPROF_RUN_COMPLETE:
        return EXIT_DONE;
    case OPPROF_RUN_INCOMPLETE:
        return EXIT_INCOMPLETE;
    case OPPROF_RUN_ABORTED:
        return last_signal != 0 ? EXIT_SIGNAL + last_signal : EXIT_FAILED;
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

static void tell_outcome(const OpprofRunReport *report, const OpprofError *error,
                         const Options *options)
{
    if (options->shows) {
        fputs(report->shown != NULL ? report->shown : "", stdout);
        fflush(stdout); /* before what else is said; finish_output reports an error */
    } else if (!options->quiet && report->stage_count > 0) {
        ScreenPrintTable(report, options->verbose > 0);
    }
    if (report->reason != NULL) {
        bool failed = report->outcome == OPPROF_RUN_FAILED;
        fprintf(stderr, "opprof-run: %s%s\n", failed ? "error: " : "incomplete: ", report->reason);
    } else if (error != NULL) {
        print_error(error, options->verbose);
    }
    if (options->shows) {
        return;
    }
    if (report->output_path != NULL && report->outcome != OPPROF_RUN_ABORTED) {
        put_results_path(report->output_path);
    }
}

/* Exit code once all that was printed has been written. */
static int finish_output(int code)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return code;
    }
    fprintf(stderr, "opprof-run: error: Cannot write standard output: %s\n", strerror(errno));
    return code == EXIT_DONE ? EXIT_FAILED : code;
}

static int run(OpprofPipeline *pipeline, const Options *options)
{
    OpprofRunReport report = { 0 };
    OpprofError *error = NULL;
    OpprofError *stats_error = NULL;
    Screen screen;
    OpprofStatus status;
    int code;

    ScreenInit(&screen, options->quiet);
    OpprofLogSetSink(ScreenLog, &screen);
    OpprofPipelineSetProgress(pipeline, ScreenProgress, &screen);
    status = RunAllPlugins(pipeline, &report, &error);
    ScreenClear(&screen);
    OpprofLogSetSink(NULL, NULL);
    code = report.stage_count > 0 ? outcome_code(&report) : EXIT_FAILED;
    if (OpprofFailed(status) && code == EXIT_DONE) {
        code = EXIT_FAILED;
    }
    tell_outcome(&report, error, options);
    if (options->stats != NULL && OpprofPipelineRecord(pipeline) != NULL &&
        OpprofPipelineCopyRecord(pipeline, options->stats, &stats_error) != OPPROF_OK) {
        print_error(stats_error, options->verbose);
        code = code == EXIT_DONE ? EXIT_FAILED : code;
    }
    code = finish_output(code);
    if (report.hanging > 0) {
        _exit(code); /* a plugin's thread still runs, so nothing of it can be freed */
    }
    OpprofErrorDestroy(stats_error);
    OpprofErrorDestroy(error);
    OpprofRunReportFinish(&report);
    ScreenFinish(&screen);
    return code;
}

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

    if (chip == NULL) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT, "--explain needs a chip");
        OpprofErrorHint(error, "Name it with --set chip=, such as --set chip=Ascend910B1");
        return OPPROF_E_ARGUMENT;
    }
    return options->json ? DescribeMetric(pipeline, chip, options->explain, out, error)
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
    return InspectList(pipeline, out, error);
}

static bool is_module_file(const char *name)
{
    const size_t length = strlen(name);

    return length > 3 && strcmp(name + length - 3, ".so") == 0;
}

/* "dir/name.so": its directory is looked at first, and what it is asked for is "name". */
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

static OpprofStatus diff(OpprofPipeline *pipeline, const Options *options, FILE *out, int *ret_code,
                         OpprofError **error)
{
    static const int codes[] = { [DIFF_DONE] = EXIT_DONE,
                                 [DIFF_REGRESSION] = EXIT_REGRESSION,
                                 [DIFF_UNDECIDED] = EXIT_INCOMPLETE };
    DiffOutcome outcome;
    OpprofStatus status;
    const char *format = options->format == NULL ? "text" : options->format;

    status = Diff(&(DiffOptions){ .a = options->diff[0],
                                  .b = options->diff[1],
                                  .rules = options->rules.texts,
                                  .rule_count = options->rules.count,
                                  .pipeline = pipeline,
                                  .columns = columns_of_output(),
                                  .format = options->json                     ? DIFF_JSON
                                            : strcmp(format, "markdown") == 0 ? DIFF_MARKDOWN
                                            : strcmp(format, "html") == 0     ? DIFF_PAGE
                                                                              : DIFF_TEXT },
                  out, &outcome, error);
    *ret_code = codes[outcome];
    return status;
}

static OpprofStatus look(OpprofPipeline *pipeline, const Options *options, FILE *out, int *ret_code,
                         OpprofError **error)
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
    case ACTION_DIFF:
        return diff(pipeline, options, out, ret_code, error);
    case ACTION_GRAPH:
        status = load(pipeline, options, error);
        return status == OPPROF_OK ? OpprofPipelineGraph(pipeline, out, error) : status;
    case ACTION_VALIDATE:
        status = load(pipeline, options, error);
        if (status == OPPROF_OK) {
            fputs("Pipeline '", out);
            PlainPut(out, options->pipeline);
            fputs("' is valid.\n", out);
        }
        return status;
    case ACTION_RUN:
    case ACTION_HELP:
    case ACTION_VERSION:
    default:
        return OPPROF_OK;
    }
}

/* A page is for browsers, which must get each byte as it is. */
static bool wants_page(const Options *options)
{
    return options->action == ACTION_DIFF && options->format != NULL &&
           strcmp(options->format, "html") == 0;
}

/* Names of modules, documents and files must not drive the terminal. */
static OpprofStatus look_plainly(OpprofPipeline *pipeline, const Options *options, int *ret_code,
                                 OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    PlainOutput plain;

    if (wants_page(options)) {
        return look(pipeline, options, stdout, ret_code, error);
    }
    PlainOutputOpen(&plain);
    if (plain.stream != NULL) {
        status = look(pipeline, options, plain.stream, ret_code, error);
    }
    if (!PlainOutputClose(&plain, stdout) && status == OPPROF_OK) {
        status = OpprofErrorNoMemory(error, "print");
    }
    return status;
}

/* A run of an input without a name gets one. */
static OpprofStatus recognise(OpprofPipeline *pipeline, Options *options, OpprofError **error)
{
    OpprofStatus status;

    if (options->input == NULL || options->pipeline != NULL) {
        return OPPROF_OK;
    }
    status = RecogniseInput(pipeline, options->input, &options->recognised, &options->input_is_name,
                            error);
    if (status != OPPROF_OK) {
        return status;
    }
    options->pipeline = options->recognised;
    if (!options->quiet && !options->input_is_name) {
        fprintf(stderr, "opprof-run: the input fits pipeline '%s'\n", options->pipeline);
    }
    return OPPROF_OK;
}

static int perform(OpprofPipeline *pipeline, Options *options)
{
    int code = EXIT_DONE;
    OpprofError *error = NULL;
    OpprofStatus status = apply_paths(pipeline, options, &error);

    if (status == OPPROF_OK) {
        status = recognise(pipeline, options, &error);
    }

    if (status == OPPROF_OK) {
        status = apply_settings(pipeline, options, &error);
    }

    if (status == OPPROF_OK) {
        status = options->action == ACTION_RUN ? load(pipeline, options, &error)
                                               : look_plainly(pipeline, options, &code, &error);
    }
    if (status != OPPROF_OK) {
        print_error(error, options->verbose);
        OpprofErrorDestroy(error);
        return refusal_code(status);
    }
    if (options->action == ACTION_RUN) {
        return run(pipeline, options);
    }
    return finish_output(code);
}

/* --show discards exported files. */
static int show(OpprofPipeline *pipeline, Options *options)
{
    OpprofError *error = NULL;
    OpprofScratch *scratch;
    int code;

    if (OpprofScratchMake(NULL, &scratch, &error) != OPPROF_OK) {
        print_error(error, options->verbose);
        OpprofErrorDestroy(error);
        return EXIT_FAILED;
    }
    options->output = OpprofScratchPath(scratch);
    options->flat = true;
    code = perform(pipeline, options);
    options->output = NULL;
    OpprofScratchRemove(scratch);
    return code;
}

static void set_log_level(const Options *options)
{
    if (options->quiet) {
        OpprofLogSetLevel(OPPROF_LOG_ERROR);
    } else if (options->verbose > 0) {
        OpprofLogSetLevel(options->verbose > 1 ? OPPROF_LOG_DEBUG : OPPROF_LOG_INFO);
    }
}

/* A run may have a result file open for each of a thousand ranks: take all that are available. */
static void raise_file_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* A comparison without a page runs nothing that could be stopped, and leaves nothing behind: a signal ends it at once. */
static bool is_only_compared(const Options *options)
{
    return options->action == ACTION_DIFF && !wants_page(options);
}

int main(int argc, char **argv)
{
    Options options;
    OpprofPipeline *pipeline;
    int code = EXIT_INVALID;

    guard_descriptors();
    if (!OptionsParse(&options, argc, argv)) {
        OptionsFinish(&options);
        return EXIT_INVALID;
    }
    if (options.action == ACTION_HELP || options.action == ACTION_VERSION) {
        if (options.action == ACTION_HELP) {
            OptionsPrintHelp();
        } else {
            printf("opprof-run %s, plugin ABI %d.%d\n", OpprofVersion(), OPPROF_ABI_MAJOR,
                   OPPROF_ABI_MINOR);
        }
        OptionsFinish(&options);
        return EXIT_DONE;
    }
    set_log_level(&options);
    raise_file_limit();
    HeapPrepare();
    pipeline = OpprofPipelineCreate();
    if (pipeline == NULL) {
        fputs("opprof-run: error: Cannot start: out of memory\n", stderr);
        code = EXIT_FAILED;
    } else {
        atomic_store(&running_pipeline, is_only_compared(&options) ? NULL : pipeline);
        install_signals();
        code = options.shows ? show(pipeline, &options) : perform(pipeline, &options);
        take_late_signals(code);
        atomic_store(&running_pipeline, NULL);
        OpprofPipelineDestroy(pipeline);
    }
    OptionsFinish(&options);
    return code;
}
