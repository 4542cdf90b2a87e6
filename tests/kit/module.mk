# SPDX-License-Identifier: Apache-2.0
# Tests of the kit.

SUITES += tests/kit/facts/suites
tests_kit_facts_suites_SOURCES = \
	tests/kit/facts/test_block_cores.c \
	tests/kit/facts/test_chip.c \
	tests/kit/facts/test_chip_explain.c \
	tests/kit/facts/test_facts.c \
	tests/kit/facts/test_pmu_facts.c \
	tests/kit/facts/test_record_bits.c
tests_kit_facts_suites_LDADD = $(TEST_LIBS)

SUITES += tests/kit/io/suites
tests_kit_io_suites_SOURCES = \
	tests/kit/io/test_csv.c \
	tests/kit/io/test_form.c \
	tests/kit/io/test_json_out.c \
	tests/kit/io/test_large_array.c \
	tests/kit/io/test_spool.c \
	tests/kit/io/test_tool.c
tests_kit_io_suites_LDADD = $(TEST_LIBS)

SUITES += tests/kit/launch/suites
tests_kit_launch_suites_SOURCES = \
	tests/kit/launch/test_chip_choice.c \
	tests/kit/launch/test_cutter.c \
	tests/kit/launch/test_launch_reader.c \
	tests/kit/launch/test_launches.c \
	tests/kit/launch/test_raw_names.c
tests_kit_launch_suites_LDADD = $(TEST_LIBS)

SUITES += tests/kit/live/suites
tests_kit_live_suites_SOURCES = \
	tests/kit/live/test_live_host.c \
	tests/kit/live/test_live_paths.c
tests_kit_live_suites_LDADD = $(TEST_LIBS)

SUITES += tests/kit/metrics/suites
tests_kit_metrics_suites_SOURCES = \
	tests/kit/metrics/test_metrics.c
tests_kit_metrics_suites_LDADD = $(TEST_LIBS)

SUITES += tests/kit/source/suites
tests_kit_source_suites_SOURCES = \
	tests/kit/source/test_source_lines.c \
	tests/kit/source/test_source_spans.c
tests_kit_source_suites_LDADD = $(TEST_LIBS) $(ELF_LIBS)
EXTRA_tests_kit_source_suites_DEPENDENCIES = $(test_kernels)

SUITES += tests/kit/time/suites
tests_kit_time_suites_SOURCES = \
	tests/kit/time/test_busy_time.c \
	tests/kit/time/test_sub_lanes.c
tests_kit_time_suites_LDADD = $(TEST_LIBS)

SUITES += tests/kit/suites
tests_kit_suites_SOURCES = \
	tests/kit/test_require.c
tests_kit_suites_LDADD = $(TEST_LIBS)

# Kernels with debug information, made by the compiler at hand without the build's own flags.
test_kernel_sources = tests/data/source/kernel.c tests/data/source/ascend-toolkit/run.h \
	tests/data/source/ascend-toolkit/vec.h
test_kernels = tests/data/source/dwarf4.o tests/data/source/dwarf5.o tests/data/source/dwarf4.so \
	tests/data/source/dwarf5.so tests/data/source/stripped.so tests/data/source/mapped.o

CLEANFILES += $(test_kernels)
COMPILE_KERNEL = $(MKDIR_P) tests/data/source && $(CC) -O2 -fPIC -nostdlib $(abs_top_srcdir)/tests/data/source/kernel.c
tests/data/source/dwarf4.o: $(test_kernel_sources)
	$(AM_V_CC)$(COMPILE_KERNEL) -gdwarf-4 -c -o $@
tests/data/source/dwarf5.o: $(test_kernel_sources)
	$(AM_V_CC)$(COMPILE_KERNEL) -gdwarf-5 -c -o $@
tests/data/source/dwarf4.so: $(test_kernel_sources)
	$(AM_V_CC)$(COMPILE_KERNEL) -gdwarf-4 -shared -o $@
tests/data/source/dwarf5.so: $(test_kernel_sources)
	$(AM_V_CC)$(COMPILE_KERNEL) -gdwarf-5 -shared -o $@
tests/data/source/stripped.so: $(test_kernel_sources)
	$(AM_V_CC)$(COMPILE_KERNEL) -gdwarf-5 -shared -s -o $@
tests/data/source/mapped.o: tests/data/source/mapped.S
	$(AM_V_CC)$(MKDIR_P) tests/data/source && $(CC) -c -o $@ $(abs_top_srcdir)/tests/data/source/mapped.S \
		'-DCUSTOM="$(abs_top_srcdir)/tests/data/source/add_custom.cpp"' \
		'-DTOOLKIT="$(abs_top_srcdir)/tests/data/source/ascend-toolkit/vec.h"'

# Formulas, and a second evaluator that they are compared with.
formula_world = tests/kit/formula/formula_world.c tests/kit/formula/formula_world.h \
	tests/kit/formula/plain_formula.c tests/kit/formula/plain_formula.h

SUITES += tests/kit/formula/suites
tests_kit_formula_suites_SOURCES = \
	$(formula_world) \
	tests/kit/formula/test_formula.c \
	tests/kit/formula/test_formula_random.c \
	tests/kit/formula/test_whole.c
tests_kit_formula_suites_LDADD = $(TEST_LIBS)

FUZZERS += fuzz/fuzz_form
fuzz_fuzz_form_SOURCES = fuzz/fuzz_form.c $(FUZZ_SOURCES)
fuzz_fuzz_form_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_form_LDADD = $(FUZZ_LIBS)

FUZZERS += fuzz/fuzz_formula
fuzz_fuzz_formula_SOURCES = fuzz/fuzz_formula.c $(formula_world) $(FUZZ_SOURCES)
fuzz_fuzz_formula_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_formula_LDADD = $(FUZZ_LIBS)
