/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes spans from the linked work of a rank.
 * Tested by tests/plugins/collect-kineto/test_trace_reader.
 */
#include "collect-kineto/emit/emitter.h"

#include <inttypes.h>
#include <math.h>
#include <opprof/records/activity.h>
#include <opprof/records/grid.h>
#include <opprof/records/host.h>
#include <opprof/records/path.h>
#include <stdio.h>
#include <stdlib.h>

#define CLOCK_HZ UINT64_C(1000000000)
#define ARGS_MAX 20u

bool EmitWordsInit(EmitWords *words, OpprofStage *stage)
{
    const struct {
        uint32_t *id;
        const char *word;
    } table[] = {
        { &words->classes[WORK_COMPUTATION], OPPROF_ACTIVITY_COMPUTATION },
        { &words->classes[WORK_COMMUNICATION], OPPROF_ACTIVITY_COMMUNICATION },
        { &words->classes[WORK_MEMORY], OPPROF_ACTIVITY_MEMORY },
        { &words->step, OPPROF_ACTIVITY_STEP },
        { &words->bandwidth, OPPROF_ACTIVITY_ARG_BANDWIDTH },
        { &words->bytes, OPPROF_ACTIVITY_ARG_BYTES },
        { &words->host[HOST_ANNOTATION], OPPROF_HOST_ANNOTATION },
        { &words->host[HOST_OPERATOR], OPPROF_HOST_OPERATOR },
        { &words->host[HOST_MODULE], OPPROF_HOST_MODULE },
        { &words->host[HOST_FRAME], OPPROF_HOST_FRAME },
        { &words->collective, OPPROF_ACTIVITY_ARG_COLLECTIVE },
        { &words->correlation, OPPROF_ACTIVITY_ARG_CORRELATION },
        { &words->enqueued, OPPROF_ACTIVITY_ARG_ENQUEUED },
        { &words->group, OPPROF_ACTIVITY_ARG_GROUP },
        { &words->group_size, OPPROF_ACTIVITY_ARG_GROUP_SIZE },
        { &words->in_bytes, OPPROF_ACTIVITY_ARG_IN_BYTES },
        { &words->launch_duration, OPPROF_ACTIVITY_ARG_LAUNCH_DURATION },
        { &words->launch_start, OPPROF_ACTIVITY_ARG_LAUNCH_START },
        { &words->launched, OPPROF_ACTIVITY_ARG_LAUNCHED },
        { &words->launched_duration, OPPROF_ACTIVITY_ARG_LAUNCHED_DURATION },
        { &words->out_bytes, OPPROF_ACTIVITY_ARG_OUT_BYTES },
        { &words->sequence, OPPROF_ACTIVITY_ARG_SEQUENCE },
        { &words->path[PATH_OPERATOR], OPPROF_PATH_OPERATOR },
        { &words->path[PATH_ANNOTATION], OPPROF_PATH_ANNOTATION },
        { &words->path[PATH_FRAME], OPPROF_PATH_FRAME },
        { &words->path[PATH_CALL], OPPROF_PATH_CALL },
        { &words->path[PATH_WORK], OPPROF_PATH_WORK },
        { &words->path[PATH_WAIT], OPPROF_PATH_WAIT },
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        *table[i].id = OpprofStageIntern(stage, table[i].word, strlen(table[i].word));
        if (*table[i].id == OPPROF_NA_STRING) {
            return false;
        }
    }
    return true;
}

/* ---- tracks, names ---- */

/* Another lane has the same device and stream: only the process distinguishes them. */
static bool is_ambiguous(const RankTrace *trace, const Lane *lane)
{
    for (uint32_t i = 0; lane->is_process && i < trace->lanes.list.count; i++) {
        const Lane *other = ChunksAt(&trace->lanes.list, i);

        if (other != lane && other->device == lane->device && other->stream == lane->stream) {
            return ProcessesName(&trace->processes, lane->process) != NULL;
        }
    }
    return false;
}

/* Name of a lane's device; of two with one number the one whose process has it, too. */
static void name_device(const Emitter *emitter, const RankTrace *trace, const Lane *lane,
                        char name[PROCESS_MAX])
{
    const char *rank = emitter->target->rank;

    if (lane->is_apart && lane->origin != 0) {
        snprintf(name, PROCESS_MAX, "rank %s device %" PRId64 " of %s", rank, lane->device,
                 NamesAt(&trace->names, lane->origin)->text);
    } else if (lane->is_apart) {
        snprintf(name, PROCESS_MAX, "rank %s device %" PRId64 " of process %" PRId64, rank,
                 lane->device, lane->process);
    } else {
        snprintf(name, PROCESS_MAX, "rank %s device %" PRId64, rank, lane->device);
    }
}

