# SPDX-License-Identifier: Apache-2.0
dist_facts_DATA += plugins/analyse-sim/facts/simulated.json
# Analyses of simulated cores, a folder each; what they share is in common/.
include plugins/analyse-sim/bandwidth/module.mk
include plugins/analyse-sim/details/module.mk
include plugins/analyse-sim/hotspot/module.mk
include plugins/analyse-sim/timeline/module.mk
nobase_dist_guides_DATA += plugins/analyse-sim/README.md plugins/analyse-sim/common/README.md
