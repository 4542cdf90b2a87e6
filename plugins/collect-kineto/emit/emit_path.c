/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emits the elements of a rank's critical path: what the host did, what it launched, who waited.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "collect-kineto/emit/emitter.h"
#include "collect-kineto/rank/sort.h"

#include <opprof/records/path.h>
#include <opprof/stage.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LONG_FRAME_NS 500000u

static OpprofStatus put(const Emitter *emitter, const OpprofPathEvent *event)
{
    return OpprofStageAppend(emitter->target->stage, emitter->target->path_port, emitter->partition,
                             event);
}

/* An event with only a time and a name so far. */
static OpprofPathEvent event_of(const Emitter *emitter, PathKind kind, uint32_t name)
{
    return OpprofPathEventOf(emitter->target->words->path[kind], EmitterName(emitter, name));
}

/* Functions of Python are very many: only long ones can explain idle time, and those that say what
 * they are for count as annotations. */
static PathKind kind_of_frame(const Emitter *emitter, const HostEvent *host)
{
    const WordList *telling = &emitter->trace->vocabulary->lists[LIST_TELLING_FRAMES];
    const Name *name = NamesAt(&emitter->trace->names, host->name);
    const JsonText text = { .text = name->text, .length = name->length };

    if (host->duration_ns < LONG_FRAME_NS) {
        return PATH_KINDS;
    }
    return VocabularyHasPart(telling, text) ? PATH_ANNOTATION : PATH_FRAME;
}

static PathKind kind_of(const Emitter *emitter, const HostEvent *host)
{
    switch (host->kind) {
    case HOST_OPERATOR:
        return PATH_OPERATOR;
    case HOST_ANNOTATION:
        return PATH_ANNOTATION;
    case HOST_FRAME:
        return kind_of_frame(emitter, host);
    default:
        return PATH_KINDS; /* not on the path */
    }
}

/* Track of a thread of the host. */
static uint32_t track_of_thread(const Emitter *emitter, uint32_t thread)
{
    uint32_t *id = &emitter->thread_ids[thread];

    if (*id == 0) {
        char name[32];

        snprintf(name, sizeof name, "thread %" PRId64,
                 LaneAt(&emitter->trace->threads, thread)->stream);
        *id = EmitterHostTrack(emitter, name, 0) + 1;
    }
    return *id - 1;
}

