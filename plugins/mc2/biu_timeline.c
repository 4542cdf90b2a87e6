/* SPDX-License-Identifier: Apache-2.0 */
/*
 * biu-timeline: draws what the pipes of cores did, with the names that each kind of data uses.
 * Tested by tests/plugins/mc2/test_streams.sh.
 */
#include "biu_event.h"
#include "monitor.h"
#include "sheet.h"

#include <opprof/kit/launches.h>
#include <opprof/log.h>
#include <opprof/map.h>
#include <opprof/plugin.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_SPANS, OUTPUT_COUNTERS, OUTPUT_STATUS };

#define TEXT_ROOM 64u
#define MAX_DAYS 100u /* beyond, the exporters' picoseconds would overflow */
#define SECONDS_A_DAY 86400u
#define NO_BLOCK 65535u
#define PIPE_SORT 10u

/* A row of "biu.status". */
typedef struct StatusRow {
    double timestamp_us;
    double duration_us;
    uint32_t group;
    uint32_t type;
    uint32_t block;
    uint32_t name;
    uint32_t payload;
    uint32_t reserved;
} StatusRow;

static const OpprofField status_fields[] = {
    OPPROF_RECORD_FIELD(StatusRow, group, U32, 0, NULL, "Group of cores.", NULL),
    OPPROF_RECORD_FIELD(StatusRow, type, STRING, 0, NULL,
                        "Kind of core. aic: cube core; aiv0: first vector core; aiv1: second one",
                        NULL),
    OPPROF_RECORD_FIELD(StatusRow, block, U32, 0, NULL, "Block of the last stamp.", NULL),
    OPPROF_RECORD_FIELD(StatusRow, name, STRING, 0, NULL, "Pipe that was busy or marked.", NULL),
    OPPROF_RECORD_FIELD(StatusRow, timestamp_us, F64, OPPROF_FIELD_MOMENT, "us", "Start.", NULL),
    OPPROF_RECORD_NUMBER(StatusRow, duration_us, F64, SUM, OPPROF_FIELD_WEIGHT, "us",
                         "Duration; 0 of marks.", NULL),
    OPPROF_RECORD_FIELD(StatusRow, payload, U32, 0, NULL, "Number of the mark.",
                        "it is not a mark"),
};

static const OpprofRecordType status_type =
    OPPROF_RECORD_TYPE(StatusRow, 1, "biu.status", "When pipes of cores were busy, and marks.",
                       OPPROF_RECORD_TABLE, status_fields, "Pipe activity", "biu_instr_status");

typedef struct Timeline {
    OpprofStage *stage;
    uint32_t partition; /* of the current launch; 0: none */
    uint64_t launches;  /* so far */
    char *document;
    Sheet sheet;
    uint64_t hz;
    uint64_t base;     /* subtracted from all times of the launch */
    uint32_t types[3]; /* interned kinds of cores */
    uint32_t value;    /* interned name of counters' series */
    OpprofMap threads; /* numbers of groups' threads, by device and core */
} Timeline;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "draw pipe activity");
}

static uint32_t intern(const Timeline *self, const char *text)
{
    return OpprofStageIntern(self->stage, text, strlen(text));
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Timeline), ret_self, error);
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Timeline *self = context;

    (void) error;
    self->types[0] = intern(self, "aic");
    self->types[1] = intern(self, "aiv0");
    self->types[2] = intern(self, "aiv1");
    self->value = intern(self, "flow");
    return OPPROF_OK;
}

/* ---- lanes ---- */

static uint32_t pipe_track(const Timeline *self, const BiuEvent *event)
{
    const OpprofTrack track = { .document = self->document,
                                .process = OpprofStageString(self->stage, event->unit),
                                .thread = OpprofStageString(self->stage, event->pipe),
                                .process_sort = (int32_t) (event->group * 3 + event->type),
                                .thread_sort = (int32_t) (PIPE_SORT + event->pipe_number) };

    return OpprofStageTrack(self->stage, &track);
}

/* Threads are numbered in the order of arrival: a launch's files come in the
 * order of their cores. */
static uint32_t thread_number(Timeline *self, uint32_t device, uint32_t rank)
{
    const uint64_t key = (uint64_t) device << 32 | rank;
    uint32_t number = OpprofMapFind(&self->threads, key);

    if (number == OPPROF_MAP_NONE) {
        number = self->threads.count;
        OpprofMapPut(&self->threads, key,
                     number); /* else the next one would get this number, too */
    }
    return number;
}

