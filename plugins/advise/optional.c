/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables that rules can do without: "optional: cores(core, busy_us), launches(name)".
 * Tested by tests/plugins/advise/test_advise.
 */
#include "optional.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COLUMNS_MAX 16u
#define BETWEEN ", \t"

struct OptionalTable {
    OptionalTable *next;
    const OpprofQuestion *rule; /* that can do without it */
    char *text;                 /* that the names below lie in */
    OpprofRecordType type;
    OpprofField fields[COLUMNS_MAX];
};

/* "name(column, column"; NULL in type.name: it has not this form. NULL without memory. */
static OptionalTable *read_table(const char *text)
{
    OptionalTable *table = calloc(1, sizeof *table);
    char *rest = table == NULL ? NULL : strdup(text + strspn(text, BETWEEN));
    const char *name;
    const char *column;

    if (rest == NULL) {
        free(table);
        return NULL;
    }
    table->text = rest;
    name = strsep(&rest, "(");
    table->type = (OpprofRecordType){ .struct_size = sizeof table->type,
                                      .version = 1,
                                      .size = sizeof(double),
                                      .flags = OPPROF_RECORD_TABLE,
                                      .fields = table->fields };
    while ((column = strsep(&rest, BETWEEN)) != NULL && table->type.field_count < COLUMNS_MAX) {
        if (*column != '\0') {
            table->fields[table->type.field_count++] =
                (OpprofField){ .name = column, .kind = OPPROF_FIELD_F64 };
        }
    }
    table->type.name = column == NULL && table->type.field_count > 0 ? name : NULL;
    return table;
}

static OpprofStatus add_table(const Rule *rule, const char *text, OptionalTable **list,
                              OpprofError **error)
{
    OptionalTable *table = read_table(text);

    if (table == NULL) {
        return OpprofErrorNoMemory(error, "read optional tables");
    }
    table->rule = rule->question;
    table->next = *list;
    *list = table;
    return table->type.name != NULL
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_DATA,
                                "The rule '%s' has the optional table '%s', which is not a name "
                                "with at most %u columns in brackets",
                                rule->question->path, text + strspn(text, BETWEEN), COLUMNS_MAX);
}

static OpprofStatus read_head(const Rule *rule, OptionalTable **list, OpprofError **error)
{
    const char *head = OpprofQuestionHead(rule->question, "optional");
    char *copy = strdup(head == NULL ? "" : head);
    char *rest = copy;
    OpprofStatus status =
        copy == NULL ? OpprofErrorNoMemory(error, "read optional tables") : OPPROF_OK;
    const char *text;

    while (status == OPPROF_OK && (text = strsep(&rest, ")")) != NULL) {
        if (text[strspn(text, BETWEEN)] != '\0') {
            status = add_table(rule, text, list, error);
        }
    }
    free(copy);
    return status;
}

OpprofStatus OptionalRead(const Rules *rules, OptionalTable **ret_list, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    *ret_list = NULL;
    for (uint32_t i = 0; status == OPPROF_OK && i < rules->count; i++) {
        status = read_head(&rules->list[i], ret_list, error);
    }
    return status;
}

/* Whether it is among the first `count` tables. */
static bool has_table(const OpprofResults *tables, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcasecmp(OpprofResultsAbout(tables)->tables[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the rule has one of the first `count` tables: optional ones alone say nothing. */
static bool has_other_table(const OpprofQuestion *rule, const OpprofResults *tables, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (OpprofQuestionNames(rule, OpprofResultsAbout(tables)->tables[i].name)) {
            return true;
        }
    }
    return false;
}

/* Several rules may name columns of one table, which then has all of them. */
OpprofStatus OptionalMake(const OptionalTable *list, OpprofResults *tables, OpprofError **error)
{
    const uint32_t count = OpprofResultsAbout(tables)->table_count;
    OpprofStatus status = OPPROF_OK;

    for (; status == OPPROF_OK && list != NULL; list = list->next) {
        const OpprofBatch batch = { .type = &list->type };

        if (!has_table(tables, count, list->type.name) &&
            has_other_table(list->rule, tables, count)) {
            status = OpprofResultsKeepBatch(tables, &batch, error);
        }
    }
    return status;
}

void OptionalFree(OptionalTable *list)
{
    while (list != NULL) {
        OptionalTable *next = list->next;

        free(list->text);
        free(list);
        list = next;
    }
}
