#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a run shows at its end: the facts of the operator, and each piece of advice once.
. "$(dirname -- "${BASH_SOURCE[0]}")/../../e2e/lib.sh"
GEN=${TEST_TOOLS:?set by the makefile}/gen_onboard
CASE=$DATA/pmu/cases/910b_mix

onboard() {
    local input=$1
    shift
    rm -rf -- "$WORK/result"
    opprof --pipeline onboard-dump --set "input=$input" --output "$WORK/result" --flat \
        --set report.width=240 --set report.lines=0 --set report.rows=1000 "$@"
}

# --- one launch: nine facts, and advice ---
onboard "$CASE/input" --set metrics=default,occupancy,roofline
expect 0 "OpBasicInfo" \
    "  Op Name    Op Type  Task Duration  Block Dim  Mix Block Dim  Device Id" \
    "  gen_mix_2  mix             118 us" \
    "  3          6              2          47513  1800          1850" "Advice"
# Cause and gain first, and then what to do.
expect 0 "  ! up to " "    Split the work into as many blocks"

# --- a clock that was low ---
cp -r -- "$CASE/input" "$WORK/raw"
chmod -R u+w -- "$WORK/raw"
sed -i 's/^Current Freq=.*/Current Freq=1500/' "$WORK/raw/op_basic_info.txt"
onboard "$WORK/raw"
expect 0 " The clock is 1500 MHz, its rate is 1850 MHz"
onboard "$CASE/input" --quiet
holds test "$(grep -c 'Advice\|OpBasicInfo' "$WORK/.stderr")" -eq 0

# --- a run: the launches of a kernel together ---
"$GEN" --launches 30 --op vector --work add:5000 --blocks 2 "$WORK/run"
onboard "$WORK/run"
expect 0 "  30 x made_up_add  vector" "(made_up_add)"
finish
