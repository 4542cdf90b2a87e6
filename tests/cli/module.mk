# SPDX-License-Identifier: Apache-2.0
if HAVE_CHECK
cli_tests = tests/cli/test_heap tests/cli/test_inspect tests/cli/test_progress tests/cli/test_summary
check_PROGRAMS += $(cli_tests)
TESTS += $(cli_tests)
tests_cli_test_heap_SOURCES = tests/cli/test_heap.c cli/heap.c cli/heap.h
tests_cli_test_heap_CPPFLAGS = $(TEST_CPPFLAGS)
tests_cli_test_heap_LDADD = $(TEST_CHECK_LIBS)
tests_cli_test_inspect_SOURCES = tests/cli/test_inspect.c cli/columns.c cli/columns.h cli/inspect.c cli/inspect.h cli/plain_output.c \
	cli/plain_output.h
tests_cli_test_inspect_CPPFLAGS = $(TEST_CPPFLAGS)
tests_cli_test_inspect_LDADD = $(CORE_TEST_LIBS)
EXTRA_tests_cli_test_inspect_DEPENDENCIES = $(core_fixtures)
tests_cli_test_progress_SOURCES = tests/cli/test_progress.c cli/plain_output.c cli/plain_output.h cli/progress.c cli/progress.h \
	cli/screen.c cli/screen.h cli/summary.c cli/summary.h
tests_cli_test_progress_CPPFLAGS = $(TEST_CPPFLAGS)
tests_cli_test_progress_LDADD = $(CORE_TEST_LIBS)
tests_cli_test_summary_SOURCES = tests/cli/test_summary.c cli/summary.c cli/summary.h
tests_cli_test_summary_CPPFLAGS = $(TEST_CPPFLAGS)
tests_cli_test_summary_LDADD = $(CORE_TEST_LIBS)
endif
# A module that no family of the tree knows, for tests/e2e/explain.sh.
check_LTLIBRARIES += tests/cli/modules/stranger.la
tests_cli_modules_stranger_la_SOURCES = tests/cli/modules/stranger.c
tests_cli_modules_stranger_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere
tests_cli_modules_stranger_la_LIBADD = $(LIBOPPROF_KIT) $(LIBOPPROF)
# A collector that recognises its inputs, for tests/e2e/recognise.sh.
check_LTLIBRARIES += tests/cli/modules/runes.la
tests_cli_modules_runes_la_SOURCES = tests/cli/modules/runes.c
tests_cli_modules_runes_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere
tests_cli_modules_runes_la_LIBADD = $(LIBOPPROF)
