/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what a chip's file says about a name, for --explain. Tested by
 * tests/kit/facts/test_chip_explain.c and tests/e2e/explain.sh. */
#include <opprof/kit/chip.h>

#include <opprof/grow.h>
#include <opprof/json.h>
#include <opprof/require.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_PLACE 512 /* bytes of a path in the chip file */
#define MAX_DEPTH 8

/* The subject of an explanation. */
typedef struct Explainer {
    const OpprofChip *chip;
    const char *name;
    FILE *out;
    unsigned answers;
    const char **names; /* names found so far */
    size_t name_count;
    size_t name_capacity;
} Explainer;

/* ---- facts as text ---- */

static bool is_plain(const OpprofFact *fact)
{
    const OpprofFactKind kind = OpprofFactGetKind(fact);

    return kind != OPPROF_FACT_OBJECT && kind != OPPROF_FACT_ARRAY;
}

static void print_plain(FILE *out, const OpprofFact *fact)
{
    double number = 0;

    if (OpprofFactText(fact) != NULL) {
        fputs(OpprofFactText(fact), out);
    } else if (OpprofFactNumber(fact, &number)) {
        fprintf(out, "%.15g", number);
    } else {
        fputs(OpprofFactBool(fact, false) ? "true" : "false", out);
    }
}

static void print_fact(FILE *out, int indent, const char *key, const OpprofFact *fact);

static void print_members(FILE *out, int indent, const OpprofFact *object)
{
    OpprofFactWalk walk = { 0 };
    const char *key;
    const OpprofFact *fact;

    while (indent < 2 * MAX_DEPTH && OpprofFactNext(object, &walk, &key, &fact)) {
        if (strcmp(key, "names") != 0) { /* those that the rule is for */
            print_fact(out, indent, key, fact);
        }
    }
}

/* Numbers and texts in a line, anything else below each other. */
static void print_array(FILE *out, int indent, const char *key, const OpprofFact *array)
{
    const size_t count = OpprofFactCount(array);

    if (count > 0 && !is_plain(OpprofFactAt(array, 0))) {
        for (size_t i = 0; i < count; i++) {
            char name[64];
            snprintf(name, sizeof name, "%.40s[%zu]", key, i);
            print_fact(out, indent, name, OpprofFactAt(array, i));
        }
        return;
    }
    fprintf(out, "%*s%s:", indent, "", key);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? " " : ", ", out);
        print_plain(out, OpprofFactAt(array, i));
    }
    fputc('\n', out);
}

static void print_fact(FILE *out, int indent, const char *key, const OpprofFact *fact)
{
    switch (OpprofFactGetKind(fact)) {
    case OPPROF_FACT_OBJECT:
        fprintf(out, "%*s%s:\n", indent, "", key);
        print_members(out, indent + 2, fact);
        break;
    case OPPROF_FACT_ARRAY:
        print_array(out, indent, key, fact);
        break;
    case OPPROF_FACT_TEXT:
    case OPPROF_FACT_NUMBER:
    case OPPROF_FACT_BOOL:
    case OPPROF_FACT_NONE:
    default:
        fprintf(out, "%*s%s: ", indent, "", key);
        print_plain(out, fact);
        fputc('\n', out);
        break;
    }
}

/* ---- names ---- */

/* A line of the list of all names; else everything about the one that is asked for. */
static void answer(Explainer *explainer, const OpprofFactList *list, const char *name,
                   const OpprofFact *fact, const char *place)
{
    const char *meaning = OpprofFactText(OpprofFactMember(fact, "_"));
    const char *file;

    if (OpprofGrow(&explainer->names, &explainer->name_capacity, explainer->name_count + 1,
                   sizeof *explainer->names)) {
        explainer->names[explainer->name_count++] = name;
    }
    if (strcmp(explainer->name, "all") == 0) {
        fprintf(explainer->out, "%-40s  %-12s  %s\n", name, "", list->what);
        explainer->answers++;
        return;
    }
    if (strcasecmp(explainer->name, name) != 0) {
        return;
    }
    file = OpprofChipOrigin(explainer->chip, place);
    fprintf(explainer->out, "%s\n  is: %s\n  chip: %s\n", name, list->what,
            OpprofChipSoc(explainer->chip));
    if (meaning != NULL) {
        fprintf(explainer->out, "  meaning: %s\n", meaning);
    }
    if (OpprofFactGetKind(fact) == OPPROF_FACT_OBJECT) {
        print_members(explainer->out, 2, fact);
    } else {
        print_fact(explainer->out, 2, list->member == NULL ? "value" : list->member, fact);
    }
    fprintf(explainer->out, "  source: %s, %s\n", file == NULL ? "?" : file, place);
    explainer->answers++;
}

static void explain_list(Explainer *explainer, const OpprofFactList *list)
{
    const OpprofFact *facts = OpprofChipFact(explainer->chip, list->path);
    OpprofFactWalk walk = { 0 };
    char place[MAX_PLACE];
    const char *name;
    const OpprofFact *fact;

    while (OpprofFactGetKind(facts) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(facts, &walk, &name, &fact)) {
        snprintf(place, sizeof place, "%s.%s", list->path, name);
        answer(explainer, list, name, fact, place);
    }
    for (size_t i = 0; i < OpprofFactCount(facts); i++) {
        const OpprofFact *names = OpprofFactMember(OpprofFactAt(facts, i), "names");
        snprintf(place, sizeof place, "%s[%zu]", list->path, i);
        for (size_t k = 0; k < OpprofFactCount(names); k++) {
            name = OpprofFactText(OpprofFactAt(names, k));
            if (name != NULL) {
                answer(explainer, list, name, OpprofFactAt(facts, i), place);
            }
        }
    }
}

/* Only if a name is near: others may know it. */
static void refuse(const Explainer *explainer, OpprofError **error)
{
    const char *nearest =
        OpprofNearestName(explainer->name, explainer->names, explainer->name_count);

    if (nearest != NULL) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "The chip '%s' has no '%s'",
                       OpprofChipSoc(explainer->chip), explainer->name);
        OpprofErrorHint(error, "Did you mean '%s'?", nearest);
    }
}

OpprofStatus OpprofChipExplain(const char *chip, const OpprofFactList *lists, size_t count,
                               const char *name, FILE *out, OpprofError **error)
{
    OPPROF_REQUIRE("chip-name-given", chip != NULL && name != NULL, "The chip has a name");
    OPPROF_REQUIRE("chip-result-given", out != NULL, "The result pointer is given");
    OPPROF_REQUIRE("chip-lists-given", lists != NULL || count == 0,
                   "The lists are NULL only if their count is 0");

    OpprofChip *its = NULL;
    const OpprofStatus status = OpprofChipLoad(chip, &its, error);
    Explainer explainer = { .chip = its, .name = name, .out = out };

    for (size_t i = 0; i < count && status == OPPROF_OK; i++) {
        explain_list(&explainer, &lists[i]);
    }
    const bool is_missing = status == OPPROF_OK && explainer.answers == 0;
    if (is_missing) {
        refuse(&explainer, error);
    }
    free(explainer.names);
    OpprofChipFree(its);
    return is_missing ? OPPROF_E_NOT_FOUND : status;
}
