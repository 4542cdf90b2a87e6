# SPDX-License-Identifier: Apache-2.0
harness_tests = tests/harness/check.sh tests/harness/in_tree.sh
dist_check_SCRIPTS += $(harness_tests)
TESTS += $(harness_tests)
EXTRA_DIST += tests/harness/faulty.c
if HAVE_CHECK
check_PROGRAMS += tests/harness/test_harness
TESTS += tests/harness/test_harness
tests_harness_test_harness_SOURCES = tests/harness/test_harness.c
tests_harness_test_harness_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/harness/include
tests_harness_test_harness_LDADD = $(LIBOPPROF_HARNESS) $(LIBOPPROF) $(TEST_CHECK_LIBS)
endif
