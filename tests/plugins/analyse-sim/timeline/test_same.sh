#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sim-dump makes the same bytes in each run, however its threads take turns.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../../lib.sh"
# shellcheck source=tests/tools/ten_runs.sh
. "$root/tests/tools/ten_runs.sh"
gen_dump=${GEN_DUMP:-${TEST_TOOLS:-tests/tools}/gen_dump}
[ -x "$gen_dump" ] || fail "there is no $gen_dump"

"$gen_dump" --cores 3 --instructions 12000 --pcs 300 --marks 2 "$scratch/dump"
last=$(sed -n '$s/^[^0-9]*0*\([0-9]*\).*/\1/p' "$scratch/dump/core0.veccore0.instr_log.dump")
for core in 0 1 2; do # curves as well, as long as there are instructions that move memory
    for ((i = 0; i < 300; i++)); do
        echo "[info] $((last * i / 299)): BRIF send_cmd, size: 256, instr_id: $((1000 * core + i)), req_id: $i."
    done >"$scratch/dump/core$core.mte_log.dump"
done
ten_runs 0 --pipeline sim-dump --set "input=$scratch/dump" --set chip=Ascend910B1 \
    --set metrics=PipeUtilization,ResourceConflictRatio,PMSampling
# Cores that wait for one another: each of them draws its own end of an arrow.
ten_runs 0 --pipeline sim-dump --set "input=$root/tests/data/sim/a5_synthetic" \
    --set chip=Ascend950PR_9599
