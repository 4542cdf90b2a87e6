/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opprof-run: reads the command line, and runs a pipeline or prints what is asked for.
 * Tested by tests/e2e/signals.sh.
 */
#include "answers.h"
#include "heap.h"
#include "options.h"
#include "programs.h"
#include "recognise.h"
#include "run.h"
#include "signals.h"

#include <opprof/opprof.h>

#include <errno.h>
#include <fcntl.h>
#include <opprof/output.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

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

/* Exit code of a failure before the run. */
static int refusal_code(OpprofStatus status)
{
    if (status == OPPROF_E_LOAD || status == OPPROF_E_ABI) {
        return EXIT_NO_PLUGIN;
    }
    if (status == OPPROF_E_CRASH && SignalsLast() != 0) {
        return EXIT_SIGNAL + SignalsLast();
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

/* A run of an input without a name gets one. */
static OpprofStatus recognise(OpprofPipeline *pipeline, Options *options, OpprofError **error)
{
    OpprofStatus status = ProgramsCheck(options, error);

    if (status != OPPROF_OK || options->input == NULL || options->pipeline != NULL) {
        return status;
    }
    status = RecogniseInput(pipeline, options->input, &options->recognised, &options->input_is_name,
                            error);
    if (status != OPPROF_OK) {
        return ProgramsCheckUnread(options->input, status, error);
    }
    options->pipeline = options->recognised;
    if (!options->quiet && !options->input_is_name) {
        fprintf(stderr, "opprof-run: the input fits pipeline '%s'\n", options->pipeline);
    }
    return OPPROF_OK;
}

static int run_or_answer(OpprofPipeline *pipeline, Options *options)
{
    int code = EXIT_DONE;
    OpprofError *error = NULL;
    OpprofStatus status = apply_paths(pipeline, options, &error);

    if (status == OPPROF_OK) {
        status = recognise(pipeline, options, &error);
    }
    if (status == OPPROF_OK) {
        status = RunApplySettings(pipeline, options, &error);
    }
    if (status == OPPROF_OK) {
        status = options->action == ACTION_RUN ? RunLoad(pipeline, options, &error)
                                               : AnswersPrint(pipeline, options, &code, &error);
    }
    if (status != OPPROF_OK) {
        RunPrintError(error, options->verbose);
        OpprofErrorDestroy(error);
        return refusal_code(status);
    }
    if (options->action == ACTION_RUN) {
        return RunPipeline(pipeline, options);
    }
    return RunFinishOutput(code);
}

/* --show discards exported files. */
static int show(OpprofPipeline *pipeline, Options *options)
{
    OpprofError *error = NULL;
    OpprofScratch *scratch;
    int code;

    if (OpprofScratchMake(NULL, &scratch, &error) != OPPROF_OK) {
        RunPrintError(error, options->verbose);
        OpprofErrorDestroy(error);
        return EXIT_FAILED;
    }
    options->output = OpprofScratchPath(scratch);
    options->flat = true;
    code = run_or_answer(pipeline, options);
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

/*
 * A query, or a comparison without a page, runs nothing that could be stopped, and leaves nothing
 * behind: a signal ends it at once.
 */
static bool is_only_read(const Options *options)
{
    return options->action == ACTION_QUERY ||
           (options->action == ACTION_DIFF && !AnswersArePage(options));
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
        SignalsInstall(is_only_read(&options) ? NULL : pipeline);
        code = options.shows ? show(pipeline, &options) : run_or_answer(pipeline, &options);
        SignalsReportLate(code);
        OpprofPipelineDestroy(pipeline);
    }
    OptionsFinish(&options);
    return code;
}
