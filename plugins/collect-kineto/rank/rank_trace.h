/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_RANK_TRACE_H
#define COLLECT_KINETO_RANK_RANK_TRACE_H

#include "collect-kineto/formats/event.h"
#include "collect-kineto/formats/unknown_words.h"
#include "collect-kineto/rank/grids.h"
#include "collect-kineto/rank/lanes.h"
#include "collect-kineto/rank/own_sums.h"
#include "collect-kineto/rank/processes.h"

/*
 * Data of a trace that is kept until its end: device work, the calls that may have launched it,
 * iterations. Nothing else, since traces are not sorted and these data take the memory.
 */

/* A piece of device work. */
typedef struct WorkEvent {
    int64_t start_ns;
    uint64_t duration_ns;
    uint64_t correlation; /* or, with WORK_IS_LINKED, number of the call */
    uint32_t name;        /* in names */
    uint16_t lane;        /* in lanes */
    uint8_t work_class;   /* WorkClass */
    uint8_t flags;        /* WORK_* */
} WorkEvent;

#define WORK_HAS_CORRELATION 1u
#define WORK_HAS_TRANSFER 2u   /* it has a Transfer */
#define WORK_IS_LINKED 4u      /* the call that launched it is known */
#define WORK_HAS_COLLECTIVE 8u /* it has a Collective */
#define WORK_IS_NAMED 16u      /* it has a NamedWork */

/* A call of the host that may have launched device work. */
typedef struct LaunchCall {
    int64_t start_ns;
    uint64_t duration_ns; /* with LAUNCH_ENQUEUES: through a queue */
    uint64_t correlation;
    uint32_t thread; /* in threads */
    uint32_t name;   /* in names; their meaning has the CALL_ flags */
} LaunchCall;

#define CALL_WITHOUT_CORRELATION UINT64_MAX
#define WAIT_NO_LANE UINT16_MAX

/* A call, or a stream, waits for work. */
typedef struct WaitEvent {
    uint64_t correlation; /* of the call */
    /* correlation of the call that marked what is waited for; UINT64_MAX: none */
    uint64_t source_call;
    uint16_t lane;        /* the stream that waits; WAIT_NO_LANE: the call does */
    uint16_t source_lane; /* the stream that is waited for; WAIT_NO_LANE: all */
    uint32_t reserved;
} WaitEvent;

/* Kinds of things that the host does around its calls. */
typedef enum HostKind {
    HOST_OPERATOR,
    HOST_ANNOTATION,
    HOST_MODULE,
    HOST_FRAME,
    HOST_KINDS
} HostKind;

/* Something that the host did. */
typedef struct HostEvent {
    int64_t start_ns;
    uint64_t duration_ns;
    uint32_t name;
    uint16_t thread; /* in threads */
    uint16_t kind;   /* HostKind */
} HostEvent;

#define LAUNCH_ENQUEUES (UINT64_C(1) << 63)

/* How much memory work moved. */
typedef struct Transfer {
    uint32_t work; /* index of the WorkEvent; they ascend */
    uint32_t reserved;
    uint64_t bytes;   /* UINT64_MAX: unknown */
    double bandwidth; /* NaN: unknown */
} Transfer;

/* Facts about the collective of a kernel. Texts are in names, 0: unknown. */
typedef struct Collective {
    uint32_t work; /* index of the WorkEvent; they ascend */
    uint32_t name; /* operation */
    uint32_t group;
    uint32_t element_type;
    int64_t sequence; /* in the group; this and the following: -1 if unknown */
    int64_t in_elements;
    int64_t out_elements;
    int64_t group_size;
} Collective;

/* Where a flow begins or ends. */
typedef struct FlowEnd {
    int64_t start_ns;
    uint64_t id;    /* of the flow */
    uint32_t place; /* in threads; if it ends at work, in flow_lanes */
    bool is_finish;
} FlowEnd;

/* Owners of a piece of work that the work itself names. Names are in names; NAME_NONE:
 * not said. */
typedef struct NamedWork {
    uint32_t work; /* index of the WorkEvent; they ascend */
    uint32_t operator_name;
    uint32_t module_name;
} NamedWork;

#define NAME_NONE UINT32_MAX

/* How much an operator computes. */
typedef struct ShapedEvent {
    uint32_t host;  /* index of the HostEvent; they ascend */
    uint32_t shape; /* in names */
    uint32_t types; /* in names: its type of elements */
    uint32_t reserved;
    double flops;
    double bytes; /* 0: unknown */
} ShapedEvent;

/* Where an iteration is from, the best first. */
typedef enum StepSource { STEP_ANNOTATION, STEP_OPERATOR, STEP_DEVICE } StepSource;

/* An iteration. */
typedef struct StepEvent {
    int64_t start_ns;
    uint64_t duration_ns;
    uint32_t name;
    uint8_t source; /* StepSource: only those of the best one count */
} StepEvent;

