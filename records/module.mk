# SPDX-License-Identifier: Apache-2.0
# Record types that families exchange. Header only.
opprofrecordsincludedir = $(includedir)/opprof/records
opprofrecordsinclude_HEADERS = \
	records/include/opprof/records/activity.h records/include/opprof/records/block.h records/include/opprof/records/dbi.h \
	records/include/opprof/records/grid.h records/include/opprof/records/host.h records/include/opprof/records/hotspot.h \
	records/include/opprof/records/mindspore.h \
	records/include/opprof/records/onboard.h records/include/opprof/records/path.h \
	records/include/opprof/records/rank_file.h records/include/opprof/records/sim.h records/include/opprof/records/subject.h

include tests/records/module.mk

# Modules of all families, fed with records that are odd.
FUZZERS += fuzz/fuzz_records
fuzz_fuzz_records_SOURCES = fuzz/fuzz_records.c $(FUZZ_PLUGIN_FILES)
fuzz_fuzz_records_CPPFLAGS = $(FUZZ_CPPFLAGS) -I$(top_srcdir)/records/include -DFUZZ_CHIPS_DIR='"$(abs_top_srcdir)/chips"' \
	-DFUZZ_MODULE_PATH='"$(subst $(space),:,$(module_dirs))"'
fuzz_fuzz_records_LDADD = $(FUZZ_MAIN) $(LIBOPPROF) $(JANSSON_LIBS)
EXTRA_fuzz_fuzz_records_DEPENDENCIES = $(plugin_LTLIBRARIES)
