/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report of a run: to the caller, and in run.json.
 * Tested by tests/core/run/test_runner.
 */
#include "report/report.h"
#include "report/summary.h"
#include "run/reasons.h"

#include <opprof/grow.h>
#include <opprof/json.h>
#include <opprof/present.h>
#include <opprof/require.h>
#include <opprof/text.h>
#include <opprof/version.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the report for the caller ---- */

static OpprofRunOutcome find_outcome(const OpprofPipeline *pipeline, const char *reason)
{
    if (atomic_load(&pipeline->run.aborted)) {
        return OPPROF_RUN_ABORTED;
    }
    if (atomic_load(&pipeline->first_failure) != NULL) {
        return OPPROF_RUN_FAILED;
    }
    return reason != NULL ? OPPROF_RUN_INCOMPLETE : OPPROF_RUN_COMPLETE;
}

char *OpprofPipelineTakeShown(OpprofPipeline *pipeline)
{
    return pipeline->run.summary == NULL ? NULL : SummaryTakeShown(pipeline->run.summary);
}

/* The first of a kind was reported when it came; now follows how many others there were. */
static void log_counts(const StageNode *node, StageMessages *warnings)
{
    MessagesSort(warnings);
    for (uint32_t i = 0; i < warnings->count; i++) {
        char *line = MessagesAlike(warnings, i) > 0 ? MessagesLine(warnings, i) : NULL;

        if (line != NULL) {
            OpprofLog(OPPROF_LOG_WARNING, node->id, "%s", line);
        }
        free(line);
    }
}

OpprofStatus ReportMake(OpprofPipeline *pipeline, OpprofRunReport *report, OpprofError **error)
{
    bool no_memory = false;
    size_t slowest = 0;

    *report = (OpprofRunReport){ .elapsed_ns = pipeline->ended_ns - pipeline->started_ns };
    report->stages = calloc(pipeline->node_count, sizeof *report->stages);
    report->output_path = strdup(OpprofOutputDirectoryPath(pipeline->run.output));
    report->shown = SummaryTakeShown(pipeline->run.summary);
    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        log_counts(pipeline->nodes[n], &pipeline->nodes[n]->warnings);
    }
    no_memory = !SummaryTake(pipeline->run.summary, &report->tables, &report->table_count);
    if (!no_memory) {
        report->reason = ReasonsOfRun(pipeline, &no_memory);
    }
    if (report->stages == NULL || report->output_path == NULL || no_memory) {
        OpprofRunReportFinish(report);
        return OpprofErrorNoMemory(error, "report on the run");
    }
    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        report->stages[n] = StageNodeSum(pipeline->nodes[n]);
        if (report->stages[n].busiest_ns > report->stages[slowest].busiest_ns) {
            slowest = n;
        }
    }
    report->stage_count = pipeline->node_count;
    report->hanging = pipeline->given_up;
    report->stages[slowest].bottleneck = true;
    report->outcome = find_outcome(pipeline, report->reason);
    return OPPROF_OK;
}

void OpprofRunReportFinish(OpprofRunReport *report)
{
    if (report != NULL) {
        free(report->stages);
        free(report->output_path);
        free(report->reason);
        SummaryFreeTables(report->tables, report->table_count);
        free(report->shown);
        *report = (OpprofRunReport){ 0 };
    }
}

/* ---- the record in run.json ---- */

/* A text from outside need not be UTF-8, which JSON wants. */
static json_t *any_text(const char *text, size_t length)
{
    json_t *value = json_stringn(text, length);
    char *escaped;

    if (value != NULL) {
        return value;
    }
    escaped = malloc(OPPROF_TEXT_JSON_ROOM(length));
    if (escaped != NULL) {
        size_t used = (size_t) (OpprofTextPutJson(escaped, text, length) - escaped);
        value = OpprofJsonValue(escaped, used, JSON_DECODE_ANY);
        free(escaped);
    }
    return value;
}

static json_t *text(const char *value)
{
    return value == NULL ? json_null() : any_text(value, strlen(value));
}

/* jansson refuses NULL values, so one look at each result finds every lack of memory on the way. */
static void put(bool *good, json_t *object, const char *key, json_t *value)
{
    *good = json_object_set_new(object, key, value) == 0 && *good;
}

static void append(bool *good, json_t *array, json_t *value)
{
    *good = json_array_append_new(array, value) == 0 && *good;
}

static const char *outcome_name(OpprofRunOutcome outcome)
{
    static const char *const names[] = { [OPPROF_RUN_COMPLETE] = "complete",
                                         [OPPROF_RUN_INCOMPLETE] = "incomplete",
                                         [OPPROF_RUN_FAILED] = "failed",
                                         [OPPROF_RUN_ABORTED] = "aborted" };

    return names[outcome];
}

static const char *end_name(int end)
{
    static const char *const names[] = { "open", "complete", "cut", "failed", "aborted" };

    return names[end >= 0 && end < 5 ? end : 0];
}

static json_t *texts(bool *good, const StageMessages *messages)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < messages->count; i++) {
        const char *text = messages->list[i].text;

        append(good, array, any_text(text, strlen(text)));
    }
    return array;
}

