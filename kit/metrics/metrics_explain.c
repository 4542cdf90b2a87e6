/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explains a metric: its formula, inputs, units and where each comes from. Tested by
 * tests/kit/metrics/test_metrics.
 */
#include "kit/metrics/metrics.h"
#include "kit/metrics/metrics_index.h"

#include <jansson.h>

#include <opprof/require.h>
#include <stdlib.h>
#include <string.h>

/* The subject of an explanation. */
typedef struct Explainer {
    const OpprofChip *chip;
    FILE *out;
    OpprofError **error;
    OpprofMetrics *metrics; /* of the formulas printed so far: their inputs, in order */
} Explainer;

/* Formulas of each kind, by member; a row's members all are. */
static const char *const formula_members[][4] = {
    [ENTRY_COLUMN] = { "is", "optional", "with" },
    [ENTRY_LOAD] = { "is", "optional" },
    [ENTRY_SHAPE_COLUMN] = { "is" },
    [ENTRY_ROW] = { NULL },
    [ENTRY_UNIT] = { "is" },
    [ENTRY_PATH] = { NULL },
    [ENTRY_LOADING] = { "is", "when" },
    [ENTRY_WORK] = { "ops", "count", "theory" },
    [ENTRY_SHARE] = { "is" },
    [ENTRY_LINE] = { "bytes", "peak" },
    [ENTRY_OPERATOR] = { "is", "when" },
    [ENTRY_SYMBOL] = { "is" },
    [ENTRY_FACT] = { NULL },
    [ENTRY_EVENT] = { NULL },
};

static const char *text_or(const OpprofFact *object, const char *member, const char *otherwise)
{
    const char *text = OpprofFactText(OpprofFactMember(object, member));
    return text != NULL ? text : otherwise;
}

static void print_member(const Explainer *explainer, const OpprofFact *object, const char *member,
                         const char *label)
{
    const char *text = OpprofFactText(OpprofFactMember(object, member));

    if (text != NULL) {
        fprintf(explainer->out, "  %s: %s\n", label, text);
    }
}

/* "  LABEL: FILE, PLACE", where the chip file says so. */
static void print_origin(const Explainer *explainer, const char *before, const char *place)
{
    const char *file = OpprofChipOrigin(explainer->chip, place);
    fprintf(explainer->out, "%s%s, %s\n", before, file == NULL ? "?" : file, place);
}

/* ---- inputs ---- */

/* The replays that count an event, and in which counter. */
static void print_slots(const Explainer *explainer, double event, const char *indent)
{
    const OpprofFact *rounds = OpprofChipFact(explainer->chip, "pmu.rounds");
    OpprofFactWalk walk = { 0 };
    const char *before = "counted by ";
    const char *kind;
    const OpprofFact *list;

    fputs(indent, explainer->out);
    while (OpprofFactGetKind(rounds) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(rounds, &walk, &kind, &list)) {
        for (size_t round = 0; round < OpprofFactCount(list); round++) {
            const OpprofFact *slots = OpprofFactAt(list, round);
            for (size_t slot = 0; slot < OpprofFactCount(slots); slot++) {
                double id = -1;
                if (OpprofFactNumber(OpprofFactAt(slots, slot), &id) && id == event) {
                    fprintf(explainer->out, "%s%s: replay %zu, counter %zu", before, kind,
                            round + 1, slot);
                    before = "; ";
                }
            }
        }
    }
    fputs(before[0] == ';' ? "\n" : "counted by no replay\n", explainer->out);
}

static bool is_event(const char *keys)
{
    return strcmp(keys, "pmu.events") == 0;
}

static void print_event(const Explainer *explainer, const char *id, const char *indent)
{
    char place[METRIC_MAX_PLACE];

    snprintf(place, sizeof place, "pmu.events.%s", id);
    const OpprofFact *event = OpprofChipFact(explainer->chip, place);
    fprintf(explainer->out, "%sevent %s (0x%lx) %s: %s\n", indent, id, strtoul(id, NULL, 10),
            text_or(event, "name", "without a name"), text_or(event, "meaning", "?"));
    print_slots(explainer, strtod(id, NULL), indent);
    fputs(indent, explainer->out);
    print_origin(explainer, "from ", place);
}

