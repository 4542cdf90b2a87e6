/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps what is needed of a trace until its end. Tested by
 * tests/plugins/collect-kineto/test_trace_reader.
 */
#include "collect-kineto/rank/rank_trace.h"

#include "collect-kineto/formats/tasks.h"
#include "collect-kineto/rank/group_name.h"
#include "collect-kineto/text/number.h"
#include "collect-kineto/rank/open_events.h"
#include "collect-kineto/rank/shapes.h"

#include <opprof/intern.h>
#include <opprof/record.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SHAPE_TEXT_MAX 160u
#define SHAPE_KEY_MAX 1024u
#define SHAPES_MAX 8192u /* distinct ones that are remembered */
#define GROUP_MAX 256u   /* bytes of a group's name and ranks */

_Static_assert(sizeof(WorkEvent) == 32, "what a piece of work costs");
_Static_assert(sizeof(LaunchCall) == 32, "what a call costs");
_Static_assert(sizeof(HostEvent) == 24, "what an operator costs");

bool RankTraceInit(RankTrace *trace, const Vocabulary *vocabulary)
{
    *trace = (RankTrace){ .vocabulary = vocabulary,
                          .work = ChunksOf(sizeof(WorkEvent)),
                          .launches = ChunksOf(sizeof(LaunchCall)),
                          .calls = ChunksOf(sizeof(LaunchCall)),
                          .waits = ChunksOf(sizeof(WaitEvent)),
                          .transfers = ChunksOf(sizeof(Transfer)),
                          .collectives = ChunksOf(sizeof(Collective)),
                          .steps = ChunksOf(sizeof(StepEvent)),
                          .host = ChunksOf(sizeof(HostEvent)),
                          .shadows = ChunksOf(sizeof(HostEvent)),
                          .shaped = ChunksOf(sizeof(ShapedEvent)),
                          .flows = ChunksOf(sizeof(FlowEnd)),
                          .call_flows = ChunksOf(sizeof(FlowEnd)),
                          .work_flows = ChunksOf(sizeof(FlowEnd)),
                          .named = ChunksOf(sizeof(NamedWork)),
                          .shapes = { .list = ChunksOf(sizeof(ShapedEvent)) },
                          .lanes = { .list = ChunksOf(sizeof(Lane)) },
                          .flow_lanes = { .list = ChunksOf(sizeof(Lane)) },
                          .threads = { .list = ChunksOf(sizeof(Lane)) } };
    return NamesInit(&trace->names);
}

/* What a trace keeps in lists. */
static const size_t lists[] = {
    offsetof(RankTrace, work),       offsetof(RankTrace, launches),
    offsetof(RankTrace, calls),      offsetof(RankTrace, waits),
    offsetof(RankTrace, transfers),  offsetof(RankTrace, collectives),
    offsetof(RankTrace, steps),      offsetof(RankTrace, host),
    offsetof(RankTrace, shadows),    offsetof(RankTrace, shaped),
    offsetof(RankTrace, flows),      offsetof(RankTrace, call_flows),
    offsetof(RankTrace, work_flows), offsetof(RankTrace, named),
};

uint64_t RankTraceBytes(const RankTrace *trace)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < OPPROF_COUNT(lists); i++) {
        bytes += ChunksBytes((const Chunks *) (const void *) ((const char *) trace + lists[i]));
    }
    return bytes;
}

void RankTraceFinish(RankTrace *trace)
{
    for (size_t i = 0; i < OPPROF_COUNT(lists); i++) {
        ChunksFinish((Chunks *) (void *) ((char *) trace + lists[i]));
    }
    NamesFinish(&trace->names);
    ChunksFinish(&trace->shapes.list);
    OpprofTextMapFinish(&trace->shapes.places);
    GridsFinish(&trace->grids);
    LanesFinish(&trace->lanes);
    LanesFinish(&trace->flow_lanes);
    LanesFinish(&trace->threads);
    ProcessesFinish(&trace->processes);
    OpenEventsDestroy(trace->open);
    trace->open = NULL;
}

/* True if the event has plausible times; else counts it among the losses. */
static bool has_good_times(RankTrace *trace, const TraceEvent *event)
{
    int64_t end;

    if ((event->has & EVENT_HAS_START) == 0) {
        TraceLossAdd(&trace->losses.no_start, event->at);
    } else if ((event->has & EVENT_HAS_DURATION) == 0) {
        TraceLossAdd(&trace->losses.no_duration, event->at);
    } else if (event->duration_ns < 0) {
        TraceLossAdd(&trace->losses.negative_duration, event->at);
    } else if (event->duration_ns > DURATION_MAX_NS ||
               __builtin_add_overflow(event->start_ns, event->duration_ns, &end)) {
        TraceLossAdd(&trace->losses.corrupt_duration, event->at);
    } else {
        return true;
    }
    return false;
}

