# SPDX-License-Identifier: Apache-2.0
plugin_LTLIBRARIES += plugins/collect-mindspore/collect-mindspore.la
plugins_collect_mindspore_collect_mindspore_la_SOURCES = plugins/collect-mindspore/collect_mindspore.c \
	plugins/collect-mindspore/files.c plugins/collect-mindspore/files.h \
	plugins/collect-mindspore/recognise.c plugins/collect-mindspore/recognise.h
plugins_collect_mindspore_collect_mindspore_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_collect_mindspore_collect_mindspore_la_LIBADD = $(PLUGIN_LIBADD)
nobase_dist_guides_DATA += plugins/collect-mindspore/README.md

include tests/plugins/collect-mindspore/module.mk

# The stages of the real modules.
FUZZERS += fuzz/fuzz_mindspore
fuzz_fuzz_mindspore_SOURCES = fuzz/fuzz_mindspore.c $(FUZZ_LAUNCH_FILES)
fuzz_fuzz_mindspore_CPPFLAGS = $(FUZZ_LAUNCH_CPPFLAGS)
fuzz_fuzz_mindspore_LDADD = $(FUZZ_MAIN) $(LIBOPPROF_KIT) $(LIBOPPROF)
EXTRA_fuzz_fuzz_mindspore_DEPENDENCIES = $(plugin_LTLIBRARIES)
