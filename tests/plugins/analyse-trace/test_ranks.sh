#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Many ranks in one directory: one report, the late rank found among them, and memory that hardly
# grows with them.
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
    python3 "$scratch/run.py" "$OPPROF_RUN" -q --pipeline kineto --set formats=all \
        --set timelines=all --set "input=$scratch/in" --output "$scratch/out" --flat \
        2>"$scratch/err" || { cat -- "$scratch/err" >&2; fail "$1 ranks"; }
}

few=$(peak 30 8)
many=$(peak 300 8)
[ -s "$scratch/out/report.txt" ] || fail "there is no report"
# A heading, and a row for all.
[ "$(wc -l <"$scratch/out/temporal_breakdown.csv")" = 302 ] || fail "a rank is missing"

# By hand: the rank before the last two comes 400 us late to one of two collectives of 8 iterations,
# 394 beyond the second last.
python3 - "$scratch/out" <<'PY' || fail "the late rank is not found"
import csv, sys
ranks = list(csv.DictReader(open(sys.argv[1] + "/collective_ranks.csv")))
late = [r for r in ranks if int(r["late"]) > 0]
assert len(late) == 1 and late[0]["rank"] == "297" and int(late[0]["late"]) == 8, late
# It begins (297 % 7) * 1 us + 400 us after the first, the second last 6 us.
assert abs(float(late[0]["cost(us)"]) - 8 * (400 + 297 % 7 - 6)) < 1e-6, late
PY

# Rank 5 of 8 comes 400 us late to the first of two all-reduces of an iteration, 399 after rank 6,
# which comes 1 us after it otherwise; the clock of rank 2 is 3 s ahead. All but the last of ten
# iterations: 9 x 399 us, and 10 x 399 us of all.
python3 "$root/tests/tools/make_ranks.py" "$scratch/clocks" 8 10
python3 - "$scratch/clocks/rank2.json" <<'PY'
import re, sys
text = open(sys.argv[1]).read()
open(sys.argv[1], "w").write(re.sub(r'"ts":(\d+)', lambda found: '"ts":%d' %
                                    (int(found[1]) + 3000000), text))
PY
"$OPPROF_RUN" -q --pipeline kineto --set formats=all --set "input=$scratch/clocks" \
    --set report.lines=0 --output "$scratch/clocks-out" --flat >/dev/null 2>&1 ||
    fail "clocks"
grep -A 1 '^Ranks in collectives .* cost' "$scratch/clocks-out/report.txt" |
    grep -q '^  rank 5 .* 100\.0 % ' ||
    fail "the report does not show the rank that costs most"
python3 - "$scratch/clocks-out" <<'PY' || fail "the late rank is not found where clocks differ"
import csv, sys
def rows(name):
    return list(csv.DictReader(open("%s/%s.csv" % (sys.argv[1], name), encoding="utf-8")))
late = [(r["rank"], r["late_steps"], float(r["cost(us)"]), r["call"]) for r in rows("stragglers")
        if r["straggler"] == "1"]
assert late == [("5", "9", 9 * 399.0, "0")], late
assert [(r["rank"], float(r["cost(us)"])) for r in rows("collective_ranks")
        if r["late"] != "0"] == [("5", 10 * 399.0)]
assert [r["subject"] for r in rows("advice") if r["topic"] == "collectives"] == ["rank 5"]
PY

# Two collectives of two groups wait at the same time for rank 1: from 100 to 1100 us and from 150
# to 1150, which is one delay of 1050 us. Rank 0 is then late to a third one, from 2000 to 2300 us.
python3 - "$scratch/together" <<'PY'
import json, os, sys
os.mkdir(sys.argv[1])
def collective(group, sequence, start, end):
    return {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": group,
            "ts": start, "dur": end - start, "args": {"device": 0, "stream": group,
                                                      "Collective name": "allreduce",
                                                      "Seq": sequence,
                                         "Process Group Name": str(group), "Group size": 2}}
for rank, starts in enumerate([(100, 150, 2300), (1100, 1150, 2000)]):
    events = [collective(1, 0, starts[0], 1200), collective(2, 0, starts[1], 1230),
              collective(1, 1, starts[2], 2400)]
    json.dump({"distributedInfo": {"rank": rank, "world_size": 2}, "traceEvents": events},
              open("%s/rank%d.json" % (sys.argv[1], rank), "w"))
PY
"$OPPROF_RUN" -q --pipeline kineto --set formats=all --set "input=$scratch/together" \
    --output "$scratch/together-out" --flat >"$scratch/err" 2>&1 || {
        cat -- "$scratch/err" >&2; fail "collectives at the same time"
    }
python3 - "$scratch/together-out" <<'PY' || fail \
    "a delay of several collectives counts more than once"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/collective_ranks.csv", encoding="utf-8")))
got = [(r["rank"], r["late"], float(r["cost(us)"])) for r in rows]
assert got == [("1", "2", 1050.0), ("0", "1", 300.0)], got
PY

# 270 more ranks take far less than all of their text and what is kept of it at once; sanitizers
# keep what was freed.
[ -n "${SANITIZE_FLAGS:-}" ] || [ "$((many - few))" -lt $((270 * 400)) ] ||
    fail "30 ranks take $few KiB, 300 ranks $many"

# Events of many documents are put aside and come back: each rank has its own, the merged trace and
# Perfetto's have those of all. By hand: an iteration has an annotation, 12 kernels and 2
# collectives.
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
    assert lanes["rank %d host" % rank, "steps"] == 2 and lanes[device, 7] == 24 and lanes[
        device, 20] == 4, (rank, lanes)
    everything += events
key = lambda event: json.dumps(event, sort_keys=True)
assert sorted(map(key, load("trace.json"))) == sorted(map(key, everything))
trace = perfetto_decode.Trace(os.path.join(sys.argv[1], "trace.pftrace"))
of_kind = collections.Counter(e["ph"] for e in everything)
assert (len(trace.slices), len(trace.counters)) == (of_kind["X"], of_kind["C"]), of_kind
PY
