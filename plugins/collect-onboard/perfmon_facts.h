/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_PERFMON_FACTS_H
#define COLLECT_ONBOARD_PERFMON_FACTS_H

#include <opprof/kit/facts.h>
#include <opprof/kit/live.h>
#include <stdbool.h>

/* Facts about the performance monitors of cores (`perfmon` of the chip file). */
typedef struct PerfmonFacts {
    OpprofLiveMonitors monitors; /* of all cores, without the size of buffers */
    bool is_provisional;         /* some of it was never confirmed on silicon */
} PerfmonFacts;

/* What the chip file may state in `perfmon`. */
extern const OpprofFactTable perfmon_table;

OpprofStatus PerfmonFactsLoad(const OpprofChip *chip, PerfmonFacts *ret_facts, OpprofError **error);

#endif
