# SPDX-License-Identifier: Apache-2.0
plugin_LTLIBRARIES += plugins/collect-sim/collect-sim.la
plugins_collect_sim_collect_sim_la_SOURCES = plugins/collect-sim/collect_sim.c
plugins_collect_sim_collect_sim_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_sim_collect_sim_la_LIBADD = $(PLUGIN_LIBADD)
