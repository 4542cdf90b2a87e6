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
EXTRA_tests_core_plugin_test_registry_DEPENDENCIES = $(core_fixtures)
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
endif

# Modules of two sources, each wrong in its own way. They need no function of the library.
fixture_folder = tests/core/plugin/modules/.libs
startup_fixtures = $(fixture_folder)/crash-at-load.so $(fixture_folder)/crash-at-end.so $(fixture_folder)/exit-at-load.so \
	$(fixture_folder)/linker-exit-at-load.so $(fixture_folder)/hang-at-load.so $(fixture_folder)/leaver.so
module_fixtures = $(fixture_folder)/good.so $(fixture_folder)/loop.so $(fixture_folder)/older.so $(fixture_folder)/newer.so \
	$(fixture_folder)/major.so $(fixture_folder)/resized.so $(fixture_folder)/bare.so $(fixture_folder)/function.so \
	$(fixture_folder)/tiny.so $(fixture_folder)/short.so $(fixture_folder)/missing-function.so $(fixture_folder)/missing-data.so
core_fixtures = $(startup_fixtures) $(module_fixtures)
$(fixture_folder)/crash-at-load.so: FIXTURE = -DFIXTURE_CRASH
$(fixture_folder)/crash-at-end.so: FIXTURE = -DFIXTURE_END
$(fixture_folder)/exit-at-load.so: FIXTURE = -DFIXTURE_EXIT
$(fixture_folder)/linker-exit-at-load.so: FIXTURE = -DFIXTURE_LINKER
$(fixture_folder)/hang-at-load.so: FIXTURE = -DFIXTURE_HANG
$(fixture_folder)/leaver.so: FIXTURE = -DFIXTURE_LEAVE
$(fixture_folder)/loop.so: FIXTURE = -DFIXTURE_LOOP
$(fixture_folder)/older.so: FIXTURE = -DFIXTURE_MINOR=0
$(fixture_folder)/newer.so: FIXTURE = -DFIXTURE_MINOR=7
$(fixture_folder)/major.so: FIXTURE = -DFIXTURE_SYMBOL=opprof_plugin_v3 -DFIXTURE_MAJOR=3
$(fixture_folder)/resized.so: FIXTURE = -DFIXTURE_SIZE=64
$(fixture_folder)/bare.so: FIXTURE = -DFIXTURE_SYMBOL=something_else
$(fixture_folder)/function.so: FIXTURE = -DFIXTURE_FUNCTION
$(fixture_folder)/tiny.so: FIXTURE = -DFIXTURE_TINY
$(fixture_folder)/short.so: FIXTURE = -DFIXTURE_SHORT
$(fixture_folder)/missing-function.so: FIXTURE = -DFIXTURE_CALL
$(fixture_folder)/missing-data.so: FIXTURE = -DFIXTURE_READ
$(startup_fixtures): FIXTURE += -DFIXTURE_NAME='"$*"'
$(startup_fixtures): $(fixture_folder)/%.so: tests/core/plugin/modules/startup.c $(opprof_headers)
	$(LINK_FIXTURE)
$(module_fixtures): $(fixture_folder)/%.so: tests/core/plugin/modules/module.c $(opprof_headers)
	$(LINK_FIXTURE)
LINK_FIXTURE = $(AM_V_CCLD)$(MKDIR_P) $(fixture_folder) && \
	$(COMPILE) $(FIXTURE) -fPIC -shared $(AM_LDFLAGS) $(LDFLAGS) -o $@ $< -lm
EXTRA_DIST += tests/core/plugin/modules/startup.c tests/core/plugin/modules/module.c
check_DATA += $(core_fixtures)
CLEANFILES += $(core_fixtures)

FUZZERS += fuzz/fuzz_pipeline
fuzz_fuzz_pipeline_SOURCES = fuzz/fuzz_pipeline.c $(FUZZ_SOURCES)
fuzz_fuzz_pipeline_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_pipeline_LDADD = $(FUZZ_MAIN) core/.libs/libcore.a $(CORE_OUTSIDE_LIBS)

FUZZERS += fuzz/fuzz_recording
fuzz_fuzz_recording_SOURCES = fuzz/fuzz_recording.c $(FUZZ_SOURCES)
fuzz_fuzz_recording_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_recording_LDADD = $(FUZZ_MAIN) core/.libs/libcore.a $(CORE_OUTSIDE_LIBS)
