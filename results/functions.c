/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aggregates that SQLite lacks, over the numbers of a column; absent values and texts do not count.
 * Tested by tests/plugins/advise/test_advise.
 */
#include "functions.h"

#include <math.h>
#include <opprof/grow.h>
#include <stdbool.h>
#include <stdlib.h>

/* The values of a group. */
typedef struct Values {
    double *list;
    size_t count;
    size_t capacity;
    double share; /* of quantile() */
    bool is_out_of_memory;
} Values;

static bool is_number(sqlite3_value *value)
{
    const int type = sqlite.value_numeric_type(value);

    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static void step(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    Values *values = sqlite.aggregate_context(context, sizeof *values);

    if (values == NULL || values->is_out_of_memory || !is_number(arguments[0])) {
        return;
    }
    if (!OpprofGrow(&values->list, &values->capacity, values->count + 1, sizeof *values->list)) {
        values->is_out_of_memory = true;
        return;
    }
    values->list[values->count++] = sqlite.value_double(arguments[0]);
    values->share = count < 2                 ? 0.5
                    : is_number(arguments[1]) ? sqlite.value_double(arguments[1])
                                              : NAN;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *) a;
    const double y = *(const double *) b;

    return (x > y) - (x < y);
}

/* Sorts the values, of which there is one at least; between two of them it is linear. */
static double quantile_of(Values *values, double share)
{
    double place;
    size_t below;

    qsort(values->list, values->count, sizeof *values->list, compare);
    place = share * (double) (values->count - 1);
    below = (size_t) place;
    return below + 1 < values->count
               ? values->list[below] +
                     (place - (double) below) * (values->list[below + 1] - values->list[below])
               : values->list[values->count - 1];
}

/* Median of the distances from the median. */
static double spread_of(Values *values)
{
    const double median = quantile_of(values, 0.5);

    for (size_t i = 0; i < values->count; i++) {
        values->list[i] = fabs(values->list[i] - median);
    }
    return quantile_of(values, 0.5);
}

/* SQLite also calls it for a statement that is not run to its end. */
static void finish(sqlite3_context *context)
{
    Values *values = sqlite.aggregate_context(context, 0);

    if (values == NULL || (values->count == 0 && !values->is_out_of_memory)) {
        sqlite.result_null(context);
    } else if (values->is_out_of_memory) {
        sqlite.result_error_nomem(context);
    } else if (sqlite.user_data(context) != NULL) {
        sqlite.result_double(context, spread_of(values));
    } else if (values->share >= 0 && values->share <= 1) {
        sqlite.result_double(context, quantile_of(values, values->share));
    } else {
        sqlite.result_error(context, "the second argument of quantile() is from 0 to 1", -1);
    }
    if (values != NULL) {
        free(values->list);
    }
}

int FunctionsAdd(sqlite3 *database)
{
    static char is_spread;
    static const struct {
        const char *name;
        int arguments;
        void *data;
    } functions[] = { { "median", 1, NULL }, { "quantile", 2, NULL }, { "spread", 1, &is_spread } };
    int code = SQLITE_OK;

    for (size_t i = 0; code == SQLITE_OK && i < sizeof functions / sizeof functions[0]; i++) {
        code = sqlite.create_function_v2(database, functions[i].name, functions[i].arguments,
                                         SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                         functions[i].data, NULL, step, finish, NULL);
    }
    return code;
}
