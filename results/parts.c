/* SPDX-License-Identifier: Apache-2.0 */
/* Reads advice, timelines and curves of a finished run. Tested by tests/results/test_results. */
#include "results.h"

#include <math.h>
#include <string.h>

#define PS_PER_US 1e6

#define TRACK_COLUMNS                                                                              \
    "t.document, t.process, t.process_name, t.thread, t.thread_name, t.process_sort,"              \
    " t.thread_sort, t.flags"

/* The latest first. Earlier releases stored no rules, the first ones no values. */
static const char *const advice_sql[] = {
    "SELECT severity, topic, subject, sentence, numbers, file, column, unit, value, gain, rule,"
    " todo, gain_us, whole_us, from_table, track, start_us FROM advice",
    "SELECT severity, topic, subject, sentence, numbers, file, column, unit, value, gain, NULL,"
    " NULL, NULL, NULL, NULL, NULL, NULL FROM advice",
    "SELECT severity, topic, subject, sentence, numbers, NULL, NULL, NULL, NULL, NULL, NULL,"
    " NULL, NULL, NULL, NULL, NULL, NULL FROM advice",
};
static const char spans_sql[] =
    "SELECT " TRACK_COLUMNS ", s.kind, n.text, c.text, o.text, s.start_us, s.duration_us, s.id FROM"
    " opprof_spans s JOIN opprof_tracks t ON t.id = s.track LEFT JOIN opprof_names n ON n.id ="
    " s.name LEFT JOIN opprof_names c ON c.id = s.category LEFT JOIN opprof_names o ON o.id ="
    " s.colour";
static const char counters_sql[] =
    "SELECT " TRACK_COLUMNS ", n.text, r.text, c.time_us, c.value FROM opprof_counters c JOIN"
    " opprof_tracks t ON t.id = c.track LEFT JOIN opprof_names n ON n.id = c.name LEFT JOIN"
    " opprof_names r ON r.id = c.series";

/* Whether the database has a table or view of that name. */
static OpprofStatus find_table(OpprofResults *results, const char *name, bool *ret_is_there,
                               OpprofError **error)
{
    OpprofResultsRows *rows;
    char *sql = sqlite.mprintf("SELECT 1 FROM sqlite_master WHERE name = %Q", name);
    OpprofStatus status = ResultsQueryPrinted(results, sql, &rows, error);

    if (status == OPPROF_OK) {
        status = OpprofResultsNext(rows, error);
    }
    OpprofResultsRowsFree(rows);
    *ret_is_there = status == OPPROF_OK;
    return status == OPPROF_END ? OPPROF_OK : status;
}

