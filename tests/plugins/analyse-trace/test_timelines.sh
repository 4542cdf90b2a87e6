#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Of more than 64 ranks eight have timelines: the slowest, the median, the fastest, and those that
# advice names; all are in the tables. `timelines=` says otherwise.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

python3 "$root/tests/tools/make_ranks.py" "$scratch/in" 66 3
python3 "$root/tests/tools/make_ranks.py" "$scratch/few.in" 64 1

# run NAME CODE INPUT OPTION...: kineto into $scratch/NAME
run() {
    local status=0
    "$OPPROF_RUN" --pipeline kineto --set "input=$scratch/$3" "${@:4}" --output "$scratch/$1" \
        --flat >/dev/null 2>"$scratch/err" || status=$?
    [ "$status" = "$2" ] || { cat -- "$scratch/err" >&2; fail "$1: exit code $status"; }
}

# folders NAME: the ranks whose timelines were written, by number
folders() {
    find "$scratch/$1" -mindepth 1 -maxdepth 1 -type d -name 'rank*' -printf '%f\n' |
        sed 's/^rank//' | sort -n | tr '\n' ' '
}

run plain 0 in
run all 0 in --set timelines=all
run few 0 few.in
[ "$(folders all | wc -w)" = 66 ] || fail "timelines=all: $(folders all)"
[ "$(folders few | wc -w)" = 64 ] || fail "64 ranks: $(folders few)"
[ ! -e "$scratch/few/timelines.csv" ] || fail "a choice among 64 ranks"
! grep -q timelines= "$scratch/err" || fail "a warning with 64 ranks"

# The choice by itself: by the breakdown's times, and by the advice, of each rule the first before
# the second one.
chosen=$(python3 - "$scratch/plain" <<'PYTHON'
import csv, json, sys
def rows(name):
    return list(csv.DictReader(open("%s/%s.csv" % (sys.argv[1], name), encoding="utf-8")))
own = {r["rank"]: float(r["compute_time(us)"]) + float(r["idle_time(us)"])
       for r in rows("temporal_breakdown") if r["rank"] != "all"}
order = sorted(own, key=lambda rank: -own[rank])
why = {order[0]: "slowest"}
why.setdefault(order[len(order) // 2], "median")
why.setdefault(order[-1], "fastest")
rules = {}
for row in rows("advice"):
    if row["subject"].startswith("rank "):
        rules.setdefault(row["rule"], []).append(row["subject"][5:])
for place in range(8):
    for rank in order:
        if any(ranks[place:place + 1] == [rank] for ranks in rules.values()) and len(why) < 8:
            why.setdefault(rank, "advice")
assert "advice" in why.values()
assert order[0] == "63", order # the late one
told = {r["rank"]: r["reason"] for r in rows("timelines")}
assert told == why, (told, why)
for row in rows("timelines"):
    assert abs(float(row["own_time(us)"]) - own[row["rank"]]) < 1e-3, row
stages = json.load(open(sys.argv[1] + "/run.json", encoding="utf-8"))["stages"]
warning, = next(stage["warnings"] for stage in stages if stage["id"] == "rank-timelines")
assert warning.startswith("8 of 66 ranks have timelines: ") and "63 (slowest)" in warning, warning
print(*sorted(why, key=int))
PYTHON
) || fail "another choice"
[ "$(folders plain)" = "$chosen " ] || fail "timelines of $(folders plain), not of $chosen"

# The timelines are those of a run that writes all, but for the order of their events; so are the
# tables.
python3 - "$scratch/plain" "$scratch/all" <<'PYTHON' || fail "other timelines"
import json, os, sys
plain, every = sys.argv[1:]
def events(path):
    with open(path, encoding="utf-8") as file:
        return sorted(json.dumps(event, sort_keys=True) for event in json.load(file)["traceEvents"])
merged = []
for folder in os.listdir(plain):
    if folder.startswith("rank"):
        own = events("%s/%s/trace.json" % (plain, folder))
        assert own == events("%s/%s/trace.json" % (every, folder)), folder
        merged += own
assert sorted(merged) == events(plain + "/trace.json")
PYTHON
for file in "$scratch/all"/*.csv; do
    cmp -- "$file" "$scratch/plain/${file##*/}" || fail "another table"
done

run three 0 in --set timelines=3
[ "$(folders three | wc -w)" = 3 ] || fail "timelines=3: $(folders three)"
run none 0 in --set timelines=0
[ "$(folders none)" = "" ] || fail "timelines=0: $(folders none)"
run named 0 in --set timelines=7,rank65
[ "$(folders named)" = "7 65 " ] || fail "timelines=7,rank65: $(folders named)"
[ "$(tail -n +2 "$scratch/named/timelines.csv" | cut -d , -f 1,2 | tr '\n' ' ')" = \
    "7,named 65,named " ] || fail "what the user named"

# What is not a rank is refused, and what cannot be one before anything is read.
run wrong 4 in --set timelines=rank6x
grep -q "Did you mean '6'" "$scratch/err" || fail "no nearest rank: $(cat "$scratch/err")"
run wrong2 2 in --set timelines=al
grep -q "Did you mean 'all'" "$scratch/err" || fail "no nearest word: $(cat "$scratch/err")"
[ ! -e "$scratch/wrong2" ] || fail "a run with a wrong setting"
