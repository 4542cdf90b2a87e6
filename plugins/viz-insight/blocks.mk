# SPDX-License-Identifier: Apache-2.0
# From the views of on-board runs to blocks of the viewer.
viz_view_parts = \
	plugins/viz-insight/json_text.c plugins/viz-insight/json_text.h \
	plugins/viz-insight/view_cells.c plugins/viz-insight/view_cells.h \
	plugins/viz-insight/view_encode.c plugins/viz-insight/view_encode.h

plugin_LTLIBRARIES += plugins/viz-insight/view-blocks.la
plugins_viz_insight_view_blocks_la_SOURCES = plugins/viz-insight/view_blocks.c $(viz_view_parts)
plugins_viz_insight_view_blocks_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_view_blocks_la_LIBADD = $(PLUGIN_LIBADD) -lm
