/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse-mc2: reads the stamps of cores, the reports of the AI CPU and the log of the task scheduler
 * of each launch, pairs starts and ends, and puts out what happened when. Which records a chip
 * leaves is in its chip file.
 * Tests: tests/plugins/mc2/test_vectors.sh.
 */
#include "event.h"
#include "launch.h"

#include <opprof/plugin.h>
#include <stdlib.h>

enum { OUTPUT_EVENTS };

typedef struct Parser {
    OpprofStage *stage;
    const char *chip;
    Launch *launches; /* that are coming in */
    uint64_t parsed;
    uint64_t failed;
    bool warned_of_types;
    OpprofError *first; /* why the first one failed */
} Parser;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "parse timelines");
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
    self->chip = OpprofParamsString(params, "chip");
    return OPPROF_OK;
}

static Launch *find_launch(Parser *self, uint32_t partition)
{
    for (Launch *at = self->launches; at != NULL; at = at->next) {
        if (at->partition == partition) {
            return at;
        }
    }
    Launch *added = LaunchCreate(self->stage, self->chip, partition);
    if (added != NULL) {
        added->next = self->launches;
        self->launches = added;
    }
    return added;
}

static void drop_launch(Parser *self, Launch *launch)
{
    Launch **at = &self->launches;

    while (*at != launch) {
        at = &(*at)->next;
    }
    *at = launch->next;
    LaunchFree(launch);
}

/* Of some chips it is not certain what all types of tasks mean. */
static void warn_of_types(Parser *self, const Launch *launch)
{
    if (self->warned_of_types || !launch->facts.uncertain_types || !launch->info.is_mc2) {
        return;
    }
    for (size_t i = 0; i < launch->log.time_count; i++) {
        const uint32_t type = launch->log.times[i].type;
        if (type != TASK_TYPE_AI_CORE &&
            OpprofBitsGet(launch->facts.log.core_types, type, 1) != 0) {
            self->warned_of_types = true;
            OpprofStageWarn(self->stage,
                            "Tasks of type %u of this chip are taken for tasks of AI cores; what "
                            "they are is not certain",
                            type);
            return;
        }
    }
}

/* Takes the launch. */
static OpprofStatus finish_launch(Parser *self, Launch *launch, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (LaunchEnd(launch)) {
        warn_of_types(self, launch);
        status = LaunchEmit(launch, OUTPUT_EVENTS, error);
        self->parsed++;
    } else {
        self->failed++;
        if (self->first == NULL) {
            self->first = launch->failure;
            launch->failure = NULL;
        }
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
        Launch *launch = find_launch(self, batch->partition);
        if (launch == NULL) {
            return no_memory(error);
        }
        status = LaunchFeed(launch, chunk,
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
                        .record_type = &mc2_event_type,
                        .summary = "What happened in each launch; a partition is a launch." },
};

static const OpprofParam params[] = {
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC or series that ran; auto: as the data names it." },
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
        .name = "parse-mc2", .version = "1.0", .license = "Apache-2.0",
        .summary = "Reads stamps of cores, turns of the AI CPU and tasks of streams.",
        .help =
            "Takes aic_timestamp.bin, aicpu.bin, duration.bin and DeviceProf<k>.bin of operators "
            "that communicate (MC2, LCCL) and of plain ones. Starts and ends are paired; what "
            "cannot be paired is counted and makes the run incomplete.",
        .kind = OPPROF_PARSER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops);
