# SPDX-License-Identifier: Apache-2.0
if HAVE_INFLATE
analyse_trace_scripts = tests/plugins/analyse-trace/test_diff.sh tests/plugins/analyse-trace/test_efficiency.sh tests/plugins/analyse-trace/test_headings.sh tests/plugins/analyse-trace/test_operators.sh tests/plugins/analyse-trace/test_ranks.sh tests/plugins/analyse-trace/test_reductions.sh tests/plugins/analyse-trace/test_same.sh \
	tests/plugins/analyse-trace/test_requests.sh tests/plugins/analyse-trace/test_times.sh
dist_check_SCRIPTS += $(analyse_trace_scripts)
EXTRA_DIST += tests/plugins/analyse-trace/operators_model.py tests/plugins/analyse-trace/times_model.py \
	tests/tools/make_ranks.py tests/tools/make_reductions.py tests/tools/make_shapes.py
TESTS += $(analyse_trace_scripts)
endif

if HAVE_CHECK
analyse_trace_tests = tests/plugins/analyse-trace/test_feed tests/plugins/analyse-trace/test_figures \
	tests/plugins/analyse-trace/test_overlap tests/plugins/analyse-trace/test_path_graph \
	tests/plugins/analyse-trace/test_path_ranks \
	tests/plugins/analyse-trace/test_rank_rows \
	tests/plugins/analyse-trace/test_short_name \
	tests/plugins/analyse-trace/test_sweep
check_PROGRAMS += $(analyse_trace_tests)
TESTS += $(analyse_trace_tests)
ANALYSE_TRACE_TEST_LIBS = plugins/analyse-trace/.libs/libanalytics.a -lm -lstdc++ $(TEST_LIBS)

tests_plugins_analyse_trace_test_feed_SOURCES = tests/plugins/analyse-trace/test_feed.c
tests_plugins_analyse_trace_test_feed_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_feed_LDADD = $(ANALYSE_TRACE_TEST_LIBS)
tests_plugins_analyse_trace_test_figures_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_figures_LDADD = $(ANALYSE_TRACE_TEST_LIBS) -lm
tests_plugins_analyse_trace_test_overlap_SOURCES = tests/plugins/analyse-trace/test_overlap.c
tests_plugins_analyse_trace_test_overlap_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_overlap_LDADD = $(ANALYSE_TRACE_TEST_LIBS) -lm
tests_plugins_analyse_trace_test_path_graph_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_path_graph_LDADD = $(ANALYSE_TRACE_TEST_LIBS)
tests_plugins_analyse_trace_test_path_ranks_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_path_ranks_LDADD = $(ANALYSE_TRACE_TEST_LIBS)
tests_plugins_analyse_trace_test_rank_rows_SOURCES = tests/plugins/analyse-trace/test_rank_rows.c
tests_plugins_analyse_trace_test_rank_rows_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_rank_rows_LDADD = $(ANALYSE_TRACE_TEST_LIBS)
tests_plugins_analyse_trace_test_short_name_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_short_name_LDADD = $(ANALYSE_TRACE_TEST_LIBS)
tests_plugins_analyse_trace_test_sweep_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_sweep_LDADD = $(ANALYSE_TRACE_TEST_LIBS)

# These run pipelines of the real modules.
if HAVE_INFLATE
analyse_trace_runs = tests/plugins/analyse-trace/test_collectives \
	tests/plugins/analyse-trace/test_critical_path tests/plugins/analyse-trace/test_gaps \
	tests/plugins/analyse-trace/test_groups \
	tests/plugins/analyse-trace/test_kineto tests/plugins/analyse-trace/test_steps \
	tests/plugins/analyse-trace/test_traces
check_PROGRAMS += $(analyse_trace_runs)
TESTS += $(analyse_trace_runs)
analyse_trace_results = tests/plugins/analyse-trace/results.c tests/plugins/analyse-trace/results.h

tests_plugins_analyse_trace_test_kineto_SOURCES = tests/plugins/analyse-trace/test_kineto.c \
	$(analyse_trace_results)
tests_plugins_analyse_trace_test_kineto_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_kineto_LDADD = $(TEST_SHARED_LIBS)
tests_plugins_analyse_trace_test_collectives_SOURCES = tests/plugins/analyse-trace/test_collectives.c \
	plugins/analyse-trace/common/collectives.c plugins/analyse-trace/common/meetings.c $(analyse_trace_results)
tests_plugins_analyse_trace_test_collectives_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_collectives_LDADD = $(TEST_SHARED_LIBS) -lm
tests_plugins_analyse_trace_test_critical_path_SOURCES = \
	tests/plugins/analyse-trace/test_critical_path.c $(analyse_trace_results)
tests_plugins_analyse_trace_test_critical_path_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_critical_path_LDADD = $(TEST_SHARED_LIBS)
tests_plugins_analyse_trace_test_groups_SOURCES = tests/plugins/analyse-trace/test_groups.c \
	plugins/analyse-trace/groups.c $(analyse_trace_results)
nodist_tests_plugins_analyse_trace_test_groups_SOURCES = plugins/analyse-trace/kernel_groups_text.c
tests_plugins_analyse_trace_test_groups_CPPFLAGS = $(TEST_CPPFLAGS) -I$(srcdir)/plugins/analyse-trace $(JANSSON_CFLAGS)
tests_plugins_analyse_trace_test_groups_LDADD = $(TEST_SHARED_LIBS) $(JANSSON_LIBS)
tests_plugins_analyse_trace_test_gaps_SOURCES = tests/plugins/analyse-trace/test_gaps.c $(analyse_trace_results)
tests_plugins_analyse_trace_test_gaps_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_gaps_LDADD = $(TEST_SHARED_LIBS)
tests_plugins_analyse_trace_test_steps_SOURCES = tests/plugins/analyse-trace/test_steps.c \
	plugins/analyse-trace/common/step_parts.c $(analyse_trace_results)
tests_plugins_analyse_trace_test_steps_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_steps_LDADD = $(TEST_SHARED_LIBS)
tests_plugins_analyse_trace_test_traces_SOURCES = tests/plugins/analyse-trace/test_traces.c \
	$(analyse_trace_results)
tests_plugins_analyse_trace_test_traces_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_trace_test_traces_LDADD = $(TEST_SHARED_LIBS)
endif
endif
