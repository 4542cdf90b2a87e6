/* SPDX-License-Identifier: Apache-2.0 */
/* insight: collects finished blocks and writes the viewer's container at the end. */
#include "container.h"

#include <opprof/records/block.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".bin" /* by which the viewer recognises the format */

typedef struct Insight {
    Container container;
    const char *file;
} Insight;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Insight *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create the container's writer");
    }
    self->container.stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Insight *self = context;
    size_t length;

    self->file = OpprofParamsString(params, "file");
    length = self->file == NULL ? 0 : strlen(self->file);
    if (length <= strlen(SUFFIX) || strcmp(self->file + length - strlen(SUFFIX), SUFFIX) != 0) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                       "Parameter 'file' is '%s', which does not end in '%s'",
                       self->file == NULL ? "" : self->file, SUFFIX);
        OpprofErrorHint(error, "The viewer recognises the format by this suffix only");
        return OPPROF_E_ARGUMENT;
    }
    return OPPROF_OK;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Insight *self = context;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        status = ContainerAdd(&self->container, batch, OpprofBatchRecord(batch, i), error);
    }
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Insight *self = context;

    return ContainerWrite(&self->container, self->file, error);
}

static void destroy(void *context)
{
    Insight *self = context;

    ContainerFinish(&self->container);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "blocks",
      .type = "insight.block",
      .record_type = &opprof_block_type,
      .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
      .summary = "Finished parts of the container, in any order." },
};

static const OpprofParam params[] = {
    { .name = "file",
      .type = OPPROF_PARAM_STRING,
      .default_value = "visualize_data.bin",
      .summary = "Name of the file to write, ending in .bin." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "insight", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Writes visualize_data.bin, which MindStudio Insight imports.",
                     .help = "Takes finished blocks from any number of stages and puts them into "
                             "the viewer's container. Blocks that the viewer would refuse are left "
                             "out and make the run incomplete.",
                     .kind = OPPROF_EXPORTER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .params = params, .param_count = OPPROF_COUNT(params), .ops = &ops);
