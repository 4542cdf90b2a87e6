/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is replayed, and the graph with recordings in it.
 * Tested by tests/e2e/record_replay.sh.
 */
#include "recording/replay.h"

#include "recording/recording.h"
#include "run/nodes.h"

#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

/* The type of a port in the plugin and in a recording: the fields that a reader of the one expects
 * lie where they do in the other. */
static bool is_same_layout(const OpprofRecordType *a, const OpprofRecordType *b)
{
    if (a->version != b->version || a->size != b->size || strcmp(a->name, b->name) != 0 ||
        a->field_count != b->field_count) {
        return false;
    }
    for (uint32_t f = 0; f < a->field_count; f++) {
        if (strcmp(a->fields[f].name, b->fields[f].name) != 0 ||
            a->fields[f].kind != b->fields[f].kind || a->fields[f].offset != b->fields[f].offset) {
            return false;
        }
    }
    return true;
}

static const PipelineReplay *find_replay(const OpprofPipeline *pipeline, const char *stage,
                                         const char *port)
{
    const size_t length = strlen(stage);

    for (uint32_t i = 0; i < pipeline->replay_count; i++) {
        const char *link = pipeline->replays[i].link;

        if (strncmp(link, stage, length) == 0 && link[length] == '.' &&
            strcmp(link + length + 1, port) == 0) {
            return &pipeline->replays[i];
        }
    }
    return NULL;
}

/* The replay of a link, which may be new; NULL without memory. */
static PipelineReplay *replay_for(OpprofPipeline *pipeline, const char *link)
{
    PipelineReplay replay = { .node = RECORDING_NONE };

    for (uint32_t i = 0; i < pipeline->replay_count; i++) {
        if (strcmp(pipeline->replays[i].link, link) == 0) {
            return &pipeline->replays[i];
        }
    }
    replay.link = strdup(link);
    if (replay.link == NULL ||
        !OpprofGrow32(&replay.sources, &replay.source_capacity, 1, sizeof *replay.sources) ||
        !OpprofGrow32(&pipeline->replays, &pipeline->replay_capacity,
                      (size_t) pipeline->replay_count + 1, sizeof replay)) {
        free(replay.link);
        free(replay.sources);
        return NULL;
    }
    pipeline->replays[pipeline->replay_count] = replay;
    return &pipeline->replays[pipeline->replay_count++];
}

/* The link takes the recording after those that it has. */
static OpprofStatus check_source(const PipelineReplay *replay, const ReplaySource *source,
                                 OpprofError **error)
{
    for (uint32_t i = 0; i < replay->source_count; i++) {
        if (strcmp(replay->sources[i].file, source->file) == 0 &&
            replay->sources[i].from == source->from) {
            return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                  "The link '%s' is replayed from '%s' already", replay->link,
                                  source->file);
        }
    }
    return replay->source_count == 0 ||
                   is_same_layout(RecordingAbout(replay->sources[0].recording)->type,
                                  RecordingAbout(source->recording)->type)
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                "'%s' and '%s' hold records of '%s' with different fields",
                                replay->sources[0].file, source->file, replay->link);
}

/* Takes over what the source owns. */
static OpprofStatus add_source(OpprofPipeline *pipeline, const char *link, ReplaySource *source,
                               OpprofError **error)
{
    OpprofStatus status = OPPROF_E_MEMORY;
    PipelineReplay *replay = NULL;

    if (strchr(link, '.') == NULL) {
        status = OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                "'%s' is not a link to replay from '%s': write STAGE.PORT", link,
                                source->file);
    } else if (source->file != NULL && (replay = replay_for(pipeline, link)) != NULL &&
               OpprofGrow32(&replay->sources, &replay->source_capacity,
                            (size_t) replay->source_count + 1, sizeof *source)) {
        status = check_source(replay, source, error);
    }
    if (status == OPPROF_OK && replay->source_count > 0) {
        const ReplaySource *last = &replay->sources[replay->source_count - 1];

        source->before = last->before + last->end - last->from;
        if (source->from > 0) {
            RecordingDestroy(source->recording);
            source->recording = NULL;
        }
    }
    if (status == OPPROF_OK) {
        replay->sources[replay->source_count++] = *source;
        return OPPROF_OK;
    }
    RecordingDestroy(source->recording);
    free(source->file);
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "replay a recording") : status;
}

OpprofStatus ReplayAdd(OpprofPipeline *pipeline, const char *link, const char *file,
                       OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    uint64_t size = 1;

    for (uint64_t from = 0; status == OPPROF_OK && from < size;) {
        ReplaySource source = { .from = from };

        status = ReplayOpen(file, from, &source.recording, error);
        if (status != OPPROF_OK) {
            return status;
        }
        from = source.end = RecordingEndOf(source.recording);
        RecordingPlace(source.recording, &size);
        if (link != NULL && from < size) {
            RecordingDestroy(source.recording);
            return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                  "'%s' holds several recordings: replay it without '%s='", file,
                                  link);
        }
        source.file = strdup(file);
        status = add_source(pipeline, link != NULL ? link : RecordingAbout(source.recording)->link,
                            &source, error);
    }
    return status;
}

