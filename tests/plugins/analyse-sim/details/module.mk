# SPDX-License-Identifier: Apache-2.0
if HAVE_CHECK
sim_details_tests = tests/plugins/analyse-sim/details/test_operands tests/plugins/analyse-sim/details/test_process_bytes \
	tests/plugins/analyse-sim/details/test_vector_unit tests/plugins/analyse-sim/details/test_live_registers
check_PROGRAMS += $(sim_details_tests)
TESTS += $(sim_details_tests)
sim_details_test_libs = plugins/analyse-sim/details/.libs/libparts.a $(TEST_LIBS)
tests_plugins_analyse_sim_details_test_operands_SOURCES = tests/plugins/analyse-sim/details/test_operands.c
tests_plugins_analyse_sim_details_test_operands_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_sim_details_test_operands_LDADD = $(sim_details_test_libs)
tests_plugins_analyse_sim_details_test_process_bytes_SOURCES = tests/plugins/analyse-sim/details/test_process_bytes.c
tests_plugins_analyse_sim_details_test_process_bytes_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_sim_details_test_process_bytes_LDADD = $(sim_details_test_libs)
tests_plugins_analyse_sim_details_test_vector_unit_SOURCES = tests/plugins/analyse-sim/details/test_vector_unit.c
tests_plugins_analyse_sim_details_test_vector_unit_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_sim_details_test_vector_unit_LDADD = $(sim_details_test_libs)
tests_plugins_analyse_sim_details_test_live_registers_SOURCES = tests/plugins/analyse-sim/details/test_live_registers.c
tests_plugins_analyse_sim_details_test_live_registers_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_sim_details_test_live_registers_LDADD = $(sim_details_test_libs)
endif
