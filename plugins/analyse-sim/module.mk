# SPDX-License-Identifier: Apache-2.0
dist_queries_DATA += plugins/analyse-sim/queries/beginning.sql plugins/analyse-sim/queries/cores.sql plugins/analyse-sim/queries/flag-waits.sql plugins/analyse-sim/queries/instructions.sql plugins/analyse-sim/queries/source-lines.sql
dist_facts_DATA += plugins/analyse-sim/facts/simulated.json
# Analyses of simulated cores, a folder each; what they share is in common/.
include plugins/analyse-sim/bandwidth/module.mk
include plugins/analyse-sim/details/module.mk
include plugins/analyse-sim/hotspot/module.mk
include plugins/analyse-sim/timeline/module.mk
nobase_dist_guides_DATA += plugins/analyse-sim/README.md plugins/analyse-sim/common/README.md
