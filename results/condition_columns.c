/* SPDX-License-Identifier: Apache-2.0 */
/* Columns that conditions name. Tested by tests/results/test_conditions. */
#include "condition_columns.h"

#include <opprof/json.h>
#include <opprof/print.h>

#include <stdlib.h>
#include <string.h>

Piece ConditionsTrim(const char *at, size_t length)
{
    while (length > 0 && strchr(CONDITIONS_BLANKS, *at) != NULL) {
        at++;
        length--;
    }
    while (length > 0 && strchr(CONDITIONS_BLANKS, at[length - 1]) != NULL) {
        length--;
    }
    return (Piece){ at, length };
}

static Cells cells_of(const OpprofField *field)
{
    switch (field->kind) {
    case OPPROF_FIELD_STRING:
    case OPPROF_FIELD_TEXT:
    case OPPROF_FIELD_TRACK:
        return CELLS_TEXTS;
    case OPPROF_FIELD_HEX:
        return CELLS_ADDRESSES;
    default:
        return CELLS_NUMBERS;
    }
}

bool ConditionsReadColumns(Making *making, const OpprofResultsTable *table, sqlite3_stmt *base)
{
    making->count = (size_t) sqlite.column_count(base);
    making->columns = calloc(making->count, sizeof *making->columns);
    for (size_t c = 0; making->columns != NULL && c < making->count; c++) {
        Column *column = &making->columns[c];

        column->name = sqlite.column_name(base, (int) c);
        if (column->name == NULL) {
            return false;
        }
        for (uint32_t f = 0; table != NULL && f < table->type->field_count; f++) {
            const OpprofField *field = &table->type->fields[f];

            if (strcasecmp(OpprofResultsFieldName(field), column->name) == 0) {
                column->heading = OpprofFieldHeading(field);
                column->cells = cells_of(field);
            }
        }
    }
    return making->columns != NULL;
}

/* Length of a name with which the text begins; 0: it does not. */
size_t ConditionsBeginning(const char *name, const Piece *text)
{
    const size_t length = name == NULL ? 0 : strlen(name);

    return length <= text->length && strncasecmp(text->at, name == NULL ? "" : name, length) == 0
               ? length
               : 0;
}

/* The column with the longest name that the text begins with; names go before headings. */
const Column *ConditionsFindColumn(const Making *making, const Piece *text, size_t *ret_length)
{
    const Column *found = NULL;

    *ret_length = 0;
    for (size_t i = 0; i < 2 * making->count; i++) {
        const Column *column = &making->columns[i % making->count];
        const size_t length =
            ConditionsBeginning(i < making->count ? column->name : column->heading, text);

        if (length > *ret_length) {
            *ret_length = length;
            found = column;
        }
    }
    return found;
}

OpprofStatus ConditionsRefuseColumn(const Making *making, const Piece *name)
{
    const char **names = calloc(2 * making->count, sizeof *names);
    char *word = strndup(name->at, name->length);
    const char *nearest;
    size_t count = 0;

    if (names == NULL || word == NULL) {
        free((void *) names);
        free(word);
        return OpprofErrorNoMemory(making->error, "look for a column");
    }
    for (size_t i = 0; i < making->count; i++) {
        names[count++] = making->columns[i].name;
        if (making->columns[i].heading != NULL) {
            names[count++] = making->columns[i].heading;
        }
    }
    nearest = OpprofNearestName(word, names, count);
    OpprofErrorSet(making->error, OPPROF_E_NOT_FOUND, "There is no column '%s'", word);
    if (nearest != NULL) {
        OpprofErrorHint(making->error, "Did you mean '%s'?", nearest);
    } else {
        OpprofErrorHint(making->error, "Its columns are in opprof_columns; the first one is '%s'",
                        making->columns[0].name);
    }
    free((void *) names);
    free(word);
    return OPPROF_E_NOT_FOUND;
}
