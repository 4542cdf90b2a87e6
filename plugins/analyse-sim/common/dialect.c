/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the rules of instructions in a chip's file, and computes with them.
 * Tested by tests/plugins/analyse-sim/details/test_process_bytes.c and test_vector_unit.c.
 */
#include "analyse-sim/common/dialect.h"

#include <opprof/grow.h>
#include <opprof/kit/formula.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct DialectRule {
    const OpprofFact *fact; /* that states it */
    uint32_t needs;         /* values without which the result is unknown */
    uint32_t block_needs;   /* of addresses and strides */
    uint32_t source_needs[DIALECT_SOURCES];
    uint32_t wanted; /* values that formulas use */
    uint32_t let_count;
    const char *let_names[DIALECT_LETS];
    OpprofFormula *lets[DIALECT_LETS];
    OpprofFormula *formulas[FORMULAS];
    OperandReader *reader;
};

struct Dialect {
    OperandForms *operands;
    VectorShape vector;
    DialectRule **rules;
    size_t rule_count;
    size_t rule_capacity;
};

/* Where formulas look up their names. */
typedef struct Reading {
    const Dialect *dialect;
    DialectRule *rule;
    char later[64]; /* a name that a formula uses before it is defined; "": none */
    OpprofError **error;
} Reading;

/* ---- reading rules ---- */

/* Where the value of a name stands among the numbers of a rule; UINT32_MAX:
 * it is not one of them. */
static uint32_t find_value(Reading *reading, const char *name)
{
    const uint32_t place = OperandFormsPlace(reading->dialect->operands, name);

    if (place < OPERAND_VALUES) {
        reading->rule->wanted |= 1u << place;
        return place;
    }
    for (uint32_t i = 0; i < reading->rule->let_count; i++) {
        if (strcmp(reading->rule->let_names[i], name) == 0) {
            return OPERAND_VALUES + i;
        }
    }
    if (OpprofFactMember(OpprofFactMember(reading->rule->fact, "let"), name) != NULL) {
        snprintf(reading->later, sizeof reading->later, "%s", name);
    }
    return UINT32_MAX;
}

static OpprofStatus bind(void *context, const char *name, const char *key, OpprofBinding *binding,
                         const char **ret_hint, OpprofError **error)
{
    Reading *reading = context;
    const uint32_t place = key == NULL ? find_value(reading, name) : UINT32_MAX;

    (void) ret_hint;
    (void) error;
    if (place != UINT32_MAX) {
        *binding = (OpprofBinding){ .kind = OPPROF_BIND_INPUT, .input = place };
    } else if (key == NULL &&
               OperandFormsMeaning(reading->dialect->operands, name, &binding->whole)) {
        binding->kind = OPPROF_BIND_NUMBER;
    }
    return OPPROF_OK;
}

/* Says which instructions are affected, and whether the order of formulas is wrong. */
static OpprofStatus refuse_formula(const Reading *reading, const char *text)
{
    const char *name =
        OpprofFactText(OpprofFactAt(OpprofFactMember(reading->rule->fact, "names"), 0));

    return OpprofErrorSet(
        reading->error, OPPROF_E_DATA, "Formula '%s' of '%s'%s%s%s cannot be used", text,
        name == NULL ? "?" : name, reading->later[0] == '\0' ? "" : ", which uses '",
        reading->later[0] == '\0' ? "" : reading->later,
        reading->later[0] == '\0' ? "" : "' before it is computed,");
}

/* A formula or a number, which may be absent. */
static OpprofStatus read_formula(Reading *reading, const OpprofFact *fact,
                                 OpprofFormula **ret_formula)
{
    const char *text = OpprofFactText(fact);
    char digits[32];
    double number = 0;

    if (text == NULL && OpprofFactNumber(fact, &number) && number >= 0 && number < 1e18) {
        snprintf(digits, sizeof digits, "%llu", (unsigned long long) number);
        text = digits;
    }
    if (text == NULL) {
        return OPPROF_OK;
    }
    const OpprofStatus status =
        OpprofFormulaParse(&(OpprofFormulaText){ text, text, strlen(text), OPPROF_FORMULA_WHOLE },
                           bind, reading, ret_formula, reading->error);
    return status != OPPROF_OK && status != OPPROF_E_MEMORY ? refuse_formula(reading, text)
                                                            : status;
}

