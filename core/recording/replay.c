/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives the batches of a recording. What the file lacks, the run lacks: it is incomplete then.
 * Tested by tests/e2e/record_replay.sh.
 */
#include "recording/replay.h"
#include "recording/readers.h"
#include "base/files.h"
#include "run/nodes.h"

#include "base/write_file.h"
#include "recording/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The run's numbers of things, by the file's. */
typedef struct Numbers {
    uint32_t *numbers;
    size_t capacity;
    uint32_t count;
} Numbers;

/* Batches of one type. */
typedef struct Pool {
    const OpprofRecordType *type;
    OpprofBatchPool *pool;
    uint32_t capacity;
} Pool;

typedef struct Replay {
    OpprofStage *stage;
    const char *path;
    Recording *recording;
    Numbers strings, tracks, clocks;
    Pool *pools;
    size_t pool_count;
    size_t pool_capacity;
} Replay;

static OpprofStatus replay_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Replay), ret_self, error);
}

static OpprofStatus open_recording(const char *path, Recording **ret_recording, OpprofError **error)
{
    /* the open of a pipe would wait for its writer */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat info;
    FILE *file;

    if (fd >= 0 && fstat(fd, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISDIR(info.st_mode))) {
        close(fd);
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': it is a %s", path,
                              S_ISDIR(info.st_mode) ? "directory" : "pipe");
    }
    if (fd >= 0) {
        WriteFileHold(fd);
    }
    file = fd < 0 ? NULL : fdopen(fd, "rb");
    if (file == NULL) {
        const OpprofStatus status =
            OpprofErrorSet(error, errno == ENOENT ? OPPROF_E_NOT_FOUND : OPPROF_E_IO,
                           "Cannot read '%s': %s", path, strerror(errno));

        CloseOpened(fd);
        return status;
    }
    return RecordingOpen(file, path, ret_recording, error);
}

static OpprofStatus replay_configure(void *self, const OpprofParams *params, OpprofError **error)
{
    Replay *replay = self;
    OpprofStatus status;

    replay->path = OpprofParamsString(params, "file");
    status = open_recording(replay->path, &replay->recording, error);
    return status == OPPROF_OK
               ? OpprofStageSetOutputType(replay->stage, 0, RecordingAbout(replay->recording)->type,
                                          error)
               : status;
}

/* ---- numbers ---- */

static bool has_room(Numbers *numbers, uint32_t count)
{
    return OpprofGrow(&numbers->numbers, &numbers->capacity, (size_t) count + 1, sizeof(uint32_t));
}

/* Numbers of the run for all that has come into the file's tables since. */
static OpprofStatus take_names(Replay *replay, OpprofError **error)
{
    const Recording *recording = replay->recording;
    const RecordingCounts counts = RecordingCountNames(recording);
    bool good = has_room(&replay->strings, counts.strings) &&
                has_room(&replay->tracks, counts.tracks) &&
                has_room(&replay->clocks, counts.clocks);

    while (good && replay->strings.count < counts.strings) {
        size_t length;
        const char *text = RecordingString(recording, ++replay->strings.count, &length);
        const uint32_t id = OpprofStageIntern(replay->stage, text, length);

        replay->strings.numbers[replay->strings.count] = id;
        good = id != OPPROF_NA_STRING;
    }
    while (good && replay->tracks.count < counts.tracks) {
        const OpprofTrack *track = RecordingTrack(recording, ++replay->tracks.count);
        const uint32_t id = OpprofStageTrack(replay->stage, track);

        replay->tracks.numbers[replay->tracks.count] = id;
        good = id != OPPROF_NA_U32;
    }
    while (good && replay->clocks.count < counts.clocks) {
        const OpprofClock *clock = RecordingClock(recording, ++replay->clocks.count);
        const uint32_t id = OpprofStageClock(replay->stage, clock);

        replay->clocks.numbers[replay->clocks.count] = id;
        good = id != 0;
    }
    return good ? OPPROF_OK : OpprofErrorNoMemory(error, "replay '%s'", replay->path);
}

static uint32_t string_of(void *context, uint32_t id)
{
    return ((const Replay *) context)->strings.numbers[id];
}

static uint32_t track_of(void *context, uint32_t id)
{
    return ((const Replay *) context)->tracks.numbers[id];
}

/* ---- batches ---- */