void ReplayFinish(OpprofPipeline *pipeline)
{
    for (uint32_t i = 0; i < pipeline->replay_count; i++) {
        PipelineReplay *replay = &pipeline->replays[i];

        for (uint32_t s = 0; s < replay->source_count; s++) {
            RecordingDestroy(replay->sources[s].recording);
            free(replay->sources[s].file);
        }
        free(replay->sources);
        free(replay->link);
    }
    for (uint32_t i = 0; i < pipeline->idle_count; i++) {
        StageNodeDestroy(pipeline->idle_nodes[i]);
    }
    free(pipeline->replays);
    free(pipeline->idle_nodes);
}

const OpprofRecordType *ReplayType(const OpprofPipeline *pipeline, const char *stage,
                                   const char *port)
{
    const PipelineReplay *replay = find_replay(pipeline, stage, port);

    return replay == NULL ? NULL : RecordingAbout(replay->sources[0].recording)->type;
}

/* ---- the graph with recordings in it ---- */

/* The recording that stands for the output that a link comes from; NULL: none does. */
static const PipelineReplay *replay_of(const OpprofPipeline *pipeline, const GraphStage *stages,
                                       const GraphLink *link)
{
    const GraphStage *from = &stages[link->from_stage];

    return find_replay(pipeline, from->id, from->plugin->outputs[link->from_port].name);
}

/* Whether recordings stand for what the stage knows of each partition: see OPPROF_PORT_PARTIAL. */
static bool is_joining(const OpprofPipeline *pipeline, const GraphStage *stage)
{
    const uint32_t count = stage->plugin == NULL ? 0 : stage->plugin->input_count;

    for (uint32_t i = 0; i < count; i++) {
        const OpprofPort *input = &stage->plugin->inputs[i];

        if ((input->flags & OPPROF_PORT_PARTIAL) != 0 &&
            find_replay(pipeline, stage->id, input->name) != NULL) {
            return true;
        }
    }
    return false;
}

/* Whether the stage gives something, and all of it is replayed or goes to idle stages, or to those
 * that take recordings instead. */
static bool gives_nothing(const OpprofPipeline *pipeline, const GraphStage *stages,
                          const Graph *graph, const bool *idle, uint32_t stage)
{
    bool gives = false;

    for (size_t i = 0; i < graph->link_count; i++) {
        const GraphLink *link = &graph->links[i];

        if (link->from_stage != stage) {
            continue;
        }
        if (!idle[link->to_stage] && replay_of(pipeline, stages, link) == NULL &&
            !is_joining(pipeline, &stages[link->to_stage])) {
            return false;
        }
        gives = true;
    }
    return gives;
}

void ReplayFindIdle(const OpprofPipeline *pipeline, const GraphStage *stages, const Graph *graph,
                    bool *idle)
{
    bool changed = pipeline->replay_count > 0;

    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < graph->stage_count; i++) {
            const OpprofPlugin *plugin = stages[i].plugin;

            if (!idle[i] && plugin != NULL && plugin->kind != OPPROF_EXPORTER &&
                gives_nothing(pipeline, stages, graph, idle, i)) {
                idle[i] = changed = true;
            }
        }
    }
}

/* A link of the graph that comes from the replay's port; NULL if none. */
static const GraphLink *find_link(const OpprofPipeline *pipeline, const PipelineReplay *replay,
                                  const GraphStage *stages)
{
    for (size_t i = 0; i < pipeline->graph.link_count; i++) {
        if (replay_of(pipeline, stages, &pipeline->graph.links[i]) == replay) {
            return &pipeline->graph.links[i];
        }
    }
    return NULL;
}

/* Names a link that could have been meant. */
static void report_unread(const OpprofPipeline *pipeline, const PipelineReplay *replay,
                          const GraphStage *stages, Problems *problems)
{
    const Graph *graph = &pipeline->graph;
    const char **names = calloc(graph->link_count + 1, sizeof *names);
    size_t count = 0;

    problems->no_memory |= names == NULL;
    for (size_t i = 0; names != NULL && i < graph->link_count; i++) {
        const GraphLink *link = &graph->links[i];
        const GraphStage *from = &stages[link->from_stage];
        const char *name =
            ProblemsText(problems, "%s.%s", from->id, from->plugin->outputs[link->from_port].name);
        bool is_known = false;

        for (size_t n = 0; n < count && !is_known; n++) {
            is_known = strcmp(names[n], name) == 0;
        }
        if (!is_known) {
            names[count++] = name;
        }
    }
    ProblemsAddName(
        problems, ProblemsText(problems, "recording '%s'", replay->sources[0].file),
        ProblemsText(problems, "no stage of the pipeline reads a link '%s'", replay->link),
        replay->link, &(NameList){ "Links", names, count });
    free(names);
}

