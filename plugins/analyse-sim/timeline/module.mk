# SPDX-License-Identifier: Apache-2.0
# The parts, for the module and for tests that look inside.
sim_timeline_parts = plugins/analyse-sim/common/dump_kernel.c plugins/analyse-sim/common/dump_kernel.h \
	plugins/analyse-sim/common/kernel.c plugins/analyse-sim/common/kernel.h \
	plugins/analyse-sim/common/launches.c plugins/analyse-sim/common/launches.h \
	plugins/analyse-sim/timeline/core_lanes.c plugins/analyse-sim/timeline/core_lanes.h \
	plugins/analyse-sim/timeline/core_timeline.c plugins/analyse-sim/timeline/core_timeline.h \
	plugins/analyse-sim/timeline/cross_flags.c plugins/analyse-sim/timeline/cross_flags.h \
	plugins/analyse-sim/timeline/cross_pairs.c plugins/analyse-sim/timeline/cross_pairs.h \
	plugins/analyse-sim/timeline/draw_main.c plugins/analyse-sim/timeline/draw_main.h \
	plugins/analyse-sim/timeline/draw_own.c plugins/analyse-sim/timeline/draw_own.h \
	plugins/analyse-sim/timeline/drawing.c plugins/analyse-sim/timeline/drawing.h plugins/analyse-sim/timeline/instruction.h \
	plugins/analyse-sim/timeline/row_kind.h plugins/analyse-sim/timeline/shared.h \
	plugins/analyse-sim/timeline/flags.c plugins/analyse-sim/timeline/flags.h \
	plugins/analyse-sim/timeline/lane.c plugins/analyse-sim/timeline/lane.h \
	plugins/analyse-sim/timeline/palette.c plugins/analyse-sim/timeline/palette.h \
	plugins/analyse-sim/timeline/sheet.c plugins/analyse-sim/timeline/sheet.h \
	plugins/analyse-sim/timeline/vocabulary.c plugins/analyse-sim/timeline/vocabulary.h \
	plugins/analyse-sim/common/instruction_facts.c plugins/analyse-sim/common/instruction_facts.h \
	plugins/analyse-sim/common/byte_search.h plugins/analyse-sim/common/dialect.c plugins/analyse-sim/common/dialect.h \
	plugins/analyse-sim/common/names.c plugins/analyse-sim/common/names.h \
	plugins/analyse-sim/common/operands.c plugins/analyse-sim/common/operands.h \
	plugins/analyse-sim/common/process_bytes.c plugins/analyse-sim/common/process_bytes.h

plugin_LTLIBRARIES += plugins/analyse-sim/timeline/sim-timeline.la
plugins_analyse_sim_timeline_sim_timeline_la_SOURCES = plugins/analyse-sim/timeline/sim_timeline.c $(sim_timeline_parts)
plugins_analyse_sim_timeline_sim_timeline_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_sim_timeline_sim_timeline_la_LIBADD = $(PLUGIN_LIBADD)

SUITES += tests/plugins/analyse-sim/timeline/suites
tests_plugins_analyse_sim_timeline_suites_SOURCES = \
	tests/plugins/analyse-sim/timeline/test_cross_pairs.c \
	tests/plugins/analyse-sim/timeline/test_flags.c \
	tests/plugins/analyse-sim/timeline/test_lane.c \
	tests/plugins/analyse-sim/timeline/test_palette.c \
	tests/plugins/analyse-sim/timeline/test_sim_timeline.c
tests_plugins_analyse_sim_timeline_suites_LDADD = $(call objects_of,plugins_analyse_sim_timeline_sim_timeline_la) $(TEST_LIBS)

sim_timeline_scripts = tests/plugins/analyse-sim/timeline/test_documents.sh \
	tests/plugins/analyse-sim/timeline/test_random_dumps.sh tests/plugins/analyse-sim/timeline/test_same.sh
dist_check_SCRIPTS += $(sim_timeline_scripts)
TESTS += $(sim_timeline_scripts)
nobase_dist_guides_DATA += plugins/analyse-sim/timeline/README.md
EXTRA_DIST += tests/tools/compare_trace.py tests/tools/draw_model.py tests/tools/make_random_dump.py tests/tools/perfetto_rules.py \
	tests/tools/visualize_check.py
