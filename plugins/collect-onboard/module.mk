# SPDX-License-Identifier: Apache-2.0
dist_facts_DATA += plugins/collect-onboard/facts/raw.json
# What both collectors share, for them and for tests that look inside.
noinst_LTLIBRARIES += plugins/collect-onboard/libonboard.la
plugins_collect_onboard_libonboard_la_SOURCES = \
	plugins/collect-onboard/channel_facts.c plugins/collect-onboard/channel_facts.h \
	plugins/collect-onboard/choice.c plugins/collect-onboard/choice.h \
	plugins/collect-onboard/discovery.c plugins/collect-onboard/discovery.h \
	plugins/collect-onboard/emit.c plugins/collect-onboard/emit.h \
	plugins/collect-onboard/names.c plugins/collect-onboard/names.h \
	plugins/collect-onboard/perfmon_facts.c plugins/collect-onboard/perfmon_facts.h \
	plugins/collect-onboard/range.c plugins/collect-onboard/range.h \
	plugins/collect-onboard/raw_file.c plugins/collect-onboard/raw_file.h \
	plugins/collect-onboard/recognise.c plugins/collect-onboard/recognise.h \
	plugins/collect-onboard/uneven.c plugins/collect-onboard/uneven.h
COLLECT_ONBOARD_LIBADD = plugins/collect-onboard/libonboard.la $(PLUGIN_LIBADD)

plugin_LTLIBRARIES += plugins/collect-onboard/collect-onboard.la
plugins_collect_onboard_collect_onboard_la_SOURCES = plugins/collect-onboard/collect_onboard.c
plugins_collect_onboard_collect_onboard_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_onboard_collect_onboard_la_LIBADD = $(COLLECT_ONBOARD_LIBADD)

plugin_LTLIBRARIES += plugins/collect-onboard/collect-onboard-live.la
plugins_collect_onboard_collect_onboard_live_la_SOURCES = plugins/collect-onboard/collect_onboard_live.c \
	plugins/collect-onboard/instrumenter.c plugins/collect-onboard/instrumenter.h \
	plugins/collect-onboard/live_area.c plugins/collect-onboard/live_area.h plugins/collect-onboard/live_files.c plugins/collect-onboard/live_files.h \
	plugins/collect-onboard/live_launches.c plugins/collect-onboard/live_launches.h \
	plugins/collect-onboard/live_plan.c plugins/collect-onboard/live_plan.h
plugins_collect_onboard_collect_onboard_live_la_CPPFLAGS = $(AM_CPPFLAGS) -DINJECT_LIBRARY='"$(pkglibdir)/libopprof-inject.so"' \
	-DINJECT_LAUNCHER='"$(pkglibdir)/opprof-launch-kernel"'
plugins_collect_onboard_collect_onboard_live_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_onboard_collect_onboard_live_la_LIBADD = $(COLLECT_ONBOARD_LIBADD)

plugin_LTLIBRARIES += plugins/collect-onboard/launch-subject.la
plugins_collect_onboard_launch_subject_la_SOURCES = plugins/collect-onboard/launch_subject.c
plugins_collect_onboard_launch_subject_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_onboard_launch_subject_la_LIBADD = $(PLUGIN_LIBADD)
nobase_dist_guides_DATA += plugins/collect-onboard/README.md

FUZZERS += fuzz/fuzz_onboard_discovery
fuzz_fuzz_onboard_discovery_SOURCES = fuzz/fuzz_onboard_discovery.c $(FUZZ_MARKED_FILES)
fuzz_fuzz_onboard_discovery_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_CHIPS_DIR='"$(abs_top_srcdir)/chips"'
fuzz_fuzz_onboard_discovery_LDADD = plugins/collect-onboard/.libs/libonboard.a $(FUZZ_LIBS)

include tests/plugins/collect-onboard/module.mk

SUITES += tests/plugins/collect-onboard/suites
tests_plugins_collect_onboard_suites_SOURCES = \
	tests/plugins/collect-onboard/test_choice.c \
	tests/plugins/collect-onboard/test_live_plan.c \
	tests/plugins/collect-onboard/test_perfmon_facts.c
tests_plugins_collect_onboard_suites_LDADD = $(call objects_of,plugins_collect_onboard_collect_onboard_live_la) \
	plugins/collect-onboard/.libs/libonboard.a $(TEST_LIBS)
