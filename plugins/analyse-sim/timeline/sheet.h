/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_SHEET_H
#define SIM_TIMELINE_SHEET_H

#include <opprof/stage.h>

/* A document being drawn: the batch of spans that is being filled. */
typedef struct Sheet {
    OpprofOpenBatch open; /* its partition is the document's name */
    char *room;           /* in the blob of the batch, as announced to SheetAdd */
} Sheet;

/* An empty document of a port; `document` is its interned name. */
void SheetInit(Sheet *sheet, OpprofStage *stage, uint32_t port, uint32_t document);

/*
 * A span for the caller to fill, without arguments, id and group so far; `blob_bytes` more bytes of
 * the blob are ready for SheetText and SheetArgs. NULL without memory or when the run was aborted:
 * *ret_status shows which.
 */
OpprofSpan *SheetAdd(Sheet *sheet, size_t blob_bytes, OpprofStatus *ret_status);

/* Copy a text into the blob; its bytes were announced to SheetAdd. */
OpprofText SheetText(Sheet *sheet, const char *text, size_t length);

/* Give the span its arguments; their bytes were announced to SheetAdd. */
void SheetArgs(Sheet *sheet, OpprofSpan *span, const OpprofArg *args, uint32_t arg_count);

/* Push what is filled; spans from now on have times of `clock`. */
OpprofStatus SheetSetClock(Sheet *sheet, uint32_t clock);

/* Push what is filled. */
OpprofStatus SheetPush(Sheet *sheet);
/* The same; nothing more comes for the document on this port. */
OpprofStatus SheetEnd(Sheet *sheet);

/* Drop what was not pushed. */
void SheetFinish(Sheet *sheet);

#endif
