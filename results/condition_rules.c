/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of conditions, "COLUMN OPERATOR VALUE", as SQL. Tested by tests/results/test_conditions. */
#include "condition_rules.h"

#include <opprof/grow.h>

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* ---- values ---- */

/* Add a value and its parameter. */
static OpprofStatus put_value(Making *making, ConditionsValue value)
{
    Conditions *conditions = making->conditions;

    if (!OpprofGrow(&conditions->values, &conditions->capacity, conditions->count + 1,
                    sizeof *conditions->values)) {
        return OpprofErrorNoMemory(making->error, "read the rule '%s'", making->rule);
    }
    conditions->values[conditions->count++] = value;
    sqlite.str_appendf(making->sql, ":opprof_%d", (int) conditions->count);
    return OPPROF_OK;
}

static ConditionsValue text_value(const Piece *piece)
{
    return (ConditionsValue){ .kind = CONDITIONS_TEXT, .text = piece->at, .length = piece->length };
}

/* False: it is not a number. An address may be written as 0x…, and beyond 2^63 keeps its bits. */
static bool read_number(const Piece *piece, bool is_address, ConditionsValue *ret_value)
{
    char text[64];
    char *end;

    if (piece->length == 0 || piece->length >= sizeof text) {
        return false;
    }
    memcpy(text, piece->at, piece->length);
    text[piece->length] = '\0';
    errno = 0;
    if (is_address && strchr(text, '-') == NULL) {
        *ret_value = (ConditionsValue){ .kind = CONDITIONS_WHOLE,
                                        .whole = (int64_t) strtoull(text, &end, 0) };
    } else {
        *ret_value = (ConditionsValue){ .kind = CONDITIONS_WHOLE,
                                        .whole = (int64_t) strtoll(text, &end, 10) };
    }
    if (errno == 0 && *end == '\0') {
        return true;
    }
    *ret_value = (ConditionsValue){ .kind = CONDITIONS_REAL, .real = strtod(text, &end) };
    return *end == '\0' && isfinite(ret_value->real);
}

static OpprofStatus refuse_number(const Making *making, const Column *column, const Piece *piece)
{
    return OpprofErrorSet(making->error, OPPROF_E_ARGUMENT,
                          "The rule '%s' compares '%.*s' with numbers: column '%s' has no texts",
                          making->rule, (int) piece->length, piece->at, column->name);
}

/* ---- rules ---- */

/* An operator; those that others begin with come later. */
typedef struct Operator {
    const char *word;
    const char *sql;
    enum { COMPARES, ORDERS, CONTAINS, LISTS, IS_ABSENT } kind;
} Operator;

static const Operator operators[] = {
    { "is not null", " IS NOT NULL", IS_ABSENT },
    { "is null", " IS NULL", IS_ABSENT },
    { "not in", " NOT IN (", LISTS },
    { "in", " IN (", LISTS },
    { "!=", " NOT IN (", COMPARES },
    { "<=", "<=", ORDERS },
    { ">=", ">=", ORDERS },
    { "!~", ")=0", CONTAINS },
    { "=", " IN (", COMPARES },
    { "<", "<", ORDERS },
    { ">", ">", ORDERS },
    { "~", ")>0", CONTAINS },
};

/* The operator that the text begins with; a word has blanks around it. */
static const Operator *find_operator(const Piece *text, bool is_after_blank)
{
    for (size_t i = 0; i < OPPROF_COUNT(operators); i++) {
        const char *word = operators[i].word;
        const size_t length = strlen(word);

        if (ConditionsBeginning(word, text) > 0 &&
            (!isalpha((unsigned char) *word) ||
             (is_after_blank &&
              (length == text->length || strchr(CONDITIONS_BLANKS, text->at[length]) != NULL)))) {
            return &operators[i];
        }
    }
    return NULL;
}

/* A value to which cells are equal. Of an unknown column a number may be a text. */
static OpprofStatus put_equal(Making *making, const Column *column, const Piece *piece)
{
    ConditionsValue value = text_value(piece);
    const bool is_number = column->cells != CELLS_TEXTS &&
                           read_number(piece, column->cells == CELLS_ADDRESSES, &value);
    OpprofStatus status;

    if (!is_number && column->cells != CELLS_TEXTS && column->cells != CELLS_UNKNOWN) {
        return refuse_number(making, column, piece);
    }
    status = put_value(making, is_number ? value : text_value(piece));
    if (status == OPPROF_OK && is_number && column->cells == CELLS_UNKNOWN) {
        sqlite.str_appendall(making->sql, ",");
        status = put_value(making, text_value(piece));
    }
    return status;
}

