# SPDX-License-Identifier: Apache-2.0
# What authors of plugins test with: a library, and a program that checks a module. Uses only the public headers of the core.
opprofinclude_HEADERS += harness/include/opprof/harness.h
HARNESS_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/harness/include

pkgconfig_DATA += harness/opprof-harness.pc
CLEANFILES += harness/opprof-harness.pc
harness/opprof-harness.pc: $(top_srcdir)/harness/opprof-harness.pc.in $(top_builddir)/config.status
	$(AM_V_GEN)./config.status -q --file=$@:$<

lib_LTLIBRARIES += harness/libopprof-harness.la
harness_tasks = harness/tasks.c harness/tasks.h
harness_libopprof_harness_la_SOURCES = harness/harness.c $(harness_tasks)
harness_libopprof_harness_la_CPPFLAGS = $(HARNESS_CPPFLAGS)
harness_libopprof_harness_la_LIBADD = $(LIBOPPROF)
harness_libopprof_harness_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined \
	-Wl,--version-script=$(top_srcdir)/harness/libopprof-harness.map
harness_libopprof_harness_la_DEPENDENCIES = core/libopprof.symbols harness/libopprof-harness.map
EXTRA_DIST += harness/libopprof-harness.map harness/opprof-harness.pc.in
# As core/module.mk has it for the core's library.
LIBOPPROF_HARNESS = $(if $@,harness/libopprof-harness.la,harness/libopprof-harness.symbols)
harness/libopprof-harness.symbols: harness/libopprof-harness.map | harness/libopprof-harness.la
	$(AM_V_at)cat $< >$@
CLEANFILES += harness/libopprof-harness.symbols

bin_PROGRAMS += harness/check/opprof-plugin-check
harness_check_opprof_plugin_check_SOURCES = \
	harness/check/allocations.c \
	harness/check/allocations.h \
	harness/check/cases.c \
	harness/check/cases.h \
	harness/check/child.c \
	harness/check/child.h \
	harness/check/module.c \
	harness/check/module.h \
	harness/check/opprof_plugin_check.c \
	harness/check/replay.c \
	harness/check/replay.h \
	harness/check/samples.c \
	harness/check/samples.h \
	$(harness_tasks)
harness_check_opprof_plugin_check_CPPFLAGS = $(HARNESS_CPPFLAGS) $(ELF_CFLAGS)
harness_check_opprof_plugin_check_LDADD = $(LIBOPPROF_HARNESS) $(LIBOPPROF) $(ELF_LIBS)

include tests/harness/module.mk
