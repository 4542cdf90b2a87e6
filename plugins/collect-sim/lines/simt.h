/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LINES_SIMT_H
#define COLLECT_SIM_LINES_SIMT_H

/*
 * SIMT threads in operands, in texts without blanks, by the forms of a chip's file
 * (`simulator.threads`).
 */

#include <opprof/kit/chip.h>
#include <opprof/kit/form.h>
#include <stdint.h>

typedef struct SimtForms {
    OpprofForm *warp;      /* NULL: operands state no warp */
    OpprofForm *scheduler; /* anywhere after it */
    OpprofForm *masks;     /* of the predicate and of execution */
    uint32_t schedulers;   /* of a core: a larger number is not one */
} SimtForms;

/* The forms of a chip; empty if its operands state no threads. Faults are reported. */
OpprofStatus SimtFormsRead(const OpprofChip *chip, SimtForms *ret_forms, OpprofError **error);
void SimtFormsFinish(SimtForms *forms);

/* Warp, and the scheduler after it; both -1 if missing. */
void SimtReadWarp(const SimtForms *forms, const char *at, const char *end, int16_t *ret_warp,
                  int16_t *ret_scheduler);

/* Number of active threads: bits set in both masks; -1 if missing. */
int32_t SimtReadThreads(const SimtForms *forms, const char *at, const char *end);

#endif
