/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_FORM_H
#define COLLECT_SIM_FORM_H

/*
 * Lines of instruction logs whose form is data, for simulators that print others than line.h reads. A form is the line with fields in
 * it: <tick> decimal digits, <pc> hexadecimal ones with or without 0x, <id> decimal digits, <pipe> letters, digits and _, <name> the
 * same and . and -, <operands> and <any> everything up to the text that follows in the form, or to the end. A blank stands for
 * any number of blanks and tabs from one on; everything else stands for itself, and the whole line must match. Each byte is looked
 * at once: a field takes as much as it can, or up to the first place where the text after it stands.
 */

#include "line.h"

#define SIM_FORM_PIECES 32u
#define SIM_FORMS 4u

typedef enum SimFormKind {
    SIM_FORM_TEXT = 0,
    SIM_FORM_BLANKS,
    SIM_FORM_TICK,
    SIM_FORM_PC,
    SIM_FORM_ID,
    SIM_FORM_PIPE,
    SIM_FORM_NAME,
    SIM_FORM_OPERANDS,
    SIM_FORM_ANY
} SimFormKind;

typedef struct SimFormPiece {
    SimFormKind kind;
    uint32_t length;
    const char *text; /* of SIM_FORM_TEXT, within the form */
} SimFormPiece;

typedef struct SimForm {
    SimFormPiece pieces[SIM_FORM_PIECES];
    uint32_t count;
} SimForm;

/* Those of a chip: the first that a line has is the line's. */
typedef struct SimForms {
    SimForm forms[SIM_FORMS];
    uint32_t count;
} SimForms;

/* Read a form, which is borrowed. Returns what is wrong with it, or NULL. */
const char *SimFormRead(const char *text, SimForm *ret_form);

/* As SimLineParse, by the forms. */
bool SimFormsParse(const SimForms *forms, const char *line, size_t length, SimLine *ret_line);

#endif
