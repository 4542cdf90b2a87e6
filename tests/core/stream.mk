# SPDX-License-Identifier: Apache-2.0
# Batches and streams.
EXTRA_DIST += tests/core/stream/stream_test.h

if HAVE_CHECK
stream_tests = \
	tests/core/stream/test_batch tests/core/stream/test_data_stream \
	tests/core/stream/test_data_stream_stress
check_PROGRAMS += $(stream_tests)
TESTS += $(stream_tests)

tests_core_stream_test_batch_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_stream_test_batch_LDADD = $(CORE_TEST_LIBS)
tests_core_stream_test_data_stream_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_stream_test_data_stream_LDADD = $(CORE_TEST_LIBS)
tests_core_stream_test_data_stream_stress_CPPFLAGS = $(TEST_CPPFLAGS)
tests_core_stream_test_data_stream_stress_LDADD = $(CORE_TEST_LIBS)
endif
