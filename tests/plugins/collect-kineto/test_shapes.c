/* SPDX-License-Identifier: Apache-2.0 */
/* How much operators compute: numbers computed by hand from their shapes. */
#include "plugins/collect-kineto/rank/shapes.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static JsonText text_of(const char *text)
{
    return (JsonText){ .text = text, .length = (uint32_t) strlen(text) };
}

static bool reads(ShapeKind kind, const char *dims, const char *types, const char *concrete,
                  Amount *ret_amount, char *text)
{
    TraceEvent event;

    EventInit(&event);
    event.dims = text_of(dims);
    event.types = text_of(types);
    event.concrete = text_of(concrete);
    return ShapesRead(kind, &event, ret_amount, text, 160);
}

#define HALVES "[\"c10::Half\", \"c10::Half\", \"c10::Half\"]"

START_TEST(products)
{
    Amount amount;
    char text[160];

    ck_assert(reads(SHAPE_PRODUCT, "[[4, 2], [2, 3]]", "[\"float\",\"float\"]", "", &amount, text));
    ck_assert_double_eq(amount.flops, 2 * 4 * 2 * 3);
    ck_assert_double_eq(amount.bytes, (8 + 6 + 12) * 4);
    ck_assert_str_eq(text, "4x2 2x3");
    ck_assert(
        reads(SHAPE_ADDED_PRODUCT, "[[3], [4, 2], [2, 3], [], []]", HALVES, "", &amount, text));
    ck_assert_double_eq(amount.flops, 48);
    ck_assert_double_eq(amount.bytes, (26 + 3) * 2);
    ck_assert(reads(SHAPE_PRODUCT, "[[5, 4, 2], [5, 2, 3]]", "[]", "", &amount, text));
    ck_assert_double_eq(amount.flops, 5 * 48);
    ck_assert_double_eq(amount.bytes, 0);
}
END_TEST

/* 8 and 6 elements of a byte give 12 of 4 bytes, of 2 bytes (type 15), or of one. */
START_TEST(results_of_products_may_be_wider)
{
    static const struct {
        const char *type;
        const char *concrete;
        double bytes;
    } cases[] = {
        { "signed char", "", 14 + 12 * 4 },
        { "c10::Float8_e4m3fn", "[\"\",\"\",\"\",\"\",\"\",\"\",\"15\",\"False\"]", 14 + 12 * 2 },
        { "c10::Float8_e4m3fn", "[\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"False\"]", 14 + 12 },
        { "c10::BFloat16", "[\"\",\"\",\"\",\"\",\"\",\"\",\"6\"]", 2 * (14 + 12) },
    };
    Amount amount;
    char text[160];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char types[64];

        snprintf(types, sizeof types, "[\"%s\", \"%s\"]", cases[i].type, cases[i].type);
        ck_assert(
            reads(SHAPE_PRODUCT, "[[4, 2], [2, 3]]", types, cases[i].concrete, &amount, text));
        ck_assert_double_eq(amount.bytes, cases[i].bytes);
    }
}
END_TEST

/* Sides of (5 - 1) x 2 - 2 + 2 + 1 + 1 = 10 and 4 x 2 channels, from 2 x 6 x 25 elements, each of
 * which meets 4 x 9 weights. */
START_TEST(transposed_convolutions)
{
    Amount amount;
    char text[160];

    ck_assert(
        reads(SHAPE_CONVOLUTION, "[[2, 6, 5, 5], [6, 4, 3, 3], []]", HALVES,
              "[\"\", \"\", \"\", \"[2, 2]\", \"[1, 1]\", \"[1, 1]\", \"True\", \"[1, 1]\", \"2\"]",
              &amount, text));
    ck_assert_double_eq(amount.flops, 2.0 * 300 * 36);
    ck_assert_double_eq(amount.bytes, 2.0 * (300 + 216 + 2 * 8 * 100));
    ck_assert(reads(SHAPE_CONVOLUTION_BACKWARD, "[[2, 8, 10, 10], [2, 6, 5, 5], [6, 4, 3, 3]]",
                    HALVES,
                    "[\"\", \"\", \"\", \"[0]\", \"[2, 2]\", \"[1, 1]\", \"[1, 1]\", \"True\", "
                    "\"[1, 1]\", \"2\", "
                    "\"[True, True, False]\"]",
                    &amount, text));
    ck_assert_double_eq(amount.flops, 2 * 2.0 * 300 * 36);
    ck_assert_double_eq(amount.bytes, 2.0 * (1600 + 2 * (300 + 216)));
}
END_TEST

