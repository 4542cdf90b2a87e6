/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_FACTS_CHIP_H
#define KIT_FACTS_CHIP_H

#include "kit/facts/chip_line.h"

#include <opprof/kit/chip.h>

/* A file that facts come from. */
typedef struct ChipOrigin {
    char *path;
    json_t *root;
} ChipOrigin;

struct OpprofChip {
    struct OpprofChip *next; /* of its library */
    unsigned users;          /* loads that were not freed, and the library; under the lock */
    const ChipFile *file;    /* that serves it: identity only */
    json_t *facts;           /* everything that applies, merged */
    struct MetricFormulas *formulas; /* that were compiled, of `metrics` */
    size_t checked; /* modules whose tables it was checked against; under the lock */
    char *soc;
    char *series;
    ChipOrigin origins[CHIP_LINE_MAX]; /* as in the line */
    size_t origin_count;
};

/* The chip of a SoC as its file spells it, with all that the file extends and uses. */
OpprofStatus ChipMake(ChipFiles *files, const ChipFile *file, const char *soc,
                      OpprofChip **ret_chip, OpprofError **error);
void ChipDestroy(OpprofChip *chip);

#endif
