# SPDX-License-Identifier: Apache-2.0
SUITES += tests/plugins/parse-mte/suites
tests_plugins_parse_mte_suites_SOURCES = \
	tests/plugins/parse-mte/test_line.c \
	tests/plugins/parse-mte/test_parse_mte.c
tests_plugins_parse_mte_suites_LDADD = $(call objects_of,plugins_parse_mte_parse_mte_la) $(TEST_LIBS)
