/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_QUESTIONS_H
#define CLI_QUESTIONS_H

#include <opprof/pipeline.h>
#include <opprof/questions.h>
#include <stdio.h>

/* --list: names and titles of all rules or queries, below a heading. */
OpprofStatus QuestionsList(const OpprofQuestionKind *kind, const char *heading, FILE *out,
                           OpprofError **error);
/* --explain: what a rule says, what it reads, and its SQL. *ret_is_there: there is such a rule. */
OpprofStatus QuestionsExplain(OpprofPipeline *pipeline, const char *name, bool *ret_is_there,
                              FILE *out, OpprofError **error);

/* Takes the type of a table. */
typedef void QuestionsTakeTable(void *context, const OpprofRecordType *type);

/* Visit the types of all tables that the modules say they give. */
OpprofStatus QuestionsVisitTables(OpprofPipeline *pipeline, QuestionsTakeTable *take, void *context,
                                  OpprofError **error);

/*
 * --validate: rules name only columns that their tables have, as far as the modules say which
 * tables there are. The error has the first rule that does not.
 */
OpprofStatus QuestionsCheckRules(OpprofPipeline *pipeline, OpprofError **error);

#endif
