/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_LOG_NAMES_H
#define COLLECT_SIM_READ_LOG_NAMES_H

/*
 * The names of a simulator's logs in a chip's file, `simulator.logs`: a form (opprof/kit/form.h)
 * for each log, with <core> for the number of a core and <sub>, letters and digits that begin with
 * a letter, for one of several cores under a number.
 */

#include <opprof/kit/chip.h>
#include <opprof/kit/form.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum SimLogKind {
    SIM_LOG_POPPED = 0,
    SIM_LOG_INSTR,
    SIM_LOG_ICACHE,
    SIM_LOG_CCU,
    SIM_LOG_MTE, /* one for all cores of a number: without <sub> */
    SIM_LOG_KINDS
} SimLogKind;

typedef struct SimLogNames {
    OpprofForm *forms[SIM_LOG_KINDS]; /* NULL: the chip has none of this kind */
} SimLogNames;

/* Contents of a name. */
typedef struct SimLogName {
    uint32_t core;
    const char *sub; /* within the name */
    size_t sub_length;
} SimLogName;

/* The names of a chip. Faults are reported with their member; names are then empty. */
OpprofStatus SimLogNamesOf(const OpprofChip *chip, SimLogNames *ret_names, OpprofError **error);
void SimLogNamesFinish(SimLogNames *names);

/* Whether a file is of a kind, and its core. */
bool SimLogNamesMatch(const SimLogNames *names, SimLogKind kind, const char *file,
                      SimLogName *ret_name);

/* The name of a core's file: freed by the caller, NULL without memory or form. */
char *SimLogNamesFile(const SimLogNames *names, SimLogKind kind, const SimLogName *name);

/* The form as fnmatch() has it: freed by the caller, NULL without memory or form. */
char *SimLogNamesGlob(const SimLogNames *names, SimLogKind kind);

#endif