/* Index of a text; 0 for the empty one. False without memory. */
static bool keep_text(RankTrace *trace, JsonText text, uint32_t *ret_name)
{
    uint16_t meaning;

    *ret_name = text.length == 0
                    ? 0
                    : NamesGet(&trace->names, trace->vocabulary, NAME_TEXT, text, &meaning);
    return *ret_name != UINT32_MAX;
}

/* The process of an event, and the index of its origin, 0 if none. False without memory. */
static bool find_origin(RankTrace *trace, JsonText pid, ProcessText *ret_process,
                        uint32_t *ret_origin)
{
    OriginMemo *memo = &trace->last_origin;

    *ret_origin = 0;
    if (memo->length > 0 && pid.length == memo->length && pid.is_string &&
        memcmp(pid.text, memo->text, memo->length) == 0) {
        *ret_process = memo->process;
        *ret_origin = memo->origin;
        return true;
    }
    *ret_process = LaneProcess(pid);
    if (ret_process->origin.length == 0) {
        return true;
    }
    if (!keep_text(trace, ret_process->origin, ret_origin)) {
        return false;
    }
    memo->length = pid.length > sizeof memo->text ? 0 : pid.length;
    memcpy(memo->text, pid.text, memo->length);
    memo->process = *ret_process;
    memo->process.origin = (JsonText){ .text = "" }; /* its text does not stay */
    memo->origin = *ret_origin;
    return true;
}

/* Device and stream; process and thread replace them if an event does not state them. False
 * without memory. */
static bool lane_of(RankTrace *trace, const TraceEvent *event, Lane *ret_lane)
{
    ProcessText process = { .has_number = false };

    *ret_lane = (Lane){ .device = event->device,
                        .stream = event->stream,
                        .is_queue = (event->has & EVENT_HAS_STREAM) != 0 && event->stream >= 0 &&
                                    event->use != USE_UNTOLD };
    if ((event->has & EVENT_HAS_PID) != 0 &&
        !find_origin(trace, event->pid, &process, &ret_lane->origin)) {
        return false;
    }
    ret_lane->process = process.has_number ? process.number : 0;
    if ((event->has & EVENT_HAS_DEVICE) == 0 && process.has_number) {
        ret_lane->device = process.number;
        ret_lane->is_process = true;
    }
    if ((event->has & EVENT_HAS_STREAM) == 0 && (event->has & EVENT_HAS_TID) != 0) {
        NumberInteger(event->tid.text, event->tid.length, &ret_lane->stream);
    }
    return true;
}

static bool is_last_thread(const ThreadMemo *memo, const TraceEvent *event)
{
    return memo->length > 0 && event->pid.length == memo->pid_length &&
           event->pid.length + event->tid.length == memo->length &&
           memcmp(memo->text, event->pid.text, event->pid.length) == 0 &&
           memcmp(memo->text + memo->pid_length, event->tid.text, event->tid.length) == 0;
}

static void note_thread(ThreadMemo *memo, const TraceEvent *event, uint32_t number)
{
    memo->length = (size_t) event->pid.length + event->tid.length;
    if (memo->length > sizeof memo->text) {
        memo->length = 0;
        return;
    }
    memo->pid_length = event->pid.length;
    memcpy(memo->text, event->pid.text, event->pid.length);
    memcpy(memo->text + event->pid.length, event->tid.text, event->tid.length);
    memo->number = number;
}

/* The thread of an event; LANES_MAX if there are too many. False without memory. */
static bool find_thread(RankTrace *trace, const TraceEvent *event, uint32_t *ret_number)
{
    Lane thread = { 0 };
    ProcessText process;

    if (is_last_thread(&trace->last_thread, event)) {
        *ret_number = trace->last_thread.number;
        return true;
    }
    thread.device = EventNumber(event->pid);
    thread.stream = EventNumber(event->tid);
    if (!find_origin(trace, event->pid, &process, &thread.origin) ||
        !LanesFind(&trace->threads, thread, ret_number)) {
        return false;
    }
    note_thread(&trace->last_thread, event, *ret_number);
    return true;
}

static bool add_transfer(RankTrace *trace, const TraceEvent *event, WorkEvent *work)
{
    const uint32_t known = EVENT_HAS_BYTES | EVENT_HAS_BANDWIDTH;
    Transfer *transfer;

    if (work->work_class != WORK_MEMORY || (event->has & known) == 0) {
        return true;
    }
    transfer = ChunksAppend(&trace->transfers);
    if (transfer == NULL) {
        return false;
    }
    *transfer =
        (Transfer){ .work = trace->work.count - 1, .bytes = UINT64_MAX, .bandwidth = (double) NAN };
    if ((event->has & EVENT_HAS_BYTES) != 0 && event->bytes >= 0) {
        transfer->bytes = (uint64_t) event->bytes;
    }
    if ((event->has & EVENT_HAS_BANDWIDTH) != 0) {
        transfer->bandwidth = event->bandwidth;
    }
    work->flags |= WORK_HAS_TRANSFER;
    return true;
}

