# SPDX-License-Identifier: Apache-2.0
nobase_dist_guides_DATA += plugins/report/README.md
report_parts = \
	plugins/report/findings.c plugins/report/findings.h \
	plugins/report/groups.c plugins/report/groups.h \
	plugins/report/lanes.c plugins/report/lanes.h \
	plugins/report/notes.c plugins/report/notes.h \
	plugins/report/page.c plugins/report/page.h \
	plugins/report/sections.c plugins/report/sections.h

plugin_LTLIBRARIES += plugins/report/report.la
plugins_report_report_la_SOURCES = plugins/report/report.c $(report_parts)
plugins_report_report_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_report_report_la_LIBADD = $(PLUGIN_LIBADD)

report_scripts = tests/plugins/report/test_screens.sh
dist_check_SCRIPTS += $(report_scripts)
EXTRA_DIST += tests/plugins/report/screens.py
TESTS += $(report_scripts)
SUITES += tests/plugins/report/suites
tests_plugins_report_suites_SOURCES = \
	tests/plugins/report/test_groups.c \
	tests/plugins/report/test_report.c
tests_plugins_report_suites_LDADD = $(call objects_of,plugins_report_report_la) $(TEST_LIBS) -lm
