# SPDX-License-Identifier: Apache-2.0
if HAVE_CHECK
check_PROGRAMS += tests/core/pipeline/test_runner
TESTS += tests/core/pipeline/test_runner
tests_core_pipeline_test_runner_SOURCES = tests/core/pipeline/test_runner.c \
	tests/core/pipeline/fixtures.c tests/core/pipeline/fixtures.h
tests_core_pipeline_test_runner_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_pipeline_test_runner_LDADD = $(TEST_LIBS)
endif
