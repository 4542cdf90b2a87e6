/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds everything in a chip's metrics that has a name. Tested by
 * tests/kit/metrics/test_metrics.
 */
#include "kit/metrics/metrics_index.h"

#include <opprof/grow.h>
#include <opprof/json.h>
#include <opprof/text.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define OPERAND "{operand}"
#define MAX_TOLD 8u   /* names in a hint */
#define LEAST_PART 3u /* letters for which names that contain them are looked for */

/* An index in the making. */
typedef struct Indexer {
    MetricIndex *index;
    const OpprofChip *chip;
    bool is_full; /* no memory */
} Indexer;

static const char *text_of(const OpprofFact *object, const char *member)
{
    return OpprofFactText(OpprofFactMember(object, member));
}

static bool is_object(const OpprofFact *fact)
{
    return OpprofFactGetKind(fact) == OPPROF_FACT_OBJECT;
}

OPPROF_PRINTF(1, 2)
static char *print(const char *format, ...)
{
    char *text = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) {
        text = NULL;
    }
    va_end(args);
    return text;
}

char *MetricText(const MetricEntry *entry, const char *text)
{
    char *result = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&result, &size);

    if (out == NULL) {
        return NULL;
    }
    for (const char *at; entry->operand != NULL && (at = strstr(text, OPERAND)) != NULL;
         text = at + strlen(OPERAND)) {
        fprintf(out, "%.*s%s", (int) (at - text), text, entry->operand);
    }
    fputs(text, out);
    return fclose(out) == 0 ? result : NULL;
}

/* Making it. Takes place and where, which are NULL without memory. */

static void add(Indexer *indexer, const char *name, MetricEntry entry)
{
    MetricIndex *index = indexer->index;

    entry.name = name == NULL ? NULL : MetricText(&entry, name);
    if (name != NULL && entry.name != NULL && entry.place != NULL && entry.where != NULL &&
        OpprofGrow(&index->entries, &index->capacity, index->count + 1, sizeof *index->entries)) {
        index->entries[index->count++] = entry;
        return;
    }
    indexer->is_full = indexer->is_full || name != NULL;
    free(entry.name);
    free(entry.place);
    free(entry.where);
}

static void add_tables(Indexer *indexer)
{
    const OpprofFact *tables = OpprofChipFact(indexer->chip, "metrics.tables");
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *table;

    while (is_object(tables) && OpprofFactNext(tables, &walk, &name, &table)) {
        const OpprofFact *columns = OpprofFactMember(table, "columns");
        for (size_t i = 0; i < OpprofFactCount(columns); i++) {
            const OpprofFact *column = OpprofFactAt(columns, i);
            add(indexer, text_of(column, "name"),
                (MetricEntry){ .kind = ENTRY_COLUMN,
                               .fact = column,
                               .place = print("metrics.tables.%s.columns[%zu]", name, i),
                               .where = print("column of the table '%s'", name) });
        }
    }
}

/* With "each" there is an entry for every element of a list. */
static void add_load(Indexer *indexer, const char *kind, size_t i, const OpprofFact *fact)
{
    const char *each = text_of(fact, "each");
    const OpprofFact *list = each == NULL ? NULL : OpprofChipFact(indexer->chip, each);
    const size_t count = each == NULL ? 1 : OpprofFactCount(list);

    for (size_t k = 0; k < count; k++) {
        add(indexer, text_of(fact, "name"),
            (MetricEntry){ .kind = ENTRY_LOAD,
                           .fact = fact,
                           .operand = OpprofFactText(OpprofFactAt(list, k)),
                           .place = print("metrics.compute_load.%s[%zu]", kind, i),
                           .where = print("compute load of '%s' cores", kind) });
    }
}

static void add_loads(Indexer *indexer)
{
    const OpprofFact *kinds = OpprofChipFact(indexer->chip, "metrics.compute_load");
    OpprofFactWalk walk = { 0 };
    const char *kind;
    const OpprofFact *list;

    while (is_object(kinds) && OpprofFactNext(kinds, &walk, &kind, &list)) {
        for (size_t i = 0; i < OpprofFactCount(list); i++) {
            add_load(indexer, kind, i, OpprofFactAt(list, i));
        }
    }
}

