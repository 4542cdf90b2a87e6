# SPDX-License-Identifier: Apache-2.0
# The injection library: preloaded into a program, it brings the launches of its operators to a collector.
# It links nothing but the C library.
injectdir = $(pkglibdir)
inject_LTLIBRARIES = inject/libopprof-inject.la
inject_libopprof_inject_la_SOURCES = \
	inject/arguments.c inject/board.c inject/board.h inject/calls.c inject/camodel.c inject/channels.c inject/device.c inject/driver.c inject/hooks.c inject/hooks.h inject/hooks_arguments.c inject/hooks_memory.c inject/hooks_range.c inject/inject.h inject/instrument.c inject/kernels.c inject/lacks.c inject/launch.c inject/link.c \
	inject/mc2.c inject/mc2.h inject/memory.c inject/monitors.c inject/mstx.c inject/notes.c inject/originals.c inject/perfmon.c inject/perfmon.h inject/plan.c inject/range.c inject/range.h inject/register_window.h inject/simulated.c inject/unprofiled.c refchip/abi.h refchip/chip/dvc.h refchip/hal_abi.h refchip/hccl_abi.h
inject_libopprof_inject_la_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir) -I$(top_srcdir)/kit/include
inject_libopprof_inject_la_CFLAGS = $(REPLACED_CFLAGS) -fvisibility=hidden
inject_libopprof_inject_la_LDFLAGS = $(AM_LDFLAGS) -avoid-version -shared
inject_libopprof_inject_la_LIBADD = $(DL_LIBS)
nobase_dist_guides_DATA += inject/README.md

# The program that launches a kernel which a document describes; it opens the runtime itself.
injectprogramsdir = $(pkglibdir)
injectprograms_PROGRAMS = inject/opprof-launch-kernel
inject_opprof_launch_kernel_SOURCES = inject/launch_kernel.c inject/kernel_file.c inject/kernel_file.h refchip/abi.h
inject_opprof_launch_kernel_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir) $(JANSSON_CFLAGS)
inject_opprof_launch_kernel_LDADD = $(JANSSON_LIBS) $(DL_LIBS)
include tests/inject/module.mk

FUZZERS += fuzz/fuzz_plan
fuzz_fuzz_plan_SOURCES = fuzz/fuzz_plan.c inject/plan.c $(FUZZ_SOURCES)
fuzz_fuzz_plan_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_plan_LDADD = $(FUZZ_LIBS)

EXTRA_PROGRAMS += bench/bench_perfmon
BENCHES += perfmon=bench/bench_perfmon
bench_bench_perfmon_SOURCES = bench/bench_perfmon.c inject/perfmon.c inject/perfmon.h \
	tests/inject/window_emulator.c tests/inject/window_emulator.h $(BENCH_SOURCES)
bench_bench_perfmon_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_perfmon_LDADD = $(BENCH_LIBS)
