/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launches of graphs and models: what an execution of one does. Tested by
 * tests/refchip/test_interface.sh.
 */
#include "inject/ascend/graphs.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LAUNCHES 4096u                       /* of a graph */
#define MOST_BYTES (64u << 20)                    /* of the arguments of all graphs */
#define MOST_NAMES (OPPROF_LIVE_MOST_NOTE - 512u) /* bytes of the names of a graph */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all graphs */
static Graph *all;
static size_t bytes;

/* ---- life ---- */

static void give_back(Graph *graph)
{
    if (--graph->users > 0) {
        return;
    }
    for (uint32_t i = 0; i < graph->count; i++) {
        GraphLaunch *launch = &graph->launches[i];

        KernelsRelease(launch->image);
        if (!launch->has_device_args) {
            bytes -= launch->args == NULL ? 0 : launch->args_size;
            free(launch->args);
        }
        free(launch->name);
    }
    free(graph->launches);
    free(graph->streams);
    free(graph->names);
    free(graph);
}

static void take_out(Graph *graph)
{
    Graph **link = &all;

    while (*link != graph) {
        link = &(*link)->next;
    }
    *link = graph->next;
    give_back(graph);
}

static Graph *find(const void *model)
{
    Graph *graph = all;

    while (graph != NULL && (model == NULL || graph->model != model)) {
        graph = graph->next;
    }
    return graph;
}

static bool has_stream(const Graph *graph, AbiStream stream)
{
    for (uint32_t i = 0; i < graph->stream_count; i++) {
        if (graph->streams[i] == stream) {
            return true;
        }
    }
    return false;
}

static Graph *find_open(AbiStream stream)
{
    Graph *graph = all;

    while (graph != NULL && !has_stream(graph, stream)) {
        graph = graph->next;
    }
    return graph;
}

static void add_stream(Graph *graph, AbiStream stream)
{
    AbiStream *streams = reallocarray(graph->streams, graph->stream_count + 1u, sizeof(AbiStream));

    if (streams == NULL) {
        graph->why = "whose streams are not known";
        return;
    }
    graph->streams = streams;
    streams[graph->stream_count++] = stream;
}

static void remove_stream(Graph *graph, AbiStream stream)
{
    for (uint32_t i = 0; i < graph->stream_count; i++) {
        if (graph->streams[i] == stream) {
            graph->streams[i] = graph->streams[--graph->stream_count];
            return;
        }
    }
}

void GraphOpen(AbiStream stream, const void *model)
{
    Graph *graph;

    pthread_mutex_lock(&lock);
    graph = find(model);
    if (graph == NULL && (graph = calloc(1, sizeof *graph)) != NULL) {
        *graph = (Graph){ .model = model, .is_bound = model != NULL, .users = 1, .next = all };
        all = graph;
    }
    if (graph != NULL) {
        add_stream(graph, stream);
    }
    pthread_mutex_unlock(&lock);
}

void GraphClose(AbiStream stream, const void *model)
{
    Graph *graph, *old;

    pthread_mutex_lock(&lock);
    graph = find_open(stream);
    if (graph != NULL && graph->is_bound) {
        remove_stream(graph, stream);
    } else if (graph != NULL && model == NULL) {
        take_out(graph);
    } else if (graph != NULL) {
        old = find(model); /* destroyed without our knowledge, and made again */
        if (old != NULL) {
            take_out(old);
        }
        graph->model = model;
        graph->stream_count = 0;
        graph->is_complete = true;
    }
    pthread_mutex_unlock(&lock);
}

void GraphComplete(const void *model)
{
    Graph *graph;

    pthread_mutex_lock(&lock);
    graph = find(model);
    if (graph != NULL) {
        graph->is_complete = true;
    }
    pthread_mutex_unlock(&lock);
}

void GraphForget(const void *model)
{
    Graph *graph;

    pthread_mutex_lock(&lock);
    graph = find(model);
    if (graph != NULL) {
        take_out(graph);
    }
    pthread_mutex_unlock(&lock);
}

Graph *GraphTake(const void *model)
{
    Graph *graph;

    pthread_mutex_lock(&lock);
    graph = find(model);
    if (graph != NULL) {
        graph->users++;
    }
    pthread_mutex_unlock(&lock);
    return graph;
}

