/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_SHEET_H
#define MC2_SHEET_H

#include <opprof/stage.h>

#define SHEET_MAX_ARGS 16u

/* A document that spans are drawn in: the batch that is being filled. */
typedef struct Sheet {
    OpprofOpenBatch open; /* its partition is the document's name */
    const char *name;     /* the same; borrowed, as long as the sheet */
    OpprofSpan *span;     /* of the open batch; NULL: none was begun */
    OpprofArg args[SHEET_MAX_ARGS];
    uint32_t arg_count;
    OpprofStatus status; /* not OPPROF_OK: the first error; nothing more is drawn */
} Sheet;

/* An empty document of a port. */
void SheetInit(Sheet *sheet, OpprofStage *stage, uint32_t port, const char *name);

/* Begin a span; give it arguments, then SheetEnd. */
void SheetBegin(Sheet *sheet, const OpprofSpan *span);

/* Arguments come in alphabetical order of their keys. */
void SheetText(Sheet *sheet, const char *key, const char *text);
void SheetNumber(Sheet *sheet, const char *key, uint64_t value, OpprofArgKind kind);

void SheetEnd(Sheet *sheet);

/* Spans from now on have times of another clock. */
void SheetSetClock(Sheet *sheet, uint32_t clock);

/* Push what is filled; `is_last` says that nothing more follows. Returns the first error. */
OpprofStatus SheetPush(Sheet *sheet, bool is_last);

/* Drop what was not pushed. */
void SheetFinish(Sheet *sheet);

#endif