/* False without memory. */
static bool keep_group(RankTrace *trace, const TraceEvent *event, uint32_t *ret_name)
{
    const JsonText none = { .text = "" };
    const JsonText ranks = (event->has & EVENT_HAS_GROUP_RANKS) != 0 ? event->dims : none;
    char text[GROUP_MAX];
    JsonText whole = { .text = text, .has_escape = event->group.has_escape || ranks.has_escape };

    if (event->group.length >= sizeof text) {
        return keep_text(trace, event->group, ret_name);
    }
    whole.length = (uint32_t) GroupName(event->group, ranks, text, sizeof text);
    return keep_text(trace, whole, ret_name);
}

static bool add_collective(RankTrace *trace, const TraceEvent *event, WorkEvent *work)
{
    Collective *collective;

    if (work->work_class != WORK_COMMUNICATION || (event->has & EVENT_IS_COLLECTIVE) == 0) {
        return true;
    }
    collective = ChunksAppend(&trace->collectives);
    if (collective == NULL) {
        return false;
    }
    *collective = (Collective){ .work = trace->work.count - 1,
                                .sequence = event->sequence,
                                .in_elements = event->in_elements,
                                .out_elements = event->out_elements,
                                .group_size = event->group_size };
    work->flags |= WORK_HAS_COLLECTIVE;
    return keep_text(trace, event->collective, &collective->name) &&
           keep_group(trace, event, &collective->group) &&
           keep_text(trace, event->element_type, &collective->element_type);
}

/* XLA's work names the operation and the module that it belongs to; operators need not be read for
 * that. */
static bool add_owner_names(RankTrace *trace, const TraceEvent *event, WorkEvent *work)
{
    const bool has_operator = (event->has & EVENT_HAS_LABEL) != 0 && event->label.is_string;
    const bool has_module = (event->has & EVENT_HAS_MODULE) != 0 && event->types.is_string;
    NamedWork *named;

    if (!has_operator && !has_module) {
        return true;
    }
    named = ChunksAppend(&trace->named);
    if (named == NULL) {
        return false;
    }
    *named = (NamedWork){ .work = trace->work.count - 1,
                          .operator_name = NAME_NONE,
                          .module_name = NAME_NONE };
    work->flags |= WORK_IS_NAMED;
    return (!has_operator || keep_text(trace, event->label, &named->operator_name)) &&
           (!has_module || keep_text(trace, event->types, &named->module_name));
}

static WorkClass class_of(const TraceEvent *event, WorkClass told, uint16_t by_name)
{
    if (told != WORK_CLASSES) {
        return told;
    }
    return (event->has & EVENT_IS_COLLECTIVE) != 0 ? WORK_COMMUNICATION : (WorkClass) by_name;
}

static bool is_nameless(const TraceEvent *event)
{
    return (event->has & EVENT_IS_NAMELESS) != 0 || event->name.length == 0 ||
           !event->name.is_string;
}

/* `told`: the class, or WORK_CLASSES if the name decides. */
static bool add_work(RankTrace *trace, const TraceEvent *event, WorkClass told)
{
    uint16_t by_name;
    Lane place;
    uint32_t lane;
    uint32_t name;
    WorkEvent *work;

    if (!lane_of(trace, event, &place) || !LanesFind(&trace->lanes, place, &lane)) {
        return false;
    }
    if (lane == LANES_MAX) {
        TraceLossAdd(&trace->losses.too_many_lanes, event->at);
        return true;
    }
    if (told == WORK_CLASSES && is_nameless(event)) {
        TraceLossAdd(&trace->losses.nameless, event->at);
    }
    name = NamesGet(&trace->names, trace->vocabulary, NAME_WORK, event->name, &by_name);
    work = name == UINT32_MAX ? NULL : ChunksAppend(&trace->work);
    if (work == NULL) {
        return false;
    }
    *work = (WorkEvent){ .start_ns = event->start_ns,
                         .duration_ns = (uint64_t) event->duration_ns,
                         .name = name,
                         .lane = (uint16_t) lane,
                         .work_class = (uint8_t) class_of(event, told, by_name) };
    if ((event->has & (EVENT_HAS_CORRELATION | EVENT_HAS_CONNECTION)) != 0 &&
        event->correlation != -1) {
        work->correlation = (uint64_t) event->correlation;
        work->flags = WORK_HAS_CORRELATION;
    }
    trace->split_sizes += (event->has & EVENT_HAS_SPLIT_SIZES) != 0 && event->concrete.length > 2;
    return add_transfer(trace, event, work) && add_collective(trace, event, work) &&
           add_owner_names(trace, event, work) &&
           (!trace->vocabulary->reads_grids || work->work_class != WORK_COMPUTATION ||
            GridsAdd(&trace->grids, event, name, lane));
}