static Pool *find_pool(Replay *replay, const OpprofRecordType *type)
{
    for (size_t i = 0; i < replay->pool_count; i++) {
        if (replay->pools[i].type == type) {
            return &replay->pools[i];
        }
    }
    if (!OpprofGrow(&replay->pools, &replay->pool_capacity, replay->pool_count + 1, sizeof(Pool))) {
        return NULL;
    }
    replay->pools[replay->pool_count] = (Pool){ .type = type };
    return &replay->pools[replay->pool_count++];
}

/* An empty batch with room for `count` records; NULL: no memory. */
static OpprofBatch *new_batch(Replay *replay, const OpprofRecordType *type, uint32_t count)
{
    Pool *pool = find_pool(replay, type);

    if (pool != NULL && pool->capacity < count) {
        OpprofBatchPoolDestroy(pool->pool);
        pool->pool = OpprofBatchPoolCreate(type, count, 0);
        pool->capacity = pool->pool == NULL ? 0 : count;
    }
    return pool == NULL || pool->pool == NULL ? NULL : OpprofBatchPoolTake(pool->pool);
}

static OpprofStatus push_batch(Replay *replay, const RecordingBatch *from, OpprofError **error)
{
    const RecordingIds ids = { string_of, track_of, replay };
    OpprofBatch *batch = new_batch(replay, from->type, from->count);
    char *blob = batch == NULL ? NULL : OpprofBatchReserveText(batch, from->blob_size);

    if (blob == NULL) {
        OpprofBatchUnref(batch);
        return OpprofErrorNoMemory(error, "replay '%s'", replay->path);
    }
    memcpy(blob, from->blob, from->blob_size);
    OpprofBatchCommitText(batch, from->blob_size);
    memcpy(batch->records, from->records, (size_t) from->count * from->type->size);
    batch->count = from->count;
    RecordingMapRecords(from->type, batch->records, from->count,
                        &(RecordingBlobs){ from->blob, blob, from->blob_size }, &ids);
    batch->partition = from->partition == 0 ? 0 : replay->strings.numbers[from->partition];
    batch->clock = from->clock == 0 ? 0 : replay->clocks.numbers[from->clock];
    batch->watermark = from->watermark;
    return OpprofStagePush(replay->stage, 0, batch);
}

/* The recorded run was not complete, or had not come to its end: a line per reason. */
static void report_incomplete(Replay *replay)
{
    const char *reasons = "";
    const uint32_t end = RecordingHowEnded(replay->recording, &reasons);

    if (end > OPPROF_DATA_STREAM_COMPLETE && reasons[0] == '\0') {
        reasons = end == OPPROF_DATA_STREAM_CUT ? "it was cut short" : "a stage failed";
    }
    while (*reasons != '\0') {
        const size_t length = strcspn(reasons, "\n");

        OpprofStageIncomplete(replay->stage, "The run recorded in '%s' was not complete: %.*s",
                              replay->path, (int) length, reasons);
        reasons += length + (reasons[length] == '\n' ? 1 : 0);
    }
}

static OpprofStatus replay_process(void *self, uint32_t port, const OpprofBatch *ignored,
                                   OpprofError **error)
{
    Replay *replay = self;
    RecordingBatch batch;
    OpprofError *why = NULL;
    OpprofStatus status = RecordingNext(replay->recording, &batch, &why);
    uint64_t size;
    const uint64_t place = RecordingPlace(replay->recording, &size);

    (void) port;
    (void) ignored;
    OpprofStageProgress(replay->stage, place, size, "bytes");
    if (status == OPPROF_E_DATA) {
        OpprofStageIncomplete(replay->stage, "%s", OpprofErrorLine(why));
        OpprofErrorDestroy(why);
        return OPPROF_END;
    }
    if (status == OPPROF_END) {
        report_incomplete(replay);
        return OPPROF_END;
    }
    if (status != OPPROF_OK) {
        *error = why;
        return status;
    }
    status = take_names(replay, error);
    return status == OPPROF_OK ? push_batch(replay, &batch, error) : status;
}

static OpprofStatus replay_flush(void *self, OpprofError **error)
{
    Replay *replay = self;

    (void) error;
    if (RecordingUnknown(replay->recording) > 0) {
        OpprofStageCount(replay->stage, "skipped pieces of a newer version",
                         RecordingUnknown(replay->recording));
    }
    return OPPROF_OK;
}

