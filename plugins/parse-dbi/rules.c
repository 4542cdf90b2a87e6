/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiles rules of the chip file: formulas over names, which are fields, values that the rule
 * states itself, turns of its loops, and memories.
 * Tested by tests/plugins/parse-dbi/test_rules.
 */
#include "rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LET_NAME 64u /* longer ones are not names of a formula */
#define MAX_PLACE 256

/* A rule being compiled. */
typedef struct Maker {
    const OpprofChip *chip;
    const DbiTables *tables;
    const DbiLayout *layout;
    DbiRule *rule;
    const DbiRuleFacts *facts;
    char let_names[DBI_MAX_LETS][LET_NAME]; /* made, in the rule's order */
    const char *being_made[DBI_MAX_LETS];
    uint32_t being_made_count;
    bool turns;  /* the current formula depends on a loop */
    bool varies; /* or on a field of 64 bits */
    OpprofStatus status;
    OpprofError **error;
} Maker;

static OpprofStatus bad(const Maker *maker, const char *place, const char *what)
{
    char path[MAX_PLACE];

    snprintf(path, sizeof path, "dbi.rules.%s%s%s", maker->rule->name, place[0] != '\0' ? "." : "",
             place);
    return OpprofChipRefuse(maker->chip, path, maker->error, "%s", what);
}

/* ---- names ---- */

static bool is_index(OpprofBinding *binding, uint32_t index)
{
    *binding = (OpprofBinding){ .kind = OPPROF_BIND_INPUT, .input = index };
    return true;
}

static bool is_number(OpprofBinding *binding, uint64_t number)
{
    *binding = (OpprofBinding){ .kind = OPPROF_BIND_NUMBER, .whole = number };
    return true;
}

static bool find_loop(Maker *maker, const char *name, OpprofBinding *binding)
{
    for (uint32_t i = 0; i < maker->rule->loop_count; i++) {
        if (strcmp(maker->facts->loops[i].index, name) == 0) {
            maker->turns = true;
            maker->varies = true;
            return is_index(binding, DBI_FIRST_LOOP + i);
        }
    }
    return false;
}

static bool make_let(Maker *maker, const DbiLetFacts *let);

/* A value that the rule states itself, compiled now if necessary. */
static bool find_let(Maker *maker, const char *name, OpprofBinding *binding)
{
    const DbiLetFacts *let = NULL;

    for (uint32_t i = 0; let == NULL && i < maker->facts->let_count; i++) {
        let = strcmp(maker->facts->lets[i].name, name) == 0 ? &maker->facts->lets[i] : NULL;
    }
    if (let == NULL) {
        return false;
    }
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < maker->rule->let_count; i++) {
            if (strcmp(maker->let_names[i], name) == 0) {
                maker->turns |= maker->rule->lets[i].turns;
                maker->varies |= maker->rule->lets[i].varies;
                return is_index(binding, DBI_FIRST_LET + i);
            }
        }
        if (pass == 0 && !make_let(maker, let)) {
            return false;
        }
    }
    return false;
}

static bool find_constant(const Maker *maker, const char *name, OpprofBinding *binding)
{
    if (strcmp(name, "global") == 0) {
        return is_number(binding, maker->tables->global);
    }
    if (strcmp(name, "registers") == 0) {
        return is_number(binding, maker->tables->registers);
    }
    if (strcmp(name, "no_memory") == 0) {
        return is_number(binding, DBI_NO_MEMORY);
    }
    if (strcmp(name, "nowhere") == 0) {
        return is_number(binding, DBI_NO_ADDRESS);
    }
    const uint8_t memory = DbiMemoryOf(maker->tables, name);
    return memory != DBI_NO_MEMORY && is_number(binding, memory);
}

static bool is_wide(const DbiLayout *layout, uint32_t field)
{
    for (uint32_t i = 0; i < layout->place_count; i++) {
        if (layout->places[i].field == field) {
            return DbiFieldIsWide(&layout->places[i]);
        }
    }
    return false;
}

static OpprofStatus find_name(void *context, const char *name, const char *key,
                              OpprofBinding *binding, const char **ret_hint, OpprofError **error)
{
    Maker *maker = context;

    (void) ret_hint;
    (void) error;
    if (key != NULL || find_loop(maker, name, binding) || find_let(maker, name, binding) ||
        maker->status != OPPROF_OK) {
        return OPPROF_OK; /* make_text() looks at the status */
    }
    const uint32_t field = DbiFieldOf(maker->tables, name);
    maker->varies |= field != DBI_NO_FIELD && is_wide(maker->layout, field);
    if (field != DBI_NO_FIELD) {
        is_index(binding, field);
    } else {
        find_constant(maker, name, binding);
    }
    return OPPROF_OK;
}

/* ---- formulas ---- */

/* Compile a formula; one that is missing stays empty. */
static OpprofStatus make_formula(Maker *maker, const char *place, const OpprofFactWhole *stated,
                                 DbiFormula *formula)
{
    const bool outer_turns = maker->turns;
    const bool outer_varies = maker->varies;
    OpprofError *why = NULL;
    char number[32];
    const char *text = stated->text;

    if (!stated->is_there) {
        return OPPROF_OK;
    }
    if (text == NULL) {
        snprintf(number, sizeof number, "%llu", (unsigned long long) stated->number);
        text = number;
    }
    maker->turns = false;
    maker->varies = false;
    const OpprofStatus status = OpprofFormulaParse(
        &(OpprofFormulaText){ place, text, strlen(text),
                              maker->rule->wraps ? OPPROF_FORMULA_WRAPPING : OPPROF_FORMULA_WHOLE },
        find_name, maker, &formula->whole, &why);
    formula->turns = maker->turns;
    formula->varies = maker->varies;
    maker->rule->varies |= maker->varies;
    maker->turns = outer_turns;
    maker->varies = outer_varies;
    if (status != OPPROF_OK && maker->status == OPPROF_OK) {
        maker->status =
            status == OPPROF_E_MEMORY
                ? OpprofErrorNoMemory(maker->error, "read the rule '%s'", maker->rule->name)
                : bad(maker, place, OpprofErrorLine(why));
    }
    OpprofErrorDestroy(why);
    return maker->status;
}

