/* SPDX-License-Identifier: Apache-2.0 */
/* A run from its output directory to its record. Tested by tests/core/run/test_runner. */
#include "run/pipeline.h"

#include "base/write_file.h"
#include "document/config.h"
#include "guard/crash.h"
#include "guard/watchdog.h"
#include "output/output.h"
#include "recording/replay.h"
#include "report/early_record.h"
#include "report/report.h"
#include "run/runner.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Moves the error of the critical stage that failed first to the caller. */
static OpprofStatus take_failure(OpprofPipeline *pipeline, OpprofError **error)
{
    StageNode *node = atomic_load(&pipeline->first_failure);

    for (uint32_t i = 0; node != NULL && i < node->instance_count; i++) {
        OpprofStage *stage = node->instances[i];

        if (!StageWasGivenUp(stage) && stage->error != NULL) {
            const OpprofStatus status = OpprofErrorStatus(stage->error);

            if (error != NULL) {
                *error = stage->error;
                stage->error = NULL;
            }
            return status;
        }
    }
    return OPPROF_OK;
}

/* run.json, the last file of the results, which must be where their reader will look for them. */
static OpprofStatus make_record(OpprofPipeline *pipeline, const OpprofRunReport *report,
                                OpprofError **error)
{
    OpprofStatus status;

    pipeline->record = ReportRecord(pipeline, report);
    if (pipeline->record == NULL) {
        return OpprofErrorNoMemory(error, "write the record of the run");
    }
    status = OutputDirectoryWrite(pipeline->run.output, "run.json", pipeline->record, error);
    EarlyRecordDone(pipeline->early);
    return status == OPPROF_OK ? OutputDirectoryCheckPlace(pipeline->run.output, error) : status;
}

/* Failures of the run itself are reported beside what was missing before. */
static void add_failure(OpprofRunReport *report, const OpprofError *error)
{
    char *text = OpprofErrorText(error, false);
    char *both =
        text != NULL && report->reason != NULL ? ProblemText("%s\n%s", report->reason, text) : NULL;

    report->outcome = OPPROF_RUN_FAILED;
    if (both != NULL) {
        free(text);
        text = both;
    }
    if (text != NULL) {
        free(report->reason);
        report->reason = text;
    }
}

static OpprofStatus sum_up(OpprofPipeline *pipeline, OpprofRunReport *report, OpprofError **error)
{
    OpprofError *unrecorded = NULL;
    OpprofStatus status, recorded;

    VerdictMake(pipeline);
    status = ReportMake(pipeline, report, error);
    if (status != OPPROF_OK) {
        report->outcome = OPPROF_RUN_FAILED;
        return status;
    }
    status = VerdictWriteNote(pipeline, report, error);
    if (status != OPPROF_OK) {
        add_failure(report, *error);
    }
    recorded = make_record(pipeline, report, &unrecorded);
    if (recorded != OPPROF_OK) {
        add_failure(report, unrecorded);
    }
    if (status == OPPROF_OK && recorded != OPPROF_OK) {
        return OpprofErrorPass(error, unrecorded);
    }
    OpprofErrorDestroy(unrecorded);
    return status;
}

/* Parameters of kind path name the inputs of a stage; those of exporters are written, or small. */
static bool add_inputs_of(OpprofOutputDirectory *output, const StageNode *node)
{
    const OpprofPlugin *plugin = node->plugin;
    bool is_good = true;

    if (node->params == NULL || plugin->kind == OPPROF_EXPORTER) {
        return true;
    }
    for (uint32_t i = 0; is_good && i < plugin->param_count; i++) {
        const OpprofParam *param = &plugin->params[i];
        const char *path =
            param->type == OPPROF_PARAM_PATH ? OpprofParamsString(node->params, param->name) : NULL;

        is_good = path == NULL || OutputDirectoryAddInput(output, path);
    }
    return is_good;
}

/* The document and what the stages read. */
static bool add_inputs(const OpprofPipeline *pipeline)
{
    OpprofOutputDirectory *output = pipeline->run.output;
    const char *document = pipeline->config->path;
    bool is_good = document == NULL || OutputDirectoryAddInput(output, document);

    for (uint32_t n = 0; is_good && n < pipeline->node_count; n++) {
        is_good = add_inputs_of(output, pipeline->nodes[n]);
    }
    return is_good;
}

