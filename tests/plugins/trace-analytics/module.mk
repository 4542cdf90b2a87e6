# SPDX-License-Identifier: Apache-2.0
if HAVE_CHECK
trace_analytics_tests = tests/plugins/trace-analytics/test_figures tests/plugins/trace-analytics/test_sweep
check_PROGRAMS += $(trace_analytics_tests)
TESTS += $(trace_analytics_tests)
TRACE_ANALYTICS_TEST_LIBS = plugins/trace-analytics/libanalytics.la $(TEST_LIBS)

tests_plugins_trace_analytics_test_figures_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_trace_analytics_test_figures_LDADD = $(TRACE_ANALYTICS_TEST_LIBS) -lm
tests_plugins_trace_analytics_test_sweep_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_trace_analytics_test_sweep_LDADD = $(TRACE_ANALYTICS_TEST_LIBS)

# These run pipelines of the real modules.
if HAVE_INFLATE
trace_analytics_runs = tests/plugins/trace-analytics/test_kineto tests/plugins/trace-analytics/test_traces
check_PROGRAMS += $(trace_analytics_runs)
TESTS += $(trace_analytics_runs)
trace_analytics_results = tests/plugins/trace-analytics/results.c tests/plugins/trace-analytics/results.h

tests_plugins_trace_analytics_test_kineto_SOURCES = tests/plugins/trace-analytics/test_kineto.c \
	$(trace_analytics_results)
tests_plugins_trace_analytics_test_kineto_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_trace_analytics_test_kineto_LDADD = $(TEST_SHARED_LIBS)
tests_plugins_trace_analytics_test_traces_SOURCES = tests/plugins/trace-analytics/test_traces.c \
	$(trace_analytics_results)
tests_plugins_trace_analytics_test_traces_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_trace_analytics_test_traces_LDADD = $(TEST_SHARED_LIBS)
endif
endif
