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
    opprof --pipeline onboard-dump --set "input=$input" --output "$WORK/result" --flat --set report.width=240 \
        --set report.lines=0 --set report.rows=1000 "$@"
}

# The sentences of advice.
told() {
    sed -n 's/^  [-!X] //p' "$WORK/.stderr" | sort
}

# --- one launch: nine facts, and the sentences of all views ---
onboard "$CASE/input" --set metrics=default,occupancy,roofline
expect 0 "OpBasicInfo" "  Op Name    Op Type  Task Duration(us)  Block Dim  Mix Block Dim  Device Id" \
    "  gen_mix_2  mix             118.06" "  3          6              2          47513  1800          1850" "Advice"
# The reference's views of the same launch hold the same sentences.
python3 - "$WORK/result/visualize_data.bin" >"$WORK/wanted" <<'PYTHON'
import json, struct, sys
data, at, said = open(sys.argv[1], "rb").read(), 0, set()

def collect(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            if key != "advice":
                collect(inner)
            elif isinstance(inner, list):
                said.update(inner)
            elif inner.startswith("\t"):
                said.update(line.split(") ", 1)[1].rstrip(".") for line in inner.splitlines())
            elif inner:
                said.add("roofline: " + inner)
    elif isinstance(value, list):
        for inner in value:
            collect(inner)

while at < len(data):
    size, kind, padding = struct.unpack_from("<QBB", data, at)
    collect(json.loads(data[at + 12:at + 12 + size - padding]))
    at += 12 + size
for sentence in sorted(said, key=str.encode):
    print(sentence)
PYTHON
told >"$WORK/found"
holds test "$(wc -l <"$WORK/found")" -gt 8
holds diff "$WORK/wanted" "$WORK/found"
holds test "$(grep -c 'roofline: latency bound:pipeline caused$' "$WORK/found")" -eq 1
# The number that a sentence rests on is below it, with its file and what could be won.
expect 0 " in PipeUtilization.csv" "    could save up to " " in visualize_data.bin"

# --- views that are not asked for advise nothing; a clock that was low does ---
cp -r -- "$CASE/input" "$WORK/raw"
chmod -R u+w -- "$WORK/raw"
sed -i 's/^Current Freq=.*/Current Freq=1500/' "$WORK/raw/op_basic_info.txt"
onboard "$WORK/raw"
expect 0 " The current frequency is lower than the rated frequency"
holds test "$(grep -c 'roofline:\|of core' "$WORK/.stderr")" -eq 0
onboard "$CASE/input" --quiet
holds test "$(grep -c 'Advice\|OpBasicInfo' "$WORK/.stderr")" -eq 0

# --- a run: the launches of a kernel together, a sentence once with how often it is true ---
"$GEN" --launches 30 --op vector --work add:5000 --blocks 2 "$WORK/run"
onboard "$WORK/run"
expect 0 "  30 x made_up_add  vector" "  ! aivector compute usage lower than 20% (made_up_add/" "    said 30 times"
finish
