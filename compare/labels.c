/* SPDX-License-Identifier: Apache-2.0 */
/* Matches labels of two runs that differ in digits. Tested by tests/compare/test_labels.sh. */
#include "labels.h"

#include <opprof/grow.h>
#include <opprof/text.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- noting ---- */

/* False without memory. */
static bool add_label(DiffLabels *labels, const char *text)
{
    const char *kept;

    if (OpprofTextMapFind(&labels->index, text, strlen(text)) != OPPROF_MAP_NONE) {
        return true;
    }
    if (!OpprofGrow32(&labels->list, &labels->capacity, labels->count + 1, sizeof *labels->list) ||
        !OpprofTextMapPut(&labels->index, text, strlen(text), labels->count, &kept)) {
        return false;
    }
    labels->list[labels->count++] = kept;
    return true;
}

static bool has_column(const OpprofResults *results, const char *table, const char *column)
{
    const OpprofResultsInfo *info = OpprofResultsAbout(results);

    for (uint32_t i = 0; i < info->table_count; i++) {
        const OpprofRecordType *type = info->tables[i].type;

        for (uint32_t f = 0; strcmp(info->tables[i].name, table) == 0 && f < type->field_count;
             f++) {
            if (strcmp(type->fields[f].name, column) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* SELECT DISTINCT "column" FROM "table"; NULL without memory. */
static char *query_for(const char *table, const char *column)
{
    char *sql = NULL;
    size_t size;
    FILE *out = OpprofTextOpen(&sql, &size);
    const char *const parts[] = { "SELECT DISTINCT \"", column, "\" FROM \"", table, "\"" };

    for (unsigned i = 0; out != NULL && i < 5; i++) {
        for (const char *at = parts[i]; *at != '\0'; at++) {
            fputs(i % 2 == 1 && *at == '"' ? "\"\"" : (const char[]){ *at, '\0' }, out);
        }
    }
    return out != NULL && fclose(out) == 0 ? sql : NULL;
}

static OpprofStatus note_column(DiffKey *key, const char *table, OpprofResults *results, int side,
                                OpprofError **error)
{
    OpprofResultsRows *rows = NULL;
    char *sql = query_for(table, key->name);
    OpprofStatus status =
        sql == NULL ? DiffNoMemory(error) : OpprofResultsQuery(results, sql, &rows, error);

    while (status == OPPROF_OK && (status = OpprofResultsNext(rows, error)) == OPPROF_OK) {
        const char *text = OpprofResultsText(rows, 0, NULL);

        if (text != NULL && !add_label(&key->labels[side], text)) {
            status = DiffNoMemory(error);
        }
    }
    OpprofResultsRowsFree(rows);
    free(sql);
    return status == OPPROF_END ? OPPROF_OK : status;
}

OpprofStatus DiffLabelsNote(DiffData *data, OpprofResults *results, int side, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; i < data->table_count && status == OPPROF_OK; i++) {
        const DiffTable *table = &data->tables[i];

        for (uint32_t k = 0; k < table->key_count && status == OPPROF_OK; k++) {
            DiffKey *key = &table->keys[k];

            if (key->is_label && has_column(results, table->name, key->name)) {
                status = OpprofResultsCheck(results, table->name, error);
                status = status == OPPROF_OK ? note_column(key, table->name, results, side, error)
                                             : status;
            }
        }
    }
    return status;
}

/* ---- matching ---- */

/* The rest of two texts after numbers that they begin with. */
static int compare_numbers(const char **a, const char **b)
{
    size_t lengths[2];

    *a += strspn(*a, "0");
    *b += strspn(*b, "0");
    lengths[0] = strspn(*a, "0123456789");
    lengths[1] = strspn(*b, "0123456789");
    const int order =
        lengths[0] != lengths[1] ? (lengths[0] < lengths[1] ? -1 : 1) : strncmp(*a, *b, lengths[0]);
    *a += lengths[0];
    *b += lengths[1];
    return order;
}

/* 0: equal except for digits; then *ret_order says by which they come first. */
static int compare_patterns(const char *a, const char *b, int *ret_order)
{
    *ret_order = 0;
    while (*a != '\0' || *b != '\0') {
        if (isdigit((unsigned char) *a) && isdigit((unsigned char) *b)) {
            const int order = compare_numbers(&a, &b);

            *ret_order = *ret_order == 0 ? order : *ret_order;
        } else if (*a != *b) {
            return (unsigned char) *a < (unsigned char) *b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return 0;
}

static bool is_like(const char *a, const char *b)
{
    int order;

    return compare_patterns(a, b, &order) == 0;
}

static int compare_labels(const void *left, const void *right)
{
    int order;
    const int pattern =
        compare_patterns(*(const char *const *) left, *(const char *const *) right, &order);

    return pattern != 0 ? pattern : order;
}

/* What one side has and the other does not, in order. Returns how many. */
static uint32_t take_left(const DiffLabels *labels, const DiffLabels *other, const char **left)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < labels->count; i++) {
        const char *text = labels->list[i];

        if (OpprofTextMapFind(&other->index, text, strlen(text)) == OPPROF_MAP_NONE) {
            left[count++] = text;
        }
    }
    qsort(left, count, sizeof *left, compare_labels);
    return count;
}

static uint32_t count_like(const char *const *list, uint32_t count, uint32_t from)
{
    uint32_t like = 0;

    while (from + like < count && is_like(list[from], list[from + like])) {
        like++;
    }
    return like;
}

/* Both lists are in order. False without memory. */
static bool match(DiffKey *key, const char *const *a, uint32_t a_count, const char *const *b,
                  uint32_t b_count)
{
    uint32_t i = 0, j = 0;
    bool is_good = true;

    while (i < a_count && j < b_count && is_good) {
        int order;
        const int pattern = compare_patterns(a[i], b[j], &order);
        const uint32_t like_a = count_like(a, a_count, i);
        const uint32_t like_b = count_like(b, b_count, j);

        for (uint32_t n = 0; pattern == 0 && like_a == like_b && n < like_a && is_good; n++) {
            const char *from = b[j + n];
            const uint32_t to =
                OpprofTextMapFind(&key->labels[0].index, a[i + n], strlen(a[i + n]));

            is_good = OpprofTextMapPut(&key->renames, from, strlen(from), to, NULL);
        }
        i += pattern <= 0 ? like_a : 0;
        j += pattern >= 0 ? like_b : 0;
    }
    return is_good;
}

static bool pair_key(DiffKey *key)
{
    const DiffLabels *labels = key->labels;
    const char **left = calloc((size_t) labels[0].count + 1, sizeof *left);
    const char **right = calloc((size_t) labels[1].count + 1, sizeof *right);
    const bool is_made = left != NULL && right != NULL;
    bool is_good = is_made;

    if (is_made) {
        const uint32_t a = take_left(&labels[0], &labels[1], left);
        const uint32_t b = take_left(&labels[1], &labels[0], right);

        is_good = match(key, left, a, right, b);
    }
    free(left);
    free(right);
    return is_good;
}

bool DiffLabelsPair(DiffData *data)
{
    bool is_good = true;

    for (uint32_t i = 0; i < data->table_count; i++) {
        for (uint32_t k = 0; k < data->tables[i].key_count && is_good; k++) {
            DiffKey *key = &data->tables[i].keys[k];

            is_good = !key->is_label || pair_key(key);
        }
    }
    return is_good;
}

const char *DiffLabel(const DiffKey *key, const char *text)
{
    const uint32_t at =
        text == NULL ? OPPROF_MAP_NONE : OpprofTextMapFind(&key->renames, text, strlen(text));

    return at == OPPROF_MAP_NONE ? text : key->labels[0].list[at];
}
