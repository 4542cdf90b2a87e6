/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_FORMULA_EXPRESSION_PARSER_H
#define KIT_FORMULA_EXPRESSION_PARSER_H

#include "kit/formula/expression.h"

/*
 * What the parser's parts share: expression_scan.c reads the smallest pieces of a formula,
 * expression_grammar.c knows the language, expression_program.c makes the program that
 * expression_machine.c runs.
 */

/* What is being built, shared by a formula and the formulas inserted into it. */
typedef struct Program {
    Step *steps;
    double *constants;
    uint8_t *absences;
    uint32_t *inputs;
    uint32_t *strict;
    uint32_t step_count;
    uint32_t constant_count;
    uint32_t input_count;
    uint32_t strict_count;
    uint32_t step_capacity; /* rooms of the arrays */
    uint32_t constant_capacity;
    uint32_t absence_capacity;
    uint32_t input_capacity;
    uint32_t strict_capacity;
    uint32_t temporaries; /* in use */
    uint32_t in_first;    /* how many first() are around */
    bool has_choice;
    OpprofBind *bind;
    void *context;
    OpprofError **error;
} Program;

/* One formula's text. */
typedef struct Parser {
    Program *program;
    const char *name;
    const char *text;
    size_t length;
    size_t at;
    uint32_t depth;
} Parser;

#endif