static uint32_t declare_lane(const Emitter *emitter, const RankTrace *trace, const Lane *lane)
{
    const bool is_named = is_ambiguous(trace, lane);
    char process[PROCESS_MAX];
    char thread[80];
    char thread_name[80];

    name_device(emitter, trace, lane, process);
    if (is_named) {
        snprintf(thread, sizeof thread, "%s %" PRId64,
                 ProcessesName(&trace->processes, lane->process), lane->stream);
        snprintf(thread_name, sizeof thread_name, "%s", thread);
    } else {
        snprintf(thread, sizeof thread, "%" PRId64, lane->stream);
        snprintf(thread_name, sizeof thread_name, "stream %" PRId64, lane->stream);
    }
    return OpprofStageTrack(emitter->target->stage,
                            &(OpprofTrack){ .document = emitter->target->document,
                                            .process = process,
                                            .thread = thread,
                                            .thread_name = thread_name,
                                            .process_sort = (int32_t) emitter->target->rank_sort,
                                            .thread_sort = -1,
                                            .flags = is_named ? 0 : OPPROF_TRACK_NUMERIC_THREAD });
}

/* ---- batches ---- */

/* Room for a span that starts at `start`; a full batch is pushed first. */
static OpprofStatus next_span(Emitter *emitter, uint64_t start, OpprofSpan **ret_span)
{
    emitter->open.watermark = start;

    const OpprofStatus status = OpprofOpenBatchRoom(&emitter->open);
    *ret_span = status == OPPROF_OK ? OpprofBatchAppend(emitter->open.batch) : NULL;
    return status;
}

static OpprofStatus push_last(Emitter *emitter)
{
    emitter->open.watermark = UINT64_MAX;
    return OpprofOpenBatchPush(&emitter->open);
}

/* ---- spans ---- */

static OpprofArg u64_arg(uint32_t key, uint64_t value)
{
    return (OpprofArg){ .key = key, .kind = OPPROF_ARG_U64, .value.u64 = value };
}

/* A list of arguments that grows. */
typedef struct ArgList {
    OpprofArg args[ARGS_MAX];
    uint32_t count;
} ArgList;

static void put_u64(ArgList *list, uint32_t key, uint64_t value)
{
    list->args[list->count++] = u64_arg(key, value);
}

static void put_known(ArgList *list, uint32_t key, int64_t value)
{
    if (value >= 0) {
        put_u64(list, key, (uint64_t) value);
    }
}

static void put_name(const Emitter *emitter, ArgList *list, uint32_t key, uint32_t name)
{
    if (name != 0) {
        list->args[list->count++] = (OpprofArg){ .key = key,
                                                 .kind = OPPROF_ARG_STRING,
                                                 .value.u64 = EmitterName(emitter, name) };
    }
}

/* Bytes of so many elements; -1 if the type is unknown. */
static int64_t bytes_of(const Emitter *emitter, const Collective *collective, int64_t elements)
{
    static const struct {
        const char *type;
        int64_t bytes;
    } types[] = { { "Byte", 1 },
                  { "Char", 1 },
                  { "Bool", 1 },
                  { "Float8_e4m3fn", 1 },
                  { "Float8_e5m2", 1 },
                  { "Float8_e4m3fnuz", 1 },
                  { "Float8_e5m2fnuz", 1 },
                  { "Short", 2 },
                  { "Half", 2 },
                  { "BFloat16", 2 },
                  { "Int", 4 },
                  { "Float", 4 },
                  { "Long", 8 },
                  { "Double", 8 } };
    const char *type = NamesAt(&emitter->trace->names, collective->element_type)->text;
    int64_t bytes;

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (elements >= 0 && strcmp(types[i].type, type) == 0 &&
            !__builtin_mul_overflow(elements, types[i].bytes, &bytes)) {
            return bytes;
        }
    }
    return -1;
}