START_TEST(attention)
{
    Amount amount;
    char text[160];

    ck_assert(reads(SHAPE_ATTENTION, "[[2,8,128,64],[2,8,256,64],[2,8,256,32]]", HALVES, "",
                    &amount, text));
    ck_assert_double_eq(amount.flops, 2.0 * 2 * 8 * 128 * 256 * (64 + 32));
    ck_assert_double_eq(amount.bytes, 2.0 * 16 * (128 * 64 + 256 * 64 + 256 * 32 + 128 * 32));
}
END_TEST

#define BACKWARD_DIMS "[[2,8,128,32],[2,8,128,64],[2,8,256,64],[2,8,256,32],[2,8,128,32],[]]"

/* Scores and the gradients of queries and keys have 64 for each pair, those
 * of pairs and values 32. */
START_TEST(attention_may_be_causal)
{
    TraceEvent event;

    EventInit(&event);
    event.concrete = text_of("[\"\", \"\", \"\", \"0.\", \"True\", \"False\", \"\"]");
    ck_assert(!ShapesIsCausal(&event, 4)); /* the event has no such argument */
    event.has = EVENT_HAS_CONCRETE;
    ck_assert(ShapesIsCausal(&event, 4));
    ck_assert(!ShapesIsCausal(&event, 5));
    ck_assert(!ShapesIsCausal(&event, 7));
    ck_assert(!ShapesIsCausal(&event, -1));
    event.concrete = text_of("{\"a\": 1}");
    ck_assert(!ShapesIsCausal(&event, 4));
}
END_TEST

START_TEST(attention_backward)
{
    Amount amount;
    char text[160];

    ck_assert(reads(SHAPE_ATTENTION_BACKWARD, BACKWARD_DIMS, HALVES, "", &amount, text));
    ck_assert_double_eq_tol(amount.flops, 2.0 * 2 * 8 * 128 * 256 * (3 * 64 + 2 * 32), 1);
    ck_assert_double_eq(amount.bytes, 2.0 * 2 * 16 * (128 * 32 + 128 * 64 + 256 * 64 + 256 * 32));
    ck_assert_str_eq(text, "2x8x128x32 2x8x128x64 2x8x256x64 2x8x256x32");
    ck_assert(!reads(SHAPE_ATTENTION_BACKWARD,
                     "[[2,8,128,31],[2,8,128,64],[2,8,256,64],[2,8,256,32]]", HALVES, "", &amount,
                     text));
}
END_TEST

START_TEST(convolutions_backward)
{
    static const char dims[] = "[[8,64,112,112],[8,3,224,224],[64,3,7,7],[],[],[],[],[],[],[],[]]";
    static const char concrete[] =
        "[\"\",\"\",\"\",\"[0]\",\"[2, 2]\",\"[3, 3]\",\"[1, 1]\",\"%s\",\"[0, 0]\",\"1\",\"%s\"]";
    const double gradient = 8.0 * 64 * 112 * 112;
    const double one = 2 * gradient * 3 * 49;
    const double input = 8.0 * 3 * 224 * 224;
    const double weight = 64.0 * 3 * 49;
    const struct {
        const char *transposed;
        const char *mask;
        double flops;
        double elements; /* 0: unknown */
    } cases[] = {
        { "False", "[True, True, False]", 2 * one, gradient + 2 * (input + weight) },
        { "False", "[False, True, True]", one, gradient + input + weight },
        { "False", "[False, False, True]", 0, 0 },
        { "False", "", 0, 0 },
        { "True", "[True, True, False]", 0, 0 },
    };
    Amount amount;
    char text[160];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char values[256];

        snprintf(values, sizeof values, concrete, cases[i].transposed, cases[i].mask);
        ck_assert(reads(SHAPE_CONVOLUTION_BACKWARD, dims, HALVES, values, &amount, text) ==
                  (cases[i].elements > 0));
        if (cases[i].elements > 0) {
            ck_assert_double_eq(amount.flops, cases[i].flops);
            ck_assert_double_eq(amount.bytes, 2 * cases[i].elements);
        }
    }
}
END_TEST