static uint32_t read_needs(Reading *reading, const OpprofFact *list)
{
    uint32_t needs = 0;

    for (size_t i = 0; i < OpprofFactCount(list); i++) {
        const char *name = OpprofFactText(OpprofFactAt(list, i));
        const uint32_t place =
            name == NULL ? OPERAND_VALUES : OperandFormsPlace(reading->dialect->operands, name);
        needs |= place < OPERAND_VALUES ? 1u << place : 0;
    }
    reading->rule->wanted |= needs;
    return needs;
}

static OpprofStatus read_lets(Reading *reading, const OpprofFact *lets)
{
    DialectRule *rule = reading->rule;
    OpprofFactWalk walk = { 0 };
    OpprofStatus status = OPPROF_OK;
    const char *name;
    const OpprofFact *fact;

    while (status == OPPROF_OK && OpprofFactNext(lets, &walk, &name, &fact)) {
        if (rule->let_count == DIALECT_LETS) {
            return OpprofErrorSet(reading->error, OPPROF_E_DATA,
                                  "A rule has more than %u names of its own", DIALECT_LETS);
        }
        status = read_formula(reading, fact, &rule->lets[rule->let_count]);
        if (status == OPPROF_OK && rule->lets[rule->let_count] != NULL) {
            rule->let_names[rule->let_count++] = name;
        }
    }
    return status;
}

/* Where the blocks of an operand are. */
static OpprofStatus read_operand(Reading *reading, const OpprofFact *operand, unsigned formula)
{
    OpprofFormula **formulas = reading->rule->formulas;
    const OpprofStatus status =
        read_formula(reading, OpprofFactMember(operand, "address"), &formulas[formula]);

    return status != OPPROF_OK
               ? status
               : read_formula(reading, OpprofFactMember(operand, "stride"), &formulas[formula + 1]);
}

static OpprofStatus read_blocks(Reading *reading, const OpprofFact *blocks)
{
    const OpprofFact *sources = OpprofFactMember(blocks, "sources");
    OpprofStatus status =
        read_operand(reading, OpprofFactMember(blocks, "destination"), FORMULA_DESTINATION);

    reading->rule->block_needs = read_needs(reading, OpprofFactMember(blocks, "needs"));
    for (unsigned i = 0; i < DIALECT_SOURCES && status == OPPROF_OK; i++) {
        const OpprofFact *source = OpprofFactAt(sources, i);
        reading->rule->source_needs[i] = read_needs(reading, OpprofFactMember(source, "needs"));
        status = read_operand(reading, source, FORMULA_SOURCES + 2 * i);
    }
    return status;
}

static OpprofStatus read_rule(Reading *reading, const OpprofFact *fact)
{
    static const char *const members[] = {
        [FORMULA_BYTES] = "bytes",     [FORMULA_MASK] = "mask",
        [FORMULA_HALF] = "half",       [FORMULA_COUNTS_ELEMENTS] = "counts_elements",
        [FORMULA_REPEATS] = "repeats", [FORMULA_ELEMENT_BYTES] = "element_bytes",
    };
    DialectRule *rule = reading->rule;
    OpprofStatus status;

    rule->fact = fact;
    rule->needs = read_needs(reading, OpprofFactMember(fact, "needs"));
    status = read_lets(reading, OpprofFactMember(fact, "let"));
    for (unsigned i = 0; i < sizeof members / sizeof members[0] && status == OPPROF_OK; i++) {
        status = read_formula(reading, OpprofFactMember(fact, members[i]), &rule->formulas[i]);
    }
    if (status == OPPROF_OK) {
        status = read_blocks(reading, OpprofFactMember(fact, "blocks"));
    }
    if (status == OPPROF_OK) {
        rule->reader = OperandReaderCreate(reading->dialect->operands, rule->wanted);
        status = rule->reader == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    }
    return status;
}

static OpprofStatus read_rules(Dialect *dialect, const OpprofFact *list, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < OpprofFactCount(list) && status == OPPROF_OK; i++) {
        Reading reading = { .dialect = dialect, .error = error };
        if (!OpprofGrow(&dialect->rules, &dialect->rule_capacity, dialect->rule_count + 1,
                        sizeof(DialectRule *)) ||
            (reading.rule = calloc(1, sizeof *reading.rule)) == NULL) {
            return OpprofErrorNoMemory(error, "read rules of instructions");
        }
        dialect->rules[dialect->rule_count++] = reading.rule;
        status = read_rule(&reading, OpprofFactAt(list, i));
    }
    return status;
}

