/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_CHIP_NAMES_H
#define KIT_CHIP_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define CHIP_NAMES_MAX 256 /* a file with more is read at once */

/* The names by which a chip file is found. Zero-initialise. */
typedef struct ChipNames {
    char *text; /* all of them, each with a NUL */
    size_t count;
    bool has_raw; /* it has the section "raw" */
} ChipNames;

/*
 * The series, the name of facts and the SoCs of a document, found without parsing it. False if it has another form than
 * chip files usually have, or without memory: then it must be read to know.
 */
bool ChipNamesScan(const char *text, size_t length, ChipNames *ret_names);
void ChipNamesFinish(ChipNames *names);

/* Case does not matter. */
bool ChipNamesHave(const ChipNames *names, const char *name);

#endif
