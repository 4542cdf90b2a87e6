# SPDX-License-Identifier: Apache-2.0
# The parts, for the module and for tests that look inside.
hotspot_parts = \
	plugins/analyse-sim/hotspot/core_stats.c plugins/analyse-sim/hotspot/core_stats.h \
	plugins/analyse-sim/hotspot/launch_bound.c plugins/analyse-sim/hotspot/launch_bound.h \
	plugins/analyse-sim/hotspot/pipe_tables.c plugins/analyse-sim/hotspot/pipe_tables.h \
	plugins/analyse-sim/hotspot/pipes.c plugins/analyse-sim/hotspot/pipes.h \
	plugins/analyse-sim/hotspot/hot_rows.c plugins/analyse-sim/hotspot/hot_rows.h \
	plugins/analyse-sim/hotspot/tables.c plugins/analyse-sim/hotspot/tables.h

plugin_LTLIBRARIES += plugins/analyse-sim/hotspot/sim-hotspot.la
plugins_analyse_sim_hotspot_sim_hotspot_la_SOURCES = plugins/analyse-sim/hotspot/sim_hotspot.c $(hotspot_parts)
plugins_analyse_sim_hotspot_sim_hotspot_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_sim_hotspot_sim_hotspot_la_LIBADD = $(ANALYSE_SIM_LIBADD)
nobase_dist_guides_DATA += plugins/analyse-sim/hotspot/README.md
EXTRA_DIST += tests/tools/compare_hotspots.py

sim_hotspot_scripts = tests/plugins/analyse-sim/hotspot/test_tables.sh
dist_check_SCRIPTS += $(sim_hotspot_scripts)
TESTS += $(sim_hotspot_scripts)
check_DATA += $(test_kernels)

SUITES += tests/plugins/analyse-sim/hotspot/suites
tests_plugins_analyse_sim_hotspot_suites_SOURCES = \
	tests/plugins/analyse-sim/common/test_dump_kernel.c \
	tests/plugins/analyse-sim/hotspot/test_core_stats.c \
	tests/plugins/analyse-sim/hotspot/test_hotspot.c \
	tests/plugins/analyse-sim/hotspot/test_pipes.c
tests_plugins_analyse_sim_hotspot_suites_LDADD = $(call objects_of,plugins_analyse_sim_hotspot_sim_hotspot_la) plugins/analyse-sim/.libs/libcommon.a $(TEST_LIBS) $(ELF_LIBS)
EXTRA_tests_plugins_analyse_sim_hotspot_suites_DEPENDENCIES = tests/data/source/mapped.o

FUZZERS += fuzz/fuzz_sim_hotspot fuzz/fuzz_source
fuzz_fuzz_sim_hotspot_SOURCES = fuzz/fuzz_sim_hotspot.c plugins/analyse-sim/hotspot/core_stats.c \
	$(FUZZ_SOURCES)
fuzz_fuzz_sim_hotspot_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_sim_hotspot_LDADD = $(FUZZ_LIBS)
fuzz_fuzz_source_SOURCES = fuzz/fuzz_source.c $(FUZZ_SOURCES)
fuzz_fuzz_source_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_source_LDADD = $(FUZZ_LIBS)