/* The same for one that is computed once for all turns. */
static OpprofStatus make_steady(Maker *maker, const char *place, const OpprofFactWhole *stated,
                                DbiFormula *formula)
{
    const OpprofStatus status = make_formula(maker, place, stated, formula);

    return status == OPPROF_OK && formula->turns
               ? bad(maker, place, "it may not depend on the turn of a loop")
               : status;
}

static bool is_being_made(const Maker *maker, const char *name)
{
    for (uint32_t i = 0; i < maker->being_made_count; i++) {
        if (strcmp(maker->being_made[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool make_let(Maker *maker, const DbiLetFacts *let)
{
    DbiRule *rule = maker->rule;
    DbiFormula formula = { .whole = NULL };

    if (is_being_made(maker, let->name)) {
        maker->status = bad(maker, let->name, "it depends on itself");
        return false;
    }
    if (rule->let_count + maker->being_made_count == DBI_MAX_LETS) {
        maker->status = bad(maker, "let", "there are more than 32");
        return false;
    }
    maker->being_made[maker->being_made_count++] = let->name;
    const OpprofStatus status = make_formula(maker, let->name, &let->is, &formula);
    maker->being_made_count--;
    if (status == OPPROF_OK) {
        snprintf(maker->let_names[rule->let_count], LET_NAME, "%s", let->name);
        rule->lets[rule->let_count++] = formula;
    }
    return status == OPPROF_OK;
}

/* ---- rules ---- */

static OpprofStatus make_loops(Maker *maker)
{
    const DbiRuleFacts *facts = maker->facts;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < facts->loop_count; i++) {
        status = make_steady(maker, "count", &facts->loops[i].count, &maker->rule->loops[i]);
    }
    maker->rule->varies |= facts->loop_count > 0;
    maker->rule->loop_count = facts->loop_count; /* later formulas may name them */
    return status;
}

static OpprofStatus make_run(Maker *maker, const DbiRunFacts *facts, DbiRuleRun *run)
{
#define PART(enumerator, text, turns) { (text), (turns) },
    static const struct {
        const char *name;
        bool may_turn;
    } parts[DBI_RUN_PART_COUNT] = { DBI_RUN_PARTS(PART) };
#undef PART
    OpprofStatus status = OPPROF_OK;

    for (unsigned i = 0; status == OPPROF_OK && i < DBI_RUN_PART_COUNT; i++) {
        status = (parts[i].may_turn ? make_formula : make_steady)(maker, parts[i].name,
                                                                  &facts->parts[i], &run->parts[i]);
    }
    if (status == OPPROF_OK && run->parts[DBI_RUN_COUNT].whole == NULL) {
        return bad(maker, "runs", "a run has a 'count'");
    }
    maker->rule->states_memories &=
        run->parts[DBI_RUN_FROM].whole != NULL && run->parts[DBI_RUN_TO].whole != NULL;
    return status;
}

static OpprofStatus make_rule(Maker *maker)
{
    const DbiRuleFacts *facts = maker->facts;
    DbiRule *rule = maker->rule;

    rule->wraps = facts->wraps;
    rule->states_memories = true;
    OpprofStatus status = make_loops(maker);
    if (status == OPPROF_OK) {
        status = make_steady(maker, "invalid", &facts->invalid, &rule->invalid);
    }
    if (status == OPPROF_OK) {
        status = make_steady(maker, "rough", &facts->rough, &rule->rough);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < facts->run_count; i++) {
        status = make_run(maker, &facts->runs[i], &rule->runs[rule->run_count++]);
    }
    return status;
}

static const DbiRuleFacts *find_rule(const DbiTables *tables, const char *name)
{
    for (uint32_t i = 0; i < tables->rule_count; i++) {
        if (strcmp(tables->rules[i].name, name) == 0) {
            return &tables->rules[i];
        }
    }
    return NULL;
}

OpprofStatus DbiRuleMake(const OpprofChip *chip, const DbiTables *tables, const DbiLayout *layout,
                         DbiRule **ret_rule, OpprofError **error)
{
    const DbiRuleFacts *facts = find_rule(tables, layout->rule_name);

    *ret_rule = NULL;
    if (facts == NULL) {
        return OPPROF_OK;
    }
    DbiRule *rule = calloc(1, sizeof *rule);
    if (rule == NULL) {
        return OpprofErrorNoMemory(error, "read the rule '%s'", facts->name);
    }
    Maker maker = { .chip = chip,
                    .tables = tables,
                    .layout = layout,
                    .rule = rule,
                    .facts = facts,
                    .error = error };
    rule->name = facts->name;
    *ret_rule = rule;
    return make_rule(&maker);
}

static void free_formulas(DbiFormula *formulas, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        OpprofFormulaFree(formulas[i].whole);
    }
}

void DbiRuleFree(DbiRule *rule)
{
    if (rule == NULL) {
        return;
    }
    free_formulas(rule->lets, DBI_MAX_LETS);
    free_formulas(rule->loops, DBI_MAX_LOOPS);
    free_formulas(&rule->invalid, 1);
    free_formulas(&rule->rough, 1);
    for (size_t i = 0; i < DBI_MAX_RUNS; i++) {
        free_formulas(rule->runs[i].parts, DBI_RUN_PART_COUNT);
    }
    free(rule);
}
