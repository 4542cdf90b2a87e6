/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUN_GRAPH_H
#define RUN_GRAPH_H

#include "base/problems.h"

#include <opprof/plugin.h>
#include <stdio.h>

/* A stage as far as links are concerned. All borrowed. */
typedef struct GraphStage {
    const char *id;
    /* NULL: could not be loaded or configured; nothing is said about links that may involve it */
    const OpprofPlugin *plugin;
    /* plugin->output_count entries, those set at Configure included */
    const OpprofRecordType *const *output_types;
    const char *location; /* "/stages/2 (stage 'roll')"; NULL: "stage 'roll'" */
    bool is_idle;         /* it will not run: not shown */
} GraphStage;

/* A link that was asked for: "stage.port", or "stage" with only one port of the direction. */
typedef struct GraphRequest {
    const char *from;
    const char *to;
    const char *location; /* "/links/0"; NULL: "link 'a.b' -> 'c.d'" */
} GraphRequest;

typedef struct GraphLink {
    uint32_t from_stage; /* index into the stages */
    uint32_t from_port;  /* index into its outputs */
    uint32_t to_stage;
    uint32_t to_port; /* index into its inputs */
} GraphLink;

typedef struct Graph {
    GraphLink *links; /* by to_stage, to_port, from_stage, from_port; each once */
    size_t link_count;
    uint32_t *order; /* stage indices, producers before consumers, else document order */
    size_t stage_count;
} Graph;

/*
 * Make the links: those asked for, and for every other input port what the rules of
 * docs/using/pipelines.md give. Mistakes go to `problems`; then *ret_graph is empty. Free with
 * GraphFinish in any case.
 */
void GraphBuild(const GraphStage *stages, size_t stage_count, const GraphRequest *requests,
                size_t request_count, Graph *ret_graph, Problems *problems);
/* The same, keeping the good links in spite of mistakes. False: no memory. */
bool GraphGuess(const GraphStage *stages, size_t stage_count, const GraphRequest *requests,
                size_t request_count, Graph *ret_graph);
void GraphFinish(Graph *graph);

/* Graphviz dot in stable order. Failures of the stream are left in ferror(). */
void GraphPrintDot(const GraphStage *stages, const Graph *graph, FILE *out);

#endif
