#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Operators that are profiled while they run give the same bytes in each run, and results are shown
# the same each time.
# shellcheck source=tests/plugins/lib.sh
. "${srcdir:-.}/tests/plugins/lib.sh"
# shellcheck source=tests/tools/ten_runs.sh
. "$root/tests/tools/ten_runs.sh"

# shown DIRECTORY: what --show prints of it, as many times.
shown() {
    local run
    for ((run = 1; run <= same_runs; run++)); do
        "$OPPROF_RUN" --show "$1" >"$scratch/shown.$run" </dev/null || fail "$1 cannot be shown"
        cmp -- "$scratch/shown.1" "$scratch/shown.$run" || fail "$1 is shown differently"
    done
    [ -s "$scratch/shown.1" ] || fail "$1: nothing is shown"
}

ten_runs 0 sim-live -- "$OPPROF_REFCHIP_COMMAND" vector-add
shown "$scratch/same/1"

# The process has another number each time, which is in these files.
run_ten 0 onboard-live -- "$OPPROF_REFCHIP_COMMAND" vector-add
shown "$scratch/same/1"
for ((run = 1; run <= same_runs; run++)); do
    pid=$(awk -F, \
        'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Pid") at = i } NR == 2 { print $at }' \
        "$scratch/same/$run/OpBasicInfo.csv")
    [ -n "$pid" ] || fail "run $run: no Pid"
    awk -F, -v OFS=, \
        'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Pid") at = i } NR > 1 { $at = "PID" } 1' \
        "$scratch/same/$run/OpBasicInfo.csv" >"$scratch/without"
    mv -- "$scratch/without" "$scratch/same/$run/OpBasicInfo.csv"
done
same_ten report.txt report.html results.sqlite visualize_data.bin

# With -v each stage says what it did.
# shellcheck source=tests/tools/stages_say.sh
. "$root/tests/tools/stages_say.sh"
for pipeline in sim-live onboard-live; do
    "$OPPROF_RUN" -v --output "$scratch/verbose" --flat $pipeline -- "$OPPROF_REFCHIP_COMMAND" \
        vector-add >"$scratch/out" 2>"$scratch/said" </dev/null || fail "$pipeline: exit code $?"
    stages_say $pipeline "$scratch/said"
    rm -rf -- "$scratch/verbose"
done
