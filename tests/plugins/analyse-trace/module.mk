# SPDX-License-Identifier: Apache-2.0
if HAVE_CHECK
trace_analytics_tests = tests/plugins/analyse-trace/test_figures tests/plugins/analyse-trace/test_sweep
check_PROGRAMS += $(trace_analytics_tests)
TESTS += $(trace_analytics_tests)
TRACE_ANALYTICS_TEST_LIBS = plugins/analyse-trace/libanalytics.la $(TEST_LIBS)

tests_plugins_analyse_trace_test_figures_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_figures_LDADD = $(TRACE_ANALYTICS_TEST_LIBS) -lm
tests_plugins_analyse_trace_test_sweep_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_sweep_LDADD = $(TRACE_ANALYTICS_TEST_LIBS)

# These run pipelines of the real modules.
if HAVE_INFLATE
trace_analytics_runs = tests/plugins/analyse-trace/test_kineto tests/plugins/analyse-trace/test_traces
check_PROGRAMS += $(trace_analytics_runs)
TESTS += $(trace_analytics_runs)
trace_analytics_results = tests/plugins/analyse-trace/results.c tests/plugins/analyse-trace/results.h

tests_plugins_analyse_trace_test_kineto_SOURCES = tests/plugins/analyse-trace/test_kineto.c \
	$(trace_analytics_results)
tests_plugins_analyse_trace_test_kineto_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_kineto_LDADD = $(TEST_SHARED_LIBS)
tests_plugins_analyse_trace_test_traces_SOURCES = tests/plugins/analyse-trace/test_traces.c \
	$(trace_analytics_results)
tests_plugins_analyse_trace_test_traces_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_traces_LDADD = $(TEST_SHARED_LIBS)
endif
endif