/* Appends a call to one of the lists. False without memory. */
static bool append_call(RankTrace *trace, Chunks *list, const TraceEvent *event, uint32_t name,
                        LaunchCall **ret_call)
{
    const uint32_t correlated = EVENT_HAS_CORRELATION | EVENT_HAS_CONNECTION;
    LaunchCall *call;
    uint32_t thread;

    if (!find_thread(trace, event, &thread)) {
        return false;
    }
    call = ChunksAppend(list);
    if (call == NULL) {
        return false;
    }
    *call =
        (LaunchCall){ .start_ns = event->start_ns,
                      .duration_ns = (uint64_t) event->duration_ns,
                      .correlation = (event->has & correlated) == 0 ? CALL_WITHOUT_CORRELATION
                                                                    : (uint64_t) event->correlation,
                      .thread = thread,
                      .name = name };
    *ret_call = call;
    return true;
}

static bool add_call(RankTrace *trace, const TraceEvent *event, bool always_enqueues)
{
    const bool reads_all = trace->vocabulary->reads_path;
    LaunchCall *call;
    uint16_t meaning;
    uint32_t name;

    name = NamesGet(&trace->names, trace->vocabulary, NAME_CALL, event->name, &meaning);
    if (name == UINT32_MAX) {
        return false;
    }
    if ((meaning & CALL_KIND_MASK) == CALL_OTHER) {
        return !reads_all || append_call(trace, &trace->calls, event, name, &call);
    }
    if (!append_call(trace, &trace->launches, event, name, &call)) {
        return false;
    }
    if ((meaning & CALL_KIND_MASK) == CALL_ENQUEUE || always_enqueues) {
        call->duration_ns |= LAUNCH_ENQUEUES;
    }
    return true;
}

/* The lane of a stream of the event's device; WAIT_NO_LANE for none. False without memory. */
static bool find_stream(RankTrace *trace, const TraceEvent *event, int64_t stream,
                        uint16_t *ret_lane)
{
    uint32_t number = LANES_MAX;
    Lane lane;

    if (!lane_of(trace, event, &lane)) {
        return false;
    }
    lane.device = event->device;
    lane.is_process = false;
    lane.stream = stream;
    if (stream >= 0 && !LanesFindStream(&trace->lanes, lane, &number)) {
        return false;
    }
    *ret_lane = (uint16_t) number;
    return true;
}

/* A call or a stream that waits. A call without a stream waits for all; what a stream waits for may
 * be unknown. */
static bool add_wait(RankTrace *trace, const TraceEvent *event)
{
    const bool has_source = (event->has & EVENT_HAS_SOURCE_STREAM) != 0;
    WaitEvent wait = { .correlation = (uint64_t) event->correlation,
                       .source_call = (event->has & EVENT_HAS_SOURCE_CALL) == 0
                                          ? UINT64_MAX
                                          : (uint64_t) event->source_call,
                       .lane = WAIT_NO_LANE };
    WaitEvent *added;

    if ((event->has & EVENT_HAS_CORRELATION) == 0 ||
        (has_source && event->source_stream < 0 && event->stream < 0)) {
        return true; /* an event that was never recorded */
    }
    if (!find_stream(trace, event, has_source ? event->source_stream : event->stream,
                     &wait.source_lane) ||
        (has_source && !find_stream(trace, event, event->stream, &wait.lane))) {
        return false;
    }
    added = ChunksAppend(&trace->waits);
    if (added == NULL) {
        return false;
    }
    *added = wait;
    return true;
}

/* An iteration; its name, as NamesGet gives it. */
#define LANES_LOOKED_AT 64u /* iterations looked back at for one on another lane */

/* The same iteration on another lane of a device, NULL if none. */
static StepEvent *find_shadow_step(const RankTrace *trace, uint32_t name)
{
    for (uint32_t i = 0; i < trace->steps.count && i < LANES_LOOKED_AT; i++) {
        StepEvent *step = RankTraceStep(trace, trace->steps.count - 1 - i);

        if (step->source == STEP_DEVICE && step->name == name) {
            return step;
        }
    }
    return NULL;
}

/* One iteration from the first to the last lane of a device that shows it. */
static void extend_step(StepEvent *step, const TraceEvent *event)
{
    const int64_t end_ns = step->start_ns + (int64_t) step->duration_ns;
    const int64_t new_end_ns = event->start_ns + event->duration_ns;

    step->start_ns = event->start_ns < step->start_ns ? event->start_ns : step->start_ns;
    step->duration_ns = (uint64_t) ((new_end_ns > end_ns ? new_end_ns : end_ns) - step->start_ns);
}

