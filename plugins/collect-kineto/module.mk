# SPDX-License-Identifier: Apache-2.0
dist_rules_DATA += plugins/collect-kineto/rules/data-pipeline.sql \
	plugins/collect-kineto/rules/device-cpu-kernels.sql plugins/collect-kineto/rules/exposed-communication.sql \
	plugins/collect-kineto/rules/retransmission.sql plugins/collect-kineto/rules/slow-clock.sql \
	plugins/collect-kineto/rules/small-packets.sql
# The parts, for the module, for its tests, fuzz target and bench.
collect_kineto_parts = \
	plugins/collect-kineto/formats/parallel_reader.c plugins/collect-kineto/formats/parallel_reader.h \
	plugins/collect-kineto/tables/communication.c plugins/collect-kineto/tables/communication.h \
	plugins/collect-kineto/tables/folder_ranks.c plugins/collect-kineto/tables/folder_ranks.h \
	plugins/collect-kineto/tables/table_file.c plugins/collect-kineto/tables/table_file.h \
	plugins/collect-kineto/tables/table_kinds.c plugins/collect-kineto/tables/table_kinds.h \
	plugins/collect-kineto/tables/table_type.c plugins/collect-kineto/tables/table_type.h \
	plugins/collect-kineto/text/archive.c plugins/collect-kineto/text/archive.h \
	plugins/collect-kineto/text/codec.c plugins/collect-kineto/text/codec.h \
	plugins/collect-kineto/text/chunks.c plugins/collect-kineto/text/chunks.h \
	plugins/collect-kineto/emit/emit.c plugins/collect-kineto/emit/emit.h \
	plugins/collect-kineto/emit/emit_path.c plugins/collect-kineto/emit/emitter.h \
	plugins/collect-kineto/emit/emit_named.c \
	plugins/collect-kineto/emit/report.c plugins/collect-kineto/emit/report.h \
	plugins/collect-kineto/formats/event.c plugins/collect-kineto/formats/event.h \
	plugins/collect-kineto/formats/event_reader.c plugins/collect-kineto/formats/event_reader.h \
	plugins/collect-kineto/rank/apart.c plugins/collect-kineto/rank/apart.h \
	plugins/collect-kineto/rank/call_index.c plugins/collect-kineto/rank/call_index.h \
	plugins/collect-kineto/rank/call_match.c plugins/collect-kineto/rank/call_match.h \
	plugins/collect-kineto/rank/captures.c plugins/collect-kineto/rank/captures.h \
	plugins/collect-kineto/rank/device_ranks.c plugins/collect-kineto/rank/device_ranks.h \
	plugins/collect-kineto/rank/faults.c plugins/collect-kineto/rank/faults.h \
	plugins/collect-kineto/rank/lanes.c plugins/collect-kineto/rank/lanes.h \
	plugins/collect-kineto/rank/linked_trace.h \
	plugins/collect-kineto/rank/workless.c plugins/collect-kineto/rank/workless.h \
	plugins/collect-kineto/rank/file_rank.c plugins/collect-kineto/rank/file_rank.h plugins/collect-kineto/formats/files.c plugins/collect-kineto/formats/files.h \
	plugins/collect-kineto/rank/flows.c plugins/collect-kineto/rank/flows.h \
	plugins/collect-kineto/rank/grids.c plugins/collect-kineto/rank/grids.h \
	plugins/collect-kineto/rank/group_name.c plugins/collect-kineto/rank/group_name.h \
	plugins/collect-kineto/rank/host.c plugins/collect-kineto/rank/host.h \
	plugins/collect-kineto/rank/neighbours.c plugins/collect-kineto/rank/neighbours.h \
	plugins/collect-kineto/text/inflater.h \
	plugins/collect-kineto/text/json_text.c plugins/collect-kineto/text/json_text.h \
	plugins/collect-kineto/formats/forms.c plugins/collect-kineto/formats/forms.h \
	plugins/collect-kineto/formats/known_text.c plugins/collect-kineto/formats/known_text.h \
	plugins/collect-kineto/rank/launch_flows.c plugins/collect-kineto/rank/launch_flows.h \
	plugins/collect-kineto/rank/link.c plugins/collect-kineto/rank/link.h \
	plugins/collect-kineto/rank/names.c plugins/collect-kineto/rank/names.h \
	plugins/collect-kineto/formats/ascend_folders.c plugins/collect-kineto/formats/ascend_folders.h \
	plugins/collect-kineto/formats/ascend_reader.c plugins/collect-kineto/formats/ascend_reader.h \
	plugins/collect-kineto/formats/database_reader.c plugins/collect-kineto/formats/database_reader.h \
	plugins/collect-kineto/formats/database.c plugins/collect-kineto/formats/database.h \
	plugins/collect-kineto/formats/nsys_reader.c plugins/collect-kineto/formats/nsys_reader.h \
	plugins/collect-kineto/formats/nsys_waits.c plugins/collect-kineto/formats/nsys_waits.h \
	plugins/collect-kineto/text/number.c plugins/collect-kineto/text/number.h \
	plugins/collect-kineto/rank/open_events.c plugins/collect-kineto/rank/open_events.h \
	plugins/collect-kineto/rank/own_compare.c plugins/collect-kineto/rank/own_compare.h \
	plugins/collect-kineto/rank/own_sums.c plugins/collect-kineto/rank/own_sums.h \
	plugins/collect-kineto/rank/processes.c plugins/collect-kineto/rank/processes.h \
	plugins/collect-kineto/rank/rank_trace.c plugins/collect-kineto/rank/rank_trace.h \
	plugins/collect-kineto/rank/ranks.c plugins/collect-kineto/rank/ranks.h \
	plugins/collect-kineto/formats/recognise.c plugins/collect-kineto/formats/recognise.h \
	plugins/collect-kineto/text/resume.c plugins/collect-kineto/text/resume.h \
	plugins/collect-kineto/formats/rocprof.c plugins/collect-kineto/formats/rocprof.h \
	plugins/collect-kineto/text/scan.c plugins/collect-kineto/text/scan.h \
	plugins/collect-kineto/rank/shapes.c plugins/collect-kineto/rank/shapes.h \
	plugins/collect-kineto/rank/sort.c plugins/collect-kineto/rank/sort.h \
	plugins/collect-kineto/text/source.c plugins/collect-kineto/text/source.h \
	plugins/collect-kineto/formats/tasks.c plugins/collect-kineto/formats/tasks.h \
	plugins/collect-kineto/formats/text_window.c plugins/collect-kineto/formats/text_window.h \
	plugins/collect-kineto/formats/trace_reader.c plugins/collect-kineto/formats/trace_reader.h \
	plugins/collect-kineto/formats/unknown_words.h \
	plugins/collect-kineto/formats/vocabulary.c plugins/collect-kineto/formats/vocabulary.h \
	plugins/collect-kineto/text/wide_json.c plugins/collect-kineto/text/wide_json.h
