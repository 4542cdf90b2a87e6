/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compared parts of two results: sides, tables, rows and advice. Tested by
 * tests/compare/test_diff.sh.
 */
#include "model.h"

#include <opprof/record.h>
#include <opprof/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

OpprofStatus DiffNoMemory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "compare results");
}

char *DiffTame(const char *text)
{
    char *copy = strdup(text == NULL ? "" : text);

    if (copy != NULL) {
        OpprofTextTame(copy, false);
    }
    return copy;
}

/* ---- freeing ---- */

void DiffRowFree(DiffRow *row)
{
    free(row->key);
    free(row->values);
    free(row->is_in);
    free(row->texts);
    free(row->unknown);
}

static void free_key(DiffKey *key)
{
    for (int side = 0; side < 2; side++) {
        free(key->labels[side].list);
        OpprofTextMapFinish(&key->labels[side].index);
    }
    OpprofTextMapFinish(&key->renames);
    free(key->name);
}

static void free_table(DiffTable *table)
{
    for (uint32_t i = 0; i < table->row_count; i++) {
        DiffRowFree(&table->rows[i]);
    }
    for (uint32_t i = 0; i < table->column_count; i++) {
        free(table->columns[i].name);
        free(table->columns[i].heading);
        free(table->columns[i].unit);
    }
    for (uint32_t i = 0; i < table->key_count; i++) {
        free_key(&table->keys[i]);
    }
    for (uint32_t i = 0; i < table->text_count; i++) {
        free(table->texts[i].name);
        free(table->texts[i].heading);
    }
    free(table->rows);
    free(table->texts);
    free(table->columns);
    free(table->keys);
    free(table->name);
    free(table->title);
    free(table->by);
    free(table->place.name);
    free(table->stall.name);
    free(table->lane.name);
    free(table->label.name);
    OpprofTextMapFinish(&table->index);
    OpprofTextMapFinish(&table->word_index);
    free(table->words);
}

static void free_advice(DiffAdviceList *advice)
{
    for (uint32_t i = 0; i < advice->count; i++) {
        free(advice->list[i].topic);
        free(advice->list[i].subject);
        free(advice->list[i].sentence);
    }
    free(advice->list);
    OpprofTextMapFinish(&advice->index);
}

void DiffDataFree(DiffData *data)
{
    for (uint32_t i = 0; i < data->table_count; i++) {
        free_table(&data->tables[i]);
    }
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < data->sides[side].runs; i++) {
            free(data->sides[side].databases[i]);
        }
        free(data->sides[side].databases);
        free(data->sides[side].missing);
    }
    free(data->tables);
    free_advice(&data->advice);
    *data = (DiffData){ .table_count = 0 };
}

/* ---- values ---- */

bool DiffIsAmount(const DiffColumn *column)
{
    return column->is_time && (column->flags & OPPROF_FIELD_ALONE) == 0;
}

bool DiffHasTotal(const DiffColumn *column)
{
    return (column->combine == OPPROF_COMBINE_SUM || column->combine == OPPROF_COMBINE_LONGEST) &&
           (column->flags & OPPROF_FIELD_ALONE) == 0;
}

uint32_t DiffValues(const DiffData *data, const DiffTable *table, const DiffRow *row,
                    uint32_t column, int side, double *out)
{
    const uint32_t first = side == 0 ? 0 : data->sides[0].runs;
    uint32_t count = 0;

    for (uint32_t run = first; run < first + data->sides[side].runs; run++) {
        const double value = row->values[(size_t) run * table->column_count + column];

        if (!isnan(value)) {
            out[count++] = value;
        }
    }
    return count;
}

const char *DiffTextOf(const DiffData *data, const DiffTable *table, const DiffRow *row,
                       uint32_t text, int side)
{
    const uint32_t first = side == 0 ? 0 : data->sides[0].runs;
    const uint32_t count = DiffTextsOf(table);
    const char *found = NULL;

    for (uint32_t run = first; run < first + data->sides[side].runs; run++) {
        const char *other = row->texts[(size_t) run * count + text];

        if (row->is_in[run] && (other == NULL || (found != NULL && other != found))) {
            return NULL;
        }
        found = row->is_in[run] ? other : found;
    }
    return found;
}

uint32_t DiffTextsOf(const DiffTable *table)
{
    return table->by == NULL && table->has_key ? table->text_count : 0;
}
