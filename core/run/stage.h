/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUN_STAGE_H
#define RUN_STAGE_H

#include "base/strings.h"
#include "run/messages.h"
#include "plugin/params.h"
#include "stream/ledger.h"
#include "stream/tracks.h"

#include <opprof/data_stream.h>
#include <opprof/map.h>
#include <opprof/pipeline.h>
#include <opprof/stage.h>
#include <pthread.h>
#include <stdatomic.h>

#define STAGE_MAX_PORTS 32
#define STAGE_MAX_COUNTS 32

typedef struct StageNode StageNode;
typedef struct OpprofPipeline OpprofPipeline;

/*
 * Where batches of an output port go: one stream for all consumers of one instance together, or one
 * stream an instance of a partitioned consumer.
 */
typedef struct Route {
    StageNode *consumer; /* NULL: the shared stream */
    OpprofDataStream **streams;
    uint32_t stream_count;
} Route;

/* An output port of a stage, shared by its instances. */
typedef struct OutputPort {
    const OpprofRecordType *type; /* NULL until known */
    OpprofBatchPool *pool;
    /* its readers read a recording of it: the stage's other outputs must stay as they were */
    bool is_replayed;
    /* a reader gives records of the same type: the later stages mean those */
    bool is_filtered;
    Route *routes;
    uint32_t route_count;
    uint32_t route_capacity;
    atomic_ullong sequence;
} OutputPort;

/* The current call of an instance, for the watchdog and crash messages. */
typedef enum StageActivity {
    STAGE_IDLE = 0,
    STAGE_CREATING,
    STAGE_CONFIGURING,
    STAGE_STARTING,
    STAGE_WAITING_INPUT,
    STAGE_PROCESSING,
    STAGE_FLUSHING,
    STAGE_WAITING_ROOM,
    STAGE_STOPPING,
    STAGE_DESTROYING,
    STAGE_ENDED
} StageActivity;

/* Whether an instance's thread is inside the plugin, where the main thread may give it up. */
typedef enum StageCall {
    STAGE_CALL_NONE = 0,
    STAGE_CALL_INSIDE,
    /* the run goes on without it; when it returns, its thread touches nothing and ends */
    STAGE_CALL_GIVEN_UP
} StageCall;

/* A named count of OpprofStageCount. */
typedef struct StageCounter {
    const char *name;
    uint64_t value;
} StageCounter;

/* State of OpprofStageAppend for an output port. Zeroed: none. */
typedef struct PortBatch {
    OpprofOpenBatch open;
    bool has_text; /* the batch holds texts of the next record, so it must stay */
} PortBatch;

/* One instance; public name Stage. Written by its own thread unless said otherwise. */
struct OpprofStage {
    StageNode *node;
    void *self;
    uint32_t index;
    bool created;
    bool started;
    pthread_t thread;
    OpprofDataStreamBell *bell;
    OpprofDataStreamReader **readers; /* node->input_links entries; NULL once ended */
    OpprofDataStream **streams;       /* what each reader reads; borrowed */
    uint32_t link;                    /* reader that gave the batch in hand */
    OpprofError *error;               /* why it failed; read after the thread ended */
    OpprofStatus status;              /* how it ended; read after the thread ended */
    OpprofDataStreamEnd end;          /* worst end of its inputs and itself */

    /* changed by the thread and, from INSIDE to GIVEN_UP, by the main thread */
    _Atomic StageCall call;
    _Atomic StageActivity activity; /* read by the watchdog */
    atomic_uint activity_port; /* input port while processing, output port while waiting for room */
    atomic_ullong heartbeat;   /* grows with every sign of life; read by the watchdog */
    atomic_ullong progress_done; /* read by the main thread */
    atomic_ullong progress_total;
    const char *_Atomic progress_unit;

    PortBatch open[STAGE_MAX_PORTS]; /* of OpprofStageAppend */

    uint64_t records_in;
    uint64_t bytes_in;
    uint64_t records_out;
    uint64_t bytes_out;
    uint64_t busy_ns; /* inside process and flush, without waiting for room */
    uint64_t cpu_ns;
    uint64_t wait_in_ns;
    uint64_t wait_out_ns;
    StageCounter counters[STAGE_MAX_COUNTS];
    uint32_t counter_count;
};

