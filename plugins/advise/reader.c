/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a rule over the tables of a run. Tested by tests/plugins/advise/test_advise. */
#include "reader.h"

#include <math.h>
#include <opprof/json.h>
#include <opprof/map.h>
#include <opprof/print.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX UINT64_C(200000000) /* of SQLite's machine; not seconds, which depend on load */
#define SUBJECTS_MAX 20000u           /* of a rule at a time; see make_room */

/* Columns of a rule's result. */
enum {
    COLUMN_SUBJECT,
    COLUMN_SENTENCE,
    COLUMN_NUMBERS,
    COLUMN_UNIT,
    COLUMN_TODO,
    COLUMN_TABLE,
    COLUMN_COLUMN,
    COLUMN_TRACK,
    COLUMN_VALUE,
    COLUMN_GAIN,
    COLUMN_WHOLE,
    COLUMN_START,
    COLUMNS
};

static const char *const column_names[COLUMNS] = { "subject",     "sentence", "numbers",
                                                   "unit",        "todo",     "from_table",
                                                   "from_column", "track",    "value",
                                                   "gain_us",     "whole_us", "start_us" };

/* The texts among them, and where they go. */
static const int text_of_column[] = { FINDING_SUBJECT, FINDING_SENTENCE, FINDING_NUMBERS,
                                      FINDING_UNIT,    FINDING_TODO,     FINDING_TABLE,
                                      FINDING_COLUMN,  FINDING_TRACK };

typedef struct Reader {
    const Rule *rule;
    OpprofResults *tables;
    OpprofResultsRows *rows;
    int places[COLUMNS]; /* in the result; -1: it lacks the column */
    double least_gain;
    OpprofTextMap subjects; /* places in the list */
    Findings *findings;
} Reader;

static OpprofStatus no_memory(const Reader *reader, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read rows of the rule '%s'", reader->rule->question->name);
}

/* ---- columns ---- */

static OpprofStatus refuse_column(const char *name, OpprofError **error)
{
    const char *nearest = OpprofNearestName(name, column_names, COLUMNS);

    return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "its result has the unknown column '%s'%s%s%s",
                          name, nearest == NULL ? "" : "; did you mean '",
                          nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
}

static OpprofStatus find_columns(Reader *reader, OpprofError **error)
{
    for (int c = 0; c < COLUMNS; c++) {
        reader->places[c] = -1;
    }
    for (int at = 0; at < OpprofResultsColumnCount(reader->rows); at++) {
        const char *name = OpprofResultsColumnName(reader->rows, at);
        int c = 0;

        if (name == NULL) {
            return no_memory(reader, error);
        }
        while (c < COLUMNS && strcmp(name, column_names[c]) != 0) {
            c++;
        }
        if (c == COLUMNS) {
            return refuse_column(name, error);
        }
        reader->places[c] = at;
    }
    return reader->places[COLUMN_SENTENCE] >= 0
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_ARGUMENT, "its result has no column 'sentence'");
}

/* ---- a row ---- */

/* NaN: absent. */
static double number_at(const Reader *reader, int column)
{
    const double number =
        reader->places[column] < 0 ? NAN : OpprofResultsReal(reader->rows, reader->places[column]);

    return isfinite(number) ? number : NAN;
}

static bool copy_texts(const Reader *reader, Finding *finding)
{
    bool is_good = true;

    for (size_t c = 0; is_good && c < OPPROF_COUNT(text_of_column); c++) {
        size_t length = 0;
        const char *text = reader->places[c] < 0
                               ? NULL
                               : OpprofResultsText(reader->rows, reader->places[c], &length);

        is_good = FindingCopy(text, length, &finding->texts[text_of_column[c]]);
    }
    return is_good;
}

/* Percent that the gain is of the whole; NaN: unknown. */
static double share_of(const Finding *finding)
{
    return finding->whole_us > 0 && !isnan(finding->gain_us)
               ? 100 * finding->gain_us / finding->whole_us
               : NAN;
}

static uint32_t severity_of(const Rule *rule, const Finding *finding)
{
    return rule->severity != RULES_BY_GAIN ? rule->severity
           : finding->gain_us > 0          ? OPPROF_SEVERITY_HINT
                                           : OPPROF_SEVERITY_NOTE;
}

/* ---- rows ---- */

/* Of very many subjects the half that could save more stays, and the others are only counted; one
 * of those that comes again counts again. */
static OpprofStatus make_room(Reader *reader, OpprofError **error)
{
    Findings *findings = reader->findings;

    qsort(findings->list, findings->count, sizeof *findings->list, FindingsCompare);
    while (findings->count > SUBJECTS_MAX / 2) {
        FindingFree(&findings->list[--findings->count]);
        findings->beyond++;
    }
    OpprofTextMapClear(&reader->subjects);
    for (uint32_t i = 0; i < findings->count; i++) {
        const char *subject = findings->list[i].texts[FINDING_SUBJECT];
        const size_t length = subject == NULL ? 0 : strlen(subject);

        if (!OpprofTextMapPut(&reader->subjects, subject, length, i, NULL)) {
            return no_memory(reader, error);
        }
    }
    return OPPROF_OK;
}

