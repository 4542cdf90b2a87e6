# SPDX-License-Identifier: Apache-2.0
plugin_LTLIBRARIES += plugins/sim-timeline/sim-timeline.la
plugins_sim_timeline_sim_timeline_la_SOURCES = plugins/sim-timeline/sim_timeline.c
plugins_sim_timeline_sim_timeline_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_sim_timeline_sim_timeline_la_LIBADD = $(PLUGIN_LIBADD)