static bool add_named_step(RankTrace *trace, const TraceEvent *event, uint32_t name)
{
    StepEvent *step = event->use == USE_SHADOW ? find_shadow_step(trace, name) : NULL;

    if (step != NULL) {
        extend_step(step, event);
        return true;
    }
    step = name == UINT32_MAX ? NULL : ChunksAppend(&trace->steps);
    if (step == NULL) {
        return false;
    }
    *step = (StepEvent){ .start_ns = event->start_ns,
                         .duration_ns = (uint64_t) event->duration_ns,
                         .name = name,
                         .source = event->use == USE_OPERATOR ? STEP_OPERATOR
                                   : event->use == USE_SHADOW ? STEP_DEVICE
                                                              : STEP_ANNOTATION };
    return true;
}

static bool add_step(RankTrace *trace, const TraceEvent *event)
{
    uint16_t is_step;
    const uint32_t name =
        NamesGet(&trace->names, trace->vocabulary, NAME_STEP, event->name, &is_step);

    return is_step || name == UINT32_MAX ? add_named_step(trace, event, name) : true;
}

/* Something that the host does around its calls. */
static bool add_host(RankTrace *trace, const TraceEvent *event, HostKind kind)
{
    uint32_t thread;
    uint16_t meaning;
    uint32_t name;
    HostEvent *host;

    if (!find_thread(trace, event, &thread)) {
        return false;
    }
    if (thread == LANES_MAX) {
        TraceLossAdd(&trace->losses.too_many_lanes, event->at);
        return true;
    }
    name = NamesGet(&trace->names, trace->vocabulary, NAME_TEXT,
                    kind == HOST_ANNOTATION ? VocabularyPlainName(trace->vocabulary, event->name)
                                            : event->name,
                    &meaning);
    host = name == UINT32_MAX
               ? NULL
               : ChunksAppend(event->use == USE_SHADOW ? &trace->shadows : &trace->host);
    if (host == NULL) {
        return false;
    }
    *host = (HostEvent){ .start_ns = event->start_ns,
                         .duration_ns = (uint64_t) event->duration_ns,
                         .name = name,
                         .thread = (uint16_t) thread,
                         .kind = (uint16_t) kind };
    return true;
}

/* The type of an operator's first input, as "c10::Half"; empty if unknown. */
static JsonText first_type(JsonText types)
{
    const char *end = types.text + types.length;
    const char *from = types.length == 0 ? NULL : memchr(types.text, '"', types.length);
    const char *to = from == NULL ? NULL : memchr(from + 1, '"', (size_t) (end - from - 1));

    return to == NULL ? (JsonText){ .text = "" }
                      : (JsonText){ .text = from + 1, .length = (uint32_t) (to - from - 1) };
}

/* Work of an operator by the texts of its shapes; flops below 0: unknown. False without memory. */
static bool read_shape(RankTrace *trace, const TraceEvent *event, ShapeKind kind,
                       ShapedEvent *ret_shaped)
{
    char text[SHAPE_TEXT_MAX];
    Amount amount;

    *ret_shaped = (ShapedEvent){ .flops = -1 };
    if (!ShapesRead(kind, event, &amount, text, sizeof text)) {
        return true;
    }
    if (ShapesIsCausal(event, VocabularyCausalInput(trace->vocabulary, event->name))) {
        const size_t length = strlen(text);

        amount.flops /= 2;
        snprintf(text + length, sizeof text - length, " causal");
    }
    ret_shaped->flops = amount.flops;
    ret_shaped->bytes = amount.bytes;
    return keep_text(trace, (JsonText){ .text = text, .length = (uint32_t) strlen(text) },
                     &ret_shaped->shape) &&
           keep_text(trace, first_type(event->types), &ret_shaped->types);
}

/* One of the texts that read_shape uses; its length, 0 if it does not fit. */
static size_t shape_key(const TraceEvent *event, ShapeKind kind, char *key, size_t size)
{
    const JsonText parts[] = { event->dims, event->types, event->concrete };
    size_t length = 0;

    key[length++] = (char) kind;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].length + 1 > size - length) {
            return 0;
        }
        memcpy(key + length, parts[i].text, parts[i].length);
        length += parts[i].length;
        key[length++] = '\0';
    }
    return length;
}

/* As read_shape, from the earlier result if the texts are the same. */
static bool find_shape(RankTrace *trace, const TraceEvent *event, ShapeKind kind,
                       ShapedEvent *ret_shaped)
{
    ShapeMemo *memo = &trace->shapes;
    char key[SHAPE_KEY_MAX];
    const size_t length = shape_key(event, kind, key, sizeof key);
    const uint32_t place =
        length == 0 ? OPPROF_MAP_NONE : OpprofTextMapFind(&memo->places, key, length);
    ShapedEvent *kept;

    if (place != OPPROF_MAP_NONE) {
        *ret_shaped = *(const ShapedEvent *) ChunksAt(&memo->list, place);
        return true;
    }
    if (!read_shape(trace, event, kind, ret_shaped)) {
        return false;
    }
    if (length == 0 || memo->list.count == SHAPES_MAX) {
        return true;
    }
    kept = ChunksAppend(&memo->list);
    if (kept == NULL || !OpprofTextMapPut(&memo->places, key, length, memo->list.count - 1, NULL)) {
        return false;
    }
    *kept = *ret_shaped;
    return true;
}

