# SPDX-License-Identifier: Apache-2.0
dist_facts_DATA += plugins/parse-pmu/facts/onboard.json
# The parts, for the module and for tests that look inside.
pmu_parser_parts = \
	plugins/parse-pmu/across.c plugins/parse-pmu/across.h \
	plugins/parse-pmu/choices.c plugins/parse-pmu/choices.h \
	plugins/parse-pmu/launch.c plugins/parse-pmu/launch_check.c plugins/parse-pmu/launch_contradictions.c plugins/parse-pmu/launch_emit.c \
	plugins/parse-pmu/launch.h \
	plugins/parse-pmu/facts.c plugins/parse-pmu/facts.h plugins/parse-pmu/layout.c plugins/parse-pmu/layout.h \
	plugins/parse-pmu/moves.c plugins/parse-pmu/moves.h \
	plugins/parse-pmu/merge.c plugins/parse-pmu/merge.h \
	plugins/parse-pmu/model.c plugins/parse-pmu/model.h \
	plugins/parse-pmu/operand_record.c plugins/parse-pmu/operand_record.h \
	plugins/parse-pmu/plan.c plugins/parse-pmu/plan.h \
	plugins/parse-pmu/task_log.c plugins/parse-pmu/task_log.h

noinst_LTLIBRARIES += plugins/parse-pmu/libpmu.la
plugins_parse_pmu_libpmu_la_SOURCES = $(pmu_parser_parts)
plugins_parse_pmu_libpmu_la_CPPFLAGS = $(AM_CPPFLAGS) -fvisibility=hidden

plugin_LTLIBRARIES += plugins/parse-pmu/parse-pmu.la
plugins_parse_pmu_parse_pmu_la_SOURCES = plugins/parse-pmu/parse_pmu.c
plugins_parse_pmu_parse_pmu_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_pmu_parse_pmu_la_LIBADD = plugins/parse-pmu/libpmu.la $(PLUGIN_LIBADD)
nobase_dist_guides_DATA += plugins/parse-pmu/README.md

FUZZERS += fuzz/fuzz_pmu_chip fuzz/fuzz_pmu_records fuzz/fuzz_pmu_launch
FUZZ_PMU_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_CHIPS_DIR='"$(abs_top_srcdir)/chips"'
fuzz_fuzz_pmu_chip_SOURCES = fuzz/fuzz_pmu_chip.c $(FUZZ_SOURCES)
fuzz_fuzz_pmu_chip_CPPFLAGS = $(FUZZ_PMU_CPPFLAGS)
fuzz_fuzz_pmu_chip_LDADD = plugins/parse-pmu/.libs/libpmu.a $(FUZZ_LIBS)
fuzz_fuzz_pmu_records_SOURCES = fuzz/fuzz_pmu_records.c $(FUZZ_SOURCES)
fuzz_fuzz_pmu_records_CPPFLAGS = $(FUZZ_PMU_CPPFLAGS)
fuzz_fuzz_pmu_records_LDADD = plugins/parse-pmu/.libs/libpmu.a $(FUZZ_LIBS)
# The whole pipeline, of the real modules.
fuzz_fuzz_pmu_launch_SOURCES = fuzz/fuzz_pmu_launch.c $(FUZZ_LAUNCH_FILES)
fuzz_fuzz_pmu_launch_CPPFLAGS = $(FUZZ_LAUNCH_CPPFLAGS)
fuzz_fuzz_pmu_launch_LDADD = $(FUZZ_MAIN) $(LIBOPPROF_KIT) $(LIBOPPROF)
EXTRA_fuzz_fuzz_pmu_launch_DEPENDENCIES = $(plugin_LTLIBRARIES)

include tests/plugins/parse-pmu/module.mk

EXTRA_PROGRAMS += bench/formulas_to_c bench/bench_pmu
BENCHES += pmu=bench/bench_pmu
bench_formulas = bench/formulas.c bench/formulas.h
bench_formulas_to_c_SOURCES = bench/formulas_to_c.c $(bench_formulas)
bench_formulas_to_c_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_formulas_to_c_LDADD = $(BENCH_LIBS)
bench_bench_pmu_SOURCES = bench/bench_pmu.c $(bench_formulas) $(onboard_sources) $(BENCH_SOURCES)
nodist_bench_bench_pmu_SOURCES = bench/formulas_in_c.c
bench_bench_pmu_CPPFLAGS = $(BENCH_CPPFLAGS) $(ONBOARD_CPPFLAGS)
bench_bench_pmu_LDADD = plugins/parse-pmu/libpmu.la $(BENCH_LIBS) -lm
bench/formulas_in_c.c: bench/formulas_to_c$(EXEEXT) chips/910B.json $(dist_facts_DATA)
	$(AM_V_GEN)OPPROF_CHIP_PATH=$(srcdir)/chips OPPROF_SYSTEM_CHIP_PATH='$(fact_path)' ./bench/formulas_to_c$(EXEEXT) Ascend910B1 >$@.part && mv $@.part $@
CLEANFILES += bench/formulas_in_c.c

# Runs opprof-run and the modules of this tree.
EXTRA_PROGRAMS += bench/bench_onboard
BENCHES += onboard=bench/bench_onboard
bench_bench_onboard_SOURCES = bench/bench_onboard.c $(onboard_sources) $(BENCH_TREE_SOURCES)
bench_bench_onboard_CPPFLAGS = $(BENCH_CPPFLAGS) $(ONBOARD_CPPFLAGS)
bench_bench_onboard_LDADD = $(BENCH_LIBS) -lm
