# SPDX-License-Identifier: Apache-2.0
plugin_LTLIBRARIES += plugins/analyse-sim/bandwidth/sim-bandwidth.la
plugins_analyse_sim_bandwidth_sim_bandwidth_la_SOURCES = plugins/analyse-sim/bandwidth/sim_bandwidth.c \
	plugins/analyse-sim/bandwidth/bandwidth.c plugins/analyse-sim/bandwidth/bandwidth.h
plugins_analyse_sim_bandwidth_sim_bandwidth_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_sim_bandwidth_sim_bandwidth_la_LIBADD = $(ANALYSE_SIM_LIBADD)
nobase_dist_guides_DATA += plugins/analyse-sim/bandwidth/README.md

FUZZERS += fuzz/fuzz_sim_bandwidth
fuzz_fuzz_sim_bandwidth_SOURCES = fuzz/fuzz_sim_bandwidth.c plugins/analyse-sim/bandwidth/bandwidth.c $(FUZZ_SOURCES)
fuzz_fuzz_sim_bandwidth_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_sim_bandwidth_LDADD = $(FUZZ_LIBS)

include tests/plugins/analyse-sim/bandwidth/module.mk
