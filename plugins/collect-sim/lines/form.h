/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LINES_FORM_H
#define COLLECT_SIM_LINES_FORM_H

/*
 * Forms of lines that a chip's file states (opprof/kit/form.h): of instructions, for simulators
 * whose lines line.h does not read, of cache misses, and of fetches and issues.
 */

#include "line.h"
#include <opprof/kit/chip.h>
#include <opprof/kit/form.h>

#define SIM_FORMS 4u

/* The forms of a chip: the first that matches a line counts. */
typedef struct SimForms {
    OpprofForm *forms[SIM_FORMS];
    uint32_t count;
} SimForms;

/* Of an instruction: <tick>, <pc>, <id>, <pipe>, <name>, <operands>, <any>. */
extern const OpprofFormLanguage sim_form_lines;
/* Of a miss: <tick>, <pc>, <hex8>, <digits>, <detail>. */
extern const OpprofFormLanguage sim_form_misses;
/* Of something that happened to an address: <tick>, <pc>. */
extern const OpprofFormLanguage sim_form_events;

/* Add the form, or the forms, of a fact; NULL: none. Faults are reported for `path` in the chip's
 * file. */
OpprofStatus SimFormsRead(SimForms *forms, const OpprofFormLanguage *language,
                          const OpprofChip *chip, const char *path, OpprofError **error);
/* Add a form. Its faults are reported. */
OpprofStatus SimFormsAdd(SimForms *forms, const OpprofFormLanguage *language, const char *text,
                         OpprofError **error);
void SimFormsFinish(SimForms *forms);

/* As SimLineParse, by forms of instructions. */
bool SimFormsParse(const SimForms *forms, const char *line, size_t length, SimLine *ret_line);

/* The first place in a line where one of the forms of events matches; false: none does. */
bool SimFormsFindEvent(const SimForms *forms, const char *line, size_t length, uint64_t *ret_tick,
                       uint64_t *ret_pc);

/* A miss. Texts are within the line. */
typedef struct SimMiss {
    uint64_t tick;
    uint64_t pc;
    const char *address; /* <pc> as printed */
    const char *detail;  /* with its blanks, to the end of the line */
    uint32_t address_length;
    uint32_t detail_length;
} SimMiss;

/* By forms of misses; false: not a miss. */
bool SimFormsParseMiss(const SimForms *forms, const char *line, size_t length, SimMiss *ret_miss);

/*
 * Whether a line was one of these forms before it was damaged: none matches it, but it has all the
 * texts of one, or ends while it is still like one. Logs hold other lines as well, of hits and
 * refills, which no form states and no analysis needs: those are not. Of misses, and of events.
 */
bool SimFormsIsSpoiltMiss(const SimForms *forms, const char *line, size_t length);
bool SimFormsIsSpoiltEvent(const SimForms *forms, const char *line, size_t length);

#endif