/* Facts from the launching call; of several pieces of its work the first has their sum. */
static void put_call(const Emitter *emitter, ArgList *list, uint32_t number, uint32_t work)
{
    const EmitWords *words = emitter->target->words;
    const LaunchCall *call = RankTraceLaunch(emitter->trace, number);
    const CallSum *sum = &emitter->linked->calls[number];

    put_u64(list, words->launch_duration, call->duration_ns & ~LAUNCH_ENQUEUES);
    put_u64(list, words->launch_start, EmitterTick(emitter, call->start_ns));
    if (sum->count == 1) {
        return;
    }
    put_u64(list, words->launched, sum->first == work ? sum->count : 0);
    if (sum->first == work) {
        put_u64(list, words->launched_duration, sum->duration_ns);
    }
}

/* `own`: what the work itself says, which counts more than what was open on
 * the thread of its call. */
static void put_owner(const Emitter *emitter, ArgList *list, const WorkEvent *work, HostKind kind,
                      uint32_t own)
{
    const uint32_t name = own != NAME_NONE ? own : EmitterOwner(emitter, work, kind);

    if (name != NAME_NONE) {
        put_name(emitter, list, emitter->target->words->host[kind], name);
    }
}

/* Of linked work, that of its call; a call that only a flow ties to it has none. */
static void put_correlation(const Emitter *emitter, ArgList *list, const WorkEvent *work,
                            const LaunchCall *call)
{
    const uint64_t correlation = call == NULL ? work->correlation : call->correlation;

    if ((call != NULL || (work->flags & WORK_HAS_CORRELATION) != 0) &&
        correlation != CALL_WITHOUT_CORRELATION) {
        put_u64(list, emitter->target->words->correlation, correlation);
    }
}

/* Facts about a piece of work, keys in alphabetical order. */
static void collect_args(const Emitter *emitter, uint32_t number, ArgList *list)
{
    const EmitWords *words = emitter->target->words;
    const WorkEvent *work = RankTraceWork(emitter->trace, number);
    const bool is_linked = (work->flags & WORK_IS_LINKED) != 0;
    const LaunchCall *call =
        is_linked ? RankTraceLaunch(emitter->trace, (uint32_t) work->correlation) : NULL;
    const Transfer *transfer =
        (work->flags & WORK_HAS_TRANSFER) != 0 ? RankTraceTransfer(emitter->trace, number) : NULL;
    const Collective *collective = (work->flags & WORK_HAS_COLLECTIVE) != 0
                                       ? RankTraceCollective(emitter->trace, number)
                                       : NULL;
    const NamedWork *named =
        (work->flags & WORK_IS_NAMED) != 0 ? RankTraceNamed(emitter->trace, number) : NULL;

    put_owner(emitter, list, work, HOST_ANNOTATION, NAME_NONE);
    if (transfer != NULL && !isnan(transfer->bandwidth)) {
        list->args[list->count++] = (OpprofArg){ .key = words->bandwidth,
                                                 .kind = OPPROF_ARG_F64,
                                                 .value.f64 = transfer->bandwidth };
    }
    if (transfer != NULL && transfer->bytes != UINT64_MAX) {
        put_u64(list, words->bytes, transfer->bytes);
    }
    if (collective != NULL) {
        put_name(emitter, list, words->collective, collective->name);
    }
    put_correlation(emitter, list, work, call);
    if (call != NULL && (call->duration_ns & LAUNCH_ENQUEUES) != 0) {
        put_u64(list, words->enqueued, EmitterTick(emitter, call->start_ns));
    }
    if (collective != NULL) {
        put_name(emitter, list, words->group, collective->group);
        put_known(list, words->group_size, collective->group_size);
        put_known(list, words->in_bytes, bytes_of(emitter, collective, collective->in_elements));
    }
    if (call != NULL) {
        put_call(emitter, list, (uint32_t) work->correlation, number);
    }
    put_owner(emitter, list, work, HOST_MODULE, named == NULL ? NAME_NONE : named->module_name);
    put_owner(emitter, list, work, HOST_OPERATOR, named == NULL ? NAME_NONE : named->operator_name);
    if (collective != NULL) {
        put_known(list, words->out_bytes, bytes_of(emitter, collective, collective->out_elements));
        put_known(list, words->sequence, collective->sequence);
    }
}