static json_t *counts(bool *good, const StageNode *node)
{
    json_t *object = json_object();

    for (uint32_t i = 0; i < node->instance_count; i++) {
        const OpprofStage *stage = node->instances[i];

        for (uint32_t c = 0; c < stage->counter_count; c++) {
            json_t *name = text(stage->counters[c].name);
            const char *key = json_string_value(name);
            json_int_t before = json_integer_value(json_object_get(object, key));

            put(good, object, key, json_integer(before + (json_int_t) stage->counters[c].value));
            json_decref(name);
        }
    }
    return object;
}

static json_t *count(uint64_t value)
{
    return json_integer((json_int_t) value);
}

static json_t *stage_head(bool *good, const StageNode *node)
{
    json_t *object = json_object();

    put(good, object, "id", text(node->id));
    put(good, object, "plugin", text(node->plugin->name));
    put(good, object, "version", text(node->plugin->version));
    if (node->plugin_path != NULL) {
        put(good, object, "module", text(node->plugin_path));
    }
    put(good, object, "critical", json_boolean(node->critical));
    put(good, object, "params", ParamToJson(node->params));
    return object;
}

static json_t *stage_record(bool *good, const StageNode *node, const OpprofStageReport *sum)
{
    json_t *object = stage_head(good, node);

    put(good, object, "end", json_string(end_name(atomic_load(&node->end))));
    put(good, object, "failed", json_boolean(sum->failed));
    put(good, object, "instances", count(sum->instances));
    put(good, object, "records_in", count(sum->records_in));
    put(good, object, "records_out", count(sum->records_out));
    put(good, object, "bytes_in", count(sum->bytes_in));
    put(good, object, "bytes_out", count(sum->bytes_out));
    put(good, object, "busy_ns", count(sum->busy_ns));
    put(good, object, "cpu_ns", count(sum->cpu_ns));
    put(good, object, "wait_in_ns", count(sum->wait_in_ns));
    put(good, object, "wait_out_ns", count(sum->wait_out_ns));
    put(good, object, "held_peak_bytes", count(sum->held_peak_bytes));
    put(good, object, "held_bytes", count(sum->held_bytes));
    put(good, object, "held_batches", count(sum->held_batches));
    put(good, object, "bottleneck", json_boolean(sum->bottleneck));
    put(good, object, "counts", counts(good, node));
    put(good, object, "warnings", texts(good, &node->warnings));
    put(good, object, "incomplete", texts(good, &node->incomplete));
    return object;
}

/* Statistics of the streams of an output port, all routes together. */
static json_t *port_queues(bool *good, const OutputPort *output)
{
    json_t *array = json_array();

    for (uint32_t r = 0; r < output->route_count; r++) {
        const Route *route = &output->routes[r];
        uint64_t batches = 0, waited = 0, peak = 0;

        for (uint32_t s = 0; s < route->stream_count; s++) {
            OpprofDataStreamStats stats;

            OpprofDataStreamGetStats(route->streams[s], &stats);
            batches += stats.batches;
            waited += stats.push_wait_ns;
            peak = stats.queued_peak > peak ? stats.queued_peak : peak;
        }
        append(good, array,
               json_pack("{s:i, s:I, s:I, s:I}", "queues", (int) route->stream_count, "batches",
                         (json_int_t) batches, "push_wait_ns", (json_int_t) waited, "queued_peak",
                         (json_int_t) peak));
    }
    return array;
}

static json_t *links_record(bool *good, const OpprofPipeline *pipeline)
{
    json_t *array = json_array();

    for (size_t i = 0; i < pipeline->graph.link_count; i++) {
        const GraphLink *link = &pipeline->graph.links[i];
        const StageNode *from = pipeline->nodes[link->from_stage];
        const StageNode *to = pipeline->nodes[link->to_stage];
        const OutputPort *output = &from->outputs[link->from_port];
        json_t *object = json_object();

        put(good, object, "from",
            json_sprintf("%s.%s", from->id, from->plugin->outputs[link->from_port].name));
        put(good, object, "to",
            json_sprintf("%s.%s", to->id, to->plugin->inputs[link->to_port].name));
        put(good, object, "type", text(output->type->name));
        put(good, object, "queues", port_queues(good, output));
        append(good, array, object);
    }
    return array;
}

static json_t *reasons_record(bool *good, const char *reason)
{
    json_t *array = json_array();

    while (reason != NULL && *reason != '\0') {
        size_t length = strcspn(reason, "\n");

        append(good, array, any_text(reason, length));
        reason += length + (reason[length] == '\n' ? 1 : 0);
    }
    return array;
}

/* Each finished file, and whether it may be incomplete. */
static json_t *files_record(bool *good, const OpprofPipeline *pipeline)
{
    json_t *array = json_array();
    const OutputRecord *files;
    size_t file_count;

    OutputDirectoryFiles(pipeline->run.output, &files, &file_count);
    for (size_t i = 0; i < file_count; i++) {
        json_t *object = json_object();

        put(good, object, "path", text(files[i].path));
        put(good, object, "bytes", count(files[i].bytes));
        put(good, object, "stage", text(files[i].owner));
        put(good, object, "partial", json_boolean(VerdictIsPartial(pipeline, &files[i])));
        append(good, array, object);
    }
    return array;
}

