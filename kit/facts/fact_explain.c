/* SPDX-License-Identifier: Apache-2.0 */
/* Describes facts by the tables that check them, for --explain. Tested by
 * tests/kit/facts/test_chip_explain.c and tests/e2e/explain.sh. */
#include "kit/facts/fact_bind.h"
#include "kit/facts/pmu_facts.h"

#include <opprof/json.h>
#include <opprof/require.h>

#include <stdio.h>
#include <string.h>

#define MAX_MEMBERS 128

/* How each type is described; ranges and names follow. */
static const char *const words[] = {
    [OPPROF_FACT_IS_ANY] = "anything",
    [OPPROF_FACT_IS_NULL] = "null",
    [OPPROF_FACT_IS_TEXT] = "a text",
    [OPPROF_FACT_IS_BOOL] = "true or false",
    [OPPROF_FACT_IS_WHOLE] = "a whole number",
    [OPPROF_FACT_IS_REAL] = "a number",
    [OPPROF_FACT_IS_NAME] = "a name",
    [OPPROF_FACT_IS_CHOICE] = "a name",
    [OPPROF_FACT_IS_ID] = "a number that is a name",
    [OPPROF_FACT_IS_PAIR] = "two names with '>' between them",
    [OPPROF_FACT_IS_FORM] = "a form",
    [OPPROF_FACT_IS_FORMULA] = "a formula",
    [OPPROF_FACT_IS_COUNT] = "a number or a formula of whole numbers",
    [OPPROF_FACT_IS_BITS] = "a field of a raw record: at, bits, shift",
    [OPPROF_FACT_IS_SET] = "whole numbers below 64, as elements or names of members",
    [OPPROF_FACT_IS_OBJECT] = "an object",
    [OPPROF_FACT_IS_TUPLE] = "an array",
    [OPPROF_FACT_IS_LIST] = "an array",
    [OPPROF_FACT_IS_MAP] = "an object with any names",
    [OPPROF_FACT_IS_CONSTANT] = "a number",
};

/* ---- the way to a field ---- */

/* The members that an explanation could have meant, where the way ends. */
typedef struct Near {
    const char *names[MAX_MEMBERS];
    size_t count;
} Near;

static const OpprofFactField *member_of(const OpprofFactField *field, const char *key,
                                        size_t length, Near *near)
{
    const OpprofFactField *others = NULL;

    if (field->type == OPPROF_FACT_IS_MAP) {
        return field->of;
    }
    if (field->type != OPPROF_FACT_IS_OBJECT) {
        return NULL;
    }
    for (const OpprofFactField *one = field->of; one->type != OPPROF_FACT_IS_END; one++) {
        if (strncmp(one->name, key, length) == 0 && one->name[length] == '\0') {
            return one;
        }
        if (strcmp(one->name, "*") == 0) {
            others = one->type == OPPROF_FACT_IS_MAP ? one->of : one;
        } else if (near->count < MAX_MEMBERS) {
            near->names[near->count++] = one->name;
        }
    }
    return others;
}

/* The field at a way below one ("columns[1].name" or "columns.name"), of its alternatives the first
 * that has it. NULL: no field does. */
static const OpprofFactField *follow(const OpprofFactField *field, const char *way, Near *near)
{
    const size_t length = strcspn(way, ".[");
    const OpprofFactField *found = NULL;

    if (*way == '\0') {
        return field;
    }
    for (const OpprofFactField *one = field; one != NULL && found == NULL; one = one->either) {
        if (one->type == OPPROF_FACT_IS_LIST) {
            const char *end = *way == '[' ? strchr(way, ']') : NULL;

            found = follow(one->of, end == NULL ? way : end + 1 + (end[1] == '.'), near);
            continue;
        }
        const OpprofFactField *member = member_of(one, way, length, near);

        if (member != NULL) {
            near->count = 0;
            found = follow(member, way + length + (way[length] == '.'), near);
        }
    }
    return found;
}

/* ---- what may be stated ---- */

