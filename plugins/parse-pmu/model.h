/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_MODEL_H
#define PARSE_PMU_MODEL_H

#include "operand_record.h"
#include "plan.h"

/* The parser's settings. */
typedef struct ParserSettings {
    ChoiceItems metrics;
    const char *replay; /* "auto", "kernel", "application" or "range" */
    const char *memory_vendor;
    double rated_freq;        /* MHz; 0: the chip file's */
    double scheduler_freq;    /* kHz; 0: the chip file's */
    uint32_t cores;           /* 0: the chip file's */
    uint32_t operand_threads; /* 0: the chip file's */
} ParserSettings;

/* Everything that is derived once from a chip. */
typedef struct PmuModel {
    const OpprofChip *chip; /* borrowed */
    PmuLayout layout;
    Choices choices;
    Plan plans[2]; /* for kernel and for application replay */
} PmuModel;

/*
 * Derive it, in zeroed memory. OPPROF_E_ARGUMENT: the chip does not have the metrics. What a
 * failure leaves is to be finished, too.
 */
OpprofStatus PmuModelLoad(const OpprofChip *chip, const ParserSettings *settings, PmuModel *model,
                          OpprofError **error);
void PmuModelFinish(PmuModel *model);

#endif
