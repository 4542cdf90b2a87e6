/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_FORMULA_FORMULA_H
#define KIT_FORMULA_FORMULA_H

#include <opprof/kit/formula.h>

/*
 * From a formula's text to its value: formula_scan.c reads numbers and names, formula_grammar.c
 * knows the language, formula_program.c makes steps for a machine with registers. formula_real.c is
 * the machine for reals, formula_whole.c the one for whole numbers; only these two differ between
 * the kinds of formulas.
 *
 * The way of a metric through the tree: a chip file, kit/facts/chip.c (the fact), an analysis
 * (which columns there are), kit/metrics/metrics.c (what names mean), then the three files above
 * and a machine.
 */

/* ---- programs ---- */

/* Operands are named a, b and c, as in `a + b`. */
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
    STEP_DIFFERS,
    STEP_LESS,
    STEP_LESS_EQUAL,
    STEP_AND,
    STEP_OR,
    STEP_NOT,
    STEP_SELECT, /* c ? a : b */
    /* Rare steps. */
    STEP_REST,  /* a % b */
    STEP_ALIGN, /* a, up to a multiple of b */
    STEP_BITS,  /* c bits of a from bit b on */
    STEP_PICK   /* of the constants at b: number a + 1, or 0 unless a is below c */
} StepOp;

/* Operands lie in one of three spaces, encoded in the two top bits of an operand. */
#define OPERAND_INPUT 0u
#define OPERAND_CONSTANT 1u
#define OPERAND_STEP 2u /* results of earlier steps */
#define OPERAND_SPACE(operand) ((unsigned) (operand) >> 14)
#define OPERAND_INDEX(operand) ((unsigned) (operand) &0x3fffu)

typedef struct Step {
    uint16_t op;     /* StepOp */
    uint16_t result; /* temporary that takes it */
    uint16_t a;
    uint16_t b; /* like `a` where the step has no such operand */
    uint16_t c;
} Step;

#define FORMULA_TEMPORARIES 128u /* of one program */

/* By the kind of the formula. Absent reals are NaN. */
typedef union Number {
    double real;
    uint64_t whole;
} Number;

struct OpprofFormula {
    Step *steps;
    Number *constants;
    uint8_t *absences; /* of each constant, OpprofAbsence */
    uint32_t *inputs;
    uint32_t *strict; /* must be present even where the result does not depend on them */
    uint32_t step_count;
    uint32_t constant_count;
    uint32_t input_count;
    uint32_t strict_count; /* 0 unless a formula of reals chooses between values */
    uint16_t result;       /* operand */
    uint8_t kind;          /* OpprofFormulaKind */
    bool has_rare;         /* steps after STEP_SELECT */
    bool is_integer;
};

/* One step of each machine, over the spaces of operands. */
double RealStep(const Step *at, const double *const *spaces);
uint64_t WholeStep(const Step *at, const uint64_t *const *spaces, bool wraps);
/* Why a step gives an absent value of operands that are all present. */
OpprofAbsence RealWhy(StepOp op);

/* ---- parsing ---- */

/* A program in the making, of a formula and the formulas inserted into it. */
typedef struct Program {
    OpprofFormula *formula;
    uint32_t step_capacity; /* of the arrays */
    uint32_t constant_capacity;
    uint32_t absence_capacity;
    uint32_t input_capacity;
    uint32_t strict_capacity;
    uint32_t temporaries; /* in use */
    uint32_t in_first;    /* how many first() are around */
    bool has_choice;      /* between values */
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
    bool is_whole;
} Parser;

/* A value that has been compiled. */
typedef struct Term {
    uint16_t operand;
    bool is_integer; /* always */
    bool is_temporary;
} Term;

/* ---- formula_scan.c ---- */

/* A message with the formula's name and a column, counted from 0. */
OPPROF_PRINTF(4, 5)
OpprofStatus ParserFail(const Parser *parser, OpprofStatus status, size_t at, const char *format,
                        ...);
#define PARSER_FAIL(parser, at, ...) ParserFail((parser), OPPROF_E_DATA, (at), __VA_ARGS__)
OpprofStatus ParserNoMemory(const Parser *parser);
/* Says what was found instead. */
OpprofStatus ParserUnexpected(const Parser *parser, const char *wanted);

/* The next byte, -1 at the end. */
static inline int ParserPeek(const Parser *parser)
{
    return parser->at < parser->length ? (unsigned char) parser->text[parser->at] : -1;
}

void ParserSkipBlanks(Parser *parser);
/* Whether a token comes next. */
bool ParserSees(const Parser *parser, const char *token);
/* Go past a token, and blanks before it, if it comes next. */
bool ParserTake(Parser *parser, const char *token);
bool ParserStartsNumber(const Parser *parser);
OpprofStatus ParserReadNumber(Parser *parser, Number *ret_number, bool *ret_is_integer);
bool ParserStartsName(const Parser *parser);
/* Room for OPPROF_FORMULA_MAX_NAME letters. */
OpprofStatus ParserReadName(Parser *parser, char *name);
/* Text between the brackets of name(key), without blanks around, and the last bracket. */
OpprofStatus ParserReadKey(Parser *parser, char *key);

/* ---- formula_program.c ---- */

/* A number, or with a reason an absent value. */
OpprofStatus CompileConstant(const Parser *parser, Number value, bool is_integer,
                             OpprofAbsence absence, Term *ret_term);
/* A number that is not in the formula: an integer if it is whole. */
OpprofStatus CompileNumber(const Parser *parser, const OpprofBinding *binding, Term *ret_term);
OpprofStatus CompileInput(const Parser *parser, const OpprofBinding *binding, Term *ret_term);
/* A step with one or two operands; with constants it is done right here. */
OpprofStatus CompileStep(const Parser *parser, StepOp op, const Term *a, const Term *b,
                         Term *ret_term);
/* c ? a : b */
OpprofStatus CompileSelect(const Parser *parser, const Term *arguments, Term *ret_term);
/* bits() and pick(), whose arguments are numbers but for the first one; `start` is their column. */
OpprofStatus CompileBits(const Parser *parser, size_t start, const Term *arguments, Term *ret_term);
OpprofStatus CompilePick(const Parser *parser, size_t start, const Term *arguments, uint32_t count,
                         Term *ret_term);

#endif