START_TEST(convolutions)
{
    static const char concrete[] =
        "[\"\", \"\", \"\", \"[2, 2]\", \"[3, 3]\", \"[1, 1]\", \"False\", "
        "\"[0, 0]\", \"1\"]";
    Amount amount;
    char text[160];

    /* A plane of (224 + 6 - 6 - 1) / 2 + 1 = 112 each way. */
    ck_assert(reads(SHAPE_CONVOLUTION, "[[8, 3, 224, 224], [64, 3, 7, 7], []]", HALVES, concrete,
                    &amount, text));
    ck_assert_double_eq(amount.flops, 2.0 * 8 * 64 * 112 * 112 * 3 * 49);
    ck_assert_double_eq(amount.bytes, 2.0 * (8 * 3 * 224 * 224 + 64 * 3 * 49 + 8 * 64 * 112 * 112));
    /* With a number that is added for each of 64 outputs. */
    ck_assert(reads(SHAPE_CONVOLUTION, "[[8, 3, 224, 224], [64, 3, 7, 7], [64]]", HALVES, concrete,
                    &amount, text));
    ck_assert_double_eq(amount.flops, 2.0 * 8 * 64 * 112 * 112 * 3 * 49);
    ck_assert_double_eq(amount.bytes,
                        2.0 * (8 * 3 * 224 * 224 + 64 * 3 * 49 + 64 + 8 * 64 * 112 * 112));
    ck_assert(!reads(SHAPE_CONVOLUTION, "[[8, 3, 224, 224], [64, 3, 7, 7], []]", HALVES,
                     "[\"\", \"\", \"\", \"[2, 2]\", \"[3, 3]\", \"[1, 1]\", \"True\"]", &amount,
                     text));
    ck_assert(!reads(SHAPE_CONVOLUTION, "[[8, 3, 224, 224], [64, 3, 7, 7], []]", HALVES,
                     "[\"\", \"\", \"\", \"[0, 0]\", \"[3, 3]\", \"[1, 1]\", \"False\"]", &amount,
                     text));
}
END_TEST

START_TEST(what_does_not_fit_is_no_shape)
{
    static const char *const odd[] = { "",
                                       "[",
                                       "[[4, 2]]",
                                       "[[4, 2], [3, 3]]",
                                       "[[4, 2], \"x\"]",
                                       "[[4, 2.5], [2, 3]]",
                                       "[[4, -2], [-2, 3]]",
                                       "[[1,1,1,1,1,1,1,1,1], [1]]",
                                       "[[99999999999999, 2], [2, 3]]",
                                       "{}" };
    Amount amount;
    char text[160];

    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        ck_assert(!reads(SHAPE_PRODUCT, odd[i], HALVES, "", &amount, text));
    }
    ck_assert(!reads(SHAPE_NONE, "[[4, 2], [2, 3]]", HALVES, "", &amount, text));
}
END_TEST

static Suite *shapes_suite(void)
{
    Suite *suite = suite_create("shapes");
    TCase *tcase = tcase_create("shapes");

    tcase_add_test(tcase, products);
    tcase_add_test(tcase, results_of_products_may_be_wider);
    tcase_add_test(tcase, transposed_convolutions);
    tcase_add_test(tcase, attention);
    tcase_add_test(tcase, convolutions);
    tcase_add_test(tcase, attention_backward);
    tcase_add_test(tcase, attention_may_be_causal);
    tcase_add_test(tcase, convolutions_backward);
    tcase_add_test(tcase, what_does_not_fit_is_no_shape);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(shapes_suite)
