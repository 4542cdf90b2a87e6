/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INJECT_ASCEND_GRAPHS_H
#define INJECT_ASCEND_GRAPHS_H

/* Graphs and models: the launches that the program has recorded for executions. */

#include "inject/ascend/ascend.h"

/* A launch that is made by each execution. */
typedef struct GraphLaunch {
    char *name;
    const KernelImage *image; /* held; NULL: not known */
    uint32_t blocks;
    void *args; /* a copy, or where they are on the device; NULL: not known */
    size_t args_size;
    bool has_device_args;
} GraphLaunch;

typedef struct Graph Graph;
struct Graph {
    const void *model;  /* NULL: still captured, or without end */
    AbiStream *streams; /* that are bound to it or captured */
    uint32_t stream_count;
    AbiStream stream;      /* of the first launch */
    bool is_bound;         /* streams were bound to it, rather than captured */
    bool is_complete;      /* nothing is added any more */
    const char *why;       /* its executions cannot be repeated; NULL: they can be */
    GraphLaunch *launches; /* in their order */
    uint32_t count;
    char *names;     /* of its kernels, each once: 'a', 'b'; NULL: none */
    bool is_unknown; /* not all names are known, or they are too many for a sentence */
    uint32_t users;  /* executions, and 1 while the program has it */
    Graph *next;
};

/* The program begins to record a stream: into a model that it is bound to, or NULL. */
void GraphOpen(AbiStream stream, const void *model);
/* It ends: a capture has become a model; NULL: it is lost. */
void GraphClose(AbiStream stream, const void *model);
/* A model is complete, though streams may still be bound to it. */
void GraphComplete(const void *model);
/* A model is destroyed. */
void GraphForget(const void *model);
/* A launch is recorded; kernel NULL: its name is not known. */
void GraphAdd(const Launch *launch, const LaunchKernel *kernel);
/* What is recorded now has something else in it, so that it cannot be repeated; and perhaps kernels
 * of unknown names. */
void GraphSpoil(const char *why, bool hides_kernels);
/* What a model consists of, until it is given back; NULL: not known. */
Graph *GraphTake(const void *model);
void GraphRelease(Graph *graph);

/* ---- execute.c ---- */

/* Before an execution, as LaunchBegin: it is profiled as a whole, or counted. */
void ExecuteBegin(Launch *launch);
/* It has been profiled: report that to the collector. */
void ExecuteFinish(Launch *launch);

#endif
