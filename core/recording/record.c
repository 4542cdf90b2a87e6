/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the batches of a port to a recording while they pass. Tested by
 * tests/e2e/record_replay.sh. */
#include "output/output.h"
#include "recording/readers.h"

#include "run/pipeline.h"
#include "recording/replay.h"
#include "run/reasons.h"
#include "recording/recording.h"

#include <stdlib.h>
#include <string.h>

typedef struct Record {
    OpprofStage *stage;
    const char *path;
    RecordingWriter *writer;
} Record;

static OpprofStatus record_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Record), ret_self, error);
}

static OpprofStatus record_configure(void *self, const OpprofParams *params, OpprofError **error)
{
    (void) error;
    ((Record *) self)->path = OpprofParamsString(params, "file");
    return OPPROF_OK;
}

/* The one link that was made for this stage. */
static const GraphLink *own_link(const StageNode *node)
{
    const OpprofPipeline *pipeline = node->run->pipeline;
    size_t i = 0;

    while (pipeline->nodes[pipeline->graph.links[i].to_stage] != node) {
        i++;
    }
    return &pipeline->graph.links[i];
}

static OpprofStatus record_start(void *self, OpprofError **error)
{
    Record *record = self;
    const StageNode *node = record->stage->node;
    const GraphLink *link = own_link(node);
    const StageNode *from = node->run->pipeline->nodes[link->from_stage];
    const char *replayed = ReplayLinkOf(node->run->pipeline, link->from_stage);
    char *name = replayed != NULL
                     ? strdup(replayed)
                     : ProblemText("%s.%s", from->id, from->plugin->outputs[link->from_port].name);
    const RecordingLink about = { .link = name,
                                  .plugin = from->plugin->name,
                                  .plugin_version = from->plugin->version,
                                  .opprof = OPPROF_VERSION,
                                  .type = from->outputs[link->from_port].type };
    OpprofStatus status = name == NULL ? OpprofErrorNoMemory(error, "set up a recording")
                                       : OutputDirectoryCheckOther(OpprofStageOutput(record->stage),
                                                                   record->path, error);

    if (status == OPPROF_OK) {
        status = RecordingCreate(record->path, &about, record->stage, &record->writer, error);
    }

    free(name);
    return status;
}

static OpprofStatus record_process(void *self, uint32_t port, const OpprofBatch *batch,
                                   OpprofError **error)
{
    (void) port;
    return RecordingWrite(((Record *) self)->writer, batch, error);
}

static OpprofStatus record_flush(void *self, OpprofError **error)
{
    Record *record = self;
    char *reasons = NULL;
    const uint32_t end = record->stage->end > OPPROF_DATA_STREAM_COMPLETE
                             ? (uint32_t) record->stage->end
                             : (uint32_t) OPPROF_DATA_STREAM_COMPLETE;
    OpprofStatus status = ReasonsBefore(record->stage->node, &reasons);

    if (status != OPPROF_OK) {
        return OpprofErrorNoMemory(error, "end a recording");
    }
    status = RecordingEnd(record->writer, end, reasons, error);
    free(reasons);
    return status;
}

static OpprofStatus record_stop(void *self, OpprofError **error)
{
    Record *record = self;
    RecordingWriter *writer = record->writer;

    record->writer = NULL;
    return RecordingClose(writer, error);
}

static void record_destroy(void *self)
{
    RecordingClose(((Record *) self)->writer, NULL);
    free(self);
}

static const OpprofPort record_inputs[] = {
    { .name = "records", .type = OPPROF_ANY_RECORD, .summary = "What is recorded." },
};

static const OpprofParam record_params[] = {
    { .name = "file",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "File to write." },
};

static const OpprofPluginOps record_ops = {
    .struct_size = sizeof record_ops,
    .create = record_create,
    .configure = record_configure,
    .start = record_start,
    .process = record_process,
    .flush = record_flush,
    .stop = record_stop,
    .destroy = record_destroy,
};

const OpprofPlugin record_plugin = {
    OWN_PLUGIN,
    .name = "record",
    .summary = "Writes the batches of a port to a recording.",
    .kind = OPPROF_EXPORTER,
    .inputs = record_inputs,
    .input_count = OPPROF_COUNT(record_inputs),
    .params = record_params,
    .param_count = OPPROF_COUNT(record_params),
    .ops = &record_ops,
};