static bool make_views(const OpprofPipeline *pipeline)
{
    bool is_good = true;

    for (uint32_t n = 0; is_good && n < pipeline->node_count; n++) {
        StageNode *node = pipeline->nodes[n];

        node->output = OutputDirectoryView(pipeline->run.output, node->id);
        is_good = node->output != NULL;
    }
    return is_good;
}

/* The run's directory, and each stage's view of it. */
static OpprofStatus open_output(OpprofPipeline *pipeline, OpprofError **error)
{
    const char *parent = pipeline->output_parent != NULL ? pipeline->output_parent : ".";
    OpprofStatus status =
        OutputDirectoryCreate(parent, pipeline->output_flat, &pipeline->run.output, error);

    if (status == OPPROF_OK && (!add_inputs(pipeline) || !make_views(pipeline))) {
        OutputDirectoryRemoveEmpty(pipeline->run.output);
        status = OpprofErrorNoMemory(error, "open the output directory");
    }
    return status;
}

/* Fails only if the run could not start. */
static OpprofStatus run_stages(OpprofPipeline *pipeline, OpprofError **error)
{
    OpprofStatus status = RunnerStart(pipeline, error);
    uint32_t started = 0;

    if (status == OPPROF_OK) {
        EarlyRecordWriteRunning(pipeline->early);
        pipeline->is_recorded = pipeline->early != NULL;
        status = RunnerStartThreads(pipeline, &started, error);
        WatchdogRun(pipeline);
        RunnerJoinThreads(pipeline, started);
    }
    RunnerStop(pipeline);
    return status;
}

OpprofStatus RunAllPlugins(OpprofPipeline *pipeline, OpprofRunReport *report, OpprofError **error)
{
    OpprofRunReport own = { 0 };
    OpprofError *unwritten = NULL;
    OpprofStatus status = OpprofPipelineValidate(pipeline, error);
    OpprofStatus written, failed;

    if (report != NULL) {
        *report = own;
    }
    if (status != OPPROF_OK) {
        return status;
    }
    if (pipeline->started_ns != 0) {
        return OpprofErrorSet(error, OPPROF_E_CONTRACT, "A pipeline can be run only once");
    }
    if (pipeline->replay_count > 0) {
        status = ReplayDropIdle(pipeline, error);
        if (status != OPPROF_OK) {
            return status;
        }
    }
    status = open_output(pipeline, error);
    if (status != OPPROF_OK) {
        return status;
    }
    pipeline->started_wall = (uint64_t) time(NULL);
    pipeline->early = EarlyRecordCreate(pipeline);
    CrashSetRecord(pipeline->early);
    status = run_stages(pipeline, error);
    CrashSetRecord(NULL);
    if (status != OPPROF_OK) {
        if (pipeline->is_recorded) {
            OutputDirectoryRemoveFile(pipeline->run.output, "run.json");
        }
        OutputDirectoryRemoveEmpty(pipeline->run.output);
        return status;
    }
    written = sum_up(pipeline, report != NULL ? report : &own, &unwritten);
    failed = take_failure(pipeline, error);
    OpprofRunReportFinish(&own);
    if (failed != OPPROF_OK || written == OPPROF_OK) {
        OpprofErrorDestroy(unwritten);
        return failed;
    }
    return OpprofErrorPass(error, unwritten);
}

const char *OpprofPipelineRecord(const OpprofPipeline *pipeline)
{
    return pipeline->record;
}

OpprofStatus OpprofPipelineCopyRecord(const OpprofPipeline *pipeline, const char *path,
                                      OpprofError **error)
{
    OpprofStatus status;
    FILE *out = NULL;

    if (pipeline->record == NULL) {
        return OpprofErrorSet(error, OPPROF_E_CONTRACT, "A pipeline has no record before it ran");
    }
    status = OutputDirectoryCheckOther(pipeline->run.output, path, error);
    if (status == OPPROF_OK) {
        status = WriteFileOpen(path, &out, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    if (fprintf(out, "%s\n", pipeline->record) < 0) {
        status = OpprofErrorSet(error, OPPROF_E_IO, "Cannot write '%s': %m", path);
    }
    if (fclose(out) != 0 && status == OPPROF_OK) {
        status = OpprofErrorSet(error, OPPROF_E_IO, "Cannot write '%s': %m", path);
    }
    return status;
}
