# SPDX-License-Identifier: Apache-2.0
# The parts, for the module and for tests that look inside.
noinst_LTLIBRARIES += plugins/analyse-sim/details/libdetails.la
plugins_analyse_sim_details_libdetails_la_SOURCES = \
	plugins/analyse-sim/details/core_details.c plugins/analyse-sim/details/core_details.h \
	plugins/analyse-sim/details/live_registers.c plugins/analyse-sim/details/live_registers.h \
	plugins/analyse-sim/details/pc_table.c plugins/analyse-sim/details/pc_table.h \
	plugins/analyse-sim/details/vector_unit.c plugins/analyse-sim/details/vector_unit.h

plugin_LTLIBRARIES += plugins/analyse-sim/details/sim-details.la
plugins_analyse_sim_details_sim_details_la_SOURCES = plugins/analyse-sim/details/sim_details.c
plugins_analyse_sim_details_sim_details_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_sim_details_sim_details_la_LIBADD = plugins/analyse-sim/details/libdetails.la $(ANALYSE_SIM_LIBADD)
nobase_dist_guides_DATA += plugins/analyse-sim/details/README.md

sim_details_scripts = tests/plugins/analyse-sim/details/test_random_code.sh
dist_check_SCRIPTS += $(sim_details_scripts)
TESTS += $(sim_details_scripts)
EXTRA_DIST += tests/tools/details_model.py tests/tools/make_random_code.py

FUZZERS += fuzz/fuzz_sim_details
fuzz_fuzz_sim_details_SOURCES = fuzz/fuzz_sim_details.c $(FUZZ_SOURCES)
fuzz_fuzz_sim_details_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_CHIPS_DIR='"$(abs_top_srcdir)/chips"'
fuzz_fuzz_sim_details_LDADD = plugins/analyse-sim/details/.libs/libdetails.a plugins/analyse-sim/.libs/libcommon.a $(FUZZ_LIBS)

include tests/plugins/analyse-sim/details/module.mk
