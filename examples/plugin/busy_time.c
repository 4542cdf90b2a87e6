/* SPDX-License-Identifier: Apache-2.0 */
/* busy-time: how long each pipe of each core ran. Overlapping instructions count once, waits do not
 * count. */
#include <opprof/kit/busy_time.h>
#include <opprof/opprof.h>
#include <opprof/records/sim.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What comes out: a row for each pipe of each core. */
typedef struct BusyRow {
    uint64_t instructions;
    double busy_us;
    uint32_t core, pipe; /* interned */
} BusyRow;

static const OpprofField row_fields[] = {
    OPPROF_FIELD(BusyRow, core, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Logical core."),
    OPPROF_FIELD(BusyRow, pipe, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Pipe of the core."),
    OPPROF_FIELD(BusyRow, instructions, OPPROF_FIELD_U64, .unit = "1",
                 .combine = OPPROF_COMBINE_SUM, .meaning = "Instructions without waits."),
    OPPROF_FIELD(BusyRow, busy_us, OPPROF_FIELD_F64, .unit = "us", .heading = "busy(us)",
                 .decimals = 4, .combine = OPPROF_COMBINE_LONGEST,
                 .meaning = "Time in which at least one of them ran.",
                 .absent = "the data names no clock"),
};

static const OpprofRecordType row_type =
    OPPROF_RECORD_TYPE(BusyRow, 1, "org.example.busy-time", "Busy time of one pipe of one core.",
                       OPPROF_RECORD_TABLE, row_fields, "Busy time", "busy_time");

typedef struct BusyTime {
    OpprofStage *stage;
    const char *skip;      /* beginning of names that do not count */
    OpprofBusyLanes lanes; /* of pipes of cores */
} BusyTime;

static OpprofStatus process(void *instance, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    BusyTime *self = instance;

    (void) port; /* there is only one */
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofSimInstruction *instruction = OpprofBatchRecord(batch, i);
        const char *name = OpprofStageString(self->stage, instruction->name);
        OpprofBusyLane *lane;

        if (strncasecmp(name, self->skip, strlen(self->skip)) == 0) {
            continue;
        }
        lane = OpprofBusyLanesFind(&self->lanes, batch->partition, instruction->pipe, batch->clock);
        if (lane == NULL ||
            OpprofBusyTimeAdd(&lane->busy, instruction->start, instruction->end) != OPPROF_OK) {
            return OpprofErrorNoMemory(error, "sum up '%s'", name);
        }
        lane->count++;
    }
    return OPPROF_OK;
}

static OpprofStatus flush(void *instance, OpprofError **error)
{
    BusyTime *self = instance;
    OpprofStatus status = OPPROF_OK;
    (void) error;

    OpprofBusyLanesSort(&self->lanes, self->stage);
    for (size_t i = 0; i < self->lanes.count && status == OPPROF_OK; i++) {
        const OpprofBusyLane *lane = &self->lanes.list[i];
        const OpprofClock *clock = OpprofStageClockInfo(self->stage, lane->clock);
        BusyRow row = { lane->count, OpprofNaF64(), lane->partition, lane->name };
        if (clock != NULL) {
            row.busy_us =
                (double) OpprofClockDuration(clock, OpprofBusyTimeTotal(&lane->busy)) / 1e6;
        }
        status = OpprofStageAppend(self->stage, 0, lane->partition, &row);
    }
    return status;
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    *ret_self = calloc(1, sizeof(BusyTime));
    if (*ret_self == NULL) {
        return OpprofErrorNoMemory(error, "create an instance");
    }
    ((BusyTime *) *ret_self)->stage = stage;
    return OPPROF_OK;
}

static OpprofStatus configure(void *instance, const OpprofParams *params, OpprofError **error)
{
    (void) error; /* the table of parameters has checked all there is to check */
    ((BusyTime *) instance)->skip = OpprofParamsString(params, "skip");
    return OPPROF_OK;
}

static void destroy(void *instance)
{
    OpprofBusyLanesFinish(&((BusyTime *) instance)->lanes);
    free(instance);
}

static const OpprofPort inputs[] = {
    { .name = "in", .type = "sim.instruction", .summary = "Instructions." }
};
static const OpprofPort outputs[] = {
    { .name = "rows", .record_type = &row_type, .summary = "A row per pipe." }
};
static const OpprofParam params[] = { { .name = "skip",
                                        .type = OPPROF_PARAM_STRING,
                                        .default_value = "wait",
                                        .summary =
                                            "Instructions whose names begin so do not count." } };
static const OpprofPluginOps ops = { .struct_size = sizeof ops,
                                     .create = create,
                                     .configure = configure,
                                     .process = process,
                                     .flush = flush,
                                     .destroy = destroy };

OPPROF_PLUGIN_DEFINE(.name = "busy-time", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Busy time of each pipe of each simulated core.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = 1,
                     .outputs = outputs, .output_count = 1, .params = params, .param_count = 1,
                     .ops = &ops);