/* A path that data moves along. */
static void print_routes(const Explainer *explainer, const OpprofFact *path)
{
    const OpprofFact *routes = OpprofFactMember(path, "routes");
    double bytes = 0;

    for (size_t i = 0; i < OpprofFactCount(routes); i++) {
        const char *route = OpprofFactText(OpprofFactAt(routes, i));
        fprintf(explainer->out, "%s%s", i == 0 ? "      route " : ", ",
                route == NULL ? "?" : route);
    }
    if (OpprofFactNumber(OpprofFactMember(path, "bytes"), &bytes)) {
        fprintf(explainer->out, "%srequests of %.15g bytes",
                OpprofFactCount(routes) == 0 ? "      " : "; ", bytes);
    }
    fputc('\n', explainer->out);
}

static void print_indexed(const Explainer *explainer, const MetricName *name)
{
    const OpprofFact *entry = OpprofFactMember(explainer->metrics->formulas->indexed, name->name);
    const char *keys = text_or(entry, "keys", "");
    const OpprofFact *key = OpprofFactMember(OpprofChipFact(explainer->chip, keys), name->key);
    char place[METRIC_MAX_PLACE];

    fprintf(explainer->out, "    %s(%s)  [%s]  %s\n", name->name, name->key,
            text_or(entry, "unit", "?"), text_or(entry, "meaning", ""));
    if (is_event(keys)) {
        print_event(explainer, name->key, "      ");
        return;
    }
    if (OpprofFactMember(key, "bytes") != NULL) {
        print_routes(explainer, key);
    }
    snprintf(place, sizeof place, "%s%s%s", keys, key == NULL ? "" : ".",
             key == NULL ? "" : name->key);
    print_origin(explainer, "      from ", place);
}

static void print_constant(const Explainer *explainer, const MetricName *name)
{
    const OpprofFact *entry = OpprofFactMember(explainer->metrics->formulas->indexed, name->name);

    char place[METRIC_MAX_PLACE];
    double number = 0;

    if (!MetricsConstant(explainer->metrics, name, &number, place)) {
        fprintf(explainer->out, "    %s(%s)  [%s]  %s\n      unknown for %s: what needs it is NA\n",
                name->name, name->key, text_or(entry, "unit", "?"), text_or(entry, "meaning", ""),
                OpprofChipSoc(explainer->chip));
        return;
    }
    fprintf(explainer->out, "    %s(%s) = %.15g  [%s]  %s\n", name->name, name->key, number,
            text_or(entry, "unit", "?"), text_or(entry, "meaning", ""));
    print_origin(explainer, "      from ", place);
}

static void print_symbol(const Explainer *explainer, const MetricName *name)
{
    const OpprofFact *symbol = OpprofFactMember(explainer->metrics->formulas->symbols, name->name);
    const char *formula = OpprofFactText(symbol);
    char place[METRIC_MAX_PLACE];

    snprintf(place, sizeof place, "metrics.symbols.%s", name->name);
    fprintf(explainer->out, "    %s  [%s]  %s\n      = %s\n", name->name,
            text_or(symbol, "unit", "?"), text_or(symbol, "meaning", ""),
            formula != NULL ? formula : text_or(symbol, "is", ""));
    print_origin(explainer, "      from ", place);
}

/* Where a fact comes from, and what the chip file adds to it. */
static void print_fact_source(const Explainer *explainer, const OpprofFact *fact,
                              const char *indent)
{
    const char *place = OpprofFactText(OpprofFactMember(fact, "chip_file"));
    double number = 0;

    fprintf(explainer->out, "%sfrom %s\n", indent, text_or(fact, "source", "?"));
    if (place != NULL && OpprofChipNumber(explainer->chip, place, &number)) {
        fprintf(explainer->out, "%sthe chip file says %.15g: ", indent, number);
        print_origin(explainer, "", place);
    }
}

static void print_input(const Explainer *explainer, const MetricName *name)
{
    const OpprofFact *fact;

    switch ((MetricNameKind) name->kind) {
    case METRIC_INDEXED:
        print_indexed(explainer, name);
        return;
    case METRIC_CONSTANT:
        print_constant(explainer, name);
        return;
    case METRIC_SYMBOL:
        print_symbol(explainer, name);
        return;
    case METRIC_FACT:
        fact = OpprofFactMember(explainer->metrics->formulas->facts, name->name);
        fprintf(explainer->out, "    %s  [%s]  %s\n", name->name, text_or(fact, "unit", "?"),
                text_or(fact, "meaning", ""));
        print_fact_source(explainer, fact, "      ");
        return;
    }
}

