#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every ready pipeline makes the same bytes in each run, while other runs keep the machine busy.
. "$(dirname "$0")/lib.sh"
tree=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$WORK
# shellcheck source=tests/tools/ten_runs.sh
. "$tree/tests/tools/ten_runs.sh"
# shellcheck source=tests/tools/ready_inputs.sh
. "$tree/tests/tools/ready_inputs.sh"
mkdir "$WORK/inputs"
ready_inputs "$tree" "$WORK/inputs" >"$WORK/table" || exit 99

while read -r name input settings; do
    options=()
    for setting in $settings; do
        options+=(--set "$setting")
    done
    checks=$((checks + 1))
    ten_runs 0 --pipeline "$name" --set "input=$input" "${options[@]}" </dev/null
done <"$WORK/table"

# What is shown of a finished run.
for run in 1 2 3; do
    opprof --show "$WORK/same/1"
    expect 0
    mv "$WORK/.stdout" "$WORK/shown.$run"
    holds cmp "$WORK/shown.1" "$WORK/shown.$run"
done

# No ready pipeline is left out: those that start programs have a test of their own. The times of a
# real driver differ each time.
for document in "$tree"/pipelines/*.json; do
    name=$(basename "$document" .json)
    [ "$name" != opencl-live ] || continue
    holds grep -qE -- "^$name |ten(_runs)? 0 $name |--$name \"" "$WORK/table" \
        "$tree/tests/refchip/test_same.sh" "$0"
done
finish
