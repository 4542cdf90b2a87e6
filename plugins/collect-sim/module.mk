# SPDX-License-Identifier: Apache-2.0
dist_facts_DATA += plugins/collect-sim/facts/camodel.json

# The module's parts are a convenience library, so that tests, benches and fuzz targets can link them.
# Those that read logs in blocks, whose size a program may choose, and those that pair lines with them.
sim_block_parts = \
	plugins/collect-sim/lines/charset.c plugins/collect-sim/lines/charset.h \
	plugins/collect-sim/lines/form.c plugins/collect-sim/lines/form.h \
	plugins/collect-sim/pairing/horizon.c plugins/collect-sim/pairing/horizon.h \
	plugins/collect-sim/pairing/keys.c plugins/collect-sim/pairing/keys.h \
	plugins/collect-sim/pairing/order.c plugins/collect-sim/pairing/order.h \
	plugins/collect-sim/pairing/overhead.c plugins/collect-sim/pairing/overhead.h \
	plugins/collect-sim/pairing/slots.c plugins/collect-sim/pairing/slots.h \
	plugins/collect-sim/pairing/stretches.c plugins/collect-sim/pairing/stretches.h
sim_pairing_parts = \
	plugins/collect-sim/lines/line.c plugins/collect-sim/lines/line.h \
	plugins/collect-sim/lines/mark_facts.c plugins/collect-sim/lines/mark_facts.h \
	plugins/collect-sim/lines/names.c plugins/collect-sim/lines/names.h \
	plugins/collect-sim/lines/pipes.c plugins/collect-sim/lines/pipes.h \
	plugins/collect-sim/lines/simt.c plugins/collect-sim/lines/simt.h \
	plugins/collect-sim/pairing/issues.c plugins/collect-sim/pairing/issues.h \
	plugins/collect-sim/pairing/marks.c plugins/collect-sim/pairing/marks.h \
	plugins/collect-sim/pairing/pairing.c plugins/collect-sim/pairing/pairing.h \
	plugins/collect-sim/pairing/span.c plugins/collect-sim/pairing/span.h \
	plugins/collect-sim/pairing/tally.c plugins/collect-sim/pairing/tally.h \
	plugins/collect-sim/pairing/first_reading.c plugins/collect-sim/pairing/pairing_state.h
noinst_LTLIBRARIES += plugins/collect-sim/libparts.la
plugins_collect_sim_libparts_la_SOURCES = $(sim_block_parts) $(sim_pairing_parts) \
	plugins/collect-sim/chip_tables.c plugins/collect-sim/choices.c plugins/collect-sim/choices.h \
	plugins/collect-sim/emit.c plugins/collect-sim/emit.h \
	plugins/collect-sim/lines/record_line.c plugins/collect-sim/lines/record_line.h \
	plugins/collect-sim/live/counts.c plugins/collect-sim/live/counts.h \
	plugins/collect-sim/live/dumps.c plugins/collect-sim/live/dumps.h \
	plugins/collect-sim/live/environment.c plugins/collect-sim/live/environment.h \
	plugins/collect-sim/live/printer.c plugins/collect-sim/live/printer.h \
	plugins/collect-sim/live/spool.c plugins/collect-sim/live/spool.h \
	plugins/collect-sim/pairing/icache.c plugins/collect-sim/pairing/icache.h \
	plugins/collect-sim/read/cannsim.c plugins/collect-sim/read/cannsim.h \
	plugins/collect-sim/read/cannsim_cores.c plugins/collect-sim/read/cannsim_cores.h \
	plugins/collect-sim/read/ending.c plugins/collect-sim/read/ending.h \
	plugins/collect-sim/read/count_reader.c plugins/collect-sim/read/count_reader.h \
	plugins/collect-sim/read/discovery.c plugins/collect-sim/read/discovery.h \
	plugins/collect-sim/read/entry.h \
	plugins/collect-sim/read/facts.c plugins/collect-sim/read/facts.h \
	plugins/collect-sim/read/head_reader.c plugins/collect-sim/read/head_reader.h \
	plugins/collect-sim/read/missing.c plugins/collect-sim/read/missing.h \
	plugins/collect-sim/read/lines.c plugins/collect-sim/read/lines.h \
	plugins/collect-sim/read/log.c plugins/collect-sim/read/log.h \
	plugins/collect-sim/read/log_names.c plugins/collect-sim/read/log_names.h \
	plugins/collect-sim/read/mark_rows.c plugins/collect-sim/read/mark_rows.h \
	plugins/collect-sim/read/miss_reader.c plugins/collect-sim/read/miss_reader.h \
	plugins/collect-sim/read/moves.c plugins/collect-sim/read/moves.h \
	plugins/collect-sim/read/mte_files.c plugins/collect-sim/read/mte_files.h \
	plugins/collect-sim/read/mte_reader.c plugins/collect-sim/read/mte_reader.h \
	plugins/collect-sim/read/pair_reader.c plugins/collect-sim/read/pair_reader.h \
	plugins/collect-sim/read/reader.c plugins/collect-sim/read/reader.h \
	plugins/collect-sim/read/reading.c plugins/collect-sim/read/reading.h \
	plugins/collect-sim/read/recognise.c plugins/collect-sim/read/recognise.h \
	plugins/collect-sim/read/records.c plugins/collect-sim/read/records.h \
	plugins/collect-sim/read/source.c plugins/collect-sim/read/source.h \
	plugins/collect-sim/read/work.c plugins/collect-sim/read/work.h

