/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_FACTS_CHIP_LINE_H
#define KIT_FACTS_CHIP_LINE_H

#include "kit/facts/chip_file.h"

#define CHIP_LINE_EXTENDED 16u /* files that extend one another */
#define CHIP_LINE_MAX 32u      /* with the facts that they use */

/* The files whose facts hold for a chip, each before those that it is laid over. */
typedef struct ChipLine {
    const ChipFile *file[CHIP_LINE_MAX];
    size_t count;
} ChipLine;

/*
 * The file itself, what it extends, what that extends, …, and then the facts that these use. Facts
 * that no file has are left out with a warning: the family that reads them is not installed.
 */
OpprofStatus ChipLineFind(ChipFiles *files, const ChipFile *file, ChipLine *ret_line,
                          OpprofError **error);

#endif
