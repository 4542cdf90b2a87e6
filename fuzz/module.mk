# SPDX-License-Identifier: Apache-2.0
# Fuzz targets. A family adds its own in its module.mk (variables are looked at late, so order does not
# matter); its corpus is fuzz/corpus/NAME:
#   FUZZERS += fuzz/fuzz_NAME
#   fuzz_fuzz_NAME_SOURCES = fuzz/fuzz_NAME.c $(FUZZ_SOURCES)
#   fuzz_fuzz_NAME_CPPFLAGS = $(FUZZ_CPPFLAGS)
#   fuzz_fuzz_NAME_LDADD = $(FUZZ_LIBS)
FUZZ_CPPFLAGS = $(CORE_CPPFLAGS) -I$(top_srcdir) -DFUZZ_FACT_PATH='"$(fact_path)"' -DFUZZ_CORPUS_DIR='"$(abs_top_srcdir)/fuzz/corpus"'
FUZZ_LIBS = $(FUZZ_MAIN) kit/.libs/libkit.a core/.libs/libcore.a $(KIT_OUTSIDE_LIBS) $(CORE_OUTSIDE_LIBS)
FUZZ_SOURCES = fuzz/fuzz.h fuzz/checks.c
EXTRA_DIST += fuzz/chips fuzz/corpus

# With libFuzzer they are programs to run by hand; without it `make check` replays their corpora.
if LIBFUZZER
FUZZ_MAIN =
noinst_PROGRAMS += $(FUZZERS)
$(FUZZERS): private LDFLAGS += $(FUZZ_FLAGS)
else
FUZZ_MAIN = fuzz/libreplay.a
check_LIBRARIES += $(FUZZ_MAIN)
fuzz_libreplay_a_SOURCES = fuzz/replay.c
fuzz_libreplay_a_CPPFLAGS = $(FUZZ_CPPFLAGS)
check_PROGRAMS += $(FUZZERS)
TESTS += $(FUZZERS)
endif

# Of targets whose inputs are directories of files.
FUZZ_MARKED_FILES = fuzz/marked_files.c fuzz/marked_files.h $(FUZZ_SOURCES)

# Of targets that run pipelines.
FUZZ_RUN_FILES = fuzz/quick_runs.c fuzz/quick_runs.h
# Of those that give a plugin its records.
FUZZ_PLUGIN_FILES = fuzz/fuzz_plugin.c fuzz/fuzz_plugin.h $(FUZZ_RUN_FILES)
# Of those that read a database of results.
FUZZ_DATABASE_FILES = fuzz/made_database.c fuzz/made_database.h
# The same over raw files.
FUZZ_LAUNCH_FILES = fuzz/launch_run.c fuzz/launch_run.h $(FUZZ_PLUGIN_FILES) $(container_reader)
# Modules of a launch are found in the first directories.
fuzz_first_dirs = $(foreach family,analyse-pmu collect-onboard parse-pmu viz-insight,$(filter %/$(family)/.libs,$(module_dirs)))
FUZZ_LAUNCH_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_CHIPS_DIR='"$(abs_top_srcdir)/chips"' \
	-DFUZZ_MODULE_DIRS='"$(subst $(space),:,$(fuzz_first_dirs) $(filter-out $(fuzz_first_dirs),$(module_dirs)))"'

# `make fuzz SECONDS=600`: each target with libFuzzer for so long, in a build of their own beside this one.
SECONDS = 60
fuzz:
	@bash $(top_srcdir)/scripts/fuzz.sh $(top_srcdir) $(SECONDS)
# What that build makes.
fuzz-targets: $(FUZZERS)
.PHONY: fuzz fuzz-targets
dist_noinst_SCRIPTS += scripts/fuzz.sh scripts/fuzz_corpus.py
