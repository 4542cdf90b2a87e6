/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of compare/statistics.c. */
#include "compare/statistics.h"

#include "tests/core/suites.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#define ALPHA 0.01
#define TRIALS 4000u
#define REPETITIONS 20u

static uint64_t state;

static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double) (state >> 11) + 0.5) / 9007199254740992.0;
}

/* A time as machines measure it: skewed, now and then much too long. */
static double noisy(double time)
{
    const double normal = sqrt(-2 * log(uniform())) * cos(2 * acos(-1) * uniform());
    const double outlier = uniform() < 0.05 ? 1 + 3 * uniform() : 1;

    return time * exp(0.1 * normal) * outlier;
}

static void measure(double time, double *values)
{
    for (uint32_t i = 0; i < REPETITIONS; i++) {
        values[i] = noisy(time);
    }
}

/* How many of TRIALS comparisons end with a verdict. */
static uint32_t count(double after, DiffVerdict verdict)
{
    uint32_t found = 0;

    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        double a[REPETITIONS], b[REPETITIONS];

        measure(100, a);
        measure(after, b);
        found += DiffJudge(a, REPETITIONS, b, REPETITIONS, ALPHA) == verdict;
    }
    return found;
}

START_TEST(twenty_noisy_repetitions_are_judged_at_the_stated_error_rate)
{
    /* Chance may exceed the expected number of false alarms by four standard deviations. */
    const double expected = ALPHA * TRIALS;
    const double most = expected + 4 * sqrt(expected * (1 - ALPHA));
    const uint32_t same = count(100, DIFF_SAME);

    ck_assert_msg(TRIALS - same <= most, "%u false alarms of %u", TRIALS - same, TRIALS);
    ck_assert_uint_gt(TRIALS - same, 0); /* neither is it deaf */
    /* Three tenths slower or faster with a tenth of noise are nearly always seen, and never the
     * wrong way. */
    ck_assert_uint_ge(count(130, DIFF_MORE), TRIALS * 98 / 100);
    ck_assert_uint_eq(count(130, DIFF_LESS), 0);
    ck_assert_uint_ge(count(70, DIFF_LESS), TRIALS * 98 / 100);
}
END_TEST

/* Half pairs in which a value of the set is above one that is not in it. */
static uint32_t half_pairs(const double *all, uint32_t count, uint32_t set)
{
    uint32_t pairs = 0;

    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < count; j++) {
            const bool is_pair = (set >> i & 1) == 0 && (set >> j & 1) != 0;

            pairs += !is_pair || all[j] < all[i] ? 0 : all[j] > all[i] ? 2 : 1;
        }
    }
    return pairs;
}

/* All mixtures of few values, counted one by one: the last `n` of `all` are those of b. */
static double plain_probability(const double *all, uint32_t m, uint32_t n)
{
    const uint32_t wanted = half_pairs(all, m + n, ((1u << n) - 1) << m);
    uint32_t mixtures = 0, tail = 0;

    for (uint32_t set = 0; set < 1u << (m + n); set++) {
        if (__builtin_popcount(set) == (int) n) {
            mixtures++;
            tail += half_pairs(all, m + n, set) >= wanted;
        }
    }
    return (double) tail / mixtures;
}

/* With `levels` different values at most; 0: as many as there are. Returns how many probabilities
 * were small. */
static uint32_t compare_with_counting(uint32_t levels)
{
    uint32_t small = 0;

    for (uint32_t trial = 0; trial < 300; trial++) {
        const uint32_t m = 1 + trial % 5;
        const uint32_t n = 1 + trial / 5 % 6;
        double all[11];

        for (uint32_t i = 0; i < m + n; i++) {
            const double shift = i < m ? 0 : 0.4; /* so that some are improbable */

            all[i] = levels == 0 ? uniform() + shift : floor(levels * (uniform() + shift));
        }
        const double right = plain_probability(all, m, n);
        const double found = DiffProbability(all, m, all + m, n);

        if (right <= 0.1) {
            small++;
            ck_assert_double_eq_tol(found, right, 1e-12);
        } else {
            ck_assert_double_gt(found, 0.099);
        }
    }
    return small;
}

START_TEST(small_probabilities_are_those_of_counting_also_with_equal_values)
{
    ck_assert_uint_gt(compare_with_counting(0), 20);
    for (uint32_t levels = 2; levels < 6; levels++) {
        ck_assert_uint_gt(compare_with_counting(levels), 20);
    }
}
END_TEST

START_TEST(few_against_many_give_no_verdict_because_values_are_equal)
{
    double many[60] = { 0 };
    const double one = 1;
    const double two[] = { 1, 1 };

    many[0] = 1; /* one of 60 is as large: 2 of 61 mixtures */
    ck_assert_double_eq_tol(DiffProbability(many, 60, &one, 1), 2.0 / 61, 1e-12);
    ck_assert_int_eq(DiffJudge(many, 60, &one, 1, ALPHA), DIFF_UNSURE);
    many[19] = many[20] = 1;
    ck_assert_double_eq_tol(DiffProbability(many, 19, two, 2), 3.0 / 210, 1e-12);
    ck_assert_int_eq(DiffJudge(many, 19, two, 2, ALPHA), DIFF_SAME);
}
END_TEST

START_TEST(equal_values_are_no_change_and_few_ones_no_verdict)
{
    const double same[20] = { 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 };
    const double low[3] = { 1, 2, 3 };
    const double high[3] = { 10, 11, 12 };

    ck_assert_int_eq(DiffJudge(same, 20, same, 20, ALPHA), DIFF_SAME);
    ck_assert_int_eq(DiffJudge(low, 3, high, 3, ALPHA), DIFF_UNSURE);
    ck_assert_int_eq(DiffJudge(low, 1, high, 1, ALPHA), DIFF_MORE);
    ck_assert_int_eq(DiffJudge(high, 1, low, 1, ALPHA), DIFF_LESS);
    ck_assert_int_eq(DiffJudge(low, 1, low, 1, ALPHA), DIFF_SAME);
    ck_assert_int_eq(DiffJudge(low, 0, low, 1, ALPHA), DIFF_UNSURE);
}
END_TEST

START_TEST(medians_and_spreads)
{
    double odd[] = { 9, 1, 5 };
    double even[] = { 4, 1, 3, 2 };
    double wide[] = { 5, 1, 2, 3, 4 };

    ck_assert_double_eq(DiffMedian(odd, 3), 5);
    ck_assert_double_eq(DiffMedian(even, 4), 2.5);
    ck_assert_double_eq(DiffMedian(even, 0), 0);
    ck_assert_double_eq(DiffSpread(wide, 5), 1); /* quartiles 2 and 4 */
    ck_assert_double_eq(DiffSpread(wide, 1), 0);
}
END_TEST

static Suite *statistics_suite(void)
{
    Suite *suite = suite_create("statistics");
    TCase *all = tcase_create("all");

    state = 12345;
    tcase_add_test(all, twenty_noisy_repetitions_are_judged_at_the_stated_error_rate);
    tcase_add_test(all, small_probabilities_are_those_of_counting_also_with_equal_values);
    tcase_add_test(all, few_against_many_give_no_verdict_because_values_are_equal);
    tcase_add_test(all, equal_values_are_no_change_and_few_ones_no_verdict);
    tcase_add_test(all, medians_and_spreads);
    tcase_set_timeout(all, 1800);
    suite_add_tcase(suite, all);
    return suite;
}
TEST_SUITE(statistics_suite)
