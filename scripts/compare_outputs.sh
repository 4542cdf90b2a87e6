#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every ready pipeline of two builds over all test data, and over data that the generators make
# of it, and compares all that comes out: files, run.json and advice.csv, exit codes, what was said
# on stderr; also what --explain prints of each chip, and what --validate says of each mistake in a
# chip file. Events of a trace and rows of a table may change places; times, sizes of queues,
# numbers of processes and the paths of the two trees are left out.
#
#   scripts/compare_outputs.sh OLD NEW [WORK]    OLD and NEW: files that set OPPROF_RUN,
#                                                OPPROF_PLUGIN_PATH, OPPROF_CHIP_PATH and
#                                                OPPROF_PIPELINE_PATH; `make run.env` writes one
#
# Exits with 0 if nothing differs. What came out stays in WORK/old and WORK/new, if WORK is given;
# WORK/old is used again while OLD, its program and the cases are the same.
set -uo pipefail

# shellcheck source=tests/tools/ready_inputs.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../tests/tools/ready_inputs.sh"
root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
usage() { sed -n '8,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
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
rm -rf -- "$work/new" "$work/data"
mkdir -p -- "$work/old" "$work/new" "$work/data"
# A copy, so that its path is the same for all trees.
cp -R -- "$root/tests/data" "$work/data/tests"
data=$work/data/tests

# The generators of the new build make what both read.
# told_by FILE NAME: a variable that the file sets
told_by() {
    # shellcheck disable=SC1090 # what the caller names
    (. "$1" && printf %s "${!2:?is not set in $1}")
}
generators=$(told_by "$new" TEST_TOOLS) || usage
kernels=$work/data/kernels
built_kernels=$(told_by "$new" TEST_KERNELS) || usage
mkdir -- "$kernels"
cp -- "$built_kernels"/*.o "$kernels"
sim_metrics=PipeUtilization,ResourceConflictRatio,PMSampling,Overhead

# cases: lines of NAME PIPELINE INPUT [OPTION...]
cases() {
    local set chip seed kind file pipeline words
    while read -r set chip; do
        printf '%s sim-dump %s chip=%s\n' "sim-$set" "$data/sim/$set" "$chip"
        printf '%s sim-dump %s chip=%s metrics=%s\n' "sim-$set-all" "$data/sim/$set" "$chip" \
            "$sim_metrics"
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
    printf 'sim-kernel sim-dump %s chip=Ascend910B1 metrics=%s kernel=%s\n' \
        "$data/sim/a2_synthetic" "$sim_metrics" "$kernels/mapped.o"
    "$root/examples/dump/make_dump.sh" "$work/data/vector" 40 3
    printf 'sim-made sim-dump %s chip=Ascend910B1\n' "$work/data/vector"
    for seed in 1 2 3; do
        python3 "$root/tests/tools/make_random_dump.py" "$seed" \
            $((seed * 400)) "$work/data/random$seed"
        printf 'sim-random%s sim-dump %s chip=Ascend910B1 metrics=%s\n' "$seed" \
            "$work/data/random$seed" "$sim_metrics"
    done
    for set in "$data"/pmu/cases/*; do
        printf 'pmu-%s onboard-dump %s\n' "${set##*/}" "$set/input"
        printf 'pmu-%s-all onboard-dump %s metrics=default,occupancy,roofline\n' "${set##*/}" \
            "$set/input"
    done
    for chip in 310p 910b 910_93 950; do
        for kind in cube vector mix; do
            [ "$chip-$kind" != 310p-vector ] || continue
            "$generators/gen_onboard" --facts "$data/pmu/facts" --chip "$chip" --op "$kind" \
                --work random --moves "$work/data/$chip-$kind" >/dev/null || continue
            printf 'pmu-%s-%s onboard-dump %s metrics=default,occupancy,roofline\n' "$chip" \
                "$kind" "$work/data/$chip-$kind"
        done
    done
    "$generators/gen_onboard" --facts "$data/pmu/facts" --launches 3 --devices 2 "$work/data/run" \
        >/dev/null &&
        printf 'pmu-run onboard-dump %s\n' "$work/data/run"
    for file in "$data"/kineto/*.json.gz; do
        set=${file##*/}
        printf 'kineto-%s kineto %s\n' "${set%.json.gz}" "$file"
    done
    printf 'kineto-all kineto %s\n' "$data/kineto"
    ready_inputs "$work/tree" "$work/data" | while read -r pipeline words; do
        printf 'ready-%s %s %s\n' "$pipeline" "$pipeline" "$words"
    done
    printf 'show show %s\n' "$work/old/ready-onboard-dump"
}

# live_cases: lines of NAME PIPELINE PROGRAM...
live_cases() {
    local pipeline program
    for pipeline in sim-live onboard-live; do
        for program in vector-add matmul; do
            printf '%s-%s %s %s\n' "$pipeline" "$program" "$pipeline" "$program"
        done
    done
}

# run_by ENVIRONMENT COMMAND...: with what the file sets, in WORK/here
run_by() {
    (
        set -a
        # shellcheck disable=SC1090 # one of the two files
        . "$1"
        cd -- "$work/here" && exec "${@:2}"
    ) </dev/null
}

