# SPDX-License-Identifier: Apache-2.0
dist_rules_DATA += plugins/analyse-dbi/rules/l2-capacity.sql plugins/analyse-dbi/rules/l2-conflicts.sql plugins/analyse-dbi/rules/healthy-cache.sql plugins/analyse-dbi/rules/repeated-loads.sql
# The parts, for the modules and for tests that look inside.
dbi_model_parts = \
	plugins/analyse-dbi/byte_sets.c plugins/analyse-dbi/byte_sets.h \
	plugins/analyse-dbi/cache.c plugins/analyse-dbi/cache.h plugins/analyse-dbi/choose.h \
	plugins/analyse-dbi/model.c plugins/analyse-dbi/model.h \
	plugins/analyse-dbi/reuse.c plugins/analyse-dbi/reuse.h

noinst_LTLIBRARIES += plugins/analyse-dbi/libdbi-model.la
plugins_analyse_dbi_libdbi_model_la_SOURCES = $(dbi_model_parts)
plugins_analyse_dbi_libdbi_model_la_CPPFLAGS = $(AM_CPPFLAGS) -fvisibility=hidden

plugin_LTLIBRARIES += plugins/analyse-dbi/l2-cache.la
plugins_analyse_dbi_l2_cache_la_SOURCES = plugins/analyse-dbi/l2_cache.c \
	plugins/analyse-dbi/buffers.c plugins/analyse-dbi/row_folder.h plugins/analyse-dbi/rows.h \
	plugins/analyse-dbi/tables.c plugins/analyse-dbi/tables.h plugins/analyse-dbi/types.c
plugins_analyse_dbi_l2_cache_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_dbi_l2_cache_la_LIBADD = plugins/analyse-dbi/libdbi-model.la $(PLUGIN_LIBADD)

plugin_LTLIBRARIES += plugins/analyse-dbi/dbi-hotspot.la
plugins_analyse_dbi_dbi_hotspot_la_SOURCES = plugins/analyse-dbi/dbi_hotspot.c \
	plugins/analyse-dbi/kernel_file.c plugins/analyse-dbi/kernel_file.h \
	plugins/analyse-dbi/listing.c plugins/analyse-dbi/listing.h \
	plugins/analyse-dbi/hot_spot_lines.c plugins/analyse-dbi/hot_spot_lines.h \
	plugins/analyse-dbi/hot_spot_rows.c plugins/analyse-dbi/hot_spot_rows.h \
	plugins/analyse-dbi/hot_spots.c plugins/analyse-dbi/hot_spots.h
plugins_analyse_dbi_dbi_hotspot_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_dbi_dbi_hotspot_la_LIBADD = $(PLUGIN_LIBADD)
nobase_dist_guides_DATA += plugins/analyse-dbi/README.md

include tests/plugins/analyse-dbi/module.mk

EXTRA_PROGRAMS += bench/bench_dbi
BENCHES += dbi=bench/bench_dbi
bench_bench_dbi_SOURCES = bench/bench_dbi.c $(BENCH_SOURCES)
bench_bench_dbi_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_dbi_LDADD = plugins/analyse-dbi/libdbi-model.la $(BENCH_LIBS)
