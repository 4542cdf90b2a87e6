#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The native Perfetto trace, read by a reader of its own, has the slices, arrows and samples that
# the stages gave, and the same bytes in every run.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
data=$root/tests/data/sim
ports=(timeline.spans timeline.mark-spans timeline.miss-spans timeline.arrow-spans)

# run NAME INPUT CHIP [METRIC...]: into $scratch/NAME, ports into $scratch/NAME.PORT
run() {
    local taps=() port status=0
    for port in "${ports[@]}"; do
        taps+=(--tap "$port=$scratch/$1.$port")
    done
    "$OPPROF_RUN" -q --pipeline sim-dump --set "input=$2" --set "chip=$3" --set formats=perfetto \
        --set "metrics=PipeUtilization,ResourceConflictRatio${4-}" "${taps[@]}" \
        --output "$scratch/$1" --flat >/dev/null 2>"$scratch/err" || status=$?
    [ "$status" = 0 ] || [ "$status" = 4 ] || {
        cat -- "$scratch/err" >&2; fail "$1: exit code $status"
    }
}

# same NAME MHZ: what the trace has is what the ports gave
same() {
    local port taps=()
    for port in "${ports[@]}"; do
        [ ! -s "$scratch/$1.$port" ] || taps+=("$scratch/$1.$port")
    done
    python3 "$root/tests/tools/perfetto_decode.py" "$scratch/$1/trace.pftrace" "$2" "$scratch/$1" \
        "${taps[@]}" >"$scratch/out" 2>&1 || {
            cat -- "$scratch/out" >&2; fail "$1: another trace"
        }
}

while read -r set chip mhz more; do
    [ "$set" != mte_a2 ] || ports+=(bandwidth.curves)
    run "$set" "$data/$set" "$chip" "$more"
    same "$set" "$mhz"
    [ "$set" != mte_a2 ] || unset 'ports[-1]'
done <<'SETS'
a2_910B Ascend910B1 1850
a2_synthetic Ascend910B1 1850 ,Overhead
a5_synthetic Ascend950PR_9599 1800
mte_a2 Ascend910B4 1650 ,PMSampling
p310_310P Ascend310P1 1060
SETS

# Overlaps and flags without partner, in several documents.
for seed in 1 2; do
    python3 "$root/tests/tools/make_random_dump.py" "$seed" $((seed * 400)) "$scratch/dump$seed"
    run "random$seed" "$scratch/dump$seed" Ascend910B1
    same "random$seed" 1850
    run "again$seed" "$scratch/dump$seed" Ascend910B1
    cmp -- "$scratch/random$seed/trace.pftrace" "$scratch/again$seed/trace.pftrace" ||
        fail "seed $seed: other bytes"
done
