# SPDX-License-Identifier: Apache-2.0
dist_pipelines_DATA += pipelines/kineto.json pipelines/dbi-dump.json pipelines/onboard-dump.json pipelines/sim-dump.json