static void print_inputs(const Explainer *explainer)
{
    const OpprofMetrics *metrics = explainer->metrics;

    for (uint32_t i = 0; i < metrics->used_count; i++) {
        const MetricName name = MetricFormulasName(metrics->formulas, metrics->used[i]);
        if (i == 0) {
            fputs("  inputs:\n", explainer->out);
        }
        print_input(explainer, &name);
    }
}

/* ---- formulas ---- */

/* Prints a formula and collects what it depends on. */
static OpprofStatus print_formula(const Explainer *explainer, const MetricEntry *entry,
                                  const char *label, const OpprofFact *column, const char *formula)
{
    const OpprofMetricScope outer = { .members = entry->outer };
    const OpprofMetricScope scope = { .members = entry->fact,
                                      .outer = entry->outer != NULL ? &outer : NULL };
    const OpprofFormula *unused;
    char *text = MetricText(entry, formula);

    if (text == NULL) {
        return OpprofErrorNoMemory(explainer->error, "explain '%s'", entry->name);
    }
    fprintf(explainer->out, "  %s", strcmp(label, "is") == 0 ? "formula" : label);
    if (OpprofFactMember(column, "unit") != NULL) {
        fprintf(explainer->out, "  [%s]", text_or(column, "unit", ""));
    }
    fprintf(explainer->out, ": %s\n", text);
    OpprofStatus status = OPPROF_OK;
    if (entry->kind != ENTRY_SHAPE_COLUMN) { /* its names are members of rows */
        status = OpprofMetricsAdd(explainer->metrics, entry->name, text,
                                  entry->kind == ENTRY_SYMBOL ? NULL : &scope, &unused,
                                  explainer->error);
    }
    free(text);
    return status;
}

static OpprofStatus print_value(const Explainer *explainer, const MetricEntry *entry,
                                const char *label, const OpprofFact *fact)
{
    const char *formula = OpprofFactText(fact);
    double number = 0;

    if (formula != NULL) {
        return print_formula(explainer, entry, label, NULL, formula);
    }
    if (OpprofFactNumber(fact, &number)) {
        fprintf(explainer->out, "  %s: %.15g\n", label, number);
    }
    return OPPROF_OK;
}

/* Members that a row of a shape brings along, and the columns made from them. */
static OpprofStatus print_shape(const Explainer *explainer, const MetricEntry *entry)
{
    static const char *const others[] = { "name",   "in",   "of",  "sub",  "path",
                                          "suffix", "rows", "row", "class" };
    const OpprofFact *columns = OpprofFactMember(entry->shape, "columns");
    const OpprofFact *advice = OpprofFactMember(entry->shape, "advice");
    OpprofFactWalk walk = { 0 };
    OpprofStatus status = OPPROF_OK;
    const char *member;
    const OpprofFact *fact;

    while (status == OPPROF_OK && OpprofFactNext(entry->fact, &walk, &member, &fact)) {
        bool is_other = false;
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            is_other = is_other || strcmp(others[i], member) == 0;
        }
        status = is_other ? OPPROF_OK : print_value(explainer, entry, member, fact);
    }
    for (size_t i = 0; status == OPPROF_OK && i < OpprofFactCount(columns); i++) {
        const OpprofFact *column = OpprofFactAt(columns, i);
        char label[METRIC_MAX_PLACE];
        snprintf(label, sizeof label, "column '%s'", text_or(column, "name", ""));
        if (OpprofFactMember(column, "is") != NULL) {
            status = print_formula(explainer, entry, label, column, text_or(column, "is", ""));
        }
    }
    if (status == OPPROF_OK && OpprofFactMember(advice, "when") != NULL) {
        status = print_formula(explainer, entry, "advice when", NULL, text_or(advice, "when", ""));
    }
    return status;
}

/* The share that a value is given as, beside itself or instead. */
static OpprofStatus print_share(const Explainer *explainer, const MetricEntry *entry)
{
    const OpprofFact *share = OpprofChipFact(explainer->chip, "metrics.share");
    const bool is_shared =
        entry->kind == ENTRY_UNIT || OpprofFactBool(OpprofFactMember(entry->fact, "share"), false);

    if (entry->kind == ENTRY_SHARE) {
        return print_value(explainer, entry, "share", OpprofFactMember(entry->outer, "share"));
    }
    return is_shared && (entry->kind == ENTRY_UNIT || entry->kind == ENTRY_LOAD)
               ? print_formula(explainer, entry, "share", share, text_or(share, "is", "0"))
               : OPPROF_OK;
}

