/* SPDX-License-Identifier: Apache-2.0 */
/* Rules and queries as JSON, for programs. Tested by tests/cli/test_query.sh. */
#include "describe_questions.h"

#include "describe_json.h"
#include "questions.h"

#include <opprof/results.h>
#include <stdlib.h>

/* Name, file and the members of the head. */
static json_t *head_of(const OpprofQuestion *question)
{
    json_t *object = json_object();

    DescribePutText(object, "name", question->name);
    for (size_t i = 0; i < question->member_count; i++) {
        DescribePutText(object, question->members[i].name, question->members[i].value);
    }
    DescribePutText(object, "path", question->path);
    return object;
}

OpprofStatus DescribeQuestions(const OpprofQuestionKind *kind, json_t *object, const char *key,
                               OpprofError **error)
{
    OpprofQuestions questions = { .count = 0 };
    const OpprofStatus status = OpprofQuestionsLoad(kind, &questions, error);
    json_t *array = json_array();

    for (size_t i = 0; status == OPPROF_OK && i < questions.count; i++) {
        json_array_append_new(array, head_of(&questions.list[i]));
    }
    DescribePut(object, key, array);
    OpprofQuestionsFree(&questions);
    return status;
}

/* ---- a rule ---- */

typedef struct Reading {
    const OpprofQuestion *question;
    json_t *tables;
} Reading;

static json_t *columns_of(const OpprofQuestion *question, const OpprofRecordType *type)
{
    json_t *array = json_array();

    for (uint32_t f = 0; f < type->field_count; f++) {
        const OpprofField *field = &type->fields[f];
        const char *name = OpprofResultsFieldName(field);

        if (OpprofQuestionNames(question, name)) {
            json_t *object = json_object();

            DescribePutText(object, "name", name);
            DescribePutText(object, "unit", field->unit);
            DescribePutText(object, "meaning", field->meaning);
            json_array_append_new(array, object);
        }
    }
    return array;
}

static void add_table(void *context, const OpprofRecordType *type)
{
    const Reading *reading = context;
    char *name = OpprofResultsTableName(type);

    if (name == NULL) {
        DescribeLackMemory();
    } else if (OpprofQuestionNames(reading->question, name)) {
        json_t *object = json_object();

        DescribePutText(object, "name", name);
        DescribePutText(object, "title", type->title);
        DescribePut(object, "columns", columns_of(reading->question, type));
        json_array_append_new(reading->tables, object);
    }
    free(name);
}

static OpprofStatus describe(OpprofPipeline *pipeline, const OpprofQuestion *question, FILE *out,
                             OpprofError **error)
{
    json_t *object = head_of(question);
    const Reading reading = { .question = question, .tables = json_array() };
    const OpprofStatus status =
        QuestionsVisitTables(pipeline, add_table, (void *) (uintptr_t) &reading, error);

    DescribePut(object, "reads", reading.tables);
    DescribePutText(object, "sql", question->sql);
    if (status != OPPROF_OK) {
        json_decref(object);
        return status;
    }
    return DescribePrint(json_pack("{s:o}", "rule", object), out, error);
}

OpprofStatus DescribeRule(OpprofPipeline *pipeline, const char *name, bool *ret_is_there, FILE *out,
                          OpprofError **error)
{
    OpprofQuestions rules = { .count = 0 };
    OpprofStatus status = OpprofQuestionsLoad(&opprof_rules, &rules, error);
    const OpprofQuestion *question = OpprofQuestionsFind(&rules, name);

    *ret_is_there = question != NULL;
    if (status == OPPROF_OK && question != NULL) {
        DescribeWatchMemory();
        status = describe(pipeline, question, out, error);
    }
    OpprofQuestionsFree(&rules);
    return status;
}
