#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All launches of a run are in one table, and the sums of kernels are those of their launches.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
generate=${TEST_TOOLS:?}/gen_onboard
"$generate" --devices 2 --launches 7 --op vector --work add:5000 "$scratch/raw"
"$OPPROF_RUN" --pipeline onboard-dump --set "input=$scratch/raw" --output "$scratch/many" --flat >"$scratch/out" 2>"$scratch/err" ||
    { cat -- "$scratch/err" >&2; fail "exit code $?"; }
grep -q '^Launches ' "$scratch/err" || fail "the report does not show the launches"
"$generate" --launches 1 --op vector --work add:5000 "$scratch/single"
"$OPPROF_RUN" -q --pipeline onboard-dump --set "input=$scratch/single" --output "$scratch/one" --flat >"$scratch/out"
[ ! -e "$scratch/one/launches.csv" ] || fail "one launch is no list"
python3 - "$scratch/many" <<'PYTHON'
import collections, csv, glob, statistics, sys
def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))
wanted = collections.defaultdict(list)
for path in glob.glob(f"{sys.argv[1]}/**/OpBasicInfo.csv", recursive=True):
    for row in rows(path):
        wanted[row["Op Name"]].append(float(row["Task Duration(us)"]))
whole = sum(map(sum, wanted.values()))
launches, kernels = rows(f"{sys.argv[1]}/launches.csv"), rows(f"{sys.argv[1]}/kernels.csv")
times = [float(row["duration(us)"]) for row in launches]
near = lambda a, b: abs(float(a) - b) < 2e-3
good = [len(times) == sum(map(len, wanted.values())) and len(times) == 14, times == sorted(times, reverse=True),
        near(sum(float(row["share(%)"]) for row in launches) / len(times), 100 / len(times)),
        {row["kernel"] for row in kernels} == set(wanted)]
for row in kernels:
    ours = wanted[row["kernel"]]
    good += [int(row["launches"]) == len(ours), near(row["sum(us)"], sum(ours)), near(row["mean(us)"], statistics.mean(ours)),
             near(row["median(us)"], statistics.median(ours)), near(row["min(us)"], min(ours)), near(row["max(us)"], max(ours)),
             near(row["share(%)"], 100 * sum(ours) / whole)]
sys.exit(0 if all(good) else f"wrong: {good}, {launches}, {kernels}")
PYTHON
