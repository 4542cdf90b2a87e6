# SPDX-License-Identifier: Apache-2.0
# Formulas, and a second evaluator that they are compared with.
formula_world = tests/kit/metrics/formula_world.c tests/kit/metrics/formula_world.h \
	tests/kit/metrics/plain_expression.c tests/kit/metrics/plain_expression.h

if HAVE_CHECK
expression_tests = tests/kit/metrics/test_expression tests/kit/metrics/test_expression_random \
	tests/kit/metrics/test_metrics
check_PROGRAMS += $(expression_tests)
TESTS += $(expression_tests)
tests_kit_metrics_test_expression_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_metrics_test_expression_LDADD = $(TEST_LIBS)
tests_kit_metrics_test_expression_random_SOURCES = tests/kit/metrics/test_expression_random.c $(formula_world)
tests_kit_metrics_test_expression_random_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_metrics_test_expression_random_LDADD = $(TEST_LIBS)
tests_kit_metrics_test_metrics_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_metrics_test_metrics_LDADD = $(TEST_LIBS)
endif

FUZZERS += fuzz/fuzz_expression
fuzz_fuzz_expression_SOURCES = fuzz/fuzz_expression.c $(formula_world) $(FUZZ_SOURCES)
fuzz_fuzz_expression_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_expression_LDFLAGS = $(FUZZ_LINKFLAGS)
fuzz_fuzz_expression_LDADD = $(FUZZ_LIBS)
