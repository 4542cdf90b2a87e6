/* SPDX-License-Identifier: Apache-2.0 */
/* Rules and queries, for people. Tested by tests/cli/test_query.sh. */
#include "questions.h"

#include "print/columns.h"
#include "print/plain_output.h"

#include <opprof/grow.h>
#include <opprof/results.h>

#include <stdlib.h>
#include <string.h>

OpprofStatus QuestionsList(const OpprofQuestionKind *kind, const char *heading, FILE *out,
                           OpprofError **error)
{
    OpprofQuestions questions = { .count = 0 };
    const OpprofStatus status = OpprofQuestionsLoad(kind, &questions, error);

    if (status == OPPROF_OK) {
        fprintf(out, questions.count == 0 ? "\n%s: none\n" : "\n%s:\n", heading);
    }
    for (size_t i = 0; status == OPPROF_OK && i < questions.count; i++) {
        fputs("  ", out);
        PlainPut(out, questions.list[i].name);
        fputs(": ", out);
        PlainPut(out, ColumnsOr(OpprofQuestionHead(&questions.list[i], "title"), "no title"));
        fputc('\n', out);
    }
    OpprofQuestionsFree(&questions);
    return status;
}

/* The type of a port that brings a table; NULL: it brings something else. */
static const OpprofRecordType *table_of(const OpprofPort *port)
{
    const OpprofRecordType *type = port->record_type;

    return type != NULL && (type->flags & OPPROF_RECORD_TABLE) != 0 && type->field_count > 0 ? type
                                                                                             : NULL;
}

/* ---- tables ---- */

typedef struct TableVisit {
    QuestionsTakeTable *take;
    void *context;
} TableVisit;

/* Types that are made during a run are known only there. */
static void visit_tables(void *context, const OpprofPluginFile *file)
{
    const TableVisit *visit = context;

    for (uint32_t i = 0; file->plugin != NULL && i < file->plugin->output_count; i++) {
        const OpprofRecordType *type = table_of(&file->plugin->outputs[i]);

        if (type != NULL) {
            visit->take(visit->context, type);
        }
    }
}

OpprofStatus QuestionsVisitTables(OpprofPipeline *pipeline, QuestionsTakeTable *take, void *context,
                                  OpprofError **error)
{
    TableVisit visit = { .take = take, .context = context };

    return OpprofPipelineVisitPlugins(pipeline, visit_tables, &visit, error);
}

/* ---- what a rule reads ---- */

typedef struct Reading {
    const OpprofQuestion *question;
    FILE *out;
    bool lacks_memory;
} Reading;

static void print_columns(const Reading *reading, const OpprofRecordType *type)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        const OpprofField *field = &type->fields[f];
        const char *name = OpprofResultsFieldName(field);

        if (OpprofQuestionNames(reading->question, name)) {
            fprintf(reading->out, "    %s%s%s%s  %s\n", name, field->unit == NULL ? "" : " (",
                    field->unit == NULL ? "" : field->unit, field->unit == NULL ? "" : ")",
                    field->meaning == NULL ? "" : field->meaning);
        }
    }
}

static void print_table(void *context, const OpprofRecordType *type)
{
    Reading *reading = context;
    char *name = OpprofResultsTableName(type);

    reading->lacks_memory = reading->lacks_memory || name == NULL;
    if (name != NULL && OpprofQuestionNames(reading->question, name)) {
        fprintf(reading->out, "  %s  %s\n", name, ColumnsOr(type->title, type->name));
        print_columns(reading, type);
    }
    free(name);
}

/* ---- a rule ---- */

static void print_head(const OpprofQuestion *question, FILE *out)
{
    for (size_t i = 0; i < question->member_count; i++) {
        const OpprofQuestionMember *member = &question->members[i];

        fprintf(out, "  %-11s", member->name);
        ColumnsText(member->value, 13, out);
    }
    fputs("  file       ", out);
    PlainPut(out, question->path);
    fputc('\n', out);
}

static OpprofStatus explain(OpprofPipeline *pipeline, const OpprofQuestion *question, FILE *out,
                            OpprofError **error)
{
    Reading reading = { .question = question, .out = out };
    OpprofStatus status;

    fprintf(out, "rule %s\n", question->name);
    print_head(question, out);
    fputs("\nreads:\n", out);
    status = QuestionsVisitTables(pipeline, print_table, &reading, error);
    if (status == OPPROF_OK && reading.lacks_memory) {
        return OpprofErrorNoMemory(error, "explain '%s'", question->name);
    }
    fprintf(out, "\n%s", question->sql);
    return status;
}

OpprofStatus QuestionsExplain(OpprofPipeline *pipeline, const char *name, bool *ret_is_there,
                              FILE *out, OpprofError **error)
{
    OpprofQuestions rules = { .count = 0 };
    OpprofStatus status = OpprofQuestionsLoad(&opprof_rules, &rules, error);
    const OpprofQuestion *question = OpprofQuestionsFind(&rules, name);

    *ret_is_there = question != NULL;
    if (status == OPPROF_OK && question != NULL) {
        status = explain(pipeline, question, out, error);
    }
    OpprofQuestionsFree(&rules);
    return status;
}

/* ---- whether rules fit ---- */

typedef struct Types {
    const OpprofRecordType **list;
    size_t count;
    size_t capacity;
    bool lacks_memory;
} Types;

static void add_type(void *context, const OpprofRecordType *type)
{
    Types *types = context;

    if (OpprofGrow(&types->list, &types->capacity, types->count + 1, sizeof *types->list)) {
        types->list[types->count++] = type;
    } else {
        types->lacks_memory = true;
    }
}

OpprofStatus QuestionsCheckRules(OpprofPipeline *pipeline, OpprofError **error)
{
    Types types = { .count = 0 };
    OpprofQuestions rules = { .count = 0 };
    OpprofStatus status = QuestionsVisitTables(pipeline, add_type, &types, error);

    if (status == OPPROF_OK && types.lacks_memory) {
        status = OpprofErrorNoMemory(error, "check rules");
    }
    if (status == OPPROF_OK) {
        status = OpprofQuestionsLoad(&opprof_rules, &rules, error);
    }
    if (status == OPPROF_OK) {
        status = OpprofQuestionsCheck(&rules, types.list, types.count, error);
    }
    OpprofQuestionsFree(&rules);
    free((void *) types.list);
    return status;
}
