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
    const OpprofFact *fact;
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

static const char *loop_name(const Maker *maker, uint32_t index)
{
    const OpprofFact *loops = OpprofFactMember(maker->fact, "loops");

    return OpprofFactText(OpprofFactMember(OpprofFactAt(loops, index), "index"));
}

static bool find_loop(Maker *maker, const char *name, OpprofBinding *binding)
{
    for (uint32_t i = 0; i < maker->rule->loop_count; i++) {
        if (strcmp(loop_name(maker, i), name) == 0) {
            maker->turns = true;
            maker->varies = true;
            return is_index(binding, DBI_FIRST_LOOP + i);
        }
    }
    return false;
}

static bool make_let(Maker *maker, const char *name, const char *text);

/* A value that the rule states itself, compiled now if necessary. */
static bool find_let(Maker *maker, const char *name, OpprofBinding *binding)
{
    const OpprofFact *let = OpprofFactMember(OpprofFactMember(maker->fact, "let"), name);

    if (OpprofFactText(let) == NULL) {
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
        if (pass == 0 && !make_let(maker, name, OpprofFactText(let))) {
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

static OpprofStatus make_text(Maker *maker, const char *place, const char *text,
                              DbiFormula *formula)
{
    const bool outer_turns = maker->turns;
    const bool outer_varies = maker->varies;
    OpprofError *why = NULL;

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

/* A formula of an object, a text or a number; without it `formula` stays empty. */
static OpprofStatus make_formula(Maker *maker, const OpprofFact *of, const char *name,
                                 bool may_turn, DbiFormula *formula)
{
    const OpprofFact *fact = OpprofFactMember(of, name);
    const char *text = OpprofFactText(fact);
    char number[32];
    double value = 0;

    if (text == NULL && OpprofFactNumber(fact, &value)) {
        snprintf(number, sizeof number, "%.0f", value);
        text = number;
    }
    if (text == NULL) {
        return OPPROF_OK;
    }
    const OpprofStatus status = make_text(maker, name, text, formula);
    return status == OPPROF_OK && formula->turns && !may_turn
               ? bad(maker, name, "it may not depend on the turn of a loop")
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

static bool make_let(Maker *maker, const char *name, const char *text)
{
    DbiRule *rule = maker->rule;
    DbiFormula formula = { .whole = NULL };

    if (is_being_made(maker, name)) {
        maker->status = bad(maker, name, "it depends on itself");
        return false;
    }
    if (rule->let_count + maker->being_made_count == DBI_MAX_LETS) {
        maker->status = bad(maker, "let", "there are more than 32");
        return false;
    }
    maker->being_made[maker->being_made_count++] = name;
    const OpprofStatus status = make_text(maker, name, text, &formula);
    maker->being_made_count--;
    if (status == OPPROF_OK) {
        snprintf(maker->let_names[rule->let_count], LET_NAME, "%s", name);
        rule->lets[rule->let_count++] = formula;
    }
    return status == OPPROF_OK;
}

/* ---- rules ---- */

static OpprofStatus make_loops(Maker *maker)
{
    const OpprofFact *loops = OpprofFactMember(maker->fact, "loops");
    const size_t count = OpprofFactCount(loops);

    if (count > DBI_MAX_LOOPS) {
        return bad(maker, "loops", "there are more than 8");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (loop_name(maker, i) == NULL) {
            return bad(maker, "loops", "a loop has an 'index'");
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const OpprofStatus status =
            make_formula(maker, OpprofFactAt(loops, i), "count", false, &maker->rule->loops[i]);
        if (status != OPPROF_OK) {
            return status;
        }
        if (maker->rule->loops[i].whole == NULL) {
            return bad(maker, "loops", "a loop has a 'count'");
        }
    }
    maker->rule->varies |= count > 0;
    maker->rule->loop_count = (uint32_t) count; /* later formulas may name them */
    return OPPROF_OK;
}

static OpprofStatus make_run(Maker *maker, const OpprofFact *fact, DbiRuleRun *run)
{
#define PART(enumerator, text, turns) { (text), (turns) },
    static const struct {
        const char *name;
        bool may_turn;
    } parts[DBI_RUN_PART_COUNT] = { DBI_RUN_PARTS(PART) };
#undef PART
    OpprofStatus status = OPPROF_OK;

    for (unsigned i = 0; status == OPPROF_OK && i < DBI_RUN_PART_COUNT; i++) {
        status = make_formula(maker, fact, parts[i].name, parts[i].may_turn, &run->parts[i]);
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
    const OpprofFact *runs = OpprofFactMember(maker->fact, "runs");
    DbiRule *rule = maker->rule;

    if (OpprofFactCount(runs) == 0 || OpprofFactCount(runs) > DBI_MAX_RUNS) {
        return bad(maker, "runs", "there are 1 to 8");
    }
    rule->wraps = OpprofFactBool(OpprofFactMember(maker->fact, "wraps"), false);
    rule->states_memories = true;
    OpprofStatus status = make_loops(maker);
    if (status == OPPROF_OK) {
        status = make_formula(maker, maker->fact, "invalid", false, &rule->invalid);
    }
    if (status == OPPROF_OK) {
        status = make_formula(maker, maker->fact, "rough", false, &rule->rough);
    }
    for (size_t i = 0; status == OPPROF_OK && i < OpprofFactCount(runs); i++) {
        status = make_run(maker, OpprofFactAt(runs, i), &rule->runs[rule->run_count++]);
    }
    return status;
}

OpprofStatus DbiRuleMake(const OpprofChip *chip, DbiTables *tables, const DbiLayout *layout,
                         const char *name, DbiRule **ret_rule, OpprofError **error)
{
    const OpprofFact *fact = OpprofFactMember(OpprofChipFact(chip, "dbi.rules"), name);

    *ret_rule = NULL;
    if (fact == NULL) {
        return OPPROF_OK;
    }
    DbiRule *rule = calloc(1, sizeof *rule);
    if (rule == NULL) {
        return OpprofErrorNoMemory(error, "read the rule '%s'", name);
    }
    Maker maker = {
        .chip = chip, .tables = tables, .layout = layout, .rule = rule, .fact = fact, .error = error
    };
    rule->name = name;
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