static OpprofStatus put_host(const Emitter *emitter, const HostEvent *host)
{
    const PathKind kind = kind_of(emitter, host);
    OpprofPathEvent event;

    if (kind == PATH_KINDS) {
        return OPPROF_OK;
    }
    event = event_of(emitter, kind, host->name);
    event.start = EmitterTick(emitter, host->start_ns);
    event.duration = host->duration_ns;
    event.thread = host->thread;
    event.lane = track_of_thread(emitter, host->thread);
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

static uint32_t flags_of(uint16_t meaning)
{
    return ((meaning & CALL_BLOCKS) != 0 ? OPPROF_PATH_BLOCKS : 0) |
           ((meaning & CALL_WAITS_ALL) != 0 ? OPPROF_PATH_WAITS_ALL : 0) |
           ((meaning & CALL_WAITS_SOME) != 0 ? OPPROF_PATH_WAITS_SOME : 0) |
           ((meaning & CALL_LOCKS) != 0 ? OPPROF_PATH_LOCKS : 0) |
           ((meaning & CALL_COPIES) != 0 ? OPPROF_PATH_COPIES : 0) |
           ((meaning & CALL_ALLOCATES) != 0 ? OPPROF_PATH_ALLOCATES : 0) |
           ((meaning & CALL_KIND_MASK) == CALL_ENQUEUE ? OPPROF_PATH_ENQUEUES : 0);
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
    event.lane = track_of_thread(emitter, call->thread);
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

static OpprofStatus put_work(const Emitter *emitter, uint32_t work_number)
{
    const WorkEvent *work = RankTraceWork(emitter->trace, work_number);
    const Collective *collective = (work->flags & WORK_HAS_COLLECTIVE) != 0
                                       ? RankTraceCollective(emitter->trace, work_number)
                                       : NULL;
    OpprofPathEvent event = event_of(emitter, PATH_WORK, work->name);

    event.start = EmitterTick(emitter, work->start_ns);
    event.duration = work->duration_ns;
    if ((work->flags & WORK_IS_LINKED) != 0) {
        const uint32_t number = (uint32_t) work->correlation;
        const LaunchCall *call = RankTraceLaunch(emitter->trace, number);

        event.id = tie_of(emitter, call, number);
        event.thread = call->thread;
        event.launched = EmitterTick(emitter, call->start_ns);
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

/* ---- in order ---- */

/* Elements of the path are numbered through: what the host did, iterations, calls, launching calls,
 * work. */
enum { OF_HOST, OF_STEPS, OF_CALLS, OF_LAUNCHES, OF_WORK, SOURCES };

typedef struct Sources {
    const Emitter *emitter;
    uint32_t first[SOURCES + 1]; /* number of the first element of each, and of all */
} Sources;

static Sources sources_of(const Emitter *emitter)
{
    const RankTrace *trace = emitter->trace;
    const uint32_t counts[SOURCES] = { [OF_HOST] = trace->host.count,
                                       [OF_STEPS] = emitter->linked->step_count,
                                       [OF_CALLS] = trace->calls.count,
                                       [OF_LAUNCHES] = trace->launches.count,
                                       [OF_WORK] = emitter->linked->work_count };
    Sources sources = { .emitter = emitter };

    for (int i = 0; i < SOURCES; i++) {
        sources.first[i + 1] = sources.first[i] + counts[i];
    }
    return sources;
}

static int source_of(const Sources *sources, uint32_t number)
{
    int source = SOURCES - 1;

    while (number < sources->first[source]) {
        source--;
    }
    return source;
}

/* When an element is. Work counts as inside of, and iterations as around, what begins together. */
typedef struct Extent {
    int64_t start_ns;
    uint64_t duration_ns;
} Extent;

static Extent extent_of(const Sources *sources, uint32_t number)
{
    const RankTrace *trace = sources->emitter->trace;
    const int source = source_of(sources, number);
    const uint32_t i = number - sources->first[source];
    const LaunchCall *call;

    switch (source) {
    case OF_HOST:
        return (Extent){ RankTraceHost(trace, i)->start_ns, RankTraceHost(trace, i)->duration_ns };
    case OF_STEPS:
        return (Extent){ RankTraceStep(trace, sources->emitter->linked->steps[i])->start_ns,
                         UINT64_MAX };
    case OF_CALLS:
        call = CHUNKS_AT(&trace->calls, i, LaunchCall);
        return (Extent){ call->start_ns, call->duration_ns };
    case OF_LAUNCHES:
        call = RankTraceLaunch(trace, i);
        return (Extent){ call->start_ns, call->duration_ns & ~LAUNCH_ENQUEUES };
    default:
        return (Extent){ RankTraceWork(trace, sources->emitter->linked->work[i])->start_ns, 0 };
    }
}

/* What is around others comes before them. */
static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const Extent left = extent_of(context, a);
    const Extent right = extent_of(context, b);

    if (left.start_ns != right.start_ns) {
        return left.start_ns < right.start_ns;
    }
    return left.duration_ns != right.duration_ns ? left.duration_ns > right.duration_ns : a < b;
}

static OpprofStatus put_near(const Emitter *emitter, const LaunchCall *call, uint64_t id)
{
    return LinkIsNear(emitter->linked, call->start_ns) ? put_call(emitter, call, id) : OPPROF_OK;
}

static OpprofStatus put_element(const Sources *sources, uint32_t number)
{
    const Emitter *emitter = sources->emitter;
    const RankTrace *trace = emitter->trace;
    const int source = source_of(sources, number);
    const uint32_t i = number - sources->first[source];
    const LaunchCall *call;

    switch (source) {
    case OF_HOST:
        return LinkIsNear(emitter->linked, RankTraceHost(trace, i)->start_ns)
                   ? put_host(emitter, RankTraceHost(trace, i))
                   : OPPROF_OK;
    case OF_STEPS:
        return put_step(emitter, RankTraceStep(trace, emitter->linked->steps[i]));
    case OF_CALLS:
        call = CHUNKS_AT(&trace->calls, i, LaunchCall);
        return put_near(emitter, call, call->correlation);
    case OF_LAUNCHES:
        call = RankTraceLaunch(trace, i);
        return put_near(emitter, call, tie_of(emitter, call, i));
    default:
        return EmitterHasWork(emitter, emitter->linked->work[i])
                   ? put_work(emitter, emitter->linked->work[i])
                   : OPPROF_OK;
    }
}

/* What the host did lies in order for each thread, where that is known. */
static void number_all(const Sources *sources, uint32_t *numbers)
{
    const HostLinks *host = sources->emitter->target->host;

    for (uint32_t i = 0; i < sources->first[SOURCES]; i++) {
        numbers[i] = i;
    }
    if (host != NULL && host->count == sources->first[OF_STEPS]) {
        memcpy(numbers, host->order, host->count * sizeof *numbers);
    }
}

static OpprofStatus put_all(const Emitter *emitter)
{
    const Sources sources = sources_of(emitter);
    const uint32_t count = sources.first[SOURCES];
    uint32_t *numbers = reallocarray(NULL, (size_t) count + 1, sizeof *numbers);
    OpprofStatus status = numbers == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    if (status == OPPROF_OK) {
        number_all(&sources, numbers);
        status = SortNumbers(numbers, count, is_before, &sources) ? OPPROF_OK : OPPROF_E_MEMORY;
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < count; i++) {
        status = put_element(&sources, numbers[i]);
    }
    free(numbers);
    for (uint32_t i = 0; status == OPPROF_OK && i < emitter->trace->waits.count; i++) {
        status = put_wait(emitter, ChunksAt(&emitter->trace->waits, i));
    }
    return status;
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
