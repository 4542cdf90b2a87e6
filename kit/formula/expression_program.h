/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_FORMULA_EXPRESSION_PROGRAM_H
#define KIT_FORMULA_EXPRESSION_PROGRAM_H

#include "kit/formula/expression_parser.h"

/* Makes the program that expression_machine.c runs. */

/* A value that has been compiled. */
typedef struct Term {
    uint16_t operand;
    bool is_integer; /* always */
    bool is_temporary;
} Term;

/* A number, or with a reason an absent value. */
OpprofStatus CompileConstant(const Parser *parser, double value, bool is_integer,
                             OpprofAbsence absence, Term *ret_term);
/* A number that the chip file states: an integer if it is whole. */
OpprofStatus CompileNumber(const Parser *parser, double value, Term *ret_term);
OpprofStatus CompileInput(const Parser *parser, const OpprofBinding *binding, Term *ret_term);
/* One step; `b` and `c` may be NULL. */
OpprofStatus CompileStep(const Parser *parser, StepOp op, const Term *a, const Term *b,
                         const Term *c, Term *ret_term);
/* A step with one or two operands; with constants it is done right here. */
OpprofStatus CompileCombined(const Parser *parser, StepOp op, const Term *a, const Term *b,
                             Term *ret_term);
/* Make the expression. What the program has belongs to it then. */
OpprofStatus CompileFinish(const Parser *parser, const Term *result,
                           OpprofExpression **ret_expression);
void ProgramFree(Program *program);

#endif
