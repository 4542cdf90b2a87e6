/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emits the elements of a rank's critical path: what the host did, what it launched, who waited.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "collect-kineto/emit/emitter.h"

#include <opprof/records/path.h>
#include <opprof/stage.h>

static OpprofStatus put(const Emitter *emitter, const OpprofPathEvent *event)
{
    return OpprofStageAppend(emitter->target->stage, emitter->target->path_port, emitter->partition,
                             event);
}

/* An event with only a time and a name so far. */
static OpprofPathEvent event_of(const Emitter *emitter, PathKind kind, uint32_t name)
{
    return (OpprofPathEvent){ .id = OPPROF_NA_U64,
                              .source = OPPROF_NA_U64,
                              .name = EmitterName(emitter, name),
                              .kind = emitter->target->words->path[kind],
                              .work_class = OPPROF_NA_STRING,
                              .thread = OPPROF_NA_U32,
                              .lane = OPPROF_NA_U32,
                              .source_lane = OPPROF_NA_U32,
                              .sequence = OPPROF_NA_U64,
                              .group = OPPROF_NA_STRING,
                              .collective = OPPROF_NA_STRING };
}

static OpprofStatus put_host(const Emitter *emitter, const HostEvent *host)
{
    const PathKind kind = host->kind == HOST_OPERATOR ? PATH_OPERATOR : PATH_ANNOTATION;
    OpprofPathEvent event = event_of(emitter, kind, host->name);

    if (host->kind != HOST_OPERATOR && host->kind != HOST_ANNOTATION) {
        return OPPROF_OK;
    }
    event.start = EmitterTick(emitter, host->start_ns);
    event.duration = host->duration_ns;
    event.thread = host->thread;
    return put(emitter, &event);
}

/* An iteration is an annotation too, so that a window can be one. */
static OpprofStatus put_step(const Emitter *emitter, const StepEvent *step)
{
    OpprofPathEvent event = event_of(emitter, PATH_ANNOTATION, step->name);

    event.start = EmitterTick(emitter, step->start_ns);
    event.duration = step->duration_ns;
    return put(emitter, &event);
}

static uint32_t flags_of(uint8_t meaning)
{
    return ((meaning & CALL_BLOCKS) != 0 ? OPPROF_PATH_BLOCKS : 0) |
           ((meaning & CALL_WAITS_ALL) != 0 ? OPPROF_PATH_WAITS_ALL : 0) |
           ((meaning & CALL_WAITS_SOME) != 0 ? OPPROF_PATH_WAITS_SOME : 0) |
           ((meaning & CALL_LOCKS) != 0 ? OPPROF_PATH_LOCKS : 0);
}

/* Id that ties a launching call to its work: the correlation, or a number of its own for a call
 * that only a flow ties, and where several calls have one correlation. */
static uint64_t tie_of(const Emitter *emitter, const LaunchCall *call, uint32_t number)
{
    return emitter->linked->has_twins || call->correlation == CALL_WITHOUT_CORRELATION
               ? UINT64_C(1) << 63 | number
               : call->correlation;
}

static OpprofStatus put_call(const Emitter *emitter, const LaunchCall *call, uint64_t id)
{
    OpprofPathEvent event = event_of(emitter, PATH_CALL, call->name);

    event.start = EmitterTick(emitter, call->start_ns);
    event.duration = call->duration_ns & ~LAUNCH_ENQUEUES;
    event.id = id;
    event.thread = call->thread;
    event.flags = flags_of(NamesAt(&emitter->trace->names, call->name)->meaning);
    return put(emitter, &event);
}

static void set_collective(const Emitter *emitter, const Collective *collective,
                           OpprofPathEvent *event)
{
    event->sequence = collective->sequence < 0 ? OPPROF_NA_U64 : (uint64_t) collective->sequence;
    if (collective->group != 0) {
        event->group = EmitterName(emitter, collective->group);
    }
    if (collective->name != 0) {
        event->collective = EmitterName(emitter, collective->name);
    }
}

static OpprofStatus put_work(const Emitter *emitter, uint32_t number)
{
    const WorkEvent *work = RankTraceWork(emitter->trace, number);
    const Collective *collective = (work->flags & WORK_HAS_COLLECTIVE) != 0
                                       ? RankTraceCollective(emitter->trace, number)
                                       : NULL;
    OpprofPathEvent event = event_of(emitter, PATH_WORK, work->name);

    event.start = EmitterTick(emitter, work->start_ns);
    event.duration = work->duration_ns;
    if ((work->flags & WORK_IS_LINKED) != 0) {
        const uint32_t call = (uint32_t) work->correlation;

        event.id = tie_of(emitter, RankTraceLaunch(emitter->trace, call), call);
    }
    event.lane = emitter->lane_ids[work->lane];
    event.work_class = emitter->target->words->classes[work->work_class];
    if (collective != NULL) {
        set_collective(emitter, collective, &event);
    }
    return put(emitter, &event);
}

static uint32_t track_of(const Emitter *emitter, uint16_t lane)
{
    return lane == WAIT_NO_LANE ? OPPROF_NA_U32 : emitter->lane_ids[lane];
}

static OpprofStatus put_wait(const Emitter *emitter, const WaitEvent *wait)
{
    OpprofPathEvent event = event_of(emitter, PATH_WAIT, 0);

    event.id = wait->correlation;
    event.source = wait->source_call == UINT64_MAX ? OPPROF_NA_U64 : wait->source_call;
    event.lane = track_of(emitter, wait->lane);
    event.source_lane = track_of(emitter, wait->source_lane);
    return put(emitter, &event);
}

static OpprofStatus put_calls(const Emitter *emitter, const Chunks *list)
{
    const bool may_launch = list == &emitter->trace->launches;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < list->count; i++) {
        const LaunchCall *call = ChunksAt(list, i);

        if (LinkIsNear(emitter->linked, call->start_ns)) {
            status =
                put_call(emitter, call, may_launch ? tie_of(emitter, call, i) : call->correlation);
        }
    }
    return status;
}

static OpprofStatus put_all(const Emitter *emitter)
{
    const RankTrace *trace = emitter->trace;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < trace->host.count; i++) {
        const HostEvent *host = RankTraceHost(trace, i);

        if (LinkIsNear(emitter->linked, host->start_ns)) {
            status = put_host(emitter, host);
        }
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < emitter->linked->step_count; i++) {
        status = put_step(emitter, RankTraceStep(trace, emitter->linked->steps[i]));
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < emitter->linked->work_count; i++) {
        status = put_work(emitter, emitter->linked->work[i]);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < trace->waits.count; i++) {
        status = put_wait(emitter, ChunksAt(&trace->waits, i));
    }
    if (status == OPPROF_OK) {
        status = put_calls(emitter, &trace->calls);
    }
    return status == OPPROF_OK ? put_calls(emitter, &trace->launches) : status;
}

OpprofStatus EmitPath(const Emitter *emitter)
{
    const EmitTarget *target = emitter->target;
    OpprofStatus status;

    if (!emitter->trace->vocabulary->reads_path) {
        return OPPROF_OK;
    }
    OpprofStageSetClock(target->stage, target->path_port, emitter->clock);
    status = put_all(emitter);
    return status == OPPROF_OK ? OpprofStagePushOpen(target->stage, target->path_port, UINT64_MAX)
                               : status;
}
