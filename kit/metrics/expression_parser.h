/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_EXPRESSION_PARSER_H
#define KIT_EXPRESSION_PARSER_H

#include "kit/metrics/expression.h"

/*
 * What the parser's parts share: expression_scan.c reads the smallest pieces of a formula,
 * expression_grammar.c knows the language, expression_program.c makes the program that
 * expression_machine.c runs.
 */

/* What is being built, shared by a formula and the formulas that stand in it. */
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

/* A value that has been compiled. */
typedef struct Term {
    uint16_t operand;
    bool is_integer; /* always */
    bool is_temporary;
} Term;

/* Reading */

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
/* Go behind a token, and blanks before it, if it comes next. */
bool ParserTake(Parser *parser, const char *token);
bool ParserStartsNumber(const Parser *parser);
OpprofStatus ParserReadNumber(Parser *parser, double *ret_value, bool *ret_is_integer);
bool ParserStartsName(const Parser *parser);
/* Room for OPPROF_EXPRESSION_MAX_NAME letters. */
OpprofStatus ParserReadName(Parser *parser, char *name);
/* What stands between the brackets of name(key), without blanks around, and the last bracket. */
OpprofStatus ParserReadKey(Parser *parser, char *key);

/* Compiling */

/* A number, or with a reason no value at all. */
OpprofStatus CompileConstant(const Parser *parser, double value, bool is_integer,
                             OpprofAbsence absence, Term *ret_term);
/* A number that the chip file states: an integer if it is whole. */
OpprofStatus CompileNumber(const Parser *parser, double value, Term *ret_term);
OpprofStatus CompileInput(const Parser *parser, const OpprofBinding *binding, Term *ret_term);
/* One step; `b` and `c` may be NULL. */
OpprofStatus CompileStep(const Parser *parser, StepOp op, const Term *a, const Term *b,
                         const Term *c, Term *ret_term);
/* A step with one or two operands; of constants it is done right here. */
OpprofStatus CompileCombined(const Parser *parser, StepOp op, const Term *a, const Term *b,
                             Term *ret_term);
/* Make the expression. What the program has belongs to it then. */
OpprofStatus CompileFinish(const Parser *parser, const Term *result,
                           OpprofExpression **ret_expression);
void ProgramFree(Program *program);

#endif
