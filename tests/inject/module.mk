# SPDX-License-Identifier: Apache-2.0
if HAVE_CHECK
check_PROGRAMS += tests/inject/test_arguments
TESTS += tests/inject/test_arguments
tests_inject_test_arguments_SOURCES = tests/inject/test_arguments.c inject/arguments.c
tests_inject_test_arguments_CPPFLAGS = $(TEST_CPPFLAGS)
tests_inject_test_arguments_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/inject/test_camodel
TESTS += tests/inject/test_camodel
tests_inject_test_camodel_SOURCES = tests/inject/test_camodel.c inject/camodel.c
tests_inject_test_camodel_CPPFLAGS = $(TEST_CPPFLAGS)
tests_inject_test_camodel_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/inject/test_kernels
TESTS += tests/inject/test_kernels
tests_inject_test_kernels_SOURCES = tests/inject/test_kernels.c inject/kernels.c
tests_inject_test_kernels_CPPFLAGS = $(TEST_CPPFLAGS)
tests_inject_test_kernels_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/inject/test_perfmon
TESTS += tests/inject/test_perfmon
tests_inject_test_perfmon_SOURCES = tests/inject/test_perfmon.c tests/inject/window_emulator.c tests/inject/window_emulator.h \
	inject/perfmon.c inject/perfmon.h
tests_inject_test_perfmon_CPPFLAGS = $(TEST_CPPFLAGS)
tests_inject_test_perfmon_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/inject/test_kernel_file
TESTS += tests/inject/test_kernel_file
tests_inject_test_kernel_file_SOURCES = tests/inject/test_kernel_file.c inject/kernel_file.c
tests_inject_test_kernel_file_CPPFLAGS = $(TEST_CPPFLAGS) $(JANSSON_CFLAGS)
tests_inject_test_kernel_file_LDADD = $(TEST_LIBS) $(JANSSON_LIBS)
endif
