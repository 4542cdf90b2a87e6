/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DESCRIBE_QUESTIONS_H
#define CLI_DESCRIBE_QUESTIONS_H

#include <jansson.h>
#include <opprof/pipeline.h>
#include <opprof/questions.h>
#include <stdio.h>

/* Put all rules or queries into an object: names, files and heads. */
OpprofStatus DescribeQuestions(const OpprofQuestionKind *kind, json_t *object, const char *key,
                               OpprofError **error);

/* --explain --json: a rule, the tables and columns that it reads, and its SQL. *ret_is_there: there
 * is such a rule. */
OpprofStatus DescribeRule(OpprofPipeline *pipeline, const char *name, bool *ret_is_there, FILE *out,
                          OpprofError **error);

#endif
