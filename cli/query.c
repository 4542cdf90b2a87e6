/* SPDX-License-Identifier: Apache-2.0 */
/* --query: questions about a finished run. Tested by tests/cli/test_query.sh. */
#include "query.h"

#include "print/rows.h"

#include <opprof/grow.h>
#include <opprof/json.h>
#include <opprof/results.h>

#include <stdlib.h>
#include <string.h>

/* What a name stands for. */
typedef struct Query {
    OpprofQuestions queries; /* installed ones and the user's; a file is the only one */
    OpprofQuestions rules;
    const OpprofQuestion *question;
    const OpprofResultsTable *table;
} Query;

static bool is_file(const char *name)
{
    const size_t length = strlen(name);

    return strchr(name, '/') != NULL || (length > 4 && strcmp(name + length - 4, ".sql") == 0);
}

/* A file may be a rule or a query: the head of a rule may have all that a query's has. */
static OpprofStatus read_file(Query *query, const char *path, OpprofError **error)
{
    const OpprofStatus status = OpprofQuestionsRead(&opprof_rules, path, &query->rules, error);

    query->question = status == OPPROF_OK ? &query->rules.list[0] : NULL;
    return status;
}

static bool use(Query *query, const OpprofQuestions *questions, const char *name)
{
    query->question = OpprofQuestionsFind(questions, name);
    return query->question != NULL;
}

static bool use_table(Query *query, OpprofResults *results, const char *name)
{
    const OpprofResultsInfo *info = OpprofResultsAbout(results);

    for (uint32_t i = 0; i < info->table_count && query->table == NULL; i++) {
        query->table = strcasecmp(info->tables[i].name, name) == 0 ? &info->tables[i] : NULL;
    }
    return query->table != NULL;
}

/* ---- names of nothing ---- */

typedef struct Names {
    const char **list;
    size_t count;
    size_t capacity;
} Names;

/* A name that is left out for lack of memory is only not suggested. */
static void add_name(Names *names, const char *name)
{
    if (OpprofGrow(&names->list, &names->capacity, names->count + 1, sizeof *names->list)) {
        names->list[names->count++] = name;
    }
}

static OpprofStatus refuse(const Query *query, const OpprofResults *results, const char *name,
                           OpprofError **error)
{
    const OpprofQuestions *const lists[] = { &query->queries, &query->rules };
    const OpprofResultsInfo *info = OpprofResultsAbout(results);
    Names names = { .count = 0 };
    const char *nearest;

    for (size_t l = 0; l < OPPROF_COUNT(lists); l++) {
        for (size_t i = 0; i < lists[l]->count; i++) {
            add_name(&names, lists[l]->list[i].name);
        }
    }
    for (uint32_t i = 0; i < info->table_count; i++) {
        add_name(&names, info->tables[i].name);
    }
    nearest = OpprofNearestName(name, names.list, names.count);
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "No query, table or rule is called '%s'", name);
    if (nearest != NULL) {
        OpprofErrorHint(error, "Did you mean '%s'?", nearest);
    } else {
        OpprofErrorHint(error, "opprof-run --list has queries and rules, and "
                               "opprof-run --query tables RESULTS the tables");
    }
    free((void *) names.list);
    return OPPROF_E_ARGUMENT;
}

/* Queries first, then tables, then rules. */
static OpprofStatus find(Query *query, OpprofResults *results, const char *name,
                         OpprofError **error)
{
    OpprofStatus status;

    if (is_file(name)) {
        return read_file(query, name, error);
    }
    status = OpprofQuestionsLoad(&opprof_queries, &query->queries, error);
    if (status != OPPROF_OK || use(query, &query->queries, name) ||
        use_table(query, results, name)) {
        return status;
    }
    status = OpprofQuestionsLoad(&opprof_rules, &query->rules, error);
    return status != OPPROF_OK || use(query, &query->rules, name)
               ? status
               : refuse(query, results, name, error);
}

/* ---- the answer ---- */

/* NAME=VALUE becomes two texts: the copies are freed with the list. */
static void free_parameters(OpprofResultsParameter *parameters, size_t count)
{
    for (size_t i = 0; parameters != NULL && i < count; i++) {
        free((char *) (uintptr_t) parameters[i].name);
    }
    free(parameters);
}

