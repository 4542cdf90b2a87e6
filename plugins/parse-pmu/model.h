/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_MODEL_H
#define PARSE_PMU_MODEL_H

#include "operand_record.h"
#include "plan.h"

/* The parser's settings. */
typedef struct ParserSettings {
    const char *chip; /* "auto", a SoC or a series */
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
    struct PmuModel *next;
    char *soc; /* as requested */
    OpprofChip *chip;
    PmuLayout layout;
    Choices choices;
    Plan plans[2];      /* for kernel and for application replay */
    bool is_substitute; /* the data's SoC is unknown, so the chip that was set is used */
} PmuModel;

/*
 * The model for a SoC that the data names (NULL: it names none), made at first use and kept in
 * *models. OPPROF_E_NOT_FOUND or OPPROF_E_DATA if no chip fits.
 */
OpprofStatus PmuModelFind(PmuModel **models, const ParserSettings *settings, const char *soc,
                          const PmuModel **ret_model, OpprofError **error);
void PmuModelsFree(PmuModel *models);

#endif