/* Names of the tables that show a set of rows, and their shape (the first one's). */
static char *tables_of(const Indexer *indexer, const char *set, const OpprofFact **ret_shape)
{
    const OpprofFact *tables = OpprofChipFact(indexer->chip, "metrics.storage.tables");
    const OpprofFact *shapes = OpprofChipFact(indexer->chip, "metrics.storage.shapes");
    char *text = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&text, &size);

    *ret_shape = NULL;
    for (size_t i = 0; out != NULL && i < OpprofFactCount(tables); i++) {
        const OpprofFact *table = OpprofFactAt(tables, i);
        const char *rows = text_of(table, "rows");
        const char *shape = text_of(table, "shape");
        const char *name = text_of(table, "name");
        if (rows == NULL || shape == NULL || name == NULL || strcmp(rows, set) != 0) {
            continue;
        }
        fprintf(out, "%s'%s'", *ret_shape == NULL ? "row of the memory table " : ", ", name);
        *ret_shape = *ret_shape == NULL ? OpprofFactMember(shapes, shape) : *ret_shape;
    }
    if (out != NULL && *ret_shape == NULL) {
        fprintf(out, "row of the set '%s', which no table shows", set);
    }
    return out != NULL && fclose(out) == 0 ? text : NULL;
}

static void add_rows(Indexer *indexer)
{
    const OpprofFact *sets = OpprofChipFact(indexer->chip, "metrics.storage.rows");
    OpprofFactWalk walk = { 0 };
    const char *set;
    const OpprofFact *rows;

    while (is_object(sets) && OpprofFactNext(sets, &walk, &set, &rows)) {
        for (size_t i = 0; i < OpprofFactCount(rows); i++) {
            const OpprofFact *shape = NULL;
            char *where = tables_of(indexer, set, &shape);
            add(indexer, text_of(OpprofFactAt(rows, i), "name"),
                (MetricEntry){ .kind = ENTRY_ROW,
                               .fact = OpprofFactAt(rows, i),
                               .outer = OpprofFactMember(shape, "defaults"),
                               .shape = shape,
                               .place = print("metrics.storage.rows.%s[%zu]", set, i),
                               .where = where });
        }
    }
}

static void add_shapes(Indexer *indexer)
{
    const OpprofFact *shapes = OpprofChipFact(indexer->chip, "metrics.storage.shapes");
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *shape;

    while (is_object(shapes) && OpprofFactNext(shapes, &walk, &name, &shape)) {
        const OpprofFact *columns = OpprofFactMember(shape, "columns");
        for (size_t i = 0; i < OpprofFactCount(columns); i++) {
            add(indexer, text_of(OpprofFactAt(columns, i), "name"),
                (MetricEntry){ .kind = ENTRY_SHAPE_COLUMN,
                               .fact = OpprofFactAt(columns, i),
                               .place = print("metrics.storage.shapes.%s.columns[%zu]", name, i),
                               .where = print("column of memory tables of the shape '%s'", name) });
        }
    }
}

/* A path may be a row of a table instead of formulas of its own. */
static const OpprofFact *row_of(const Indexer *indexer, const OpprofFact *path)
{
    const OpprofFact *sets = OpprofChipFact(indexer->chip, "metrics.storage.rows");
    const char *set = text_of(path, "rows");
    const char *name = text_of(path, "row");
    const OpprofFact *rows = set == NULL ? NULL : OpprofFactMember(sets, set);

    for (size_t i = 0; name != NULL && i < OpprofFactCount(rows); i++) {
        const char *other = text_of(OpprofFactAt(rows, i), "name");
        if (other != NULL && strcmp(other, name) == 0) {
            return OpprofFactAt(rows, i);
        }
    }
    return path;
}

static void add_map(Indexer *indexer)
{
    const OpprofFact *units = OpprofChipFact(indexer->chip, "metrics.storage.map.units");
    const OpprofFact *paths = OpprofChipFact(indexer->chip, "metrics.storage.map.paths");
    const OpprofFact *shape = OpprofChipFact(indexer->chip, "metrics.storage.shapes.requests_peak");

    for (size_t i = 0; i < OpprofFactCount(units); i++) {
        add(indexer, text_of(OpprofFactAt(units, i), "name"),
            (MetricEntry){ .kind = ENTRY_UNIT,
                           .fact = OpprofFactAt(units, i),
                           .place = print("metrics.storage.map.units[%zu]", i),
                           .where = print("unit of the memory map") });
    }
    for (size_t i = 0; i < OpprofFactCount(paths); i++) {
        double number = 0;
        char name[32];
        OpprofFactNumber(OpprofFactMember(OpprofFactAt(paths, i), "path"), &number);
        snprintf(name, sizeof name, "path %.0f", number);
        add(indexer, name,
            (MetricEntry){ .kind = ENTRY_PATH,
                           .fact = row_of(indexer, OpprofFactAt(paths, i)),
                           .outer = OpprofFactMember(shape, "defaults"),
                           .shape = shape,
                           .place = print("metrics.storage.map.paths[%zu]", i),
                           .where = print("path of the memory map") });
    }
}

