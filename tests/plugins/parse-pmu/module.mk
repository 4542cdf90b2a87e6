# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += examples/onboard tests/tools/compare_csv.py tests/tools/compare_blocks.py \
	tests/tools/onboard_differences.py tests/tools/onboard_model.py tests/tools/onboard_raw.py \
	tests/plugins/parse-pmu/advice.py tests/plugins/parse-pmu/damage.py tests/plugins/parse-pmu/differences.py \
	tests/plugins/parse-pmu/maps.py tests/plugins/parse-pmu/partial.py tests/plugins/parse-pmu/trust.py \
	tests/plugins/parse-pmu/vectors.py tests/plugins/parse-pmu/views.py

noinst_PROGRAMS += tests/tools/gen_onboard
onboard_sources = tests/tools/onboard.c tests/tools/onboard_describe.c tests/tools/onboard_load.c \
	tests/tools/onboard.h
tests_tools_gen_onboard_SOURCES = tests/tools/gen_onboard.c $(onboard_sources)
ONBOARD_CPPFLAGS = -DONBOARD_FACTS_DIR='"$(abs_top_srcdir)/tests/data/pmu/facts"'
tests_tools_gen_onboard_LDADD = -lm
tests_tools_gen_onboard_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(ONBOARD_CPPFLAGS)

pmu_scripts = tests/plugins/parse-pmu/test_cases.sh tests/plugins/parse-pmu/test_same.sh tests/plugins/parse-pmu/test_columns.sh \
	tests/plugins/parse-pmu/test_new_chip.sh tests/plugins/parse-pmu/test_nothing_made.sh tests/plugins/parse-pmu/test_own_records.sh tests/plugins/parse-pmu/test_runs.sh \
	tests/plugins/parse-pmu/test_launches.sh tests/plugins/parse-pmu/test_mutations.sh tests/plugins/parse-pmu/test_summary.sh tests/plugins/parse-pmu/test_workloads.sh tests/plugins/parse-pmu/test_vectors.sh
dist_check_SCRIPTS += $(pmu_scripts)
TESTS += $(pmu_scripts)

SUITES += tests/plugins/parse-pmu/suites
tests_plugins_parse_pmu_suites_SOURCES = \
	tests/plugins/parse-pmu/test_plan.c \
	tests/plugins/parse-pmu/test_records.c
tests_plugins_parse_pmu_suites_LDADD = plugins/parse-pmu/.libs/libpmu.a $(TEST_LIBS)
