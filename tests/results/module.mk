# SPDX-License-Identifier: Apache-2.0
# Tests of the library of results.
SUITES += tests/results/suites
tests_results_suites_SOURCES = \
	tests/results/test_conditions.c \
	tests/results/test_results.c
tests_results_suites_CPPFLAGS = $(TEST_CPPFLAGS) $(SQLITE_CFLAGS)
tests_results_suites_LDADD = results/.libs/libresults.a core/.libs/libcore.a $(CORE_OUTSIDE_LIBS) $(TEST_CHECK_LIBS) $(SQLITE_LIBS)