static void add_work(Indexer *indexer, const char *id, const OpprofFact *work)
{
    const OpprofFact *shares = OpprofFactMember(work, "shares");
    const char *name = text_of(work, "name");

    add(indexer, name == NULL ? id : name,
        (MetricEntry){ .kind = ENTRY_WORK,
                       .fact = work,
                       .place = print("metrics.roofline.compute.%s", id),
                       .where = print("work of the rooflines") });
    for (size_t i = 0; i < OpprofFactCount(shares); i++) {
        add(indexer, text_of(OpprofFactAt(shares, i), "name"),
            (MetricEntry){ .kind = ENTRY_SHARE,
                           .fact = OpprofFactAt(shares, i),
                           .outer = work,
                           .place = print("metrics.roofline.compute.%s.shares[%zu]", id, i),
                           .where = print("share of the work '%s' of the rooflines", id) });
    }
}

static void add_graph(Indexer *indexer, size_t number, const OpprofFact *graph)
{
    const OpprofFact *lines = OpprofFactMember(graph, "lines");
    const char *title = text_of(graph, "title");

    for (size_t i = 0; i < OpprofFactCount(lines); i++) {
        add(indexer, text_of(OpprofFactAt(lines, i), "name"),
            (MetricEntry){ .kind = ENTRY_LINE,
                           .fact = OpprofFactAt(lines, i),
                           .place = print("metrics.roofline.graphs[%zu].lines[%zu]", number, i),
                           .where =
                               print("line of the roofline '%s'", title == NULL ? "" : title) });
    }
}

static void add_rooflines(Indexer *indexer)
{
    const OpprofFact *works = OpprofChipFact(indexer->chip, "metrics.roofline.compute");
    const OpprofFact *graphs = OpprofChipFact(indexer->chip, "metrics.roofline.graphs");
    OpprofFactWalk walk = { 0 };
    const char *id;
    const OpprofFact *work;

    while (is_object(works) && OpprofFactNext(works, &walk, &id, &work)) {
        add_work(indexer, id, work);
    }
    for (size_t i = 0; i < OpprofFactCount(graphs); i++) {
        add_graph(indexer, i, OpprofFactAt(graphs, i));
    }
}

/* Members of an object, which are named by their keys. */
static void add_members(Indexer *indexer, const char *path, MetricEntryKind kind, const char *where)
{
    const OpprofFact *object = OpprofChipFact(indexer->chip, path);
    OpprofFactWalk walk = { 0 };
    const char *key;
    const OpprofFact *fact;

    while (is_object(object) && OpprofFactNext(object, &walk, &key, &fact)) {
        const char *name = kind == ENTRY_EVENT ? text_of(fact, "name") : key;
        if (OpprofFactGetKind(fact) != OPPROF_FACT_NONE) {
            add(indexer, name,
                (MetricEntry){ .kind = kind,
                               .fact = fact,
                               .place = print("%s.%s", path, key),
                               .where = print("%s%s", where, kind == ENTRY_EVENT ? key : "") });
        }
    }
}

bool MetricIndexInit(MetricIndex *index, const OpprofChip *chip)
{
    Indexer indexer = { .index = index, .chip = chip };

    *index = (MetricIndex){ .count = 0 };
    add_tables(&indexer);
    add_members(&indexer, "metrics.operator", ENTRY_OPERATOR, "shown for the operator");
    add_loads(&indexer);
    add_rows(&indexer);
    add_shapes(&indexer);
    add_map(&indexer);
    add_members(&indexer, "metrics.occupancy", ENTRY_LOADING, "load that the occupancy compares");
    add_rooflines(&indexer);
    add_members(&indexer, "metrics.symbols", ENTRY_SYMBOL, "formula that others share");
    add_members(&indexer, "metrics.facts", ENTRY_FACT, "fact of a launch");
    add_members(&indexer, "pmu.events", ENTRY_EVENT, "event ");
    return !indexer.is_full;
}

void MetricIndexFinish(MetricIndex *index)
{
    for (size_t i = 0; i < index->count; i++) {
        free(index->entries[i].name);
        free(index->entries[i].place);
        free(index->entries[i].where);
    }
    free(index->entries);
    *index = (MetricIndex){ .count = 0 };
}

/* ---- finding ---- */

/* Letters of a name before its unit: "aic_time(us)" has 8, "(x)" all of them. */
static size_t base_length(const char *name)
{
    const size_t length = strlen(name);
    const char *bracket = strrchr(name, '(');

    return bracket == NULL || bracket == name || name[length - 1] != ')'
               ? length
               : (size_t) (bracket - name);
}

