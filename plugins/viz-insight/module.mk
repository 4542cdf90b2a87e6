# SPDX-License-Identifier: Apache-2.0
# The parts, for the modules and for tests that look inside.
viz_trace_parts = \
	plugins/viz-insight/id_map.c plugins/viz-insight/id_map.h \
	plugins/viz-insight/json_cache.c plugins/viz-insight/json_cache.h \
	plugins/viz-insight/text_arena.c plugins/viz-insight/text_arena.h \
	plugins/viz-insight/trace_document.c plugins/viz-insight/trace_document.h \
	plugins/viz-insight/trace_event.c plugins/viz-insight/trace_event.h
viz_insight_parts = \
	plugins/viz-insight/container.c plugins/viz-insight/container.h \
	plugins/viz-insight/spool.c plugins/viz-insight/spool.h
viz_csv_parts = plugins/viz-insight/table_file.c plugins/viz-insight/table_file.h

plugin_LTLIBRARIES += plugins/viz-insight/trace.la plugins/viz-insight/insight.la plugins/viz-insight/csv.la
plugins_viz_insight_trace_la_SOURCES = plugins/viz-insight/trace.c $(viz_trace_parts)
plugins_viz_insight_trace_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_trace_la_LIBADD = $(PLUGIN_LIBADD)
plugins_viz_insight_insight_la_SOURCES = plugins/viz-insight/insight.c $(viz_insight_parts)
plugins_viz_insight_insight_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_insight_la_LIBADD = $(PLUGIN_LIBADD)
plugins_viz_insight_csv_la_SOURCES = plugins/viz-insight/csv.c $(viz_csv_parts)
plugins_viz_insight_csv_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_csv_la_LIBADD = $(PLUGIN_LIBADD)
