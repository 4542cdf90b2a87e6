/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RESULTS_H
#define OPPROF_RESULTS_H

/**
 * @file
 * The database of a run: writing it, and reading it when the run is finished. A database may come
 * from elsewhere: it is opened read-only, without its views, and what cannot be read of it is an
 * error, never an end. Texts are as they are stored: who prints them makes them tame
 * (OpprofTextTame). An OpprofResults and its rows belong to one thread at a time; a `column` has
 * its number, from 0. SQLite is loaded by the first call. Experimental. [owner]
 */

#include <opprof/error.h>
#include <opprof/present.h>
#include <opprof/questions.h>
#include <opprof/stage.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Name of the database in the folder of a run. */
#define OPPROF_RESULTS_FILE "results.sqlite"

/** The results of a run, open. Opaque. */
typedef struct OpprofResults OpprofResults;
/** A query that is being read, with its current row. Opaque. */
typedef struct OpprofResultsRows OpprofResultsRows;

/** A table as the database describes it, but for the advice. */
typedef struct OpprofResultsTable {
    const char *name; /**< In the database. */
    /** Cells are 8 bytes wide: integers are OPPROF_FIELD_I64, lanes are OPPROF_FIELD_TEXT. */
    const OpprofRecordType *type;
    int64_t rows; /**< Rows that were written; OPPROF_NA_I64: unknown. */
} OpprofResultsTable;

/** The account of a run in its results. */
typedef struct OpprofResultsInfo {
    const char *path;                 /**< Of the database. */
    const char *title;                /**< What ran; NULL: unknown. */
    bool is_complete;                 /**< Whether the run lacked nothing. */
    const char *missing;              /**< Its losses, a line each; NULL: none, or unknown. */
    bool has_timelines;               /**< Whether spans and counters were written. */
    const OpprofResultsTable *tables; /**< In the order in which the run made them. */
    uint32_t table_count;             /**< Number of `tables`. */
} OpprofResultsInfo;

/** How results are opened. */
typedef struct OpprofResultsOptions {
    /** All pages are checked first, not only those of the description: see OpprofResultsCheck. */
    bool is_checked;
    /** Asked now and then while SQLite works, so that no database holds a run up. True: the call
     * that asked fails with OPPROF_E_DATA. NULL: reading never stops. */
    bool (*is_stopped)(void *context);
    void *context; /**< For `is_stopped`. */
} OpprofResultsOptions;

/**
 * Open results, and read what they say of themselves.
 *
 * @param path     The database, or a folder with OPPROF_RESULTS_FILE. Borrowed for the call.
 * @param options  Copied; NULL: all members are zero.
 * @param[out] ret_results  To be given to OpprofResultsClose; NULL on failure.
 * @return OPPROF_OK; OPPROF_E_IO: there is no such file; OPPROF_E_DATA: it holds no results, is
 *         cut, or describes an impossible table; OPPROF_E_LOAD: SQLite is not installed;
 *         OPPROF_E_MEMORY.
 */
OpprofStatus OpprofResultsOpen(const char *path, const OpprofResultsOptions *options,
                               OpprofResults **ret_results, OpprofError **error);

/** Close them; their info and types are no longer valid. All rows must be free. NULL is allowed. */
void OpprofResultsClose(OpprofResults *results);

/** The account of the run. Borrowed until OpprofResultsClose. */
const OpprofResultsInfo *OpprofResultsAbout(const OpprofResults *results);

/**
 * Look for damaged pages, before a query of one's own: they may lose rows or repeat them without
 * end, and reading would not notice.
 *
 * @param table  Name of a table, which is checked with its indices; NULL: the whole database.
 * @return OPPROF_OK; OPPROF_E_DATA; OPPROF_E_MEMORY.
 */
OpprofStatus OpprofResultsCheck(OpprofResults *results, const char *table, OpprofError **error);

/* ---- rows ---- */

/**
 * Begin to read the rows of a query.
 *
 * @param sql  One statement that reads. Write a column as `t."name"`: what SQLite does not know as
 *             a column without the table before it, it takes for a text.
 * @param[out] ret_rows  To be given to OpprofResultsRowsFree; NULL on failure.
 * @return OPPROF_OK; OPPROF_E_DATA: the database lacks what the query names; OPPROF_E_MEMORY.
 */