void GraphRelease(Graph *graph)
{
    if (graph != NULL) {
        pthread_mutex_lock(&lock);
        give_back(graph);
        pthread_mutex_unlock(&lock);
    }
}

/* ---- launches ---- */

static void spoil(Graph *graph, const char *why)
{
    if (graph->why == NULL) {
        graph->why = why;
    }
}

void GraphSpoil(const char *why, bool hides_kernels)
{
    pthread_mutex_lock(&lock);
    for (Graph *graph = all; graph != NULL; graph = graph->next) {
        if (!graph->is_complete) {
            spoil(graph, why);
            graph->is_unknown = graph->is_unknown || hides_kernels;
        }
    }
    pthread_mutex_unlock(&lock);
}

static void add_name(Graph *graph, const char *name)
{
    const size_t used = graph->names == NULL ? 0 : strlen(graph->names);
    const size_t length = strlen(name);
    char quoted[OPPROF_LIVE_MOST_NAME + 3];
    char *names;

    quoted[0] = quoted[length + 1] = '\'';
    memcpy(quoted + 1, name, length);
    quoted[length + 2] = '\0';
    if (graph->is_unknown || (used > 0 && strstr(graph->names, quoted) != NULL)) {
        return;
    }
    names = used + length > MOST_NAMES ? NULL : realloc(graph->names, used + length + 5);
    if (names == NULL) {
        graph->is_unknown = true;
        return;
    }
    graph->names = names;
    memcpy(names + used, ", ", used > 0 ? 2 : 0);
    memcpy(names + used + (used > 0 ? 2 : 0), quoted, length + 3);
}

/* The runtime must not be called while it records, so arguments on the device stay there. */
static bool take_args(GraphLaunch *made, const Launch *launch)
{
    Arguments arguments;
    const char *why;

    made->args_size = launch->args_size;
    made->has_device_args = launch->has_device_args;
    if (launch->has_device_args) {
        made->args = (void *) (uintptr_t) launch->args;
        return true;
    }
    if (launch->has_array_args) {
        return true;
    }
    if (!ArgumentsTake(&arguments, launch, &why) || bytes + arguments.size > MOST_BYTES) {
        ArgumentsFinish(&arguments);
        return false;
    }
    made->args = arguments.bytes;
    made->args_size = arguments.size;
    bytes += arguments.size;
    free(arguments.places);
    return true;
}

static void add(Graph *graph, const Launch *launch, const LaunchKernel *kernel)
{
    GraphLaunch *launches =
        graph->count == MOST_LAUNCHES
            ? NULL
            : reallocarray(graph->launches, graph->count + 1u, sizeof *launches);
    GraphLaunch *made = launches == NULL ? NULL : &launches[graph->count];

    graph->launches = launches == NULL ? graph->launches : launches;
    if (made == NULL) {
        spoil(graph, "whose launches are too many");
        return;
    }
    *made = (GraphLaunch){ .name = strdup(kernel->name), .blocks = launch->blocks };
    graph->count++;
    if (made->name == NULL || !take_args(made, launch)) {
        spoil(graph, "of whose launches not everything is known");
        return;
    }
    made->image = KernelsHold(kernel->image);
    if (graph->count == 1) {
        graph->stream = launch->stream;
    } else if (launch->stream != graph->stream) {
        spoil(graph, "whose kernels are on several streams");
    }
}

void GraphAdd(const Launch *launch, const LaunchKernel *kernel)
{
    Graph *own;

    pthread_mutex_lock(&lock);
    own = find_open(launch->stream);
    for (Graph *graph = all; graph != NULL; graph = graph->next) {
        /* A stream that has joined a capture may belong to any that is open. */
        if (graph != own && (own != NULL || graph->is_bound || graph->stream_count == 0)) {
            continue;
        }
        if (own == NULL) {
            spoil(graph, "whose kernels are on several streams");
        }
        if (kernel == NULL) {
            spoil(graph, "which has a kernel of unknown name");
            graph->is_unknown = true;
        } else {
            add_name(graph, kernel->name);
            add(graph, launch, kernel);
        }
    }
    pthread_mutex_unlock(&lock);
}

static void forget(void)
{
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

    memcpy(&lock, &fresh, sizeof lock);
    all = NULL; /* the parent's */
    bytes = 0;
}
ON_FORK(forget)
