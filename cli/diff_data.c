/* SPDX-License-Identifier: Apache-2.0 */
/* Reads two results for their comparison. Tested by tests/plugins/export/test_diff.sh. */
#include "diff_data.h"

#include "diff_file.h"
#include "diff_rows.h"
#include "diff_sides.h"
#include "diff_tables.h"

#include <math.h>
#include <stdlib.h>

/* All databases once for what tables there are, then once for the rows. */
static OpprofStatus visit(DiffData *data, bool for_rows, OpprofError **error)
{
    const uint32_t runs = data->sides[0].runs + data->sides[1].runs;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t run = 0; status == OPPROF_OK && run < runs; run++) {
        DiffSide *side = &data->sides[run >= data->sides[0].runs];
        const char *path =
            side->databases[run >= data->sides[0].runs ? run - data->sides[0].runs : run];
        DiffFile file;

        status = DiffFileOpen(&file, path, error);
        if (status == OPPROF_OK && !for_rows) {
            status = DiffTablesDescribe(data, &file, side, error);
        }
        if (status == OPPROF_OK && for_rows) {
            status = DiffAdviceRead(&data->advice, &file, run >= data->sides[0].runs, run, error);
        }
        for (uint32_t i = 0; for_rows && status == OPPROF_OK && i < data->table_count; i++) {
            status = DiffRowsLoad(&data->tables[i], &file, run, runs, error);
        }
        DiffFileClose(&file);
    }
    return status;
}

OpprofStatus DiffDataLoad(DiffData *data, const char *a, const char *b, OpprofError **error)
{
    OpprofStatus status;

    *data = (DiffData){ .sides = { { .path = a, .is_complete = true },
                                   { .path = b, .is_complete = true } } };
    status = DiffSideFind(&data->sides[0], error);
    if (status == OPPROF_OK) {
        status = DiffSideFind(&data->sides[1], error);
    }
    if (status == OPPROF_OK) {
        status = SqliteLibraryLoad(error);
    }
    if (status == OPPROF_OK) {
        status = visit(data, false, error);
    }
    for (uint32_t i = 0; i < data->table_count; i++) {
        DiffTableFindWeight(&data->tables[i]);
    }
    return status == OPPROF_OK ? visit(data, true, error) : status;
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
        free(table->keys[i].name);
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
    free(table->member.name);
    OpprofTextMapFinish(&table->index);
    OpprofTextMapFinish(&table->word_index);
    free(table->words);
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
    DiffAdviceFree(&data->advice);
    *data = (DiffData){ .table_count = 0 };
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

/* Without a key all texts are the key. */
uint32_t DiffTextsOf(const DiffTable *table)
{
    return table->by == NULL && table->has_key ? table->text_count : 0;
}
