/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_MODEL_H
#define COMPARE_MODEL_H

#include <opprof/error.h>
#include <opprof/map.h>
#include <stdbool.h>
#include <stdint.h>

#define DIFF_RUNS_MAX 100u /* of a side */

/* A column of numbers. */
typedef struct DiffColumn {
    char *name;
    char *heading;
    char *unit; /* "" where it has none */
    uint32_t flags;
    bool is_time;
    bool is_here; /* in the run whose rows are read */
} DiffColumn;

/* A column that rows are matched by. */
typedef struct DiffKey {
    char *name;
    bool is_hex;    /* an address: read as 0x10f8, whatever the database keeps */
    bool is_here;   /* in the run whose rows are read */
    bool is_member; /* see OPPROF_FIELD_MEMBER */
} DiffKey;

/* A column of texts that rows are not matched by. */
typedef struct DiffText {
    char *name;
    char *heading;
    bool is_here; /* in the run whose rows are read */
} DiffText;

/* A row of a table in all runs. */
typedef struct DiffRow {
    char *key;      /* what it is called: its key columns with two blanks between */
    double *values; /* a line per run, a value per column; NaN: absent */
    bool *is_in;    /* per run: does it have the row? */
    /* A line per run, a text per column of texts; NULL: absent. Equal ones are the same. */
    const char **texts;
    uint32_t *unknown; /* per run: values that are absent among those that were added up */
    bool is_whole;     /* of all members together */
} DiffRow;

/* A table of both sides. */
typedef struct DiffTable {
    char *name;
    char *title;
    char *by; /* column that rows were added up by; NULL: the table's own rows */
    bool is_summary;
    bool has_key;   /* the type says what the key is */
    bool is_here;   /* in the run whose rows are read */
    DiffKey member; /* of sums: column that says which member a row is of; without a name: none */
    DiffKey *keys;
    uint32_t key_count;
    uint32_t key_capacity;
    DiffColumn *columns;
    uint32_t column_count;
    uint32_t column_capacity;
    uint32_t weight; /* column, or column_count */
    DiffText *texts;
    uint32_t text_count;
    uint32_t text_capacity;
    OpprofTextMap word_index;
    const char **words; /* texts of rows, each once; in the index's memory */
    uint32_t word_count;
    uint32_t word_capacity;
    DiffRow *rows;
    uint32_t row_count;
    uint32_t row_capacity;
    OpprofTextMap index; /* key: row */
} DiffTable;

/* Results of one or several runs of the same thing. */
typedef struct DiffSide {
    const char *path; /* as it was given */
    char **databases;
    uint32_t runs;
    uint32_t capacity;
    bool is_complete;
    char *missing; /* what the first incomplete run lacks; NULL: nothing, or it does not say so */
    bool has_more_missing;
} DiffSide;

/*
 * A sentence of advice, whatever numbers it was given with. Texts are tame, "" where they are
 * absent.
 */
typedef struct DiffAdvice {
    uint32_t severity; /* OpprofSeverity, in the first run that has it */
    char *topic;
    char *subject;
    char *sentence;
    uint32_t runs[2]; /* of each side that have it */
    uint32_t last;    /* the last of all runs that has it, plus 1 */
} DiffAdvice;

/* All advice of two results, in the order of the runs. Begin with zero. */
typedef struct DiffAdviceList {
    DiffAdvice *list;
    uint32_t count;
    uint32_t capacity;
    OpprofTextMap index;
} DiffAdviceList;

/* Two results, as far as they are compared. */
typedef struct DiffData {
    DiffSide sides[2];
    DiffTable *tables;
    uint32_t table_count;
    uint32_t table_capacity;
    DiffAdviceList advice;
} DiffData;

/* ---- filling it ---- */

/*
 * A copy of a text that holds nothing but plain text, on one line; "" for NULL. NULL without
 * memory.
 */
char *DiffTame(const char *text);
/* Report that memory is lacking. Returns OPPROF_E_MEMORY. */
OpprofStatus DiffNoMemory(OpprofError **error);
void DiffRowFree(DiffRow *row);
void DiffDataFree(DiffData *data);

/* ---- reading it ---- */

/* A time that adds up over rows. */
bool DiffIsAmount(const DiffColumn *column);
/* How many columns of texts the rows of a table have. Without a key all texts are the key. */
uint32_t DiffTextsOf(const DiffTable *table);
/*
 * A text of a row in all runs of a side that have the row; NULL: absent, or not the same in all of
 * them.
 */
const char *DiffTextOf(const DiffData *data, const DiffTable *table, const DiffRow *row,
                       uint32_t text, int side);
/*
 * Values of a column of a row in the runs of a side. `out` has room for them. Returns how many
 * there are.
 */
uint32_t DiffValues(const DiffData *data, const DiffTable *table, const DiffRow *row,
                    uint32_t column, int side, double *out);

#endif