static uint32_t number_or(const OpprofFact *facts, const char *name, uint32_t most,
                          uint32_t otherwise)
{
    double number = otherwise;

    return OpprofFactNumber(OpprofFactMember(facts, name), &number) && number >= 1 && number <= most
               ? (uint32_t) number
               : otherwise;
}

OpprofStatus DialectCreate(const OpprofFact *facts, Dialect **ret_dialect, OpprofError **error)
{
    static const char *const lists[] = { "moves", "state", "vector" };
    const OpprofFact *unit = OpprofFactMember(facts, "vector_unit");
    Dialect *dialect = calloc(1, sizeof *dialect);

    *ret_dialect = NULL;
    if (dialect == NULL) {
        return OpprofErrorNoMemory(error, "read rules of instructions");
    }
    dialect->vector =
        (VectorShape){ .blocks = number_or(unit, "blocks", DIALECT_BLOCKS, 8),
                       .block_bytes = number_or(unit, "block_bytes", UINT32_MAX, 32),
                       .repeats = number_or(unit, "repeats", UINT32_MAX, 255),
                       .bank_groups = number_or(unit, "bank_groups", DIALECT_BANKS, 16) };
    dialect->vector.bank_mask =
        (dialect->vector.bank_groups & (dialect->vector.bank_groups - 1)) == 0
            ? dialect->vector.bank_groups - 1
            : 0;
    OpprofStatus status =
        OperandFormsRead(OpprofFactMember(facts, "operands"), &dialect->operands, error);
    for (unsigned i = 0; i < sizeof lists / sizeof lists[0] && status == OPPROF_OK; i++) {
        status = read_rules(dialect, OpprofFactMember(facts, lists[i]), error);
    }
    if (status != OPPROF_OK) {
        DialectDestroy(dialect);
        return status;
    }
    *ret_dialect = dialect;
    return OPPROF_OK;
}

static void free_rule(DialectRule *rule)
{
    for (unsigned i = 0; i < DIALECT_LETS; i++) {
        OpprofFormulaFree(rule->lets[i]);
    }
    for (unsigned i = 0; i < FORMULAS; i++) {
        OpprofFormulaFree(rule->formulas[i]);
    }
    OperandReaderDestroy(rule->reader);
    free(rule);
}

void DialectDestroy(Dialect *dialect)
{
    if (dialect != NULL) {
        for (size_t i = 0; i < dialect->rule_count; i++) {
            free_rule(dialect->rules[i]);
        }
        free(dialect->rules);
        OperandFormsFree(dialect->operands);
        free(dialect);
    }
}

const OperandForms *DialectOperands(const Dialect *dialect)
{
    return dialect->operands;
}

const VectorShape *DialectVector(const Dialect *dialect)
{
    return &dialect->vector;
}

const DialectRule *DialectRuleOf(const Dialect *dialect, const OpprofFact *fact)
{
    for (size_t i = 0; fact != NULL && i < dialect->rule_count; i++) {
        if (dialect->rules[i]->fact == fact) {
            return dialect->rules[i];
        }
    }
    return NULL;
}

/* ---- computing ---- */

static bool has(const DialectNumbers *numbers, uint32_t needs)
{
    return (numbers->has & needs) == needs;
}

bool DialectRead(const DialectRule *rule, const char *text, size_t length,
                 DialectNumbers *ret_numbers)
{
    ret_numbers->has = OperandReaderRead(rule->reader, text, length, ret_numbers->numbers);
    for (uint32_t i = 0; i < rule->let_count; i++) {
        ret_numbers->numbers[OPERAND_VALUES + i] =
            OpprofFormulaWhole(rule->lets[i], ret_numbers->numbers);
    }
    return has(ret_numbers, rule->needs);
}

bool DialectHasBlocks(const DialectRule *rule, const DialectNumbers *numbers)
{
    return rule->formulas[FORMULA_DESTINATION] != NULL && has(numbers, rule->block_needs);
}

bool DialectHasSource(const DialectRule *rule, uint32_t source, const DialectNumbers *numbers)
{
    return rule->formulas[FORMULA_SOURCES + 2 * source] != NULL &&
           has(numbers, rule->source_needs[source]);
}

bool DialectHas(const DialectRule *rule, unsigned formula)
{
    return rule->formulas[formula] != NULL;
}

uint64_t DialectValue(const DialectRule *rule, unsigned formula, const DialectNumbers *numbers)
{
    return rule->formulas[formula] == NULL
               ? 0
               : OpprofFormulaWhole(rule->formulas[formula], numbers->numbers);
}
