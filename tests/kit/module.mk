# SPDX-License-Identifier: Apache-2.0
# Tests of the kit.
EXTRA_DIST += tests/data/chips/installed/t100.json tests/data/chips/installed/t200.json \
	tests/data/chips/lab/t100.json \
	tests/data/chips/circular/c1.json tests/data/chips/circular/c2.json \
	tests/data/chips/circular/c3.json \
	tests/data/chips/contracts/c100.json

if HAVE_CHECK
kit_tests = \
	tests/kit/facts/test_chip tests/kit/facts/test_chip_schema tests/kit/facts/test_facts tests/kit/facts/test_pmu_facts tests/kit/facts/test_block_cores tests/kit/facts/test_chip_explain tests/kit/launch/test_raw_names tests/kit/facts/test_record_bits \
	tests/kit/test_require \
	tests/kit/launch/test_chip_choice \
	tests/kit/launch/test_cutter \
	tests/kit/io/test_form \
	tests/kit/io/test_json_out \
	tests/kit/launch/test_launch_reader \
	tests/kit/launch/test_launches \
	tests/kit/io/test_room \
	tests/kit/io/test_spool \
	tests/kit/io/test_tool \
	tests/kit/io/test_lines \
	tests/kit/live/test_live_host \
	tests/kit/live/test_live_paths \
	tests/kit/source/test_source_lines \
	tests/kit/source/test_source_spans \
	tests/kit/time/test_busy_time \
	tests/kit/time/test_sub_lanes
check_PROGRAMS += $(kit_tests)
TESTS += $(kit_tests)

tests_kit_time_test_sub_lanes_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_time_test_sub_lanes_LDADD = $(TEST_LIBS)
tests_kit_time_test_busy_time_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_time_test_busy_time_LDADD = $(TEST_LIBS)
tests_kit_facts_test_chip_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_facts_test_record_bits_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_facts_test_chip_explain_SOURCES = tests/kit/facts/test_chip_explain.c
tests_kit_facts_test_chip_explain_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_facts_test_chip_explain_LDADD = $(TEST_LIBS)
tests_kit_facts_test_block_cores_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_facts_test_block_cores_LDADD = $(TEST_LIBS)
tests_kit_launch_test_raw_names_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_launch_test_raw_names_LDADD = $(TEST_LIBS)
tests_kit_facts_test_record_bits_LDADD = $(TEST_LIBS)
tests_kit_facts_test_chip_schema_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_facts_test_facts_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_facts_test_pmu_facts_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_facts_test_pmu_facts_LDADD = $(TEST_LIBS)
tests_kit_facts_test_facts_LDADD = $(TEST_LIBS)
tests_kit_facts_test_facts_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_kit_facts_test_chip_schema_LDADD = $(TEST_LIBS)
tests_kit_facts_test_chip_schema_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_kit_facts_test_chip_LDADD = $(TEST_LIBS)
tests_kit_facts_test_chip_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_kit_test_require_SOURCES = tests/kit/test_require.c tests/core/run/broken_contract.h
tests_kit_test_require_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_test_require_LDADD = $(TEST_LIBS)
tests_kit_launch_test_chip_choice_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_launch_test_chip_choice_LDADD = $(TEST_LIBS)
tests_kit_launch_test_cutter_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_launch_test_cutter_LDADD = $(TEST_LIBS)
tests_kit_io_test_form_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_io_test_form_LDADD = $(TEST_LIBS)
tests_kit_launch_test_launch_reader_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_launch_test_launch_reader_LDADD = $(TEST_LIBS)
tests_kit_launch_test_launches_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_launch_test_launches_LDADD = $(TEST_LIBS)
tests_kit_io_test_room_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_io_test_room_LDADD = $(TEST_LIBS)

tests_kit_io_test_spool_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_io_test_spool_LDADD = $(TEST_LIBS)
tests_kit_io_test_tool_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_io_test_tool_LDADD = $(TEST_LIBS)
tests_kit_io_test_json_out_CPPFLAGS = $(TEST_CPPFLAGS) $(JANSSON_CFLAGS)
tests_kit_io_test_json_out_LDADD = $(TEST_LIBS) $(JANSSON_LIBS)
tests_kit_io_test_json_out_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_kit_io_test_lines_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_io_test_lines_LDADD = $(TEST_LIBS)
tests_kit_io_test_lines_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_kit_live_test_live_paths_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_live_test_live_paths_LDADD = $(TEST_LIBS)
tests_kit_live_test_live_host_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_live_test_live_host_LDADD = $(TEST_LIBS)
tests_kit_source_test_source_lines_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_source_test_source_lines_LDADD = $(TEST_LIBS) $(ELF_LIBS)
EXTRA_tests_kit_source_test_source_lines_DEPENDENCIES = $(test_kernels)
tests_kit_source_test_source_spans_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_source_test_source_spans_LDADD = $(TEST_LIBS)
endif

# Kernels with debug information, made by the compiler at hand without the build's own flags.
test_kernel_sources = tests/data/source/kernel.c tests/data/source/ascend-toolkit/run.h \
	tests/data/source/ascend-toolkit/vec.h
test_kernels = tests/data/source/dwarf4.o tests/data/source/dwarf5.o tests/data/source/dwarf4.so \
	tests/data/source/dwarf5.so tests/data/source/stripped.so tests/data/source/mapped.o
EXTRA_DIST += $(test_kernel_sources) tests/data/source/add_custom.cpp tests/data/source/mapped.S
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

if HAVE_CHECK
formula_tests = tests/kit/formula/test_formula tests/kit/formula/test_formula_random \
	tests/kit/metrics/test_metrics tests/kit/formula/test_whole
check_PROGRAMS += $(formula_tests)
TESTS += $(formula_tests)
tests_kit_formula_test_formula_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_formula_test_formula_LDADD = $(TEST_LIBS)
tests_kit_formula_test_formula_random_SOURCES = tests/kit/formula/test_formula_random.c $(formula_world)
tests_kit_formula_test_formula_random_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_formula_test_formula_random_LDADD = $(TEST_LIBS)
tests_kit_metrics_test_metrics_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_metrics_test_metrics_LDADD = $(TEST_LIBS)
tests_kit_formula_test_whole_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_formula_test_whole_LDADD = $(TEST_LIBS)
endif

FUZZERS += fuzz/fuzz_form
fuzz_fuzz_form_SOURCES = fuzz/fuzz_form.c $(FUZZ_SOURCES)
fuzz_fuzz_form_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_form_LDADD = $(FUZZ_LIBS)

FUZZERS += fuzz/fuzz_formula
fuzz_fuzz_formula_SOURCES = fuzz/fuzz_formula.c $(formula_world) $(FUZZ_SOURCES)
fuzz_fuzz_formula_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_formula_LDADD = $(FUZZ_LIBS)
