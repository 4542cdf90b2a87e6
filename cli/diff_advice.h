/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DIFF_ADVICE_H
#define CLI_DIFF_ADVICE_H

#include "diff_file.h"

#include <opprof/map.h>
#include <stdbool.h>
#include <stdint.h>

/* A sentence of advice, whatever numbers it was given with. Texts are tame, "" where they are absent. */
typedef struct DiffAdvice {
    char *severity; /* in the first run that has it */
    char *topic;
    char *subject;
    char *sentence;
    uint32_t runs[2]; /* of each side that have it */
    uint32_t last;    /* the last of all runs that has it, plus 1 */
} DiffAdvice;

/* All advice of two results, in the order of the runs. Begin with zero. */
typedef struct DiffAdviceList {
    DiffAdvice *list;
    uint32_t count;
    uint32_t capacity;
    OpprofTextMap index;
} DiffAdviceList;

/*
 * Add the advice of a run, which may have none.
 *
 * @param side  0 or 1.
 * @param run   Its number among the runs of both sides; runs come in this order.
 * @return OPPROF_OK; OPPROF_E_DATA (damaged); OPPROF_E_MEMORY.
 */
OpprofStatus DiffAdviceRead(DiffAdviceList *advice, const DiffFile *file, int side, uint32_t run,
                            OpprofError **error);
void DiffAdviceFree(DiffAdviceList *advice);

#endif