/* A run without advice has no such table. */
static OpprofStatus read_advice(OpprofResults *results, OpprofResultsRows **ret_rows,
                                OpprofError **error)
{
    bool is_there;
    OpprofStatus status = find_table(results, "advice", &is_there, error);

    if (status == OPPROF_OK && !is_there) {
        return OpprofResultsQuery(results, "SELECT 1 WHERE 0", ret_rows, error);
    }
    if (status == OPPROF_OK) {
        status = ResultsCheckUnchecked(results, "advice", error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    for (size_t i = 0; i + 1 < OPPROF_COUNT(advice_sql); i++) {
        status = OpprofResultsQuery(results, advice_sql[i], ret_rows, NULL);
        if (status == OPPROF_E_MEMORY) {
            return ResultsNoMemory(results, error);
        }
        if (status == OPPROF_OK) {
            return status;
        }
    }
    return OpprofResultsQuery(results, advice_sql[OPPROF_COUNT(advice_sql) - 1], ret_rows, error);
}

/* Spans or samples, with their names and lanes. */
static OpprofStatus read_timeline(OpprofResults *results, const char *table, const char *sql,
                                  OpprofResultsRows **ret_rows, OpprofError **error)
{
    const char *const tables[] = { table, "opprof_tracks", "opprof_names" };
    OpprofStatus status = OPPROF_OK;

    if (!results->info.has_timelines) {
        return OpprofResultsQuery(results, "SELECT 1 WHERE 0", ret_rows, error);
    }

    for (size_t i = 0; status == OPPROF_OK && i < OPPROF_COUNT(tables); i++) {
        status = ResultsCheckUnchecked(results, tables[i], error);
    }
    return status == OPPROF_OK ? OpprofResultsQuery(results, sql, ret_rows, error) : status;
}

OpprofStatus OpprofResultsReadPart(OpprofResults *results, OpprofResultsPart part,
                                   OpprofResultsRows **ret_rows, OpprofError **error)
{
    *ret_rows = NULL;
    switch (part) {
    case OPPROF_RESULTS_ADVICE:
        return read_advice(results, ret_rows, error);
    case OPPROF_RESULTS_SPANS:
        return read_timeline(results, "opprof_spans", spans_sql, ret_rows, error);
    case OPPROF_RESULTS_COUNTERS:
    default:
        return read_timeline(results, "opprof_counters", counters_sql, ret_rows, error);
    }
}

static const char *text_or_empty(OpprofResultsRows *rows, int column)
{
    const char *text = OpprofResultsText(rows, column, NULL);

    return text == NULL ? "" : text;
}

static uint32_t severity_of(const char *text)
{
    return strcmp(text, "problem") == 0 ? OPPROF_SEVERITY_PROBLEM
           : strcmp(text, "hint") == 0  ? OPPROF_SEVERITY_HINT
                                        : OPPROF_SEVERITY_NOTE;
}

OpprofAdviceText OpprofResultsAdviceOf(OpprofResultsRows *rows)
{
    return (OpprofAdviceText){ .severity = severity_of(text_or_empty(rows, 0)),
                               .topic = text_or_empty(rows, 1),
                               .subject = text_or_empty(rows, 2),
                               .sentence = text_or_empty(rows, 3),
                               .numbers = text_or_empty(rows, 4),
                               .file = text_or_empty(rows, 5),
                               .column = text_or_empty(rows, 6),
                               .unit = text_or_empty(rows, 7),
                               .value = OpprofResultsReal(rows, 8),
                               .gain = OpprofResultsReal(rows, 9),
                               .rule = text_or_empty(rows, 10),
                               .todo = text_or_empty(rows, 11),
                               .gain_us = OpprofResultsReal(rows, 12),
                               .whole_us = OpprofResultsReal(rows, 13),
                               .from_table = text_or_empty(rows, 14),
                               .track = text_or_empty(rows, 15),
                               .start_us = OpprofResultsReal(rows, 16) };
}

static int32_t sort_at(OpprofResultsRows *rows, int column)
{
    int64_t rank;

    return OpprofResultsWhole(rows, column, &rank) ? (int32_t) rank : 0;
}

/* Columns from 0 on are TRACK_COLUMNS. */
static OpprofTrack track_of(OpprofResultsRows *rows)
{
    return (OpprofTrack){ .document = text_or_empty(rows, 0),
                          .process = text_or_empty(rows, 1),
                          .process_name = OpprofResultsText(rows, 2, NULL),
                          .thread = OpprofResultsText(rows, 3, NULL),
                          .thread_name = OpprofResultsText(rows, 4, NULL),
                          .process_sort = sort_at(rows, 5),
                          .thread_sort = sort_at(rows, 6),
                          .flags = (uint32_t) sort_at(rows, 7) };
}

static double real_or_zero(OpprofResultsRows *rows, int column)
{
    const double value = OpprofResultsReal(rows, column);

    return isnan(value) ? 0 : value;
}

OpprofResultsSpan OpprofResultsSpanOf(OpprofResultsRows *rows)
{
    return (OpprofResultsSpan){ .track = track_of(rows),
                                .kind = (uint32_t) sort_at(rows, 8),
                                .name = OpprofResultsText(rows, 9, NULL),
                                .category = OpprofResultsText(rows, 10, NULL),
                                .colour = OpprofResultsText(rows, 11, NULL),
                                .start_us = real_or_zero(rows, 12),
                                .duration_us = real_or_zero(rows, 13),
                                .id = OpprofResultsText(rows, 14, NULL) };
}

OpprofResultsCounter OpprofResultsCounterOf(OpprofResultsRows *rows)
{
    return (OpprofResultsCounter){ .track = track_of(rows),
                                   .name = OpprofResultsText(rows, 8, NULL),
                                   .series = OpprofResultsText(rows, 9, NULL),
                                   .time_us = real_or_zero(rows, 10),
                                   .value = OpprofResultsReal(rows, 11) };
}

OpprofStatus OpprofResultsOrigin(OpprofResults *results, double *ret_us, OpprofError **error)
{
    OpprofResultsRows *rows;
    OpprofStatus status;

    *ret_us = 0;
    if (!results->info.has_timelines) {
        return OPPROF_OK;
    }
    status = OpprofResultsQuery(results,
                                "SELECT min(coalesce((SELECT min(start_us) FROM opprof_spans), 0),"
                                " coalesce((SELECT min(time_us) FROM opprof_counters), 0))",
                                &rows, error);
    if (status == OPPROF_OK) {
        status = OpprofResultsNext(rows, error);
    }
    if (status == OPPROF_OK) {
        *ret_us = real_or_zero(rows, 0);
    }
    OpprofResultsRowsFree(rows);
    if (status == OPPROF_OK && !(fabs(*ret_us) < (double) (INT64_MAX / 2) / PS_PER_US)) {
        status = OpprofErrorSet(error, OPPROF_E_DATA, "'%s' has impossible times", results->path);
    }
    return status;
}
