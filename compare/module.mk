# SPDX-License-Identifier: Apache-2.0
# The comparison of two results, for the command. Uses only the public headers of the core and of results.
noinst_LTLIBRARIES += compare/libcompare.la
compare_libcompare_la_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
compare_libcompare_la_LIBADD = $(JANSSON_LIBS) -lm
compare_libcompare_la_SOURCES = \
	compare/causes.c compare/causes.h \
	compare/changes.c compare/changes.h \
	compare/compare.c compare/compare.h \
	compare/describe.c compare/describe.h \
	compare/load.c compare/load.h \
	compare/model.c compare/model.h \
	compare/page.c compare/page.h \
	compare/print.c compare/print.h \
	compare/rows.c compare/rows.h \
	compare/rules.c compare/rules.h \
	compare/statistics.c compare/statistics.h \
	compare/texts.c compare/texts.h

include tests/compare/module.mk
