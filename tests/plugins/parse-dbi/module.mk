# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/tools/dbi_raw.py tests/plugins/parse-dbi/runs.py tests/plugins/parse-dbi/hot_spots.py tests/plugins/parse-dbi/new_stubs.py \
	tests/plugins/parse-dbi/one_truth.py tests/plugins/parse-dbi/warps.py
dist_check_SCRIPTS += tests/plugins/parse-dbi/test_damage.sh tests/plugins/parse-dbi/test_hot_spots.sh tests/plugins/parse-dbi/test_new_stubs.sh tests/plugins/parse-dbi/test_one_truth.sh tests/plugins/parse-dbi/test_runs.sh tests/plugins/parse-dbi/test_same.sh tests/plugins/parse-dbi/test_warps.sh
TESTS += tests/plugins/parse-dbi/test_damage.sh tests/plugins/parse-dbi/test_hot_spots.sh tests/plugins/parse-dbi/test_new_stubs.sh tests/plugins/parse-dbi/test_one_truth.sh tests/plugins/parse-dbi/test_runs.sh tests/plugins/parse-dbi/test_same.sh tests/plugins/parse-dbi/test_warps.sh

if HAVE_CHECK
dbi_tests = tests/plugins/parse-dbi/test_counts tests/plugins/parse-dbi/test_cuts tests/plugins/parse-dbi/test_rules tests/plugins/parse-dbi/test_slots
check_PROGRAMS += $(dbi_tests)
TESTS += $(dbi_tests)
DBI_TEST_LIBS = plugins/parse-dbi/.libs/libdbi.a $(TEST_LIBS)
tests_plugins_parse_dbi_test_cuts_SOURCES = tests/plugins/parse-dbi/test_cuts.c tests/plugins/parse-dbi/dbi_bytes.h \
	$(plugins_parse_dbi_parse_dbi_la_SOURCES)
tests_plugins_parse_dbi_test_cuts_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_parse_dbi_test_cuts_LDADD = $(DBI_TEST_LIBS)
tests_plugins_parse_dbi_test_rules_SOURCES = tests/plugins/parse-dbi/test_rules.c tests/plugins/parse-dbi/dbi_bytes.h
tests_plugins_parse_dbi_test_rules_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_parse_dbi_test_rules_LDADD = $(DBI_TEST_LIBS)
tests_plugins_parse_dbi_test_slots_SOURCES = tests/plugins/parse-dbi/test_slots.c tests/plugins/parse-dbi/dbi_bytes.h
tests_plugins_parse_dbi_test_slots_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_parse_dbi_test_slots_LDADD = $(DBI_TEST_LIBS)
tests_plugins_parse_dbi_test_counts_SOURCES = tests/plugins/parse-dbi/test_counts.c tests/plugins/parse-dbi/dbi_bytes.h
tests_plugins_parse_dbi_test_counts_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_parse_dbi_test_counts_LDADD = $(DBI_TEST_LIBS)
endif
