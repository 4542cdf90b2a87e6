#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --diff of the same work on another device and stream finds nothing new or gone; what passes side
# by side in lanes is not added up.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"

# trace NAME PLACE...: results of five launches in each place, DEVICE:STREAM
trace() {
    python3 - "$scratch/$1.json" "${@:2}" <<'PYTHON'
import json, sys
events = []
for step in range(5):
    for number, place in enumerate(sys.argv[2:]):
        device, stream = map(int, place.split(":"))
        at, correlation = 1000 * step + 100 * number, 10 * step + number
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5,
                       "tid": 5, "ts": at, "dur": 5, "args": {"correlation": correlation}})
        events.append({"ph": "X", "cat": "kernel", "name": "gemm%d" % number, "pid": device,
                       "tid": stream, "ts": at + 20, "dur": 500 + number,
                       "args": {"device": device, "stream": stream, "correlation": correlation}})
json.dump({"traceEvents": events}, open(sys.argv[1], "w", encoding="utf-8"))
PYTHON
    "$OPPROF_RUN" -q --pipeline kineto --set "input=$scratch/$1.json" --output "$scratch/$1" \
        --flat >"$scratch/out" 2>"$scratch/err" ||
        { cat -- "$scratch/err" >&2; fail "$1"; }
}

# changed A B: how many rows --diff calls new or gone
changed() {
    "$OPPROF_RUN" --diff "$scratch/$1" "$scratch/$2" --format json >"$scratch/diff.json" \
        2>"$scratch/err" || {
        cat -- "$scratch/err" >&2; fail "$1 $2"
    }
    "$OPPROF_RUN" --diff "$scratch/$1" "$scratch/$2" 2>&1 | grep -cE '^ +(new|gone) ' || true
}

trace here 0:7
trace there 2:20
[ "$(changed here there)" = 0 ] ||
    fail "another device and stream: $("$OPPROF_RUN" --diff "$scratch/here" "$scratch/there")"
# Several: in their order as numbers, 9 before 10; what both have stays what it is.
trace two 0:9 0:10
trace others 1:100 1:20
[ "$(changed two others)" = 0 ] ||
    fail "two other streams: $("$OPPROF_RUN" --diff "$scratch/two" "$scratch/others")"
trace shared 0:9 0:30
[ "$(changed two shared)" = 0 ] ||
    fail "one other stream: $("$OPPROF_RUN" --diff "$scratch/two" "$scratch/shared")"
# One more stream is one more.
[ "$(changed here two)" != 0 ] || fail "a stream that is new is not called so"

# Waits of several pipes of a core pass side by side: no sum of them is longer than the core worked.
for variant in single double; do
    "$OPPROF_RUN" -q --pipeline sim-dump --set "input=$root/tests/data/diff/$variant" \
        --set chip=Ascend910B1 --output "$scratch/$variant" --flat \
        >"$scratch/out" 2>"$scratch/err" || { cat -- "$scratch/err" >&2; fail "$variant"; }
done
changed single double >"$scratch/out"
python3 - "$scratch" <<'PYTHON' || fail "sums over lanes"
import collections, csv, glob, json, sys
# of all cores, by name, pipe and source line, as rows of moved code are matched
longest = collections.defaultdict(float)
for path in glob.glob(sys.argv[1] + "/single/*/*_instr_exe.csv"):
    rows = collections.defaultdict(float)
    for row in csv.DictReader(open(path, encoding="utf-8")):
        rows[row["instr"], row["pipe"], row["addr"]] += float(row["running_time(us)"])
    for key, time in rows.items():
        longest[key] = max(longest[key], time)
lanes = collections.defaultdict(float)
for (name, pipe, _), time in longest.items():
    lanes[name, pipe] += time
wanted, added = collections.defaultdict(float), collections.defaultdict(float)
for (name, _), time in lanes.items():
    wanted[name] = max(wanted[name], time)
    added[name] += time
difference = json.load(open(sys.argv[1] + "/diff.json", encoding="utf-8"))
changes = [one for table in difference["tables"] for one in table["changes"]] + difference["causes"]
found = {one["key"]: one["before"] for one in changes if one["table"] == "sim_instr_exe"
         and one["by"] == "name" and one["before"] is not None}
assert found.get("WAIT_FLAG") and added["WAIT_FLAG"] > wanted["WAIT_FLAG"], (found, added, wanted)
for name, before in found.items():
    assert abs(before - wanted[name]) < 0.006, (name, before, wanted[name], added[name])
PYTHON
