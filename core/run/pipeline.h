/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUN_PIPELINE_H
#define RUN_PIPELINE_H

#include "base/names.h"
#include "run/graph.h"
#include "run/stage.h"
#include "run/wake.h"
#include "plugin/registry.h"

#include <opprof/pipeline.h>

/* An explicit link, as given. */
typedef struct PipelineLinkText {
    char *from;
    char *to;
} PipelineLinkText;

/* A recording in a file. */
typedef struct ReplaySource {
    char *file;
    uint64_t from; /* where it begins */
    uint64_t end;
    uint64_t before; /* bytes of the link's recordings before it */
    /* The first one of a link, for what it says about itself, or of a file, so that nothing writes
     * over that; else NULL. */
    struct Recording *recording;
} ReplaySource;

/* A link whose batches come from recordings, one after another. */
typedef struct PipelineReplay {
    char *link; /* "stage.port" */
    ReplaySource *sources;
    uint32_t source_count; /* at least 1 */
    uint32_t source_capacity;
    uint32_t node; /* of the stage that reads them; UINT32_MAX if none yet */
} PipelineReplay;

struct OpprofPipeline {
    char *name;   /* of the document, for messages; NULL: built by hand */
    json_t *vars; /* of the document: its variables with their values; NULL: none */
    /* Of the document: stages that are left out, as PipelineConfig.left_out; NULL with `vars`. */
    json_t *left_out;
    Registry *registry;
    struct PipelineConfig *config;  /* of the document; zeroed: built by hand */
    struct ConfigSetting *settings; /* --set, before the document is read; texts owned */
    size_t setting_count;
    json_t *added; /* array of stages for the document; NULL: none */
    Names without; /* ids of stages of the document to be left out */
    size_t setting_capacity;
    StageNode **nodes;
    uint32_t node_count;
    uint32_t node_capacity;
    PipelineLinkText *links;
    uint32_t link_count;
    uint32_t link_capacity;
    Graph graph;        /* after OpprofPipelineValidate */
    uint32_t tap_count; /* and recordings that are written */
    PipelineReplay *replays;
    uint32_t replay_count;
    uint32_t replay_capacity;
    StageNode **idle_nodes; /* stages that recordings stand for, put aside before the run */
    uint32_t idle_count;
    RunContext run;

    char *output_parent;
    bool output_flat;
    double timeout_s;
    uint64_t watchdog_ns;
    /* after the timeout: a stage without a sign of life for so long is given up */
    uint64_t grace_ns;
    uint64_t timeout_at; /* RunnerAwake when the timeout stopped the run; 0: it did not */
    uint64_t awake_ns;   /* what RunnerAwake gave, and at which time */
    uint64_t awake_at;
    uint32_t given_up;     /* instances that never came back from a call */
    uint64_t (*now)(void); /* the clock of timeouts and watchdog: StageNow, but for tests */
    struct Life *life;     /* thread of create, start and the like; NULL: none yet */
    uint32_t queue_items;
    uint64_t queue_bytes;
    uint64_t queue_budget;
    OpprofDataStreamBudget *budget; /* while running */
    OpprofRunProgress *progress;
    void *progress_context;
    double progress_share; /* reported last; it never goes back */

    Wake wake;         /* by OpprofPipelineStop and ending stages */
    atomic_uint stops; /* requests so far; written by signal handlers */
    const char *_Atomic stop_why;
    struct EarlyRecord *early;        /* for a run that does not come to its end; NULL: none */
    bool is_recorded;                 /* run.json was written when the run began */
    char *record;                     /* run.json's text after a run */
    StageNode *_Atomic first_failure; /* critical stage that failed first */
    atomic_uint threads;              /* instances whose threads run */
    uint64_t started_wall;            /* seconds since 1970 */
    uint64_t started_ns;
    uint64_t ended_ns;
};

#endif