static void replay_destroy(void *self)
{
    Replay *replay = self;

    for (size_t i = 0; i < replay->pool_count; i++) {
        OpprofBatchPoolDestroy(replay->pools[i].pool);
    }
    free(replay->pools);
    free(replay->strings.numbers);
    free(replay->tracks.numbers);
    free(replay->clocks.numbers);
    RecordingDestroy(replay->recording);
    free(replay);
}

static const OpprofPort replay_outputs[] = {
    { .name = "records", .summary = "What was recorded." },
};

static const OpprofParam replay_params[] = {
    { .name = "file",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "Recording to read." },
};

static const OpprofPluginOps replay_ops = {
    .struct_size = sizeof replay_ops,
    .create = replay_create,
    .configure = replay_configure,
    .process = replay_process,
    .flush = replay_flush,
    .destroy = replay_destroy,
};

const OpprofPlugin replay_plugin = {
    OWN_PLUGIN,
    .name = "replay",
    .summary = "Gives the batches of a recording.",
    .kind = OPPROF_COLLECTOR,
    .outputs = replay_outputs,
    .output_count = OPPROF_COUNT(replay_outputs),
    .params = replay_params,
    .param_count = OPPROF_COUNT(replay_params),
    .ops = &replay_ops,
};

/* ---- what is replayed ---- */

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

static const char *recording_of(const OpprofPipeline *pipeline, const char *link)
{
    for (uint32_t i = 0; i < pipeline->replay_count; i++) {
        if (strcmp(pipeline->replays[i].link, link) == 0) {
            return pipeline->replays[i].file;
        }
    }
    return NULL;
}

OpprofStatus ReplayAdd(OpprofPipeline *pipeline, const char *link, const char *file,
                       OpprofError **error)
{
    Recording *recording = NULL;
    OpprofStatus status = open_recording(file, &recording, error);
    PipelineReplay replay;

    if (status != OPPROF_OK) {
        return status;
    }
    replay.link = strdup(link != NULL ? link : RecordingAbout(recording)->link);
    replay.file = strdup(file);
    replay.recording = recording;
    replay.node = RECORDING_NONE;
    if (replay.link == NULL || replay.file == NULL ||
        !OpprofGrow32(&pipeline->replays, &pipeline->replay_capacity,
                      (size_t) pipeline->replay_count + 1, sizeof replay)) {
        status = OpprofErrorNoMemory(error, "replay '%s'", file);
    } else if (strchr(replay.link, '.') == NULL) {
        status = OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                "'%s' is not a link to replay from '%s': write STAGE.PORT",
                                replay.link, file);
    } else if (recording_of(pipeline, replay.link) != NULL) {
        status = OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                "The link '%s' is replayed from '%s' already, not also from '%s'",
                                replay.link, recording_of(pipeline, replay.link), file);
    } else {
        pipeline->replays[pipeline->replay_count++] = replay;
        return OPPROF_OK;
    }
    free(replay.link);
    free(replay.file);
    RecordingDestroy(recording);
    return status;
}

void ReplayFinish(OpprofPipeline *pipeline)
{
    for (uint32_t i = 0; i < pipeline->replay_count; i++) {
        free(pipeline->replays[i].link);
        free(pipeline->replays[i].file);
        RecordingDestroy(pipeline->replays[i].recording);
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

    return replay == NULL ? NULL : RecordingAbout(replay->recording)->type;
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
        problems, ProblemsText(problems, "recording '%s'", replay->file),
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
        snprintf(id, sizeof id, "replay-%u", i + 1);
        status = NodesAddOwn(pipeline, id, &replay_plugin, replay->file, error);
        replay->node = status == OPPROF_OK ? pipeline->node_count - 1 : RECORDING_NONE;
    }
    return status;
}

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

static void check_layout(const PipelineReplay *replay, const GraphStage *stage, uint32_t port,
                         Problems *problems)
{
    const OpprofRecordType *now = stage->plugin->outputs[port].record_type;
    const OpprofRecordType *then = RecordingAbout(replay->recording)->type;

    if (now == NULL || is_same_layout(now, then)) {
        return;
    }
    ProblemsAdd(
        problems, ProblemsText(problems, "recording '%s'", replay->file),
        "it holds version %u of '%s' in records of %u bytes, but '%s' gives version %u of "
        "'%s' in records of %u bytes%s. Record the link again.",
        then->version, then->name, then->size, replay->link, now->version, now->name, now->size,
        then->version == now->version && then->size == now->size ? ", with other fields" : "");
}