OpprofStatus OpprofResultsQuery(OpprofResults *results, const char *sql,
                                OpprofResultsRows **ret_rows, OpprofError **error);

/** A value for a parameter of a question, such as `:rank`. */
typedef struct OpprofResultsParameter {
    const char *name;  /**< Without the colon. */
    const char *value; /**< Bound as a number if all of it is one, else as a text. */
} OpprofResultsParameter;

/**
 * Which rows of a table or a question, in which order, and how many. Texts may come from anybody. A
 * column has its name in the database or its heading, in any case.
 */
typedef struct OpprofResultsConditions {
    /**
     * `rule_count` texts "COLUMN OPERATOR VALUE", which all hold. Operators are =, !=, <, <=, >,
     * >=, ~ (contains, in any case), !~, in A|B, not in A|B, is null, is not null. Absent cells
     * only are null.
     */
    const char *const *rules;
    size_t rule_count; /**< Entries of rules. */
    /**
     * `sort_count` texts COLUMN, COLUMN:asc or COLUMN:desc. Absent cells come first, with desc
     * last; rows that are alike keep their order.
     */
    const char *const *sorts;
    size_t sort_count;   /**< Entries of sorts. */
    const char *columns; /**< Names in their order, with commas between them; NULL: all. */
    uint64_t limit;      /**< Rows of a page; 0: all. */
    uint64_t page;       /**< Number of the page, from 1; 0: the first. */
    bool counts;         /**< The answer is one number: how many rows fit, on all pages. */
} OpprofResultsConditions;

/** A table, or a question in SQL from a file, which is not trusted. */
typedef struct OpprofResultsQuestion {
    const char *sql; /**< One SELECT. A word in double quotes is a column, never a text. */
    const OpprofResultsParameter *parameters; /**< `parameter_count` of them; others are NULL. */
    size_t parameter_count;                   /**< Entries of parameters. */
    uint64_t most_steps; /**< Steps of SQLite's machine after which it fails; 0: any number. */
    const OpprofResultsTable *table; /**< A table of the info instead of `sql`; NULL: the SQL. */
    const OpprofResultsConditions *conditions; /**< NULL: all rows. */
} OpprofResultsQuestion;

/**
 * Begin to read the rows of a question. It can do nothing but read: it writes, attaches and sets
 * nothing. A value has at most 1 MiB. It may use median(x), quantile(x, q) and spread(x), the
 * median absolute deviation. No other query may begin until the rows are free.
 *
 * @param question  Borrowed for the call.
 * @param[out] ret_rows  As of OpprofResultsQuery.
 * @return OPPROF_OK; OPPROF_E_NOT_FOUND: there is no such table or column; OPPROF_E_ARGUMENT: it is
 *         no SELECT, has no such parameter, or a condition is wrong; OPPROF_E_LIMIT, also of
 *         OpprofResultsNext: too many steps, or too long a value; OPPROF_E_MEMORY. The error has
 *         the reason alone. [owner]
 */
OpprofStatus OpprofResultsAsk(OpprofResults *results, const OpprofResultsQuestion *question,
                              OpprofResultsRows **ret_rows, OpprofError **error);

/**
 * Before the SQL of a question is asked: make empty tables in place of the optional ones of its
 * head that the results lack, unless they lack all that it names. The file stays as it is.
 *
 * @param question  With its head. Borrowed for the call.
 * @return OPPROF_OK; OPPROF_E_DATA: a column is there twice; OPPROF_E_MEMORY. [owner]
 */
OpprofStatus OpprofResultsMakeOptional(OpprofResults *results, const OpprofQuestion *question,
                                       OpprofError **error);

/** Number of columns of the rows. [owner] */
int OpprofResultsColumnCount(const OpprofResultsRows *rows);

/**
 * Name of a column. Borrowed until the rows are free.
 *
 * @param column  Its number, from 0.
 * @return The name; NULL without memory. [owner]
 */
const char *OpprofResultsColumnName(const OpprofResultsRows *rows, int column);

/** The kinds of findings that are not tables. */
typedef enum OpprofResultsPart {
    OPPROF_RESULTS_ADVICE = 0,  /**< Rows for OpprofResultsAdviceOf. */
    OPPROF_RESULTS_SPANS = 1,   /**< Rows for OpprofResultsSpanOf. */
    OPPROF_RESULTS_COUNTERS = 2 /**< Rows for OpprofResultsCounterOf. */
} OpprofResultsPart;

