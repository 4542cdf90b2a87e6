/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TABLES_TABLE_KINDS_H
#define COLLECT_KINETO_TABLES_TABLE_KINDS_H

/* The tables of an Ascend profiler's directory: their files, and what their columns are. */

#include <opprof/record.h>
#include <stdbool.h>

/* How the text of a cell is read. */
typedef enum CellKind {
    CELL_TEXT,    /* into the blob */
    CELL_WORD,    /* interned: of a small set */
    CELL_SHAPES,  /* text with a pair of quotes that is a part of it */
    CELL_INTEGER, /* a whole number */
    CELL_NUMBER,
    CELL_TIME, /* us since 1970, into ns */
    CELL_RANK  /* the name of the rank: no cell of the file */
} CellKind;

typedef struct TableColumn {
    const char *headings; /* in the file, with '|' between those of different versions */
    const char *name;
    const char *heading; /* in the results; NULL: the name */
    const char *unit;
    const char *meaning;
    uint32_t kind; /* CellKind */
    uint32_t flags;
    uint32_t combine;
    bool is_needed; /* without it the file is another one */
} TableColumn;

typedef enum TableForm {
    TABLE_CSV,
    TABLE_OPERATORS, /* communication.json, a row for each operator */
    TABLE_LINKS,     /* the same, one for each of its transports */
    TABLE_PACKETS    /* the same, one for each size of their packets */
} TableForm;

typedef struct TableKind {
    const char *file; /* pattern of its name */
    const char *type; /* of the records */
    const char *title;
    const char *summary;
    const char *hint; /* name of the results' file */
    const TableColumn *columns;
    uint32_t column_count;
    uint32_t form; /* TableForm */
} TableKind;

#define TABLE_KINDS 10u
extern const TableKind table_kinds[TABLE_KINDS];
/* The one that becomes curves instead. */
extern const TableKind memory_record_kind;

#endif
