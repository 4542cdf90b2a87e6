# SPDX-License-Identifier: Apache-2.0
if HAVE_CHECK
check_PROGRAMS += tests/records/test_types
TESTS += tests/records/test_types
tests_records_test_types_CPPFLAGS = $(TEST_CPPFLAGS)
tests_records_test_types_LDADD = $(TEST_LIBS)
endif
