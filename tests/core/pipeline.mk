# SPDX-License-Identifier: Apache-2.0
# What happens before a pipeline runs: parameters, modules, documents, graphs.
if HAVE_CHECK
check_PROGRAMS += tests/core/plugin/test_params tests/core/plugin/test_registry \
	tests/core/plugin/test_descriptor tests/core/plugin/test_param_text tests/core/document/test_probe tests/core/plugin/test_rehearsal \
	tests/core/document/test_config tests/core/document/test_extends tests/core/run/test_graph tests/core/run/test_messages \
	tests/core/base/test_problems
TESTS += tests/core/plugin/test_params tests/core/plugin/test_registry \
	tests/core/plugin/test_descriptor tests/core/plugin/test_param_text tests/core/document/test_probe tests/core/plugin/test_rehearsal \
	tests/core/document/test_config tests/core/document/test_extends tests/core/run/test_graph tests/core/run/test_messages \
	tests/core/base/test_problems
tests_core_plugin_test_params_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_plugin_test_params_LDADD = $(CORE_TEST_LIBS)
tests_core_plugin_test_param_text_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_plugin_test_param_text_LDADD = $(CORE_TEST_LIBS)
tests_core_document_test_probe_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_document_test_probe_LDADD = $(CORE_TEST_LIBS)
tests_core_plugin_test_rehearsal_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_plugin_test_rehearsal_LDADD = $(CORE_TEST_LIBS)
tests_core_plugin_test_registry_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_plugin_test_registry_LDADD = $(CORE_TEST_LIBS)
tests_core_plugin_test_descriptor_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_plugin_test_descriptor_LDADD = $(CORE_TEST_LIBS)
tests_core_document_test_config_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_document_test_config_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_core_document_test_config_LDADD = $(CORE_TEST_LIBS)
tests_core_document_test_extends_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_document_test_extends_LDADD = $(CORE_TEST_LIBS)
tests_core_run_test_graph_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_run_test_graph_LDADD = $(CORE_TEST_LIBS)
tests_core_run_test_messages_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_run_test_messages_LDADD = $(CORE_TEST_LIBS)
tests_core_base_test_problems_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_problems_LDADD = $(CORE_TEST_LIBS)

# Modules of one source, each wrong in its own way. They need no function of the library.
FIXTURE_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere
fixture_source = tests/core/plugin/modules/module.c
check_LTLIBRARIES += \
	tests/core/plugin/modules/good.la \
	tests/core/plugin/modules/crash-at-load.la \
	tests/core/plugin/modules/crash-at-end.la \
	tests/core/plugin/modules/exit-at-load.la \
	tests/core/plugin/modules/linker-exit-at-load.la \
	tests/core/plugin/modules/hang-at-load.la \
	tests/core/plugin/modules/leaver.la \
	tests/core/plugin/modules/loop.la \
	tests/core/plugin/modules/older.la \
	tests/core/plugin/modules/newer.la \
	tests/core/plugin/modules/major.la \
	tests/core/plugin/modules/resized.la \
	tests/core/plugin/modules/bare.la \
	tests/core/plugin/modules/function.la \
	tests/core/plugin/modules/tiny.la \
	tests/core/plugin/modules/short.la \
	tests/core/plugin/modules/missing-function.la \
	tests/core/plugin/modules/missing-data.la