static OpprofStatus emit_work(Emitter *emitter, uint32_t number)
{
    const WorkEvent *work = RankTraceWork(emitter->trace, number);
    const uint64_t start = EmitterTick(emitter, work->start_ns);
    const OpprofText none = { OPPROF_NA_U32, 0 };
    OpprofText arg_text = none;
    OpprofStatus status;
    OpprofSpan *span;
    ArgList list;

    status = next_span(emitter, start, &span);
    if (status != OPPROF_OK) {
        return status;
    }
    list.count = 0;
    collect_args(emitter, number, &list);
    if (list.count > 0) {
        status = OpprofBatchAppendText(emitter->open.batch, (const char *) list.args,
                                       list.count * sizeof list.args[0], &arg_text);
    }
    *span = (OpprofSpan){ .start = start,
                          .duration = work->duration_ns,
                          .track = emitter->lane_ids[work->lane],
                          .kind = OPPROF_SPAN_SLICE,
                          .name = EmitterName(emitter, work->name),
                          .category = emitter->target->words->classes[work->work_class],
                          .colour = OPPROF_NA_STRING,
                          .arg_count = list.count,
                          .args = arg_text,
                          .id = none,
                          .group = none };
    return status;
}

static OpprofStatus emit_step(Emitter *emitter, uint32_t number)
{
    const StepEvent *step = RankTraceStep(emitter->trace, number);
    const uint64_t start = EmitterTick(emitter, step->start_ns);
    const OpprofText none = { OPPROF_NA_U32, 0 };
    OpprofStatus status;
    OpprofSpan *span;

    if (emitter->step_track == OPPROF_NA_U32) {
        emitter->step_track = EmitterHostTrack(emitter, "steps", OPPROF_TRACK_LABELS);
    }
    status = next_span(emitter, start, &span);
    if (status == OPPROF_OK) {
        *span = (OpprofSpan){ .start = start,
                              .duration = step->duration_ns,
                              .track = emitter->step_track,
                              .kind = OPPROF_SPAN_SLICE,
                              .name = EmitterName(emitter, step->name),
                              .category = emitter->target->words->step,
                              .colour = OPPROF_NA_STRING,
                              .args = none,
                              .id = none,
                              .group = none };
    }
    return status;
}

/* An empty trace leaves a mark, so that analyses know of the rank. */
static OpprofStatus emit_nothing(Emitter *emitter)
{
    static const char name[] = "no device work";
    const OpprofText none = { OPPROF_NA_U32, 0 };
    OpprofStatus status;
    OpprofSpan *span;

    emitter->step_track = EmitterHostTrack(emitter, "steps", OPPROF_TRACK_LABELS);
    status = next_span(emitter, 0, &span);
    if (status == OPPROF_OK) {
        *span =
            (OpprofSpan){ .track = emitter->step_track,
                          .kind = OPPROF_SPAN_MARK,
                          .name = OpprofStageIntern(emitter->target->stage, name, sizeof name - 1),
                          .category = OPPROF_NA_STRING,
                          .colour = OPPROF_NA_STRING,
                          .args = none,
                          .id = none,
                          .group = none };
    }
    return status;
}

/* Steps and work in one order; a step comes before work that starts with it. */
static OpprofStatus emit_all(Emitter *emitter)
{
    const LinkedTrace *linked = emitter->linked;
    OpprofStatus status = OPPROF_OK;
    uint32_t work = 0;
    uint32_t step = 0;

    if (linked->work_count == 0) {
        status = emit_nothing(emitter);
    }
    while (status == OPPROF_OK && (work < linked->work_count || step < linked->step_count)) {
        const bool is_step = work == linked->work_count ||
                             (step < linked->step_count &&
                              RankTraceStep(emitter->trace, linked->steps[step])->start_ns <=
                                  RankTraceWork(emitter->trace, linked->work[work])->start_ns);

        if (is_step) {
            status = emit_step(emitter, linked->steps[step++]);
        } else {
            status = EmitterHasWork(emitter, linked->work[work])
                         ? emit_work(emitter, linked->work[work])
                         : OPPROF_OK;
            work++;
        }
    }
    return status == OPPROF_OK ? push_last(emitter) : status;
}

/* ---- host ---- */

static OpprofStatus emit_host_event(void *context, const HostEnd *end)
{
    Emitter *emitter = context;
    const HostEvent *event = RankTraceHost(emitter->trace, end->number);
    const HostWork *work = &end->work;
    OpprofStatus status;
    void *room;

    status = OpprofStageRoom(emitter->target->stage, emitter->target->host_port, emitter->partition,
                             &room);
    if (status != OPPROF_OK) {
        return status;
    }
    *(OpprofHostCall *) room = (OpprofHostCall){
        .start = EmitterTick(emitter, event->start_ns),
        .duration = event->duration_ns,
        .self = event->duration_ns -
                (end->inside_ns < event->duration_ns ? end->inside_ns : event->duration_ns),
        .device_self = work->device_ns,
        .device_total = work->device_all_ns,
        .delay = work->delay_ns,
        .name = EmitterName(emitter, event->name),
        .kind = emitter->target->words->host[event->kind],
        .thread = event->thread,
        .launches = work->launches,
        .kernels_self = work->kernels,
        .kernels_total = work->kernels_all,
        .flags = end->is_recursive ? OPPROF_HOST_RECURSIVE : 0,
    };
    return OPPROF_OK;
}