nobase_dist_guides_DATA += plugins/collect-kineto/README.md
dist_pkgdata_DATA += plugins/collect-kineto/vocabulary.json
EXTRA_DIST += plugins/collect-kineto/text/inflater_isal.c plugins/collect-kineto/text/inflater_zlib.c

# Compressed traces are inflated by ISA-L where it is, by zlib where that is, else the module is left out.
if HAVE_INFLATE
noinst_LTLIBRARIES += plugins/collect-kineto/libkineto.la
plugins_collect_kineto_libkineto_la_SOURCES = $(collect_kineto_parts)
nodist_plugins_collect_kineto_libkineto_la_SOURCES = plugins/collect-kineto/vocabulary_text.c
plugins_collect_kineto_libkineto_la_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(INFLATE_CFLAGS) $(SQLITE_CFLAGS) $(ZIP_CFLAGS)
KINETO_OUTSIDE_LIBS = $(JANSSON_LIBS) $(INFLATE_LIBS) $(SQLITE_LIBS) $(ZIP_LIBS)
plugins_collect_kineto_libkineto_la_LIBADD = $(KINETO_OUTSIDE_LIBS)

# The lists that come with the module are in it, so that it works wherever it is.
plugins/collect-kineto/vocabulary_text.c: plugins/collect-kineto/vocabulary.json
	$(AM_V_GEN)$(MKDIR_P) plugins/collect-kineto && { \
		echo '/* Made from vocabulary.json. */'; echo '#include "collect-kineto/formats/vocabulary.h"'; echo 'const char vocabulary_text[] ='; \
		sed -e 's/[\\"]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/' $(srcdir)/plugins/collect-kineto/vocabulary.json; \
		echo ';'; } >$@.tmp && mv -f $@.tmp $@
CLEANFILES += plugins/collect-kineto/vocabulary_text.c
if HAVE_ZSTD
plugins_collect_kineto_libkineto_la_SOURCES += plugins/collect-kineto/text/unzstd.c plugins/collect-kineto/text/unzstd.h
plugins_collect_kineto_libkineto_la_CPPFLAGS += -DHAVE_ZSTD=1 $(ZSTD_CFLAGS)
KINETO_OUTSIDE_LIBS += $(ZSTD_LIBS)
else
EXTRA_DIST += plugins/collect-kineto/text/unzstd.c plugins/collect-kineto/text/unzstd.h
endif
if HAVE_ISAL
plugins_collect_kineto_libkineto_la_SOURCES += plugins/collect-kineto/text/inflater_isal.c
else
plugins_collect_kineto_libkineto_la_SOURCES += plugins/collect-kineto/text/inflater_zlib.c
endif

