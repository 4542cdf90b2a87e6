# SPDX-License-Identifier: Apache-2.0
if HAVE_CHECK
sim_bandwidth_tests = tests/plugins/analyse-sim/bandwidth/test_bandwidth tests/plugins/analyse-sim/bandwidth/test_sim_bandwidth
check_PROGRAMS += $(sim_bandwidth_tests)
TESTS += $(sim_bandwidth_tests)
tests_plugins_analyse_sim_bandwidth_test_bandwidth_SOURCES = tests/plugins/analyse-sim/bandwidth/test_bandwidth.c \
	plugins/analyse-sim/bandwidth/bandwidth.c
tests_plugins_analyse_sim_bandwidth_test_bandwidth_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_sim_bandwidth_test_bandwidth_LDADD = $(TEST_LIBS)
tests_plugins_analyse_sim_bandwidth_test_sim_bandwidth_SOURCES = tests/plugins/analyse-sim/bandwidth/test_sim_bandwidth.c \
	plugins/analyse-sim/bandwidth/sim_bandwidth.c plugins/analyse-sim/common/launches.c \
	plugins/analyse-sim/bandwidth/bandwidth.c
tests_plugins_analyse_sim_bandwidth_test_sim_bandwidth_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_sim_bandwidth_test_sim_bandwidth_LDADD = $(TEST_LIBS)
endif