tests_core_plugin_modules_crash_at_load_la_SOURCES = tests/core/plugin/modules/startup.c
tests_core_plugin_modules_crash_at_load_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_CRASH -DFIXTURE_NAME='"crash-at-load"'
tests_core_plugin_modules_crash_at_load_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_crash_at_end_la_SOURCES = tests/core/plugin/modules/startup.c
tests_core_plugin_modules_crash_at_end_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_END -DFIXTURE_NAME='"crash-at-end"'
tests_core_plugin_modules_crash_at_end_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_exit_at_load_la_SOURCES = tests/core/plugin/modules/startup.c
tests_core_plugin_modules_exit_at_load_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_EXIT -DFIXTURE_NAME='"exit-at-load"'
tests_core_plugin_modules_exit_at_load_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_linker_exit_at_load_la_SOURCES = tests/core/plugin/modules/startup.c
tests_core_plugin_modules_linker_exit_at_load_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_LINKER -DFIXTURE_NAME='"linker-exit-at-load"'
tests_core_plugin_modules_linker_exit_at_load_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_hang_at_load_la_SOURCES = tests/core/plugin/modules/startup.c
tests_core_plugin_modules_hang_at_load_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_HANG -DFIXTURE_NAME='"hang-at-load"'
tests_core_plugin_modules_hang_at_load_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_leaver_la_SOURCES = tests/core/plugin/modules/startup.c
tests_core_plugin_modules_leaver_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_LEAVE -DFIXTURE_NAME='"leaver"'
tests_core_plugin_modules_leaver_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_good_la_SOURCES = $(fixture_source)
tests_core_plugin_modules_good_la_CPPFLAGS = $(AM_CPPFLAGS)
tests_core_plugin_modules_good_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_good_la_LIBADD = -lm
tests_core_plugin_modules_loop_la_SOURCES = $(fixture_source)
tests_core_plugin_modules_loop_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_LOOP
tests_core_plugin_modules_loop_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_loop_la_LIBADD = -lm
tests_core_plugin_modules_older_la_SOURCES = $(fixture_source)
tests_core_plugin_modules_older_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_MINOR=0
tests_core_plugin_modules_older_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_older_la_LIBADD = -lm
tests_core_plugin_modules_newer_la_SOURCES = $(fixture_source)
tests_core_plugin_modules_newer_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_MINOR=7
tests_core_plugin_modules_newer_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_newer_la_LIBADD = -lm
tests_core_plugin_modules_major_la_SOURCES = $(fixture_source)
tests_core_plugin_modules_major_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_SYMBOL=opprof_plugin_v3 -DFIXTURE_MAJOR=3
tests_core_plugin_modules_major_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_major_la_LIBADD = -lm
tests_core_plugin_modules_resized_la_SOURCES = $(fixture_source)
tests_core_plugin_modules_resized_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_SIZE=64
tests_core_plugin_modules_resized_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_resized_la_LIBADD = -lm
tests_core_plugin_modules_bare_la_SOURCES = $(fixture_source)
tests_core_plugin_modules_bare_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_SYMBOL=something_else
tests_core_plugin_modules_bare_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_bare_la_LIBADD = -lm
tests_core_plugin_modules_function_la_SOURCES = $(fixture_source)
tests_core_plugin_modules_function_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_FUNCTION
tests_core_plugin_modules_function_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_function_la_LIBADD = -lm
tests_core_plugin_modules_tiny_la_SOURCES = $(fixture_source)
tests_core_plugin_modules_tiny_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_TINY
tests_core_plugin_modules_tiny_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_tiny_la_LIBADD = -lm
tests_core_plugin_modules_short_la_SOURCES = $(fixture_source)
tests_core_plugin_modules_short_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_SHORT
tests_core_plugin_modules_short_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_short_la_LIBADD = -lm
tests_core_plugin_modules_missing_function_la_SOURCES = $(fixture_source)
tests_core_plugin_modules_missing_function_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_CALL
tests_core_plugin_modules_missing_function_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_missing_function_la_LIBADD = -lm
tests_core_plugin_modules_missing_data_la_SOURCES = $(fixture_source)
tests_core_plugin_modules_missing_data_la_CPPFLAGS = $(AM_CPPFLAGS) -DFIXTURE_READ
tests_core_plugin_modules_missing_data_la_LDFLAGS = $(FIXTURE_LDFLAGS)
tests_core_plugin_modules_missing_data_la_LIBADD = -lm
endif

FUZZERS += fuzz/fuzz_pipeline
fuzz_fuzz_pipeline_SOURCES = fuzz/fuzz_pipeline.c $(FUZZ_SOURCES)
fuzz_fuzz_pipeline_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_pipeline_LDADD = $(FUZZ_MAIN) core/.libs/libcore.a $(CORE_OUTSIDE_LIBS)

FUZZERS += fuzz/fuzz_recording
fuzz_fuzz_recording_SOURCES = fuzz/fuzz_recording.c $(FUZZ_SOURCES)
fuzz_fuzz_recording_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_recording_LDADD = $(FUZZ_MAIN) core/.libs/libcore.a $(CORE_OUTSIDE_LIBS)
