/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/metrics.h"

#include "kit/json_file.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 12   /* objects within objects */
#define MAX_PLACE 256  /* bytes of a place such as "tables.Memory.columns[4]" */
#define MAX_NAMES 4096 /* to compare a mistyped name with */

typedef struct Explainer {
    const OpprofChip *chip;
    const char *wanted;
    FILE *out;
    OpprofError **error;
    OpprofStatus status;
    uint32_t found;
    const char *names[MAX_NAMES]; /* seen on the way */
    size_t name_count;
} Explainer;

/* Members of a metric that are no formulas. */
static bool is_formula_member(const char *member)
{
    static const char *const others[] = { "name",   "in",   "of",   "shows", "unit",    "meaning",
                                          "suffix", "rows", "row",  "say",   "shape",   "who",
                                          "source", "kind", "each", "as",    "mix_name" };

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(others[i], member) == 0) {
            return false;
        }
    }
    return true;
}

static const char *text_or(const OpprofFact *fact, const char *otherwise)
{
    const char *text = OpprofFactText(fact);
    return text != NULL ? text : otherwise;
}

/* Where an event comes from: its slots in the plan of replays. */
static void print_slots(const Explainer *explainer, double event)
{
    const OpprofFact *rounds = OpprofChipFact(explainer->chip, "pmu.rounds");
    OpprofFactWalk walk = { 0 };
    const char *kind;
    const OpprofFact *list;
    const char *before = "; ";

    while (OpprofFactGetKind(rounds) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(rounds, &walk, &kind, &list)) {
        for (size_t round = 0; round < OpprofFactCount(list); round++) {
            const OpprofFact *slots = OpprofFactAt(list, round);
            for (size_t slot = 0; slot < OpprofFactCount(slots); slot++) {
                double id = -1;
                if (OpprofFactNumber(OpprofFactAt(slots, slot), &id) && id == event) {
                    fprintf(explainer->out, "%s%s: replay %zu, counter %zu", before, kind,
                            round + 1, slot);
                    before = ", ";
                }
            }
        }
    }
}

static void print_indexed(const Explainer *explainer, const MetricName *name)
{
    const OpprofFact *entry =
        OpprofFactMember(OpprofChipFact(explainer->chip, "metrics.indexed"), name->name);
    const char *keys = text_or(OpprofFactMember(entry, "keys"), "");
    const OpprofFact *key = OpprofFactMember(OpprofChipFact(explainer->chip, keys), name->key);

    fprintf(explainer->out, "    %s(%s)  [%s]  ", name->name, name->key,
            text_or(OpprofFactMember(entry, "unit"), "?"));
    if (OpprofFactMember(key, "meaning") == NULL) {
        fprintf(explainer->out, "%s\n", text_or(OpprofFactMember(entry, "meaning"), ""));
        return;
    }
    fprintf(explainer->out, "event %s (0x%lx) %s: %s", name->key, strtoul(name->key, NULL, 10),
            text_or(OpprofFactMember(key, "name"), ""),
            text_or(OpprofFactMember(key, "meaning"), ""));
    print_slots(explainer, strtod(name->key, NULL));
    fprintf(explainer->out, ". %s\n", text_or(OpprofFactMember(entry, "meaning"), ""));
}

