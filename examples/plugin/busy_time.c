/* SPDX-License-Identifier: Apache-2.0 */
/*
 * busy-time: how long each pipe of each core was at work, as a table and as curves.
 *
 * A pipe is busy from the start of an instruction to its end; where instructions overlap, the time
 * counts once. Waiting for a flag is no work. docs/plugin-guide.md explains this file.
 */
#include <opprof/opprof.h>
#include <opprof/records/sim.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what comes out ---- */

typedef struct BusyRow {
    uint64_t instructions;
    double busy_us;
    double share;
    uint32_t core;
    uint32_t pipe;
} BusyRow;

static const OpprofField row_fields[] = {
    OPPROF_FIELD(BusyRow, core, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Logical core."),
    OPPROF_FIELD(BusyRow, pipe, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Pipe of the core."),
    OPPROF_FIELD(BusyRow, instructions, OPPROF_FIELD_U64, .unit = "1",
                 .meaning = "Instructions that the pipe executed, without waits."),
    OPPROF_FIELD(BusyRow, busy_us, OPPROF_FIELD_F64, .unit = "us", .heading = "busy(us)",
                 .decimals = 4, .meaning = "Time in which at least one of them was under way.",
                 .absent = "The data names no clock."),
    OPPROF_FIELD(BusyRow, share, OPPROF_FIELD_F64, .unit = "%", .heading = "share(%)",
                 .decimals = 3,
                 .meaning = "Busy part of the time from the core's first start to its last end.",
                 .absent = "The core ran for no time."),
};

static const OpprofRecordType row_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "org.example.busy-time",
    .summary = "Busy time of one pipe of one core.",
    .size = sizeof(BusyRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = row_fields,
    .field_count = OPPROF_COUNT(row_fields),
    .title = "Busy time",
    .file_hint = "busy_time",
};

/* ---- what it remembers ---- */

/* Stretches of busy time that a pipe holds, since an instruction to come may still join them. */
#define HELD_STRETCHES 512

/* Times are ticks of the core's clock. */
typedef struct Stretch {
    uint64_t from;
    uint64_t to;
} Stretch;

/* One pipe of one core. */
typedef struct Lane {
    const char *name;
    uint32_t pipe;  /* interned */
    uint32_t curve; /* interned name of its curve */
    uint64_t instructions;
    Stretch held[HELD_STRETCHES]; /* a ring: apart from each other, the oldest at `oldest` */
    size_t oldest;
    size_t held_count;
    uint64_t settled;   /* end of the last stretch that is held no more */
    uint64_t busy;      /* ticks of all those */
    uint64_t cut;       /* instructions that began before `settled` */
    uint64_t window;    /* number of the window that is being filled */
    uint64_t in_window; /* busy ticks in it */
} Lane;

typedef struct Core {
    const char *name;
    uint32_t id; /* interned */
    uint32_t clock;
    uint32_t track; /* where its curves are shown */
    uint64_t window_ticks;
    uint64_t first, last; /* first start and last end of all its instructions */
    Lane *lanes;
    size_t lane_count;
} Core;

enum { OUT_ROWS, OUT_CURVES, OUT_COUNT };

/* An instance of the plugin. */
typedef struct BusyTime {
    OpprofStage *stage;
    int64_t window_ns;
    uint32_t waits[2];      /* interned names of instructions that only wait */
    uint32_t unit;          /* interned "busy(%)" */
    uint32_t document;      /* interned "trace" */
    bool draws;             /* somebody reads the curves */
    OpprofBatch *open[OUT_COUNT]; /* per output port: being filled, or NULL */
    Core *cores;
    size_t core_count;
} BusyTime;

/* ---- records go out ---- */

static OpprofStatus send(BusyTime *self, uint32_t port)
{
    OpprofBatch *batch = self->open[port];

    self->open[port] = NULL;
    return batch != NULL ? OpprofStagePush(self->stage, port, batch) : OPPROF_OK;
}

/* Room for one more record of this core; what is full is sent first. */
static OpprofStatus append(BusyTime *self, uint32_t port, const Core *core, void **ret_record,
                           OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    *ret_record = self->open[port] != NULL ? OpprofBatchAppend(self->open[port]) : NULL;
    if (*ret_record != NULL) {
        return OPPROF_OK;
    }
    status = send(self, port);
    if (status != OPPROF_OK) {
        return status;
    }
    self->open[port] = OpprofStageNewBatch(self->stage, port);
    if (self->open[port] == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory for a batch");
    }
    self->open[port]->partition = port == OUT_CURVES ? self->document : core->id;
    self->open[port]->clock = core->clock;
    *ret_record = OpprofBatchAppend(self->open[port]);
    return OPPROF_OK;
}

/* ---- curves: the busy share of every window ---- */

/* A curve keeps its value until its next sample. */
static OpprofStatus draw(BusyTime *self, const Core *core, const Lane *lane, uint64_t window,
                         double share, OpprofError **error)
{
    void *record;
    OpprofStatus status;

    if (!self->draws) {
        return OPPROF_OK;
    }
    status = append(self, OUT_CURVES, core, &record, error);
    if (status == OPPROF_OK) {
        *(OpprofCounter *) record = (OpprofCounter){ .time = window * core->window_ticks,
                                                     .value = share,
                                                     .track = core->track,
                                                     .name = lane->curve,
                                                     .series = self->unit };
    }
    return status;
}

/* Draw the window that is being filled and go on to `next`; those between have one share. */
static OpprofStatus turn_window(BusyTime *self, const Core *core, Lane *lane, uint64_t next,
                                double between, OpprofError **error)
{
    const double share = 100.0 * (double) lane->in_window / (double) core->window_ticks;
    OpprofStatus status = draw(self, core, lane, lane->window, share, error);

    if (status == OPPROF_OK && next > lane->window + 1) {
        status = draw(self, core, lane, lane->window + 1, between, error);
    }
    lane->window = next;
    lane->in_window = 0;
    return status;
}

/* Take a stretch that nothing will join any more into the sum and into the windows it lies in. */
static OpprofStatus settle(BusyTime *self, const Core *core, Lane *lane, Stretch stretch,
                           OpprofError **error)
{
    const uint64_t ticks = core->window_ticks;
    OpprofStatus status = OPPROF_OK;

    if (lane->settled == 0) {
        lane->window = stretch.from / ticks;
    }
    lane->busy += stretch.to - stretch.from;
    lane->settled = stretch.to;
    if (stretch.from / ticks > lane->window) { /* idle since */
        status = turn_window(self, core, lane, stretch.from / ticks, 0, error);
    }
    if (status == OPPROF_OK && stretch.to / ticks > lane->window) { /* busy till then */
        lane->in_window += (lane->window + 1) * ticks - stretch.from;
        status = turn_window(self, core, lane, stretch.to / ticks, 100, error);
        lane->in_window = stretch.to % ticks;
    } else {
        lane->in_window += stretch.to - stretch.from;
    }
    return status;
}

static OpprofStatus settle_oldest(BusyTime *self, const Core *core, Lane *lane, OpprofError **error)
{
    const Stretch oldest = lane->held[lane->oldest];

    lane->oldest = (lane->oldest + 1) % HELD_STRETCHES;
    lane->held_count--;
    return settle(self, core, lane, oldest, error);
}

/* Behind its last window a curve is at 0. */
static OpprofStatus end_curve(BusyTime *self, const Core *core, Lane *lane, OpprofError **error)
{
    OpprofStatus status = turn_window(self, core, lane, lane->window, 0, error);

    if (status == OPPROF_OK && lane->window < UINT64_MAX / core->window_ticks) {
        status = draw(self, core, lane, lane->window + 1, 0, error);
    }
    return status;
}

/* ---- instructions come in ---- */

static uint64_t window_ticks(const BusyTime *self, const OpprofClock *clock)
{
    const double hz = clock != NULL ? (double) clock->hz : 1e9; /* without a clock a tick is 1 ns */
    const double ticks = (double) self->window_ns * hz / 1e9;

    return ticks < 1 ? 1 : ticks > 1e18 ? (uint64_t) 1e18 : (uint64_t) ticks;
}

static Core *add_core(BusyTime *self, const OpprofBatch *batch)
{
    const char *name = OpprofStageString(self->stage, batch->partition);
    const OpprofTrack track = {
        .document = "trace", .process = name, .process_sort = -1, .thread_sort = -1
    };
    Core *grown = realloc(self->cores, (self->core_count + 1) * sizeof *grown);

    if (grown == NULL) {
        return NULL;
    }
    self->cores = grown;
    grown[self->core_count] = (Core){
        .name = name,
        .id = batch->partition,
        .clock = batch->clock,
        .track = OpprofStageTrack(self->stage, &track),
        .window_ticks = window_ticks(self, OpprofStageClockInfo(self->stage, batch->clock)),
        .first = UINT64_MAX,
    };
    return &grown[self->core_count++];
}

static Core *find_core(BusyTime *self, const OpprofBatch *batch)
{
    for (size_t i = 0; i < self->core_count; i++) {
        if (self->cores[i].id == batch->partition) {
            return &self->cores[i];
        }
    }
    return add_core(self, batch);
}

static Lane *add_lane(const BusyTime *self, Core *core, uint32_t pipe)
{
    const char *name = OpprofStageString(self->stage, pipe);
    Lane *grown = realloc(core->lanes, (core->lane_count + 1) * sizeof *grown);
    char curve[64];
    int length = snprintf(curve, sizeof curve, "busy %.40s", name);

    if (grown == NULL) {
        return NULL;
    }
    core->lanes = grown;
    grown[core->lane_count] = (Lane){ .name = name,
                                      .pipe = pipe,
                                      .curve = OpprofStageIntern(self->stage, curve, (size_t) length) };
    return &grown[core->lane_count++];
}

static Lane *find_lane(const BusyTime *self, Core *core, uint32_t pipe)
{
    for (size_t i = 0; i < core->lane_count; i++) {
        if (core->lanes[i].pipe == pipe) {
            return &core->lanes[i];
        }
    }
    return add_lane(self, core, pipe);
}

/*
 * Instructions come by their ends. So a stretch of time ends the newest one held or lies behind it,
 * and whatever of those held it reaches back to becomes one with it.
 */
static OpprofStatus add_stretch(BusyTime *self, const Core *core, Lane *lane, Stretch stretch,
                                OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (stretch.from < lane->settled) {
        stretch.from = lane->settled;
        stretch.to = stretch.to > lane->settled ? stretch.to : lane->settled;
        lane->cut++;
    }
    while (lane->held_count > 0) {
        const Stretch newest = lane->held[(lane->oldest + lane->held_count - 1) % HELD_STRETCHES];

        if (newest.to < stretch.from) {
            break;
        }
        stretch.from = newest.from < stretch.from ? newest.from : stretch.from;
        stretch.to = newest.to > stretch.to ? newest.to : stretch.to;
        lane->held_count--;
    }
    if (lane->held_count == HELD_STRETCHES) {
        status = settle_oldest(self, core, lane, error);
    }
    lane->held[(lane->oldest + lane->held_count++) % HELD_STRETCHES] = stretch;
    return status;
}

static bool is_wait(const BusyTime *self, const OpprofSimInstruction *instruction)
{
    return instruction->name == self->waits[0] || instruction->name == self->waits[1];
}

static OpprofStatus add_instruction(BusyTime *self, Core *core, const OpprofSimInstruction *instruction,
                                    OpprofError **error)
{
    const Stretch stretch = { instruction->start, instruction->end };
    Lane *lane;

    core->first = stretch.from < core->first ? stretch.from : core->first;
    core->last = stretch.to > core->last ? stretch.to : core->last;
    if (is_wait(self, instruction)) {
        return OPPROF_OK;
    }
    lane = find_lane(self, core, instruction->pipe);
    if (lane == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory for another pipe");
    }
    lane->instructions++;
    return add_stretch(self, core, lane, stretch, error);
}

static OpprofStatus process(void *instance, uint32_t port, const OpprofBatch *batch, OpprofError **error)
{
    BusyTime *self = instance;
    Core *core = find_core(self, batch);
    OpprofStatus status = OPPROF_OK;

    (void) port; /* there is only one */
    if (core == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory for another core");
    }
    for (uint32_t i = 0; i < batch->count && status == OPPROF_OK; i++) {
        status = add_instruction(self, core, OpprofBatchRecord(batch, i), error);
    }
    return status == OPPROF_OK ? send(self, OUT_CURVES) : status;
}

/* ---- everything has come in ---- */

static int compare_cores(const void *left, const void *right)
{
    return strcmp(((const Core *) left)->name, ((const Core *) right)->name);
}

static int compare_lanes(const void *left, const void *right)
{
    return strcmp(((const Lane *) left)->name, ((const Lane *) right)->name);
}

static BusyRow make_row(const BusyTime *self, const Core *core, const Lane *lane)
{
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, core->clock);
    const uint64_t whole = core->last - core->first;
    BusyRow row = { .instructions = lane->instructions,
                    .busy_us = OpprofNaF64(),
                    .share = OpprofNaF64(),
                    .core = core->id,
                    .pipe = lane->pipe };

    if (clock != NULL) {
        row.busy_us = (double) OpprofClockDuration(clock, lane->busy) / 1e6;
    }
    if (whole > 0) {
        row.share = 100.0 * (double) lane->busy / (double) whole;
    }
    return row;
}

static OpprofStatus finish_lane(BusyTime *self, const Core *core, Lane *lane, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    void *record;

    while (lane->held_count > 0 && status == OPPROF_OK) {
        status = settle_oldest(self, core, lane, error);
    }
    if (status == OPPROF_OK) {
        status = end_curve(self, core, lane, error);
    }
    if (status == OPPROF_OK) {
        status = append(self, OUT_ROWS, core, &record, error);
    }
    if (status == OPPROF_OK) {
        *(BusyRow *) record = make_row(self, core, lane);
    }
    if (lane->cut > 0) {
        OpprofStageWarn(self->stage,
                  "Busy time of pipe '%s' of core '%s' is a little too low: %" PRIu64
                  " instructions began more than %d idle times before they ended",
                  lane->name, core->name, lane->cut, HELD_STRETCHES);
    }
    return status;
}

static OpprofStatus finish_core(BusyTime *self, Core *core, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    qsort(core->lanes, core->lane_count, sizeof *core->lanes, compare_lanes);
    for (size_t i = 0; i < core->lane_count && status == OPPROF_OK; i++) {
        status = finish_lane(self, core, &core->lanes[i], error);
    }
    if (status == OPPROF_OK) {
        status = send(self, OUT_CURVES);
    }
    return status == OPPROF_OK ? send(self, OUT_ROWS) : status;
}

static OpprofStatus flush(void *instance, OpprofError **error)
{
    BusyTime *self = instance;
    OpprofStatus status = OPPROF_OK;

    if (self->core_count == 0) {
        OpprofStageWarn(self->stage, "There were no instructions: the table is empty");
        return OPPROF_OK;
    }
    qsort(self->cores, self->core_count, sizeof *self->cores, compare_cores);
    for (size_t i = 0; i < self->core_count && status == OPPROF_OK; i++) {
        status = finish_core(self, &self->cores[i], error);
    }
    return status;
}

/* ---- its life ---- */

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    BusyTime *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory");
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *instance, const OpprofParams *params, OpprofError **error)
{
    BusyTime *self = instance;

    (void) error; /* the table of parameters has checked all there is to check */
    self->window_ns = OpprofParamsInt(params, "window");
    return OPPROF_OK;
}