/* Gives out what the host did. `shaped`: as for HostSums. */
static OpprofStatus emit_host(Emitter *emitter, ShapedWork *shaped)
{
    const EmitTarget *target = emitter->target;
    const bool has_reader = OpprofStageHasReader(target->stage, target->host_port);
    OpprofStatus status;

    OpprofStageSetClock(target->stage, target->host_port, emitter->clock);
    for (uint32_t i = 0; has_reader && i < target->host->count; i++) {
        /* Names are numbered as the host began, whatever ends first. */
        EmitterName(emitter, RankTraceHost(emitter->trace, target->host->order[i])->name);
    }
    status = HostSums(emitter->trace, emitter->linked, target->host,
                      has_reader ? emit_host_event : NULL, emitter, shaped);
    if (status == OPPROF_OK && has_reader) {
        status = EmitNamed(emitter);
    }
    return status == OPPROF_OK ? OpprofStagePushOpen(target->stage, target->host_port, UINT64_MAX)
                               : status;
}

static OpprofStatus emit_shaped_call(Emitter *emitter, const ShapedEvent *shaped, ShapedWork work,
                                     uint32_t device)
{
    const HostEvent *event = RankTraceHost(emitter->trace, shaped->host);
    const OpprofShapedCall call = {
        .start = EmitterTick(emitter, event->start_ns),
        .device_total = work.device_all_ns,
        .flops = shaped->flops,
        .bytes = shaped->bytes > 0 ? shaped->bytes : OpprofNaF64(),
        .name = EmitterName(emitter, event->name),
        .shape = EmitterName(emitter, shaped->shape),
        .type = shaped->types == 0 ? OPPROF_NA_STRING : EmitterName(emitter, shaped->types),
        .device = device,
        .kernels = work.kernels_all,
    };

    return work.kernels_all == 0
               ? OPPROF_OK
               : OpprofStageAppend(emitter->target->stage, emitter->target->shaped_port,
                                   emitter->partition, &call);
}

static OpprofStatus emit_shaped(Emitter *emitter, const ShapedWork *work)
{
    const EmitTarget *target = emitter->target;
    const Chunks *list = &emitter->trace->shaped;
    const uint32_t device =
        target->device[0] == '\0'
            ? OPPROF_NA_STRING
            : OpprofStageIntern(target->stage, target->device, strlen(target->device));
    OpprofStatus status = OPPROF_OK;

    OpprofStageSetClock(target->stage, target->shaped_port, emitter->clock);
    for (uint32_t i = 0; status == OPPROF_OK && i < list->count; i++) {
        status = emit_shaped_call(emitter, ChunksAt(list, i), work[i], device);
    }
    return status == OPPROF_OK ? OpprofStagePushOpen(target->stage, target->shaped_port, UINT64_MAX)
                               : status;
}

/* Of a further device of a file only what its work names. */
static OpprofStatus emit_named_only(const Emitter *emitter)
{
    const EmitTarget *target = emitter->target;
    OpprofStatus status = OPPROF_OK;

    if (OpprofStageHasReader(target->stage, target->host_port)) {
        OpprofStageSetClock(target->stage, target->host_port, emitter->clock);
        status = EmitNamed(emitter);
    }
    return status == OPPROF_OK ? OpprofStagePushOpen(target->stage, target->host_port, UINT64_MAX)
                               : status;
}

/* What the host did, and how much its operators compute, as far as a stage reads them. After it
 * owners are known. */
static OpprofStatus emit_operators(Emitter *emitter)
{
    const EmitTarget *target = emitter->target;
    const bool has_shaped = OpprofStageHasReader(target->stage, target->shaped_port);
    ShapedWork *shaped = NULL;
    OpprofStatus status;

    if (target->host == NULL) {
        return OPPROF_OK;
    }
    if (!target->has_host) {
        return emit_named_only(emitter);
    }
    if (has_shaped) {
        shaped = calloc((size_t) emitter->trace->shaped.count + 1, sizeof *shaped);
        if (shaped == NULL) {
            return OPPROF_E_MEMORY;
        }
    }
    status = emit_host(emitter, shaped);
    if (status == OPPROF_OK && has_shaped) {
        status = emit_shaped(emitter, shaped);
    }
    free(shaped);
    return status;
}