/* Events that were left out, by reason. */
typedef struct TraceLosses {
    TraceLoss no_start;          /* `ts` missing, or not a number */
    TraceLoss no_duration;       /* `dur` missing, or not a number */
    TraceLoss negative_duration; /* ends before its start */
    TraceLoss corrupt_duration;  /* `dur` over seven days */
    TraceLoss unpaired;          /* begin without end, or the other way round */
    TraceLoss too_many_open;     /* begun while too many others were */
    TraceLoss too_many_lanes;    /* beyond 65535 streams or threads */
    TraceLoss odd;               /* `ph` missing, or `ph` or `cat` not a text */
    TraceLoss odd_arguments;     /* kept, but a number of theirs is invalid */
    TraceLoss nameless;          /* kept, but its missing name would show its class */
} TraceLosses;

/* Longest duration that is accepted: profilers write overflown clocks. */
#define DURATION_MAX_NS (INT64_C(7) * 24 * 3600 * 1000000000)

/* The origin of the process looked up last: most events are of the same one. */
typedef struct OriginMemo {
    char text[40]; /* the process as the trace writes it */
    size_t length; /* 0: none */
    ProcessText process;
    uint32_t origin;
} OriginMemo;

/* The last thread looked up: most events are on the same thread as the previous one. */
typedef struct ThreadMemo {
    char text[48]; /* process and thread as the trace writes them */
    size_t pid_length;
    size_t length; /* 0: none */
    uint32_t number;
} ThreadMemo;

/* Work by the texts of shapes; few of them differ. */
typedef struct ShapeMemo {
    Chunks list;          /* of ShapedEvent, without host; flops below 0: says nothing */
    OpprofTextMap places; /* in list, by kind, shapes, types and values */
} ShapeMemo;

typedef struct OpenEvents OpenEvents;

typedef struct RankTrace {
    const Vocabulary *vocabulary; /* borrowed */
    Names names;
    Chunks work;          /* of WorkEvent */
    Chunks launches;      /* of LaunchCall */
    Chunks calls;         /* of LaunchCall: those that launch nothing, where they are read */
    Chunks waits;         /* of WaitEvent, where they are read */
    Chunks transfers;     /* of Transfer */
    Chunks collectives;   /* of Collective */
    Chunks steps;         /* of StepEvent */
    Chunks host;          /* of HostEvent */
    Chunks shadows;       /* of HostEvent: annotations on lanes of devices */
    Chunks shaped;        /* of ShapedEvent */
    Chunks flows;         /* of FlowEnd: from forward operators to backward ones */
    Chunks call_flows;    /* the same: from calls to work, as far as no correlation says as much */
    Chunks work_flows;    /* the same: from operators to work */
    Chunks named;         /* of NamedWork */
    LaneTable lanes;      /* streams */
    LaneTable flow_lanes; /* streams at which flows end, by process and thread */
    LaneTable threads;
    ThreadMemo last_thread;
    OriginMemo last_origin;
    ShapeMemo shapes;
    Processes processes;
    OpenEvents *open; /* begun, not ended */
    TraceLosses losses;
    uint64_t untold;      /* events whose category does not say what they are */
    uint64_t split_sizes; /* collectives with parts of different sizes */
    UnknownWords tasks;   /* types that no list has, of tasks that are work */
    OwnSums own_sums;
    Grids grids; /* where they are read */
} RankTrace;

/* False without memory. */
bool RankTraceInit(RankTrace *trace, const Vocabulary *vocabulary);

/* Bytes of the events that it keeps. */
uint64_t RankTraceBytes(const RankTrace *trace);

/* A zeroed or finished trace is allowed. */
void RankTraceFinish(RankTrace *trace);

/* Keep what is needed of an event. False without memory. */
bool RankTraceAdd(RankTrace *trace, const TraceEvent *event);

/* No more events: count those that began and never ended, and name the devices. False without
 * memory. */
bool RankTraceClose(RankTrace *trace);

static inline WorkEvent *RankTraceWork(const RankTrace *trace, uint32_t i)
{
    return CHUNKS_AT(&trace->work, i, WorkEvent);
}

static inline LaunchCall *RankTraceLaunch(const RankTrace *trace, uint32_t i)
{
    return CHUNKS_AT(&trace->launches, i, LaunchCall);
}

static inline HostEvent *RankTraceHost(const RankTrace *trace, uint32_t i)
{
    return CHUNKS_AT(&trace->host, i, HostEvent);
}

static inline StepEvent *RankTraceStep(const RankTrace *trace, uint32_t i)
{
    return CHUNKS_AT(&trace->steps, i, StepEvent);
}

/* Index in a list whose items begin with a number, which ascends; UINT32_MAX if none has it. */
uint32_t RankTraceFind(const Chunks *list, uint32_t number);

/* Collective of a piece of work, NULL if none. */
const Collective *RankTraceCollective(const RankTrace *trace, uint32_t work);

/* Owners that a piece of work names, NULL if none. */
const NamedWork *RankTraceNamed(const RankTrace *trace, uint32_t work);

/* Transfer of a piece of work, NULL if none. */
const Transfer *RankTraceTransfer(const RankTrace *trace, uint32_t work);

#endif
