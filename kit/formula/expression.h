/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_FORMULA_EXPRESSION_H
#define KIT_FORMULA_EXPRESSION_H

#include <opprof/kit/expression.h>

/*
 * The compact form: a program for a machine with registers that calculates in double. Operands lie
 * in one of three spaces, encoded in the two top bits of an operand: the inputs, the constants of the
 * formula, and what earlier steps gave. Absent is NaN; infinity, after which nothing is certain,
 * is absent too. Integers are exact below 2^53, which no counter of a core reaches in a month.
 */

typedef enum StepOp {
    STEP_ADD,
    STEP_SUBTRACT,
    STEP_MULTIPLY,
    STEP_DIVIDE,
    STEP_NEGATE,
    STEP_MIN,
    STEP_MAX,
    STEP_SUB0,  /* a - b, 0 below zero */
    STEP_DIFF,  /* a - b, absent below zero */
    STEP_TRUNC, /* toward zero */
    STEP_CEIL,  /* upwards */
    STEP_FIRST, /* a, or b when a is absent */
    STEP_EQUAL,
    STEP_LESS,
    STEP_LESS_EQUAL,
    STEP_AND,
    STEP_OR,
    STEP_NOT,
    STEP_SELECT /* c ? a : b */
} StepOp;

#define OPERAND_INPUT 0u
#define OPERAND_CONSTANT 1u
#define OPERAND_STEP 2u
#define OPERAND_SPACE(operand) ((unsigned) (operand) >> 14)
#define OPERAND_INDEX(operand) ((unsigned) (operand) &0x3fffu)

typedef struct Step {
    uint16_t op;     /* StepOp */
    uint16_t result; /* temporary that takes it */
    uint16_t a;
    uint16_t b;
    uint16_t c;
} Step;

#define EXPRESSION_TEMPORARIES 128u /* of one program */

struct OpprofExpression {
    Step *steps;
    double *constants;
    uint8_t *absences; /* of each constant, OpprofAbsence */
    uint32_t *inputs;
    uint32_t
        *strict; /* inputs that must be present even where the result does not depend on them */
    uint32_t step_count;
    uint32_t constant_count;
    uint32_t input_count;
    uint32_t strict_count; /* 0 unless the formula chooses between values */
    uint16_t result;       /* operand */
    bool is_integer;
};

/* One step; `c` is for STEP_SELECT only. */
double MachineStep(StepOp op, double a, double b, double c);
/* Why a step gives an absent value of operands that are all present. */
OpprofAbsence MachineWhy(StepOp op);

#endif