/* How much the operator added last computes. */
static bool add_shape(RankTrace *trace, const TraceEvent *event)
{
    const ShapeKind kind = (event->has & EVENT_HAS_DIMS) == 0
                               ? SHAPE_NONE
                               : VocabularyShape(trace->vocabulary, event->name);
    ShapedEvent found;
    ShapedEvent *shaped;

    if (kind == SHAPE_NONE) {
        return true;
    }
    if (!find_shape(trace, event, kind, &found)) {
        return false;
    }
    if (found.flops < 0) {
        return true;
    }
    shaped = ChunksAppend(&trace->shaped);
    if (shaped == NULL) {
        return false;
    }
    *shaped = found;
    shaped->host = trace->host.count - 1;
    return true;
}

/* An annotation or operator: an iteration, or something around calls. */
static bool add_annotation(RankTrace *trace, const TraceEvent *event, HostKind kind)
{
    const uint32_t before = trace->host.count;

    if (VocabularyIsStep(trace->vocabulary, event->name.text, event->name.length) ||
        event->name.has_escape) {
        uint16_t is_step;
        const uint32_t name =
            NamesGet(&trace->names, trace->vocabulary, NAME_STEP, event->name, &is_step);

        if (is_step != 0 || name == UINT32_MAX) {
            return add_named_step(trace, event, name);
        }
    }
    if (!trace->vocabulary->reads_host) {
        return true;
    }
    if (!add_host(trace, event, kind)) {
        return false;
    }
    return kind != HOST_OPERATOR || trace->host.count == before || add_shape(trace, event);
}

/* The part of a text up to the next '_'; *at moves past that. */
static JsonText next_part(const char **at, const char *end)
{
    const char *from = *at;
    const char *to = from < end ? memchr(from, '_', (size_t) (end - from)) : NULL;

    to = to == NULL ? end : to;
    *at = to < end ? to + 1 : end;
    return (JsonText){ .text = from, .length = (uint32_t) (to - from) };
}

/* A collective with group and number in its name, such as "hcom_allReduce__586_0_1": all of one
 * kind get one name. */
static bool add_numbered(RankTrace *trace, const TraceEvent *event)
{
    const char *end = event->name.text + event->name.length;
    const char *tail = memmem(event->name.text, event->name.length, "__", 2);
    const char *at = tail == NULL ? end : tail + 2;
    TraceEvent plain;
    JsonText number;

    if (at == end || *at < '0' || *at > '9') {
        return add_work(trace, event, WORK_COMMUNICATION);
    }
    EventCopy(event, &plain);
    plain.name.length = (uint32_t) (tail - event->name.text);
    plain.collective = plain.name;
    plain.group = next_part(&at, end);
    plain.has |= EVENT_HAS_COLLECTIVE | EVENT_HAS_GROUP;
    number = next_part(&at, end);
    if (NumberInteger(number.text, number.length, &plain.sequence)) {
        plain.has |= EVENT_HAS_SEQUENCE;
    }
    return add_work(trace, &plain, WORK_COMMUNICATION);
}

/* An event of a device's thread: the work itself, or an iteration. */
static bool add_of_device(RankTrace *trace, const TraceEvent *event, const DeviceThread *thread)
{
    TraceEvent placed;

    if (thread->role == THREAD_STEPS) {
        uint16_t meaning;

        /* An iteration whose name begins with none of the vocabulary's words. */
        return add_named_step(
            trace, event,
            NamesGet(&trace->names, trace->vocabulary, NAME_TEXT, event->name, &meaning));
    }
    if (thread->role != THREAD_WORK) {
        return true;
    }
    EventCopy(event, &placed);
    placed.device = thread->device;
    placed.stream = thread->stream;
    placed.has |= EVENT_HAS_DEVICE | EVENT_HAS_STREAM;
    return add_work(trace, &placed, WORK_CLASSES);
}

/* A task of a device, in traces without categories. */
static bool add_task(RankTrace *trace, const TraceEvent *event)
{
    WorkClass work_class = WORK_COMPUTATION;
    const TaskKind kind = TaskKindOf(trace->vocabulary, event->task_type, event->name, &work_class);

    if (kind == TASK_IDLE || !has_good_times(trace, event)) {
        return true;
    }
    if (kind == TASK_UNLISTED) {
        UnknownWordsAdd(&trace->tasks, event->task_type, true);
    }
    return work_class == WORK_COMMUNICATION ? add_numbered(trace, event)
                                            : add_work(trace, event, work_class);
}

