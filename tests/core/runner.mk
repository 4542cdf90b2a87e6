# SPDX-License-Identifier: Apache-2.0
if HAVE_CHECK
check_PROGRAMS += tests/core/run/test_append tests/core/guard/test_crash tests/core/report/test_progress tests/core/run/test_require tests/core/run/test_runner tests/core/run/test_wake tests/core/base/test_map
TESTS += tests/core/run/test_append tests/core/guard/test_crash tests/core/report/test_progress tests/core/run/test_require tests/core/run/test_runner tests/core/run/test_wake tests/core/base/test_map
tests_core_run_test_runner_SOURCES = tests/core/run/test_runner.c \
	tests/core/run/fixtures.c tests/core/run/fixtures.h
tests_core_run_test_runner_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_run_test_runner_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_core_run_test_runner_LDADD = $(CORE_TEST_LIBS)
tests_core_report_test_progress_SOURCES = tests/core/report/test_progress.c \
	tests/core/run/fixtures.c tests/core/run/fixtures.h
tests_core_report_test_progress_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_report_test_progress_LDADD = $(CORE_TEST_LIBS)
tests_core_run_test_wake_SOURCES = tests/core/run/test_wake.c
tests_core_run_test_wake_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_run_test_wake_LDADD = $(CORE_TEST_LIBS)
tests_core_guard_test_crash_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_guard_test_crash_LDADD = $(CORE_TEST_LIBS)
tests_core_run_test_append_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_run_test_append_LDADD = $(CORE_TEST_LIBS)
tests_core_base_test_map_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_map_LDADD = $(CORE_TEST_LIBS)
tests_core_run_test_require_SOURCES = tests/core/run/test_require.c tests/core/run/broken_contract.h
tests_core_run_test_require_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_run_test_require_LDADD = $(CORE_TEST_LIBS)
endif