/* A call into a plugin outside its stage's thread: create, configure, start, stop, destroy. */
typedef OpprofStatus StageFunction(OpprofStage *stage, OpprofError **error);

/* Functions of the layers above the runner, handed in when the pipeline is made. */
typedef struct RunHooks {
    /* Make such a call; one that does not come back is given up (see StageWasGivenUp). */
    OpprofStatus (*call)(OpprofStage *stage, StageFunction *function, OpprofError **error);
    /* Around what a thread of the run does. */
    void *(*begin_thread)(void);
    void (*end_thread)(void *begun);
    /* Keep the rows of a batch whose type says OPPROF_RECORD_SUMMARY. */
    void (*summarise)(const OpprofStage *stage, const OpprofBatch *batch);
} RunHooks;

/* Services of a run for its stages. */
typedef struct RunContext {
    OpprofPipeline *pipeline;
    StringTable *strings;
    TrackTable *tracks;
    ClockTable *clocks;
    OpprofOutputDirectory *output; /* NULL until the run starts */
    const char *title;             /* NULL: none */
    atomic_bool stop_requested;
    atomic_bool stop_from_terminal; /* at least one of the requests; written by signal handlers */
    atomic_bool aborted;
    const RunHooks *hooks;
    struct Summary *summary; /* of the hook */
} RunContext;

/* A stage of a pipeline with all its instances. */
struct StageNode {
    char *id;
    const OpprofPlugin *plugin; /* NULL: could not be loaded; such a pipeline never runs */
    const char *plugin_path;    /* file it came from, NULL for descriptors; borrowed for ever */
    char *location;             /* in the document, for messages; NULL: made by hand */
    OpprofParams *params;
    bool critical;
    bool is_idle;       /* replaced by a recording: not created, does not run */
    bool is_own;        /* its plugin is the core's: a tap, a recording, a replay */
    atomic_bool failed; /* set by instance threads */
    /* the stage or one that it reads from lacked something; set at the end of the run */
    bool partial;
    RunContext *run;
    /* NULL until the run starts; the run's, under this stage's name */
    OpprofOutputDirectory *output;
    OutputPort outputs[STAGE_MAX_PORTS];

    OpprofStage **instances; /* instance 0 exists from AddPlugin on */
    uint32_t instance_count;
    uint32_t instance_capacity;
    void *shared;
    BatchLedger held;      /* batches that its instances hold */
    uint32_t *input_ports; /* input port of each link, in the order of the instances' readers */
    uint32_t input_links;
    atomic_uint running; /* instances whose threads have not ended */
    _Atomic int end;     /* worst OpprofDataStreamEnd of the instances that ended */

    pthread_mutex_t lock; /* guards the members below */
    StageMessages warnings;
    StageMessages incomplete;
    OpprofMap partitions; /* router: partition number i goes to instance i % instance_count */
    /* the table could not grow: it stays as it is, so that no partition moves */
    bool partitions_full;
};

/* Nanoseconds of the monotonic clock. */
uint64_t StageNow(void);

/* Destroy all instances: their readers let go of other nodes' streams. One
 * that was given up stays. */
void StageNodeDestroyInstances(StageNode *node);
/* Free the node, once the instances of all nodes are destroyed; NULL is allowed. */
void StageNodeDestroy(StageNode *node);

/* What all instances did together. */
OpprofStageReport StageNodeSum(const StageNode *node);

/* The current call of this thread, for crashes and broken contracts; NULL: none of a stage. */
void StageSetCurrent(const OpprofStage *stage);
/* The same; async-signal-safe. */
const OpprofStage *StageCurrent(void);

/* Name of the plugin's call that the instance is in; "": none. Async-signal-safe. */
const char *StageCallName(const OpprofStage *stage);

/* Whether the run went on without the instance; its thread may still write to its error. */
bool StageWasGivenUp(const OpprofStage *stage);

#endif