/* The finding's subject has none yet, or one with less gain. */
static OpprofStatus keep(Reader *reader, Finding *finding, OpprofError **error)
{
    const char *subject = finding->texts[FINDING_SUBJECT];
    const size_t length = subject == NULL ? 0 : strlen(subject);
    const uint32_t at = OpprofTextMapFind(&reader->subjects, subject, length);

    if (at != OPPROF_MAP_NONE) {
        Finding *other = &reader->findings->list[at];
        const Finding worse = FindingsCompare(finding, other) < 0 ? *other : *finding;

        *other = FindingsCompare(finding, other) < 0 ? *finding : *other;
        *finding = worse;
        FindingFree(finding);
        return OPPROF_OK;
    }
    if (!OpprofTextMapPut(&reader->subjects, subject, length, reader->findings->count, NULL)) {
        FindingFree(finding);
        return no_memory(reader, error);
    }
    if (!FindingsAdd(reader->findings, finding)) {
        return no_memory(reader, error);
    }
    return reader->findings->count < SUBJECTS_MAX ? OPPROF_OK : make_room(reader, error);
}

static OpprofStatus take_row(Reader *reader, OpprofError **error)
{
    Finding finding = { .value = number_at(reader, COLUMN_VALUE),
                        .gain_us = number_at(reader, COLUMN_GAIN),
                        .whole_us = number_at(reader, COLUMN_WHOLE),
                        .start_us = number_at(reader, COLUMN_START) };

    if (finding.whole_us > 0 && finding.gain_us > finding.whole_us) {
        finding.gain_us = finding.whole_us; /* no more than all can be saved */
    }
    finding.gain = share_of(&finding);
    finding.severity = severity_of(reader->rule, &finding);
    if (finding.gain < reader->least_gain || finding.gain_us <= 0) {
        return OPPROF_OK;
    }
    if (!copy_texts(reader, &finding)) {
        FindingFree(&finding);
        return no_memory(reader, error);
    }
    if (finding.texts[FINDING_SENTENCE] == NULL) {
        FindingFree(&finding);
        return OPPROF_OK;
    }
    return keep(reader, &finding, error);
}

OpprofStatus ReaderAsk(const Rule *rule, OpprofResults *tables, double least_gain,
                       Findings *ret_findings, OpprofError **error)
{
    Reader reader = {
        .rule = rule, .tables = tables, .least_gain = least_gain, .findings = ret_findings
    };
    const OpprofResultsQuestion question = { .sql = rule->question->sql, .most_steps = STEPS_MAX };
    OpprofStatus status = OpprofResultsMakeOptional(tables, rule->question, error);

    if (status == OPPROF_OK) {
        status = OpprofResultsAsk(tables, &question, &reader.rows, error);
    }
    if (status == OPPROF_OK) {
        status = find_columns(&reader, error);
    }
    while (status == OPPROF_OK && (status = OpprofResultsNext(reader.rows, error)) == OPPROF_OK) {
        status = take_row(&reader, error);
    }
    OpprofResultsRowsFree(reader.rows);
    OpprofTextMapFinish(&reader.subjects);
    if (status == OPPROF_END) {
        return OPPROF_OK;
    }
    FindingsFree(ret_findings);
    return status;
}

/* ---- what all rows of a rule share ---- */

/* What the head says where the row says nothing. */
static bool take_head(const Rule *rule, Finding *finding)
{
    char **texts = finding->texts;
    bool is_good =
        FindingCopy(rule->topic, strlen(rule->topic), &texts[FINDING_TOPIC]) &&
        FindingCopy(rule->question->name, strlen(rule->question->name), &texts[FINDING_RULE]);

    if (is_good && texts[FINDING_TODO] == NULL && rule->todo != NULL) {
        is_good = FindingCopy(rule->todo, strlen(rule->todo), &texts[FINDING_TODO]);
    }
    return is_good;
}

/* "PipeUtilization.csv" of "<device>/PipeUtilization"; NULL: the name of the file differs from row
 * to row. False without memory. */
static bool file_of(const OpprofRecordType *type, char **ret_file)
{
    const char *hint = type->file_hint == NULL ? "" : type->file_hint;
    const char *slash = strrchr(hint, '/');
    const char *name = slash == NULL ? hint : slash + 1;

    *ret_file = NULL;
    return *name == '\0' || strchr(name, '<') != NULL || asprintf(ret_file, "%s.csv", name) >= 0;
}

static const OpprofResultsTable *find_table(const OpprofResults *tables, const char *name)
{
    const OpprofResultsInfo *info = OpprofResultsAbout(tables);

    for (uint32_t i = 0; name != NULL && i < info->table_count; i++) {
        if (strcasecmp(info->tables[i].name, name) == 0) {
            return &info->tables[i];
        }
    }
    return NULL;
}

/* The value's column as people see it, and its file. */
static bool place_value(const OpprofResults *tables, Finding *finding)
{
    const OpprofResultsTable *table = find_table(tables, finding->texts[FINDING_TABLE]);
    char **column = &finding->texts[FINDING_COLUMN];

    for (uint32_t f = 0; table != NULL && *column != NULL && f < table->type->field_count; f++) {
        const OpprofField *field = &table->type->fields[f];

        if (strcmp(OpprofResultsFieldName(field), *column) == 0) {
            const char *heading = OpprofFieldHeading(field);

            free(*column);
            return FindingCopy(heading, strlen(heading), column) &&
                   file_of(table->type, &finding->texts[FINDING_FILE]);
        }
    }
    return true;
}

bool ReaderComplete(const Rule *rule, const OpprofResults *tables, Finding *finding)
{
    return take_head(rule, finding) && place_value(tables, finding);
}