static bool is_exact(const char *name, const char *wanted)
{
    return strcmp(name, wanted) == 0;
}

static bool is_in_any_case(const char *name, const char *wanted)
{
    return strcasecmp(name, wanted) == 0;
}

static bool is_without_unit(const char *name, const char *wanted)
{
    const size_t length = base_length(name);
    return strlen(wanted) == length && strncasecmp(name, wanted, length) == 0;
}

static bool is_part(const char *name, const char *wanted)
{
    return strlen(wanted) >= LEAST_PART && strcasestr(name, wanted) != NULL;
}

/* Whether an earlier entry has the same name. */
static bool is_repeated(const MetricIndex *index, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (strcmp(index->entries[i].name, index->entries[at].name) == 0) {
            return true;
        }
    }
    return false;
}

typedef bool Matches(const char *name, const char *wanted);

/* Different names that match; *ret_first is the first one. */
static size_t count_names(const MetricIndex *index, Matches *matches, const char *wanted,
                          const char **ret_first)
{
    size_t count = 0;

    for (size_t i = 0; i < index->count; i++) {
        if (!matches(index->entries[i].name, wanted) || is_repeated(index, i)) {
            continue;
        }
        if (count++ == 0) {
            *ret_first = index->entries[i].name;
        }
    }
    return count;
}

/* "'a', 'b' and 3 more". */
static void print_names(const MetricIndex *index, Matches *matches, const char *wanted, FILE *out)
{
    size_t count = 0;

    for (size_t i = 0; i < index->count; i++) {
        if (!matches(index->entries[i].name, wanted) || is_repeated(index, i)) {
            continue;
        }
        if (count++ < MAX_TOLD) {
            fprintf(out, "%s'%s'", count == 1 ? "" : ", ", index->entries[i].name);
        }
    }
    if (count > MAX_TOLD) {
        fprintf(out, " and %zu more", count - MAX_TOLD);
    }
}

/* The nearest name, with its unit or without. NULL if none is near, or without memory. */
static char *nearest_name(const MetricIndex *index, const char *wanted)
{
    const char **names = calloc(2 * index->count + 1, sizeof *names);
    char *nearest = NULL;

    for (size_t i = 0; names != NULL && i < index->count; i++) {
        names[2 * i] = index->entries[i].name;
        names[2 * i + 1] = strndup(names[2 * i], base_length(names[2 * i]));
    }
    if (names != NULL) {
        const char *found = OpprofNearestName(wanted, names, 2 * index->count);
        nearest = found == NULL ? NULL : strdup(found);
    }
    for (size_t i = 0; names != NULL && i < index->count; i++) {
        char *copy;
        memcpy(&copy, &names[2 * i + 1], sizeof copy);
        free(copy);
    }
    free(names);
    return nearest;
}

static void hint_at_names(const MetricIndex *index, const char *wanted, OpprofError **error)
{
    char *nearest = nearest_name(index, wanted);
    const char *unused;
    char *text = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&text, &size);

    if (out != NULL) {
        if (nearest != NULL) {
            fprintf(out, "Did you mean '%s'? ", nearest);
        } else if (count_names(index, is_part, wanted, &unused) > 0) {
            fputs("Did you mean one of ", out);
            print_names(index, is_part, wanted, out);
            fputs("? ", out);
        }
        fputs("The name 'all' lists all", out);
        if (fclose(out) == 0) {
            OpprofErrorHint(error, "%s", text);
        }
    }
    free(text);
    free(nearest);
}

static OpprofStatus refuse_ambiguous(const MetricIndex *index, Matches *matches, const char *wanted,
                                     OpprofError **error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&text, &size);

    if (out != NULL) {
        print_names(index, matches, wanted, out);
    }
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Several metrics could be meant with '%s'", wanted);
    if (out != NULL && fclose(out) == 0) {
        OpprofErrorHint(error, "Say which: %s", text);
    }
    free(text);
    return OPPROF_E_ARGUMENT;
}

OpprofStatus MetricIndexFind(const MetricIndex *index, const OpprofChip *chip, const char *name,
                             const char **ret_name, OpprofError **error)
{
    static Matches *const ways[] = { is_exact, is_in_any_case, is_without_unit };

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const size_t count = count_names(index, ways[i], name, ret_name);
        if (count > 0) {
            return count == 1 ? OPPROF_OK : refuse_ambiguous(index, ways[i], name, error);
        }
    }
    OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "No metric '%s' of the chip '%s'", name,
                   OpprofChipSoc(chip));
    hint_at_names(index, name, error);
    return OPPROF_E_NOT_FOUND;
}
