/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The query for the rows of a table, each of all its members and of all addresses of its place
 * together. Tested by tests/compare/test_diff.sh.
 */
#include "query.h"

#include <opprof/record.h>
#include <opprof/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Rows come together in steps, each a query of the one before. All name the parts of a row alike:
 * k0, k1 … its keys, b the text by which rows are added up, p its place in the source, l its lane,
 * c0, c1 … its numbers, n how many rows it was, u how many of them have no weight, x0, x1 … its
 * texts.
 */
typedef enum Step {
    STEP_KEYS,    /* rows with the same keys, which one member may have several times */
    STEP_MEMBERS, /* the members of a row */
    STEP_LANES,   /* rows with the same text by which all are added up, in one lane */
    STEP_MATCH    /* rows at the same place, or with the same text by which all are added up */
} Step;

typedef struct Query {
    FILE *sql;
    const DiffTable *table; /* whose columns are read: `base`, or sums of its rows */
    const DiffTable *base;
} Query;

/*
 * Print SQL in which '@' stands for a name, as a quoted one. A column is named with the table
 * before it: where there is no such column, its name alone would be a text.
 */
static void put_sql(FILE *sql, const char *format, const char *name)
{
    for (; *format != '\0'; format++) {
        if (*format != '@') {
            fputc(*format, sql);
            continue;
        }
        fputc('"', sql);
        for (const char *at = name; *at != '\0'; at++) {
            fputs(*at == '"' ? "\"\"" : (const char[]){ *at, '\0' }, sql);
        }
        fputc('"', sql);
    }
}

/* Members count together only where all runs say how. */
static bool is_member(const Query *query, uint32_t key)
{
    return query->base->combines && query->base->keys[key].is_member;
}

static bool has_members(const Query *query)
{
    for (uint32_t k = 0; k < query->base->key_count; k++) {
        if (is_member(query, k) && query->base->keys[k].is_here) {
            return true;
        }
    }
    return false;
}

static bool is_placed(const Query *query, uint32_t key)
{
    return query->base->keys[key].is_address && query->base->place.is_here;
}

static bool has_places(const Query *query)
{
    for (uint32_t k = 0; k < query->base->key_count; k++) {
        if (is_placed(query, k)) {
            return true;
        }
    }
    return false;
}

/* Rows that are added up by a text, and pass in lanes side by side. */
static bool has_lanes(const Query *query)
{
    return query->table->by != NULL && query->base->lane.is_here &&
           strcmp(query->table->by, query->base->lane.name) != 0;
}

/* ---- the rows of the database ---- */

static void put_key(FILE *sql, const DiffKey *key, uint32_t number)
{
    put_sql(sql,
            !key->is_here ? "NULL"
            : key->is_hex ? "CASE typeof(t.@) WHEN 'integer' THEN printf('0x%x',t.@) ELSE t.@ END"
                          : "t.@",
            key->name);
    fprintf(sql, " AS k%u,", number);
}

static void put_column(FILE *sql, const DiffColumn *column, uint32_t number)
{
    /* A sum of integers could be too large for one. */
    put_sql(sql, column->is_here ? "1.0*t.@" : "NULL", column->name);
    fprintf(sql, " AS c%u,", number);
}

/*
 * Which rows count: those of the member that is all of them together, where there is one, unless
 * they are but sums over the others. Labels around work do not count in sums: their time is that of
 * other rows.
 */
static void put_wholes(const Query *query)
{
    const DiffSpecial *label = &query->base->label;
    const char *before = " WHERE ";

    if (query->table->by != NULL && label->is_here) {
        put_sql(query->sql, " WHERE coalesce(t.@,0)=0", label->name);
        before = " AND ";
    }

    for (uint32_t k = 0; k < query->base->key_count; k++) {
        const char *name = query->base->keys[k].name;

        if (is_member(query, k) && query->base->keys[k].is_here) {
            fputs(before, query->sql);
            before = " AND ";
            if (query->base->all_repeats) {
                put_sql(query->sql, "t.@ IS NOT 'all'", name);
                continue;
            }
            put_sql(query->sql, "(t.@ IS 'all'", name);
            put_sql(query->sql, " OR NOT EXISTS (SELECT 1 FROM @ a", query->base->name);
            put_sql(query->sql, " WHERE a.@ IS 'all'))", name);
        }
    }
}

static void put_source(const Query *query)
{
    const DiffTable *base = query->base;
    const DiffTable *table = query->table;
    const DiffSpecial *place = &base->place;

    fputs("SELECT ", query->sql);
    for (uint32_t k = 0; k < base->key_count; k++) {
        put_key(query->sql, &base->keys[k], k);
    }
    put_sql(query->sql, table->by != NULL ? "t.@" : "NULL", table->by);
    fputs(" AS b,", query->sql);
    put_sql(query->sql, place->is_here ? "t.@" : "NULL", place->name);
    fputs(" AS p,", query->sql);
    put_sql(query->sql, base->lane.is_here ? "t.@" : "NULL", base->lane.name);
    fputs(" AS l,", query->sql);
    for (uint32_t c = 0; c < table->column_count; c++) {
        put_column(query->sql, &table->columns[c], c);
    }
    for (uint32_t i = 0; i < DiffTextsOf(table); i++) {
        put_sql(query->sql, table->texts[i].is_here ? "t.@" : "NULL", table->texts[i].name);
        fprintf(query->sql, " AS x%u,", i);
    }
    fputs("1 AS n,", query->sql);
    put_sql(query->sql, table->column_count > 0 && table->columns[0].is_here ? "t.@ IS NULL" : "1",
            table->column_count > 0 ? table->columns[0].name : NULL);
    put_sql(query->sql, " AS u FROM @ t", base->name);
    put_wholes(query);
}

