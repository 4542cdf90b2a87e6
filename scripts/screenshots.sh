#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures in docs/images, in a headless Chromium: the page of a simulated operator, of
# one on a device, and of a framework's trace; what a notebook shows of the trace.
#
#   scripts/screenshots.sh BUILD/run.env      made by `make run.env` there
set -euo pipefail

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=/dev/null
. "${1:?usage: screenshots.sh BUILD/run.env}"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/opprof-pictures.XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT

# page NAME PIPELINE INPUT OPTION…: a page in $scratch/NAME
page() {
    "$OPPROF_RUN" --pipeline "$2" --set "input=$3" --output "$scratch/$1" --flat -q "${@:4}" \
        >/dev/null
}

"$TEST_TOOLS/gen_onboard" --describe "$root/examples/onboard/matmul.txt" --name matmul_bias \
    --blocks 24 "$scratch/raw" >/dev/null
"$root/examples/dump/make_dump.sh" "$scratch/dump" 300 4 >/dev/null
page onboard onboard-dump "$scratch/raw" --set title=raw --set metrics=default,roofline,occupancy
page sim sim-dump "$scratch/dump" --set title=dump --set chip=Ascend910B1
# Pictures show the paths of inputs: short ones.
cd "$root/tests/data/kineto"
page kineto kineto sampled_rank-0.json.gz
PYTHONPATH=$root/python python3 -B "$root/tests/python/notebook_page.py" "$scratch/kineto" \
    "$scratch/notebook"
python3 -B "$root/tests/plugins/viz-html/pictures.py" "$scratch" "$root/docs/images"
