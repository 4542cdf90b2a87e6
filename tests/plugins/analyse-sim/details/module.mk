# SPDX-License-Identifier: Apache-2.0
SUITES += tests/plugins/analyse-sim/details/suites
tests_plugins_analyse_sim_details_suites_SOURCES = \
	tests/plugins/analyse-sim/details/test_live_registers.c \
	tests/plugins/analyse-sim/details/test_operands.c \
	tests/plugins/analyse-sim/details/test_process_bytes.c \
	tests/plugins/analyse-sim/details/test_vector_unit.c
tests_plugins_analyse_sim_details_suites_LDADD = plugins/analyse-sim/details/.libs/libdetails.a plugins/analyse-sim/.libs/libcommon.a $(TEST_LIBS)
