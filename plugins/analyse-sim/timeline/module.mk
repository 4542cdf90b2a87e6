# SPDX-License-Identifier: Apache-2.0
# The parts, for the module and for tests that look inside.
sim_timeline_parts = \
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
	plugins/analyse-sim/timeline/vocabulary.c plugins/analyse-sim/timeline/vocabulary.h

plugin_LTLIBRARIES += plugins/analyse-sim/timeline/sim-timeline.la
plugins_analyse_sim_timeline_sim_timeline_la_SOURCES = plugins/analyse-sim/timeline/sim_timeline.c $(sim_timeline_parts)
plugins_analyse_sim_timeline_sim_timeline_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_sim_timeline_sim_timeline_la_LIBADD = $(ANALYSE_SIM_LIBADD)

SUITES += tests/plugins/analyse-sim/timeline/suites
tests_plugins_analyse_sim_timeline_suites_SOURCES = \
	tests/plugins/analyse-sim/timeline/test_cross_pairs.c \
	tests/plugins/analyse-sim/timeline/test_flags.c \
	tests/plugins/analyse-sim/timeline/test_lane.c \
	tests/plugins/analyse-sim/timeline/test_palette.c \
	tests/plugins/analyse-sim/timeline/test_sim_timeline.c
tests_plugins_analyse_sim_timeline_suites_LDADD = $(call objects_of,plugins_analyse_sim_timeline_sim_timeline_la) plugins/analyse-sim/.libs/libcommon.a $(TEST_LIBS)

sim_timeline_scripts = tests/plugins/analyse-sim/timeline/test_documents.sh \
	tests/plugins/analyse-sim/timeline/test_random_dumps.sh tests/plugins/analyse-sim/timeline/test_same.sh
dist_check_SCRIPTS += $(sim_timeline_scripts)
TESTS += $(sim_timeline_scripts)
nobase_dist_guides_DATA += plugins/analyse-sim/timeline/README.md
EXTRA_DIST += tests/tools/compare_trace.py tests/tools/draw_model.py tests/tools/make_random_dump.py tests/tools/perfetto_rules.py \
	tests/tools/visualize_check.py
