# SPDX-License-Identifier: Apache-2.0
# What the collector does with the records of a program, for it and for tests that look inside.
noinst_LTLIBRARIES += plugins/collect-opencl/libopencl.la
plugins_collect_opencl_libopencl_la_SOURCES = \
	plugins/collect-opencl/clock.c plugins/collect-opencl/clock.h \
	plugins/collect-opencl/emit.c plugins/collect-opencl/emit.h \
	plugins/collect-opencl/emit_path.c plugins/collect-opencl/emit_tables.c plugins/collect-opencl/emit_words.c \
	plugins/collect-opencl/process.c plugins/collect-opencl/process.h \
	plugins/collect-opencl/report.c plugins/collect-opencl/report.h

plugin_LTLIBRARIES += plugins/collect-opencl/collect-opencl.la
plugins_collect_opencl_collect_opencl_la_SOURCES = plugins/collect-opencl/collect_opencl.c
plugins_collect_opencl_collect_opencl_la_CPPFLAGS = $(AM_CPPFLAGS) -DOPENCL_LIBRARY='"$(pkglibdir)/libopprof-opencl.so"'
plugins_collect_opencl_collect_opencl_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_opencl_collect_opencl_la_LIBADD = plugins/collect-opencl/libopencl.la $(PLUGIN_LIBADD)
nobase_dist_guides_DATA += plugins/collect-opencl/README.md

include tests/plugins/collect-opencl/module.mk

FUZZERS += fuzz/fuzz_opencl
fuzz_fuzz_opencl_SOURCES = fuzz/fuzz_opencl.c $(FUZZ_SOURCES)
fuzz_fuzz_opencl_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_opencl_LDADD = plugins/collect-opencl/.libs/libopencl.a $(FUZZ_LIBS)

SUITES += tests/plugins/collect-opencl/suites
tests_plugins_collect_opencl_suites_SOURCES = tests/plugins/collect-opencl/test_clock.c
tests_plugins_collect_opencl_suites_LDADD = plugins/collect-opencl/.libs/libopencl.a $(TEST_LIBS)
