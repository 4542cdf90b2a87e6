# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/tools/dbi_raw.py tests/plugins/parse-dbi/runs.py
dist_check_SCRIPTS += tests/plugins/parse-dbi/test_damage.sh tests/plugins/parse-dbi/test_runs.sh tests/plugins/parse-dbi/test_same.sh
TESTS += tests/plugins/parse-dbi/test_damage.sh tests/plugins/parse-dbi/test_runs.sh tests/plugins/parse-dbi/test_same.sh

if HAVE_CHECK
dbi_tests = tests/plugins/parse-dbi/test_rules tests/plugins/parse-dbi/test_slots
check_PROGRAMS += $(dbi_tests)
TESTS += $(dbi_tests)
DBI_TEST_LIBS = plugins/parse-dbi/libdbi.la $(TEST_LIBS)
tests_plugins_parse_dbi_test_rules_SOURCES = tests/plugins/parse-dbi/test_rules.c tests/plugins/parse-dbi/dbi_bytes.h
tests_plugins_parse_dbi_test_rules_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_parse_dbi_test_rules_LDADD = $(DBI_TEST_LIBS)
tests_plugins_parse_dbi_test_slots_SOURCES = tests/plugins/parse-dbi/test_slots.c tests/plugins/parse-dbi/dbi_bytes.h
tests_plugins_parse_dbi_test_slots_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_parse_dbi_test_slots_LDADD = $(DBI_TEST_LIBS)
endif
