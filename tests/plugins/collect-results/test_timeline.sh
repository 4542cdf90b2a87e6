#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A run's timeline comes back from its trace.json where the database has none; a cut is reported.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

"$root/examples/dump/make_dump.sh" "$scratch/dump" 24 2 >/dev/null

# profile OPTION...: results in $scratch/run
profile() {
    "$OPPROF_RUN" -q --pipeline sim-dump --set "input=$scratch/dump" --set chip=Ascend910B1 \
        --output "$scratch/run" --flat "$@" >/dev/null || fail "no run"
}
profile

# read_again CODE NAME OPTION...: the timeline of $scratch/run, written once more to $scratch/NAME
read_again() {
    local status=0
    "$OPPROF_RUN" -q --pipeline show --set "input=$scratch/run" --add trace=trace \
        --output "$scratch/$2" --flat "${@:3}" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$1" ] || { cat -- "$scratch/err" >&2; fail "$2: exit code $status"; }
}

read_again 0 again
python3 - "$scratch/run/trace.json" "$scratch/again/trace.json" <<'PYTHON' || fail "another timeline"
import json, sys
from decimal import Decimal

def read(path):
    with open(path) as file:
        events = json.load(file, parse_float=Decimal)["traceEvents"]
    timed = [e for e in events if "ts" in e]
    first = min(e["ts"] for e in timed)
    # Arguments do not come back, and times begin at 0.
    spans = sorted((e["ph"], e["pid"], e["tid"], e["ts"] - first, e.get("dur", 0), e["name"],
                    e.get("cname"), e.get("cat")) for e in timed)
    return spans, sorted((e["name"], e["pid"], e["tid"], str(e["args"]))
                         for e in events if e["ph"] == "M")

before, after = read(sys.argv[1]), read(sys.argv[2])
print(len(before[0]), "events")
sys.exit(0 if before == after and len(before[0]) > 800 else 1)
PYTHON

# Beside those of another run all lanes are of one document.
read_again 0 side --set results.side=before --set results.only=timeline
[ -f "$scratch/side/before.json" ] || fail "no document of the side"

# Spans of the database count, if it has them: the file is not read.
profile --set formats=spans
echo nonsense >"$scratch/run/trace.json"
read_again 0 database
spans=$(find "$scratch/database" -name trace.json -exec grep -o '"ph":"X"' {} + | wc -l)
[ "$spans" -gt 500 ] || fail "$spans spans from the database"

# A file that is cut, or is none.
profile
truncate -s -5000 "$scratch/run/trace.json"
read_again 4 cut
grep -q "trace.json' is cut or damaged in event " "$scratch/err" || fail "nothing about the cut"
echo nonsense >"$scratch/run/trace.json"
read_again 1 none
grep -q "has no member 'traceEvents'" "$scratch/err" || fail "nothing about the member"
rm -- "$scratch/run/trace.json"
read_again 0 without
[ ! -f "$scratch/without/trace.json" ] || fail "a timeline from nothing"