/**
 * Begin to read all rows of a `table` of the info, whose columns are the fields of its type in
 * their order. It is checked first, unless all pages were. `ret_rows` and status are as those of
 * OpprofResultsQuery.
 */
OpprofStatus OpprofResultsReadTable(OpprofResults *results, const OpprofResultsTable *table,
                                    OpprofResultsRows **ret_rows, OpprofError **error);

/**
 * Begin to read all advice, spans or counters (`part`), which are checked as a table is. A run
 * without advice, or results without timelines, have no row of it. `ret_rows` and status are as
 * those of OpprofResultsQuery.
 */
OpprofStatus OpprofResultsReadPart(OpprofResults *results, OpprofResultsPart part,
                                   OpprofResultsRows **ret_rows, OpprofError **error);

/**
 * Go to the first or the next row. What was read of the one before is no longer valid.
 *
 * @return OPPROF_OK; OPPROF_END: there is no further row; OPPROF_E_DATA; OPPROF_E_MEMORY, also
 *         where the row before could not be read for lack of memory.
 */
OpprofStatus OpprofResultsNext(OpprofResultsRows *rows, OpprofError **error);

/** Free a query. NULL is allowed. */
void OpprofResultsRowsFree(OpprofResultsRows *rows);

/**
 * Text of a column of the current row. Borrowed until the next row.
 *
 * @param[out] ret_length  Bytes of the text; NULL: not wanted.
 * @return The text; NULL: absent, or no memory, which OpprofResultsNext reports.
 */
const char *OpprofResultsText(OpprofResultsRows *rows, int column, size_t *ret_length);

/** Number in a column of the current row; NaN: absent, or not a number. */
double OpprofResultsReal(OpprofResultsRows *rows, int column);

/**
 * Whole number in a column of the current row.
 *
 * @param[out] ret_value  The number; OPPROF_NA_I64: it is missing.
 * @return False: absent, or not a number.
 */
bool OpprofResultsWhole(OpprofResultsRows *rows, int column, int64_t *ret_value);

/* ---- advice, timelines and curves ---- */

/** The advice in the current row. Texts are borrowed until the next row; absent ones are empty. */
OpprofAdviceText OpprofResultsAdviceOf(OpprofResultsRows *rows);

/** A span. Times are microseconds; texts are borrowed until the next row, absent ones are NULL. */
typedef struct OpprofResultsSpan {
    OpprofTrack track;    /**< Its lane; the document and the process are never NULL. */
    uint32_t kind;        /**< OpprofSpanKind. */
    const char *name;     /**< Its name. */
    const char *category; /**< As in OpprofSpan. */
    const char *colour;   /**< As there. */
    const char *id;       /**< As there. */
    double start_us;      /**< Start, or the moment. */
    double duration_us;   /**< 0 for all but slices. */
} OpprofResultsSpan;

/** A sample of a curve, as OpprofResultsSpan. */
typedef struct OpprofResultsCounter {
    OpprofTrack track;  /**< Its process. */
    const char *name;   /**< Name of the curve. */
    const char *series; /**< Name of the series, with its unit. */
    double time_us;     /**< When. */
    double value;       /**< Value from this time on; NaN: absent. */
} OpprofResultsCounter;

/** The span in the current row. Its texts are borrowed. */
OpprofResultsSpan OpprofResultsSpanOf(OpprofResultsRows *rows);

/** The sample in the current row. Its texts are borrowed. */
OpprofResultsCounter OpprofResultsCounterOf(OpprofResultsRows *rows);

/**
 * The earliest time of all spans and samples: times count from an arbitrary origin.
 *
 * @param[out] ret_us  In microseconds; at most 0.
 * @return OPPROF_OK; OPPROF_E_DATA: the database lacks timelines, or a clock of picoseconds
 *         cannot express the time; OPPROF_E_MEMORY.
 */
OpprofStatus OpprofResultsOrigin(OpprofResults *results, double *ret_us, OpprofError **error);

/* ---- writing ---- */

