# SPDX-License-Identifier: Apache-2.0
# Unit tests look inside the core: they link the convenience library, not the shared one.
TEST_CPPFLAGS = $(CORE_CPPFLAGS) $(CHECK_CFLAGS) -I$(top_srcdir) -DTEST_DATA_DIR='"$(abs_top_srcdir)/tests/data"' \
	-DTEST_SOURCE_DIR='"$(abs_top_srcdir)"' -DTEST_BUILD_DIR='"$(abs_top_builddir)"' -DTEST_FACT_PATH='"$(fact_path)"'
# The test files of a folder are one program, `suites`: to add a file, add it to the program's _SOURCES. A new folder needs
#   SUITES += tests/FOLDER/suites
#   tests_FOLDER_suites_SOURCES = tests/FOLDER/test_NAME.c
#   tests_FOLDER_suites_LDADD = $(TEST_LIBS)
# Programs that need other flags than their neighbours, or take much longer, stand alone.
if HAVE_CHECK
check_LIBRARIES += tests/libsuites.a
check_PROGRAMS += $(SUITES)
TESTS += $(SUITES)
endif
tests_libsuites_a_SOURCES = tests/tools/mark_point.c tests/core/suites.c tests/core/suites.h \
	tests/core/base/failing_alloc.c tests/core/base/failing_alloc.h
tests_libsuites_a_CPPFLAGS = $(CHECK_CFLAGS) -I$(top_srcdir)
# What several programs use.
dump_writer = tests/tools/dump.c tests/tools/dump.h
container_reader = tests/tools/container_reader.c tests/tools/container_reader.h
TEST_CHECK_LIBS = tests/libsuites.a $(CHECK_LIBS)
# Sends allocations through tests/core/base/failing_alloc.h.
WRAP_ALLOC = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray,--wrap=strdup,--undefined=__wrap_malloc
# `make check TESTS=…` builds these test programs alone; for scripts, which run all kinds of things, also what is no test itself.
# Automake's rules, which build all check_PROGRAMS, are read after this.
every_check_program := $(check_PROGRAMS)
chosen_tests := $(if $(filter command,$(origin TESTS)),$(strip $(TESTS)))
chosen_scripts := $(filter-out $(every_check_program),$(chosen_tests))
test_tools := $(foreach program,$(every_check_program),$(if $(filter suites test_% fuzz_%,$(notdir $(program))),,$(program)))
chosen_programs := $(filter $(chosen_tests),$(every_check_program)) $(if $(chosen_scripts),$(test_tools))
only_chosen_programs := $(if $(chosen_tests),$(eval check_PROGRAMS := $(chosen_programs)))
only_chosen_modules := $(if $(chosen_tests),$(if $(chosen_scripts),,$(eval check_LTLIBRARIES :=)$(eval check_DATA := $(emulated_programs))))

$(every_check_program): private AM_LDFLAGS += -Wl,--wrap=_mark_point
$(SUITES): private AM_LDFLAGS += $(WRAP_ALLOC)
# Not optimised: that takes a third of the time, and the compiler works longer on most tests than they run.
canonical = $(subst -,_,$(subst .,_,$(subst /,_,$1)))
objects_of_tests := $(foreach program,$(filter-out $(test_tools),$(every_check_program)),$($(call canonical,$(program))_OBJECTS))
$(objects_of_tests): private CFLAGS += -O0 -U_FORTIFY_SOURCE
$(foreach suite,$(SUITES),$($(call canonical,$(suite))_OBJECTS)): private AM_CPPFLAGS := $(TEST_CPPFLAGS)
# The objects of a module, for a test that looks inside it: $(call objects_of,plugins_viz_html_html_la).
objects_of = $(foreach object,$($1_OBJECTS),$(call pic_object,$(object)))
pic_object = $(dir $1).libs/$(notdir $(1:.lo=.o))
module_objects = $(sort $(foreach module,$(plugin_LTLIBRARIES),$($(call canonical,$(module))_OBJECTS)))
$(foreach object,$(module_objects),$(eval $(call pic_object,$(object)): $(object) ;))
TEST_LIBS = $(TEST_HARNESS) kit/.libs/libkit.a core/.libs/libcore.a $(KIT_OUTSIDE_LIBS) $(CORE_OUTSIDE_LIBS) $(TEST_CHECK_LIBS)
# Those of which no part is one of libtool's libraries are linked without it, which takes a quarter of the time.
link_without_libtool = $(CCLD) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS) -o $@
libs_of = $($(canonical)_LDADD)
$(foreach program,$(every_check_program) $(FUZZERS),$(if $(filter %.la %.symbols,$(call libs_of,$(program))),,$(program))): private LINK = $(link_without_libtool)
# What libtool makes of libraries that only this tree links.
$(foreach library,$(noinst_LTLIBRARIES),$(eval $(dir $(library)).libs/$(basename $(notdir $(library))).a: $(library) ;))
# Programs that load real modules link the shared library, as opprof-run does.
TEST_SHARED_LIBS = $(LIBOPPROF_KIT) $(LIBOPPROF) $(TEST_CHECK_LIBS)

