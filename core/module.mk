# SPDX-License-Identifier: Apache-2.0
opprof_headers = \
	core/include/opprof/activity.h core/include/opprof/batch.h core/include/opprof/busy_time.h core/include/opprof/bytes.h core/include/opprof/chip.h \
	core/include/opprof/clock.h core/include/opprof/data_stream.h core/include/opprof/error.h core/include/opprof/expression.h \
	core/include/opprof/lines.h core/include/opprof/log.h core/include/opprof/metrics.h core/include/opprof/onboard.h core/include/opprof/opprof.h \
	core/include/opprof/output.h core/include/opprof/params.h core/include/opprof/pipeline.h \
	core/include/opprof/plugin.h core/include/opprof/present.h core/include/opprof/record.h \
	core/include/opprof/sim.h core/include/opprof/source.h core/include/opprof/stage.h core/include/opprof/status.h \
	core/include/opprof/text.h
opprofincludedir = $(includedir)/opprof
opprofinclude_HEADERS = $(opprof_headers)
nodist_opprofinclude_HEADERS = core/include/opprof/version.h

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = core/opprof.pc

# All of the core, for the library and for tests that look inside.
noinst_LTLIBRARIES += core/libcore.la
core_libcore_la_CPPFLAGS = $(CORE_CPPFLAGS) \
	-DOPPROF_PLUGIN_DIR='"$(plugindir)"' -DOPPROF_CHIP_DIR='"$(chipsdir)"' \
	-DOPPROF_PIPELINE_DIR='"$(pipelinesdir)"'
core_libcore_la_LIBADD = $(JANSSON_LIBS) $(LTDL_LIBS) $(DW_LIBS) $(ELF_LIBS) $(DL_LIBS) -lm
core_libcore_la_SOURCES = \
	core/base/error.c core/base/log.c core/base/strings.c core/base/strings.h \
	core/base/status.c core/base/intern.c core/base/intern.h core/base/clock.c \
	core/stream/batch.c core/stream/data_stream.c core/stream/types.c core/stream/onboard_types.c \
	core/plugin/params.c core/plugin/params.h core/plugin/param_text.c core/plugin/param_text.h \
	core/plugin/registry.c core/plugin/registry.h \
	core/plugin/descriptor.c core/plugin/descriptor.h core/plugin/loader.c core/plugin/loader.h \
	core/plugin/inspect.c \
	core/pipeline/config.c core/pipeline/config.h core/pipeline/config_find.c \
	core/pipeline/config_parser.h core/pipeline/config_vars.c core/pipeline/graph.c core/pipeline/graph.h \
	core/pipeline/documents.c core/pipeline/pipeline.c core/pipeline/pipeline.h core/pipeline/problems.c core/pipeline/problems.h \
	core/pipeline/runner.c core/pipeline/runner.h core/pipeline/stage.c core/pipeline/stage.h \
	core/pipeline/report.c core/pipeline/summary.c core/pipeline/summary.h core/pipeline/tap.c core/pipeline/watchdog.c core/pipeline/crash.c \
	core/kit/busy_time.c \
	core/kit/expression.c core/kit/expression_compile.c core/kit/expression_eval.c \
	core/kit/expression_text.c core/kit/expression.h core/kit/expression_parser.h \
	core/kit/metrics.c core/kit/metrics_explain.c core/kit/metrics.h \
	core/kit/metrics_index.c core/kit/metrics_index.h \
	core/kit/chip.c core/kit/chip_fact.c core/kit/chip_file.c core/kit/chip_file.h core/kit/lines.c \
	core/kit/output.c core/kit/output.h core/kit/directories.c core/kit/directories.h \
	core/kit/source_dump.c core/kit/source_dump.h core/kit/source_elf.c core/kit/source_elf.h \
	core/kit/source_lines.c core/kit/source_spans.c core/kit/source_spans.h \
	core/kit/source_units.c core/kit/source_units.h \
	core/kit/text.c core/kit/text_double.c core/kit/tracks.c core/kit/tracks.h \
	core/kit/json_file.c core/kit/json_file.h

lib_LTLIBRARIES += core/libopprof.la
core_libopprof_la_SOURCES =
core_libopprof_la_LIBADD = core/libcore.la
core_libopprof_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined \
	-Wl,--version-script=$(top_srcdir)/core/libopprof.map
core_libopprof_la_DEPENDENCIES = core/libcore.la core/libopprof.map
EXTRA_DIST = core/libopprof.map

bin_PROGRAMS += core/cli/opprof-run
core_cli_opprof_run_SOURCES = core/cli/opprof_run.c core/cli/options.c core/cli/options.h \
	core/cli/screen.c core/cli/screen.h
core_cli_opprof_run_LDADD = core/libopprof.la
