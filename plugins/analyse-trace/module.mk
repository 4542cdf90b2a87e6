# SPDX-License-Identifier: Apache-2.0
dist_rules_DATA += plugins/analyse-trace/rules/collectives.sql plugins/analyse-trace/rules/critical-path.sql plugins/analyse-trace/rules/late-card.sql plugins/analyse-trace/rules/overlap.sql plugins/analyse-trace/rules/path-on-one-rank.sql
dist_queries_DATA += plugins/analyse-trace/queries/idle.sql
nobase_dist_guides_DATA += plugins/analyse-trace/README.md

# What the modules share, for them and for tests that look inside.
analyse_trace_parts = \
	plugins/analyse-trace/common/breakdown.c plugins/analyse-trace/common/breakdown.h \
	plugins/analyse-trace/common/collectives.c plugins/analyse-trace/common/collectives.h \
	plugins/analyse-trace/common/curve.c plugins/analyse-trace/common/curve.h \
	plugins/analyse-trace/common/describe.c plugins/analyse-trace/common/describe.h \
	plugins/analyse-trace/common/feed.c plugins/analyse-trace/common/feed.h \
	plugins/analyse-trace/common/item_map.c plugins/analyse-trace/common/item_map.h \
	plugins/analyse-trace/common/late_starts.c plugins/analyse-trace/common/late_starts.h \
	plugins/analyse-trace/common/meetings.c plugins/analyse-trace/common/meetings.h \
	plugins/analyse-trace/path/path_build.c plugins/analyse-trace/path/path_build.h \
	plugins/analyse-trace/path/path_builder.c plugins/analyse-trace/path/path_builder.h plugins/analyse-trace/path/path_host.c \
	plugins/analyse-trace/path/path_waits.c plugins/analyse-trace/path/path_work.c \
	plugins/analyse-trace/path/path_find.c plugins/analyse-trace/path/path_find.h \
	plugins/analyse-trace/path/path_graph.c plugins/analyse-trace/path/path_graph.h \
	plugins/analyse-trace/path/path_ways.c plugins/analyse-trace/path/path_ways.h \
	plugins/analyse-trace/path/path_contract.c plugins/analyse-trace/path/path_net.c plugins/analyse-trace/path/path_net.h \
	plugins/analyse-trace/path/path_ranks.c plugins/analyse-trace/path/path_ranks.h \
	plugins/analyse-trace/path/path_retrace.c \
	plugins/analyse-trace/common/rank_rows.c plugins/analyse-trace/common/rank_rows.h \
	plugins/analyse-trace/common/rows.c plugins/analyse-trace/common/rows.h \
	plugins/analyse-trace/common/rules.c plugins/analyse-trace/common/rules.h \
	plugins/analyse-trace/common/short_name.c plugins/analyse-trace/common/short_name.h \
	plugins/analyse-trace/common/step_parts.c plugins/analyse-trace/common/step_parts.h \
	plugins/analyse-trace/common/sweep.c plugins/analyse-trace/common/sweep.h \
	plugins/analyse-trace/timelines/choice.c plugins/analyse-trace/timelines/choice.h \
	plugins/analyse-trace/timelines/rank_choice.c plugins/analyse-trace/timelines/rank_choice.h
noinst_LTLIBRARIES += plugins/analyse-trace/libanalytics.la
plugins_analyse_trace_libanalytics_la_SOURCES = $(analyse_trace_parts)
plugins_analyse_trace_libanalytics_la_LIBADD = -lm -lstdc++
ANALYSE_TRACE_LIBADD = plugins/analyse-trace/libanalytics.la $(PLUGIN_LIBADD)

plugin_LTLIBRARIES += \
	plugins/analyse-trace/overlap.la plugins/analyse-trace/rank-timelines.la \
	plugins/analyse-trace/trace-breakdown-json.la \
	plugins/analyse-trace/trace-collectives.la \
	plugins/analyse-trace/trace-critical-path.la \
	plugins/analyse-trace/trace-copies.la plugins/analyse-trace/trace-efficiency.la \
	plugins/analyse-trace/trace-classes.la plugins/analyse-trace/trace-gaps.la \
	plugins/analyse-trace/trace-grids.la \
	plugins/analyse-trace/trace-groups.la plugins/analyse-trace/trace-host.la \
	plugins/analyse-trace/trace-idle.la \
	plugins/analyse-trace/trace-kernels.la \
	plugins/analyse-trace/trace-launches.la \
	plugins/analyse-trace/trace-memory-bandwidth.la \
	plugins/analyse-trace/trace-operators.la \
	plugins/analyse-trace/trace-queue-length.la \
	plugins/analyse-trace/trace-steps.la \
	plugins/analyse-trace/trace-stragglers.la \
	plugins/analyse-trace/trace-temporal.la \
	plugins/analyse-trace/trace-threads.la

