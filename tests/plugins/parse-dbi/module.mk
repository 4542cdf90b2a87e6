# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/tools/dbi_raw.py tests/plugins/parse-dbi/runs.py tests/plugins/parse-dbi/hot_spots.py tests/plugins/parse-dbi/new_stubs.py \
	tests/plugins/parse-dbi/one_truth.py tests/plugins/parse-dbi/warps.py
parse_dbi_scripts = tests/plugins/parse-dbi/test_damage.sh tests/plugins/parse-dbi/test_hot_spots.sh tests/plugins/parse-dbi/test_mutations.sh \
	tests/plugins/parse-dbi/test_new_stubs.sh tests/plugins/parse-dbi/test_one_truth.sh tests/plugins/parse-dbi/test_runs.sh \
	tests/plugins/parse-dbi/test_same.sh tests/plugins/parse-dbi/test_warps.sh
dist_check_SCRIPTS += $(parse_dbi_scripts)
TESTS += $(parse_dbi_scripts)

SUITES += tests/plugins/parse-dbi/suites
tests_plugins_parse_dbi_suites_SOURCES = \
	tests/plugins/parse-dbi/dbi_bytes.h \
	tests/plugins/parse-dbi/test_counts.c \
	tests/plugins/parse-dbi/test_cuts.c \
	tests/plugins/parse-dbi/test_rules.c \
	tests/plugins/parse-dbi/test_slots.c
tests_plugins_parse_dbi_suites_LDADD = $(call objects_of,plugins_parse_dbi_parse_dbi_la) plugins/parse-dbi/.libs/libdbi.a $(TEST_LIBS)