static void print_input(const Explainer *explainer, const OpprofMetrics *metrics,
                        const MetricName *name)
{
    const OpprofFact *fact;

    switch ((MetricNameKind) name->kind) {
    case METRIC_INDEXED:
        print_indexed(explainer, name);
        return;
    case METRIC_NUMBER:
        fact = OpprofFactMember(metrics->indexed, name->name);
        fprintf(explainer->out, "    %s(%s) = %.15g  [%s]  %s\n", name->name, name->key,
                name->number, text_or(OpprofFactMember(fact, "unit"), "?"),
                text_or(OpprofFactMember(fact, "meaning"), ""));
        return;
    case METRIC_CONSTANT:
        fprintf(explainer->out, "    %s(%s)  unknown for %s: what needs it is NA\n", name->name,
                name->key, OpprofChipSoc(explainer->chip));
        return;
    case METRIC_SYMBOL:
        fact = OpprofFactMember(metrics->symbols, name->name);
        fprintf(explainer->out, "    %s  [%s]  %s\n      = %s\n", name->name,
                text_or(OpprofFactMember(fact, "unit"), "?"),
                text_or(OpprofFactMember(fact, "meaning"), ""),
                text_or(OpprofFactMember(fact, "is"), text_or(fact, "")));
        return;
    case METRIC_FACT:
        fact = OpprofFactMember(metrics->facts, name->name);
        fprintf(explainer->out, "    %s  [%s]  %s From: %s.\n", name->name,
                text_or(OpprofFactMember(fact, "unit"), "?"),
                text_or(OpprofFactMember(fact, "meaning"), ""),
                text_or(OpprofFactMember(fact, "source"), "?"));
        return;
    }
}

/* The inputs of a formula and of the symbols in it: parsing collects them in order of appearance.
 */
