# SPDX-License-Identifier: Apache-2.0
# Each entry: a Check program of its own, named after the file it tests. Example:
#   if HAVE_CHECK
#   check_PROGRAMS += tests/core/stream/test_batch
#   TESTS += tests/core/stream/test_batch
#   tests_core_stream_test_batch_CPPFLAGS = $(TEST_CPPFLAGS)
#   tests_core_stream_test_batch_LDADD = $(TEST_LIBS)
#   endif
