# SPDX-License-Identifier: Apache-2.0
dist_facts_DATA += plugins/parse-dbi/facts/dbi.json plugins/parse-dbi/facts/dbi-rules.json
# The parts, for the module and for tests that look inside.
dbi_parser_parts = \
	plugins/parse-dbi/area.c plugins/parse-dbi/area.h \
	plugins/parse-dbi/block_map.c plugins/parse-dbi/block_map.h \
	plugins/parse-dbi/chart.c plugins/parse-dbi/chart.h \
	plugins/parse-dbi/fields.h \
	plugins/parse-dbi/liveness.c plugins/parse-dbi/liveness.h \
	plugins/parse-dbi/moves.c plugins/parse-dbi/moves.h \
	plugins/parse-dbi/packets.c plugins/parse-dbi/packets.h \
	plugins/parse-dbi/facts.c plugins/parse-dbi/record.c plugins/parse-dbi/record.h \
	plugins/parse-dbi/rule_runs.c plugins/parse-dbi/rules.c plugins/parse-dbi/rules.h \
	plugins/parse-dbi/run.h \
	plugins/parse-dbi/samples.c plugins/parse-dbi/samples.h \
	plugins/parse-dbi/stream.c plugins/parse-dbi/stream.h \
	plugins/parse-dbi/warps.c plugins/parse-dbi/warps.h

noinst_LTLIBRARIES += plugins/parse-dbi/libdbi.la
plugins_parse_dbi_libdbi_la_SOURCES = $(dbi_parser_parts)
plugins_parse_dbi_libdbi_la_CPPFLAGS = $(AM_CPPFLAGS) -fvisibility=hidden

plugin_LTLIBRARIES += plugins/parse-dbi/parse-dbi.la
plugins_parse_dbi_parse_dbi_la_SOURCES = plugins/parse-dbi/parse_dbi.c \
	plugins/parse-dbi/launch.c plugins/parse-dbi/launch.h \
	plugins/parse-dbi/launch_blocks.c \
	plugins/parse-dbi/launch_parts.c plugins/parse-dbi/launch_parts.h \
	plugins/parse-dbi/types.c plugins/parse-dbi/types.h
plugins_parse_dbi_parse_dbi_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_dbi_parse_dbi_la_LIBADD = plugins/parse-dbi/libdbi.la $(PLUGIN_LIBADD)

plugin_LTLIBRARIES += plugins/parse-dbi/parse-counts.la
plugins_parse_dbi_parse_counts_la_SOURCES = plugins/parse-dbi/parse_counts.c \
	plugins/parse-dbi/code_launch.c plugins/parse-dbi/code_launch.h
plugins_parse_dbi_parse_counts_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_dbi_parse_counts_la_LIBADD = plugins/parse-dbi/libdbi.la $(PLUGIN_LIBADD)
plugin_LTLIBRARIES += plugins/parse-dbi/warp-timeline.la
plugins_parse_dbi_warp_timeline_la_SOURCES = plugins/parse-dbi/warp_timeline.c
plugins_parse_dbi_warp_timeline_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_dbi_warp_timeline_la_LIBADD = plugins/parse-dbi/libdbi.la $(PLUGIN_LIBADD)
nobase_dist_guides_DATA += plugins/parse-dbi/README.md

FUZZERS += fuzz/fuzz_dbi_records
fuzz_fuzz_dbi_records_SOURCES = fuzz/fuzz_dbi_records.c $(FUZZ_SOURCES)
fuzz_fuzz_dbi_records_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_CHIPS_DIR='"$(abs_top_srcdir)/chips"'
fuzz_fuzz_dbi_records_LDADD = plugins/parse-dbi/.libs/libdbi.a $(FUZZ_LIBS)

FUZZERS += fuzz/fuzz_dbi_blocks
fuzz_fuzz_dbi_blocks_SOURCES = fuzz/fuzz_dbi_blocks.c $(FUZZ_SOURCES)
fuzz_fuzz_dbi_blocks_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_dbi_blocks_LDADD = plugins/parse-dbi/.libs/libdbi.a $(FUZZ_LIBS)

FUZZERS += fuzz/fuzz_memory_launch
fuzz_fuzz_memory_launch_SOURCES = fuzz/fuzz_memory_launch.c $(FUZZ_LAUNCH_FILES)
fuzz_fuzz_memory_launch_CPPFLAGS = $(FUZZ_LAUNCH_CPPFLAGS)
fuzz_fuzz_memory_launch_LDADD = $(FUZZ_MAIN) $(LIBOPPROF_KIT) $(LIBOPPROF)
EXTRA_fuzz_fuzz_memory_launch_DEPENDENCIES = $(plugin_LTLIBRARIES)
FUZZERS += fuzz/fuzz_dbi_samples
fuzz_fuzz_dbi_samples_SOURCES = fuzz/fuzz_dbi_samples.c $(FUZZ_SOURCES)
fuzz_fuzz_dbi_samples_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_dbi_samples_LDADD = plugins/parse-dbi/.libs/libdbi.a $(FUZZ_LIBS)

FUZZERS += fuzz/fuzz_dbi_liveness
fuzz_fuzz_dbi_liveness_SOURCES = fuzz/fuzz_dbi_liveness.c $(FUZZ_SOURCES)
fuzz_fuzz_dbi_liveness_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_dbi_liveness_LDADD = plugins/parse-dbi/.libs/libdbi.a $(FUZZ_LIBS)

include tests/plugins/parse-dbi/module.mk

EXTRA_PROGRAMS += bench/bench_dbi_rules
BENCHES += dbi-rules=bench/bench_dbi_rules
bench_bench_dbi_rules_SOURCES = bench/bench_dbi_rules.c $(BENCH_SOURCES)
bench_bench_dbi_rules_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_dbi_rules_LDADD = plugins/parse-dbi/libdbi.la $(BENCH_LIBS)

EXTRA_PROGRAMS += bench/bench_dbi_dump
BENCHES += dbi-dump=bench/bench_dbi_dump
bench_bench_dbi_dump_SOURCES = bench/bench_dbi_dump.c $(BENCH_TREE_SOURCES)
bench_bench_dbi_dump_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_dbi_dump_LDADD = $(BENCH_LIBS)