static OpprofStatus put_list(Making *making, const Column *column, Piece list)
{
    OpprofStatus status = OPPROF_OK;
    bool is_last = false;

    while (status == OPPROF_OK && !is_last) {
        const char *bar = memchr(list.at, '|', list.length);
        const size_t length = bar == NULL ? list.length : (size_t) (bar - list.at);
        const Piece piece = ConditionsTrim(list.at, length);

        is_last = bar == NULL;
        status = put_equal(making, column, &piece);
        sqlite.str_appendall(making->sql, is_last ? ")" : ",");
        list.at += is_last ? length : length + 1;
        list.length -= is_last ? length : length + 1;
    }
    return status;
}

/* Cells before or after a value. In SQL every text is above every number. */
static OpprofStatus put_order(Making *making, const Column *column, const char *sql,
                              const Piece *piece)
{
    const int c = ConditionsNumberOf(making, column);
    ConditionsValue value = text_value(piece);
    const bool is_number = column->cells != CELLS_TEXTS &&
                           read_number(piece, column->cells == CELLS_ADDRESSES, &value);
    const bool is_both = is_number && column->cells == CELLS_UNKNOWN;
    OpprofStatus status;

    if (!is_number && column->cells != CELLS_TEXTS && column->cells != CELLS_UNKNOWN) {
        return refuse_number(making, column, piece);
    }
    if (is_both || column->cells == CELLS_UNKNOWN) {
        sqlite.str_appendf(making->sql, "typeof(c%d)%s'text' AND ", c, is_both ? "<>" : "=");
    }
    sqlite.str_appendf(making->sql, "c%d%s", c, sql);
    status = put_value(making, is_number ? value : text_value(piece));
    if (status == OPPROF_OK && is_both) {
        sqlite.str_appendf(making->sql, " OR typeof(c%d)='text' AND c%d%s", c, c, sql);
        status = put_value(making, text_value(piece));
    }
    return status;
}

static OpprofStatus put_operation(Making *making, const Column *column, const Operator *operation,
                                  const Piece *value)
{
    const int c = ConditionsNumberOf(making, column);
    OpprofStatus status = OPPROF_OK;

    switch (operation->kind) {
    case COMPARES:
        sqlite.str_appendf(making->sql, "c%d%s", c, operation->sql);
        status = put_equal(making, column, value);
        sqlite.str_appendall(making->sql, ")");
        break;
    case LISTS:
        sqlite.str_appendf(making->sql, "c%d%s", c, operation->sql);
        status = put_list(making, column, *value);
        break;
    case CONTAINS:
        sqlite.str_appendf(making->sql, "instr(lower(c%d),lower(", c);
        status = put_value(making, text_value(value));
        sqlite.str_appendf(making->sql, ")%s", operation->sql);
        break;
    case ORDERS:
        status = put_order(making, column, operation->sql, value);
        break;
    case IS_ABSENT:
        sqlite.str_appendf(making->sql, "c%d%s", c, operation->sql);
        break;
    }
    return status;
}

static OpprofStatus refuse_rule(const Making *making)
{
    OpprofErrorSet(making->error, OPPROF_E_ARGUMENT, "'%s' is not a rule", making->rule);
    OpprofErrorHint(making->error,
                    "A rule is COLUMN OPERATOR VALUE, with =, !=, <, <=, >, >=, ~ (contains), !~, "
                    "in A|B, not in A|B, is null or is not null");
    return OPPROF_E_ARGUMENT;
}

/* Whether what is before the first operator should have been a column. */
static OpprofStatus refuse_unknown(const Making *making, const Piece *rule)
{
    for (size_t i = 1; i < rule->length; i++) {
        const Piece rest = { rule->at + i, rule->length - i };

        if (find_operator(&rest, strchr(CONDITIONS_BLANKS, rule->at[i - 1]) != NULL) != NULL) {
            const Piece name = ConditionsTrim(rule->at, i);

            return ConditionsRefuseColumn(making, &name);
        }
    }
    return refuse_rule(making);
}

OpprofStatus ConditionsPutRule(Making *making, const char *text)
{
    const Piece rule = ConditionsTrim(text, strlen(text));
    size_t length;
    const Column *column = ConditionsFindColumn(making, &rule, &length);
    const Piece rest = ConditionsTrim(rule.at + length, rule.length - length);
    const Operator *operation =
        column == NULL ? NULL : find_operator(&rest, rest.at > rule.at + length);
    Piece value;

    making->rule = text;
    if (operation == NULL) {
        return refuse_unknown(making, &rule);
    }
    length = strlen(operation->word);
    value = ConditionsTrim(rest.at + length, rest.length - length);
    return operation->kind == IS_ABSENT && value.length > 0
               ? refuse_rule(making)
               : put_operation(making, column, operation, &value);
}
