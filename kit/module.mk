# SPDX-License-Identifier: Apache-2.0
# What plugins of this field share. Uses only the public headers of the core.
opprofkitincludedir = $(includedir)/opprof/kit
opprofkitinclude_HEADERS = \
	kit/include/opprof/kit/block_cores.h kit/include/opprof/kit/busy_time.h kit/include/opprof/kit/bytes.h kit/include/opprof/kit/chip.h \
	kit/include/opprof/kit/csv.h kit/include/opprof/kit/cutter.h \
	kit/include/opprof/kit/json_out.h kit/include/opprof/kit/kept_batches.h kit/include/opprof/kit/launch_reader.h kit/include/opprof/kit/launches.h \
	kit/include/opprof/kit/form.h kit/include/opprof/kit/formula.h kit/include/opprof/kit/kit.h kit/include/opprof/kit/live.h \
	kit/include/opprof/kit/facts.h kit/include/opprof/kit/pmu_facts.h \
	kit/include/opprof/kit/live_host.h kit/include/opprof/kit/live_opencl.h kit/include/opprof/kit/live_records.h \
	kit/include/opprof/kit/metrics.h kit/include/opprof/kit/raw_keeper.h kit/include/opprof/kit/raw_names.h kit/include/opprof/kit/record_bits.h kit/include/opprof/kit/large_array.h kit/include/opprof/kit/source.h \
	kit/include/opprof/kit/spool.h kit/include/opprof/kit/sub_lanes.h kit/include/opprof/kit/tool.h

pkgconfig_DATA += kit/opprof-kit.pc
CLEANFILES += kit/opprof-kit.pc
kit/opprof-kit.pc: $(top_srcdir)/kit/opprof-kit.pc.in $(top_builddir)/config.status
	$(AM_V_GEN)./config.status -q --file=$@:$<

# All of the kit, for the library and for tests that look inside.
noinst_LTLIBRARIES += kit/libkit.la
kit_libkit_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_builddir) -I$(top_srcdir) $(JANSSON_CFLAGS) $(ELF_CFLAGS) $(DW_CFLAGS) \
	-DOPPROF_CHIP_DIR='"$(chipsdir)"' -DOPPROF_FACTS_DIR='"$(factsdir)"'
KIT_OUTSIDE_LIBS = $(JANSSON_LIBS) $(DL_LIBS) -lm
kit_libkit_la_LIBADD = $(KIT_OUTSIDE_LIBS)
kit_libkit_la_SOURCES = \
	kit/facts/block_cores.c kit/facts/chip.c kit/facts/chip.h kit/facts/chip_explain.c kit/facts/chip_fact.c kit/facts/chip_file.c kit/facts/chip_file.h kit/facts/chip_line.c kit/facts/chip_line.h kit/facts/chip_refuse.c kit/facts/chips.c kit/launch/raw_names.c kit/facts/record_bits.c \
	kit/launch/chip_choice.c kit/launch/cutter.c kit/launch/launch_facts.c kit/launch/launch_files.c kit/launch/launch_reader.c kit/launch/launch_reader.h kit/launch/launches.c \
	kit/io/csv.c kit/io/form.c kit/io/json_out.c \
	kit/facts/fact_bind.c kit/facts/fact_bind.h kit/facts/fact_explain.c kit/facts/fact_fill.c kit/facts/fact_formulas.c kit/facts/fact_names.c kit/facts/fact_location.c kit/facts/fact_location.h kit/facts/fact_values.c kit/facts/pmu_facts.c kit/facts/pmu_facts.h kit/facts/raw_facts.c \
	kit/io/kept_batches.c kit/launch/raw_keeper.c kit/io/large_array.c kit/io/spawned.c kit/io/spawned.h kit/io/spool.c kit/io/tool.c kit/io/unnamed_file.c kit/io/unnamed_file.h \
	kit/live/live_app.c kit/live/live_client.c kit/live/live_door.c kit/live/live_filter.c kit/live/live_folder.c kit/live/live_launcher.c kit/live/live_messages.c kit/live/live_parts.h kit/live/live_paths.c kit/live/live_run.c kit/live/live_sanitizer.c kit/live/live_server.c kit/live/live_server.h kit/live/live_tally.c \
	kit/formula/formula.h kit/formula/formula_grammar.c kit/formula/formula_program.c kit/formula/formula_real.c \
	kit/formula/formula_scan.c kit/formula/formula_whole.c kit/metrics/metric_formulas.c kit/metrics/metrics.c kit/metrics/metrics.h \
	kit/metrics/metrics_explain.c kit/metrics/metrics_index.c kit/metrics/metrics_index.h \
	kit/source/dwarf_library.c kit/source/dwarf_library.h kit/source/source_elf.c kit/source/source_elf.h \
	kit/source/source_files.c \
	kit/source/source_lines.c kit/source/source_spans.c kit/source/source_spans.h kit/source/source_units.c \
	kit/source/source_units.h \
	kit/time/busy_time.c kit/time/sub_lanes.c

lib_LTLIBRARIES += kit/libopprof-kit.la
kit_libopprof_kit_la_SOURCES =
kit_libopprof_kit_la_LIBADD = kit/libkit.la $(LIBOPPROF)
kit_libopprof_kit_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined \
	-Wl,--version-script=$(top_srcdir)/kit/libopprof-kit.map
kit_libopprof_kit_la_DEPENDENCIES = kit/libkit.la core/libopprof.symbols kit/libopprof-kit.map
EXTRA_DIST += kit/libopprof-kit.map kit/opprof-kit.pc.in
# As core/module.mk has it for the core's library.
LIBOPPROF_KIT = $(if $@,kit/libopprof-kit.la,kit/libopprof-kit.symbols)
kit/libopprof-kit.symbols: kit/libopprof-kit.map | kit/libopprof-kit.la
	$(AM_V_at)cat $< >$@
CLEANFILES += kit/libopprof-kit.symbols

FUZZERS += fuzz/fuzz_chip
fuzz_fuzz_chip_SOURCES = fuzz/fuzz_chip.c $(FUZZ_SOURCES)
fuzz_fuzz_chip_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_chip_LDADD = $(FUZZ_LIBS)

FUZZERS += fuzz/fuzz_sanitizer
fuzz_fuzz_sanitizer_SOURCES = fuzz/fuzz_sanitizer.c $(FUZZ_SOURCES)
fuzz_fuzz_sanitizer_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_sanitizer_LDADD = $(FUZZ_LIBS)

include tests/kit/module.mk
