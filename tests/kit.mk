# SPDX-License-Identifier: Apache-2.0
# The base, the kit and the built-in record types.

# Sends the core's allocations through tests/core/base/failing_alloc.h.
WRAP_ALLOC = -Wl,--wrap=malloc,--wrap=calloc,--wrap=reallocarray,--wrap=strdup

EXTRA_DIST += tests/core/base/failing_alloc.h tests/core/scratch.h \
	tests/data/chips/installed/t100.json tests/data/chips/installed/t200.json \
	tests/data/chips/lab/t100.json \
	tests/data/chips/circular/c1.json tests/data/chips/circular/c2.json \
	tests/data/chips/circular/c3.json

if HAVE_CHECK
kit_tests = \
	tests/core/base/test_clock tests/core/base/test_error tests/core/base/test_log \
	tests/core/base/test_strings \
	tests/kit/time/test_busy_time tests/kit/chip/test_chip tests/core/base/test_json tests/kit/io/test_lines \
	tests/core/output/test_output tests/kit/source/test_source_lines tests/kit/source/test_source_spans \
	tests/core/base/test_text tests/core/stream/test_tracks \
	tests/core/stream/test_types
check_PROGRAMS += $(kit_tests)
TESTS += $(kit_tests)

tests_core_base_test_clock_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_clock_LDADD = $(TEST_LIBS)
tests_core_base_test_error_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_error_LDADD = $(TEST_LIBS)
tests_core_base_test_error_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_core_base_test_log_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_log_LDADD = $(TEST_LIBS)
tests_core_base_test_strings_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_strings_LDADD = $(TEST_LIBS)
tests_core_base_test_strings_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_kit_time_test_busy_time_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_time_test_busy_time_LDADD = $(TEST_LIBS)
tests_kit_chip_test_chip_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_chip_test_chip_LDADD = $(TEST_LIBS)
tests_kit_chip_test_chip_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_core_base_test_json_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_json_LDADD = $(TEST_LIBS)
tests_core_base_test_json_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_kit_io_test_lines_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_io_test_lines_LDADD = $(TEST_LIBS)
tests_kit_io_test_lines_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_core_output_test_output_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_output_test_output_LDADD = $(TEST_LIBS)
tests_core_output_test_output_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_kit_source_test_source_lines_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_source_test_source_lines_LDADD = $(TEST_LIBS) $(ELF_LIBS)
EXTRA_tests_kit_source_test_source_lines_DEPENDENCIES = $(test_kernels)
tests_kit_source_test_source_spans_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kit_source_test_source_spans_LDADD = $(TEST_LIBS)
tests_core_base_test_text_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_text_LDADD = $(TEST_LIBS) -lm
tests_core_stream_test_tracks_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_stream_test_tracks_LDADD = $(TEST_LIBS)
tests_core_stream_test_tracks_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_core_stream_test_types_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_stream_test_types_LDADD = $(TEST_LIBS)
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