plugin_LTLIBRARIES += plugins/collect-sim/collect-sim.la plugins/collect-sim/collect-sim-live.la
plugins_collect_sim_collect_sim_la_SOURCES = plugins/collect-sim/collect_sim.c
plugins_collect_sim_collect_sim_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_sim_collect_sim_la_LIBADD = plugins/collect-sim/libparts.la $(PLUGIN_LIBADD)
plugins_collect_sim_collect_sim_live_la_SOURCES = plugins/collect-sim/collect_sim_live.c \
	plugins/collect-sim/live/launch_reader.c plugins/collect-sim/live/launch_reader.h \
	plugins/collect-sim/live/launches.c plugins/collect-sim/live/launches.h
plugins_collect_sim_collect_sim_live_la_CPPFLAGS = $(AM_CPPFLAGS) -DINJECT_LIBRARY='"$(pkglibdir)/libopprof-inject.so"' \
	-DINJECT_LAUNCHER='"$(pkglibdir)/opprof-launch-kernel"'
plugins_collect_sim_collect_sim_live_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_sim_collect_sim_live_la_LIBADD = plugins/collect-sim/libparts.la $(PLUGIN_LIBADD)
nobase_dist_guides_DATA += plugins/collect-sim/README.md

EXTRA_PROGRAMS += bench/bench_sim
BENCHES += sim=bench/bench_sim
bench_bench_sim_SOURCES = bench/bench_sim.c $(dump_writer) $(BENCH_SOURCES)
bench_bench_sim_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_sim_LDADD = plugins/collect-sim/libparts.la $(BENCH_LIBS)

# With the callbacks of the injection library, on a link of its own.
EXTRA_PROGRAMS += bench/bench_callbacks
BENCHES += callbacks=bench/bench_callbacks
bench_bench_callbacks_SOURCES = bench/bench_callbacks.c inject/ascend/camodel.c inject/link/forks.c $(BENCH_TREE_SOURCES)
bench_bench_callbacks_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_callbacks_LDADD = plugins/collect-sim/libparts.la $(BENCH_LIBS)

FUZZERS += fuzz/fuzz_live
fuzz_fuzz_live_SOURCES = fuzz/fuzz_live.c $(FUZZ_SOURCES)
fuzz_fuzz_live_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_live_LDADD = plugins/collect-sim/.libs/libparts.a $(FUZZ_LIBS)
FUZZERS += fuzz/fuzz_sim_discovery fuzz/fuzz_sim_line fuzz/fuzz_sim_logs fuzz/fuzz_sim_pairing
fuzz_fuzz_sim_discovery_SOURCES = fuzz/fuzz_sim_discovery.c $(FUZZ_MARKED_FILES)
fuzz_fuzz_sim_discovery_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_NAMED_CHIPS_DIR='"$(abs_top_srcdir)/fuzz/chips"'
fuzz_fuzz_sim_discovery_LDADD = plugins/collect-sim/.libs/libparts.a $(FUZZ_LIBS)
FUZZERS += fuzz/fuzz_sim_launch
fuzz_fuzz_sim_launch_SOURCES = fuzz/fuzz_sim_launch.c $(FUZZ_LAUNCH_FILES)
fuzz_fuzz_sim_launch_CPPFLAGS = $(FUZZ_LAUNCH_CPPFLAGS)
fuzz_fuzz_sim_launch_LDADD = $(FUZZ_MAIN) $(LIBOPPROF_KIT) $(LIBOPPROF)
EXTRA_fuzz_fuzz_sim_launch_DEPENDENCIES = $(plugin_LTLIBRARIES)
fuzz_fuzz_sim_line_SOURCES = fuzz/fuzz_sim_line.c $(FUZZ_SOURCES)
fuzz_fuzz_sim_line_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_sim_line_LDADD = plugins/collect-sim/.libs/libparts.a $(FUZZ_LIBS)
# With small blocks, so that short logs have several.
fuzz_fuzz_sim_logs_SOURCES = fuzz/fuzz_sim_logs.c fuzz/marked_lines.h $(sim_block_parts) \
	plugins/collect-sim/pairing/icache.c $(FUZZ_SOURCES)
fuzz_fuzz_sim_logs_CPPFLAGS = $(FUZZ_CPPFLAGS) -DHORIZON_BLOCK=4u
fuzz_fuzz_sim_logs_LDADD = $(FUZZ_LIBS)
fuzz_fuzz_sim_pairing_SOURCES = fuzz/fuzz_sim_pairing.c $(FUZZ_SOURCES)
fuzz_fuzz_sim_pairing_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_sim_pairing_LDADD = plugins/collect-sim/.libs/libparts.a $(FUZZ_LIBS)

include tests/plugins/collect-sim/module.mk
