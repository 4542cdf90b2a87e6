# SPDX-License-Identifier: Apache-2.0
# The comparison of two results, for the command. Uses only the public headers of the core and of results.
noinst_LTLIBRARIES += compare/libcompare.la
compare_libcompare_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(JANSSON_CFLAGS)
compare_libcompare_la_LIBADD = $(JANSSON_LIBS) -lm
compare_libcompare_la_SOURCES = \
	compare/causes.c compare/causes.h \
	compare/changes.c compare/changes.h \
	compare/compare.c compare/compare.h \
	compare/describe.c compare/describe.h \
	compare/labels.c compare/labels.h \
	compare/load.c compare/load.h \
	compare/model.c compare/model.h \
	compare/page.c compare/page.h \
	compare/print.c compare/print.h \
	compare/print_lines.c compare/print_lines.h \
	compare/print_text.c compare/print_text.h \
	compare/query.c compare/query.h \
	compare/rows.c compare/rows.h \
	compare/rules.c compare/rules.h \
	compare/statistics.c compare/statistics.h \
	compare/texts.c compare/texts.h

FUZZERS += fuzz/fuzz_compare
fuzz_fuzz_compare_SOURCES = fuzz/fuzz_compare.c $(FUZZ_DATABASE_FILES) $(FUZZ_RUN_FILES)
fuzz_fuzz_compare_CPPFLAGS = $(FUZZ_CPPFLAGS) $(SQLITE_CFLAGS)
fuzz_fuzz_compare_LDADD = compare/.libs/libcompare.a print/.libs/libprint.a results/.libs/libresults.a $(FUZZ_LIBS) $(SQLITE_LIBS) $(JANSSON_LIBS) -lm

include tests/compare/module.mk
