# SPDX-License-Identifier: Apache-2.0
dist_pipelines_DATA += \
	pipelines/biu-dump.json \
	pipelines/dbi-dump.json \
	pipelines/kineto.json \
	pipelines/mc2-dump.json \
	pipelines/mindspore-dump.json \
	pipelines/onboard-dump.json \
	pipelines/onboard-live.json \
	pipelines/opencl-live.json \
	pipelines/show.json \
	pipelines/sim-dump.json \
	pipelines/sim-live.json
