# SPDX-License-Identifier: Apache-2.0
# The command, the assembler and the kernels of the build tree; what tests of live collection use as well.
AM_TESTS_ENVIRONMENT += \
	OPPROF_REFCHIP_COMMAND='$(abs_top_builddir)/$(emulated)refchip/opprof-refchip'; export OPPROF_REFCHIP_COMMAND; \
	REFCHIP_AS='$(abs_top_builddir)/$(emulated)refchip/refchip-as'; export REFCHIP_AS; \
	REFCHIP_KERNELS='$(abs_top_builddir)/refchip/kernels'; export REFCHIP_KERNELS; \
	OPPROF_INJECT_LIBRARY='$(abs_top_builddir)/inject/.libs/libopprof-inject.so'; export OPPROF_INJECT_LIBRARY;

refchip_tests = tests/refchip/test_operators.sh tests/refchip/test_live.sh
dist_check_SCRIPTS += $(refchip_tests)
# Programs that start others run on no emulator.
if !EMULATED
TESTS += $(refchip_tests)
endif
