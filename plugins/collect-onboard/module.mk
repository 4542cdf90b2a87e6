# SPDX-License-Identifier: Apache-2.0
plugin_LTLIBRARIES += plugins/collect-onboard/collect-onboard.la
collect_onboard_parts = \
	plugins/collect-onboard/discovery.c plugins/collect-onboard/discovery.h \
	plugins/collect-onboard/emit.c plugins/collect-onboard/emit.h \
	plugins/collect-onboard/raw_file.c plugins/collect-onboard/raw_file.h
plugins_collect_onboard_collect_onboard_la_SOURCES = plugins/collect-onboard/collect_onboard.c \
	plugins/collect-onboard/range.c plugins/collect-onboard/range.h \
	plugins/collect-onboard/recognise.c plugins/collect-onboard/recognise.h $(collect_onboard_parts)
plugins_collect_onboard_collect_onboard_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_onboard_collect_onboard_la_LIBADD = $(PLUGIN_LIBADD)

plugin_LTLIBRARIES += plugins/collect-onboard/collect-onboard-live.la
plugins_collect_onboard_collect_onboard_live_la_SOURCES = plugins/collect-onboard/collect_onboard_live.c \
	plugins/collect-onboard/live_launches.c plugins/collect-onboard/live_launches.h \
	plugins/collect-onboard/live_plan.c plugins/collect-onboard/live_plan.h $(collect_onboard_parts)
plugins_collect_onboard_collect_onboard_live_la_CPPFLAGS = $(AM_CPPFLAGS) -DINJECT_LIBRARY='"$(pkglibdir)/libopprof-inject.so"'
plugins_collect_onboard_collect_onboard_live_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_onboard_collect_onboard_live_la_LIBADD = $(PLUGIN_LIBADD)
EXTRA_DIST += plugins/collect-onboard/README.md

include tests/plugins/collect-onboard/module.mk

# Monitors of cores, programmed by hand: for collectors of live runs, and for tests.
noinst_LTLIBRARIES += plugins/collect-onboard/libperfmon.la
plugins_collect_onboard_libperfmon_la_SOURCES = \
	plugins/collect-onboard/perfmon.c plugins/collect-onboard/perfmon.h \
	plugins/collect-onboard/register_window.h \
	plugins/collect-onboard/window_emulator.c plugins/collect-onboard/window_emulator.h \
	plugins/collect-onboard/window_hal.c
plugins_collect_onboard_libperfmon_la_LIBADD = $(DL_LIBS)

if HAVE_CHECK
check_PROGRAMS += tests/plugins/collect-onboard/test_perfmon
TESTS += tests/plugins/collect-onboard/test_perfmon
tests_plugins_collect_onboard_test_perfmon_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_onboard_test_perfmon_LDADD = plugins/collect-onboard/libperfmon.la $(TEST_LIBS)
endif

if HAVE_CHECK
check_PROGRAMS += tests/plugins/collect-onboard/test_live_plan
TESTS += tests/plugins/collect-onboard/test_live_plan
tests_plugins_collect_onboard_test_live_plan_SOURCES = tests/plugins/collect-onboard/test_live_plan.c \
	plugins/collect-onboard/live_plan.c
tests_plugins_collect_onboard_test_live_plan_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_onboard_test_live_plan_LDADD = $(TEST_LIBS)
endif

EXTRA_PROGRAMS += bench/bench_perfmon
BENCHES += perfmon=bench/bench_perfmon
bench_bench_perfmon_SOURCES = bench/bench_perfmon.c $(BENCH_SOURCES)
bench_bench_perfmon_CPPFLAGS = $(BENCH_CPPFLAGS) -DBENCH_CHIPS_DIR='"$(abs_top_srcdir)/chips"'
bench_bench_perfmon_LDADD = plugins/collect-onboard/libperfmon.la $(BENCH_LIBS)
