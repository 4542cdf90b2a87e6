#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# opprof-run of the tar file that scripts/portable.sh makes: names the folders beside it, wherever
# it was unpacked.
self=$(readlink -f -- "$0")
tree=$(dirname -- "$(dirname -- "$self")")
share=$tree/share/opprof
plugins=$(echo "$tree"/lib/opprof/plugins-*)
export OPPROF_SYSTEM_PLUGIN_PATH="${OPPROF_SYSTEM_PLUGIN_PATH-$plugins}"
export OPPROF_SYSTEM_CHIP_PATH="${OPPROF_SYSTEM_CHIP_PATH-$share/facts:$share/chips}"
export OPPROF_SYSTEM_RULES_PATH="${OPPROF_SYSTEM_RULES_PATH-$share/rules}"
export OPPROF_SYSTEM_QUERIES_PATH="${OPPROF_SYSTEM_QUERIES_PATH-$share/queries}"
export OPPROF_PIPELINE_PATH="${OPPROF_PIPELINE_PATH:+$OPPROF_PIPELINE_PATH:}$share/pipelines"
export OPPROF_INJECT_LIBRARY="${OPPROF_INJECT_LIBRARY-$tree/lib/opprof/libopprof-inject.so}"
export OPPROF_OPENCL_LIBRARY="${OPPROF_OPENCL_LIBRARY-$tree/lib/opprof/libopprof-opencl.so}"
export OPPROF_LAUNCHER="${OPPROF_LAUNCHER-$tree/lib/opprof/opprof-launch-kernel}"
exec "$tree/libexec/opprof-run" "$@"
