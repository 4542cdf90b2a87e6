# SPDX-License-Identifier: Apache-2.0
# The parts, for the module and for tests that look inside.
sim_timeline_parts = \
	plugins/sim-timeline/busy_time.c plugins/sim-timeline/busy_time.h \
	plugins/sim-timeline/core_lanes.c plugins/sim-timeline/core_state.h \
	plugins/sim-timeline/core_timeline.c plugins/sim-timeline/core_timeline.h \
	plugins/sim-timeline/cross_flags.c plugins/sim-timeline/cross_flags.h \
	plugins/sim-timeline/draw_main.c plugins/sim-timeline/draw_own.c plugins/sim-timeline/drawing.c \
	plugins/sim-timeline/flags.c plugins/sim-timeline/flags.h \
	plugins/sim-timeline/lane.c plugins/sim-timeline/lane.h \
	plugins/sim-timeline/palette.c plugins/sim-timeline/palette.h \
	plugins/sim-timeline/sheet.c plugins/sim-timeline/sheet.h \
	plugins/sim-timeline/sub_lanes.c plugins/sim-timeline/sub_lanes.h \
	plugins/sim-timeline/vocabulary.c plugins/sim-timeline/vocabulary.h

plugin_LTLIBRARIES += plugins/sim-timeline/sim-timeline.la
plugins_sim_timeline_sim_timeline_la_SOURCES = plugins/sim-timeline/sim_timeline.c $(sim_timeline_parts)
plugins_sim_timeline_sim_timeline_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_sim_timeline_sim_timeline_la_LIBADD = $(PLUGIN_LIBADD)
