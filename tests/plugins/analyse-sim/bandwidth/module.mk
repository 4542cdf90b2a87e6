# SPDX-License-Identifier: Apache-2.0
SUITES += tests/plugins/analyse-sim/bandwidth/suites
tests_plugins_analyse_sim_bandwidth_suites_SOURCES = \
	tests/plugins/analyse-sim/bandwidth/test_bandwidth.c \
	tests/plugins/analyse-sim/bandwidth/test_sim_bandwidth.c
tests_plugins_analyse_sim_bandwidth_suites_LDADD = $(call objects_of,plugins_analyse_sim_bandwidth_sim_bandwidth_la) plugins/analyse-sim/.libs/libcommon.a $(TEST_LIBS)
