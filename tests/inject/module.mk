# SPDX-License-Identifier: Apache-2.0
if HAVE_CHECK
check_PROGRAMS += tests/inject/ascend/test_arguments
TESTS += tests/inject/ascend/test_arguments
tests_inject_ascend_test_arguments_SOURCES = tests/inject/ascend/test_arguments.c inject/ascend/arguments.c
tests_inject_ascend_test_arguments_CPPFLAGS = $(TEST_CPPFLAGS)
tests_inject_ascend_test_arguments_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/inject/ascend/test_camodel
TESTS += tests/inject/ascend/test_camodel
tests_inject_ascend_test_camodel_SOURCES = tests/inject/ascend/test_camodel.c inject/ascend/camodel.c
tests_inject_ascend_test_camodel_CPPFLAGS = $(TEST_CPPFLAGS)
tests_inject_ascend_test_camodel_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/inject/ascend/test_kernels
TESTS += tests/inject/ascend/test_kernels
tests_inject_ascend_test_kernels_SOURCES = tests/inject/ascend/test_kernels.c inject/ascend/kernels.c
tests_inject_ascend_test_kernels_CPPFLAGS = $(TEST_CPPFLAGS)
tests_inject_ascend_test_kernels_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/inject/ascend/test_perfmon
TESTS += tests/inject/ascend/test_perfmon
tests_inject_ascend_test_perfmon_SOURCES = tests/inject/ascend/test_perfmon.c tests/inject/ascend/window_emulator.c tests/inject/ascend/window_emulator.h \
	inject/ascend/perfmon.c inject/ascend/perfmon.h
tests_inject_ascend_test_perfmon_CPPFLAGS = $(TEST_CPPFLAGS)
tests_inject_ascend_test_perfmon_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/inject/ascend/test_kernel_file
TESTS += tests/inject/ascend/test_kernel_file
tests_inject_ascend_test_kernel_file_SOURCES = tests/inject/ascend/test_kernel_file.c inject/ascend/kernel_file.c
tests_inject_ascend_test_kernel_file_CPPFLAGS = $(TEST_CPPFLAGS) $(JANSSON_CFLAGS)
tests_inject_ascend_test_kernel_file_LDADD = $(TEST_LIBS) $(JANSSON_LIBS)
endif
