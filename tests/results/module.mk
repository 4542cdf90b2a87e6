# SPDX-License-Identifier: Apache-2.0
# Tests of the library of results.
if HAVE_CHECK
results_tests = tests/results/test_results
check_PROGRAMS += $(results_tests)
TESTS += $(results_tests)
tests_results_test_results_SOURCES = tests/results/test_results.c
tests_results_test_results_CPPFLAGS = $(TEST_CPPFLAGS) $(SQLITE_CFLAGS)
tests_results_test_results_LDADD = results/.libs/libresults.a core/.libs/libcore.a $(CORE_OUTSIDE_LIBS) $(TEST_CHECK_LIBS) $(SQLITE_LIBS)
endif
