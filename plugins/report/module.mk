# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += plugins/report/README.md
report_parts = \
	plugins/report/findings.c plugins/report/findings.h \
	plugins/report/lanes.c plugins/report/lanes.h \
	plugins/report/notes.c plugins/report/notes.h \
	plugins/report/page.c plugins/report/page.h \
	plugins/report/sections.c plugins/report/sections.h

plugin_LTLIBRARIES += plugins/report/report.la
plugins_report_report_la_SOURCES = plugins/report/report.c $(report_parts)
plugins_report_report_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_report_report_la_LIBADD = $(PLUGIN_LIBADD) -lm
