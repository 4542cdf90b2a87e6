#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The plugin guide is true: its commands work in their order, and its C is in the example, word for
# word.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

opprof=${OPPROF_DOCS:-$root}
guide=$opprof/docs/plugins/guide.md
need patch
need python3
use_opprof_run
enter_playground
for language in sh c csv diff; do
    mkdir -- "$scratch/$language"
    fenced "$language" "$guide" "$scratch/$language"
done

# The commands are one session: what one sets, the next may use.
cat -- "$scratch"/sh/* >"$scratch/session"
[ "$(wc -l <"$scratch/session")" -ge 5 ] || fail "found no commands"
opprof=$opprof bash -euo pipefail "$scratch/session" >"$scratch/out" 2>&1 || {
    cat -- "$scratch/out" >&2
    fail "the commands of the guide do not work"
}
# What the guide shows of the curve is what the patch adds; the curve ends where the table does, and
# the page has the table.
while IFS= read -r line; do
    grep -qxF -- "$line" "$opprof/examples/plugin/curve.diff" ||
        fail "the guide shows what is not in curve.diff: $line"
done < <(cat -- "$scratch"/diff/*)
python3 - <<'PYTHON' || fail "the page or the trace lacks the metric"
import csv, json
events = json.load(open("my-plugin/results/trace.json"))["traceEvents"]
last = {}
for event in events:
    if event["ph"] == "C" and "busy(cycles)" in event["args"]:
        key = (event["pid"], event["name"])
        last[key] = max(last.get(key, 0), float(event["args"]["busy(cycles)"]))
rows = list(csv.DictReader(open("my-plugin/results/busy_time.csv")))
assert len(rows) == 8 == len(last), (len(rows), last)
for row in rows: # 1850 cycles a microsecond
    assert abs(last[row["core"], row["pipe"]] / 1850 - float(row["busy(us)"])) < 0.0006, row
page = open("my-plugin/results/report.html").read()
assert "Busy time" in page, "the page"
PYTHON
diff -u "$scratch"/csv/* <(tr -d '\r' <my-plugin/results/busy_time.csv) ||
    fail "the table comes out differently"

# Blanks do not count, "…" stands for what was left out; all else must be there in one piece.
flat() { tr -s ' \n\t' ' ' <"$1"; }
source=$(flat "$opprof/examples/plugin/busy_time.c")
for block in "$scratch"/c/*; do
    sed 's/^ *…$/\x01/' "$block" | awk -v RS='\001' -v into="$block." \
        '{ printf "%s", $0 > (into NR) }'
    for piece in "$block".*; do
        text=$(flat "$piece" | sed 's/^ //; s/ $//')
        [[ "$source" == *"$text"* ]] ||
            fail "the guide shows C that is not in the example (line ${block##*/}): $text"
    done
done
