# SPDX-License-Identifier: Apache-2.0
nobase_dist_guides_DATA += plugins/collect-results/README.md
plugin_LTLIBRARIES += plugins/collect-results/collect-results.la
plugins_collect_results_collect_results_la_SOURCES = plugins/collect-results/collect_results.c plugins/collect-results/timeline.c plugins/collect-results/timeline.h \
	plugins/collect-results/trace_file.c plugins/collect-results/trace_file.h
plugins_collect_results_collect_results_la_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
plugins_collect_results_collect_results_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_results_collect_results_la_LIBADD = $(LIBOPPROF_RESULTS) $(PLUGIN_LIBADD) $(JANSSON_LIBS) -lm

FUZZERS += fuzz/fuzz_results
fuzz_fuzz_results_SOURCES = fuzz/fuzz_results.c $(plugins_collect_results_collect_results_la_SOURCES) \
	$(FUZZ_DATABASE_FILES) $(FUZZ_RUN_FILES)
fuzz_fuzz_results_CPPFLAGS = $(FUZZ_CPPFLAGS) $(SQLITE_CFLAGS)
fuzz_fuzz_results_LDADD = results/.libs/libresults.a $(FUZZ_LIBS) $(SQLITE_LIBS) $(JANSSON_LIBS) -lm

FUZZERS += fuzz/fuzz_trace_file
fuzz_fuzz_trace_file_SOURCES = fuzz/fuzz_trace_file.c plugins/collect-results/trace_file.c $(FUZZ_SOURCES)
fuzz_fuzz_trace_file_CPPFLAGS = $(FUZZ_CPPFLAGS) $(JANSSON_CFLAGS)
fuzz_fuzz_trace_file_LDADD = $(FUZZ_LIBS) $(JANSSON_LIBS)

collect_results_scripts = tests/plugins/collect-results/test_show.sh tests/plugins/collect-results/test_timeline.sh
dist_check_SCRIPTS += $(collect_results_scripts)
TESTS += $(collect_results_scripts)
