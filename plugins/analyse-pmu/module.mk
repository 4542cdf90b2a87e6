# SPDX-License-Identifier: Apache-2.0
dist_rules_DATA += plugins/analyse-pmu/rules/at-the-roof.sql \
	plugins/analyse-pmu/rules/board-bank-conflicts.sql \
	plugins/analyse-pmu/rules/board-barriers.sql \
	plugins/analyse-pmu/rules/board-feeding-pipe.sql \
	plugins/analyse-pmu/rules/board-instruction-fetch.sql \
	plugins/analyse-pmu/rules/board-scalar-bound.sql \
	plugins/analyse-pmu/rules/board-single-buffer.sql \
	plugins/analyse-pmu/rules/board-slow-moves.sql \
	plugins/analyse-pmu/rules/board-unequal-cores.sql \
	plugins/analyse-pmu/rules/few-blocks.sql \
	plugins/analyse-pmu/rules/healthy-launch-without-roof.sql \
	plugins/analyse-pmu/rules/healthy-launch.sql \
	plugins/analyse-pmu/rules/launch-overhead.sql \
	plugins/analyse-pmu/rules/low-clock.sql
dist_queries_DATA += plugins/analyse-pmu/queries/cube-units.sql plugins/analyse-pmu/queries/kernels.sql
nobase_dist_guides_DATA += plugins/analyse-pmu/README.md
# Analyses of launches. The parts, for the modules and for tests that look inside.
pmu_analysis_parts = \
	plugins/analyse-pmu/analysis.c plugins/analyse-pmu/analysis.h \
	plugins/analyse-pmu/chip_tables.c \
	plugins/analyse-pmu/cells.c plugins/analyse-pmu/cells.h \
	plugins/analyse-pmu/launches.c plugins/analyse-pmu/launches.h \
	plugins/analyse-pmu/metric_facts.h \
	plugins/analyse-pmu/rule_tables.c plugins/analyse-pmu/rule_tables.h \
	plugins/analyse-pmu/roofline_model.c plugins/analyse-pmu/roofline_model.h \
	plugins/analyse-pmu/storage.c plugins/analyse-pmu/storage.h \
	plugins/analyse-pmu/table_type.c plugins/analyse-pmu/table_type.h

noinst_LTLIBRARIES += plugins/analyse-pmu/libpmu-analysis.la
plugins_analyse_pmu_libpmu_analysis_la_SOURCES = $(pmu_analysis_parts)
plugins_analyse_pmu_libpmu_analysis_la_CPPFLAGS = $(AM_CPPFLAGS) -fvisibility=hidden

plugin_LTLIBRARIES += plugins/analyse-pmu/pmu-tables.la \
	plugins/analyse-pmu/pmu-basic-info.la \
	plugins/analyse-pmu/pmu-compute-load.la \
	plugins/analyse-pmu/pmu-launches.la \
	plugins/analyse-pmu/pmu-memory.la \
	plugins/analyse-pmu/pmu-occupancy.la \
	plugins/analyse-pmu/pmu-roofline.la
plugins_analyse_pmu_pmu_tables_la_SOURCES = plugins/analyse-pmu/pmu_tables.c
plugins_analyse_pmu_pmu_tables_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_pmu_pmu_tables_la_LIBADD = plugins/analyse-pmu/libpmu-analysis.la $(PLUGIN_LIBADD)
plugins_analyse_pmu_pmu_basic_info_la_SOURCES = plugins/analyse-pmu/pmu_basic_info.c
plugins_analyse_pmu_pmu_basic_info_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_pmu_pmu_basic_info_la_LIBADD = plugins/analyse-pmu/libpmu-analysis.la $(PLUGIN_LIBADD)
plugins_analyse_pmu_pmu_compute_load_la_SOURCES = plugins/analyse-pmu/pmu_compute_load.c
plugins_analyse_pmu_pmu_compute_load_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_pmu_pmu_compute_load_la_LIBADD = plugins/analyse-pmu/libpmu-analysis.la $(PLUGIN_LIBADD)
plugins_analyse_pmu_pmu_launches_la_SOURCES = plugins/analyse-pmu/pmu_launches.c
plugins_analyse_pmu_pmu_launches_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_pmu_pmu_launches_la_LIBADD = plugins/analyse-pmu/libpmu-analysis.la $(PLUGIN_LIBADD)
plugins_analyse_pmu_pmu_memory_la_SOURCES = plugins/analyse-pmu/pmu_memory.c
plugins_analyse_pmu_pmu_memory_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_pmu_pmu_memory_la_LIBADD = plugins/analyse-pmu/libpmu-analysis.la $(PLUGIN_LIBADD)
plugins_analyse_pmu_pmu_occupancy_la_SOURCES = plugins/analyse-pmu/pmu_occupancy.c
plugins_analyse_pmu_pmu_occupancy_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_pmu_pmu_occupancy_la_LIBADD = plugins/analyse-pmu/libpmu-analysis.la $(PLUGIN_LIBADD)
plugins_analyse_pmu_pmu_roofline_la_SOURCES = plugins/analyse-pmu/pmu_roofline.c
plugins_analyse_pmu_pmu_roofline_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_pmu_pmu_roofline_la_LIBADD = plugins/analyse-pmu/libpmu-analysis.la $(PLUGIN_LIBADD)
