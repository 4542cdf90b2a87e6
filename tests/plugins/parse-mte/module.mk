# SPDX-License-Identifier: Apache-2.0
if HAVE_CHECK
parse_mte_tests = tests/plugins/parse-mte/test_line tests/plugins/parse-mte/test_parse_mte
check_PROGRAMS += $(parse_mte_tests)
TESTS += $(parse_mte_tests)
tests_plugins_parse_mte_test_line_SOURCES = tests/plugins/parse-mte/test_line.c plugins/parse-mte/line.c plugins/parse-mte/request_facts.c
tests_plugins_parse_mte_test_line_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_parse_mte_test_line_LDADD = $(TEST_LIBS)
tests_plugins_parse_mte_test_parse_mte_SOURCES = tests/plugins/parse-mte/test_parse_mte.c \
	plugins/parse-mte/parse_mte.c plugins/parse-mte/line.c plugins/parse-mte/request_facts.c
tests_plugins_parse_mte_test_parse_mte_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_parse_mte_test_parse_mte_LDADD = $(TEST_LIBS)
endif
