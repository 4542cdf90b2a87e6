/* SPDX-License-Identifier: Apache-2.0 */
/*
 * advice.csv: the advice of many stages in one order. Tested by tests/plugins/parse-pmu/advice.py
 * and tests/plugins/analyse-trace/test_traces.c.
 */
#include "advice_rows.h"

#include "table_file.h"

#include <opprof/grow.h>
#include <opprof/present.h>
#include <opprof/print.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define PATH "advice.csv"

/* Places of its fields in the advice record. */
enum {
    CELL_SEVERITY,
    CELL_TOPIC,
    CELL_SUBJECT,
    CELL_SENTENCE,
    CELL_NUMBERS,
    CELL_GAIN = 9,
    CELL_RULE,
    CELL_GAIN_US = 12,
};

static void free_row(AdviceRow *row)
{
    for (uint32_t i = 0; i < ADVICE_CELLS; i++) {
        free(row->cells[i]);
    }
}

/* False without memory. */
static bool copy_cell(char **cell, const OpprofStage *stage, const OpprofBatch *batch,
                      const OpprofField *field, const char *record)
{
    char number[OPPROF_TEXT_NUMBER];
    size_t length;
    const char *text = OpprofFieldPrint(stage, batch, field, record, number, &length);

    *cell = text == NULL ? NULL : strndup(text, length);
    return text == NULL || *cell != NULL;
}

static bool take_one(AdviceRows *self, const OpprofStage *stage, const OpprofBatch *batch,
                     const char *record)
{
    AdviceRow row = { .cells = { NULL } };
    bool is_good = true;

    if (self->count == ADVICE_ROWS_MAX) {
        self->left_out++;
        return true;
    }
    for (uint32_t f = 0; is_good && f < batch->type->field_count && f < ADVICE_CELLS; f++) {
        is_good = copy_cell(&row.cells[f], stage, batch, &batch->type->fields[f], record);
    }
    if (!is_good ||
        !OpprofGrow32(&self->rows, &self->capacity, (size_t) self->count + 1, sizeof *self->rows)) {
        free_row(&row);
        return false;
    }
    self->rows[self->count++] = row;
    return true;
}

bool AdviceRowsTake(AdviceRows *self, const OpprofStage *stage, const OpprofBatch *batch)
{
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < batch->count; i++) {
        is_good = take_one(self, stage, batch, OpprofBatchRecord(batch, i));
    }
    return is_good;
}

/* "problem", "note", "hint": by severity. */
static int weight_of(const AdviceRow *row)
{
    const char *severity = row->cells[CELL_SEVERITY];

    return severity == NULL ? 0 : severity[0] == 'p' ? 3 : severity[0] == 'h' ? 2 : 1;
}

static int compare_cells(const char *a, const char *b)
{
    return strverscmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

/* Absent: 0. */
static double number_of(const AdviceRow *row, uint32_t cell)
{
    return row->cells[cell] == NULL ? 0 : strtod(row->cells[cell], NULL);
}

static int more_first(double a, double b)
{
    return a > b ? -1 : a < b;
}

static int by_gain(const void *a, const void *b)
{
    static const uint32_t order[] = { CELL_RULE, CELL_SUBJECT, CELL_TOPIC, CELL_SENTENCE,
                                      CELL_NUMBERS };
    const AdviceRow *x = a;
    const AdviceRow *y = b;
    int by_number = more_first(number_of(x, CELL_GAIN), number_of(y, CELL_GAIN));

    if (by_number == 0) {
        by_number = more_first(number_of(x, CELL_GAIN_US), number_of(y, CELL_GAIN_US));
    }
    if (by_number == 0) {
        by_number = more_first(weight_of(x), weight_of(y));
    }
    if (by_number != 0) {
        return by_number;
    }
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const int by_cell = compare_cells(x->cells[order[i]], y->cells[order[i]]);
        if (by_cell != 0) {
            return by_cell;
        }
    }
    return 0;
}

static OpprofStatus write_rows(AdviceRows *self, OpprofOutputFile *file, OpprofError **error)
{
    OpprofStatus status = TableFileHead(file, &opprof_advice_type, error);

    for (uint32_t i = 0; status == OPPROF_OK && i < self->count; i++) {
        status =
            TableFileTexts(file, (const char *const *) self->rows[i].cells, ADVICE_CELLS, error);
    }
    return status;
}

OpprofStatus AdviceRowsWrite(AdviceRows *self, OpprofStage *stage, OpprofError **error)
{
    OpprofOutputFile *file = NULL;

    if (self->count == 0) {
        return OPPROF_OK;
    }
    qsort(self->rows, self->count, sizeof *self->rows, by_gain);
    OpprofStatus status = OpprofOutputFileCreate(OpprofStageOutput(stage), PATH, &file, error);
    if (status != OPPROF_OK) {
        return status;
    }
    status = write_rows(self, file, error);
    if (status != OPPROF_OK) {
        OpprofOutputFileDiscard(file);
        return status;
    }
    if (self->left_out > 0) {
        OpprofStageIncomplete(stage, "%llu %s not in '" PATH "': the limit is %u",
                              (unsigned long long) self->left_out,
                              OPPROF_PLURAL(self->left_out, "sentence is", "sentences are"),
                              ADVICE_ROWS_MAX);
    }
    return OpprofOutputFileFinish(file, error);
}

void AdviceRowsFinish(AdviceRows *self)
{
    for (uint32_t i = 0; i < self->count; i++) {
        free_row(&self->rows[i]);
    }
    free(self->rows);
    *self = (AdviceRows){ .count = 0 };
}
