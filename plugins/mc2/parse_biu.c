/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse-biu: reads streams of pipe activity of cores, in words or in records of the older monitors,
 * and emits when pipes were busy and what was marked. The chip file says which form a chip has.
 * Tested by tests/plugins/mc2/test_streams.sh.
 */
#include "biu_launch.h"

#include <opprof/kit/raw_keeper.h>
#include <opprof/kit/launches.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { OUTPUT_EVENTS, OUTPUT_RAW };

typedef struct Parser {
    OpprofLaunches launches; /* first, as its operations require */
    OpprofStage *stage;
    BiuSettings settings;
    bool is_optional; /* launches without streams are normal */
} Parser;

static void *create_launch(void *context, uint32_t partition)
{
    const Parser *self = context;

    BiuLaunch *launch = BiuLaunchCreate(self->stage, &self->settings, OUTPUT_EVENTS, partition);

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
    const OpprofStatus status = BiuLaunchFeed(launch, chunk, (const unsigned char *) bytes, error);

    if (chunk->offset == 0) {
        OpprofLaunchesTellFile(&self->launches, batch->partition, chunk->file, chunk->file_size);
    }
    return status == OPPROF_OK && chunk->file == OPPROF_NA_STRING ? OPPROF_END : status;
}

static OpprofStatus end_launch(void *context, void *item, OpprofError **failure,
                               OpprofError **error)
{
    const Parser *self = context;
    BiuLaunch *launch = item;
    const OpprofStatus status = BiuLaunchEnd(launch, error);

    OpprofRawKeeperEnd(&launch->raw);
    *failure = launch->failure;
    launch->failure = NULL;
    if (*failure == NULL && launch->channel_count == 0 && !self->is_optional) {
        OpprofStageIncomplete(
            self->stage,
            "Launch '%s' has no stream of pipe activity: there is no 'timeline.bin.0', "
            "'perfmon.core…' or 'instr.…' with records",
            OpprofStageString(self->stage, launch->partition));
    }
    return status;
}

static void free_launch(void *launch)
{
    BiuLaunchFree(launch);
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
        return OpprofErrorNoMemory(error, "parse pipe activity");
    }
    self->stage = stage;
    OpprofLaunchesInit(&self->launches, stage, &launch_ops, self);
    *ret_self = self;
    return OPPROF_OK;
}

/* Whether a comma-separated list contains a metric. */
static bool has_metric(const OpprofParams *params, const char *metric)
{
    const char *at = OpprofParamsString(params, "metrics");

    while (at != NULL && *at != '\0') {
        const size_t length = strcspn(at += strspn(at, ", "), ", ");

        if (length == strlen(metric) && strncasecmp(at, metric, length) == 0) {
            return true;
        }
        at += length;
    }
    return false;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Parser *self = context;
    const bool has_instructions = has_metric(params, "InstrTimeline");

    self->is_optional = OpprofParamsBool(params, "optional") && !has_instructions &&
                        !has_metric(params, "PipeTimeline");
    self->settings = (BiuSettings){
        .chip = OpprofParamsString(params, "chip"),
        .shows_instructions =
            has_instructions || strcmp(OpprofParamsString(params, "timeline"), "instructions") == 0,
        .interval = (uint32_t) OpprofParamsInt(params, "interval"),
    };
    return self->is_optional ? OPPROF_OK : OpprofChipCheck(self->settings.chip, error);
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
                        .record_type = &biu_event_type,
                        .summary = "When pipes were busy and what was marked, core by core." },
    [OUTPUT_RAW] = { .name = "raw",
                     .record_type = &opprof_raw_type,
                     .summary = "Records of unknown kinds, unchanged, for bring-up." },
};

static const char *const timelines[] = { "pipes", "instructions", NULL };

static const OpprofParam params[] = {
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC or series that ran; auto: as stated in the data." },
    { .name = "timeline",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "pipes",
      .choices = timelines,
      .summary = "What marks in timeline.bin.<k> mean: the user's, or those that the compiler put "
                 "around instructions." },
    { .name = "optional",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "false",
      .summary = "Launches may lack such streams, unless 'metrics' asks for them." },
    { .name = "metrics",
      .type = OPPROF_PARAM_STRING,
      .summary = "Requested metrics: PipeTimeline, or InstrTimeline, which is "
                 "timeline=instructions; others are for other parsers." },
    { .name = "interval",
      .type = OPPROF_PARAM_INT,
      .default_value = "1000",
      .min = 1,
      .max = 1e9,
      .unit = "cycles",
      .summary = "Cycles between two records of the older monitors, as they were collected." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .process = OpprofLaunchesProcess,
    .flush = OpprofLaunchesFlush,
    .destroy = destroy,
};

static const char *const chip_sections[] = { "biu", "clocks", "pmu", NULL };

OPPROF_PLUGIN_DEFINE(
        .name = "parse-biu", .version = "1.0", .license = "Apache-2.0",
        .summary = "Reads streams of pipe activity and marks of cores.",
        .help = "Takes timeline.bin.<k>, instr.biu_perf_group<g>_<core>.<device>.slice_<n>, "
                "instr.group_<g>_<core>.<device>.slice_<n> and perfmon.core<n>.<core>, with "
                "dfx_region_map.txt for names of instructions.",
        .kind = OPPROF_PARSER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops, .chip_sections = chip_sections,
        .chip_schemas = biu_chip_schemas);