OpprofStatus ReplayAddStages(OpprofPipeline *pipeline, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; i < pipeline->replay_count && status == OPPROF_OK; i++) {
        PipelineReplay *replay = &pipeline->replays[i];
        char id[32];

        if (replay->node != RECORDING_NONE) {
            continue;
        }
        snprintf(id, sizeof id, REPLAY_ID "%u", i + 1);
        status = NodesAddOwn(pipeline, id, &replay_plugin, replay->sources[0].file, error);
        replay->node = status == OPPROF_OK ? pipeline->node_count - 1 : RECORDING_NONE;
    }
    return status;
}

static void check_layout(const PipelineReplay *replay, const OpprofPort *output, Problems *problems)
{
    const OpprofRecordType *now = output->record_type;
    const OpprofRecordType *then = RecordingAbout(replay->sources[0].recording)->type;

    if (now == NULL || is_same_layout(now, then)) {
        return;
    }
    ProblemsAdd(
        problems, ProblemsText(problems, "recording '%s'", replay->sources[0].file),
        "it holds version %u of '%s' in records of %u bytes, but '%s' gives version %u of "
        "'%s' in records of %u bytes%s. Record the link again.",
        then->version, then->name, then->size, replay->link, now->version, now->name, now->size,
        then->version == now->version && then->size == now->size ? ", with other fields" : "");
}

/* The stage that the link names; NULL: unknown. */
static const GraphStage *stage_of(const OpprofPipeline *pipeline, const char *link,
                                  const GraphStage *stages)
{
    for (size_t i = 0; i < pipeline->graph.stage_count; i++) {
        const size_t length = strlen(stages[i].id);

        if (strncmp(link, stages[i].id, length) == 0 && link[length] == '.') {
            return &stages[i];
        }
    }
    return NULL;
}

/* The output that the link names, which may be partial or have readers; NULL: none does. */
static const OpprofPort *output_of(const OpprofPipeline *pipeline, const PipelineReplay *replay,
                                   const GraphStage *stage, const GraphStage *stages)
{
    for (uint32_t i = 0; stage != NULL && i < stage->plugin->output_count; i++) {
        const OpprofPort *output = &stage->plugin->outputs[i];

        if (strcmp(replay->link + strlen(stage->id) + 1, output->name) == 0 &&
            ((output->flags & OPPROF_PORT_PARTIAL) != 0 ||
             find_link(pipeline, replay, stages) != NULL)) {
            return output;
        }
    }
    return NULL;
}

static void check_replays(const OpprofPipeline *pipeline, const GraphStage *stages,
                          Problems *problems)
{
    for (uint32_t i = 0; i < pipeline->replay_count; i++) {
        const PipelineReplay *replay = &pipeline->replays[i];
        const GraphStage *stage = stage_of(pipeline, replay->link, stages);
        const OpprofPort *output;

        if (stage != NULL && stage->plugin == NULL) {
            continue; /* what is wrong with the stage has been reported */
        }
        output = output_of(pipeline, replay, stage, stages);
        if (output == NULL) {
            report_unread(pipeline, replay, stages, problems);
        } else {
            check_layout(replay, output, problems);
        }
    }
}

/* A stage that was thought to be idle has not been made. */
static void check_made(const OpprofPipeline *pipeline, uint32_t stage, bool is_idle,
                       Problems *problems)
{
    const StageNode *node = pipeline->nodes[stage];

    if (node->is_idle && !is_idle) {
        ProblemsAdd(problems, node->location,
                    "some of its outputs are not replayed, but it has not been set up.");
    }
}

/* Recordings first, since they do not wait. */
static void reorder(Graph *graph, const OpprofPipeline *pipeline)
{
    uint32_t kept = (uint32_t) graph->stage_count;

    for (uint32_t i = (uint32_t) graph->stage_count; i > 0; i--) {
        bool is_replay = false;

        for (uint32_t r = 0; r < pipeline->replay_count; r++) {
            is_replay = is_replay || pipeline->replays[r].node == graph->order[i - 1];
        }
        if (!is_replay) {
            graph->order[--kept] = graph->order[i - 1];
        }
    }
    for (uint32_t r = 0; r < kept; r++) {
        graph->order[r] = pipeline->replays[r].node;
    }
}