plugins_analyse_trace_trace_threads_la_SOURCES = plugins/analyse-trace/trace_threads.c
plugins_analyse_trace_trace_threads_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_threads_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_breakdown_json_la_SOURCES = plugins/analyse-trace/trace_breakdown_json.c
plugins_analyse_trace_trace_breakdown_json_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_breakdown_json_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_rank_timelines_la_SOURCES = plugins/analyse-trace/rank_timelines.c
plugins_analyse_trace_rank_timelines_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_rank_timelines_la_LIBADD = $(LIBOPPROF_KIT) $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_overlap_la_SOURCES = plugins/analyse-trace/overlap.c
plugins_analyse_trace_overlap_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_overlap_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_idle_la_SOURCES = plugins/analyse-trace/trace_idle.c
plugins_analyse_trace_trace_idle_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_idle_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_kernels_la_SOURCES = plugins/analyse-trace/trace_kernels.c
plugins_analyse_trace_trace_kernels_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_kernels_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_launches_la_SOURCES = plugins/analyse-trace/trace_launches.c
plugins_analyse_trace_trace_launches_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_launches_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_memory_bandwidth_la_SOURCES = plugins/analyse-trace/trace_memory_bandwidth.c
plugins_analyse_trace_trace_memory_bandwidth_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_memory_bandwidth_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_queue_length_la_SOURCES = plugins/analyse-trace/trace_queue_length.c
plugins_analyse_trace_trace_queue_length_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_queue_length_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_stragglers_la_SOURCES = plugins/analyse-trace/trace_stragglers.c
plugins_analyse_trace_trace_stragglers_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_stragglers_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_collectives_la_SOURCES = plugins/analyse-trace/trace_collectives.c \
	plugins/analyse-trace/collectives/collective_sizes.c plugins/analyse-trace/collectives/collective_sizes.h
plugins_analyse_trace_trace_collectives_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_collectives_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_critical_path_la_SOURCES = plugins/analyse-trace/trace_critical_path.c \
	plugins/analyse-trace/path/path_draw.c plugins/analyse-trace/path/path_draw.h \
	plugins/analyse-trace/path/path_events.c plugins/analyse-trace/path/path_events.h \
	plugins/analyse-trace/path/path_writer.c plugins/analyse-trace/path/path_writer.h
plugins_analyse_trace_trace_critical_path_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_critical_path_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_classes_la_SOURCES = plugins/analyse-trace/trace_classes.c
plugins_analyse_trace_trace_classes_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_classes_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_copies_la_SOURCES = plugins/analyse-trace/trace_copies.c
plugins_analyse_trace_trace_copies_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_copies_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_host_la_SOURCES = plugins/analyse-trace/trace_host.c \
	plugins/analyse-trace/groups.c plugins/analyse-trace/groups.h \
	plugins/analyse-trace/host/annotation_steps.c plugins/analyse-trace/host/annotation_steps.h \
	plugins/analyse-trace/host/host_causes.c plugins/analyse-trace/host/host_causes.h \
	plugins/analyse-trace/host/host_rank.c plugins/analyse-trace/host/host_rank.h \
	plugins/analyse-trace/host/host_rows.c plugins/analyse-trace/host/host_rows.h \
	plugins/analyse-trace/host/host_tables.c plugins/analyse-trace/host/host_tables.h \
	plugins/analyse-trace/host/step_spread.c plugins/analyse-trace/host/step_spread.h
nodist_plugins_analyse_trace_trace_host_la_SOURCES = plugins/analyse-trace/host_causes_text.c
plugins_analyse_trace_trace_host_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/plugins/analyse-trace $(JANSSON_CFLAGS)
plugins_analyse_trace_trace_host_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_host_la_LIBADD = $(ANALYSE_TRACE_LIBADD) $(JANSSON_LIBS)
plugins_analyse_trace_trace_grids_la_SOURCES = plugins/analyse-trace/trace_grids.c
plugins_analyse_trace_trace_grids_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_grids_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_gaps_la_SOURCES = plugins/analyse-trace/trace_gaps.c
plugins_analyse_trace_trace_gaps_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_gaps_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_groups_la_SOURCES = plugins/analyse-trace/trace_groups.c \
	plugins/analyse-trace/groups.c plugins/analyse-trace/groups.h
nodist_plugins_analyse_trace_trace_groups_la_SOURCES = plugins/analyse-trace/kernel_groups_text.c
plugins_analyse_trace_trace_groups_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/plugins/analyse-trace $(JANSSON_CFLAGS)
plugins_analyse_trace_trace_groups_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_groups_la_LIBADD = $(ANALYSE_TRACE_LIBADD) $(JANSSON_LIBS)

# The groups that come with the module are in it, so that it works wherever it is.
plugins/analyse-trace/kernel_groups_text.c: plugins/analyse-trace/kernel_groups.json
	$(AM_V_GEN)$(MKDIR_P) plugins/analyse-trace && { \
		echo '/* Made from kernel_groups.json. */'; echo '#include "groups.h"'; echo 'const char kernel_groups_text[] ='; \
		sed -e 's/[\\"]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/' $(srcdir)/plugins/analyse-trace/kernel_groups.json; \
		echo ';'; } >$@.tmp && mv -f $@.tmp $@
