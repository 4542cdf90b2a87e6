# SPDX-License-Identifier: Apache-2.0
# The parts, for the module, for its tests, fuzz target and bench.
collect_kineto_parts = \
	plugins/collect-kineto/ahead.c plugins/collect-kineto/ahead.h \
	plugins/collect-kineto/archive.c plugins/collect-kineto/archive.h \
	plugins/collect-kineto/chunks.c plugins/collect-kineto/chunks.h \
	plugins/collect-kineto/emit.c plugins/collect-kineto/emit.h \
	plugins/collect-kineto/emit_path.c plugins/collect-kineto/emitter.h \
	plugins/collect-kineto/emit_named.c \
	plugins/collect-kineto/event.c plugins/collect-kineto/event.h \
	plugins/collect-kineto/event_reader.c plugins/collect-kineto/event_reader.h \
	plugins/collect-kineto/file_rank.c plugins/collect-kineto/file_rank.h plugins/collect-kineto/files.c plugins/collect-kineto/files.h \
	plugins/collect-kineto/flows.c plugins/collect-kineto/flows.h \
	plugins/collect-kineto/group_name.c plugins/collect-kineto/group_name.h \
	plugins/collect-kineto/host.c plugins/collect-kineto/host.h \
	plugins/collect-kineto/inflater.h \
	plugins/collect-kineto/json_text.c plugins/collect-kineto/json_text.h \
	plugins/collect-kineto/known_text.c plugins/collect-kineto/known_text.h \
	plugins/collect-kineto/launch_flows.c plugins/collect-kineto/launch_flows.h \
	plugins/collect-kineto/link.c plugins/collect-kineto/link.h \
	plugins/collect-kineto/names.c plugins/collect-kineto/names.h \
	plugins/collect-kineto/nsys_reader.c plugins/collect-kineto/nsys_reader.h \
	plugins/collect-kineto/number.c plugins/collect-kineto/number.h \
	plugins/collect-kineto/open_events.c plugins/collect-kineto/open_events.h \
	plugins/collect-kineto/processes.c plugins/collect-kineto/processes.h \
	plugins/collect-kineto/rank_trace.c plugins/collect-kineto/rank_trace.h \
	plugins/collect-kineto/ranks.c plugins/collect-kineto/ranks.h \
	plugins/collect-kineto/recognise.c plugins/collect-kineto/recognise.h \
	plugins/collect-kineto/resume.c plugins/collect-kineto/resume.h \
	plugins/collect-kineto/rocprof.c plugins/collect-kineto/rocprof.h \
	plugins/collect-kineto/scan.c plugins/collect-kineto/scan.h \
	plugins/collect-kineto/shapes.c plugins/collect-kineto/shapes.h \
	plugins/collect-kineto/sort.c plugins/collect-kineto/sort.h \
	plugins/collect-kineto/source.c plugins/collect-kineto/source.h \
	plugins/collect-kineto/text_window.c plugins/collect-kineto/text_window.h \
	plugins/collect-kineto/trace_reader.c plugins/collect-kineto/trace_reader.h \
	plugins/collect-kineto/vocabulary.c plugins/collect-kineto/vocabulary.h \
	plugins/collect-kineto/wide_json.c plugins/collect-kineto/wide_json.h
nobase_dist_guides_DATA += plugins/collect-kineto/README.md
dist_pkgdata_DATA += plugins/collect-kineto/vocabulary.json
EXTRA_DIST += plugins/collect-kineto/inflater_isal.c plugins/collect-kineto/inflater_zlib.c

# Compressed traces are inflated by ISA-L where it is, by zlib where that is, else the module is left out.
if HAVE_INFLATE
noinst_LTLIBRARIES += plugins/collect-kineto/libkineto.la
plugins_collect_kineto_libkineto_la_SOURCES = $(collect_kineto_parts)
nodist_plugins_collect_kineto_libkineto_la_SOURCES = plugins/collect-kineto/vocabulary_text.c
plugins_collect_kineto_libkineto_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/plugins/collect-kineto $(JANSSON_CFLAGS) $(INFLATE_CFLAGS) $(SQLITE_CFLAGS) $(ZIP_CFLAGS)
KINETO_OUTSIDE_LIBS = $(JANSSON_LIBS) $(INFLATE_LIBS) $(SQLITE_LIBS) $(ZIP_LIBS)
plugins_collect_kineto_libkineto_la_LIBADD = $(KINETO_OUTSIDE_LIBS)

# The lists that come with the module are in it, so that it works wherever it is.
plugins/collect-kineto/vocabulary_text.c: plugins/collect-kineto/vocabulary.json
	$(AM_V_GEN)$(MKDIR_P) plugins/collect-kineto && { \
		echo '/* Made from vocabulary.json. */'; echo '#include "vocabulary.h"'; echo 'const char vocabulary_text[] ='; \
		sed -e 's/[\\"]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/' $(srcdir)/plugins/collect-kineto/vocabulary.json; \
		echo ';'; } >$@.tmp && mv -f $@.tmp $@
