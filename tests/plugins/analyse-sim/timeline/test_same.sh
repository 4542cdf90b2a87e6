#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sim-dump makes the same bytes in each run, however its threads take turns: ten runs, five of them at a time.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../../lib.sh"
gen_dump=${GEN_DUMP:-tests/tools/gen_dump}
[ -x "$gen_dump" ] || fail "there is no $gen_dump"

"$gen_dump" --cores 3 --instructions 12000 --pcs 300 --marks 2 "$scratch/dump"
for core in 0 1 2; do # curves as well
    for ((i = 0; i < 300; i++)); do
        echo "[info] $((1000 + 7 * i)): BRIF send_cmd, size: 256, instr_id: $((1000 * core + i)), req_id: $i."
    done >"$scratch/dump/core$core.mte_log.dump"
done
sim() {
    "$OPPROF_RUN" -q --pipeline sim-dump --set "input=$scratch/dump" --set chip=Ascend910B1 \
        --set metrics=PipeUtilization,ResourceConflictRatio,PMSampling --output "$scratch/$1" --flat >/dev/null
}
for first in 1 6; do
    running=()
    for ((run = first; run < first + 5; run++)); do
        sim "$run" &
        running+=($!)
    done
    for pid in "${running[@]}"; do
        wait "$pid" || fail "a run ends with exit code $?"
    done
done
for ((run = 2; run <= 10; run++)); do
    diff -r --brief --exclude=run.json "$scratch/1" "$scratch/$run" >&2 || fail "run $run made other bytes"
done