CLEANFILES += plugins/analyse-trace/kernel_groups_text.c
dist_pkgdata_DATA += plugins/analyse-trace/kernel_groups.json plugins/analyse-trace/host_causes.json plugins/analyse-trace/device_peaks.json

# So are the causes that names of the host's work show.
plugins/analyse-trace/host_causes_text.c: plugins/analyse-trace/host_causes.json
	$(AM_V_GEN)$(MKDIR_P) plugins/analyse-trace && { \
		echo '/* Made from host_causes.json. */'; echo '#include "host/host_causes.h"'; echo 'const char host_causes_text[] ='; \
		sed -e 's/[\\"]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/' $(srcdir)/plugins/analyse-trace/host_causes.json; \
		echo ';'; } >$@.tmp && mv -f $@.tmp $@
CLEANFILES += plugins/analyse-trace/host_causes_text.c

# So are the peaks of devices.
plugins/analyse-trace/device_peaks_text.c: plugins/analyse-trace/device_peaks.json
	$(AM_V_GEN)$(MKDIR_P) plugins/analyse-trace && { \
		echo '/* Made from device_peaks.json. */'; echo '#include "peaks.h"'; echo 'const char device_peaks_text[] ='; \
		sed -e 's/[\\"]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/' $(srcdir)/plugins/analyse-trace/device_peaks.json; \
		echo ';'; } >$@.tmp && mv -f $@.tmp $@
CLEANFILES += plugins/analyse-trace/device_peaks_text.c
plugins_analyse_trace_trace_efficiency_la_SOURCES = plugins/analyse-trace/trace_efficiency.c \
	plugins/analyse-trace/peaks.c plugins/analyse-trace/peaks.h
nodist_plugins_analyse_trace_trace_efficiency_la_SOURCES = plugins/analyse-trace/device_peaks_text.c
plugins_analyse_trace_trace_efficiency_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/plugins/analyse-trace $(JANSSON_CFLAGS)
plugins_analyse_trace_trace_efficiency_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_efficiency_la_LIBADD = $(ANALYSE_TRACE_LIBADD) $(JANSSON_LIBS)
plugins_analyse_trace_trace_operators_la_SOURCES = plugins/analyse-trace/trace_operators.c
plugins_analyse_trace_trace_operators_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_operators_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_steps_la_SOURCES = plugins/analyse-trace/trace_steps.c
plugins_analyse_trace_trace_steps_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_steps_la_LIBADD = $(ANALYSE_TRACE_LIBADD)
plugins_analyse_trace_trace_temporal_la_SOURCES = plugins/analyse-trace/trace_temporal.c
plugins_analyse_trace_trace_temporal_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_trace_trace_temporal_la_LIBADD = $(ANALYSE_TRACE_LIBADD)

include tests/plugins/analyse-trace/module.mk
include tests/causes/module.mk

# Causes that advise looks for in the tables.
dist_rules_DATA += plugins/analyse-trace/rules/allocation.sql \
	plugins/analyse-trace/rules/copies.sql \
	plugins/analyse-trace/rules/data-loading.sql \
	plugins/analyse-trace/rules/device-cpu.sql \
	plugins/analyse-trace/rules/dominating-kernel.sql \
	plugins/analyse-trace/rules/small-grids.sql \
	plugins/analyse-trace/rules/small-kernels.sql \
	plugins/analyse-trace/rules/garbage-collection.sql \
	plugins/analyse-trace/rules/healthy-without-shapes.sql \
	plugins/analyse-trace/rules/healthy.sql \
	plugins/analyse-trace/rules/healthy-communication.sql \
	plugins/analyse-trace/rules/host-activity.sql \
	plugins/analyse-trace/rules/host-bound.sql \
	plugins/analyse-trace/rules/late-host.sql \
	plugins/analyse-trace/rules/layout-conversions.sql \
	plugins/analyse-trace/rules/more-work.sql \
	plugins/analyse-trace/rules/more-work-in-steps.sql \
	plugins/analyse-trace/rules/moving-imbalance.sql \
	plugins/analyse-trace/rules/pageable-copies.sql \
	plugins/analyse-trace/rules/pipeline-bubbles.sql \
	plugins/analyse-trace/rules/quiet-python.sql \
	plugins/analyse-trace/rules/recompilation.sql \
	plugins/analyse-trace/rules/slow-device.sql \
	plugins/analyse-trace/rules/slow-group.sql \
	plugins/analyse-trace/rules/slow-products.sql \
	plugins/analyse-trace/rules/slow-steps.sql \
	plugins/analyse-trace/rules/small-copies.sql \
	plugins/analyse-trace/rules/small-messages.sql \
	plugins/analyse-trace/rules/synchronisation.sql \
	plugins/analyse-trace/rules/unfused-attention.sql \
	plugins/analyse-trace/rules/unfused-elementwise.sql \
	plugins/analyse-trace/rules/unfused-optimizer-function.sql \
	plugins/analyse-trace/rules/unfused-optimizer.sql \
	plugins/analyse-trace/rules/waiting-for-ranks.sql
