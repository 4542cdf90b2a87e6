/* SPDX-License-Identifier: Apache-2.0 */
/* Puts spans and their arguments into batches, one document per sheet. Tested by
 * tests/plugins/mc2/test_vectors.sh. */
#include "sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOB_FULL (256u << 10) /* a larger batch is pushed */

void SheetInit(Sheet *sheet, OpprofStage *stage, uint32_t port, const char *name)
{
    *sheet = (Sheet){ .name = name,
                      .open = { .stage = stage,
                                .port = port,
                                .partition = OpprofStageIntern(stage, name, strlen(name)),
                                .most_text = BLOB_FULL } };
}

static void push(Sheet *sheet)
{
    if (sheet->status == OPPROF_OK) {
        sheet->status = OpprofOpenBatchPush(&sheet->open);
    } else {
        SheetFinish(sheet);
    }
}

void SheetBegin(Sheet *sheet, const OpprofSpan *span)
{
    sheet->span = NULL;
    sheet->arg_count = 0;
    if (sheet->status == OPPROF_OK) {
        sheet->status = OpprofOpenBatchRoom(&sheet->open);
    }
    if (sheet->status == OPPROF_OK) {
        sheet->span = OpprofBatchAppend(sheet->open.batch);
        *sheet->span = *span;
        sheet->span->args = (OpprofText){ OPPROF_NA_U32, 0 };
        sheet->span->id = (OpprofText){ OPPROF_NA_U32, 0 };
        sheet->span->group = (OpprofText){ OPPROF_NA_U32, 0 };
    }
}

static OpprofArg *add_arg(Sheet *sheet, const char *key, OpprofArgKind kind)
{
    if (sheet->span == NULL || sheet->arg_count == SHEET_MAX_ARGS) {
        return NULL;
    }
    OpprofArg *arg = &sheet->args[sheet->arg_count++];
    arg->key = OpprofStageIntern(sheet->open.stage, key, strlen(key));
    arg->kind = kind;
    return arg;
}

void SheetText(Sheet *sheet, const char *key, const char *text)
{
    OpprofArg *arg = add_arg(sheet, key, OPPROF_ARG_TEXT);

    if (arg != NULL && OpprofBatchAppendText(sheet->open.batch, text, strlen(text),
                                             &arg->value.text) != OPPROF_OK) {
        sheet->status = OPPROF_E_MEMORY;
    }
}

void SheetNumber(Sheet *sheet, const char *key, uint64_t value, OpprofArgKind kind)
{
    OpprofArg *arg = add_arg(sheet, key, kind);

    if (arg != NULL) {
        arg->value.u64 = value;
    }
}

void SheetEnd(Sheet *sheet)
{
    if (sheet->span == NULL || sheet->arg_count == 0) {
        return;
    }
    OpprofText args;
    if (OpprofBatchAppendText(sheet->open.batch, (const char *) sheet->args,
                              sheet->arg_count * sizeof sheet->args[0], &args) != OPPROF_OK) {
        sheet->status = OPPROF_E_MEMORY;
        return;
    }
    sheet->span->args = args;
    sheet->span->arg_count = sheet->arg_count;
}

void SheetSetClock(Sheet *sheet, uint32_t clock)
{
    if (sheet->open.clock != clock) {
        push(sheet);
        sheet->open.clock = clock;
    }
}

OpprofStatus SheetPush(Sheet *sheet, bool is_last)
{
    sheet->open.watermark = is_last ? UINT64_MAX : 0;
    push(sheet);
    return sheet->status;
}

void SheetFinish(Sheet *sheet)
{
    OpprofOpenBatchDrop(&sheet->open);
}
