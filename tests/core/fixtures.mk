# SPDX-License-Identifier: Apache-2.0
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
