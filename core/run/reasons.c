/* SPDX-License-Identifier: Apache-2.0 */
/* Why results lack something: what stages said, and requests that cut the run. Tested by
 * tests/core/run/test_runner. */
#include "run/reasons.h"

#include "run/stage_run.h"

#include <opprof/grow.h>
#include <opprof/require.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

/* Reasons collected as lines. */
typedef struct Lines {
    char *text;
    size_t length;
    size_t capacity;
    bool no_memory;
} Lines;

static void add_line(Lines *lines, const char *line)
{
    size_t length = strlen(line);

    if (!OpprofGrow(&lines->text, &lines->capacity, lines->length + length + 2, 1)) {
        lines->no_memory = true;
        return;
    }
    if (lines->length > 0) {
        lines->text[lines->length++] = '\n';
    }
    memcpy(lines->text + lines->length, line, length + 1);
    lines->length += length;
}

static void add_reason(Lines *lines, const StageNode *node, uint32_t index)
{
    char *line = MessagesLine(&node->incomplete, index);
    const char *reason = line != NULL ? line : node->incomplete.list[index].text;
    char *text = ProblemText("Stage '%s': %s", node->id, reason);

    add_line(lines, text != NULL ? text : reason);
    free(text);
    free(line);
}

static void add_stage_reasons(Lines *lines, StageNode *node)
{
    MessagesSort(&node->incomplete);
    for (uint32_t i = 0; i < node->instance_count; i++) {
        if (!StageWasGivenUp(node->instances[i]) && node->instances[i]->error != NULL) {
            char *text = OpprofErrorText(node->instances[i]->error, false);
            add_line(lines, text != NULL ? text : OpprofErrorMessage(node->instances[i]->error));
            free(text);
        }
    }
    for (uint32_t i = 0; i < node->incomplete.count; i++) {
        if (!MessagesAreCounted(&node->incomplete, i)) {
            add_reason(lines, node, i);
        }
    }
    if (MessagesLost(&node->incomplete) > 0) {
        const unsigned long long lost = MessagesLost(&node->incomplete);
        char *text = node->incomplete.count == 0
                         ? ProblemText("Stage '%s': Cannot keep %llu %s: out of memory", node->id,
                                       lost, OPPROF_PLURAL(lost, "reason", "reasons"))
                         : ProblemText("Stage '%s': %llu more like these", node->id, lost);
        add_line(lines, text != NULL ? text : node->id);
        free(text);
    }
}

/* Of a stage of which other threads may still add some. */
static void add_locked_reasons(Lines *lines, StageNode *node)
{
    pthread_mutex_lock(&node->lock);
    add_stage_reasons(lines, node);
    pthread_mutex_unlock(&node->lock);
}

/* Its threads have ended, so that what they left may be read while others still run. */
static bool has_ended(const StageNode *node)
{
    return atomic_load(&node->running) == 0 && node->plugin->kind != OPPROF_EXPORTER;
}

OpprofStatus OpprofStageMissing(const OpprofStage *stage, char **ret_reasons)
{
    REQUIRE_STAGE(stage);
    OPPROF_REQUIRE("stage-result-given", ret_reasons != NULL, "The result pointer is given");

    const OpprofPipeline *pipeline = stage->node->run->pipeline;
    const char *why = atomic_load(&pipeline->stop_why);
    bool is_cut = false;
    Lines lines = { 0 };

    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        StageNode *node = pipeline->nodes[n];

        if (has_ended(node)) {
            add_locked_reasons(&lines, node);
            is_cut = is_cut || atomic_load(&node->end) >= OPPROF_DATA_STREAM_CUT;
        }
    }
    if (is_cut && lines.text == NULL) {
        add_line(&lines, why != NULL ? why : "The run was cut short");
    }
    *ret_reasons = lines.text;
    return lines.no_memory ? OPPROF_E_MEMORY : OPPROF_OK;
}

/* Marks the stages that lead to the marked ones. Readers stand after them in `order`. */
static void mark_producers(const OpprofPipeline *pipeline, bool *marked)
{
    for (uint32_t i = pipeline->node_count; i > 0; i--) {
        const uint32_t at = pipeline->graph.order[i - 1];

        for (size_t l = 0; marked[at] && l < pipeline->graph.link_count; l++) {
            const GraphLink *link = &pipeline->graph.links[l];

            marked[link->from_stage] = marked[link->from_stage] || link->to_stage == at;
        }
    }
}

OpprofStatus ReasonsBefore(const StageNode *node, char **ret_reasons)
{
    const OpprofPipeline *pipeline = node->run->pipeline;
    bool *marked = calloc((size_t) pipeline->node_count + 1, sizeof *marked);
    Lines lines = { .no_memory = marked == NULL };

    for (uint32_t n = 0; marked != NULL && n < pipeline->node_count; n++) {
        marked[n] = pipeline->nodes[n] == node;
    }
    if (marked != NULL) {
        mark_producers(pipeline, marked);
    }
    for (uint32_t n = 0; marked != NULL && n < pipeline->node_count; n++) {
        if (marked[n] && pipeline->nodes[n] != node) {
            add_locked_reasons(&lines, pipeline->nodes[n]);
        }
    }
    free(marked);
    *ret_reasons = lines.text;
    return lines.no_memory ? OPPROF_E_MEMORY : OPPROF_OK;
}

/* A request that came after everything was done has cut nothing. */
bool ReasonsWasCut(const OpprofPipeline *pipeline)
{
    bool cut = false;

    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        cut = cut || atomic_load(&pipeline->nodes[n]->end) >= OPPROF_DATA_STREAM_CUT;
    }
    return cut;
}

char *ReasonsOfRun(const OpprofPipeline *pipeline, bool *ret_no_memory)
{
    const char *why = atomic_load(&pipeline->stop_why);
    Lines lines = { 0 };

    if (why != NULL && ReasonsWasCut(pipeline)) {
        char *text =
            ProblemText("The run was %s: %s",
                        atomic_load(&pipeline->run.aborted) ? "aborted" : "cut short", why);
        add_line(&lines, text != NULL ? text : why);
        free(text);
    }
    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        add_stage_reasons(&lines, pipeline->nodes[n]);
    }
    *ret_no_memory = lines.no_memory;
    return lines.text;
}
