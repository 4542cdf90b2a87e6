# SPDX-License-Identifier: Apache-2.0
# Tests of the core, which need nothing but the core.
CORE_TEST_LIBS = core/.libs/libcore.a $(CORE_OUTSIDE_LIBS) $(TEST_CHECK_LIBS)
EXTRA_DIST += tests/core/resident.h tests/core/scratch.h

SUITES += tests/core/base/suites
tests_core_base_suites_SOURCES = \
	tests/core/base/test_clock.c \
	tests/core/base/test_error.c \
	tests/core/base/test_json.c \
	tests/core/base/test_library.c \
	tests/core/base/test_log.c \
	tests/core/base/test_map.c \
	tests/core/base/test_problems.c \
	tests/core/base/test_strings.c \
	tests/core/base/test_text.c
tests_core_base_suites_LDADD = $(CORE_TEST_LIBS)

SUITES += tests/core/document/suites
tests_core_document_suites_SOURCES = \
	tests/core/document/test_config.c \
	tests/core/document/test_extends.c \
	tests/core/document/test_when.c \
	tests/core/document/test_probe.c
tests_core_document_suites_LDADD = $(CORE_TEST_LIBS)

SUITES += tests/core/guard/suites
tests_core_guard_suites_SOURCES = \
	tests/core/guard/test_crash.c
tests_core_guard_suites_LDADD = $(CORE_TEST_LIBS)

SUITES += tests/core/output/suites
tests_core_output_suites_SOURCES = \
	tests/core/output/test_output.c
tests_core_output_suites_LDADD = $(CORE_TEST_LIBS)

SUITES += tests/core/plugin/suites
tests_core_plugin_suites_SOURCES = \
	tests/core/plugin/test_descriptor.c \
	tests/core/plugin/test_param_text.c \
	tests/core/plugin/test_params.c \
	tests/core/plugin/test_registry.c \
	tests/core/plugin/test_rehearsal.c
tests_core_plugin_suites_LDADD = $(CORE_TEST_LIBS)
EXTRA_tests_core_plugin_suites_DEPENDENCIES = $(core_fixtures)

SUITES += tests/core/recording/suites
tests_core_recording_suites_SOURCES = \
	tests/core/recording/test_recording.c
tests_core_recording_suites_LDADD = $(CORE_TEST_LIBS)

SUITES += tests/core/report/suites
core_run_fixtures = tests/core/run/fixtures.c tests/core/run/fixtures.h
tests_core_report_suites_SOURCES = \
	$(core_run_fixtures) \
	tests/core/report/test_progress.c
tests_core_report_suites_LDADD = $(CORE_TEST_LIBS)

SUITES += tests/core/run/suites
tests_core_run_suites_SOURCES = \
	tests/core/run/broken_contract.h \
	$(core_run_fixtures) \
	tests/core/run/test_append.c \
	tests/core/run/test_graph.c \
	tests/core/run/test_messages.c \
	tests/core/run/test_require.c \
	tests/core/run/test_runner.c \
	tests/core/run/test_wake.c
tests_core_run_suites_LDADD = $(CORE_TEST_LIBS)

SUITES += tests/core/stream/suites
tests_core_stream_suites_SOURCES = \
	tests/core/stream/stream_test.h \
	tests/core/stream/test_batch.c \
	tests/core/stream/test_data_stream.c \
	tests/core/stream/test_tracks.c
tests_core_stream_suites_LDADD = $(CORE_TEST_LIBS)

# Takes long, so that scripts/core_alone.sh leaves it out.
if HAVE_CHECK
check_PROGRAMS += tests/core/stream/test_data_stream_stress
TESTS += tests/core/stream/test_data_stream_stress
endif
tests_core_stream_test_data_stream_stress_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_stream_test_data_stream_stress_LDADD = $(CORE_TEST_LIBS)

include tests/core/fixtures.mk
