/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fills batches of spans of a document. Tested by
 * tests/plugins/analyse-sim/timeline/test_sim_timeline.c.
 */
#include "sheet.h"

#include <string.h>

#define BLOB_FULL (48u << 10) /* bytes from which on a batch is pushed */

void SheetInit(Sheet *sheet, OpprofStage *stage, uint32_t port, uint32_t document)
{
    *sheet = (Sheet){
        .open = { .stage = stage, .port = port, .partition = document, .most_text = BLOB_FULL }
    };
}

OpprofStatus SheetPush(Sheet *sheet)
{
    return OpprofOpenBatchPush(&sheet->open);
}

OpprofStatus SheetEnd(Sheet *sheet)
{
    sheet->open.watermark = UINT64_MAX;
    return SheetPush(sheet);
}

OpprofStatus SheetSetClock(Sheet *sheet, uint32_t clock)
{
    OpprofStatus status = sheet->open.clock == clock ? OPPROF_OK : SheetPush(sheet);

    sheet->open.clock = clock;
    return status;
}

OpprofSpan *SheetAdd(Sheet *sheet, size_t blob_bytes, OpprofStatus *ret_status)
{
    OpprofSpan *span;

    *ret_status = OpprofOpenBatchRoom(&sheet->open);
    if (*ret_status != OPPROF_OK) {
        return NULL;
    }
    sheet->room = OpprofBatchReserveText(sheet->open.batch, blob_bytes);
    if (sheet->room == NULL) {
        *ret_status = OPPROF_E_MEMORY;
        return NULL;
    }
    span = OpprofBatchAppend(sheet->open.batch);
    *span = (OpprofSpan){ .args = { OPPROF_NA_U32, 0 },
                          .id = { OPPROF_NA_U32, 0 },
                          .group = { OPPROF_NA_U32, 0 } };
    return span;
}

OpprofText SheetText(Sheet *sheet, const char *text, size_t length)
{
    memcpy(sheet->room, text, length);
    sheet->room += length;
    return OpprofBatchCommitText(sheet->open.batch, length);
}

void SheetArgs(Sheet *sheet, OpprofSpan *span, const OpprofArg *args, uint32_t arg_count)
{
    span->args = SheetText(sheet, (const char *) args, arg_count * sizeof *args);
    span->arg_count = arg_count;
}

void SheetFinish(Sheet *sheet)
{
    OpprofOpenBatchDrop(&sheet->open);
}
