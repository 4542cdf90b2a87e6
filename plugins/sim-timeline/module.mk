# SPDX-License-Identifier: Apache-2.0
# The parts, for the module and for tests that look inside.
sim_timeline_parts = \
	plugins/sim-timeline/core_lanes.c plugins/sim-timeline/core_state.h \
	plugins/sim-timeline/core_timeline.c plugins/sim-timeline/core_timeline.h \
	plugins/sim-timeline/cross_flags.c plugins/sim-timeline/cross_flags.h \
	plugins/sim-timeline/draw_main.c plugins/sim-timeline/draw_own.c plugins/sim-timeline/drawing.c \
	plugins/sim-timeline/flags.c plugins/sim-timeline/flags.h \
	plugins/sim-timeline/lane.c plugins/sim-timeline/lane.h \
	plugins/sim-timeline/palette.c plugins/sim-timeline/palette.h \
	plugins/sim-timeline/sheet.c plugins/sim-timeline/sheet.h \
	plugins/sim-timeline/sub_lanes.c plugins/sim-timeline/sub_lanes.h \
	plugins/sim-timeline/vocabulary.c plugins/sim-timeline/vocabulary.h \
	plugins/sim-common/names.c plugins/sim-common/names.h \
	plugins/sim-common/operands.c plugins/sim-common/operands.h \
	plugins/sim-common/process_bytes.c plugins/sim-common/process_bytes.h

plugin_LTLIBRARIES += plugins/sim-timeline/sim-timeline.la
plugins_sim_timeline_sim_timeline_la_SOURCES = plugins/sim-timeline/sim_timeline.c $(sim_timeline_parts)
plugins_sim_timeline_sim_timeline_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_sim_timeline_sim_timeline_la_LIBADD = $(PLUGIN_LIBADD)

if HAVE_CHECK
sim_timeline_tests = \
	tests/plugins/sim-timeline/test_flags \
	tests/plugins/sim-timeline/test_lane tests/plugins/sim-timeline/test_palette \
	tests/plugins/sim-timeline/test_sim_timeline
check_PROGRAMS += $(sim_timeline_tests)
TESTS += $(sim_timeline_tests)
tests_plugins_sim_timeline_test_flags_SOURCES = tests/plugins/sim-timeline/test_flags.c \
	plugins/sim-timeline/cross_flags.c plugins/sim-timeline/flags.c
tests_plugins_sim_timeline_test_flags_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_sim_timeline_test_flags_LDADD = $(TEST_LIBS)
tests_plugins_sim_timeline_test_lane_SOURCES = tests/plugins/sim-timeline/test_lane.c \
	plugins/sim-timeline/lane.c plugins/sim-timeline/sub_lanes.c
tests_plugins_sim_timeline_test_lane_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_sim_timeline_test_lane_LDADD = $(TEST_LIBS)
tests_plugins_sim_timeline_test_palette_SOURCES = tests/plugins/sim-timeline/test_palette.c \
	plugins/sim-timeline/palette.c
tests_plugins_sim_timeline_test_palette_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_sim_timeline_test_palette_LDADD = $(TEST_LIBS)
tests_plugins_sim_timeline_test_sim_timeline_SOURCES = tests/plugins/sim-timeline/test_sim_timeline.c \
	tests/plugins/harness.c tests/plugins/harness.h plugins/sim-timeline/sim_timeline.c \
	$(sim_timeline_parts)
tests_plugins_sim_timeline_test_sim_timeline_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_sim_timeline_test_sim_timeline_LDADD = $(TEST_LIBS)
endif

sim_timeline_scripts = tests/plugins/sim-timeline/test_documents.sh \
	tests/plugins/sim-timeline/test_random_dumps.sh
dist_check_SCRIPTS += $(sim_timeline_scripts)
TESTS += $(sim_timeline_scripts)
EXTRA_DIST += docs/differences.md plugins/sim-common/README.md plugins/sim-timeline/README.md \
	tests/tools/compare_trace.py tests/tools/draw_model.py tests/tools/make_random_dump.py \
	tests/tools/visualize_check.py
