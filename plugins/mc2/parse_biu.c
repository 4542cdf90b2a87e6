/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse-biu: reads streams of pipe activity of cores, in words or in records of the older monitors,
 * and puts out when pipes were busy and what was marked. Which a chip has is in its chip file.
 * Tests: tests/plugins/mc2/test_streams.sh.
 */
#include "biu_launch.h"

#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_EVENTS };

typedef struct Parser {
    OpprofStage *stage;
    BiuSettings settings;
    BiuLaunch *launches;
    uint64_t parsed;
    uint64_t failed;
    OpprofError *first;
} Parser;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "parse pipe activity");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Parser *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return no_memory(error);
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Parser *self = context;

    (void) error;
    self->settings = (BiuSettings){
        .chip = OpprofParamsString(params, "chip"),
        .shows_instructions = strcmp(OpprofParamsString(params, "timeline"), "instructions") == 0,
        .interval = (uint32_t) OpprofParamsInt(params, "interval"),
    };
    return OPPROF_OK;
}

static BiuLaunch *find_launch(Parser *self, uint32_t partition)
{
    for (BiuLaunch *at = self->launches; at != NULL; at = at->next) {
        if (at->partition == partition) {
            return at;
        }
    }
    BiuLaunch *added = BiuLaunchCreate(self->stage, &self->settings, OUTPUT_EVENTS, partition);
    if (added != NULL) {
        added->next = self->launches;
        self->launches = added;
    }
    return added;
}

static void drop_launch(Parser *self, BiuLaunch *launch)
{
    BiuLaunch **at = &self->launches;

    while (*at != launch) {
        at = &(*at)->next;
    }
    *at = launch->next;
    BiuLaunchFree(launch);
}

/* Takes the launch. */
static OpprofStatus finish_launch(Parser *self, BiuLaunch *launch, OpprofError **error)
{
    const OpprofStatus status = BiuLaunchEnd(launch, error);

    if (launch->failure != NULL) {
        self->failed++;
        if (self->first == NULL) {
            self->first = launch->failure;
            launch->failure = NULL;
        }
    } else if (launch->channel_count == 0) {
        OpprofStageIncomplete(
            self->stage,
            "Launch '%s' has no stream of pipe activity: there is no 'timeline.bin.0', "
            "'perfmon.core…' or 'instr.…' with records",
            OpprofStageString(self->stage, launch->partition));
    } else {
        self->parsed++;
    }
    drop_launch(self, launch);
    return status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Parser *self = context;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        const OpprofOnboardChunk *chunk = OpprofBatchRecord(batch, i);
        BiuLaunch *launch = find_launch(self, batch->partition);
        if (launch == NULL) {
            return no_memory(error);
        }
        status = BiuLaunchFeed(launch, chunk,
                               (const unsigned char *) OpprofBatchText(batch, chunk->bytes), error);
        if (status == OPPROF_OK && chunk->file == OPPROF_NA_STRING) {
            status = finish_launch(self, launch, error);
        }
    }
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Parser *self = context;
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && self->launches != NULL) {
        OpprofStageIncomplete(self->stage, "Launch '%s' was not read to its end",
                              OpprofStageString(self->stage, self->launches->partition));
        status = finish_launch(self, self->launches, error);
    }
    if (status != OPPROF_OK || self->failed == 0) {
        return status;
    }
    if (self->parsed == 0) {
        *error = self->first;
        self->first = NULL;
        return OpprofErrorWrap(error, "No launch could be parsed");
    }
    OpprofStageIncomplete(self->stage, "%llu launches are left out: %s",
                          (unsigned long long) self->failed, OpprofErrorMessage(self->first));
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Parser *self = context;

    while (self->launches != NULL) {
        drop_launch(self, self->launches);
    }
    OpprofErrorDestroy(self->first);
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
};

static const char *const timelines[] = { "pipes", "instructions", NULL };

static const OpprofParam params[] = {
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC or series that ran; auto: as the data names it." },
    { .name = "timeline",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "pipes",
      .choices = timelines,
      .summary = "What marks in timeline.bin.<k> mean: the user's, or those that the compiler put "
                 "around instructions." },
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
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "parse-biu", .version = "1.0", .license = "Apache-2.0",
        .summary = "Reads streams of pipe activity and marks of cores.",
        .help = "Takes timeline.bin.<k>, instr.biu_perf_group<g>_<core>.<device>.slice_<n>, "
                "instr.group_<g>_<core>.<device>.slice_<n> and perfmon.core<n>.<core>, with "
                "dfx_region_map.txt for names of instructions.",
        .kind = OPPROF_PARSER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops);
