/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse-mc2: reads the stamps of cores, the reports of the AI CPU and the log of the task scheduler
 * of each launch, pairs starts and ends, and emits what happened when. The chip file says which
 * records a chip leaves. Tested by tests/plugins/mc2/test_vectors.sh.
 */
#include "event.h"
#include "launch.h"

#include <opprof/kit/raw_keeper.h>
#include <opprof/kit/launches.h>
#include <opprof/plugin.h>
#include <stdlib.h>

enum { OUTPUT_EVENTS, OUTPUT_RAW };

typedef struct Parser {
    OpprofLaunches launches; /* first, as its operations require */
    OpprofStage *stage;
    const char *chip;
    bool is_optional; /* launches may lack both communication and stamps */
    bool warned_of_types;
} Parser;

/* For some chips the meaning of some task types is uncertain. */
static void warn_of_types(Parser *self, const Launch *launch)
{
    if (self->warned_of_types || !launch->facts.uncertain_types || !launch->info.is_mc2) {
        return;
    }
    for (size_t i = 0; i < launch->log.time_count; i++) {
        const uint32_t type = launch->log.times[i].type;
        if (type != TASK_TYPE_AI_CORE &&
            OpprofBitsGet(launch->facts.log.task_types, type, 1) != 0) {
            self->warned_of_types = true;
            OpprofStageWarn(self->stage,
                            "Tasks of type %u of this chip are taken as tasks of AI cores; what "
                            "they are is uncertain",
                            type);
            return;
        }
    }
}

static void *create_launch(void *context, uint32_t partition)
{
    const Parser *self = context;
    Launch *launch = LaunchCreate(self->stage, self->chip, partition);

    if (launch != NULL) {
        OpprofRawKeeperBegin(&launch->raw, self->stage, OUTPUT_RAW, partition);
    }
    return launch;
}

static OpprofStatus feed_launch(void *context, void *launch, const OpprofBatch *batch,
                                const void *record, OpprofError **error)
{
    const OpprofOnboardChunk *chunk = record;
    const Parser *self = context;
    const char *bytes = OpprofBatchText(batch, chunk->bytes);
    const OpprofStatus status = LaunchFeed(launch, chunk, (const unsigned char *) bytes, error);

    if (chunk->offset == 0) {
        OpprofLaunchesTellFile(&self->launches, batch->partition, chunk->file, chunk->file_size);
    }
    return status == OPPROF_OK && chunk->file == OPPROF_NA_STRING ? OPPROF_END : status;
}

static OpprofStatus finish_launch(void *context, void *item, OpprofError **failure,
                                  OpprofError **error)
{
    const Parser *self = context;
    Launch *launch = item;
    const bool is_good = LaunchEnd(launch);

    if (self->is_optional && !launch->info.is_mc2 && !launch->info.is_lccl &&
        launch->mark_count == 0) {
        return OPPROF_OK;
    }
    launch->may_lack_marks = self->is_optional;
    if (!is_good && self->is_optional && OpprofErrorStatus(launch->failure) == OPPROF_E_DATA) {
        OpprofStageIncomplete(self->stage, "Launch '%s' has no timeline of its communication: %s",
                              OpprofStageString(self->stage, launch->partition),
                              OpprofErrorLine(launch->failure));
        return OPPROF_OK;
    }
    if (!is_good) {
        *failure = launch->failure;
        launch->failure = NULL;
        return OPPROF_OK;
    }
    warn_of_types(context, launch);
    return LaunchEmit(launch, OUTPUT_EVENTS, error);
}

static OpprofStatus end_launch(void *context, void *item, OpprofError **failure,
                               OpprofError **error)
{
    const OpprofStatus status = finish_launch(context, item, failure, error);

    OpprofRawKeeperEnd(&((Launch *) item)->raw);
    return status;
}

static void free_launch(void *launch)
{
    LaunchFree(launch);
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
        return OpprofErrorNoMemory(error, "parse timelines");
    }
    self->stage = stage;
    OpprofLaunchesInit(&self->launches, stage, &launch_ops, self);
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Parser *self = context;

    self->chip = OpprofParamsString(params, "chip");
    self->is_optional = OpprofParamsBool(params, "optional");
    return self->is_optional ? OPPROF_OK : OpprofChipCheck(self->chip, error);
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
      .summary = "Raw files in pieces, launch by launch." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_EVENTS] = { .name = "events",
                        .record_type = &mc2_event_type,
                        .summary = "What happened in each launch; a partition is a launch." },
    [OUTPUT_RAW] = { .name = "raw",
                     .record_type = &opprof_raw_type,
                     .summary = "Records of unknown kinds, unchanged, for bring-up." },
};

static const OpprofParam params[] = {
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC or series that ran; auto: as stated in the data." },
    { .name = "optional",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "false",
      .summary = "Launches that neither communicate nor have stamps of cores are left to other "
                 "parsers, and stamps, which not every kernel makes, may be missing." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .process = OpprofLaunchesProcess,
    .flush = OpprofLaunchesFlush,
    .destroy = destroy,
};

static const char *const chip_sections[] = { "mc2", "pmu", NULL };

OPPROF_PLUGIN_DEFINE(
        .name = "parse-mc2", .version = "1.0", .license = "Apache-2.0",
        .summary = "Reads stamps of cores, turns of the AI CPU and tasks of streams.",
        .help =
            "Takes aic_timestamp.bin, aicpu.bin, duration.bin and DeviceProf<k>.bin of operators "
            "that communicate (MC2, LCCL) and of plain ones. Starts and ends are paired; what "
            "cannot be paired is counted and makes the run incomplete.",
        .kind = OPPROF_PARSER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops, .chip_sections = chip_sections,
        .chip_schemas = mc2_chip_schemas);
