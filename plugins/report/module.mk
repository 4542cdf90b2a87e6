# SPDX-License-Identifier: Apache-2.0
nobase_dist_guides_DATA += plugins/report/README.md
report_parts = \
	plugins/report/advice_lines.c plugins/report/advice_lines.h \
	plugins/report/content.h \
	plugins/report/findings.c plugins/report/findings.h \
	plugins/report/fitting.c plugins/report/fitting.h \
	plugins/report/groups.c plugins/report/groups.h \
	plugins/report/head.c plugins/report/head.h \
	plugins/report/heaviest.c plugins/report/heaviest.h \
	plugins/report/lane_tables.c plugins/report/lane_tables.h \
	plugins/report/notes.c plugins/report/notes.h \
	plugins/report/page.c plugins/report/page.h \
	plugins/report/row_names.c plugins/report/row_names.h \
	plugins/report/rows.c plugins/report/rows.h \
	plugins/report/run_time.c plugins/report/run_time.h \
	plugins/report/sections.c plugins/report/sections.h \
	plugins/report/source_text.c plugins/report/source_text.h \
	plugins/report/subjects.c plugins/report/subjects.h \
	plugins/report/words.c plugins/report/words.h

plugin_LTLIBRARIES += plugins/report/report.la
plugins_report_report_la_SOURCES = plugins/report/report.c $(report_parts)
plugins_report_report_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_report_report_la_LIBADD = $(PLUGIN_LIBADD)

plugin_LTLIBRARIES += plugins/report/timeline-lanes.la
plugins_report_timeline_lanes_la_SOURCES = plugins/report/timeline_lanes.c \
	plugins/report/lanes.c plugins/report/lanes.h
plugins_report_timeline_lanes_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_report_timeline_lanes_la_LIBADD = $(PLUGIN_LIBADD)

report_scripts = tests/plugins/report/test_screens.sh
dist_check_SCRIPTS += $(report_scripts)
EXTRA_DIST += tests/plugins/report/screens.py tests/plugins/report/screen_rules.py
TESTS += $(report_scripts)
# A program for each module, since the descriptors have one name.
SUITES += tests/plugins/report/suites
tests_plugins_report_suites_SOURCES = \
	tests/plugins/report/test_groups.c \
	tests/plugins/report/test_report.c
tests_plugins_report_suites_LDADD = $(call objects_of,plugins_report_report_la) $(TEST_LIBS) -lm
SUITES += tests/plugins/report/test_timeline_lanes
tests_plugins_report_test_timeline_lanes_SOURCES = tests/plugins/report/test_timeline_lanes.c
tests_plugins_report_test_timeline_lanes_LDADD = $(call objects_of,plugins_report_timeline_lanes_la) $(TEST_LIBS) -lm
