/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_ROWS_H
#define ANALYSE_TRACE_COMMON_ROWS_H

#include <opprof/stage.h>

/* Rows of a table on their way to a port. */
typedef struct Rows {
    OpprofStage *stage;
    uint32_t port;
    uint32_t clock;      /* of the batches; 0: none */
    uint32_t partition;  /* of the batches; 0: none */
    uint64_t watermark;  /* of the last batch; UINT64_MAX: no more of the partition */
    OpprofStatus status; /* not OPPROF_OK: the first error; no more rows are taken */
} Rows;

/* Room for one more row, zeroed; fill it before adding another one to the
 * port. NULL: see status. */
void *RowsNext(Rows *rows);

/* Push the rest. Returns the first error. */
OpprofStatus RowsEnd(Rows *rows);

/* Interned id of a text; OPPROF_NA_STRING for NULL. */
uint32_t RowsText(const Rows *rows, const char *text);

/*
 * Interned short name (see ShortName) of an interned one, and the whole demangled one;
 * OPPROF_NA_STRING for an absent name, and for the latter if the name is not mangled.
 */
uint32_t RowsShortName(OpprofStage *stage, uint32_t name);
uint32_t RowsDemangledName(OpprofStage *stage, uint32_t name);

/* Fields of these two, for a row that names work. */
#define ROWS_SHORT_NAME(type, member, head)                                                        \
    OPPROF_FIELD(type, member, OPPROF_FIELD_STRING, .heading = (head),                             \
                 .flags = OPPROF_FIELD_ALONE,                                                      \
                 .meaning = "The name without namespaces, template arguments and parameters.")
#define ROWS_DEMANGLED_NAME(type, member, head)                                                    \
    OPPROF_FIELD(type, member, OPPROF_FIELD_STRING, .heading = (head),                             \
                 .flags = OPPROF_FIELD_ALONE, .meaning = "The whole name, demangled.",             \
                 .absent = "the name is not mangled")

/* Process and thread of a track as tables show them: device and stream. */
uint32_t RowsDevice(const Rows *rows, uint32_t track);
uint32_t RowsStream(const Rows *rows, uint32_t track);

/* Order of two tracks: by device, then by stream; "7" before "23". */
int RowsCompareTracks(const OpprofStage *stage, uint32_t a, uint32_t b);

/* Nanoseconds as microseconds. */
static inline double Microseconds(uint64_t ns)
{
    return (double) ns / 1000.0;
}

#endif
