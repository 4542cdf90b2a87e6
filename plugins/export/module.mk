# SPDX-License-Identifier: Apache-2.0
nobase_dist_guides_DATA += plugins/export/README.md
# The parts, for the modules and for tests that look inside.
export_trace_parts = \
	plugins/export/json_cache.c plugins/export/json_cache.h \
	plugins/export/number_set.c plugins/export/number_set.h \
	plugins/export/span_id.c plugins/export/span_id.h \
	plugins/export/spool_ranges.c plugins/export/spool_ranges.h \
	plugins/export/trim.h plugins/export/text_arena.c plugins/export/text_arena.h \
	plugins/export/trace_document.c plugins/export/trace_document.h \
	plugins/export/trace_event.c plugins/export/trace_event.h \
	plugins/export/trace_section.c plugins/export/trace_section.h
export_csv_parts = plugins/export/advice_rows.c plugins/export/advice_rows.h plugins/export/table_file.c plugins/export/table_file.h

plugin_LTLIBRARIES += plugins/export/csv.la plugins/export/sqlite.la plugins/export/trace.la
plugins_export_sqlite_la_SOURCES = plugins/export/sqlite.c
plugins_export_sqlite_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_export_sqlite_la_LIBADD = $(LIBOPPROF_RESULTS) $(PLUGIN_LIBADD)
plugins_export_trace_la_SOURCES = plugins/export/trace.c $(export_trace_parts)
plugins_export_trace_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_export_trace_la_LIBADD = $(PLUGIN_LIBADD)
plugins_export_csv_la_SOURCES = plugins/export/csv.c $(export_csv_parts)
plugins_export_csv_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_export_csv_la_LIBADD = $(PLUGIN_LIBADD)

# The packets of Perfetto's format, made from what of it is written here.
plugins/export/perfetto.pb-c.c: plugins/export/perfetto.proto
	$(AM_V_GEN)$(MKDIR_P) plugins/export && $(PROTOC_C) --proto_path=$(srcdir) --c_out=. $(srcdir)/plugins/export/perfetto.proto
plugins/export/perfetto.pb-c.h: plugins/export/perfetto.pb-c.c
	@test -f $@ || { rm -f plugins/export/perfetto.pb-c.c; $(MAKE) $(AM_MAKEFLAGS) plugins/export/perfetto.pb-c.c; }
EXTRA_DIST += plugins/export/perfetto.proto
CLEANFILES += plugins/export/perfetto.pb-c.c plugins/export/perfetto.pb-c.h
noinst_LTLIBRARIES += plugins/export/libpackets.la
nodist_plugins_export_libpackets_la_SOURCES = plugins/export/perfetto.pb-c.c
plugins_export_libpackets_la_CPPFLAGS = $(AM_CPPFLAGS) -I. $(PROTOBUF_C_CFLAGS)
plugins_export_libpackets_la_CFLAGS = $(AM_CFLAGS) -w
plugin_LTLIBRARIES += plugins/export/perfetto.la
export_perfetto_parts = \
	plugins/export/packets.c plugins/export/packets.h \
	plugins/export/span_id.c plugins/export/span_id.h \
	plugins/export/spool_ranges.c plugins/export/spool_ranges.h plugins/export/trim.h
plugins_export_perfetto_la_SOURCES = plugins/export/perfetto.c $(export_perfetto_parts)
plugins_export_perfetto_la_CPPFLAGS = $(AM_CPPFLAGS) -I. $(PROTOBUF_C_CFLAGS)
plugins_export_perfetto_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_export_perfetto_la_LIBADD = plugins/export/libpackets.la $(PLUGIN_LIBADD) $(PROTOBUF_C_LIBS)
$(plugins_export_perfetto_la_OBJECTS): plugins/export/perfetto.pb-c.h

export_scripts = tests/plugins/export/test_formats.sh tests/plugins/export/test_perfetto.sh tests/plugins/export/test_queries.sh
dist_check_SCRIPTS += $(export_scripts)
EXTRA_DIST += tests/plugins/export/queries.py \
	tests/tools/perfetto_decode.py
TESTS += $(export_scripts)

# A program for each module, since the descriptors have one name.
SUITES += tests/plugins/export/test_csv
tests_plugins_export_test_csv_SOURCES = \
	tests/plugins/export/test_csv.c
tests_plugins_export_test_csv_LDADD = $(call objects_of,plugins_export_csv_la) $(TEST_LIBS)
SUITES += tests/plugins/export/test_perfetto
tests_plugins_export_test_perfetto_SOURCES = \
	tests/plugins/export/test_arrow_ends.c
tests_plugins_export_test_perfetto_LDADD = $(call objects_of,plugins_export_perfetto_la) plugins/export/.libs/libpackets.a $(TEST_LIBS) $(PROTOBUF_C_LIBS)
SUITES += tests/plugins/export/test_sqlite
tests_plugins_export_test_sqlite_SOURCES = \
	tests/plugins/export/test_sqlite.c
tests_plugins_export_test_sqlite_CPPFLAGS = $(TEST_CPPFLAGS) $(SQLITE_CFLAGS)
tests_plugins_export_test_sqlite_LDADD = $(call objects_of,plugins_export_sqlite_la) results/.libs/libresults.a $(TEST_LIBS) $(SQLITE_LIBS)
SUITES += tests/plugins/export/test_trace
tests_plugins_export_test_trace_SOURCES = \
	tests/plugins/export/test_trace.c \
	tests/plugins/export/test_trace_event.c
tests_plugins_export_test_trace_LDADD = $(call objects_of,plugins_export_trace_la) $(TEST_LIBS)
$(tests_plugins_export_test_perfetto_OBJECTS): plugins/export/perfetto.pb-c.h

EXTRA_PROGRAMS += bench/bench_sqlite
BENCHES += sqlite=bench/bench_sqlite
bench_bench_sqlite_SOURCES = bench/bench_sqlite.c plugins/export/sqlite.c $(BENCH_SOURCES)
bench_bench_sqlite_CPPFLAGS = $(BENCH_CPPFLAGS) $(SQLITE_CFLAGS)
bench_bench_sqlite_LDADD = results/libresults.la $(BENCH_LIBS) $(SQLITE_LIBS)