/** The database of a run, while it is written. Opaque; for the stage that made it. */
typedef struct OpprofResultsWriter OpprofResultsWriter;

/** What a database holds beside the tables. */
typedef struct OpprofResultsContents {
    bool has_timelines; /**< Spans and counters, with indices of their names and times. */
    /** The tables "view.…", which viewers' pages are made of, and indices of keys and ticks. */
    bool has_views;
    const char *title; /**< What ran; NULL: unknown. Borrowed as long as the writer. */
} OpprofResultsContents;

/**
 * Begin OPPROF_RESULTS_FILE in the run's output. It gets its name when it is finished.
 *
 * @param contents  Copied.
 * @param[out] ret_writer  To be given to OpprofResultsWriterFree; NULL on failure.
 * @return OPPROF_OK; OPPROF_E_IO; OPPROF_E_LOAD: SQLite is not installed; OPPROF_E_MEMORY. [stage]
 */
OpprofStatus OpprofResultsWriterOpen(OpprofStage *stage, const OpprofResultsContents *contents,
                                     OpprofResultsWriter **ret_writer, OpprofError **error);

/**
 * Whether the database holds records of a type; a stage need not keep others.
 *
 * @param type  Borrowed for the call.
 * @return True if OpprofResultsWriterTake takes them. [stage]
 */
bool OpprofResultsWriterWants(const OpprofResultsWriter *writer, const OpprofRecordType *type);

/**
 * Write a batch of a table, of spans or of counters, which must be wanted. Types of one name share
 * a table, which has the columns of all of them.
 *
 * @param batch  Borrowed; its type must stay as long as the writer.
 * @return OPPROF_OK; OPPROF_CLOSED: the run was aborted; OPPROF_E_IO; OPPROF_E_CONTRACT: a track
 *         was not declared; OPPROF_E_MEMORY. [stage]
 */
OpprofStatus OpprofResultsWriterTake(OpprofResultsWriter *writer, const OpprofBatch *batch,
                                     OpprofError **error);

/**
 * Describe the tables and the run, whose stages before this one have ended, make the indices, and
 * give the file its name.
 *
 * @return As OpprofResultsWriterTake. [stage]
 */
OpprofStatus OpprofResultsWriterFinish(OpprofResultsWriter *writer, OpprofError **error);

/** Free it; a file that is not finished is dropped. NULL is allowed. [stage] */
void OpprofResultsWriterFree(OpprofResultsWriter *writer);

/* ---- tables of a run that goes on ---- */

/**
 * Name of the table of such records in a database, unless another type with the same letters came
 * before.
 *
 * @param type  A table's.
 * @return Text for free(); NULL without memory. [any thread]
 */
char *OpprofResultsTableName(const OpprofRecordType *type);

/** Name of a field's column in a database. Borrowed from the field. [any thread] */
const char *OpprofResultsFieldName(const OpprofField *field);

/**
 * Whether a question needs a table, or a column of it.
 *
 * @param table   Its name in the database.
 * @param column  Name of the column; NULL: asked about the table.
 */
typedef bool OpprofResultsWanted(void *context, const char *table, const char *column);

/**
 * Begin a private database with some of the tables of a run, for OpprofResultsAsk when the inputs
 * have ended. Tables and columns have the names that they have in OPPROF_RESULTS_FILE. Its info has
 * the tables that came, with the types of their records.
 *
 * @param wanted   What to keep.
 * @param context  For `wanted`.
 * @param[out] ret_results  To be given to OpprofResultsClose; NULL on failure.
 * @return OPPROF_OK; OPPROF_E_IO; OPPROF_E_LOAD: SQLite is not installed; OPPROF_E_MEMORY. [stage]
 */
OpprofStatus OpprofResultsKeep(OpprofStage *stage, OpprofResultsWanted *wanted, void *context,
                               OpprofResults **ret_results, OpprofError **error);

/**
 * Keep the wanted columns of a batch whose table is wanted.
 *
 * @param batch  Borrowed; its type must stay as long as the results.
 * @return OPPROF_OK; OPPROF_E_IO; OPPROF_E_MEMORY. [stage]
 */
OpprofStatus OpprofResultsKeepBatch(OpprofResults *results, const OpprofBatch *batch,
                                    OpprofError **error);

#ifdef __cplusplus
}
#endif

#endif
