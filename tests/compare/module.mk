# SPDX-License-Identifier: Apache-2.0
# Tests of comparisons.
compare_scripts = tests/compare/test_diff.sh tests/compare/test_labels.sh tests/compare/test_pairs.sh
dist_check_SCRIPTS += $(compare_scripts)
EXTRA_DIST += tests/compare/differences.py tests/compare/pairs.py
TESTS += $(compare_scripts)

SUITES += tests/compare/suites
tests_compare_suites_SOURCES = \
	tests/compare/test_statistics.c
tests_compare_suites_LDADD = compare/.libs/libcompare.a $(TEST_CHECK_LIBS) -lm
