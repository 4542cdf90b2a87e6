# SPDX-License-Identifier: Apache-2.0
# The parts, for the modules and for tests that look inside.
pmu_parser_parts = \
	plugins/parse-pmu/basic_info.c plugins/parse-pmu/basic_info.h \
	plugins/parse-pmu/choices.c plugins/parse-pmu/choices.h \
	plugins/parse-pmu/cutter.c plugins/parse-pmu/cutter.h \
	plugins/parse-pmu/launch.c plugins/parse-pmu/launch_emit.c plugins/parse-pmu/launch.h \
	plugins/parse-pmu/layout.c plugins/parse-pmu/layout.h \
	plugins/parse-pmu/memory_chart.c plugins/parse-pmu/memory_chart.h \
	plugins/parse-pmu/merge.c plugins/parse-pmu/merge.h \
	plugins/parse-pmu/model.c plugins/parse-pmu/model.h \
	plugins/parse-pmu/operand_record.c plugins/parse-pmu/operand_record.h \
	plugins/parse-pmu/plan.c plugins/parse-pmu/plan.h \
	plugins/parse-pmu/task_log.c plugins/parse-pmu/task_log.h
pmu_analysis_parts = \
	plugins/parse-pmu/advice.c plugins/parse-pmu/advice.h \
	plugins/parse-pmu/analysis.c plugins/parse-pmu/analysis.h \
	plugins/parse-pmu/cells.c plugins/parse-pmu/cells.h \
	plugins/parse-pmu/choices.c plugins/parse-pmu/choices.h \
	plugins/parse-pmu/launches.c plugins/parse-pmu/launches.h \
	plugins/parse-pmu/storage.c plugins/parse-pmu/storage.h \
	plugins/parse-pmu/table_type.c plugins/parse-pmu/table_type.h

noinst_LTLIBRARIES += plugins/parse-pmu/libpmu.la plugins/parse-pmu/libpmu-analysis.la
plugins_parse_pmu_libpmu_la_SOURCES = $(pmu_parser_parts)
plugins_parse_pmu_libpmu_la_CPPFLAGS = $(AM_CPPFLAGS) -fvisibility=hidden
plugins_parse_pmu_libpmu_analysis_la_SOURCES = $(pmu_analysis_parts)
plugins_parse_pmu_libpmu_analysis_la_CPPFLAGS = $(AM_CPPFLAGS) -fvisibility=hidden

plugin_LTLIBRARIES += plugins/parse-pmu/parse-pmu.la plugins/parse-pmu/metric-tables.la \
	plugins/parse-pmu/op-basic-info.la plugins/parse-pmu/compute-load.la \
	plugins/parse-pmu/memory-views.la plugins/parse-pmu/occupancy.la plugins/parse-pmu/roofline.la
plugins_parse_pmu_parse_pmu_la_SOURCES = plugins/parse-pmu/parse_pmu.c
plugins_parse_pmu_parse_pmu_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_pmu_parse_pmu_la_LIBADD = plugins/parse-pmu/libpmu.la $(PLUGIN_LIBADD)
plugins_parse_pmu_metric_tables_la_SOURCES = plugins/parse-pmu/metric_tables.c
plugins_parse_pmu_metric_tables_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_pmu_metric_tables_la_LIBADD = plugins/parse-pmu/libpmu-analysis.la $(PLUGIN_LIBADD)
plugins_parse_pmu_op_basic_info_la_SOURCES = plugins/parse-pmu/op_basic_info.c
plugins_parse_pmu_op_basic_info_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_pmu_op_basic_info_la_LIBADD = plugins/parse-pmu/libpmu-analysis.la $(PLUGIN_LIBADD)
plugins_parse_pmu_compute_load_la_SOURCES = plugins/parse-pmu/compute_load.c
plugins_parse_pmu_compute_load_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_pmu_compute_load_la_LIBADD = plugins/parse-pmu/libpmu-analysis.la $(PLUGIN_LIBADD)
plugins_parse_pmu_memory_views_la_SOURCES = plugins/parse-pmu/memory_views.c
plugins_parse_pmu_memory_views_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_pmu_memory_views_la_LIBADD = plugins/parse-pmu/libpmu-analysis.la $(PLUGIN_LIBADD)
plugins_parse_pmu_occupancy_la_SOURCES = plugins/parse-pmu/occupancy.c
plugins_parse_pmu_occupancy_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_pmu_occupancy_la_LIBADD = plugins/parse-pmu/libpmu-analysis.la $(PLUGIN_LIBADD) -lm
plugins_parse_pmu_roofline_la_SOURCES = plugins/parse-pmu/roofline.c
plugins_parse_pmu_roofline_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_pmu_roofline_la_LIBADD = plugins/parse-pmu/libpmu-analysis.la $(PLUGIN_LIBADD) -lm
EXTRA_DIST += plugins/parse-pmu/README.md

include tests/plugins/parse-pmu/module.mk
