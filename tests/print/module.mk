# SPDX-License-Identifier: Apache-2.0
SUITES += tests/print/suites
tests_print_suites_SOURCES = \
	tests/print/test_summary.c
tests_print_suites_LDADD = print/libprint.la $(CORE_TEST_LIBS)
