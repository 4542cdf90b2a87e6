# SPDX-License-Identifier: Apache-2.0
SUITES += tests/cli/suites
tests_cli_suites_SOURCES = \
	cli/heap.c \
	cli/inspect.c \
	cli/screen.c \
	tests/cli/test_heap.c \
	tests/cli/test_inspect.c \
	tests/cli/test_progress.c
tests_cli_suites_LDADD = print/libprint.la $(CORE_TEST_LIBS)
EXTRA_tests_cli_suites_DEPENDENCIES = $(core_fixtures)
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
cli_scripts = tests/cli/test_query.sh
dist_check_SCRIPTS += $(cli_scripts)
TESTS += $(cli_scripts)