/* The partial inputs of a stage take their recordings. */
static void link_partials(OpprofPipeline *pipeline, const GraphStage *stages, uint32_t stage,
                          Problems *problems)
{
    Graph *graph = &pipeline->graph;
    const char *id = stages[stage].id;
    size_t capacity = graph->link_count;

    if (!OpprofGrow(&graph->links, &capacity, graph->link_count + pipeline->replay_count,
                    sizeof *graph->links)) {
        problems->no_memory = true;
        return;
    }
    for (uint32_t port = 0; port < stages[stage].plugin->input_count; port++) {
        const OpprofPort *input = &stages[stage].plugin->inputs[port];
        const PipelineReplay *replay = find_replay(pipeline, id, input->name);

        if ((input->flags & OPPROF_PORT_PARTIAL) == 0) {
            continue;
        }
        if (replay != NULL) {
            graph->links[graph->link_count++] = (GraphLink){ replay->node, 0, stage, port };
        } else {
            ProblemsAdd(problems, pipeline->nodes[stage]->location,
                        "'%s.%s' is not replayed, but other partial outputs of '%s' are: replay "
                        "all of them or none.",
                        id, input->name, id);
        }
    }
}

void ReplayLinks(OpprofPipeline *pipeline, const GraphStage *stages, Problems *problems)
{
    Graph *graph = &pipeline->graph;
    bool *idle = calloc(graph->stage_count + 1, sizeof *idle);
    size_t kept = 0;

    if (idle == NULL) {
        problems->no_memory = true;
        return;
    }
    check_replays(pipeline, stages, problems);
    ReplayFindIdle(pipeline, stages, graph, idle);
    for (size_t i = 0; i < graph->link_count; i++) {
        GraphLink link = graph->links[i];
        const PipelineReplay *replay = replay_of(pipeline, stages, &link);

        if (replay != NULL) {
            pipeline->nodes[link.from_stage]->outputs[link.from_port].is_replayed = true;
            link.from_stage = replay->node;
            link.from_port = 0;
        }
        if (!idle[link.to_stage] && !is_joining(pipeline, &stages[link.to_stage])) {
            graph->links[kept++] = link;
        }
    }
    graph->link_count = kept;
    for (uint32_t i = 0; i < graph->stage_count; i++) {
        check_made(pipeline, i, idle[i], problems);
        if (!idle[i] && is_joining(pipeline, &stages[i])) {
            link_partials(pipeline, stages, i, problems);
        }
        pipeline->nodes[i]->is_idle = idle[i];
    }
    reorder(graph, pipeline);
    free(idle);
}

/* Whether all idle stages were put aside; `moved` gets the new number of each that stays. */
static bool put_aside(OpprofPipeline *pipeline, uint32_t *moved)
{
    uint32_t kept = 0;

    pipeline->idle_nodes = calloc(pipeline->node_count, sizeof(StageNode *));
    for (uint32_t i = 0; pipeline->idle_nodes != NULL && i < pipeline->node_count; i++) {
        StageNode *node = pipeline->nodes[i];

        moved[i] = kept;
        if (node->is_idle) {
            StageNodeDestroyInstances(node);
            pipeline->idle_nodes[pipeline->idle_count++] = node;
        } else {
            pipeline->nodes[kept++] = node;
        }
    }
    return pipeline->idle_nodes != NULL;
}

OpprofStatus ReplayDropIdle(OpprofPipeline *pipeline, OpprofError **error)
{
    Graph *graph = &pipeline->graph;
    uint32_t *moved = calloc((size_t) pipeline->node_count + 1, sizeof *moved);
    uint32_t kept = 0;

    if (moved == NULL || !put_aside(pipeline, moved)) {
        free(moved);
        return OpprofErrorNoMemory(error, "set up the replay");
    }
    for (size_t i = 0; i < graph->link_count; i++) {
        graph->links[i].from_stage = moved[graph->links[i].from_stage];
        graph->links[i].to_stage = moved[graph->links[i].to_stage];
    }
    for (uint32_t i = 0; i < graph->stage_count; i++) {
        const uint32_t stage = graph->order[i];
        const bool is_last = stage + 1 == graph->stage_count;
        const uint32_t after =
            is_last ? pipeline->node_count - pipeline->idle_count : moved[stage + 1];

        if (after > moved[stage]) {
            graph->order[kept++] = moved[stage];
        }
    }
    for (uint32_t i = 0; i < pipeline->replay_count; i++) {
        pipeline->replays[i].node = moved[pipeline->replays[i].node];
    }
    graph->stage_count = kept;
    pipeline->node_count = kept;
    free(moved);
    return OPPROF_OK;
}

const char *ReplayLinkOf(const OpprofPipeline *pipeline, uint32_t node)
{
    for (uint32_t i = 0; i < pipeline->replay_count; i++) {
        if (pipeline->replays[i].node == node) {
            return pipeline->replays[i].link;
        }
    }
    return NULL;
}
