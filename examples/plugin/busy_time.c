/* SPDX-License-Identifier: Apache-2.0 */
/* busy-time: how long each pipe of each core ran. Overlapping instructions count once, waits do not count. */
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
    OPPROF_FIELD(BusyRow, core, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Logical core."),
    OPPROF_FIELD(BusyRow, pipe, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Pipe of the core."),
    OPPROF_FIELD(BusyRow, instructions, OPPROF_FIELD_U64, .unit = "1",
                 .meaning = "Instructions without waits."),
    OPPROF_FIELD(BusyRow, busy_us, OPPROF_FIELD_F64, .unit = "us", .heading = "busy(us)",
                 .decimals = 4, .meaning = "Time in which at least one of them ran.",
                 .absent = "the data names no clock"),
};

static const OpprofRecordType row_type =
    OPPROF_RECORD_TYPE(BusyRow, 1, "org.example.busy-time", "Busy time of one pipe of one core.",
                       OPPROF_RECORD_TABLE, row_fields, "Busy time", "busy_time");

/* What is remembered of a pipe of a core. */
typedef struct Lane {
    const char *core_name, *pipe_name;
    OpprofBusyTime busy;
    uint64_t instructions;
    uint32_t core, pipe, clock;
} Lane;

typedef struct BusyTime {
    OpprofStage *stage;
    const char *skip;      /* beginning of names that do not count */
    OpprofMap lanes_by_id; /* core and pipe to index */
    Lane *lanes;
    size_t count, capacity;
} BusyTime;

static Lane *find_lane(BusyTime *self, const OpprofBatch *batch, uint32_t pipe)
{
    const uint64_t id = (uint64_t) batch->partition << 32 | pipe;
    const uint32_t index = OpprofMapFind(&self->lanes_by_id, id);

    if (index != OPPROF_MAP_NONE) {
        return &self->lanes[index];
    }
    if (!OpprofGrow(&self->lanes, &self->capacity, self->count + 1, sizeof *self->lanes) ||
        !OpprofMapPut(&self->lanes_by_id, id, (uint32_t) self->count)) {
        return NULL;
    }
    self->lanes[self->count] =
        (Lane){ .core = batch->partition, .pipe = pipe, .clock = batch->clock };
    self->lanes[self->count].core_name = OpprofStageString(self->stage, batch->partition);
    self->lanes[self->count].pipe_name = OpprofStageString(self->stage, pipe);
    return &self->lanes[self->count++];
}

static OpprofStatus process(void *instance, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    BusyTime *self = instance;

    (void) port; /* there is only one */
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofSimInstruction *instruction = OpprofBatchRecord(batch, i);
        const char *name = OpprofStageString(self->stage, instruction->name);
        Lane *lane;

        if (strncasecmp(name, self->skip, strlen(self->skip)) == 0) {
            continue;
        }
        lane = find_lane(self, batch, instruction->pipe);
        if (lane == NULL ||
            OpprofBusyTimeAdd(&lane->busy, instruction->start, instruction->end) != OPPROF_OK) {
            return OpprofErrorNoMemory(error, "sum up '%s'", name);
        }
        lane->instructions++;
    }
    return OPPROF_OK;
}

static int compare(const void *left, const void *right)
{
    const Lane *a = left, *b = right;
    return a->core == b->core ? strcmp(a->pipe_name, b->pipe_name)
                              : strcmp(a->core_name, b->core_name);
}

static OpprofStatus flush(void *instance, OpprofError **error)
{
    BusyTime *self = instance;
    OpprofStatus status = OPPROF_OK;
    (void) error;

    qsort(self->lanes, self->count, sizeof *self->lanes, compare);
    for (size_t i = 0; i < self->count && status == OPPROF_OK; i++) {
        const Lane *lane = &self->lanes[i];
        const OpprofClock *clock = OpprofStageClockInfo(self->stage, lane->clock);
        BusyRow row = { lane->instructions, OpprofNaF64(), lane->core, lane->pipe };
        if (clock != NULL) {
            row.busy_us =
                (double) OpprofClockDuration(clock, OpprofBusyTimeTotal(&lane->busy)) / 1e6;
        }
        status = OpprofStageAppend(self->stage, 0, lane->core, &row);
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
    BusyTime *self = instance;

    for (size_t i = 0; i < self->count; i++) {
        OpprofBusyTimeFinish(&self->lanes[i].busy);
    }
    OpprofMapFinish(&self->lanes_by_id);
    free(self->lanes);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "in", .type = "sim.instruction", .summary = "Instructions." }
};
static const OpprofPort outputs[] = {
    { .name = "rows", .record_type = &row_type, .summary = "A row a pipe." }
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
