/* SPDX-License-Identifier: Apache-2.0 */
/* --query: questions about a finished run. Tested by tests/cli/test_query.sh. */
#include "query.h"

#include "print/rows.h"

#include <opprof/grow.h>
#include <opprof/json.h>
#include <opprof/results.h>

#include <stdlib.h>
#include <string.h>

/* The SQL that a name stands for. */
typedef struct Query {
    OpprofQuestions queries; /* installed ones and the user's; a file is the only one */
    OpprofQuestions rules;
    const char *sql;
    char *made; /* of a table */
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

    query->sql = status == OPPROF_OK ? query->rules.list[0].sql : NULL;
    return status;
}

static bool use(Query *query, const OpprofQuestions *questions, const char *name)
{
    const OpprofQuestion *found = OpprofQuestionsFind(questions, name);

    query->sql = found == NULL ? query->sql : found->sql;
    return found != NULL;
}

/* All rows of a table; NULL without memory. */
static char *select_all(const OpprofResultsTable *table)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        return NULL;
    }
    fprintf(out, "SELECT * FROM \"%s\"", table->name);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static OpprofStatus use_table(Query *query, OpprofResults *results, const char *name,
                              OpprofError **error)
{
    const OpprofResultsInfo *info = OpprofResultsAbout(results);

    for (uint32_t i = 0; i < info->table_count; i++) {
        const OpprofResultsTable *table = &info->tables[i];

        if (strcasecmp(table->name, name) == 0 && strchr(table->name, '"') == NULL) {
            query->made = select_all(table);
            query->sql = query->made;
            return query->made == NULL ? OpprofErrorNoMemory(error, "query '%s'", name) : OPPROF_OK;
        }
    }
    return OPPROF_END;
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
    if (status != OPPROF_OK || use(query, &query->queries, name)) {
        return status;
    }
    status = use_table(query, results, name, error);
    if (status != OPPROF_END) {
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

static OpprofStatus ask(const Query *query, OpprofResults *results, const Options *options,
                        FILE *out, OpprofError **error)
{
    OpprofResultsParameter *parameters = make_parameters(&options->values);
    const OpprofResultsQuestion question = { .sql = query->sql,
                                             .parameters = parameters,
                                             .parameter_count = options->values.count };
    OpprofResultsRows *rows = NULL;
    OpprofStatus status = parameters == NULL
                              ? OpprofErrorNoMemory(error, "query '%s'", options->query)
                              : OpprofResultsAsk(results, &question, &rows, error);

    if (status == OPPROF_OK) {
        status = options->json ? RowsPrintJson(rows, out, error)
                 : options->format != NULL && strcmp(options->format, "csv") == 0
                     ? RowsPrintCsv(rows, out, error)
                     : RowsPrintText(rows, out, error);
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
    const OpprofResultsOptions checked = { .is_checked = true };
    Query query = { .sql = NULL };
    OpprofResults *results = NULL;
    OpprofStatus status = OpprofResultsOpen(options->asked, &checked, &results, error);

    if (status == OPPROF_OK) {
        status = find(&query, results, options->query, error);
    }
    if (status == OPPROF_OK) {
        status = ask(&query, results, options, out, error);
    }
    OpprofResultsClose(results);
    OpprofQuestionsFree(&query.queries);
    OpprofQuestionsFree(&query.rules);
    free(query.made);
    return status;
}