/* As the system profiler shows it: one process, a thread per core. */
static uint32_t group_track(Timeline *self, const BiuEvent *event)
{
    const uint32_t device = event->source_device == OPPROF_NA_U32 ? 0 : event->source_device;
    const uint32_t rank = event->group * 3 + event->type;
    char process[TEXT_ROOM];
    char thread[TEXT_ROOM];
    char name[TEXT_ROOM];

    snprintf(process, sizeof process, "%u", device);
    snprintf(thread, sizeof thread, "%u", thread_number(self, device, rank));
    snprintf(name, sizeof name, device == 0 ? "Biu Perf" : "Biu Perf %u", device);
    const OpprofTrack track = { .document = self->document,
                                .process = process,
                                .process_name = name,
                                .thread = thread,
                                .thread_name = OpprofStageString(self->stage, event->unit),
                                .process_sort = -1,
                                .thread_sort = (int32_t) rank,
                                .flags =
                                    OPPROF_TRACK_NUMERIC_PROCESS | OPPROF_TRACK_NUMERIC_THREAD };
    return OpprofStageTrack(self->stage, &track);
}

static uint32_t monitor_track(const Timeline *self, const BiuEvent *event)
{
    const bool is_flow = event->kind == BIU_FLOW;
    uint32_t number = MonitorFlowProcess(event->group);
    char process[TEXT_ROOM];
    char thread[TEXT_ROOM];
    char name[TEXT_ROOM];

    if (!is_flow) {
        MonitorCyclesProcess(MonitorCoreId((MonitorCore) event->type, event->group), event->group,
                             &number);
    }
    snprintf(process, sizeof process, "%u", number);
    snprintf(thread, sizeof thread, "%u", event->pipe_number);
    snprintf(name, sizeof name, "biu_group%u", event->group);
    const OpprofTrack track = { .document = self->document,
                                .process = process,
                                .process_name =
                                    is_flow ? name : OpprofStageString(self->stage, event->unit),
                                .thread = thread,
                                .thread_name = OpprofStageString(self->stage, event->pipe),
                                .process_sort = (int32_t) number,
                                .thread_sort = (int32_t) event->pipe_number,
                                .flags =
                                    OPPROF_TRACK_NUMERIC_PROCESS | OPPROF_TRACK_NUMERIC_THREAD };
    return OpprofStageTrack(self->stage, &track);
}

/* ---- launches ---- */

static OpprofStatus end_launch(Timeline *self)
{
    OpprofStatus status = OpprofStagePushOpen(self->stage, OUTPUT_COUNTERS, 0);

    if (self->document != NULL && status == OPPROF_OK) {
        status = SheetPush(&self->sheet, true);
    }
    SheetFinish(&self->sheet);
    OpprofMapFinish(&self->threads);
    free(self->document);
    self->document = NULL;
    self->partition = 0;
    return status;
}

static OpprofStatus begin_launch(Timeline *self, const OpprofBatch *batch, OpprofError **error)
{
    const BiuEvent *first = OpprofBatchRecord(batch, 0);
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, batch->clock);
    OpprofStatus status = end_launch(self);

    if (status != OPPROF_OK) {
        return status;
    }
    self->partition = batch->partition;
    self->document =
        OpprofLaunchPath(self->stage, first->device, first->kernel, first->order, "trace");
    if (self->document == NULL) {
        return no_memory(error);
    }
    self->hz = clock == NULL ? 1 : clock->hz;
    self->base = 0;
    self->launches++;
    if (first->start / self->hz > (uint64_t) MAX_DAYS * SECONDS_A_DAY) {
        self->base = first->start - self->hz;
        OpprofStageWarn(self->stage, "Launch '%s': times count from tick %" PRIu64,
                        OpprofStageString(self->stage, batch->partition), self->base);
    }
    SheetInit(&self->sheet, self->stage, OUTPUT_SPANS, self->document);
    SheetSetClock(&self->sheet, batch->clock);
    return OPPROF_OK;
}

/* ---- drawing ---- */

static uint64_t since_base(const Timeline *self, uint64_t time)
{
    return time < self->base ? 0 : time - self->base;
}