/* How kernels were spread over their devices. */
static OpprofStatus emit_grids(const Emitter *emitter)
{
    const EmitTarget *target = emitter->target;
    const Grids *grids = &emitter->trace->grids;
    OpprofStatus status = OPPROF_OK;

    OpprofStageSetClock(target->stage, target->grid_port, emitter->clock);
    for (uint32_t i = 0; status == OPPROF_OK && i < grids->count; i++) {
        const Grid *grid = &grids->list[i];
        const OpprofKernelGrid record = {
            .count = grid->count,
            .duration = grid->duration_ns,
            .occupancy = grid->occupied_ns == 0 ? OpprofNaF64()
                                                : grid->occupancy_ns / (double) grid->occupied_ns,
            .name = EmitterName(emitter, grid->name),
            .lane = emitter->lane_ids[grid->lane],
            .blocks = grid->blocks,
            .threads = grid->threads == 0 ? OPPROF_NA_U32 : grid->threads,
            .units = target->units == 0 ? OPPROF_NA_U32 : target->units
        };

        if (record.lane != OPPROF_NA_U32) {
            status =
                OpprofStageAppend(target->stage, target->grid_port, emitter->partition, &record);
        }
    }
    return status == OPPROF_OK ? OpprofStagePushOpen(target->stage, target->grid_port, UINT64_MAX)
                               : status;
}

uint32_t EmitClock(const EmitTarget *target)
{
    return OpprofStageClock(target->stage, &(OpprofClock){ .name = "trace",
                                                           .hz = CLOCK_HZ,
                                                           .offset_ps = target->offset_ps,
                                                           .epoch_ns = target->epoch_ns });
}

static bool prepare(Emitter *emitter)
{
    const EmitTarget *target = emitter->target;
    const RankTrace *trace = emitter->trace;

    emitter->name_ids = calloc((size_t) trace->names.list.count + 1, sizeof(uint32_t));
    emitter->lane_ids = calloc((size_t) trace->lanes.list.count + 1, sizeof(uint32_t));
    emitter->thread_ids = calloc((size_t) trace->threads.list.count + 1, sizeof(uint32_t));
    if (emitter->name_ids == NULL || emitter->lane_ids == NULL || emitter->thread_ids == NULL) {
        return false;
    }
    emitter->partition = OpprofStageIntern(target->stage, target->rank, strlen(target->rank));
    emitter->clock = EmitClock(target);
    /* A batch is cut by its spans alone, whose texts are short. */
    emitter->open = (OpprofOpenBatch){ .stage = target->stage,
                                       .port = target->port,
                                       .partition = emitter->partition,
                                       .clock = emitter->clock,
                                       .most_text = UINT32_MAX };
    for (uint32_t i = 0; i < trace->lanes.list.count; i++) {
        if (target->only != NULL && LaneAt(&trace->lanes, i)->device != *target->only) {
            emitter->lane_ids[i] = OPPROF_NA_U32; /* a lane of another rank */
            continue;
        }
        emitter->lane_ids[i] = declare_lane(emitter, trace, ChunksAt(&trace->lanes.list, i));
        if (emitter->lane_ids[i] == OPPROF_NA_U32) {
            return false;
        }
    }
    return emitter->partition != OPPROF_NA_STRING && emitter->clock != 0;
}

OpprofStatus EmitTrace(const EmitTarget *target, const RankTrace *trace, const LinkedTrace *linked)
{
    Emitter emitter = {
        .target = target, .trace = trace, .linked = linked, .step_track = OPPROF_NA_U32
    };
    OpprofStatus status = prepare(&emitter) ? emit_operators(&emitter) : OPPROF_E_MEMORY;

    status = status == OPPROF_OK ? emit_all(&emitter) : status;
    status = status == OPPROF_OK ? EmitPath(&emitter) : status;
    status = status == OPPROF_OK ? emit_grids(&emitter) : status;
    OpprofOpenBatchDrop(&emitter.open);
    free(emitter.name_ids);
    free(emitter.lane_ids);
    free(emitter.thread_ids);
    return status;
}
