# SPDX-License-Identifier: Apache-2.0
nobase_dist_guides_DATA += plugins/viz-html/README.md

# The page: it has its scripts in this order.
viz_html_scripts = \
	plugins/viz-html/page/begin.js \
	plugins/viz-html/page/elements.js \
	plugins/viz-html/page/format.js \
	plugins/viz-html/page/data.js \
	plugins/viz-html/page/filter.js \
	plugins/viz-html/page/combine.js \
	plugins/viz-html/page/cells.js \
	plugins/viz-html/page/table.js \
	plugins/viz-html/page/theme.js \
	plugins/viz-html/page/charts.js \
	plugins/viz-html/page/identity.js \
	plugins/viz-html/page/parts.js \
	plugins/viz-html/page/summary.js \
	plugins/viz-html/page/timeline_data.js \
	plugins/viz-html/page/timeline_lines.js \
	plugins/viz-html/page/timeline_paint.js \
	plugins/viz-html/page/timeline_sums.js \
	plugins/viz-html/page/timeline_view.js \
	plugins/viz-html/page/timeline_arrows.js \
	plugins/viz-html/page/timeline_tip.js \
	plugins/viz-html/page/timeline_keys.js \
	plugins/viz-html/page/perfetto.js \
	plugins/viz-html/page/timeline.js \
	plugins/viz-html/page/efficiency.js \
	plugins/viz-html/page/roofline.js \
	plugins/viz-html/page/memory_paths.js \
	plugins/viz-html/page/memory.js \
	plugins/viz-html/page/heat.js \
	plugins/viz-html/page/source.js \
	plugins/viz-html/page/tables.js \
	plugins/viz-html/page/comparison.js \
	plugins/viz-html/page/about.js \
	plugins/viz-html/page/main.js
viz_html_page = plugins/viz-html/page/page.html plugins/viz-html/page/style.css
EXTRA_DIST += plugins/viz-html/embed.sh $(viz_html_page) $(viz_html_scripts)
CLEANFILES += plugins/viz-html/page_assets.c

plugins/viz-html/page_assets.c: $(viz_html_page) $(viz_html_scripts) plugins/viz-html/embed.sh Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sh $(top_srcdir)/plugins/viz-html/embed.sh \
		$(addprefix $(top_srcdir)/,$(viz_html_page)) '$(CHART_JS)' $(addprefix $(top_srcdir)/,$(viz_html_scripts)) >$@.part && \
		mv $@.part $@

viz_html_parts = \
	plugins/viz-html/limits.h plugins/viz-html/page_assets.h \
	plugins/viz-html/arguments.c plugins/viz-html/arguments.h \
	plugins/viz-html/arrows.c plugins/viz-html/arrows.h \
	plugins/viz-html/comparison.c plugins/viz-html/comparison.h \
	plugins/viz-html/curves.c plugins/viz-html/curves.h \
	plugins/viz-html/excess.c plugins/viz-html/excess.h \
	plugins/viz-html/grid.c plugins/viz-html/grid.h \
	plugins/viz-html/halves.c plugins/viz-html/halves.h \
	plugins/viz-html/items.c plugins/viz-html/items.h \
	plugins/viz-html/lanes.c plugins/viz-html/lanes.h \
	plugins/viz-html/levels.c plugins/viz-html/levels.h \
	plugins/viz-html/names.c plugins/viz-html/names.h \
	plugins/viz-html/packed.c plugins/viz-html/packed.h \
	plugins/viz-html/page_writer.c plugins/viz-html/page_writer.h \
	plugins/viz-html/sources.c plugins/viz-html/sources.h \
	plugins/viz-html/tables.c plugins/viz-html/tables.h \
	plugins/viz-html/text.c plugins/viz-html/text.h \
	plugins/viz-html/timeline.c plugins/viz-html/timeline.h \
	plugins/viz-html/timeline_writer.c plugins/viz-html/timeline_writer.h

plugin_LTLIBRARIES += plugins/viz-html/html.la
plugins_viz_html_html_la_SOURCES = plugins/viz-html/html.c $(viz_html_parts)
nodist_plugins_viz_html_html_la_SOURCES = plugins/viz-html/page_assets.c
plugins_viz_html_html_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/viz-html $(JANSSON_CFLAGS)
plugins_viz_html_html_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_html_html_la_LIBADD = $(PLUGIN_LIBADD) $(JANSSON_LIBS)

SUITES += tests/plugins/viz-html/suites
tests_plugins_viz_html_suites_SOURCES = \
	tests/plugins/viz-html/test_arrows.c \
	tests/plugins/viz-html/test_grid.c \
	tests/plugins/viz-html/test_html.c \
	tests/plugins/viz-html/test_items.c \
	tests/plugins/viz-html/test_packed.c \
	tests/plugins/viz-html/test_timeline.c
tests_plugins_viz_html_suites_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/plugins/viz-html
tests_plugins_viz_html_suites_LDADD = $(call objects_of,plugins_viz_html_html_la) $(TEST_LIBS) $(JANSSON_LIBS)

# In a browser, where there is one.
viz_html_page_tests = tests/plugins/viz-html/test_page.sh
dist_check_SCRIPTS += $(viz_html_page_tests)
EXTRA_DIST += tests/plugins/viz-html/browser.py tests/plugins/viz-html/page_checks.py
TESTS += $(viz_html_page_tests)
EXTRA_DIST += scripts/screenshots.sh tests/plugins/viz-html/pictures.py

# Exporters of timelines, each beside `trace`, and the page in a browser.
EXTRA_PROGRAMS += bench/bench_export
BENCHES += export=bench/bench_export
EXTRA_DIST += tests/plugins/viz-html/frames.py
bench_bench_export_SOURCES = bench/bench_export.c $(BENCH_TREE_SOURCES)
bench_bench_export_CPPFLAGS = $(BENCH_CPPFLAGS) -DFRAMES_SCRIPT='"$(abs_top_srcdir)/tests/plugins/viz-html/frames.py"'
bench_bench_export_LDADD = $(LIBOPPROF) $(JANSSON_LIBS)
