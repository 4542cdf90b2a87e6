# SPDX-License-Identifier: Apache-2.0
dist_pipelines_DATA += pipelines/sim-dump.json
