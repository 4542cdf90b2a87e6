# SPDX-License-Identifier: Apache-2.0
SUITES += tests/records/suites
tests_records_suites_SOURCES = \
	tests/records/test_types.c
tests_records_suites_LDADD = $(TEST_LIBS)
