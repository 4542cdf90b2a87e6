/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_EXPRESSION_H
#define KIT_EXPRESSION_H

#include <opprof/kit/expression.h>

/*
 * The compact form: a program for a machine with registers. Operands lie in one of three spaces,
 * told by the two top bits of an operand: the inputs, the constants of the formula, and what
 * earlier steps gave.
 *
 * Two machines run it. The near one calculates in double; it is exact as long as every integer
 * stays below 2^53, which it checks. Where that fails the wide one runs the same program with
 * 128-bit integers.
 */

__extension__ typedef __int128 WideInteger;

typedef enum StepOp {
    STEP_ADD,
    STEP_SUBTRACT,
    STEP_MULTIPLY,
    STEP_DIVIDE,
    STEP_NEGATE,
    STEP_MIN,
    STEP_MAX,
    STEP_SUB0,      /* a - b, 0 below zero */
    STEP_DIFF,      /* a - b, absent below zero */
    STEP_TRUNC,     /* toward zero */
    STEP_CEIL,      /* upwards */
    STEP_TRUNC_DIV, /* trunc(a / b), exact for integers */
    STEP_CEIL_DIV,  /* ceil(a / b), exact for integers */
    STEP_FIRST,     /* a, or b when a is absent */
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
    uint8_t op;         /* StepOp */
    uint8_t is_limited; /* the result may be an integer: the near machine stops from 2^53 on */
    uint16_t result;    /* temporary that takes it */
    uint16_t a;
    uint16_t b;
    uint16_t c;
} Step;

typedef enum WideKind { WIDE_ABSENT = 0, WIDE_INTEGER = 1, WIDE_REAL = 2 } WideKind;

typedef struct WideValue {
    WideInteger integer;
    double real;
    uint8_t kind;    /* WideKind */
    uint8_t absence; /* OpprofAbsence */
    uint16_t input;  /* the absent one */
} WideValue;

#define EXPRESSION_TEMPORARIES 128u /* of one program */

struct OpprofExpression {
    Step *steps;
    double *constants; /* as doubles */
    WideValue *wide_constants;
    uint32_t *inputs;
    uint32_t *strict; /* inputs that must be there even where the result does not hang on them */
    uint32_t step_count;
    uint32_t constant_count;
    uint32_t input_count;
    uint32_t strict_count; /* 0 unless the formula chooses between values */
    uint16_t result;       /* operand */
    bool is_integer;
    bool needs_wide; /* a constant is beyond 2^53 */
};

/* One step on the wide machine. */
WideValue WideStep(StepOp op, const WideValue *a, const WideValue *b, const WideValue *c);

#endif
