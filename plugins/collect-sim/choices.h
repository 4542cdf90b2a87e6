/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_CHOICES_H
#define COLLECT_SIM_CHOICES_H

/* The parameters chip, metrics and core_id of both collectors of the simulator. */

#include <opprof/plugin.h>
#include "collect-sim/read/facts.h"
#include <opprof/params.h>

#define CHOICES_CONFLICTS "ResourceConflictRatio"
#define CHOICES_SAMPLING "PMSampling"
#define CHOICES_OVERHEAD "Overhead"

/* Metrics that exist, NULL-terminated. */
extern const char *const choices_metrics[];
/* Sections of chip files that both read, NULL-terminated. */
extern const char *const choices_chip_sections[];
extern const OpprofChipTable choices_chip_tables[];

/* The three as entries of a table of parameters; the text for chip differs. */
#define CHOICES_PARAM_CHIP(text)                                                                   \
    {                                                                                              \
        .name = "chip", .type = OPPROF_PARAM_STRING, .default_value = "auto", .summary = (text)    \
    }
#define CHOICES_PARAM_METRICS                                                                      \
    {                                                                                              \
        .name = "metrics", .type = OPPROF_PARAM_LIST, .choices = choices_metrics,                  \
        .summary =                                                                                 \
            "Metrics to collect data for; default: PipeUtilization and ResourceConflictRatio. "    \
            "Without ResourceConflictRatio the instructions that set flags and wait for them are " \
            "left out; PMSampling adds memory bandwidth, Overhead cycles of fetch and issue."      \
    }
#define CHOICES_PARAM_CORE_ID                                                                      \
    {                                                                                              \
        .name = "core_id", .type = OPPROF_PARAM_LIST,                                              \
        .summary = "Ids of the cores to read, 0 to 49, all unless given; logical ids where the "   \
                   "chip has them."                                                                \
    }

/* Check all three; *ret_core_ids has a bit for each wanted id, 0: all. For configure. */
OpprofStatus ChoicesCheck(const OpprofParams *params, uint64_t *ret_core_ids, OpprofError **error);
/* The chip, NULL: to be detected. */
const char *ChoicesChip(const OpprofParams *params);
/* Check that the chip's simulator has each requested metric. */
OpprofStatus ChoicesCheckMetrics(const OpprofParams *params, const SimFacts *facts,
                                 OpprofError **error);
/* A metric is on if it is named; PipeUtilization and ResourceConflictRatio are also on if none is
 * named. */
bool ChoicesHasMetric(const OpprofParams *params, const char *metric);

#endif
