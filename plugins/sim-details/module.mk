# SPDX-License-Identifier: Apache-2.0
# The parts, for the module, for sim-timeline (bytes of an instruction) and for tests that look inside.
noinst_LTLIBRARIES += plugins/sim-details/libparts.la
plugins_sim_details_libparts_la_SOURCES = \
	plugins/sim-details/core_details.c plugins/sim-details/core_details.h \
	plugins/sim-details/live_registers.c plugins/sim-details/live_registers.h \
	plugins/sim-common/names.c plugins/sim-common/names.h \
	plugins/sim-common/operands.c plugins/sim-common/operands.h \
	plugins/sim-details/pc_table.c plugins/sim-details/pc_table.h \
	plugins/sim-common/process_bytes.c plugins/sim-common/process_bytes.h \
	plugins/sim-details/vector_unit.c plugins/sim-details/vector_unit.h

plugin_LTLIBRARIES += plugins/sim-details/sim-details.la
plugins_sim_details_sim_details_la_SOURCES = plugins/sim-details/sim_details.c
plugins_sim_details_sim_details_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_sim_details_sim_details_la_LIBADD = plugins/sim-details/libparts.la $(PLUGIN_LIBADD)
EXTRA_DIST += plugins/sim-common/README.md plugins/sim-details/README.md

dist_check_SCRIPTS += tests/plugins/sim-details/test_random_code.sh
TESTS += tests/plugins/sim-details/test_random_code.sh
EXTRA_DIST += tests/tools/details_model.py tests/tools/make_random_code.py

FUZZERS += fuzz/fuzz_sim_details
fuzz_fuzz_sim_details_SOURCES = fuzz/fuzz_sim_details.c $(FUZZ_SOURCES)
fuzz_fuzz_sim_details_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_sim_details_LDFLAGS = $(FUZZ_LINKFLAGS)
fuzz_fuzz_sim_details_LDADD = plugins/sim-details/libparts.la $(FUZZ_LIBS)

include tests/plugins/sim-details/module.mk
