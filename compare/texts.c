/* SPDX-License-Identifier: Apache-2.0 */
/* Names of changes, wherever they are printed. Tested by tests/compare/test_diff.sh. */
#include "texts.h"

#include <math.h>
#include <opprof/present.h>
#include <opprof/record.h>
#include <stdio.h>
#include <string.h>

bool DiffIsRegression(const DiffFound *found)
{
    for (size_t i = 0; i < found->rule_count; i++) {
        if (found->rules[i].broken.count > 0) {
            return true;
        }
    }
    return false;
}

bool DiffIsUndecided(const DiffRule *rule)
{
    return rule->is_unsure && rule->broken.count == 0;
}

bool DiffHasUndecidedRule(const DiffFound *found)
{
    for (size_t i = 0; i < found->rule_count; i++) {
        if (DiffIsUndecided(&found->rules[i])) {
            return true;
        }
    }
    return false;
}

DiffOutcome DiffOutcomeOf(const DiffFound *found)
{
    const DiffSide *sides = found->data.sides;
    const bool is_whole = sides[0].is_complete && sides[1].is_complete;

    return DiffIsRegression(found)                    ? DIFF_REGRESSION
           : is_whole && !DiffHasUndecidedRule(found) ? DIFF_DONE
                                                      : DIFF_UNDECIDED;
}

bool DiffIsAlike(const DiffFound *found)
{
    for (uint32_t i = 0; i < found->data.table_count; i++) {
        if (found->tables[i].count > 0) {
            return false;
        }
    }
    return found->texts.count == 0 && DiffAdviceChanges(found, 0) == 0 &&
           DiffAdviceChanges(found, 1) == 0;
}

/* Why no column says how long the runs took. */
static const char *why_unknown(const DiffFound *found)
{
    const DiffSide *sides = found->data.sides;

    return sides[0].is_silent && sides[1].is_silent ? "both results do not say how rows combine"
           : sides[0].is_silent ? "the results before do not say how rows combine"
           : sides[1].is_silent ? "the results after do not say how rows combine"
                                : "the results have no time of the whole run";
}

char *DiffRunTimeText(const DiffFound *found)
{
    const DiffChange *change = &found->run_time;
    char a[DIFF_NUMBER_ROOM], b[DIFF_NUMBER_ROOM], percent[DIFF_PERCENT_ROOM];
    const bool has_both = found->has_run_time && change->a_count > 0 && change->b_count > 0;
    char *text = NULL;
    int length;

    if (!found->has_run_time) {
        length = asprintf(&text, "no verdict, %s", why_unknown(found));
    } else {
        length =
            asprintf(&text, "%s, %s %s -> %s %s  %s", has_both ? DiffKindOf(change) : "no verdict",
                     DiffColumnOf(change)->heading,
                     DiffNumberText(a, change->a, change->a_count, change->a_spread),
                     DiffNumberText(b, change->b, change->b_count, change->b_spread),
                     DiffColumnOf(change)->unit, DiffPercentText(percent, change));
    }
    return length < 0 ? NULL : text;
}

bool DiffIsAdviceOf(const DiffFound *found, const DiffAdvice *advice, int side)
{
    return advice->runs[side] == found->data.sides[side].runs && advice->runs[!side] == 0;
}

const char *DiffSeverityOf(const DiffAdvice *advice)
{
    return advice->severity == OPPROF_SEVERITY_PROBLEM ? "problem"
           : advice->severity == OPPROF_SEVERITY_HINT  ? "hint"
                                                       : "note";
}

uint32_t DiffAdviceChanges(const DiffFound *found, int side)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < found->data.advice.count; i++) {
        count += DiffIsAdviceOf(found, &found->data.advice.list[i], side);
    }
    return count;
}

uint32_t DiffTextsThatDiffer(const DiffFound *found, const DiffTable *table)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < found->texts.count; i++) {
        count += found->texts.list[i].table == table;
    }
    return count;
}

uint32_t DiffUnsure(const DiffFound *found)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < found->data.table_count; i++) {
        count += found->data.tables[i].by == NULL ? found->tables[i].unsure : 0;
    }
    return count;
}

bool DiffTableIsAlike(const DiffFound *found, uint32_t table)
{
    return found->data.tables[table].by == NULL && found->tables[table].count == 0 &&
           found->tables[table].unsure == 0 &&
           DiffTextsThatDiffer(found, &found->data.tables[table]) == 0;
}

const DiffColumn *DiffColumnOf(const DiffChange *change)
{
    return &change->table->columns[change->column];
}

bool DiffIsBetter(const DiffChange *change)
{
    const bool more = (DiffColumnOf(change)->flags & OPPROF_FIELD_MORE_IS_BETTER) != 0;

    return (change->verdict == DIFF_MORE) == more;
}

const char *DiffKindOf(const DiffChange *change)
{
    const bool is_time = DiffColumnOf(change)->is_time;

    if ((change->a_count == 0) != (change->b_count == 0)) {
        return change->a_count == 0 ? "new" : "gone";
    }
    switch (change->verdict) {
    case DIFF_MORE:
        return is_time ? "slower" : "more";
    case DIFF_LESS:
        return is_time ? "faster" : "less";
    case DIFF_UNSURE:
        return "unsure";
    case DIFF_SAME:
    default:
        return "same";
    }
}

double DiffPercentOf(const DiffChange *change)
{
    return change->a_count > 0 && change->b_count > 0 && fabs(change->a) > 0
               ? 100 * (change->b - change->a) / fabs(change->a)
               : (double) NAN;
}

const char *DiffPercentText(char *out, const DiffChange *change)
{
    const double percent = DiffPercentOf(change);

    out[0] = '\0';
    if (!isnan(percent)) {
        snprintf(out, 32, "%+.1f %%", percent);
    }
    return out;
}

const char *DiffNumberText(char *out, double value, uint32_t count, double spread)
{
    /* 2.7361e+05 is hard to read. */
    const bool is_large = fabs(value) >= 99999.5 && fabs(value) < 1e15;

    if (count == 0) {
        snprintf(out, 48, "-");
    } else if (count > 1) {
        snprintf(out, 48, is_large ? "%.0f±%.0f" : "%.5g±%.2g", value, spread);
    } else {
        snprintf(out, 48, is_large ? "%.0f" : "%.5g", value);
    }
    return out;
}

/* The weight that a table declares needs no name. */
static bool names_column(const DiffChange *change)
{
    return change->row == NULL || (change->table->by == NULL &&
                                   (change->column != change->table->weight ||
                                    (DiffColumnOf(change)->flags & OPPROF_FIELD_WEIGHT) == 0));
}

const char *DiffUnitOf(const DiffChange *change)
{
    const char *unit = DiffColumnOf(change)->unit;

    return names_column(change) || strcmp(unit, "1") == 0 ? "" : unit;
}

char *DiffNameOf(const DiffChange *change)
{
    const DiffTable *table = change->table;
    char *name = NULL;
    int length;

    if (change->row == NULL) {
        length = asprintf(&name, "%s, %s", table->title, DiffColumnOf(change)->heading);
    } else if (table->by != NULL) {
        length = asprintf(&name, "%s, %s %s", table->title, table->by, change->row->key);
    } else if (!names_column(change)) {
        length = asprintf(&name, "%s", change->row->key);
    } else {
        length = asprintf(&name, "%s%s%s", change->row->key,
                          change->row->key[0] == '\0' ? "" : ", ", DiffColumnOf(change)->heading);
    }
    return length < 0 ? NULL : name;
}
