/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_FORMULA_EXPRESSION_SCAN_H
#define KIT_FORMULA_EXPRESSION_SCAN_H

#include "kit/formula/expression_parser.h"

/* Reads the smallest pieces of a formula. */

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
/* Go past a token, and blanks before it, if it comes next. */
bool ParserTake(Parser *parser, const char *token);
bool ParserStartsNumber(const Parser *parser);
OpprofStatus ParserReadNumber(Parser *parser, double *ret_value, bool *ret_is_integer);
bool ParserStartsName(const Parser *parser);
/* Room for OPPROF_EXPRESSION_MAX_NAME letters. */
OpprofStatus ParserReadName(Parser *parser, char *name);
/* What stands between the brackets of name(key), without blanks around, and the last bracket. */
OpprofStatus ParserReadKey(Parser *parser, char *key);

#endif
