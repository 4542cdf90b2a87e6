# SPDX-License-Identifier: Apache-2.0
if HAVE_INFLATE
analyse_trace_scripts = tests/plugins/analyse-trace/test_diff.sh tests/plugins/analyse-trace/test_efficiency.sh tests/plugins/analyse-trace/test_grids.sh tests/plugins/analyse-trace/test_halves.sh tests/plugins/analyse-trace/test_headings.sh tests/plugins/analyse-trace/test_operators.sh tests/plugins/analyse-trace/test_path_programs.sh tests/plugins/analyse-trace/test_ranks.sh tests/plugins/analyse-trace/test_reductions.sh tests/plugins/analyse-trace/test_same.sh \
	tests/plugins/analyse-trace/test_requests.sh tests/plugins/analyse-trace/test_timelines.sh tests/plugins/analyse-trace/test_times.sh
dist_check_SCRIPTS += $(analyse_trace_scripts)
EXTRA_DIST += tests/plugins/analyse-trace/halves.py tests/plugins/analyse-trace/operators_model.py tests/plugins/analyse-trace/times_model.py \
	tests/tools/make_ranks.py tests/tools/make_reductions.py tests/tools/make_shapes.py tests/tools/path_programs.py
TESTS += $(analyse_trace_scripts)
endif

SUITES += tests/plugins/analyse-trace/suites
tests_plugins_analyse_trace_suites_SOURCES = \
	tests/plugins/analyse-trace/test_feed.c \
	tests/plugins/analyse-trace/test_figures.c \
	tests/plugins/analyse-trace/test_path_graph.c \
	tests/plugins/analyse-trace/test_path_ranks.c \
	tests/plugins/analyse-trace/test_rank_rows.c \
	tests/plugins/analyse-trace/test_short_name.c \
	tests/plugins/analyse-trace/test_sweep.c \
	tests/plugins/analyse-trace/test_timelines.c
tests_plugins_analyse_trace_suites_LDADD = plugins/analyse-trace/.libs/libanalytics.a -lm -lstdc++ $(TEST_LIBS)

# Alone, since it has the descriptor of a module within.
SUITES += tests/plugins/analyse-trace/test_overlap
tests_plugins_analyse_trace_test_overlap_SOURCES = tests/plugins/analyse-trace/test_overlap.c
tests_plugins_analyse_trace_test_overlap_LDADD = plugins/analyse-trace/.libs/libanalytics.a -lm -lstdc++ $(TEST_LIBS)

# These run pipelines of the real modules, with the shared libraries.
if HAVE_INFLATE
SUITES += tests/plugins/analyse-trace/test_runs
tests_plugins_analyse_trace_test_runs_SOURCES = \
	tests/plugins/analyse-trace/results.c \
	tests/plugins/analyse-trace/results.h \
	plugins/analyse-trace/groups.c \
	tests/plugins/analyse-trace/test_collectives.c \
	tests/plugins/analyse-trace/test_critical_path.c \
	tests/plugins/analyse-trace/test_gaps.c \
	tests/plugins/analyse-trace/test_groups.c \
	tests/plugins/analyse-trace/test_host.c \
	tests/plugins/analyse-trace/test_kineto.c \
	tests/plugins/analyse-trace/test_steps.c \
	tests/plugins/analyse-trace/test_threads.c \
	tests/plugins/analyse-trace/test_traces.c
tests_plugins_analyse_trace_test_runs_CPPFLAGS = $(TEST_CPPFLAGS) -I$(srcdir)/plugins/analyse-trace $(JANSSON_CFLAGS)
tests_plugins_analyse_trace_test_runs_LDADD = plugins/analyse-trace/.libs/libanalytics.a $(TEST_SHARED_LIBS) $(JANSSON_LIBS) -lm
nodist_tests_plugins_analyse_trace_test_runs_SOURCES = plugins/analyse-trace/kernel_groups_text.c
endif
