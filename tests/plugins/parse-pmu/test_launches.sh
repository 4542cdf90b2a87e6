#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All launches of a run are in one table, and the sums of kernels are those of their launches.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
generate=${TEST_TOOLS:?}/gen_onboard
"$generate" --devices 2 --launches 7 --op vector --work add:5000 "$scratch/raw"
"$OPPROF_RUN" --pipeline onboard-dump --set "input=$scratch/raw" --output "$scratch/many" --flat \
    >"$scratch/out" 2>"$scratch/err" ||
    { cat -- "$scratch/err" >&2; fail "exit code $?"; }
grep -q '^Launches ' "$scratch/err" || fail "the report does not show the launches"
"$generate" --launches 1 --op vector --work add:5000 "$scratch/single"
"$OPPROF_RUN" -q --pipeline onboard-dump --set "input=$scratch/single" --output "$scratch/one" \
    --flat >"$scratch/out"
[ ! -e "$scratch/one/launches.csv" ] || fail "one launch is not a list"

# choose CODE ROWS OPTION…: a run of some launches ends with the code and lists so many.
choose() {
    local code=0
    rm -rf -- "$scratch/some"
    "$OPPROF_RUN" -q --pipeline onboard-dump --set "input=$scratch/raw" --output "$scratch/some" \
        --flat "${@:3}" >"$scratch/out" 2>"$scratch/err" || code=$?
    [ "$code" -eq "$1" ] || { cat -- "$scratch/err" >&2; fail "exit code $code of ${*:3}"; }
    [ "$2" -eq 0 ] || [ "$(wc -l <"$scratch/some/launches.csv")" -eq $(($2 + 1)) ] ||
        fail "not $2 launches of ${*:3}"
}
choose 0 14 --set 'kernel=made_up'
choose 0 4 --set 'launches=1,6-'
choose 0 6 --set 'kernel=*up_a*' --set 'launches=2-4'
[ -e "$scratch/some/device0/made_up_add/3/OpBasicInfo.csv" ] ||
    fail "a chosen launch is not where a whole run has it"
[ ! -e "$scratch/some/device0/made_up_add/1" ] || fail "a launch was read that is not wanted"
choose 1 0 --set 'kernel=matmul'
grep -q 'None of the 14 launches.*matmul' "$scratch/err" ||
    fail "a choice of nothing is not refused"
grep -q 'launches of made_up_add' "$scratch/err" ||
    fail "a choice of nothing does not name the launches that exist"
choose 2 0 --set 'launches=first'
grep -q "'first', which is neither a number" "$scratch/err" ||
    fail "what is not a number is not refused"
choose 0 0 --set 'input='"$scratch/single" --set 'kernel=made_up' --set launches=0
choose 1 0 --set 'input='"$scratch/single" --set 'kernel=other'
# Files of another launch, where no record states its time.
"$generate" --chip 310p --launches 12 --name made_up_add "$scratch/plain"
kernel=$scratch/mixed/device0/made_up_add
mix() {
    rm -rf -- "$scratch/mixed"
    cp -r -- "$scratch/plain" "$scratch/mixed"
}
mix
choose 0 12 --set 'input='"$scratch/mixed"
mv -- "$kernel/2/dump/duration.bin" "$scratch/log" && mv -- "$kernel/10/dump/duration.bin" \
    "$kernel/2/dump" && mv -- "$scratch/log" "$kernel/10/dump/duration.bin"
choose 4 12 --set 'input='"$scratch/mixed"
grep -q "made_up_add/3': its task log begins before that of launch '.*made_up_add/2', which was earlier, ends" "$scratch/err" ||
    { cat -- "$scratch/err" >&2; fail "logs that changed places are not seen"; }
# All launches say of which process they are, or none does, as where an application was replayed.
mix
sed -i '/^Pid=/d' "$kernel/5/dump/op_basic_info.txt"
choose 4 12 --set 'input='"$scratch/mixed"
grep -q "1 of 12 launches do not say of which process they are" "$scratch/err" ||
    { cat -- "$scratch/err" >&2; fail "a process that is not named is not seen"; }
sed -i '/^Pid=/d' "$kernel"/*/dump/op_basic_info.txt
choose 0 12 --set 'input='"$scratch/mixed"
mix
cp -- "$kernel/4/dump/DeviceProf6.bin" "$kernel/7/dump/DeviceProf7.bin"
choose 4 12 --set 'input='"$scratch/mixed"
grep -q "made_up_add/7': the counters of its replay 7 have the same bytes as those of replay 6 of launch '.*made_up_add/4'" "$scratch/err" ||
    { cat -- "$scratch/err" >&2; fail "counters of another launch are not seen"; }
# Copies of a launch do not contradict each other.
mix
for order in 1 2 3 4 5 6 7 8 9 10 11; do
    rm -r -- "${kernel:?}/$order" && cp -r -- "$kernel/0" "$kernel/$order"
done
choose 0 12 --set 'input='"$scratch/mixed"
# A program may launch a kernel more often than a thousand times.
cp -r -- "$scratch/raw" "$scratch/often"
for device in 0 1; do
    kernel=$scratch/often/device$device/made_up_add
    mv -- "$kernel/4" "$kernel/1000"
    mv -- "$kernel/5" "$kernel/2999"
    mv -- "$kernel/6" "$kernel/123456789"
done
choose 0 14 --set 'input='"$scratch/often"
for order in 0 3 1000 2999 123456789; do
    [ -e "$scratch/some/device1/made_up_add/$order/OpBasicInfo.csv" ] ||
        fail "launch $order is skipped"
done
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
good = [len(times) == sum(map(len, wanted.values())) and len(times) == 14,
        times == sorted(times, reverse=True),
        near(sum(float(row["share(%)"]) for row in launches) / len(times), 100 / len(times)),
        {row["kernel"] for row in kernels} == set(wanted)]
for row in launches: # the busiest unit is one of the table's; nothing here is busy for 80 %
    with open(f"{sys.argv[1]}/{row['device']}/{row['kernel']}/{row['order']}/PipeUtilization.csv",
              newline="") as file:
        pipes = [line for line in csv.DictReader(file)]
    most = max(100 * float(line[f"aiv_{unit}_ratio"]) for line in pipes
               for unit in ("vec", "scalar", "mte2", "mte3"))
    good += [row["bound"] == "latency", row["busiest"] == "Scalar",
             abs(float(row["busy(%)"]) - most) < 0.01 * most + 0.02]
for row in kernels:
    ours = wanted[row["kernel"]]
    good += [int(row["launches"]) == len(ours), near(row["sum(us)"], sum(ours)),
             near(row["mean(us)"], statistics.mean(ours)),
             near(row["median(us)"], statistics.median(ours)), near(row["min(us)"], min(ours)),
             near(row["max(us)"], max(ours)), near(row["share(%)"], 100 * sum(ours) / whole)]
sys.exit(0 if all(good) else f"wrong: {good}, {launches}, {kernels}")
PYTHON
