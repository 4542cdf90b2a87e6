/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_PMU_RULE_TABLES_H
#define ANALYSE_PMU_RULE_TABLES_H

#include "storage.h"

/* Tables of launches that rules read, in the same words for all chips. */

/* "pmu.loads": one row for each kind of core of a launch. */
extern const OpprofRecordType pmu_loads_type;
/* "pmu.pipes": one row for each pipe or unit of the longest core of each kind. */
extern const OpprofRecordType pmu_pipes_type;

typedef struct RulePorts {
    uint32_t loads;
    uint32_t pipes;
} RulePorts;

/* Push the rows of a launch. The metrics are those that the model was compiled for. */
OpprofStatus RuleTablesPush(const StorageModel *model, PmuMetrics *metrics, const LaunchView *view,
                            const RulePorts *ports);

#endif
