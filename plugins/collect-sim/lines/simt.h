/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LINES_SIMT_H
#define COLLECT_SIM_LINES_SIMT_H

/* What operands tell about SIMT threads, in texts without blanks, by the forms of a chip's file (`simulator.threads`). */

#include <opprof/kit/chip.h>
#include <opprof/kit/form.h>
#include <stdint.h>

typedef struct SimtForms {
    OpprofForm *warp;      /* NULL: operands name no warp */
    OpprofForm *scheduler; /* anywhere after it */
    OpprofForm *masks;     /* of the predicate and of execution */
    uint32_t schedulers;   /* of a core: a larger number is not one */
} SimtForms;

/* Those of a chip; empty where its operands name no threads. What is wrong is reported. */
OpprofStatus SimtFormsRead(const OpprofChip *chip, SimtForms *ret_forms, OpprofError **error);
void SimtFormsFinish(SimtForms *forms);

/* Warp, and the scheduler that comes after it; both -1 if that is not there. */
void SimtReadWarp(const SimtForms *forms, const char *at, const char *end, int16_t *ret_warp,
                  int16_t *ret_scheduler);

/* Active threads: bits that are set in both masks; -1 if they are not there. */
int32_t SimtReadThreads(const SimtForms *forms, const char *at, const char *end);

#endif
