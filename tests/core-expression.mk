# SPDX-License-Identifier: Apache-2.0
if HAVE_CHECK
check_PROGRAMS += tests/core/kit/test_expression
TESTS += tests/core/kit/test_expression
tests_core_kit_test_expression_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_kit_test_expression_LDADD = $(TEST_LIBS)
endif
