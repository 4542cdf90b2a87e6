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
    uint32_t combine; /* OpprofCombine; unknown if a run does not say it, or says another rule */
    bool is_time;
    bool is_here; /* in the run whose rows are read */
} DiffColumn;

/* The labels of a key on one side, each once. */
typedef struct DiffLabels {
    const char **list; /* in the index's memory */
    uint32_t count;
    uint32_t capacity;
    OpprofTextMap index;
} DiffLabels;

/* A column that rows are matched by. */
typedef struct DiffKey {
    char *name;
    bool is_hex;     /* an address: read as 0x10f8, whatever the database keeps */
    bool is_address; /* see OPPROF_FIELD_ADDRESS */
    bool is_here;    /* in the run whose rows are read */
    bool is_member;  /* see OPPROF_FIELD_MEMBER; false if a run does not say so */
    bool is_label;   /* see OPPROF_FIELD_LABEL, the same */
    DiffLabels labels[2];
    OpprofTextMap renames; /* labels of the second side, to places among those of the first */
} DiffKey;

/* A column of texts that rows are not matched by. */
typedef struct DiffText {
    char *name;
    char *heading;
    bool is_here; /* in the run whose rows are read */
} DiffText;

/* A column that rows have besides keys, numbers and texts. */
typedef struct DiffSpecial {
    char *name;   /* NULL: it has no name */
    bool is_here; /* in the run whose rows are read */
} DiffSpecial;

/* A row of a table in all runs: of all its members, and all addresses of a place, together. */
typedef struct DiffRow {
    char *key;      /* what it is called: its key columns with two blanks between */
    double *values; /* a line per run, a value per column; NaN: absent */
    bool *is_in;    /* per run: does it have the row? */
    /* A line per run, a text per column of texts; NULL: absent. Equal ones are the same. */
    const char **texts;
    uint32_t *unknown; /* per run: values that are absent among those that were added up */
} DiffRow;

/* A table of both sides. */
typedef struct DiffTable {
    char *name;
    char *title;
    char *by;      /* column that rows were added up by; NULL: the table's own rows */
    uint32_t base; /* of sums: number of the table that has the rows */
    bool is_summary;
    bool has_key;      /* the type says what the key is */
    bool is_here;      /* in the run whose rows are read */
    bool all_repeats;  /* see OPPROF_RECORD_ALL_REPEATS */
    bool combines;     /* all runs say how its rows combine, so that members count together */
    DiffSpecial place; /* where in the source a row is */
    DiffSpecial stall; /* its time of waiting */
    DiffSpecial lane;  /* where it passes */
    DiffSpecial label; /* not 0: it is a label around work of other rows */
    bool is_after;     /* the run whose rows are read is of the second side */
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
    bool is_silent; /* a run does not say how the rows of its tables combine: it is older */
    char *missing;  /* what the first incomplete run lacks; NULL: nothing, or it does not say so */
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

/* A time of the whole, not only of its row. */
bool DiffIsAmount(const DiffColumn *column);
/* Is there a total over all rows of a table, and a known one? */
bool DiffHasTotal(const DiffColumn *column);
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