static OpprofStatus print_formulas(const Explainer *explainer, const MetricEntry *entry)
{
    const char *const *members = formula_members[entry->kind];
    OpprofStatus status = OPPROF_OK;

    if (entry->kind == ENTRY_SYMBOL && OpprofFactText(entry->fact) != NULL) {
        return print_value(explainer, entry, "is", entry->fact);
    }
    for (size_t i = 0; status == OPPROF_OK && members[i] != NULL; i++) {
        status =
            print_value(explainer, entry, members[i], OpprofFactMember(entry->fact, members[i]));
    }
    if (status == OPPROF_OK && entry->shape != NULL) {
        status = print_shape(explainer, entry);
    }
    return status == OPPROF_OK ? print_share(explainer, entry) : status;
}

/* ---- entries ---- */

/* Several tables may show the same column, calculated the same way. */
static bool is_alike(const MetricEntry *a, const MetricEntry *b)
{
    return a->kind == ENTRY_COLUMN && b->kind == ENTRY_COLUMN && strcmp(a->name, b->name) == 0 &&
           json_equal((const json_t *) a->fact, (const json_t *) b->fact) == 1;
}

static void print_places(const Explainer *explainer, const MetricIndex *index,
                         const MetricEntry *entry, bool of_files)
{
    const char *kind = OpprofFactText(OpprofFactMember(entry->fact, "of"));

    for (const MetricEntry *at = entry; at < index->entries + index->count; at++) {
        if (at != entry && !is_alike(entry, at)) {
            continue;
        }
        if (of_files) {
            print_origin(explainer, "  source: ", at->place);
        } else {
            fprintf(explainer->out, "  is: %s%s%s%s\n", at->where, kind == NULL ? "" : ", of '",
                    kind == NULL ? "" : kind, kind == NULL ? "" : "' cores");
        }
    }
}

/* A row for an example of what a shape's columns are calculated from. */
static void print_example(const Explainer *explainer, const MetricIndex *index,
                          const MetricEntry *column)
{
    for (size_t i = 0; i < index->count; i++) {
        const MetricEntry *entry = &index->entries[i];
        const OpprofFact *columns = OpprofFactMember(entry->shape, "columns");
        for (size_t k = 0; entry->kind == ENTRY_ROW && k < OpprofFactCount(columns); k++) {
            if (OpprofFactAt(columns, k) == column->fact) {
                fprintf(explainer->out, "  names in it: members of the rows, such as '%s'\n",
                        entry->name);
                return;
            }
        }
    }
}

static OpprofStatus print_details(Explainer *explainer, const MetricIndex *index,
                                  const MetricEntry *entry)
{
    print_member(explainer, entry->fact, "unit", "unit");
    print_member(explainer, entry->fact, "meaning", "meaning");
    if (OpprofFactMember(entry->fact, "shows") != NULL) {
        fprintf(explainer->out, "  shows: '%s', as the data has it\n",
                text_or(entry->fact, "shows", ""));
    }
    const OpprofStatus status = print_formulas(explainer, entry);
    if (entry->kind == ENTRY_FACT) {
        print_fact_source(explainer, entry->fact, "  ");
    } else {
        print_member(explainer, entry->fact, "source", "source of the formula");
    }
    if (entry->kind == ENTRY_SHAPE_COLUMN) {
        print_example(explainer, index, entry);
    }
    print_places(explainer, index, entry, true);
    if (status == OPPROF_OK) {
        print_inputs(explainer);
    }
    return status;
}

static OpprofStatus print_entry(Explainer *explainer, const MetricIndex *index,
                                const MetricEntry *entry)
{
    OpprofStatus status =
        OpprofMetricsCreate(explainer->chip, "default", &explainer->metrics, explainer->error);

    if (status != OPPROF_OK) {
        return status;
    }
    fprintf(explainer->out, "%s\n  chip: %s (%s)\n", entry->name, OpprofChipSoc(explainer->chip),
            OpprofChipSeries(explainer->chip));
    if (entry->kind == ENTRY_EVENT) {
        print_event(explainer, strrchr(entry->place, '.') + 1, "  ");
    } else {
        print_places(explainer, index, entry, false);
        status = print_details(explainer, index, entry);
    }
    OpprofMetricsFree(explainer->metrics);
    explainer->metrics = NULL;
    return status;
}

/* Whether it has been explained with an earlier one. */
static bool is_listed(const MetricIndex *index, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (is_alike(&index->entries[i], &index->entries[at])) {
            return true;
        }
    }
    return false;
}

