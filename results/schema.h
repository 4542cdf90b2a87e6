/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_SCHEMA_H
#define RESULTS_SCHEMA_H

/*
 * The format of results.sqlite, for the writer and the reader. docs/using/results.md describes it.
 */
#define RESULTS_FORMAT "1"        /* value of 'format' in opprof_run */
#define RESULTS_COLUMNS_MAX 1900u /* of a table; SQLite takes 2000 */

/* How rows combine, in the order of OpprofCombine; unknown is NULL. */
#define RESULTS_COMBINE                                                                            \
    {                                                                                              \
        NULL, "sum", "longest", "mean", "none"                                                     \
    }

/* What the run says of itself, and of its tables. */
/* clang-format off */
#define RESULTS_DESCRIPTION \
    "CREATE TABLE opprof_run(name TEXT PRIMARY KEY, value TEXT);" \
    "CREATE TABLE opprof_tables(name TEXT PRIMARY KEY, record TEXT, version INTEGER, title TEXT," \
    " summary TEXT, file TEXT, flags INTEGER, row_count INTEGER);" \
    "CREATE TABLE opprof_columns(table_name TEXT, position INTEGER, name TEXT, heading TEXT," \
    " kind TEXT, unit TEXT, meaning TEXT, absent TEXT, decimals INTEGER, is_key INTEGER," \
    " flags INTEGER, combine TEXT, PRIMARY KEY(table_name, position))"

/* Timelines and curves. Times are microseconds; views are for people. */
#define RESULTS_TIMELINES \
    "CREATE TABLE opprof_names(id INTEGER PRIMARY KEY, text TEXT);" \
    "CREATE TABLE opprof_tracks(id INTEGER PRIMARY KEY, document TEXT, process TEXT," \
    " process_name TEXT, thread TEXT, thread_name TEXT, process_sort INTEGER," \
    " thread_sort INTEGER, flags INTEGER);" \
    "CREATE TABLE opprof_spans(track INTEGER, kind INTEGER, name INTEGER, category INTEGER," \
    " colour INTEGER, start_us REAL, duration_us REAL, id TEXT, tied TEXT, args TEXT);" \
    "CREATE TABLE opprof_counters(track INTEGER, name INTEGER, series INTEGER, time_us REAL," \
    " value REAL)"

/* Views for people; `temporary`: "TEMP " or "". */
#define RESULTS_VIEWS(temporary) \
    "CREATE " temporary "VIEW spans AS SELECT t.document," \
    " coalesce(t.process_name, t.process) AS process," \
    " coalesce(t.thread_name, t.thread) AS thread," \
    " CASE s.kind WHEN 1 THEN 'slice' WHEN 2 THEN 'begin' WHEN 3 THEN 'end' WHEN 4 THEN 'mark'" \
    " WHEN 5 THEN 'flow start' WHEN 6 THEN 'flow end' END AS kind, n.text AS name," \
    " c.text AS category, s.start_us, s.duration_us, s.id, s.tied, s.args" \
    " FROM opprof_spans s JOIN opprof_tracks t ON t.id = s.track" \
    " JOIN opprof_names n ON n.id = s.name LEFT JOIN opprof_names c ON c.id = s.category;" \
    "CREATE " temporary "VIEW counters AS SELECT t.document," \
    " coalesce(t.process_name, t.process) AS process," \
    " n.text AS name, r.text AS series, c.time_us, c.value" \
    " FROM opprof_counters c JOIN opprof_tracks t ON t.id = c.track" \
    " JOIN opprof_names n ON n.id = c.name JOIN opprof_names r ON r.id = c.series"

/* Made once all rows are there. */
#define RESULTS_TIMELINE_INDICES \
    "CREATE INDEX opprof_names_text ON opprof_names(text);" \
    "CREATE INDEX opprof_spans_name ON opprof_spans(name, start_us);" \
    "CREATE INDEX opprof_spans_start ON opprof_spans(start_us);" \
    "CREATE INDEX opprof_counters_name ON opprof_counters(name, time_us)"
/* clang-format on */

#endif
