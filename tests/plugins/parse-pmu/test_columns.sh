#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every column of every table of every chip, with numbers that exact arithmetic gives for made-up
# counters.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
facts=$root/tests/data/pmu/facts
generator=${TEST_TOOLS:?set by the makefile}/gen_onboard
[ -x "$generator" ] || fail "there is no program '$generator'"

# Random counters may be more than any core counts, and random starts lie in no task; that alone is
# not a failure.
only_doubts() {
    [ "$status" -eq 4 ] && python3 -c 'import json, sys
reasons = [text for stage in json.load(open(sys.argv[1]))["stages"]
           for text in stage.get("incomplete", [])]
sys.exit(not all("cycles allow" in text or "did not begin in the last task" in text
                 for text in reasons))' "$scratch/result/run.json"
}

# check CHIP TABLES METRICS STATUS OPTION...: a launch made with these options has the right tables
check() {
    local chip=$1 tables=$2 metrics=$3 wanted=$4 status=0
    shift 4
    rm -rf -- "$scratch/raw" "$scratch/result"
    "$generator" --chip "$chip" "$@" "$scratch/raw"
    "$OPPROF_RUN" --pipeline onboard-dump --set "input=$scratch/raw" --set "metrics=$metrics" \
        --output "$scratch/result" --flat >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$wanted" ] || only_doubts || {
        cat -- "$scratch/err" >&2; fail "$chip $metrics $*: exit code $status"
    }
    python3 "$root/tests/tools/onboard_model.py" "$scratch/raw" "$scratch/result" --chip "$tables" \
        --facts "$facts" --metrics "$metrics" --seen "$scratch/seen" || fail "$chip $metrics $*"
}

# every OPTION...: on each chip
every() {
    check 310p 310p "$@"
    check 910b 910b "$@"
    check 910_93 910b "$@"
    check 950 a5 "$@"
}

for op in cube vector mix; do
    every default 0 --op "$op" --work random --seed 1
    check 910b 910b default,memorydetail 0 --op "$op" --work random --moves --seed 2
    check 950 a5 memorydetail 0 --op "$op" --work random --moves --seed 3
done
# Replays that never came, clocks that nobody noted, other times, other SoCs.
every default 4 --work random --missing 4 --seed 4
every memory,PipeUtilization 4 --work random --missing 6 --seed 5
every default 0 --work random --freq 0 --seed 6
check 910b 910b default,kernelscale 0 --work random --seed 7
check 950 a5 default,kernelscale 0 --work random --seed 8
check 910b 910b default 0 --work random --soc Ascend910B4 --seed 9
check 310p 310p l2cache 0 --work random --blocks 24 --seed 10
# Nothing but what ran.
every BasicInfo 0 --op mix
# And numbers that make sense.
every Default 0 --work matmul:384,256,512
every Default 0 --work add:1000000 --op vector

# No column went without a number, and none is missing from the lists that were compared.
python3 - "$scratch/seen" "$facts" <<'PYTHON' || fail \
    "columns that never had a number, or that nobody compared"
import csv, sys
with open(sys.argv[1], encoding="utf-8") as file:
    seen = set(file.read().split("\n"))
missing = []
for chip, always, optional in (("310p", 80, 0), ("910b", 179, 34), ("a5", 167, 0)):
    with open("%s/csv_columns_%s.csv" % (sys.argv[2], chip), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = [sum(row["pos"] != "opt" for row in rows), sum(row["pos"] == "opt" for row in rows)]
    if found != [always, optional] or len({(row["file"], row["column"])
                                           for row in rows}) != always + optional:
        missing.append("%s: %s columns and optional ones, not %s" %
                       (chip, found, [always, optional]))
    for row in rows:
        name = "%s,%s,%s" % (chip, row["file"], row["column"])
        if not row["rule"].startswith("TEXT") and name not in seen:
            missing.append(name)
sys.exit("\n".join(missing) or 0)
PYTHON
