#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every ready pipeline of two builds over all test data, and over data that the generators make of it, and compares
# all files that come out; but for the -live ones, which start programs, and whose results the tests compare with those
# of a dump. Events of a trace and rows of a table may change places; run.json, advice.csv and the container's advice
# are left out, since these are not what was measured.
#
#   scripts/compare_outputs.sh OLD NEW [WORK]    OLD and NEW: files that set OPPROF_RUN, OPPROF_PLUGIN_PATH,
#                                                OPPROF_CHIP_PATH and OPPROF_PIPELINE_PATH; `make run.env` writes one
#
# Exits with 0 if nothing differs. What came out stays in WORK/old and WORK/new, if WORK is given.
set -uo pipefail

# shellcheck source=tests/tools/ready_inputs.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../tests/tools/ready_inputs.sh"
root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
usage() { sed -n '4,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
if [ $# -lt 2 ] || [ ! -f "$1" ] || [ ! -f "$2" ]; then
    usage
fi
old=$(realpath -- "$1")
new=$(realpath -- "$2")
if [ $# -gt 2 ]; then
    mkdir -p -- "$3" && work=$(realpath -- "$3") || exit 2
else
    work=$(mktemp -d "${TMPDIR:-/tmp}/opprof-compare.XXXXXX") || exit 2
    trap 'rm -rf -- "$work"' EXIT
fi
rm -rf -- "$work/old" "$work/new" "$work/data"
mkdir -p -- "$work/old" "$work/new" "$work/data"
data=$root/tests/data

# The generators of the new build make what both read.
# told_by FILE NAME: a variable that the file sets
told_by() {
    # shellcheck disable=SC1090 # what the caller names
    (. "$1" && printf %s "${!2:?is not set in $1}")
}
generators=$(told_by "$new" TEST_TOOLS) || usage
kernels=$(told_by "$new" TEST_KERNELS) || usage
sim_metrics=PipeUtilization,ResourceConflictRatio,PMSampling,Overhead

# cases: lines of NAME PIPELINE INPUT [OPTION...]
cases() {
    local set chip seed kind file pipeline words
    while read -r set chip; do
        printf '%s sim-dump %s chip=%s\n' "sim-$set" "$data/sim/$set" "$chip"
        printf '%s sim-dump %s chip=%s metrics=%s\n' "sim-$set-all" "$data/sim/$set" "$chip" "$sim_metrics"
    done <<'SETS'
a2_910B Ascend910B1
a2_synthetic Ascend910B1
a5_950 Ascend950PR_9599
a5_synthetic Ascend950PR_9599
edge_lines Ascend910B1
gpr_bytes Ascend910B1
mte_a2 Ascend910B4
p310_310P Ascend310P1
prune_rotate Ascend910B1
sample_a2 Ascend910B1
SETS
    printf 'sim-kernel sim-dump %s chip=Ascend910B1 metrics=%s kernel=%s\n' "$data/sim/a2_synthetic" "$sim_metrics" \
        "$kernels/mapped.o"
    "$root/examples/dump/make_dump.sh" "$work/data/vector" 40 3
    printf 'sim-made sim-dump %s chip=Ascend910B1\n' "$work/data/vector"
    for seed in 1 2 3; do
        python3 "$root/tests/tools/make_random_dump.py" "$seed" $((seed * 400)) "$work/data/random$seed"
        printf 'sim-random%s sim-dump %s chip=Ascend910B1 metrics=%s\n' "$seed" "$work/data/random$seed" "$sim_metrics"
    done
    for set in "$data"/pmu/cases/*; do
        printf 'pmu-%s onboard-dump %s\n' "${set##*/}" "$set/input"
        printf 'pmu-%s-all onboard-dump %s metrics=default,occupancy,roofline\n' "${set##*/}" "$set/input"
    done
    for chip in 310p 910b 910_93 950; do
        for kind in cube vector mix; do
            [ "$chip-$kind" != 310p-vector ] || continue
            "$generators/gen_onboard" --facts "$data/pmu/facts" --chip "$chip" --op "$kind" --work random --moves \
                "$work/data/$chip-$kind" >/dev/null || continue
            printf 'pmu-%s-%s onboard-dump %s metrics=default,occupancy,roofline\n' "$chip" "$kind" "$work/data/$chip-$kind"
        done
    done
    "$generators/gen_onboard" --facts "$data/pmu/facts" --launches 3 --devices 2 "$work/data/run" >/dev/null &&
        printf 'pmu-run onboard-dump %s\n' "$work/data/run"
    for file in "$data"/kineto/*.json.gz; do
        set=${file##*/}
        printf 'kineto-%s kineto %s\n' "${set%.json.gz}" "$file"
    done
    printf 'kineto-all kineto %s\n' "$data/kineto"
    ready_inputs "$root" "$work/data" | while read -r pipeline words; do
        printf 'ready-%s %s %s\n' "$pipeline" "$pipeline" "$words"
    done
    printf 'show show %s\n' "$work/old/ready-onboard-dump"
}

# run_case SIDE ENVIRONMENT NAME PIPELINE INPUT [OPTION...]: keeps the outputs and the exit code
run_case() {
    local out=$work/$1/$3 options=() option code=0
    for option in "${@:6}"; do
        options+=(--set "$option")
    done
    (
        set -a
        # shellcheck disable=SC1090 # one of the two files
        . "$2"
        exec "$OPPROF_RUN" --pipeline "$4" --set "input=$5" "${options[@]}" --output "$out" --flat --quiet
    ) >/dev/null 2>"$out.err" </dev/null || code=$?
    mkdir -p -- "$out"
    printf '%d\n' "$code" >"$out/exit code"
}

cases >"$work/cases"
while read -r -a words; do
    run_case old "$old" "${words[@]}"
    run_case new "$new" "${words[@]}"
done <"$work/cases"
python3 "$root/tests/tools/compare_folders.py" "$work/old" "$work/new"
