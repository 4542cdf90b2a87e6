# SPDX-License-Identifier: Apache-2.0
# The injection library: preloaded into a program, it brings the launches of its operators to a collector.
# It links nothing but the C library.
injectdir = $(pkglibdir)
inject_perfmon = inject/ascend/perfmon.c inject/ascend/perfmon.h
inject_LTLIBRARIES = inject/libopprof-inject.la
inject_libopprof_inject_la_SOURCES = \
	inject/ascend/arguments.c inject/ascend/ascend.h inject/ascend/board.c inject/ascend/board.h inject/ascend/camodel.c inject/ascend/log_record.h \
	inject/ascend/capture.c inject/ascend/capture.h inject/ascend/channels.c inject/ascend/collector.c inject/ascend/device.c inject/ascend/driver.c inject/ascend/execute.c inject/ascend/graphs.c inject/ascend/graphs.h inject/ascend/hooks.c inject/ascend/hooks.h \
	inject/ascend/hooks_arguments.c inject/ascend/hooks_capture.c inject/ascend/hooks_memory.c inject/ascend/hooks_range.c inject/ascend/hooks_rts.c inject/ascend/instrument.c \
	inject/ascend/kept.c inject/ascend/kernels.c inject/ascend/missing.c inject/ascend/launch.c inject/ascend/mc2.c inject/ascend/mc2.h \
	inject/ascend/memory.c inject/ascend/monitors.c inject/ascend/mstx.c refchip/mstx_abi.h $(inject_perfmon) \
	inject/ascend/plan.c inject/ascend/range.c inject/ascend/range.h inject/ascend/register_window.h inject/ascend/simulated.c \
	inject/ascend/unprofiled.c inject/ascend/wanted.c inject/ascend/watch.c inject/link/calls.c inject/link/first.c inject/link/forks.c inject/link/link.c inject/link/link.h inject/link/mute.c inject/link/notes.c \
	inject/ascend/originals.c
inject_libopprof_inject_la_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir) -I$(top_srcdir)/kit/include
inject_libopprof_inject_la_CFLAGS = $(REPLACED_CFLAGS) -fvisibility=hidden
inject_libopprof_inject_la_LDFLAGS = $(AM_LDFLAGS) -avoid-version -shared
inject_libopprof_inject_la_LIBADD = $(DL_LIBS)
nobase_dist_guides_DATA += inject/README.md

# The layer for OpenCL, where its headers are: the program's own loader calls it.
inject_link = inject/link/calls.c inject/link/forks.c inject/link/link.c inject/link/link.h inject/link/mute.c inject/link/notes.c
inject_opencl = inject/opencl/calls.inc inject/opencl/commands.inc inject/opencl/devices.c inject/opencl/extensions.c inject/opencl/helper.c inject/opencl/hooks_calls.c inject/opencl/hooks_commands.c \
	inject/opencl/hooks_kernels.c inject/opencl/hooks_memory.c inject/opencl/hooks_queues.c inject/opencl/layer.c inject/opencl/objects.c \
	inject/opencl/opencl.h inject/opencl/pending.c inject/opencl/recorder.c
EXTRA_DIST += $(inject_opencl)
if HAVE_OPENCL
inject_LTLIBRARIES += inject/libopprof-opencl.la
inject_libopprof_opencl_la_SOURCES = $(inject_opencl) inject/link/first.c $(inject_link)
inject_libopprof_opencl_la_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir) -I$(top_srcdir)/kit/include
inject_libopprof_opencl_la_CFLAGS = $(REPLACED_CFLAGS) -fvisibility=hidden
inject_libopprof_opencl_la_LDFLAGS = $(AM_LDFLAGS) -avoid-version -shared
inject_libopprof_opencl_la_LIBADD = $(DL_LIBS)
endif

# The program that launches a kernel which a document describes; it opens the runtime itself.
injectprogramsdir = $(pkglibdir)
injectprograms_PROGRAMS = inject/opprof-launch-kernel
inject_opprof_launch_kernel_SOURCES = inject/ascend/launch_kernel.c inject/ascend/kernel_file.c inject/ascend/kernel_file.h
inject_opprof_launch_kernel_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir) $(JANSSON_CFLAGS)
inject_opprof_launch_kernel_LDADD = $(JANSSON_LIBS) $(DL_LIBS)
include tests/inject/module.mk

FUZZERS += fuzz/fuzz_plan
fuzz_fuzz_plan_SOURCES = fuzz/fuzz_plan.c inject/ascend/plan.c $(FUZZ_SOURCES)
fuzz_fuzz_plan_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_plan_LDADD = $(FUZZ_LIBS)

EXTRA_PROGRAMS += bench/bench_perfmon
BENCHES += perfmon=bench/bench_perfmon
bench_bench_perfmon_SOURCES = bench/bench_perfmon.c $(inject_perfmon) \
	$(inject_window_emulator) $(BENCH_SOURCES)
bench_bench_perfmon_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_perfmon_LDADD = $(BENCH_LIBS)