static void print_formula(Explainer *explainer, const char *member, const char *formula,
                          const OpprofMetricScope *scope)
{
    OpprofMetrics *metrics = NULL;
    const OpprofExpression *expression;

    fprintf(explainer->out, "  %s: %s\n", strcmp(member, "is") == 0 ? "formula" : member, formula);
    OpprofStatus status =
        OpprofMetricsCreate(explainer->chip, "default", &metrics, explainer->error);
    if (status == OPPROF_OK) {
        status = OpprofMetricsAdd(metrics, explainer->wanted, formula, scope, &expression,
                                  explainer->error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < metrics->name_count; i++) {
        if (i == 0) {
            fputs("  inputs:\n", explainer->out);
        }
        print_input(explainer, metrics, &metrics->names[i]);
    }
    if (status != OPPROF_OK) {
        explainer->status = status;
    }
    OpprofMetricsFree(metrics);
}

static void print_metric(Explainer *explainer, const char *place, const OpprofFact *metric,
                         const OpprofMetricScope *outer)
{
    const OpprofMetricScope scope = { .members = metric, .outer = outer };
    OpprofFactWalk walk = { 0 };
    const char *member;
    const OpprofFact *fact;

    if (explainer->found++ > 0) {
        fputc('\n', explainer->out);
    }
    fprintf(explainer->out, "%s\n  chip: %s (%s), %s\n", explainer->wanted,
            OpprofChipSoc(explainer->chip), OpprofChipSeries(explainer->chip), place);
    if (OpprofFactMember(metric, "of") != NULL) {
        fprintf(explainer->out, "  of: %s cores\n", text_or(OpprofFactMember(metric, "of"), ""));
    }
    if (OpprofFactMember(metric, "unit") != NULL) {
        fprintf(explainer->out, "  unit: %s\n", text_or(OpprofFactMember(metric, "unit"), ""));
    }
    if (OpprofFactMember(metric, "meaning") != NULL) {
        fprintf(explainer->out, "  meaning: %s\n",
                text_or(OpprofFactMember(metric, "meaning"), ""));
    }
    if (OpprofFactMember(metric, "source") != NULL) {
        fprintf(explainer->out, "  source: %s\n", text_or(OpprofFactMember(metric, "source"), ""));
    }
    while (OpprofFactNext(metric, &walk, &member, &fact)) {
        if (is_formula_member(member) && OpprofFactText(fact) != NULL &&
            OpprofFactMember(metric, "each") == NULL) {
            print_formula(explainer, member, OpprofFactText(fact), &scope);
        }
    }
}

static void note_name(Explainer *explainer, const char *name)
{
    if (name != NULL && explainer->name_count < MAX_NAMES) {
        explainer->names[explainer->name_count++] = name;
    }
}

/* Names are the "name" members of objects, and the keys of symbols, facts and events. */
static void search(Explainer *explainer, const char *place, const OpprofFact *at,
                   const OpprofMetricScope *outer, int depth)
{
    char below[MAX_PLACE];
    OpprofFactWalk walk = { 0 };
    const char *member;
    const OpprofFact *fact;
    const bool is_object = OpprofFactGetKind(at) == OPPROF_FACT_OBJECT;
    const char *name = OpprofFactText(OpprofFactMember(at, "name"));

    if (depth > MAX_DEPTH || explainer->status != OPPROF_OK) {
        return;
    }
    note_name(explainer, name);
    if (name != NULL && strcmp(name, explainer->wanted) == 0) {
        print_metric(explainer, place, at, outer);
    }
    while (is_object && OpprofFactNext(at, &walk, &member, &fact)) {
        snprintf(below, sizeof below, "%s.%s", place, member);
        search(explainer, below, fact, outer, depth + 1);
    }
    for (size_t i = 0; i < OpprofFactCount(at); i++) {
        snprintf(below, sizeof below, "%s[%zu]", place, i);
        search(explainer, below, OpprofFactAt(at, i), outer, depth + 1);
    }
}

static void search_keys(Explainer *explainer, const char *path)
{
    const OpprofFact *object = OpprofChipFact(explainer->chip, path);
    char place[MAX_PLACE];
    OpprofFactWalk walk = { 0 };
    const char *member;
    const OpprofFact *fact;

    while (OpprofFactGetKind(object) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(object, &walk, &member, &fact)) {
        note_name(explainer, member);
        if (strcmp(member, explainer->wanted) == 0) {
            snprintf(place, sizeof place, "%s.%s", path, member);
            print_metric(explainer, place, fact, NULL);
        }
    }
}

/* A row's formulas lean on the defaults of its shape; which shape, only the tables that show it
 * tell. */
static void search_rows(Explainer *explainer)
{
    const OpprofFact *storage = OpprofChipFact(explainer->chip, "metrics.storage");
    const OpprofFact *rows = OpprofFactMember(storage, "rows");
    const OpprofFact *tables = OpprofFactMember(storage, "tables");
    const OpprofFact *shapes = OpprofFactMember(storage, "shapes");
    OpprofFactWalk walk = { 0 };
    char place[MAX_PLACE];
    const char *member;
    const OpprofFact *set;

    while (OpprofFactGetKind(rows) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(rows, &walk, &member, &set)) {
        OpprofMetricScope defaults = { 0 };
        for (size_t i = 0; i < OpprofFactCount(tables) && defaults.members == NULL; i++) {
            const OpprofFact *table = OpprofFactAt(tables, i);
            if (strcmp(text_or(OpprofFactMember(table, "rows"), ""), member) == 0) {
                const char *shape = text_or(OpprofFactMember(table, "shape"), "");
                defaults.members = OpprofFactMember(OpprofFactMember(shapes, shape), "defaults");
            }
        }
        snprintf(place, sizeof place, "metrics.storage.rows.%s", member);
        search(explainer, place, set, &defaults, 0);
    }
}

OpprofStatus OpprofMetricsExplain(const OpprofChip *chip, const char *name, FILE *out,
                                  OpprofError **error)
{
    static const char *const places[] = { "metrics.tables", "metrics.compute_load",
                                          "metrics.roofline" };
    Explainer *explainer = calloc(1, sizeof *explainer);

    if (explainer == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "no memory to explain '%s'", name);
    }
    *explainer = (Explainer){ .chip = chip, .wanted = name, .out = out, .error = error };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        search(explainer, places[i], OpprofChipFact(chip, places[i]), NULL, 0);
    }
    search_rows(explainer);
    search_keys(explainer, "metrics.symbols");
    search_keys(explainer, "metrics.facts");
    search_keys(explainer, "metrics.occupancy");
    OpprofStatus status = explainer->status;
    if (status == OPPROF_OK && explainer->found == 0) {
        status = OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "no metric '%s' of the chip '%s'", name,
                                OpprofChipSoc(chip));
        const char *nearest = NearestName(name, explainer->names, explainer->name_count);
        if (nearest != NULL) {
            OpprofErrorHint(error, "did you mean '%s'?", nearest);
        }
    }
    free(explainer);
    return status;
}
