# SPDX-License-Identifier: Apache-2.0
dist_noinst_DATA += plugins/trace-analytics/README.md

# What the modules share, for them and for tests that look inside.
trace_analytics_parts = \
	plugins/trace-analytics/breakdown.c plugins/trace-analytics/breakdown.h \
	plugins/trace-analytics/curve.c plugins/trace-analytics/curve.h \
	plugins/trace-analytics/describe.c plugins/trace-analytics/describe.h \
	plugins/trace-analytics/feed.c plugins/trace-analytics/feed.h \
	plugins/trace-analytics/item_map.c plugins/trace-analytics/item_map.h \
	plugins/trace-analytics/late_starts.c plugins/trace-analytics/late_starts.h \
	plugins/trace-analytics/rows.c plugins/trace-analytics/rows.h \
	plugins/trace-analytics/rules.c plugins/trace-analytics/rules.h \
	plugins/trace-analytics/sweep.c plugins/trace-analytics/sweep.h
noinst_LTLIBRARIES += plugins/trace-analytics/libanalytics.la
plugins_trace_analytics_libanalytics_la_SOURCES = $(trace_analytics_parts)
plugins_trace_analytics_libanalytics_la_LIBADD = -lm
TRACE_ANALYTICS_LIBADD = plugins/trace-analytics/libanalytics.la $(PLUGIN_LIBADD)

plugin_LTLIBRARIES += \
	plugins/trace-analytics/breakdown-json.la \
	plugins/trace-analytics/comm-overlap.la \
	plugins/trace-analytics/idle-breakdown.la \
	plugins/trace-analytics/kernel-breakdown.la \
	plugins/trace-analytics/launch-stats.la \
	plugins/trace-analytics/memory-bandwidth.la \
	plugins/trace-analytics/queue-length.la \
	plugins/trace-analytics/stragglers.la \
	plugins/trace-analytics/temporal-breakdown.la

plugins_trace_analytics_breakdown_json_la_SOURCES = plugins/trace-analytics/breakdown_json.c
plugins_trace_analytics_breakdown_json_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_trace_analytics_breakdown_json_la_LIBADD = $(TRACE_ANALYTICS_LIBADD)
plugins_trace_analytics_comm_overlap_la_SOURCES = plugins/trace-analytics/comm_overlap.c
plugins_trace_analytics_comm_overlap_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_trace_analytics_comm_overlap_la_LIBADD = $(TRACE_ANALYTICS_LIBADD)
plugins_trace_analytics_idle_breakdown_la_SOURCES = plugins/trace-analytics/idle_breakdown.c
plugins_trace_analytics_idle_breakdown_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_trace_analytics_idle_breakdown_la_LIBADD = $(TRACE_ANALYTICS_LIBADD)
plugins_trace_analytics_kernel_breakdown_la_SOURCES = plugins/trace-analytics/kernel_breakdown.c
plugins_trace_analytics_kernel_breakdown_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_trace_analytics_kernel_breakdown_la_LIBADD = $(TRACE_ANALYTICS_LIBADD)
plugins_trace_analytics_launch_stats_la_SOURCES = plugins/trace-analytics/launch_stats.c
plugins_trace_analytics_launch_stats_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_trace_analytics_launch_stats_la_LIBADD = $(TRACE_ANALYTICS_LIBADD)
plugins_trace_analytics_memory_bandwidth_la_SOURCES = plugins/trace-analytics/memory_bandwidth.c
plugins_trace_analytics_memory_bandwidth_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_trace_analytics_memory_bandwidth_la_LIBADD = $(TRACE_ANALYTICS_LIBADD)
plugins_trace_analytics_queue_length_la_SOURCES = plugins/trace-analytics/queue_length.c
plugins_trace_analytics_queue_length_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_trace_analytics_queue_length_la_LIBADD = $(TRACE_ANALYTICS_LIBADD)
plugins_trace_analytics_stragglers_la_SOURCES = plugins/trace-analytics/stragglers.c
plugins_trace_analytics_stragglers_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_trace_analytics_stragglers_la_LIBADD = $(TRACE_ANALYTICS_LIBADD)
plugins_trace_analytics_temporal_breakdown_la_SOURCES = plugins/trace-analytics/temporal_breakdown.c
plugins_trace_analytics_temporal_breakdown_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_trace_analytics_temporal_breakdown_la_LIBADD = $(TRACE_ANALYTICS_LIBADD)

if HAVE_INFLATE
EXTRA_PROGRAMS += bench/bench_kineto
BENCHES += kineto=bench/bench_kineto
bench_bench_kineto_SOURCES = bench/bench_kineto.c tests/plugins/parse-kineto/trace_text.c \
	tests/plugins/parse-kineto/trace_text.h plugins/trace-analytics/sweep.c $(BENCH_SOURCES)
bench_bench_kineto_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_kineto_LDADD = plugins/parse-kineto/libkineto.la $(BENCH_LIBS)
if HAVE_ZLIB
bench_bench_kineto_CPPFLAGS += -DHAVE_ZLIB=1 $(ZLIB_CFLAGS)
bench_bench_kineto_LDADD += $(ZLIB_LIBS)
endif
endif

include tests/plugins/trace-analytics/module.mk
