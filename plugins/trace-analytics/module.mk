# SPDX-License-Identifier: Apache-2.0
dist_noinst_DATA += plugins/trace-analytics/README.md

# What the modules share.
noinst_LTLIBRARIES += plugins/trace-analytics/libanalytics.la
plugins_trace_analytics_libanalytics_la_SOURCES = \
	plugins/trace-analytics/feed.c plugins/trace-analytics/feed.h \
	plugins/trace-analytics/rules.c plugins/trace-analytics/rules.h