CLEANFILES += plugins/collect-kineto/vocabulary_text.c
if HAVE_ISAL
plugins_collect_kineto_libkineto_la_SOURCES += plugins/collect-kineto/inflater_isal.c
else
plugins_collect_kineto_libkineto_la_SOURCES += plugins/collect-kineto/inflater_zlib.c
endif

plugin_LTLIBRARIES += plugins/collect-kineto/collect-kineto.la
plugins_collect_kineto_collect_kineto_la_SOURCES = plugins/collect-kineto/collect_kineto.c
plugins_collect_kineto_collect_kineto_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_kineto_collect_kineto_la_LIBADD = plugins/collect-kineto/libkineto.la $(PLUGIN_LIBADD)

EXTRA_PROGRAMS += bench/bench_kineto
BENCHES += kineto=bench/bench_kineto
bench_bench_kineto_SOURCES = bench/bench_kineto.c tests/plugins/collect-kineto/trace_text.c \
	tests/plugins/collect-kineto/trace_text.h $(BENCH_SOURCES)
bench_bench_kineto_CPPFLAGS = $(BENCH_CPPFLAGS) -DBENCH_MAKE_RANKS='"$(abs_top_srcdir)/tests/tools/make_ranks.py"' -DBENCH_SIMDJSON_SOURCE='"$(abs_srcdir)/bench/busy_simdjson.cc"'
EXTRA_DIST += bench/busy_simdjson.cc
bench_bench_kineto_LDADD = plugins/collect-kineto/libkineto.la $(BENCH_LIBS)
if HAVE_ZLIB
bench_bench_kineto_CPPFLAGS += -DHAVE_ZLIB=1 $(ZLIB_CFLAGS)
bench_bench_kineto_LDADD += $(ZLIB_LIBS)
endif

# A target a reader, each with a corpus of its own.
FUZZ_TRACE_FILES = fuzz/trace_run.c fuzz/trace_run.h $(FUZZ_SOURCES)
FUZZERS += fuzz/fuzz_kineto
fuzz_fuzz_kineto_SOURCES = fuzz/fuzz_kineto.c $(FUZZ_TRACE_FILES)
fuzz_fuzz_kineto_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_kineto_LDADD = plugins/collect-kineto/.libs/libkineto.a $(KINETO_OUTSIDE_LIBS) $(FUZZ_LIBS)
FUZZERS += fuzz/fuzz_kineto_zip
fuzz_fuzz_kineto_zip_SOURCES = fuzz/fuzz_kineto_zip.c $(FUZZ_TRACE_FILES)
fuzz_fuzz_kineto_zip_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_kineto_zip_LDADD = plugins/collect-kineto/.libs/libkineto.a $(KINETO_OUTSIDE_LIBS) $(FUZZ_LIBS)
FUZZERS += fuzz/fuzz_kineto_rocprof
fuzz_fuzz_kineto_rocprof_SOURCES = fuzz/fuzz_kineto_rocprof.c $(FUZZ_TRACE_FILES)
fuzz_fuzz_kineto_rocprof_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_kineto_rocprof_LDADD = plugins/collect-kineto/.libs/libkineto.a $(KINETO_OUTSIDE_LIBS) $(FUZZ_LIBS)
FUZZERS += fuzz/fuzz_kineto_ascend
fuzz_fuzz_kineto_ascend_SOURCES = fuzz/fuzz_kineto_ascend.c $(FUZZ_TRACE_FILES)
fuzz_fuzz_kineto_ascend_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_kineto_ascend_LDADD = plugins/collect-kineto/.libs/libkineto.a $(KINETO_OUTSIDE_LIBS) $(FUZZ_LIBS)
FUZZERS += fuzz/fuzz_kineto_nsys
fuzz_fuzz_kineto_nsys_SOURCES = fuzz/fuzz_kineto_nsys.c $(FUZZ_TRACE_FILES)
fuzz_fuzz_kineto_nsys_CPPFLAGS = $(FUZZ_CPPFLAGS) $(SQLITE_CFLAGS)
fuzz_fuzz_kineto_nsys_LDADD = plugins/collect-kineto/.libs/libkineto.a $(KINETO_OUTSIDE_LIBS) $(FUZZ_LIBS) $(SQLITE_LIBS)
if HAVE_ZLIB
FUZZERS += fuzz/fuzz_kineto_jax
fuzz_fuzz_kineto_jax_SOURCES = fuzz/fuzz_kineto_jax.c $(FUZZ_TRACE_FILES)
fuzz_fuzz_kineto_jax_CPPFLAGS = $(FUZZ_CPPFLAGS) $(ZLIB_CFLAGS)
fuzz_fuzz_kineto_jax_LDADD = plugins/collect-kineto/.libs/libkineto.a $(KINETO_OUTSIDE_LIBS) $(FUZZ_LIBS) $(ZLIB_LIBS)
endif
endif

include tests/plugins/collect-kineto/module.mk