static void describe(const OpprofFactField *field, FILE *out)
{
    const bool is_number =
        field->type == OPPROF_FACT_IS_WHOLE || field->type == OPPROF_FACT_IS_REAL;
    char range[96];

    fputs(words[field->type], out);
    if (is_number && (field->least != 0 || field->most > 0 || field->unit != NULL)) {
        FactPrintRange(field, range, sizeof range);
        fprintf(out, " (%s)", range);
    } else if (field->from != NULL) {
        fprintf(out, " of %s", field->from);
    }
    if (field->type == OPPROF_FACT_IS_OBJECT) {
        for (const OpprofFactField *one = field->of; one->type != OPPROF_FACT_IS_END; one++) {
            fprintf(out, "%s%s", one == field->of ? " with " : ", ", one->name);
        }
    } else if (field->type == OPPROF_FACT_IS_LIST || field->type == OPPROF_FACT_IS_MAP) {
        fputs(", each ", out);
        describe(field->of, out);
    }
    if (field->either != NULL) {
        fputs("; or ", out);
        describe(field->either, out);
    }
}

static void print_value(const OpprofFact *fact, FILE *out)
{
    double number = 0;

    if (OpprofFactText(fact) != NULL) {
        fprintf(out, "  value: %s\n", OpprofFactText(fact));
    } else if (OpprofFactNumber(fact, &number)) {
        fprintf(out, "  value: %.15g\n", number);
    } else if (OpprofFactGetKind(fact) == OPPROF_FACT_BOOL) {
        fprintf(out, "  value: %s\n", OpprofFactBool(fact, false) ? "true" : "false");
    }
}

static void answer(const OpprofChip *chip, const char *path, const OpprofFactField *field,
                   FILE *out)
{
    const char *file = OpprofChipOrigin(chip, path);

    fprintf(out, "%s\n  is: fact of chip files\n  chip: %s\n  may be: ", path, OpprofChipSoc(chip));
    describe(field, out);
    fputc('\n', out);
    if ((field->flags & OPPROF_FACT_REQUIRED) != 0) {
        fputs("  required: yes\n", out);
    } else if (field->otherwise > 0) {
        fprintf(out, "  otherwise: %.15g\n", field->otherwise);
    }
    print_value(OpprofChipFact(chip, path), out);
    fprintf(out, "  source: %s\n", file == NULL ? "no chip file states it" : file);
}

/* ---- all tables ---- */

/* The part of a name below a table's path; NULL: it is not there. */
static const char *below(const char *name, const char *path)
{
    const size_t length = strlen(path);

    if (strncmp(name, path, length) != 0 ||
        (name[length] != '\0' && name[length] != '.' && name[length] != '[')) {
        return NULL;
    }
    return name + length + (name[length] == '.');
}

/* Does a table leave what may be stated, or some members, to other tables, which say more? */
static bool leaves_more(const OpprofFactField *field)
{
    for (const OpprofFactField *one = field->type == OPPROF_FACT_IS_OBJECT ? field->of : NULL;
         one != NULL && one->type != OPPROF_FACT_IS_END; one++) {
        if (one->type == OPPROF_FACT_IS_MAP && one->of->type == OPPROF_FACT_IS_ANY) {
            return true;
        }
    }
    return field->type == OPPROF_FACT_IS_ANY;
}

OpprofStatus OpprofFactsExplain(const char *chip, const OpprofChipTable *tables, const char *name,
                                FILE *out, OpprofError **error)
{
    OPPROF_REQUIRE("chip-name-given", chip != NULL && name != NULL, "The chip has a name");
    OPPROF_REQUIRE("chip-result-given", out != NULL, "The result pointer is given");

    OpprofChip *its = NULL;
    OpprofStatus status = OpprofChipLoad(chip, &its, error);
    Near near = { .count = 0 };
    unsigned answers = 0;

    if (tables == NULL) {
        tables = kit_chip_tables;
    }
    for (; status == OPPROF_OK && tables->path != NULL && answers == 0; tables++) {
        const char *way = below(name, tables->path);
        const OpprofFactField root = FactRoot(tables->table);
        const OpprofFactField *field = way == NULL ? NULL : follow(&root, way, &near);

        if (field != NULL && !leaves_more(field)) {
            answer(its, name, field, out);
            answers++;
        }
    }
    if (status == OPPROF_OK && answers == 0) {
        const char *last = strrchr(name, '.');
        const char *nearest =
            OpprofNearestName(last == NULL ? name : last + 1, near.names, near.count);

        status = OPPROF_E_NOT_FOUND;
        if (nearest != NULL) {
            OpprofErrorSet(error, status, "Chip files have no fact '%s'", name);
            OpprofErrorHint(error, "Did you mean '%s'?", nearest);
        }
    }
    OpprofChipFree(its);
    return status;
}