/* ---- the steps ---- */

/* A part of a row that all of several rows have: its letter and number are given four times. */
#define COMMON "CASE WHEN count(*)=count(%c%u) AND min(%c%u)=max(%c%u) THEN min(%c%u) END"

static void put_common(FILE *sql, char letter, uint32_t number)
{
    fprintf(sql, COMMON " AS %c%u,", letter, number, letter, number, letter, number, letter, number,
            letter, number);
}

/* `is_beside`: the rows of the step run side by side. */
static void put_number(FILE *sql, uint32_t rule, bool is_beside, uint32_t number)
{
    switch (rule) {
    case OPPROF_COMBINE_SUM:
    case OPPROF_COMBINE_LONGEST:
        fprintf(sql, "%s(c%u) AS c%u,", rule == OPPROF_COMBINE_LONGEST && is_beside ? "max" : "sum",
                number, number);
        break;
    case OPPROF_COMBINE_MEAN:
        fprintf(sql, "avg(c%u) AS c%u,", number, number);
        break;
    default:
        put_common(sql, 'c', number);
        break;
    }
}

/* Is a key still one after a step? */
static bool outlives(const Query *query, uint32_t key, Step step)
{
    return (step == STEP_KEYS || !is_member(query, key)) &&
           (step < STEP_LANES || query->table->by == NULL);
}

/* A key after a step, which rows are grouped by. */
static void put_step_key(const Query *query, uint32_t key, Step step, const char *after)
{
    if (step == STEP_MATCH && is_placed(query, key)) {
        fprintf(query->sql, "CASE WHEN ifnull(p,'')='' THEN k%u ELSE p END%s", key, after);
    } else {
        fprintf(query->sql, "k%u%s", key, after);
    }
}

static void begin_step(const Query *query, Step step)
{
    FILE *sql = query->sql;

    fputs("SELECT ", sql);
    for (uint32_t k = 0; k < query->base->key_count; k++) {
        char after[24];

        snprintf(after, sizeof after, " AS k%u,", k);
        if (outlives(query, k, step)) {
            put_step_key(query, k, step, after);
        } else { /* the only member, which names the row */
            put_common(sql, 'k', k);
        }
    }
    fputs("b,min(p) AS p,min(l) AS l,", sql);
    for (uint32_t c = 0; c < query->table->column_count; c++) {
        put_number(sql, query->table->columns[c].combine,
                   step == STEP_MEMBERS || (step == STEP_MATCH && has_lanes(query)), c);
    }
    for (uint32_t i = 0; i < DiffTextsOf(query->table); i++) {
        put_common(sql, 'x', i);
    }
    fputs("sum(n) AS n,sum(u) AS u FROM (", sql);
}

static void end_step(const Query *query, Step step)
{
    const char *by = query->table->by != NULL ? "b" : "";
    const char *before = " GROUP BY ";

    fputc(')', query->sql);
    for (uint32_t k = 0; k < query->base->key_count; k++) {
        if (outlives(query, k, step)) {
            fputs(before, query->sql);
            put_step_key(query, k, step, "");
            before = ",";
        }
    }
    if (by[0] != '\0') {
        fprintf(query->sql, "%s%s%s", before, by, step == STEP_LANES ? ",l" : "");
    }
}

/* What the reader wants of the last step, in its order. */
static void put_result(const Query *query)
{
    const DiffTable *table = query->table;

    fputs("SELECT ", query->sql);
    for (uint32_t k = 0; k < table->key_count; k++) {
        fprintf(query->sql, table->by != NULL ? "b," : "k%u,", k);
    }
    for (uint32_t c = 0; c < table->column_count; c++) {
        fprintf(query->sql, "c%u,", c);
    }
    fputs(table->by != NULL ? "n,u" : "n", query->sql);
    for (uint32_t i = 0; i < DiffTextsOf(table); i++) {
        fprintf(query->sql, ",x%u", i);
    }
    fputs(" FROM (", query->sql);
}

char *DiffQuery(const DiffTable *table, const DiffTable *base)
{
    char *text = NULL;
    size_t size;
    const Query query = { .sql = OpprofTextOpen(&text, &size), .table = table, .base = base };
    const bool wanted[] = { [STEP_KEYS] = true,
                            [STEP_MEMBERS] = query.sql != NULL && has_members(&query),
                            [STEP_LANES] = query.sql != NULL && has_lanes(&query),
                            [STEP_MATCH] =
                                table->by != NULL || (query.sql != NULL && has_places(&query)) };

    if (query.sql == NULL) {
        return NULL;
    }
    put_result(&query);
    for (Step step = STEP_MATCH + 1; step-- > STEP_KEYS;) {
        if (wanted[step]) {
            begin_step(&query, step);
        }
    }
    put_source(&query);
    for (Step step = STEP_KEYS; step <= STEP_MATCH; step++) {
        if (wanted[step]) {
            end_step(&query, step);
        }
    }
    fputc(')', query.sql);
    return fclose(query.sql) == 0 ? text : NULL;
}
