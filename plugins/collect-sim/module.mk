# SPDX-License-Identifier: Apache-2.0
# The module's parts are a convenience library, so that tests, benches and fuzz targets can link them.
noinst_LTLIBRARIES += plugins/collect-sim/libparts.la
plugins_collect_sim_libparts_la_SOURCES = \
	plugins/collect-sim/charset.c plugins/collect-sim/charset.h \
	plugins/collect-sim/choices.c plugins/collect-sim/choices.h \
	plugins/collect-sim/discovery.c plugins/collect-sim/discovery.h \
	plugins/collect-sim/emit.c plugins/collect-sim/emit.h \
	plugins/collect-sim/facts.c plugins/collect-sim/facts.h \
	plugins/collect-sim/horizon.c plugins/collect-sim/horizon.h \
	plugins/collect-sim/icache.c plugins/collect-sim/icache.h \
	plugins/collect-sim/issues.c plugins/collect-sim/issues.h \
	plugins/collect-sim/job.c plugins/collect-sim/job.h \
	plugins/collect-sim/keys.c plugins/collect-sim/keys.h \
	plugins/collect-sim/lacks.c plugins/collect-sim/lacks.h \
	plugins/collect-sim/line.c plugins/collect-sim/line.h \
	plugins/collect-sim/live_spool.c plugins/collect-sim/live_spool.h \
	plugins/collect-sim/log.c plugins/collect-sim/log.h \
	plugins/collect-sim/marks.c plugins/collect-sim/marks.h \
	plugins/collect-sim/mte.c plugins/collect-sim/mte.h \
	plugins/collect-sim/names.c plugins/collect-sim/names.h \
	plugins/collect-sim/order.c plugins/collect-sim/order.h \
	plugins/collect-sim/overhead.c plugins/collect-sim/overhead.h \
	plugins/collect-sim/pairing.c plugins/collect-sim/pairing.h \
	plugins/collect-sim/reader.c plugins/collect-sim/reader.h \
	plugins/collect-sim/simt.c plugins/collect-sim/simt.h \
	plugins/collect-sim/slots.c plugins/collect-sim/slots.h \
	plugins/collect-sim/span.c plugins/collect-sim/span.h \
	plugins/collect-sim/tally.c plugins/collect-sim/tally.h \
	plugins/collect-sim/work.c plugins/collect-sim/work.h

plugin_LTLIBRARIES += plugins/collect-sim/collect-sim.la plugins/collect-sim/collect-sim-live.la
plugins_collect_sim_collect_sim_la_SOURCES = plugins/collect-sim/collect_sim.c
plugins_collect_sim_collect_sim_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_sim_collect_sim_la_LIBADD = plugins/collect-sim/libparts.la $(PLUGIN_LIBADD)
plugins_collect_sim_collect_sim_live_la_SOURCES = plugins/collect-sim/collect_sim_live.c \
	plugins/collect-sim/live_operators.c plugins/collect-sim/live_operators.h
plugins_collect_sim_collect_sim_live_la_CPPFLAGS = $(AM_CPPFLAGS) -DINJECT_LIBRARY='"$(pkglibdir)/libopprof-inject.so"'
plugins_collect_sim_collect_sim_live_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_sim_collect_sim_live_la_LIBADD = plugins/collect-sim/libparts.la $(PLUGIN_LIBADD)
dist_noinst_DATA += plugins/collect-sim/README.md

EXTRA_PROGRAMS += bench/bench_sim
BENCHES += sim=bench/bench_sim
bench_bench_sim_SOURCES = bench/bench_sim.c tests/tools/dump.c tests/tools/dump.h $(BENCH_SOURCES)
bench_bench_sim_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_sim_LDADD = plugins/collect-sim/libparts.la $(BENCH_LIBS)

FUZZERS += fuzz/fuzz_live
fuzz_fuzz_live_SOURCES = fuzz/fuzz_live.c $(FUZZ_SOURCES)
fuzz_fuzz_live_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_live_LDFLAGS = $(FUZZ_LINKFLAGS)
fuzz_fuzz_live_LDADD = plugins/collect-sim/libparts.la $(FUZZ_LIBS)
FUZZERS += fuzz/fuzz_sim_discovery fuzz/fuzz_sim_line fuzz/fuzz_sim_logs fuzz/fuzz_sim_pairing
fuzz_fuzz_sim_discovery_SOURCES = fuzz/fuzz_sim_discovery.c $(FUZZ_SOURCES)
fuzz_fuzz_sim_discovery_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_sim_discovery_LDFLAGS = $(FUZZ_LINKFLAGS)
fuzz_fuzz_sim_discovery_LDADD = plugins/collect-sim/libparts.la $(FUZZ_LIBS)
fuzz_fuzz_sim_line_SOURCES = fuzz/fuzz_sim_line.c $(FUZZ_SOURCES)
fuzz_fuzz_sim_line_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_sim_line_LDFLAGS = $(FUZZ_LINKFLAGS)
fuzz_fuzz_sim_line_LDADD = plugins/collect-sim/libparts.la $(FUZZ_LIBS)
# With small blocks, so that short logs have several.
fuzz_fuzz_sim_logs_SOURCES = fuzz/fuzz_sim_logs.c fuzz/marked_lines.h plugins/collect-sim/charset.c plugins/collect-sim/horizon.c \
	plugins/collect-sim/icache.c plugins/collect-sim/keys.c plugins/collect-sim/order.c plugins/collect-sim/overhead.c \
	plugins/collect-sim/slots.c $(FUZZ_SOURCES)
fuzz_fuzz_sim_logs_CPPFLAGS = $(FUZZ_CPPFLAGS) -DHORIZON_BLOCK=4u
fuzz_fuzz_sim_logs_LDFLAGS = $(FUZZ_LINKFLAGS)
fuzz_fuzz_sim_logs_LDADD = $(FUZZ_LIBS)
fuzz_fuzz_sim_pairing_SOURCES = fuzz/fuzz_sim_pairing.c fuzz/marked_lines.h $(FUZZ_SOURCES)
fuzz_fuzz_sim_pairing_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_sim_pairing_LDFLAGS = $(FUZZ_LINKFLAGS)
fuzz_fuzz_sim_pairing_LDADD = plugins/collect-sim/libparts.la $(FUZZ_LIBS)

include tests/plugins/collect-sim/module.mk