# Modules of the build tree, and nothing of the machine's.
empty =
space = $(empty) $(empty)
module_dirs = $(patsubst %/,$(abs_top_builddir)/%/.libs,$(sort $(dir $(plugin_LTLIBRARIES))))
# Where the families keep facts that chips use. Chips are in both paths in the tree, so that they count as installed.
fact_path = $(subst $(space),:,$(patsubst %/,$(abs_top_srcdir)/%,$(sort $(dir $(dist_facts_DATA)))))
rule_path = $(subst $(space),:,$(patsubst %/,$(abs_top_srcdir)/%,$(sort $(dir $(dist_rules_DATA)))))
query_path = $(subst $(space),:,$(patsubst %/,$(abs_top_srcdir)/%,$(sort $(dir $(dist_queries_DATA)))))
tree_environment = $(built_libraries) \
	OPPROF_PLUGIN_PATH='$(subst $(space),:,$(module_dirs))'; export OPPROF_PLUGIN_PATH; \
	OPPROF_SYSTEM_PLUGIN_PATH=; export OPPROF_SYSTEM_PLUGIN_PATH; \
	OPPROF_SYSTEM_CHIP_PATH='$(fact_path):$(abs_top_srcdir)/chips'; export OPPROF_SYSTEM_CHIP_PATH; \
	OPPROF_CHIP_PATH='$(abs_top_srcdir)/chips'; export OPPROF_CHIP_PATH; \
	OPPROF_PIPELINE_PATH='$(abs_top_srcdir)/pipelines'; export OPPROF_PIPELINE_PATH; \
	OPPROF_SYSTEM_RULES_PATH='$(rule_path)'; export OPPROF_SYSTEM_RULES_PATH; \
	OPPROF_SYSTEM_QUERIES_PATH='$(query_path)'; export OPPROF_SYSTEM_QUERIES_PATH; \
	OPPROF_RUN='$(call built_program,cli/opprof-run)'; export OPPROF_RUN; \
	OPPROF_PLUGIN_CHECK='$(call built_program,harness/check/opprof-plugin-check)'; export OPPROF_PLUGIN_CHECK; \
	TEST_TOOLS='$(abs_top_builddir)/$(emulated)tests/tools'; export TEST_TOOLS; \
	TEST_KERNELS='$(abs_top_builddir)/tests/data/source'; export TEST_KERNELS;
EXTRA_DIST += tests/tsan.supp
AM_TESTS_ENVIRONMENT = $(EMULATED_ENVIRONMENT) $(tree_environment) \
	TEST_DATA='$(abs_top_srcdir)/tests/data'; export TEST_DATA; \
	TEST_MODULES='$(abs_top_builddir)/tests/core/plugin/modules/.libs'; export TEST_MODULES; \
	TEST_FAIL_ALLOC='$(abs_top_builddir)/tests/tools/.libs/fail-alloc.so'; export TEST_FAIL_ALLOC; \
	$(if $(PYTHON_DIR),PATH='$(PYTHON_DIR)':"$$PATH"; export PATH;) \
	SANITIZE_FLAGS='$(SANITIZE_FLAGS)'; export SANITIZE_FLAGS; \
	TSAN_OPTIONS='suppressions=$(abs_top_srcdir)/tests/tsan.supp:handle_segv=0'; export TSAN_OPTIONS; \
	CK_DEFAULT_TIMEOUT=1800; export CK_DEFAULT_TIMEOUT; \
	PYTHONDONTWRITEBYTECODE=1; export PYTHONDONTWRITEBYTECODE;

# For a shell that tries the build in place: `make run.env && . ./run.env && $OPPROF_RUN --list`.
CLEANFILES += run.env
run.env: Makefile $(bin_PROGRAMS) $(plugin_LTLIBRARIES) $(noinst_PROGRAMS) $(test_kernels)
	$(AM_V_GEN)printf '%s\n' "$$run_env" >$@
run.env: export run_env = $(EMULATED_ENVIRONMENT) $(tree_environment)

# Built for another machine: test programs run by the emulator, and scripts find what they run below `emulated`.
EXTRA_DIST += tests/data tests/tools/emulate.sh tests/tools/compare_folders.py tests/tools/mutate_files.py tests/tools/mutations tests/tools/make_dbi_run.py tests/tools/make_biu_run.py
# Tests run programs thousands of times: not by libtool's scripts, whose shell takes five times as long as the program.
if EMULATED
emulated = emulated/
built_program = $(abs_top_builddir)/emulated/$1
built_libraries =
EMULATED_ENVIRONMENT = EMULATOR='$(EMULATOR)'; export EMULATOR; \
	EMULATED_LIBRARIES='$(abs_top_builddir)/core/.libs:$(abs_top_builddir)/kit/.libs:$(abs_top_builddir)/results/.libs:$(abs_top_builddir)/harness/.libs'; export EMULATED_LIBRARIES;
LOG_COMPILER = $(top_srcdir)/tests/tools/emulate.sh
# Before a program that the build itself runs.
RUN_BUILT = $(EMULATED_ENVIRONMENT) $(top_srcdir)/tests/tools/emulate.sh $(abs_top_builddir)/
emulated_programs = $(addprefix emulated/,$(bin_PROGRAMS) $(noinst_PROGRAMS))
check_DATA += $(emulated_programs)
CLEANFILES += $(emulated_programs)
$(emulated_programs): emulated/%: %
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
		printf '#!/bin/sh\nexec "%s" "%s" "$$@"\n' '$(abs_top_srcdir)/tests/tools/emulate.sh' '$(abs_top_builddir)/$<' >$@ && \
		chmod +x $@
else
emulated =
built_program = $(abs_top_builddir)/$(dir $1).libs/$(notdir $1)
built_libraries = \
	LD_LIBRARY_PATH="$(abs_top_builddir)/core/.libs:$(abs_top_builddir)/kit/.libs:$(abs_top_builddir)/results/.libs:$(abs_top_builddir)/harness/.libs$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}"; \
	export LD_LIBRARY_PATH;
EMULATED_ENVIRONMENT =
RUN_BUILT =
endif
