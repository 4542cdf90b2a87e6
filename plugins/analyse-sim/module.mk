# SPDX-License-Identifier: Apache-2.0
dist_rules_DATA += plugins/analyse-sim/rules/bank-conflicts.sql plugins/analyse-sim/rules/barriers.sql plugins/analyse-sim/rules/feeding-pipe.sql \
	plugins/analyse-sim/rules/healthy-operator.sql plugins/analyse-sim/rules/instruction-fetch.sql plugins/analyse-sim/rules/long-head.sql plugins/analyse-sim/rules/scalar-bound.sql plugins/analyse-sim/rules/short-moves.sql \
	plugins/analyse-sim/rules/short-vectors.sql plugins/analyse-sim/rules/single-buffer.sql plugins/analyse-sim/rules/unequal-cores.sql
dist_queries_DATA += plugins/analyse-sim/queries/beginning.sql plugins/analyse-sim/queries/cores.sql plugins/analyse-sim/queries/flag-waits.sql plugins/analyse-sim/queries/instructions.sql plugins/analyse-sim/queries/source-lines.sql
dist_facts_DATA += plugins/analyse-sim/facts/simulated.json
# Analyses of simulated cores, a folder each; what they share is in common/.
include plugins/analyse-sim/bandwidth/module.mk
include plugins/analyse-sim/details/module.mk
include plugins/analyse-sim/hotspot/module.mk
include plugins/analyse-sim/timeline/module.mk
nobase_dist_guides_DATA += plugins/analyse-sim/README.md plugins/analyse-sim/common/README.md
