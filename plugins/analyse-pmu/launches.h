/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_PMU_LAUNCHES_H
#define ANALYSE_PMU_LAUNCHES_H

#include "analysis.h"
#include "table_type.h"

#include <opprof/plugin.h>

/* The frame of an analysis that handles one launch after another: the instance of such a plugin. */
typedef struct Launches {
    OpprofStage *stage;
    PmuMetrics *metrics; /* of the chips seen so far */
    TableType *types;    /* of the tables made so far */
    uint64_t count;      /* launches */
} Launches;

/* Called for each launch. */
typedef OpprofStatus LaunchAnalyse(Launches *self, const LaunchView *view, OpprofError **error);

OpprofStatus LaunchesCreate(OpprofStage *stage, void **ret_self, OpprofError **error);
void LaunchesDestroy(void *self);
OpprofStatus LaunchesProcess(Launches *self, const OpprofBatch *batch, LaunchAnalyse *analyse,
                             OpprofError **error);
OpprofStatus LaunchesFlush(void *self, OpprofError **error);

/* The input port of all these analyses. */
#define LAUNCHES_INPUT                                                                             \
    {                                                                                              \
        .name = "launches", .type = "pmu.launch", .record_type = &opprof_pmu_launch_type,          \
        .summary = "Launches, merged over their replays."                                          \
    }

/* Sections of chip files that all these analyses read. */
extern const char *const launches_chip_sections[];

/*
 * The descriptor of an analysis of launches: what it calls for each, how it explains names of a
 * chip (NULL: it does not), its array of output ports, and what else a descriptor states.
 */
#define LAUNCHES_DEFINE(analyse_launch, explain_name, output_ports, ...)                           \
    static OpprofStatus launches_process(void *self, uint32_t port, const OpprofBatch *batch,      \
                                         OpprofError **error)                                      \
    {                                                                                              \
        (void) port;                                                                               \
        return LaunchesProcess(self, batch, analyse_launch, error);                                \
    }                                                                                              \
    static const OpprofPort launches_inputs[] = { LAUNCHES_INPUT };                                \
    static const OpprofPluginOps launches_ops = { .struct_size = sizeof(OpprofPluginOps),          \
                                                  .create = LaunchesCreate,                        \
                                                  .process = launches_process,                     \
                                                  .flush = LaunchesFlush,                          \
                                                  .destroy = LaunchesDestroy,                      \
                                                  .explain = (explain_name) };                     \
    OPPROF_PLUGIN_DEFINE(.version = "1.0", .license = "Apache-2.0", .kind = OPPROF_ANALYSIS,       \
                         .inputs = launches_inputs, .input_count = OPPROF_COUNT(launches_inputs),  \
                         .outputs = (output_ports), .output_count = OPPROF_COUNT(output_ports),    \
                         .ops = &launches_ops, .chip_sections = launches_chip_sections,            \
                         .chip_tables = pmu_chip_tables, __VA_ARGS__)

#endif
