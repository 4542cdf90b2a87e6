#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# With -v every stage of every ready pipeline says something beside its start and its end: what it
# opened, chose, computed or wrote.
. "$(dirname "$0")/lib.sh"
tree=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/tools/ready_inputs.sh
. "$tree/tests/tools/ready_inputs.sh"
# shellcheck source=tests/tools/stages_say.sh
. "$tree/tests/tools/stages_say.sh"
mkdir "$WORK/inputs"
ready_inputs "$tree" "$WORK/inputs" >"$WORK/table" || exit 99

while read -r name input settings; do
    options=()
    for setting in $settings; do
        options+=(--set "$setting")
    done
    opprof -v --pipeline "$name" --set "input=$input" "${options[@]}" --output "$WORK/$name" --flat
    expect 0
    stages_say "$name" "$WORK/.stderr"
done <"$WORK/table"
opprof -v --show "$WORK/sim-dump"
expect 0
stages_say show "$WORK/.stderr"

# With -vv parsers name each file that comes.
opprof -vv --pipeline onboard-dump --set "input=$DATA/pmu/cases/910b_mix/input" \
    --output "$WORK/files" --flat
for stage in records counts pmu pipes warps; do
    holds grep -q "debug $stage: Launch '.': file 'op_basic_info.txt', bytes=[1-9]" "$WORK/.stderr"
done

# No ready pipeline is left out: those that start programs have a test of their own.
for document in "$tree"/pipelines/*.json; do
    name=$(basename "$document" .json)
    holds grep -qE -- "^$name |^for pipeline in .*$name|stages_say $name " "$WORK/table" \
        "$tree/tests/refchip/test_same.sh" "$tree/tests/plugins/collect-opencl/test_opencl.sh" "$0"
done
finish
