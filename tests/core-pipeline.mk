# SPDX-License-Identifier: Apache-2.0
# What happens before a pipeline runs: parameters, modules, documents, graphs.
if HAVE_CHECK
check_PROGRAMS += tests/core/plugin/test_params
TESTS += tests/core/plugin/test_params
tests_core_plugin_test_params_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_plugin_test_params_LDADD = $(TEST_LIBS)
endif
