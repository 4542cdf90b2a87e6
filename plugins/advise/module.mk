# SPDX-License-Identifier: Apache-2.0
dist_queries_DATA += plugins/advise/queries/advice.sql plugins/advise/queries/columns.sql plugins/advise/queries/tables.sql
nobase_dist_guides_DATA += plugins/advise/README.md
plugin_LTLIBRARIES += plugins/advise/advise.la
plugins_advise_advise_la_SOURCES = \
	plugins/advise/advise.c \
	plugins/advise/findings.c plugins/advise/findings.h \
	plugins/advise/reader.c plugins/advise/reader.h \
	plugins/advise/rules.c plugins/advise/rules.h \
	plugins/advise/selection.c plugins/advise/selection.h
plugins_advise_advise_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_advise_advise_la_LIBADD = $(LIBOPPROF_RESULTS) $(PLUGIN_LIBADD)

SUITES += tests/plugins/advise/suites
tests_plugins_advise_suites_SOURCES = tests/plugins/advise/test_advise.c
tests_plugins_advise_suites_LDADD = $(call objects_of,plugins_advise_advise_la) results/.libs/libresults.a $(TEST_LIBS) -lm

# Runs opprof-run and the modules of this tree.
EXTRA_PROGRAMS += bench/bench_advise
BENCHES += advise=bench/bench_advise
bench_bench_advise_SOURCES = bench/bench_advise.c $(BENCH_TREE_SOURCES)
bench_bench_advise_CPPFLAGS = $(BENCH_CPPFLAGS) -DBENCH_MAKE_RANKS='"$(abs_top_srcdir)/tests/tools/make_ranks.py"'
bench_bench_advise_LDADD = $(BENCH_LIBS)
