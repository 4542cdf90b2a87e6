# SPDX-License-Identifier: Apache-2.0
# The parts, for the modules and for tests that look inside.
viz_insight_parts = \
	plugins/viz-insight/container.c plugins/viz-insight/container.h \
	plugins/viz-insight/nameless.c plugins/viz-insight/nameless.h

plugin_LTLIBRARIES += plugins/viz-insight/insight.la
plugins_viz_insight_insight_la_SOURCES = plugins/viz-insight/insight.c $(viz_insight_parts)
plugins_viz_insight_insight_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_insight_la_LIBADD = $(PLUGIN_LIBADD)

FUZZERS += fuzz/fuzz_container
fuzz_fuzz_container_SOURCES = fuzz/fuzz_container.c $(container_reader) $(FUZZ_SOURCES)
fuzz_fuzz_container_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_container_LDADD = $(FUZZ_LIBS)
FUZZERS += fuzz/fuzz_hotspot_launch
fuzz_fuzz_hotspot_launch_SOURCES = fuzz/fuzz_hotspot_launch.c $(FUZZ_LAUNCH_FILES)
fuzz_fuzz_hotspot_launch_CPPFLAGS = $(FUZZ_LAUNCH_CPPFLAGS)
fuzz_fuzz_hotspot_launch_LDADD = $(FUZZ_MAIN) $(LIBOPPROF_KIT) $(LIBOPPROF)
EXTRA_fuzz_fuzz_hotspot_launch_DEPENDENCIES = $(plugin_LTLIBRARIES)

# Two programs, since the descriptors of modules have one name.
SUITES += tests/plugins/viz-insight/suites
tests_plugins_viz_insight_suites_SOURCES = \
	tests/plugins/viz-insight/test_instr_source.c \
	tests/plugins/viz-insight/test_map_looks.c \
	tests/plugins/viz-insight/test_source_blocks.c \
	tests/plugins/viz-insight/test_source_file.c
tests_plugins_viz_insight_suites_LDADD = $(call objects_of,plugins_viz_insight_source_blocks_la) plugins/viz-insight/.libs/map_looks.o $(TEST_LIBS)
SUITES += tests/plugins/viz-insight/test_insight
tests_plugins_viz_insight_test_insight_SOURCES = \
	$(container_reader) \
	tests/plugins/viz-insight/test_insight.c \
	tests/plugins/viz-insight/test_nameless.c
tests_plugins_viz_insight_test_insight_LDADD = $(call objects_of,plugins_viz_insight_insight_la) $(TEST_LIBS)

nobase_dist_guides_DATA += plugins/viz-insight/README.md

# From the views of on-board runs to blocks of the viewer.
viz_view_parts = \
	plugins/viz-insight/map_looks.c plugins/viz-insight/map_looks.h \
	plugins/viz-insight/view_cells.c plugins/viz-insight/view_cells.h \
	plugins/viz-insight/view_encode.c plugins/viz-insight/view_encode.h
# From hot spots of simulated cores.
viz_source_parts = \
	plugins/viz-insight/instr_source.c plugins/viz-insight/instr_source.h \
	plugins/viz-insight/board_encode.c plugins/viz-insight/board_encode.h plugins/viz-insight/source_encode.c plugins/viz-insight/source_encode.h \
	plugins/viz-insight/source_file.c plugins/viz-insight/source_file.h \
	plugins/viz-insight/source_rows.c plugins/viz-insight/source_rows.h

plugin_LTLIBRARIES += plugins/viz-insight/view-blocks.la
plugins_viz_insight_view_blocks_la_SOURCES = plugins/viz-insight/view_blocks.c $(viz_view_parts)
plugins_viz_insight_view_blocks_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_view_blocks_la_LIBADD = $(PLUGIN_LIBADD)
plugin_LTLIBRARIES += plugins/viz-insight/cache-blocks.la
plugins_viz_insight_cache_blocks_la_SOURCES = plugins/viz-insight/cache_blocks.c
plugins_viz_insight_cache_blocks_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_cache_blocks_la_LIBADD = $(PLUGIN_LIBADD)
plugin_LTLIBRARIES += plugins/viz-insight/source-blocks.la
plugins_viz_insight_source_blocks_la_SOURCES = plugins/viz-insight/source_blocks.c $(viz_source_parts)
plugins_viz_insight_source_blocks_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_source_blocks_la_LIBADD = $(PLUGIN_LIBADD)
