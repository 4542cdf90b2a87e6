#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Many ranks in one directory: one report, the late rank found among them, and memory that hardly grows with them.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

cat >"$scratch/run.py" <<'PY'
import os, resource, subprocess, sys
status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(status)
PY

# peak RANKS STEPS: KiB that reading so many ranks takes
peak() {
    rm -rf -- "$scratch/in" "$scratch/out"
    python3 "$root/tests/tools/make_ranks.py" "$scratch/in" "$1" "$2"
    python3 "$scratch/run.py" "$OPPROF_RUN" -q --pipeline kineto --set "input=$scratch/in" --output "$scratch/out" --flat \
        2>"$scratch/err" || { cat -- "$scratch/err" >&2; fail "$1 ranks"; }
}

few=$(peak 30 8)
many=$(peak 300 8)
[ -s "$scratch/out/report.txt" ] || fail "there is no report"
[ "$(wc -l <"$scratch/out/temporal_breakdown.csv")" = 302 ] || fail "a rank is missing" # a heading, a row for all

# By hand: the rank before the last two comes 400 us late to one of two collectives of 8 iterations, 394 beyond the second last.
python3 - "$scratch/out" <<'PY' || fail "the late rank is not found"
import csv, sys
ranks = list(csv.DictReader(open(sys.argv[1] + "/collective_ranks.csv")))
late = [r for r in ranks if int(r["late"]) > 0]
assert len(late) == 1 and late[0]["rank"] == "297" and int(late[0]["late"]) == 8, late
# It begins (297 % 7) * 1 us + 400 us after the first, the second last 6 us.
assert abs(float(late[0]["cost(us)"]) - 8 * (400 + 297 % 7 - 6)) < 1e-6, late
PY

# 270 more ranks take far less than all of their text and what is kept of it at once; sanitizers keep what was freed.
[ -n "${SANITIZE_FLAGS:-}" ] || [ "$((many - few))" -lt $((270 * 400)) ] || fail "30 ranks take $few KiB, 300 ranks $many"

# Events of many documents are put aside and come back: each rank has its own, the merged trace and Perfetto's have those
# of all. By hand: an iteration has an annotation, 12 kernels and 2 collectives.
peak 40 2 >"$scratch/peak"
python3 - "$scratch/out" "$root/tests/tools" <<'PY' || fail "events of a rank are lost"
import collections, json, os, sys
sys.path.insert(0, sys.argv[2])
import perfetto_decode
def load(*path):
    with open(os.path.join(sys.argv[1], *path), encoding="utf-8") as file:
        return [e for e in json.load(file)["traceEvents"] if e["ph"] != "M"]
everything = []
for rank in range(40):
    events = load("rank%d" % rank, "trace.json")
    lanes = collections.Counter((e["pid"], e["tid"]) for e in events if e["ph"] == "X")
    device = "rank %d device 0" % rank
    assert lanes["rank %d host" % rank, "steps"] == 2 and lanes[device, 7] == 24 and lanes[device, 20] == 4, (rank, lanes)
    everything += events
key = lambda event: json.dumps(event, sort_keys=True)
assert sorted(map(key, load("trace.json"))) == sorted(map(key, everything))
trace = perfetto_decode.Trace(os.path.join(sys.argv[1], "trace.pftrace"))
of_kind = collections.Counter(e["ph"] for e in everything)
assert (len(trace.slices), len(trace.counters)) == (of_kind["X"], of_kind["C"]), of_kind
PY