/* An input by itself, such as "e(10)" or "peak(GM_TO_L1)". */
static bool is_indexed(const OpprofChip *chip, const char *name)
{
    const OpprofFact *indexed = OpprofChipFact(chip, "metrics.indexed");
    const size_t length = strcspn(name, "(");
    char *base = strndup(name, length);
    const bool is_there =
        base != NULL && name[length] == '(' && OpprofFactMember(indexed, base) != NULL;

    free(base);
    return is_there;
}

static OpprofStatus print_indexed_alone(Explainer *explainer, const char *name)
{
    const OpprofFormula *unused;
    OpprofStatus status =
        OpprofMetricsCreate(explainer->chip, "default", &explainer->metrics, explainer->error);

    if (status == OPPROF_OK) {
        status = OpprofMetricsAdd(explainer->metrics, name, name, NULL, &unused, explainer->error);
    }
    if (status == OPPROF_OK) {
        fprintf(explainer->out, "%s\n  chip: %s (%s)\n", name, OpprofChipSoc(explainer->chip),
                OpprofChipSeries(explainer->chip));
        print_inputs(explainer);
    }
    OpprofMetricsFree(explainer->metrics);
    explainer->metrics = NULL;
    return status;
}

/* The columns of a table of metrics. False: there is no such table. */
static bool print_table(const Explainer *explainer, const char *table)
{
    const OpprofFact *tables = OpprofChipFact(explainer->chip, "metrics.tables");
    const OpprofFact *columns = OpprofFactMember(OpprofFactMember(tables, table), "columns");

    for (size_t i = 0; i < OpprofFactCount(columns); i++) {
        const OpprofFact *column = OpprofFactAt(columns, i);

        if (i == 0) {
            fprintf(explainer->out, "%s\n  chip: %s (%s)\n  is: table of metrics\n  columns:\n",
                    table, OpprofChipSoc(explainer->chip), OpprofChipSeries(explainer->chip));
        }
        fprintf(explainer->out, "    %s\n", text_or(column, "name", ""));
    }
    return OpprofFactCount(columns) > 0;
}

static void print_all(const Explainer *explainer, const MetricIndex *index)
{
    for (size_t i = 0; i < index->count; i++) {
        const MetricEntry *entry = &index->entries[i];
        fprintf(explainer->out, "%-40s  %-12s  %s\n", entry->name, text_or(entry->fact, "unit", ""),
                entry->where);
    }
}

static OpprofStatus explain(Explainer *explainer, const MetricIndex *index, const char *wanted)
{
    OpprofError *reason = NULL;
    const char *name = NULL;
    unsigned found = 0;

    OpprofStatus status = MetricIndexFind(index, explainer->chip, wanted, &name, &reason);
    if (status == OPPROF_E_NOT_FOUND && strcmp(wanted, "all") == 0) {
        OpprofErrorDestroy(reason);
        print_all(explainer, index);
        return OPPROF_OK;
    }
    if (status == OPPROF_E_NOT_FOUND && print_table(explainer, wanted)) {
        OpprofErrorDestroy(reason);
        return OPPROF_OK;
    }
    if (status == OPPROF_E_NOT_FOUND && is_indexed(explainer->chip, wanted)) {
        OpprofErrorDestroy(reason);
        return print_indexed_alone(explainer, wanted);
    }
    if (status != OPPROF_OK) {
        OpprofErrorPass(explainer->error, reason);
        return status;
    }
    for (size_t i = 0; status == OPPROF_OK && i < index->count; i++) {
        if (strcmp(index->entries[i].name, name) == 0 && !is_listed(index, i)) {
            fputs(found++ > 0 ? "\n" : "", explainer->out);
            status = print_entry(explainer, index, &index->entries[i]);
        }
    }
    return status;
}

OpprofStatus OpprofMetricsExplain(const OpprofChip *chip, const char *name, FILE *out,
                                  OpprofError **error)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    OPPROF_REQUIRE("metrics-text", name != NULL && out != NULL,
                   "The text is given, with room for it");

    Explainer explainer = { .chip = chip, .out = out, .error = error };
    MetricIndex index;

    const OpprofStatus status = MetricIndexInit(&index, chip)
                                    ? explain(&explainer, &index, name)
                                    : OpprofErrorNoMemory(error, "explain '%s'", name);
    MetricIndexFinish(&index);
    return status;
}
