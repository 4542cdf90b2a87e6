# SPDX-License-Identifier: Apache-2.0
opprof_headers = \
	core/include/opprof/batch.h \
	core/include/opprof/clock.h core/include/opprof/compiler.h \
	core/include/opprof/data_stream.h \
	core/include/opprof/error.h \
	core/include/opprof/grow.h \
	core/include/opprof/intern.h \
	core/include/opprof/json.h \
	core/include/opprof/library.h \
	core/include/opprof/log.h \
	core/include/opprof/map.h \
	core/include/opprof/opprof.h \
	core/include/opprof/output.h \
	core/include/opprof/params.h \
	core/include/opprof/pipeline.h \
	core/include/opprof/plugin.h \
	core/include/opprof/present.h \
	core/include/opprof/print.h \
	core/include/opprof/probe.h \
	core/include/opprof/record.h \
	core/include/opprof/require.h \
	core/include/opprof/stage.h \
	core/include/opprof/status.h \
	core/include/opprof/text.h
opprofincludedir = $(includedir)/opprof
opprofinclude_HEADERS = $(opprof_headers)
nodist_opprofinclude_HEADERS = core/include/opprof/version.h

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = core/opprof.pc

# All of the core, for the library and for tests that look inside.
noinst_LTLIBRARIES += core/libcore.la
core_libcore_la_CPPFLAGS = $(CORE_CPPFLAGS) \
	-DOPPROF_PLUGIN_DIR='"$(plugindir)"' -DOPPROF_PIPELINE_DIR='"$(pipelinesdir)"'
CORE_OUTSIDE_LIBS = $(JANSSON_LIBS) $(LTDL_LIBS) $(DL_LIBS) -lm
core_libcore_la_LIBADD = $(CORE_OUTSIDE_LIBS)
core_libcore_la_SOURCES = \
	core/base/chunks.c \
	core/base/chunks.h \
	core/base/clock.c \
	core/base/error.c \
	core/base/files.h \
	core/base/grow.c \
	core/base/hash.h \
	core/base/intern.c \
	core/base/json.c \
	core/base/json_guard.c \
	core/base/json_guard.h \
	core/base/library.c \
	core/base/linker.c \
	core/base/linker.h \
	core/base/log.c \
	core/base/log_wanted.h \
	core/base/map.c \
	core/base/names.c \
	core/base/names.h \
	core/base/printed.c \
	core/base/printed.h \
	core/base/problems.c \
	core/base/problems.h \
	core/base/require.c \
	core/base/require.h \
	core/base/status.c \
	core/base/strings.c \
	core/base/strings.h \
	core/base/table.c \
	core/base/table.h \
	core/base/text.c \
	core/base/text_double.c \
	core/base/write_file.c \
	core/base/write_file.h \
	core/stream/batch.c \
	core/stream/data_stream.c \
	core/stream/fields.c \
	core/stream/fields.h \
	core/stream/ledger.h \
	core/stream/tracks.c \
	core/stream/tracks.h \
	core/stream/types.c \
	core/plugin/descriptor.c \
	core/plugin/descriptor.h \
	core/plugin/loader.c \
	core/plugin/loader.h \
	core/plugin/module_kind.c \
	core/plugin/module_kind.h \
	core/plugin/param_text.c \
	core/plugin/param_text.h \
	core/plugin/params.c \
	core/plugin/params.h \
	core/plugin/registry.c \
	core/plugin/registry.h \
	core/plugin/rehearsal.c \
	core/plugin/rehearsal.h \
	core/plugin/trust.c \
	core/plugin/trust.h \
	core/output/directories.c \
	core/output/directories.h \
	core/output/inputs.c \
	core/output/inputs.h \
	core/output/leftovers.c \
	core/output/leftovers.h \
	core/output/output.h \
	core/output/output_file.c \
	core/output/run_directory.c \
	core/output/run_directory.h \
	core/output/scratch.c \
	core/run/append.c \
	core/run/graph.c \
	core/run/graph.h \
	core/run/messages.c \
	core/run/messages.h \
	core/run/nodes.c \
	core/run/nodes.h \
	core/run/pipeline.h \
	core/run/reasons.c \
	core/run/reasons.h \
	core/run/runner.c \
	core/run/runner.h \
	core/run/stage.c \
	core/run/stage.h \
	core/run/stage_run.h \
	core/run/wake.c \
	core/run/wake.h \
	core/report/early_record.c \
	core/report/early_record.h \
	core/report/print.c \
	core/report/progress.c \
	core/report/progress.h \
	core/report/report.c \
	core/report/report.h \
	core/report/summary.c \
	core/report/summary.h \
	core/report/verdict.c \
	core/document/config.c \
	core/document/config.h \
	core/document/config_extends.c \
	core/document/config_find.c \
	core/document/config_find.h \
	core/document/config_members.c \
	core/document/config_parser.h \
	core/document/config_vars.c core/document/config_when.c \
	core/document/documents.c \
	core/document/probe.c \
	core/document/probe.h \
	core/recording/hex_view.c \
	core/recording/hex_view.h \
	core/recording/readers.h \
	core/recording/record.c \
	core/recording/recording.c \
	core/recording/recording.h \
	core/recording/recording_reader.c \
	core/recording/recording_writer.c \
	core/recording/replay.c \
	core/recording/replay.h \
	core/recording/replay_links.c \
	core/recording/tap.c \
	core/guard/crash.c \
	core/guard/crash.h \
	core/guard/life.c \
	core/guard/life.h \
	core/guard/watchdog.c \
	core/guard/watchdog.h \
	core/pipeline/load.c \
	core/pipeline/pipeline.c \
	core/pipeline/run.c

lib_LTLIBRARIES += core/libopprof.la
core_libopprof_la_SOURCES =
core_libopprof_la_LIBADD = core/libcore.la
core_libopprof_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined \
	-Wl,--version-script=$(top_srcdir)/core/libopprof.map
core_libopprof_la_DEPENDENCIES = core/libcore.la core/libopprof.map
EXTRA_DIST = core/libopprof.map
# What links a library of this tree links again when the library's symbols change, not when its code does. Where make reads
# prerequisites there is no $@ yet, so that it sees a file made from the list of symbols once the library is there.
LIBOPPROF = $(if $@,core/libopprof.la,core/libopprof.symbols)
core/libopprof.symbols: core/libopprof.map | core/libopprof.la
	$(AM_V_at)cat $< >$@
CLEANFILES += core/libopprof.symbols