# plain ENVIRONMENT FILE: without the paths of the build and its tree, and without times
plain() {
    local build source
    build=$(told_by "$1" TEST_TOOLS) && build=${build%/tests/tools}
    source=$(told_by "$1" OPPROF_CHIP_PATH) && source=${source%/chips}
    sed -i -E -e "s,$source,TREE,g" -e "s,$(realpath -- "$source"),TREE,g" -e "s,$build,BUILD,g" \
        -e "s,$work/(old|new),OUT,g" -e 's/[0-9]+(\.[0-9]+)? (s|ms|us)\b/TIME \2/g' \
        -e 's/process [0-9]+/process PID/g' "$2"
}

# finish_case SIDE ENVIRONMENT NAME CODE
finish_case() {
    mkdir -p -- "$work/$1/$3"
    mv -- "$work/$1/$3.err" "$work/$1/$3/stderr"
    printf '%d\n' "$4" >"$work/$1/$3/exit code"
    plain "$2" "$work/$1/$3/stderr"
    sort -o "$work/$1/$3/stderr" -- "$work/$1/$3/stderr" # stages speak side by side
    [ ! -f "$work/$1/$3/run.json" ] || plain "$2" "$work/$1/$3/run.json"
}

# writes_on_request ENVIRONMENT PIPELINE: the pipeline makes some files only where it is asked to
writes_on_request() {
    run_by "$1" "$(told_by "$1" OPPROF_RUN)" --inspect "$2" 2>&1 | grep '^ *formats ' >/dev/null
}

# run_case SIDE ENVIRONMENT NAME PIPELINE INPUT [OPTION...]: keeps the outputs, the exit code and
# what was said
run_case() {
    local out=$work/$1/$3 options=() option code=0
    for option in "${@:6}"; do
        options+=(--set "$option")
    done
    ! writes_on_request "$2" "$4" || options+=(--set formats=all)
    run_by "$2" "$(told_by "$2" OPPROF_RUN)" --pipeline "$4" --set "input=$5" "${options[@]}" \
        --output "$out" --flat >/dev/null 2>"$out.err" || code=$?
    finish_case "$1" "$2" "$3" "$code"
}

# run_live SIDE ENVIRONMENT NAME PIPELINE PROGRAM...
run_live() {
    local out=$work/$1/$3 code=0 build options=()
    ! writes_on_request "$2" "$4" || options=(--set formats=all)
    build=$(told_by "$2" TEST_TOOLS) && build=${build%/tests/tools}
    ln -sfn -- "$build/refchip/.libs/opprof-refchip" "$work/here/refchip"
    run_by "$2" env OPPROF_INJECT_LIBRARY="$build/inject/.libs/libopprof-inject.so" \
        OPPROF_LAUNCHER="$build/inject/opprof-launch-kernel" \
        REFCHIP_LIBRARIES="$build/refchip/.libs" \
        REFCHIP_LIBRARIES_310P="$build/refchip/310P/.libs" \
        REFCHIP_KERNELS="$build/refchip/kernels" "$(told_by "$2" OPPROF_RUN)" "${options[@]}" \
        --output "$out" --flat "$4" -- ./refchip "${@:5}" \
        >/dev/null 2>"$out.err" || code=$?
    finish_case "$1" "$2" "$3" "$code"
}

# run_texts SIDE ENVIRONMENT: --explain of each chip, and the mistakes of chip files
run_texts() {
    local out=$work/$1/texts mistakes=$root/tests/e2e/chip_mistakes.py chip name pipeline
    mkdir -p -- "$out" "$work/own"
    for chip in "$root"/chips/*.json; do
        name=$(basename -- "$chip" .json)
        run_by "$2" "$(told_by "$2" OPPROF_RUN)" --explain all --set "chip=$name" \
            >"$out/explain-$name" 2>&1
        plain "$2" "$out/explain-$name"
    done
    while read -r name _; do
        python3 "$mistakes" "$work/own/tiler.json" "$name"
        for pipeline in sim-dump onboard-dump dbi-dump; do
            run_by "$2" env OPPROF_CHIP_PATH="$work/own:$(told_by "$2" OPPROF_CHIP_PATH)" \
                "$(told_by "$2" OPPROF_RUN)" --validate --pipeline "$pipeline" --set input=. \
                --set chip=Tiler1 >"$out/mistake-$name-$pipeline" 2>&1
            plain "$2" "$out/mistake-$name-$pipeline"
            sed -i '/^ *hint: /d' "$out/mistake-$name-$pipeline"
        done
    done < <(python3 "$mistakes")
}

# run_side SIDE ENVIRONMENT
run_side() {
    local words
    while read -r -a words; do
        run_case "$@" "${words[@]}"
    done <"$work/cases"
    while read -r -a words; do
        run_live "$@" "${words[@]}"
    done < <(live_cases)
    run_texts "$@"
}

# What the old build made is used again if it is the same program with the same cases.
mkdir -p -- "$work/here"
mkdir -p -- "$work/tree/tests" && ln -sfn -- "$root/tests/tools" "$work/tree/tests/tools" &&
    ln -sfn -- "$data" "$work/tree/tests/data"
cases >"$work/cases"
told_of_old=$(cat -- "$old" "$work/cases" "$0" && stat -c '%Y %s' -- "$(told_by "$old" OPPROF_RUN)")
if [ "$(cat -- "$work/old.made" 2>/dev/null)" != "$told_of_old" ]; then
    rm -rf -- "$work/old" && mkdir -- "$work/old"
    run_side old "$old"
    printf '%s\n' "$told_of_old" >"$work/old.made"
fi
run_side new "$new"
python3 "$root/tests/tools/compare_folders.py" "$work/old" "$work/new"
