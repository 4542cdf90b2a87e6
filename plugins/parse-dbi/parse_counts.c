/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse-counts: reads how often the blocks of a kernel ran, what its threads waited for, and which
 * registers it used.
 * Tested by tests/plugins/parse-dbi/test_hot_spots.sh.
 */
#include "code_launch.h"

#include <opprof/kit/launches.h>
#include <opprof/plugin.h>

#include <stdlib.h>

typedef struct Parser {
    OpprofLaunches launches; /* first, as its operations require */
    OpprofStage *stage;
} Parser;

static void *create_launch(void *context, uint32_t partition)
{
    Parser *self = context;

    return CodeLaunchCreate(self->stage, partition);
}

static OpprofStatus feed_launch(void *context, void *launch, const OpprofBatch *batch,
                                const void *record, OpprofError **error)
{
    const OpprofOnboardChunk *chunk = record;
    const Parser *self = context;
    const OpprofStatus status =
        CodeLaunchFeed(launch, chunk, OpprofBatchText(batch, chunk->bytes), error);

    if (chunk->offset == 0) {
        OpprofLaunchesTellFile(&self->launches, batch->partition, chunk->file, chunk->file_size);
    }
    return status == OPPROF_OK && chunk->file == OPPROF_NA_STRING ? OPPROF_END : status;
}

static OpprofStatus end_launch(void *context, void *item, OpprofError **failure,
                               OpprofError **error)
{
    const Parser *self = context;
    CodeLaunch *launch = item;
    const OpprofStatus status = CodeLaunchEnd(launch, error);

    (void) failure; /* unreadable files are left out one by one */
    OpprofStageCount(self->stage, "blocks", launch->map.block_count);
    OpprofStageCount(self->stage, "samples", launch->samples.taken);
    return status;
}

static void free_launch(void *launch)
{
    CodeLaunchFree(launch);
}

static const OpprofLaunchOps launch_ops = {
    .create = create_launch,
    .feed = feed_launch,
    .end = end_launch,
    .free = free_launch,
};

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Parser *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "read counts of instructions");
    }
    self->stage = stage;
    OpprofLaunchesInit(&self->launches, stage, &launch_ops, self);
    *ret_self = self;
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Parser *self = context;

    OpprofLaunchesFinish(&self->launches);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "chunks",
      .type = "onboard.chunk",
      .record_type = &opprof_onboard_chunk_type,
      .summary = "Raw files of launches." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_BLOCKS] = { .name = "blocks",
                        .record_type = &opprof_dbi_block_type,
                        .summary = "Basic blocks of the kernel, with their counts." },
    [OUTPUT_SAMPLES] = { .name = "samples",
                         .record_type = &opprof_dbi_sample_type,
                         .summary = "Samples of the program counter, by address and reason." },
    [OUTPUT_REGISTERS] = { .name = "registers",
                           .record_type = &opprof_dbi_register_type,
                           .summary = "Registers in use, by instruction." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = OpprofLaunchesProcess,
    .flush = OpprofLaunchesFlush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "parse-counts", .version = "1.0", .license = "Apache-2.0",
        .summary = "Turns basic-block counters, samples and register liveness into records.",
        .help = "Reads the block map and counters of an instrumented kernel (kernel*.o.bbbmap.*, "
                "kernel*.extra.*, or fdata, in which both are joined), samples of the program "
                "counter (pcSampling.bin.*) and register liveness (lrm.bin). From a damaged file "
                "the valid part is used, and the run is incomplete; a liveness file that "
                "contradicts itself is left out.",
        .kind = OPPROF_PARSER, .flags = OPPROF_PLUGIN_PARTITIONED, .inputs = inputs,
        .input_count = OPPROF_COUNT(inputs), .outputs = outputs,
        .output_count = OPPROF_COUNT(outputs), .ops = &ops);
