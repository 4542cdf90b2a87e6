/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects the short tables and the advice that are shown when a run ends. Tested by
 * tests/print/test_summary.
 */
#include "report/summary.h"

#include "base/printed.h"
#include "run/stage_run.h"

#include <opprof/grow.h>
#include <opprof/present.h>
#include <opprof/print.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const summary_advice[] = { "severity", "topic",  "numbers",    "value",
                                       "unit",     "column", "file",       "gain",
                                       "rule",     "todo",   "gain_us",    "whole_us",
                                       "start_us", "track",  "from_table", NULL };

Summary *SummaryCreate(void)
{
    Summary *summary = calloc(1, sizeof *summary);

    if (summary != NULL) {
        pthread_mutex_init(&summary->lock, NULL);
    }
    return summary;
}

static void free_row(OpprofSummaryRow *row)
{
    free(row->folder);
    free(row->cells);
}

void SummaryFreeTables(OpprofSummaryTable *tables, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (uint32_t row = 0; row < tables[i].count; row++) {
            free_row(&tables[i].rows[row]);
        }
        free(tables[i].rows);
    }
    free(tables);
}

void SummaryDestroy(Summary *summary)
{
    if (summary == NULL) {
        return;
    }
    SummaryFreeTables(summary->tables, summary->count);
    free(summary->shown);
    pthread_mutex_destroy(&summary->lock);
    free(summary);
}

/* ---- cells ---- */

static bool is_shown(const OpprofField *field)
{
    return (field->flags & OPPROF_FIELD_HIDDEN) == 0;
}

/* Names come from outside, and the cells go to a terminal. */
static void put_text(FILE *out, const char *text, size_t length)
{
    while (length > 0) {
        bool plain;
        const size_t taken = OpprofTextNext(text, length, &plain);

        if (plain) {
            fwrite(text, 1, taken, out);
        } else {
            fputc('?', out);
        }
        text += taken;
        length -= taken;
    }
}

/* Doubles are for the eye here: six digits, where the field does not say how many. */
static void put_cell(FILE *out, const OpprofStage *stage, const OpprofBatch *batch,
                     const OpprofField *field, const char *record)
{
    char number[OPPROF_TEXT_NUMBER];
    size_t length;
    const char *text = OpprofFieldPrint(stage, batch, field, record, number, &length);

    if (text == NULL) {
        fputs("NA", out);
    } else if (field->kind == OPPROF_FIELD_F64 && field->decimals == 0) {
        fprintf(out, "%.6g", OpprofLoadF64(record + field->offset));
    } else {
        put_text(out, text, length);
    }
}

/*
 * "<device>/<kernel>/" at the head of the hint, with the record's values; absent ones are left out.
 */
static void put_folder(FILE *out, const OpprofStage *stage, const OpprofBatch *batch,
                       const char *record)
{
    const OpprofRecordType *type = batch->type;
    const char *hint = type->file_hint == NULL ? "" : type->file_hint;
    const char *before = "";

    for (const char *end; *hint == '<' && (end = strstr(hint, ">/")) != NULL; hint = end + 2) {
        const size_t length = (size_t) (end - hint - 1);

        const OpprofField *field = OpprofFieldFind(type, hint + 1, length);

        if (field != NULL && !OpprofFieldIsNa(field, record + field->offset)) {
            fputs(before, out);
            put_cell(out, stage, batch, field, record);
            before = "/";
        }
    }
}

static void put_cells(FILE *out, const OpprofStage *stage, const OpprofBatch *batch,
                      const char *record)
{
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        const OpprofField *field = &batch->type->fields[f];

        if (is_shown(field)) {
            put_cell(out, stage, batch, field, record);
            fputc('\0', out);
        }
    }
}

typedef void PutPart(FILE *out, const OpprofStage *stage, const OpprofBatch *batch,
                     const char *record);

/* NULL without memory. */
static char *make_part(PutPart *put, const OpprofStage *stage, const OpprofBatch *batch,
                       const char *record, size_t *ret_size)
{
    Printed part;

    if (PrintedOpen(&part) != NULL) {
        put(part.out, stage, batch, record);
    }
    PrintedTake(&part);
    *ret_size = part.size;
    return part.text;
}

static void put_interned(FILE *out, const OpprofStage *stage, uint32_t text)
{
    const char *value = text == OPPROF_NA_STRING ? "" : OpprofStageString(stage, text);

    put_text(out, value, strlen(value));
}

static void put_subject(FILE *out, const OpprofStage *stage, const OpprofBatch *batch,
                        const char *record)
{
    OpprofAdvice advice;

    (void) batch;
    memcpy(&advice, record, sizeof advice);
    put_interned(out, stage, advice.subject);
}