static const OpprofSummaryTable *find_advice(const OpprofRunReport *report)
{
    for (size_t i = 0; i < report->table_count; i++) {
        if (report->tables[i].type == &opprof_advice_type) {
            return &report->tables[i];
        }
    }
    return NULL;
}

/* By subject, then by sentence; whatever was ready first. */
static int by_subject(const void *a, const void *b)
{
    const OpprofSummaryRow *x = a;
    const OpprofSummaryRow *y = b;
    const int order = strverscmp(x->folder, y->folder);

    return order != 0 ? order : strcmp(x->cells, y->cells);
}

static json_t *text_or_null(const char *value)
{
    return text(value[0] == '\0' ? NULL : value);
}

/* Of a piece of advice. */
static bool is_number(const char *member)
{
    static const char *const numbers[] = { "value", "gain", "gain_us", "whole_us", "start_us" };

    for (size_t i = 0; i < OPPROF_COUNT(numbers); i++) {
        if (strcmp(member, numbers[i]) == 0) {
            return true;
        }
    }
    return false;
}

static json_t *number_or_null(const char *value)
{
    return value[0] == '\0' ? json_null() : json_real(strtod(value, NULL));
}

/* Cells are the sentence and those of summary_advice. */
static json_t *advice_row(bool *good, const OpprofSummaryRow *row)
{
    const char *cell = row->cells + strlen(row->cells) + 1;
    json_t *object = json_object();

    put(good, object, "subject", text_or_null(row->folder));
    put(good, object, "sentence", text(row->cells));
    for (size_t i = 0; summary_advice[i] != NULL; i++) {
        const char *name = summary_advice[i];

        put(good, object, name, is_number(name) ? number_or_null(cell) : text_or_null(cell));
        cell += strlen(cell) + 1;
    }
    return object;
}

static json_t *advice_record(bool *good, const OpprofRunReport *report)
{
    const OpprofSummaryTable *advice = find_advice(report);
    json_t *array = json_array();

    if (advice != NULL && advice->count > 0) {
        qsort(advice->rows, advice->count, sizeof *advice->rows, by_subject);
    }
    for (uint32_t i = 0; advice != NULL && i < advice->count; i++) {
        append(good, array, advice_row(good, &advice->rows[i]));
    }
    return array;
}

/* Facts of a run before it begins. */
static json_t *head_record(bool *good, const OpprofPipeline *pipeline)
{
    json_t *root = json_object();
    char started[32] = "";
    time_t when = (time_t) pipeline->started_wall;
    struct tm split;

    if (gmtime_r(&when, &split) != NULL) {
        strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", &split);
    }
    put(good, root, "opprof_run", json_string("1.0"));
    put(good, root, "version", json_string(OpprofVersion()));
    put(good, root, "abi", json_sprintf("%d.%d", OPPROF_ABI_MAJOR, OPPROF_ABI_MINOR));
    put(good, root, "pipeline", text(pipeline->name));
    put(good, root, "started", json_string(started));
    return root;
}

/* What is known of the document. */
static void put_document(bool *good, json_t *root, const OpprofPipeline *pipeline)
{
    if (pipeline->vars != NULL) {
        put(good, root, "vars", json_incref(pipeline->vars));
        put(good, root, "left_out", json_incref(pipeline->left_out));
    }
}

static char *print_record(bool good, json_t *root)
{
    char *record = good ? OpprofJsonText(root, JSON_INDENT(2) | JSON_ENSURE_ASCII) : NULL;

    json_decref(root);
    return record;
}

char *ReportHead(const OpprofPipeline *pipeline)
{
    bool good = true;
    json_t *root = head_record(&good, pipeline);
    json_t *stages = json_array();

    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        append(&good, stages, stage_head(&good, pipeline->nodes[n]));
    }
    put_document(&good, root, pipeline);
    put(&good, root, "stages", stages);
    return print_record(good, root);
}

char *ReportRecord(const OpprofPipeline *pipeline, const OpprofRunReport *report)
{
    bool good = true;
    json_t *root = head_record(&good, pipeline);
    json_t *stages = json_array();

    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        append(&good, stages, stage_record(&good, pipeline->nodes[n], &report->stages[n]));
    }
    put(&good, root, "elapsed_ns", count(report->elapsed_ns));
    put(&good, root, "outcome", json_string(outcome_name(report->outcome)));
    put(&good, root, "complete", json_boolean(report->outcome == OPPROF_RUN_COMPLETE));
    put(&good, root, "cut", json_boolean(ReasonsWasCut(pipeline)));
    put(&good, root, "reasons", reasons_record(&good, report->reason));
    put_document(&good, root, pipeline);
    put(&good, root, "advice", advice_record(&good, report));
    put(&good, root, "files", files_record(&good, pipeline));
    put(&good, root, "stages", stages);
    put(&good, root, "links", links_record(&good, pipeline));
    return print_record(good, root);
}