static OpprofResultsParameter *make_parameters(const OptionsTexts *values)
{
    OpprofResultsParameter *parameters = calloc(values->count + 1, sizeof *parameters);

    for (size_t i = 0; parameters != NULL && i < values->count; i++) {
        char *name = strdup(values->texts[i]);

        if (name == NULL) {
            free_parameters(parameters, i);
            return NULL;
        }
        name[strcspn(name, "=")] = '\0';
        parameters[i] =
            (OpprofResultsParameter){ .name = name, .value = strchr(values->texts[i], '=') + 1 };
    }
    return parameters;
}

/* How many rows there are on all pages: only JSON has it, and one page does not show it. */
static OpprofStatus count(OpprofResults *results, OpprofResultsQuestion question,
                          int64_t *ret_count, OpprofError **error)
{
    OpprofResultsConditions conditions = *question.conditions;
    OpprofResultsRows *rows = NULL;
    OpprofStatus status;

    conditions.counts = true;
    question.conditions = &conditions;
    status = OpprofResultsAsk(results, &question, &rows, error);
    if (status == OPPROF_OK) {
        status = OpprofResultsNext(rows, error);
    }
    if (status == OPPROF_OK) {
        OpprofResultsWhole(rows, 0, ret_count);
    }
    OpprofResultsRowsFree(rows);
    return status;
}

static OpprofStatus print(const Query *query, OpprofResultsRows *rows, const Options *options,
                          int64_t size, FILE *out, OpprofError **error)
{
    const RowsAnswer answer = {
        .name = query->table != NULL ? query->table->name : options->query,
        .title = query->table != NULL ? query->table->type->title
                                      : OpprofQuestionHead(query->question, "title"),
        .type = query->table != NULL ? query->table->type : NULL,
        .size = size,
        .limit = options->limit,
        .page = options->page,
    };

    return options->json ? RowsPrintJson(&answer, rows, out, error)
           : options->format != NULL && strcmp(options->format, "csv") == 0
               ? RowsPrintCsv(rows, out, error)
               : RowsPrintText(rows, out, error);
}

static OpprofStatus ask(const Query *query, OpprofResults *results, const Options *options,
                        FILE *out, OpprofError **error)
{
    OpprofResultsParameter *parameters = make_parameters(&options->values);
    const OpprofResultsConditions conditions = { .rules = options->where.texts,
                                                 .rule_count = options->where.count,
                                                 .sorts = options->sorts.texts,
                                                 .sort_count = options->sorts.count,
                                                 .columns = options->columns,
                                                 .limit = options->limit,
                                                 .page = options->page };
    const OpprofResultsQuestion question = { .sql =
                                                 query->table != NULL ? NULL : query->question->sql,
                                             .parameters = parameters,
                                             .parameter_count = options->values.count,
                                             .table = query->table,
                                             .conditions = &conditions };
    OpprofResultsRows *rows = NULL;
    int64_t size = -1;
    OpprofStatus status =
        parameters == NULL ? OpprofErrorNoMemory(error, "query '%s'", options->query) : OPPROF_OK;

    if (status == OPPROF_OK && query->table == NULL) {
        status = OpprofResultsMakeOptional(results, query->question, error);
    }
    if (status == OPPROF_OK && options->json && options->limit > 0) {
        status = count(results, question, &size, error);
    }
    if (status == OPPROF_OK) {
        status = OpprofResultsAsk(results, &question, &rows, error);
    }
    if (status == OPPROF_OK) {
        status = print(query, rows, options, size, out, error);
    }
    OpprofResultsRowsFree(rows);
    free_parameters(parameters, options->values.count);
    if (status == OPPROF_OK || status == OPPROF_E_MEMORY) {
        return status;
    }
    OpprofErrorWrap(error, "Cannot answer '%s' from '%s'", options->query, options->asked);
    return status;
}

OpprofStatus QueryPrint(const Options *options, FILE *out, OpprofError **error)
{
    Query query = { .table = NULL };
    OpprofResults *results = NULL;
    OpprofStatus status = OpprofResultsOpen(options->asked, NULL, &results, error);

    if (status == OPPROF_OK) {
        status = find(&query, results, options->query, error);
    }
    if (status == OPPROF_OK && query.table == NULL) { /* it may read any table */
        status = OpprofResultsCheck(results, NULL, error);
    }
    if (status == OPPROF_OK) {
        status = ask(&query, results, options, out, error);
    }
    OpprofResultsClose(results);
    OpprofQuestionsFree(&query.queries);
    OpprofQuestionsFree(&query.rules);
    return status;
}
