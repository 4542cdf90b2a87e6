#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The installed queries have answers in the databases of the pipelines that they are for, equal to
# the CSV files.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
data=$root/tests/data

# run PIPELINE INPUT [OPTION...]: into $scratch/PIPELINE
run() {
    local pipeline=$1 input=$2
    shift 2
    "$OPPROF_RUN" --pipeline "$pipeline" --set "input=$input" --set formats=spans "$@" \
        --output "$scratch/$pipeline" --flat >"$scratch/out" 2>"$scratch/err" || {
            cat -- "$scratch/err" >&2; fail "$pipeline: exit code $?"
        }
}

run sim-dump "$data/sim/a2_synthetic" --set chip=Ascend910B1 \
    --set "kernel=${TEST_KERNELS:?}/mapped.o"
"${TEST_TOOLS:?}/gen_onboard" --describe "$root/examples/onboard/matmul.txt" --name matmul_bias \
    --blocks 4 "$scratch/raw"
run onboard-dump "$scratch/raw"
pipelines=(sim-dump onboard-dump)
if "$OPPROF_RUN" --list | grep collect-kineto >"$scratch/kineto.txt"; then
    run kineto "$data/kineto/sampled_rank-0.json.gz"
    pipelines+=(kineto)
fi
python3 "$root/tests/plugins/export/queries.py" "$OPPROF_RUN" "$scratch" "${pipelines[@]}" ||
    fail "queries"
