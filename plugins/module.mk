# SPDX-License-Identifier: Apache-2.0
# A module sees the installed public headers and nothing else, exports its descriptor and nothing else.
PLUGIN_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -Wl,--version-script=$(top_srcdir)/plugins/module.map $(MODULE_DEFS)
EXTRA_DIST += plugins/module.map
PLUGIN_LIBADD = $(LIBOPPROF_KIT) $(LIBOPPROF) -lm

TEST_HARNESS += tests/plugins/libharness.a
if HAVE_CHECK
check_LIBRARIES += tests/plugins/libharness.a
tests_plugins_libharness_a_SOURCES = tests/plugins/harness.c tests/plugins/harness.h
endif
tests_plugins_libharness_a_CPPFLAGS = $(TEST_CPPFLAGS)
