# SPDX-License-Identifier: Apache-2.0
# Programs of OpenCL run on the machine's drivers; scripts/deps.sh brings one that needs no device.
EXTRA_DIST += tests/plugins/collect-opencl/account.py tests/plugins/collect-opencl/counting_layer.c tests/plugins/collect-opencl/driver.c tests/plugins/collect-opencl/program.c tests/plugins/collect-opencl/script.py
collect_opencl_scripts = tests/plugins/collect-opencl/test_opencl.sh
dist_check_SCRIPTS += $(collect_opencl_scripts)
if HAVE_OPENCL_LIBRARY
check_PROGRAMS += tests/plugins/collect-opencl/program
tests_plugins_collect_opencl_program_SOURCES = tests/plugins/collect-opencl/program.c
tests_plugins_collect_opencl_program_CPPFLAGS = -D_GNU_SOURCE
tests_plugins_collect_opencl_program_LDADD = -lOpenCL
check_LTLIBRARIES += tests/plugins/collect-opencl/counting_layer.la
tests_plugins_collect_opencl_counting_layer_la_SOURCES = tests/plugins/collect-opencl/counting_layer.c
tests_plugins_collect_opencl_counting_layer_la_CPPFLAGS = -D_GNU_SOURCE
tests_plugins_collect_opencl_counting_layer_la_CFLAGS = $(REPLACED_CFLAGS)
tests_plugins_collect_opencl_counting_layer_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath $(abs_builddir)
check_LTLIBRARIES += tests/plugins/collect-opencl/driver.la
tests_plugins_collect_opencl_driver_la_SOURCES = tests/plugins/collect-opencl/driver.c
tests_plugins_collect_opencl_driver_la_CPPFLAGS = -D_GNU_SOURCE
tests_plugins_collect_opencl_driver_la_CFLAGS = $(REPLACED_CFLAGS)
tests_plugins_collect_opencl_driver_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath $(abs_builddir)
if !EMULATED
if !SANITIZE
TESTS += $(collect_opencl_scripts)
endif
endif
endif
