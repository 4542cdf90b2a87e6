# SPDX-License-Identifier: Apache-2.0
# The injection library: preloaded into a program, it brings the launches of its operators to a collector.
# It links nothing but the C library.
injectdir = $(pkglibdir)
inject_LTLIBRARIES = inject/libopprof-inject.la
inject_libopprof_inject_la_SOURCES = \
	inject/board.c inject/board.h inject/calls.c inject/camodel.c inject/channels.c inject/device.c inject/driver.c inject/hooks.c inject/inject.h inject/kernels.c inject/launch.c inject/link.c \
	inject/memory.c inject/mstx.c inject/notes.c inject/originals.c inject/plan.c refchip/abi.h refchip/chip/dvc.h refchip/hal_abi.h
inject_libopprof_inject_la_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir) -I$(top_srcdir)/kit/include
inject_libopprof_inject_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
inject_libopprof_inject_la_LDFLAGS = $(AM_LDFLAGS) -avoid-version -shared
inject_libopprof_inject_la_LIBADD = $(DL_LIBS)
dist_noinst_DATA += inject/README.md
include tests/inject/module.mk

FUZZERS += fuzz/fuzz_plan
fuzz_fuzz_plan_SOURCES = fuzz/fuzz_plan.c inject/plan.c $(FUZZ_SOURCES)
fuzz_fuzz_plan_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_plan_LDFLAGS = $(FUZZ_LINKFLAGS)
fuzz_fuzz_plan_LDADD = $(FUZZ_LIBS)
