# SPDX-License-Identifier: Apache-2.0
plugin_LTLIBRARIES += plugins/viz-insight/trace.la plugins/viz-insight/insight.la plugins/viz-insight/csv.la
plugins_viz_insight_trace_la_SOURCES = plugins/viz-insight/trace.c
plugins_viz_insight_trace_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_trace_la_LIBADD = $(PLUGIN_LIBADD)
plugins_viz_insight_insight_la_SOURCES = plugins/viz-insight/insight.c
plugins_viz_insight_insight_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_insight_la_LIBADD = $(PLUGIN_LIBADD)
plugins_viz_insight_csv_la_SOURCES = plugins/viz-insight/csv.c
plugins_viz_insight_csv_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_csv_la_LIBADD = $(PLUGIN_LIBADD)
