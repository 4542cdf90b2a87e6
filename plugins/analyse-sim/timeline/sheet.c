/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fills batches of spans of a document. Tested by
 * tests/plugins/analyse-sim/timeline/test_sim_timeline.c.
 */
#include "sheet.h"

#include <string.h>

#define BLOB_FULL (256u << 10) /* bytes from which on a batch is pushed */

OpprofStatus SheetPush(Sheet *sheet)
{
    OpprofBatch *batch = sheet->batch;

    sheet->batch = NULL;
    return batch == NULL ? OPPROF_OK : OpprofStagePush(sheet->stage, sheet->port, batch);
}

OpprofStatus SheetSetClock(Sheet *sheet, uint32_t clock)
{
    OpprofStatus status = sheet->clock == clock ? OPPROF_OK : SheetPush(sheet);

    sheet->clock = clock;
    return status;
}

/* A batch with room for one more span. */
static OpprofStatus make_room(Sheet *sheet)
{
    OpprofStatus status = OPPROF_OK;

    if (sheet->batch != NULL &&
        (sheet->batch->count == sheet->batch->capacity || sheet->batch->blob_size >= BLOB_FULL)) {
        status = SheetPush(sheet);
    }
    if (status != OPPROF_OK || sheet->batch != NULL) {
        return status;
    }
    sheet->batch = OpprofStageNewBatch(sheet->stage, sheet->port);
    if (sheet->batch == NULL) {
        return OPPROF_E_MEMORY;
    }
    sheet->batch->partition = sheet->document;
    sheet->batch->clock = sheet->clock;
    return OPPROF_OK;
}

OpprofSpan *SheetAdd(Sheet *sheet, size_t blob_bytes, OpprofStatus *ret_status)
{
    OpprofSpan *span;

    *ret_status = make_room(sheet);
    if (*ret_status != OPPROF_OK) {
        return NULL;
    }
    sheet->room = OpprofBatchReserveText(sheet->batch, blob_bytes);
    if (sheet->room == NULL) {
        *ret_status = OPPROF_E_MEMORY;
        return NULL;
    }
    span = OpprofBatchAppend(sheet->batch);
    *span = (OpprofSpan){ .args = { OPPROF_NA_U32, 0 },
                          .id = { OPPROF_NA_U32, 0 },
                          .group = { OPPROF_NA_U32, 0 } };
    return span;
}

OpprofText SheetText(Sheet *sheet, const char *text, size_t length)
{
    memcpy(sheet->room, text, length);
    sheet->room += length;
    return OpprofBatchCommitText(sheet->batch, length);
}

void SheetArgs(Sheet *sheet, OpprofSpan *span, const OpprofArg *args, uint32_t arg_count)
{
    span->args = SheetText(sheet, (const char *) args, arg_count * sizeof *args);
    span->arg_count = arg_count;
}

void SheetFinish(Sheet *sheet)
{
    OpprofBatchUnref(sheet->batch);
    sheet->batch = NULL;
}