static OpprofStatus start(void *instance, OpprofError **error)
{
    BusyTime *self = instance;

    (void) error;
    self->draws = OpprofStageHasReader(self->stage, OUT_CURVES);
    self->waits[0] = OpprofStageIntern(self->stage, "WAIT_FLAG", strlen("WAIT_FLAG"));
    self->waits[1] = OpprofStageIntern(self->stage, "wait_event", strlen("wait_event"));
    self->unit = OpprofStageIntern(self->stage, "busy(%)", strlen("busy(%)"));
    self->document = OpprofStageIntern(self->stage, "trace", strlen("trace"));
    return OPPROF_OK;
}

static void destroy(void *instance)
{
    BusyTime *self = instance;

    for (size_t i = 0; i < self->core_count; i++) {
        free(self->cores[i].lanes);
    }
    OpprofBatchUnref(self->open[OUT_ROWS]);
    OpprofBatchUnref(self->open[OUT_CURVES]);
    free(self->cores);
    free(self);
}

/* ---- what the module exports ---- */

static const OpprofPort inputs[] = {
    { .name = "instructions",
      .type = "sim.instruction",
      .record_type = &opprof_sim_instruction_type,
      .order = OPPROF_ORDER_END,
      .summary = "Executed instructions of simulated cores." },
};

static const OpprofPort outputs[] = {
    [OUT_ROWS] = { .name = "rows",
                   .record_type = &row_type,
                   .summary = "Busy time, one row a core and pipe." },
    [OUT_CURVES] = { .name = "curves",
                     .record_type = &opprof_counter_type,
                     .summary = "Busy share of each window of time, one curve a core and pipe." },
};

static const OpprofParam params[] = {
    { .name = "window",
      .type = OPPROF_PARAM_DURATION,
      .default_value = "1us",
      .min = 1,
      .max = 1e12,
      .summary = "Time that one point of a curve sums up." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "busy-time", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Busy time of each pipe of each simulated core.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
