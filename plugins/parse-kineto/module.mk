# SPDX-License-Identifier: Apache-2.0
# The parts, for the module, for its tests, fuzz target and bench.
parse_kineto_parts = \
	plugins/parse-kineto/chunks.c plugins/parse-kineto/chunks.h \
	plugins/parse-kineto/emit.c plugins/parse-kineto/emit.h \
	plugins/parse-kineto/event.c plugins/parse-kineto/event.h \
	plugins/parse-kineto/files.c plugins/parse-kineto/files.h \
	plugins/parse-kineto/inflater.h \
	plugins/parse-kineto/json_text.c plugins/parse-kineto/json_text.h \
	plugins/parse-kineto/link.c plugins/parse-kineto/link.h \
	plugins/parse-kineto/names.c plugins/parse-kineto/names.h \
	plugins/parse-kineto/number.c plugins/parse-kineto/number.h \
	plugins/parse-kineto/open_events.c plugins/parse-kineto/open_events.h \
	plugins/parse-kineto/rank_trace.c plugins/parse-kineto/rank_trace.h \
	plugins/parse-kineto/ranks.c plugins/parse-kineto/ranks.h \
	plugins/parse-kineto/scan.c plugins/parse-kineto/scan.h \
	plugins/parse-kineto/sort.c plugins/parse-kineto/sort.h \
	plugins/parse-kineto/source.c plugins/parse-kineto/source.h \
	plugins/parse-kineto/trace_reader.c plugins/parse-kineto/trace_reader.h \
	plugins/parse-kineto/vocabulary.c plugins/parse-kineto/vocabulary.h
dist_noinst_DATA += plugins/parse-kineto/README.md
EXTRA_DIST += plugins/parse-kineto/inflater_isal.c plugins/parse-kineto/inflater_zlib.c

# Compressed traces are inflated by ISA-L where it is, by zlib where that is, else the module is left out.
if HAVE_INFLATE
noinst_LTLIBRARIES += plugins/parse-kineto/libkineto.la
plugins_parse_kineto_libkineto_la_SOURCES = $(parse_kineto_parts)
plugins_parse_kineto_libkineto_la_CPPFLAGS = $(AM_CPPFLAGS) $(INFLATE_CFLAGS)
plugins_parse_kineto_libkineto_la_LIBADD = $(INFLATE_LIBS)
if HAVE_ISAL
plugins_parse_kineto_libkineto_la_SOURCES += plugins/parse-kineto/inflater_isal.c
else
plugins_parse_kineto_libkineto_la_SOURCES += plugins/parse-kineto/inflater_zlib.c
endif

plugin_LTLIBRARIES += plugins/parse-kineto/parse-kineto.la
plugins_parse_kineto_parse_kineto_la_SOURCES = plugins/parse-kineto/parse_kineto.c
plugins_parse_kineto_parse_kineto_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_kineto_parse_kineto_la_LIBADD = plugins/parse-kineto/libkineto.la $(PLUGIN_LIBADD)

FUZZERS += fuzz/fuzz_kineto
fuzz_fuzz_kineto_SOURCES = fuzz/fuzz_kineto.c $(FUZZ_SOURCES)
fuzz_fuzz_kineto_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_kineto_LDFLAGS = $(FUZZ_LINKFLAGS)
fuzz_fuzz_kineto_LDADD = plugins/parse-kineto/libkineto.la $(FUZZ_LIBS)
endif

include tests/plugins/parse-kineto/module.mk