/* An event whose category does not say what it is. */
static bool add_untold(RankTrace *trace, const TraceEvent *event)
{
    WorkClass work_class = WORK_COMPUTATION;
    const DeviceThread thread = ProcessesThread(&trace->processes, event);
    CategoryUse use;

    trace->untold++;
    if (thread.role != THREAD_UNKNOWN) {
        return !has_good_times(trace, event) || add_of_device(trace, event, &thread);
    }
    if (trace->processes.thread_count > 0 && (event->has & EVENT_HAS_CORRELATION) != 0) {
        return !has_good_times(trace, event) || add_call(trace, event, false);
    }
    if ((event->has & EVENT_HAS_TASK_TYPE) != 0) {
        return add_task(trace, event);
    }
    OwnSumsAdd(&trace->own_sums, trace->vocabulary, event);
    use = VocabularyUntoldUse(trace->vocabulary, event->name.text, event->name.length,
                              (event->has & EVENT_HAS_CONNECTION) != 0, &work_class);
    if (use == USE_NOTHING || !has_good_times(trace, event)) {
        return true;
    }
    switch (use) {
    case USE_KERNEL:
        return work_class == WORK_COMMUNICATION ? add_numbered(trace, event)
                                                : add_work(trace, event, work_class);
    case USE_CALL:
        return add_call(trace, event, true);
    case USE_ANNOTATION:
        return add_step(trace, event);
    case USE_SHADOW:
    case USE_NOTHING:
    case USE_TRANSFER:
    case USE_OPERATOR:
    case USE_PYTHON:
    case USE_WAIT:
    case USE_FLOW:
    case USE_CALL_FLOW:
    case USE_WORK_FLOW:
    case USE_UNEVALUATED:
    case USE_UNTOLD:
    case USE_UNKNOWN:
    default:
        return true;
    }
}

/* A slice of a stream that waits for another one, or marks a place in it. */
static bool add_mark(RankTrace *trace, const TraceEvent *event)
{
    return !trace->vocabulary->reads_path || add_wait(trace, event);
}

static bool add_complete(RankTrace *trace, const TraceEvent *event)
{
    if (event->use == USE_NOTHING || event->use == USE_UNKNOWN) {
        return true;
    }
    if ((event->has & EVENT_HAS_ODD_ARGS) != 0) {
        TraceLossAdd(&trace->losses.odd_arguments, event->at);
    }
    if (event->use == USE_UNTOLD) {
        return add_untold(trace, event);
    }
    if (!has_good_times(trace, event)) {
        return true;
    }
    switch (event->use) {
    case USE_KERNEL:
        return VocabularyHasWord(&trace->vocabulary->lists[LIST_MARKS], event->name)
                   ? add_mark(trace, event)
                   : add_work(trace, event, WORK_CLASSES);
    case USE_TRANSFER:
        return add_work(trace, event, WORK_MEMORY);
    case USE_CALL:
        return add_call(trace, event, false);
    case USE_WAIT:
        return add_mark(trace, event);
    case USE_ANNOTATION:
    case USE_SHADOW:
        return add_annotation(trace, event, HOST_ANNOTATION);
    case USE_OPERATOR:
        return add_annotation(trace, event, HOST_OPERATOR);
    case USE_PYTHON:
        return add_host(trace, event,
                        VocabularyIsModule(trace->vocabulary, event->name) ? HOST_MODULE
                                                                           : HOST_FRAME);
    case USE_NOTHING:
    case USE_FLOW:
    case USE_CALL_FLOW:
    case USE_WORK_FLOW:
    case USE_UNEVALUATED:
    case USE_UNTOLD:
    case USE_UNKNOWN:
    default:
        return true;
    }
}

/*
 * Most profilers write a flow after each call and after its work, with their correlation for a
 * number: it says nothing new.
 */
static bool repeats_call(const RankTrace *trace, const FlowEnd *end)
{
    const uint32_t count = trace->launches.count;
    const LaunchCall *call = count == 0 ? NULL : RankTraceLaunch(trace, count - 1);

    return call != NULL && call->correlation == end->id && call->start_ns == end->start_ns &&
           call->thread == end->place;
}

static bool repeats_work(const RankTrace *trace, const FlowEnd *end)
{
    const uint32_t count = trace->work.count;
    const WorkEvent *work = count == 0 ? NULL : RankTraceWork(trace, count - 1);

    return work != NULL && (work->flags & WORK_HAS_CORRELATION) != 0 &&
           work->correlation == end->id && work->start_ns == end->start_ns;
}

static Chunks *flows_of(RankTrace *trace, CategoryUse use)
{
    return use == USE_CALL_FLOW   ? &trace->call_flows
           : use == USE_WORK_FLOW ? &trace->work_flows
                                  : &trace->flows;
}

