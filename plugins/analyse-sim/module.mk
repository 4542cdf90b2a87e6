# SPDX-License-Identifier: Apache-2.0
dist_rules_DATA += plugins/analyse-sim/rules/bank-conflicts.sql plugins/analyse-sim/rules/barriers.sql plugins/analyse-sim/rules/feeding-pipe.sql \
	plugins/analyse-sim/rules/healthy-operator.sql plugins/analyse-sim/rules/instruction-fetch.sql plugins/analyse-sim/rules/long-head.sql plugins/analyse-sim/rules/scalar-bound.sql plugins/analyse-sim/rules/short-moves.sql \
	plugins/analyse-sim/rules/short-vectors.sql plugins/analyse-sim/rules/single-buffer.sql plugins/analyse-sim/rules/unequal-cores.sql
dist_queries_DATA += plugins/analyse-sim/queries/beginning.sql plugins/analyse-sim/queries/cores.sql plugins/analyse-sim/queries/flag-waits.sql plugins/analyse-sim/queries/instructions.sql plugins/analyse-sim/queries/source-lines.sql
dist_facts_DATA += plugins/analyse-sim/facts/simulated.json
# What the modules share, for them and for tests that look inside.
noinst_LTLIBRARIES += plugins/analyse-sim/libcommon.la
plugins_analyse_sim_libcommon_la_SOURCES = \
	plugins/analyse-sim/common/byte_search.h \
	plugins/analyse-sim/common/dialect.c plugins/analyse-sim/common/dialect.h \
	plugins/analyse-sim/common/dump_kernel.c plugins/analyse-sim/common/dump_kernel.h \
	plugins/analyse-sim/common/instruction_facts.c plugins/analyse-sim/common/instruction_facts.h \
	plugins/analyse-sim/common/kernel.c plugins/analyse-sim/common/kernel.h \
	plugins/analyse-sim/common/launches.c plugins/analyse-sim/common/launches.h \
	plugins/analyse-sim/common/names.c plugins/analyse-sim/common/names.h \
	plugins/analyse-sim/common/operands.c plugins/analyse-sim/common/operands.h \
	plugins/analyse-sim/common/process_bytes.c plugins/analyse-sim/common/process_bytes.h
ANALYSE_SIM_LIBADD = plugins/analyse-sim/libcommon.la $(PLUGIN_LIBADD)
# Analyses of simulated cores, a folder each.
include plugins/analyse-sim/bandwidth/module.mk
include plugins/analyse-sim/details/module.mk
include plugins/analyse-sim/hotspot/module.mk
include plugins/analyse-sim/timeline/module.mk
nobase_dist_guides_DATA += plugins/analyse-sim/README.md plugins/analyse-sim/common/README.md