static void put_args(Timeline *self, const BiuEvent *event)
{
    char address[TEXT_ROOM];

    if (event->source == BIU_SOURCE_GROUP) {
        SheetNumber(&self->sheet, "Block Id",
                    event->block == OPPROF_NA_U32 ? NO_BLOCK : event->block, OPPROF_ARG_U64);
        if (event->kind == BIU_CHECKPOINT) {
            SheetNumber(&self->sheet, "Checkpoint Info", event->payload, OPPROF_ARG_U64);
        }
        SheetText(&self->sheet, "Core Type",
                  OpprofStageString(self->stage, self->types[event->type % 3]));
    } else if (event->kind == BIU_CYCLES) {
        SheetNumber(&self->sheet, "cycle_num", event->payload, OPPROF_ARG_U64);
    } else if (event->pc != OPPROF_NA_U64) {
        snprintf(address, sizeof address, "0x%08" PRIx64, event->pc);
        SheetText(&self->sheet, "pc_addr", address);
    }
    if (event->is_cut != 0) {
        SheetText(&self->sheet, "truncated", "true");
    }
}

static void draw_span(Timeline *self, const BiuEvent *event)
{
    const OpprofSpan span = { .start = since_base(self, event->start),
                              .duration = event->end - event->start,
                              .track = event->source == BIU_SOURCE_GROUP ? group_track(self, event)
                                       : event->source == BIU_SOURCE_MONITOR
                                           ? monitor_track(self, event)
                                           : pipe_track(self, event),
                              .kind = OPPROF_SPAN_SLICE,
                              .name = event->name,
                              .colour = event->colour };

    SheetBegin(&self->sheet, &span);
    put_args(self, event);
    SheetEnd(&self->sheet);
}

static OpprofStatus draw_counter(Timeline *self, const BiuEvent *event)
{
    const OpprofCounter counter = { .time = since_base(self, event->start),
                                    .value = event->payload,
                                    .track = monitor_track(self, event),
                                    .name = event->name,
                                    .series = self->value };

    OpprofStageSetClock(self->stage, OUTPUT_COUNTERS, self->sheet.open.clock);
    return OpprofStageAppend(self->stage, OUTPUT_COUNTERS, self->sheet.open.partition, &counter);
}

static double to_us(const Timeline *self, uint64_t cycles)
{
    return (double) cycles * 1e6 / (double) self->hz;
}

static OpprofStatus put_row(Timeline *self, const BiuEvent *event)
{
    const StatusRow row = { .timestamp_us = to_us(self, event->start),
                            .duration_us = to_us(self, event->end - event->start),
                            .group = event->group,
                            .type = self->types[event->type % 3],
                            .block = event->block == OPPROF_NA_U32 ? NO_BLOCK : event->block,
                            .name = event->name,
                            .payload =
                                event->kind == BIU_CHECKPOINT ? event->payload : OPPROF_NA_U32 };

    return OpprofStageAppend(self->stage, OUTPUT_STATUS, self->partition, &row);
}

static OpprofStatus take(Timeline *self, const BiuEvent *event)
{
    if (event->kind == BIU_FLOW) {
        return draw_counter(self, event);
    }
    draw_span(self, event);
    if (self->sheet.status == OPPROF_OK && event->source == BIU_SOURCE_GROUP) {
        return put_row(self, event);
    }
    return self->sheet.status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Timeline *self = context;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    if (batch->count == 0) {
        return OPPROF_OK;
    }
    if (self->document == NULL || batch->partition != self->partition) {
        status = begin_launch(self, batch, error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        status = take(self, OpprofBatchRecord(batch, i));
    }
    return OpprofErrorExplain(error, status, "Cannot draw launch '%s'",
                              OpprofStageString(self->stage, batch->partition));
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    const Timeline *self = context;
    const OpprofStatus status = end_launch(context);

    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Drew launches: %" PRIu64,
              self->launches);
    return OpprofErrorExplain(error, status, "Cannot draw the timelines of launches");
}

static void destroy(void *context)
{
    Timeline *self = context;

    SheetFinish(&self->sheet);
    OpprofMapFinish(&self->threads);
    free(self->document);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "events",
      .type = "biu.event",
      .record_type = &biu_event_type,
      .summary = "When pipes were busy and what was marked." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_SPANS] = { .name = "spans",
                       .record_type = &opprof_span_type,
                       .summary = "One document per launch, with a lane for each pipe or core." },
    [OUTPUT_COUNTERS] = { .name = "counters",
                          .record_type = &opprof_counter_type,
                          .summary = "What moved in each interval of the older monitors." },
    [OUTPUT_STATUS] = { .name = "status",
                        .record_type = &status_type,
                        .summary = "The system profiler's files as a table." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .start = start,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "biu-timeline", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Draws pipe activity and marks of cores.", .kind = OPPROF_ANALYSIS,
                     .inputs = inputs, .input_count = OPPROF_COUNT(inputs), .outputs = outputs,
                     .output_count = OPPROF_COUNT(outputs), .ops = &ops);
