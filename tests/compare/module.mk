# SPDX-License-Identifier: Apache-2.0
# Tests of comparisons.
compare_scripts = tests/compare/test_diff.sh
dist_check_SCRIPTS += $(compare_scripts)
EXTRA_DIST += tests/data/diff tests/compare/differences.py
TESTS += $(compare_scripts)

if HAVE_CHECK
compare_tests = tests/compare/test_statistics
check_PROGRAMS += $(compare_tests)
TESTS += $(compare_tests)
tests_compare_test_statistics_SOURCES = tests/compare/test_statistics.c
tests_compare_test_statistics_CPPFLAGS = $(TEST_CPPFLAGS)
tests_compare_test_statistics_LDADD = compare/.libs/libcompare.a $(TEST_CHECK_LIBS) -lm
endif
