# SPDX-License-Identifier: Apache-2.0
# The parts, for the modules and for tests that look inside.
viz_trace_parts = \
	plugins/viz-insight/id_map.c plugins/viz-insight/id_map.h \
	plugins/viz-insight/json_cache.c plugins/viz-insight/json_cache.h \
	plugins/viz-insight/text_arena.c plugins/viz-insight/text_arena.h \
	plugins/viz-insight/trace_document.c plugins/viz-insight/trace_document.h \
	plugins/viz-insight/trace_event.c plugins/viz-insight/trace_event.h
viz_insight_parts = \
	plugins/viz-insight/container.c plugins/viz-insight/container.h \
	plugins/viz-insight/nameless.c plugins/viz-insight/nameless.h \
	plugins/viz-insight/spool.c plugins/viz-insight/spool.h
viz_csv_parts = plugins/viz-insight/table_file.c plugins/viz-insight/table_file.h \
	plugins/viz-insight/id_map.c plugins/viz-insight/id_map.h

plugin_LTLIBRARIES += plugins/viz-insight/trace.la plugins/viz-insight/insight.la plugins/viz-insight/csv.la
plugins_viz_insight_trace_la_SOURCES = plugins/viz-insight/trace.c $(viz_trace_parts)
plugins_viz_insight_trace_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_trace_la_LIBADD = $(PLUGIN_LIBADD)
plugins_viz_insight_insight_la_SOURCES = plugins/viz-insight/insight.c $(viz_insight_parts)
plugins_viz_insight_insight_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_insight_la_LIBADD = $(PLUGIN_LIBADD)
plugins_viz_insight_csv_la_SOURCES = plugins/viz-insight/csv.c $(viz_csv_parts)
plugins_viz_insight_csv_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_viz_insight_csv_la_LIBADD = $(PLUGIN_LIBADD)

viz_container_reader = tests/plugins/viz-insight/container_reader.c \
	tests/plugins/viz-insight/container_reader.h
FUZZERS += fuzz/fuzz_container
fuzz_fuzz_container_SOURCES = fuzz/fuzz_container.c $(viz_container_reader) $(FUZZ_SOURCES)
fuzz_fuzz_container_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_container_LDFLAGS = $(FUZZ_LINKFLAGS)
fuzz_fuzz_container_LDADD = $(FUZZ_LIBS)

if HAVE_CHECK
viz_insight_tests = \
	tests/plugins/viz-insight/test_csv tests/plugins/viz-insight/test_insight \
	tests/plugins/viz-insight/test_nameless \
	tests/plugins/viz-insight/test_trace tests/plugins/viz-insight/test_trace_event
check_PROGRAMS += $(viz_insight_tests)
TESTS += $(viz_insight_tests)
viz_test_harness = tests/plugins/harness.c tests/plugins/harness.h
tests_plugins_viz_insight_test_csv_SOURCES = tests/plugins/viz-insight/test_csv.c $(viz_test_harness) \
	plugins/viz-insight/csv.c $(viz_csv_parts)
tests_plugins_viz_insight_test_csv_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_viz_insight_test_csv_LDADD = $(TEST_LIBS)
tests_plugins_viz_insight_test_insight_SOURCES = tests/plugins/viz-insight/test_insight.c \
	$(viz_test_harness) $(viz_container_reader) plugins/viz-insight/insight.c $(viz_insight_parts)
tests_plugins_viz_insight_test_insight_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_viz_insight_test_insight_LDADD = $(TEST_LIBS)
tests_plugins_viz_insight_test_nameless_SOURCES = tests/plugins/viz-insight/test_nameless.c \
	plugins/viz-insight/nameless.c plugins/viz-insight/nameless.h
tests_plugins_viz_insight_test_nameless_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_viz_insight_test_nameless_LDADD = $(TEST_LIBS)
tests_plugins_viz_insight_test_trace_SOURCES = tests/plugins/viz-insight/test_trace.c \
	$(viz_test_harness) plugins/viz-insight/trace.c $(viz_trace_parts)
tests_plugins_viz_insight_test_trace_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_viz_insight_test_trace_LDADD = $(TEST_LIBS)
tests_plugins_viz_insight_test_trace_event_SOURCES = tests/plugins/viz-insight/test_trace_event.c \
	$(viz_trace_parts)
tests_plugins_viz_insight_test_trace_event_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_viz_insight_test_trace_event_LDADD = $(TEST_LIBS)
endif

EXTRA_DIST += plugins/viz-insight/README.md