plugin_LTLIBRARIES += plugins/collect-kineto/ascend-memory.la
plugins_collect_kineto_ascend_memory_la_SOURCES = plugins/collect-kineto/ascend_memory.c
plugins_collect_kineto_ascend_memory_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_kineto_ascend_memory_la_LIBADD = plugins/collect-kineto/libkineto.la $(PLUGIN_LIBADD)
plugin_LTLIBRARIES += plugins/collect-kineto/ascend-tables.la plugins/collect-kineto/collect-kineto.la
plugins_collect_kineto_ascend_tables_la_SOURCES = plugins/collect-kineto/ascend_tables.c
plugins_collect_kineto_ascend_tables_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_kineto_ascend_tables_la_LIBADD = plugins/collect-kineto/libkineto.la $(PLUGIN_LIBADD)
plugins_collect_kineto_collect_kineto_la_SOURCES = plugins/collect-kineto/collect_kineto.c
plugins_collect_kineto_collect_kineto_la_CPPFLAGS = $(AM_CPPFLAGS)
if HAVE_ZSTD
plugins_collect_kineto_collect_kineto_la_CPPFLAGS += -DHAVE_ZSTD=1
endif
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

EXTRA_PROGRAMS += bench/bench_mindspore
BENCHES += mindspore=bench/bench_mindspore
bench_bench_mindspore_SOURCES = bench/bench_mindspore.c bench/tree.c bench/tree.h $(BENCH_SOURCES)
bench_bench_mindspore_CPPFLAGS = $(BENCH_CPPFLAGS) -DBENCH_MAKE_KERNELS='"$(abs_top_srcdir)/tests/tools/make_kernel_details.py"' \
	-DBENCH_MAKE_HWTS='"$(abs_top_srcdir)/tests/tools/make_hwts.py"'
bench_bench_mindspore_LDADD = $(BENCH_LIBS)

# A target a reader, each with a corpus of its own.
FUZZ_TRACE_FILES = fuzz/trace_run.c fuzz/trace_run.h $(FUZZ_SOURCES)
FUZZERS += fuzz/fuzz_kineto
fuzz_fuzz_kineto_SOURCES = fuzz/fuzz_kineto.c $(FUZZ_TRACE_FILES)
fuzz_fuzz_kineto_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_kineto_LDADD = plugins/collect-kineto/.libs/libkineto.a $(KINETO_OUTSIDE_LIBS) $(FUZZ_LIBS)
FUZZERS += fuzz/fuzz_ascend_tables
fuzz_fuzz_ascend_tables_SOURCES = fuzz/fuzz_ascend_tables.c $(FUZZ_SOURCES)
fuzz_fuzz_ascend_tables_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_ascend_tables_LDADD = plugins/collect-kineto/.libs/libkineto.a $(KINETO_OUTSIDE_LIBS) $(FUZZ_LIBS)
# The stages of the real modules.
FUZZERS += fuzz/fuzz_ascend_folder
fuzz_fuzz_ascend_folder_SOURCES = fuzz/fuzz_ascend_folder.c $(FUZZ_LAUNCH_FILES)
fuzz_fuzz_ascend_folder_CPPFLAGS = $(FUZZ_LAUNCH_CPPFLAGS)
fuzz_fuzz_ascend_folder_LDADD = $(FUZZ_MAIN) $(LIBOPPROF_KIT) $(LIBOPPROF)
EXTRA_fuzz_fuzz_ascend_folder_DEPENDENCIES = $(plugin_LTLIBRARIES)
FUZZERS += fuzz/fuzz_kineto_ascend_db
fuzz_fuzz_kineto_ascend_db_SOURCES = fuzz/fuzz_kineto_ascend_db.c $(FUZZ_DATABASE_FILES) $(FUZZ_TRACE_FILES)
fuzz_fuzz_kineto_ascend_db_CPPFLAGS = $(FUZZ_CPPFLAGS) $(SQLITE_CFLAGS)
fuzz_fuzz_kineto_ascend_db_LDADD = plugins/collect-kineto/.libs/libkineto.a $(KINETO_OUTSIDE_LIBS) $(FUZZ_LIBS) $(SQLITE_LIBS)
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
if HAVE_ZSTD
FUZZERS += fuzz/fuzz_kineto_zstd
fuzz_fuzz_kineto_zstd_SOURCES = fuzz/fuzz_kineto_zstd.c $(FUZZ_TRACE_FILES)
fuzz_fuzz_kineto_zstd_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_kineto_zstd_LDADD = plugins/collect-kineto/.libs/libkineto.a $(KINETO_OUTSIDE_LIBS) $(FUZZ_LIBS)
endif
if HAVE_ZLIB
FUZZERS += fuzz/fuzz_kineto_jax
fuzz_fuzz_kineto_jax_SOURCES = fuzz/fuzz_kineto_jax.c $(FUZZ_TRACE_FILES)
fuzz_fuzz_kineto_jax_CPPFLAGS = $(FUZZ_CPPFLAGS) $(ZLIB_CFLAGS)
fuzz_fuzz_kineto_jax_LDADD = plugins/collect-kineto/.libs/libkineto.a $(KINETO_OUTSIDE_LIBS) $(FUZZ_LIBS) $(ZLIB_LIBS)
endif
endif

include tests/plugins/collect-kineto/module.mk
