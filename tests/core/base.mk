# SPDX-License-Identifier: Apache-2.0
# The base, the output and the built-in record types.

# Sends the core's allocations through tests/core/base/failing_alloc.h.
WRAP_ALLOC = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray,--wrap=strdup

EXTRA_DIST += tests/core/base/failing_alloc.h tests/core/resident.h tests/core/scratch.h

if HAVE_CHECK
base_tests = \
	tests/core/base/test_clock \
	tests/core/base/test_error \
	tests/core/base/test_json \
	tests/core/base/test_library \
	tests/core/base/test_log \
	tests/core/base/test_strings \
	tests/core/base/test_text \
	tests/core/output/test_output \
	tests/core/recording/test_recording \
	tests/core/stream/test_tracks
check_PROGRAMS += $(base_tests)
TESTS += $(base_tests)

tests_core_base_test_clock_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_clock_LDADD = $(CORE_TEST_LIBS)
tests_core_base_test_error_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_error_LDADD = $(CORE_TEST_LIBS)
tests_core_base_test_error_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_core_base_test_log_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_log_LDADD = $(CORE_TEST_LIBS)
tests_core_base_test_strings_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_strings_LDADD = $(CORE_TEST_LIBS)
tests_core_base_test_strings_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_core_base_test_library_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_library_LDADD = $(CORE_TEST_LIBS)
tests_core_base_test_json_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_json_LDADD = $(CORE_TEST_LIBS)
tests_core_base_test_json_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_core_output_test_output_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_output_test_output_LDADD = $(CORE_TEST_LIBS)
tests_core_output_test_output_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
tests_core_base_test_text_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_base_test_text_LDADD = $(CORE_TEST_LIBS) -lm
tests_core_recording_test_recording_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_recording_test_recording_LDADD = $(CORE_TEST_LIBS)
tests_core_stream_test_tracks_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_stream_test_tracks_LDADD = $(CORE_TEST_LIBS)
tests_core_stream_test_tracks_LDFLAGS = $(AM_LDFLAGS) $(WRAP_ALLOC)
endif
