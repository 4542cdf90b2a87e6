# SPDX-License-Identifier: Apache-2.0
plugin_LTLIBRARIES += plugins/collect-onboard/collect-onboard.la
plugins_collect_onboard_collect_onboard_la_SOURCES = plugins/collect-onboard/collect_onboard.c \
	plugins/collect-onboard/discovery.c plugins/collect-onboard/discovery.h \
	plugins/collect-onboard/range.c plugins/collect-onboard/range.h \
	plugins/collect-onboard/raw_file.c plugins/collect-onboard/raw_file.h
plugins_collect_onboard_collect_onboard_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_onboard_collect_onboard_la_LIBADD = $(PLUGIN_LIBADD)
EXTRA_DIST += plugins/collect-onboard/README.md

include tests/plugins/collect-onboard/module.mk