/* The lane of the work where a flow ends, or the thread where it begins. False without memory. */
static bool find_flow_place(RankTrace *trace, const TraceEvent *event, bool is_finish,
                            uint32_t *ret_place)
{
    Lane lane;

    if (event->use == USE_FLOW || !is_finish) {
        return find_thread(trace, event, ret_place);
    }
    return lane_of(trace, event, &lane) && LanesFind(&trace->flow_lanes, lane, ret_place);
}

/* Where a flow begins or ends; one without place or number ties nothing. False without memory. */
static bool add_flow(RankTrace *trace, const TraceEvent *event)
{
    const uint32_t needed = EVENT_HAS_START | EVENT_HAS_CORRELATION | EVENT_HAS_PID | EVENT_HAS_TID;
    FlowEnd end = { .start_ns = event->start_ns,
                    .id = (uint64_t) event->correlation,
                    .is_finish = event->phase == 'f' };
    FlowEnd *added;

    if ((event->has & needed) != needed) {
        return true;
    }
    if (!find_flow_place(trace, event, end.is_finish, &end.place)) {
        return false;
    }
    if (event->use == USE_CALL_FLOW &&
        (end.is_finish ? repeats_work(trace, &end) : repeats_call(trace, &end))) {
        return true;
    }
    added = ChunksAppend(flows_of(trace, event->use));
    if (added == NULL) {
        return false;
    }
    *added = end;
    return true;
}

bool RankTraceAdd(RankTrace *trace, const TraceEvent *event)
{
    TraceEvent whole;

    if ((event->has & EVENT_IS_ODD) != 0) {
        TraceLossAdd(&trace->losses.odd, event->at);
        return true;
    }
    if (event->phase == 'X') {
        return add_complete(trace, event);
    }
    if (event->phase == 's' || event->phase == 'f') {
        return add_flow(trace, event);
    }
    if (event->phase == 'M') {
        return ProcessesAdd(&trace->processes, trace->vocabulary, event);
    }
    if (trace->open == NULL) {
        trace->open = OpenEventsCreate();
        if (trace->open == NULL) {
            return false;
        }
    }
    if (event->phase == 'B') {
        const OpprofStatus status = OpenEventsBegin(trace->open, event);

        if (status == OPPROF_E_LIMIT) {
            TraceLossAdd(&trace->losses.too_many_open, event->at);
        }
        return status != OPPROF_E_MEMORY;
    }
    if (!OpenEventsEnd(trace->open, event, &whole)) {
        TraceLossAdd(&trace->losses.unpaired, event->at);
        return true;
    }
    return add_complete(trace, &whole);
}

/* Renumber devices as tools show them. */
static void name_devices(RankTrace *trace)
{
    for (uint32_t i = 0; i < trace->lanes.list.count; i++) {
        Lane *lane = ChunksAt(&trace->lanes.list, i);

        if (lane->is_process) {
            lane->process = lane->device;
            lane->device = ProcessesDevice(&trace->processes, lane->process);
        }
    }
}

/* Annotations on lanes of devices repeat those of the host, if these were recorded. */
static bool take_shadows(RankTrace *trace)
{
    for (uint32_t i = 0; i < trace->host.count; i++) {
        if (RankTraceHost(trace, i)->kind == HOST_ANNOTATION) {
            return true;
        }
    }
    for (uint32_t i = 0; i < trace->shadows.count; i++) {
        HostEvent *host = ChunksAppend(&trace->host);

        if (host == NULL) {
            return false;
        }
        *host = *(const HostEvent *) ChunksAt(&trace->shadows, i);
    }
    return true;
}

bool RankTraceClose(RankTrace *trace)
{
    name_devices(trace);
    if (trace->open != NULL) {
        for (uint32_t i = 0; i < OpenEventsCount(trace->open); i++) {
            TraceLossAdd(&trace->losses.unpaired, OpenEventsAt(trace->open, i));
        }
        OpenEventsDestroy(trace->open);
        trace->open = NULL;
    }
    return take_shadows(trace);
}

uint32_t RankTraceFind(const Chunks *list, uint32_t number)
{
    uint32_t low = 0;
    uint32_t high = list->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const uint32_t found = *(const uint32_t *) ChunksAt(list, middle);

        if (found == number) {
            return middle;
        }
        if (found < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return UINT32_MAX;
}

const Transfer *RankTraceTransfer(const RankTrace *trace, uint32_t work)
{
    const uint32_t i = RankTraceFind(&trace->transfers, work);

    return i == UINT32_MAX ? NULL : ChunksAt(&trace->transfers, i);
}

const Collective *RankTraceCollective(const RankTrace *trace, uint32_t work)
{
    const uint32_t i = RankTraceFind(&trace->collectives, work);

    return i == UINT32_MAX ? NULL : ChunksAt(&trace->collectives, i);
}

const NamedWork *RankTraceNamed(const RankTrace *trace, uint32_t work)
{
    const uint32_t i = RankTraceFind(&trace->named, work);

    return i == UINT32_MAX ? NULL : ChunksAt(&trace->named, i);
}