/* Absent values are empty. */
static void put_named(FILE *out, const OpprofStage *stage, const OpprofBatch *batch,
                      const char *record, const char *name)
{
    char number[OPPROF_TEXT_NUMBER];
    size_t length;
    const OpprofField *field = OpprofFieldFind(batch->type, name, strlen(name));
    const char *text = OpprofFieldPrint(stage, batch, field, record, number, &length);

    put_text(out, text, text == NULL ? 0 : length);
    fputc('\0', out);
}

/* The sentence first, as in every list, then what else is known about it. */
static void put_advice(FILE *out, const OpprofStage *stage, const OpprofBatch *batch,
                       const char *record)
{
    put_named(out, stage, batch, record, "sentence");
    for (size_t i = 0; summary_advice[i] != NULL; i++) {
        put_named(out, stage, batch, record, summary_advice[i]);
    }
}

/* Without cells if there is no memory. */
static OpprofSummaryRow make_row(const OpprofStage *stage, const OpprofBatch *batch,
                                 const char *record)
{
    OpprofSummaryRow row = { .folder = NULL };
    size_t unused;

    const bool is_advice = batch->type == &opprof_advice_type;
    row.folder = make_part(is_advice ? put_subject : put_folder, stage, batch, record, &unused);
    row.cells = row.folder == NULL ? NULL
                                   : make_part(is_advice ? put_advice : put_cells, stage, batch,
                                               record, &row.size);
    if (row.cells == NULL) {
        free(row.folder);
        row.folder = NULL;
    }
    return row;
}

/* ---- tables ---- */

/* The lock is held. NULL without memory. */
static OpprofSummaryTable *find_table(Summary *summary, const OpprofRecordType *type)
{
    for (uint32_t i = 0; i < summary->count; i++) {
        if (OpprofRecordTypeIsSame(summary->tables[i].type, type)) {
            return &summary->tables[i];
        }
    }
    if (!OpprofGrow32(&summary->tables, &summary->capacity, summary->count + 1,
                      sizeof *summary->tables)) {
        return NULL;
    }
    summary->tables[summary->count] = (OpprofSummaryTable){ .type = type };
    return &summary->tables[summary->count++];
}

/* Takes the row. The lock is held. */
static void add_row(OpprofSummaryTable *table, OpprofSummaryRow row)
{
    if (row.cells == NULL || table->count >= SUMMARY_ROWS_MAX ||
        !OpprofGrow32(&table->rows, &table->capacity, table->count + 1, sizeof *table->rows)) {
        free_row(&row);
        table->left_out++;
        return;
    }
    table->rows[table->count++] = row;
}

void SummaryAdd(Summary *summary, const OpprofStage *stage, const OpprofBatch *batch)
{
    OpprofSummaryTable *table;

    pthread_mutex_lock(&summary->lock);
    table = find_table(summary, batch->type);
    summary->is_lost = summary->is_lost || table == NULL;
    for (uint32_t i = 0; table != NULL && i < batch->count; i++) {
        add_row(table, make_row(stage, batch, OpprofBatchRecord(batch, i)));
    }
    pthread_mutex_unlock(&summary->lock);
}

static bool show(Summary *summary, const char *text, size_t length)
{
    bool has_room;

    pthread_mutex_lock(&summary->lock);
    has_room = OpprofGrow(&summary->shown, &summary->shown_capacity,
                          summary->shown_length + length + 1, 1);
    if (has_room) {
        memcpy(summary->shown + summary->shown_length, text, length);
        summary->shown_length += length;
        summary->shown[summary->shown_length] = '\0';
    }
    pthread_mutex_unlock(&summary->lock);
    return has_room;
}

OpprofStatus OpprofStageShow(OpprofStage *stage, const char *text, size_t length)
{
    OPPROF_REQUIRE("stage-text-given", text != NULL || length == 0,
                   "A text is NULL only if its length is 0");
    REQUIRE_STAGE(stage);
    return show(stage->node->run->summary, text, length) ? OPPROF_OK : OPPROF_E_MEMORY;
}

char *SummaryTakeShown(Summary *summary)
{
    char *shown;

    pthread_mutex_lock(&summary->lock);
    shown = summary->shown;
    summary->shown = NULL;
    summary->shown_length = 0;
    summary->shown_capacity = 0;
    pthread_mutex_unlock(&summary->lock);
    return shown;
}

bool SummaryTake(Summary *summary, OpprofSummaryTable **ret_tables, size_t *ret_count)
{
    bool is_whole;

    pthread_mutex_lock(&summary->lock);
    *ret_tables = summary->tables;
    *ret_count = summary->count;
    is_whole = !summary->is_lost;
    summary->tables = NULL;
    summary->count = 0;
    summary->capacity = 0;
    pthread_mutex_unlock(&summary->lock);
    return is_whole;
}
