# SPDX-License-Identifier: Apache-2.0
inject_window_emulator = tests/inject/ascend/window_emulator.c tests/inject/ascend/window_emulator.h
SUITES += tests/inject/ascend/suites
tests_inject_ascend_suites_SOURCES = \
	inject/ascend/arguments.c \
	inject/ascend/camodel.c \
	inject/ascend/kernel_file.c \
	inject/ascend/kernels.c \
	inject/link/forks.c \
	$(inject_perfmon) \
	$(inject_window_emulator) \
	tests/inject/ascend/test_arguments.c \
	tests/inject/ascend/test_camodel.c \
	tests/inject/ascend/test_kernel_file.c \
	tests/inject/ascend/test_kernels.c \
	tests/inject/ascend/test_perfmon.c
tests_inject_ascend_suites_LDADD = $(TEST_LIBS) $(JANSSON_LIBS)

# It compiles for itself: the functions are assembly, which differs from machine to machine.
dist_check_SCRIPTS += tests/inject/test_trampolines.sh
EXTRA_DIST += tests/inject/ascend/trampolines.c
if !EMULATED
TESTS += tests/inject/test_trampolines.sh
endif
