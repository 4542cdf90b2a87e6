# SPDX-License-Identifier: Apache-2.0
# The database of a finished run. Uses only the public headers of the core.
opprofresultsincludedir = $(includedir)/opprof
opprofresultsinclude_HEADERS = results/include/opprof/questions.h results/include/opprof/results.h

pkgconfig_DATA += results/opprof-results.pc
CLEANFILES += results/opprof-results.pc
results/opprof-results.pc: $(top_srcdir)/results/opprof-results.pc.in $(top_builddir)/config.status
	$(AM_V_GEN)./config.status -q --file=$@:$<

# All of it, for the library and for tests that look inside.
noinst_LTLIBRARIES += results/libresults.la
results_libresults_la_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS) \
	-DOPPROF_RULES_DIR='"$(rulesdir)"' -DOPPROF_QUERIES_DIR='"$(queriesdir)"'
results_libresults_la_LIBADD = -lm
results_libresults_la_SOURCES = \
	results/ask.c results/ask.h \
	results/check.c \
	results/condition_columns.c results/condition_columns.h \
	results/condition_rules.c results/condition_rules.h \
	results/conditions.c results/conditions.h \
	results/database.c results/database.h \
	results/empty_tables.c \
	results/functions.c results/functions.h \
	results/kept.c \
	results/optional.c results/optional.h \
	results/parts.c \
	results/questions.c \
	results/results.c results/results.h \
	results/row_source.c results/row_source.h \
	results/rows.c results/schema.h \
	results/span_args.c results/span_args.h \
	results/span_rows.c results/span_rows.h \
	results/sqlite_library.c results/sqlite_library.h \
	results/stored_types.c results/stored_types.h \
	results/table_pages.c results/table_pages.h \
	results/table_rows.c results/table_rows.h \
	results/table_set.c results/table_set.h \
	results/words.c results/words.h \
	results/writer.c

lib_LTLIBRARIES += results/libopprof-results.la
results_libopprof_results_la_SOURCES =
results_libopprof_results_la_LIBADD = results/libresults.la $(LIBOPPROF)
results_libopprof_results_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined \
	-Wl,--version-script=$(top_srcdir)/results/libopprof-results.map
results_libopprof_results_la_DEPENDENCIES = results/libresults.la core/libopprof.symbols results/libopprof-results.map
EXTRA_DIST += results/libopprof-results.map results/opprof-results.pc.in
# As core/module.mk has it for the core's library.
LIBOPPROF_RESULTS = $(if $@,results/libopprof-results.la,results/libopprof-results.symbols)
results/libopprof-results.symbols: results/libopprof-results.map | results/libopprof-results.la
	$(AM_V_at)cat $< >$@
CLEANFILES += results/libopprof-results.symbols

include tests/results/module.mk

FUZZERS += fuzz/fuzz_question
fuzz_fuzz_question_SOURCES = fuzz/fuzz_question.c $(FUZZ_RUN_FILES)
fuzz_fuzz_question_CPPFLAGS = $(FUZZ_CPPFLAGS) $(SQLITE_CFLAGS)
fuzz_fuzz_question_LDADD = results/.libs/libresults.a $(FUZZ_LIBS) -lm

FUZZERS += fuzz/fuzz_conditions
fuzz_fuzz_conditions_SOURCES = fuzz/fuzz_conditions.c $(FUZZ_SOURCES)
fuzz_fuzz_conditions_CPPFLAGS = $(FUZZ_CPPFLAGS) $(SQLITE_CFLAGS)
fuzz_fuzz_conditions_LDADD = results/.libs/libresults.a $(FUZZ_LIBS) -lm
