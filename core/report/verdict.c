/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges a finished run: which stages brought nothing, and whose files may lack data.
 * Tested by tests/core/run/test_runner.
 */
#include "report/report.h"

#include "base/printed.h"
#include "output/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTE "INCOMPLETE.txt"

static bool lacks_something(const StageNode *node)
{
    return atomic_load(&node->failed) || atomic_load(&node->end) >= OPPROF_DATA_STREAM_CUT ||
           node->incomplete.count > 0 || node->incomplete.dropped > 0;
}

static bool is_read(const StageNode *node)
{
    for (uint32_t port = 0; port < node->plugin->output_count; port++) {
        if (node->outputs[port].route_count > 0) {
            return true;
        }
    }
    return false;
}

/*
 * A collector without data explains itself; one that does not must not look as if all were well. Of
 * several, each takes what it knows of the input; a recording stands for one, and so does a stage
 * that gives records though none came to it.
 */
static void note_empty_collectors(OpprofPipeline *pipeline)
{
    StageNode *empty = NULL;

    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        StageNode *node = pipeline->nodes[n];
        const bool is_collector = node->plugin->kind == OPPROF_COLLECTOR;
        const OpprofStageReport sum = StageNodeSum(node);

        if ((node->is_own || is_read(node)) && sum.records_in == 0) {
            if (sum.records_out > 0 || (is_collector && (node->is_own || lacks_something(node)))) {
                return;
            }
            empty = is_collector ? node : empty;
        }
    }
    if (empty != NULL) {
        OpprofStageIncomplete(empty->instances[0],
                              "No records came in, and the stage gave no reason");
    }
}

static bool is_exporter(const StageNode *node)
{
    return node->plugin->kind == OPPROF_EXPORTER && !node->is_own;
}

/* One exporter may have nothing to write; a run in which none has anything gave no results. */
static void note_empty_results(OpprofPipeline *pipeline)
{
    StageNode *exporter = NULL;
    uint64_t arrived = 0;
    bool explained = false;

    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        StageNode *node = pipeline->nodes[n];

        explained = explained || lacks_something(node);
        if (is_exporter(node)) {
            arrived += StageNodeSum(node).records_in;
            exporter = exporter == NULL ? node : exporter;
        }
    }
    if (exporter != NULL && arrived == 0 && !explained) {
        OpprofStageIncomplete(
            exporter->instances[0],
            "No results were written: no records reached a stage that writes them");
    }
}

/* Stages that read from an incomplete one are incomplete too. Stages stand before their readers in
 * `order`. */
static void spread_lacks(OpprofPipeline *pipeline)
{
    for (uint32_t i = 0; i < pipeline->node_count; i++) {
        const uint32_t at = pipeline->graph.order[i];

        pipeline->nodes[at]->partial = lacks_something(pipeline->nodes[at]);
        for (size_t l = 0; l < pipeline->graph.link_count; l++) {
            const GraphLink *link = &pipeline->graph.links[l];

            if (link->to_stage == at && pipeline->nodes[link->from_stage]->partial) {
                pipeline->nodes[at]->partial = true;
            }
        }
    }
}

void VerdictMake(OpprofPipeline *pipeline)
{
    if (!atomic_load(&pipeline->run.aborted)) {
        note_empty_collectors(pipeline);
        note_empty_results(pipeline);
    }
    spread_lacks(pipeline);
}

bool VerdictIsPartial(const OpprofPipeline *pipeline, const OutputRecord *file)
{
    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        if (file->owner != NULL && strcmp(pipeline->nodes[n]->id, file->owner) == 0) {
            return pipeline->nodes[n]->partial;
        }
    }
    return false;
}

/* The lines of a text, indented below a heading. */
static void put_lines(FILE *out, const char *text)
{
    while (text != NULL && *text != '\0') {
        const size_t length = strcspn(text, "\n");

        fprintf(out, "\n  %.*s", (int) length, text);
        text += length + (text[length] == '\n' ? 1 : 0);
    }
}

OpprofStatus VerdictWriteNote(const OpprofPipeline *pipeline, const OpprofRunReport *report,
                              OpprofError **error)
{
    Printed note;
    FILE *out = PrintedOpen(&note);
    char *text;
    size_t count;
    const OutputRecord *files;
    OpprofStatus status = OPPROF_OK;
    bool any_is_partial = false;

    if (out == NULL) {
        return OpprofErrorNoMemory(error, "write '" NOTE "'");
    }
    fputs("This run did not complete:", out);
    put_lines(out, report->reason);
    fputs("\n\nFiles that may lack data:", out);
    OutputDirectoryFiles(pipeline->run.output, &files, &count);
    for (size_t i = 0; i < count; i++) {
        const bool is_partial = VerdictIsPartial(pipeline, &files[i]);

        put_lines(out, is_partial ? files[i].path : NULL);
        any_is_partial = any_is_partial || is_partial;
    }
    text = PrintedTake(&note);
    if (text == NULL) {
        status = OpprofErrorNoMemory(error, "write '" NOTE "'");
    } else if (report->outcome == OPPROF_RUN_COMPLETE || !any_is_partial) {
        OutputDirectoryRemoveFile(pipeline->run.output, NOTE);
    } else {
        status = OutputDirectoryWrite(pipeline->run.output, NOTE, text, error);
    }
    free(text);
    return status;
}