/* Nothing is known of the links of the stage that the replay names. */
static bool is_unusable(const OpprofPipeline *pipeline, const PipelineReplay *replay,
                        const GraphStage *stages)
{
    for (size_t i = 0; i < pipeline->graph.stage_count; i++) {
        const size_t length = strlen(stages[i].id);

        if (strncmp(replay->link, stages[i].id, length) == 0 && replay->link[length] == '.') {
            return stages[i].plugin == NULL;
        }
    }
    return false;
}

/* An output of a stage. */
typedef struct Output {
    const GraphStage *stage;
    uint32_t port;
} Output;

/* The partial output that a replay stands for; false: none. */
static bool find_partial(const OpprofPipeline *pipeline, const PipelineReplay *replay,
                         const GraphStage *stages, Output *ret_output)
{
    for (uint32_t i = 0; i < pipeline->graph.stage_count; i++) {
        const OpprofPlugin *plugin = stages[i].plugin;

        for (uint32_t port = 0; plugin != NULL && port < plugin->output_count; port++) {
            if ((plugin->outputs[port].flags & OPPROF_PORT_PARTIAL) != 0 &&
                find_replay(pipeline, stages[i].id, plugin->outputs[port].name) == replay) {
                *ret_output = (Output){ &stages[i], port };
                return true;
            }
        }
    }
    return false;
}

static void check_replays(const OpprofPipeline *pipeline, const GraphStage *stages,
                          Problems *problems)
{
    for (uint32_t i = 0; i < pipeline->replay_count; i++) {
        const PipelineReplay *replay = &pipeline->replays[i];
        const GraphLink *link = find_link(pipeline, replay, stages);
        Output partial;

        if (link == NULL && is_unusable(pipeline, replay, stages)) {
            continue; /* what is wrong with the stage has been reported */
        }
        if (link == NULL && find_partial(pipeline, replay, stages, &partial)) {
            check_layout(replay, partial.stage, partial.port, problems);
        } else if (link == NULL) {
            report_unread(pipeline, replay, stages, problems);
        } else {
            check_layout(replay, &stages[link->from_stage], link->from_port, problems);
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

/* The partial inputs of a stage take their recordings; `links` has room. */
static void link_partials(OpprofPipeline *pipeline, const GraphStage *stages, uint32_t stage,
                          Problems *problems)
{
    Graph *graph = &pipeline->graph;
    const OpprofPlugin *plugin = stages[stage].plugin;

    for (uint32_t port = 0; port < plugin->input_count; port++) {
        const PipelineReplay *replay =
            find_replay(pipeline, stages[stage].id, plugin->inputs[port].name);

        if ((plugin->inputs[port].flags & OPPROF_PORT_PARTIAL) == 0) {
            continue;
        }
        if (replay == NULL) {
            ProblemsAdd(problems, pipeline->nodes[stage]->location,
                        "'%s.%s' is not replayed, but other partial outputs of '%s' are: replay "
                        "all of them or none.",
                        stages[stage].id, plugin->inputs[port].name, stages[stage].id);
        } else {
            graph->links[graph->link_count++] = (GraphLink){ replay->node, 0, stage, port };
        }
    }
}

/* Stages that take recordings of partial outputs. */
static void link_joining(OpprofPipeline *pipeline, const GraphStage *stages, const bool *idle,
                         Problems *problems)
{
    Graph *graph = &pipeline->graph;
    size_t capacity = graph->link_count;

    if (!OpprofGrow(&graph->links, &capacity, graph->link_count + pipeline->replay_count + 1,
                    sizeof *graph->links)) {
        problems->no_memory = true;
        return;
    }
    for (uint32_t i = 0; i < graph->stage_count; i++) {
        if (!idle[i] && is_joining(pipeline, &stages[i])) {
            link_partials(pipeline, stages, i, problems);
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
    link_joining(pipeline, stages, idle, problems);
    for (uint32_t i = 0; i < graph->stage_count; i++) {
        check_made(pipeline, i, idle[i], problems);
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
