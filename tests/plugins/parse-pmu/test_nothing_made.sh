#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A chip file from which nothing can be made of a request says so: no result without a reason.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

mkdir "$scratch/chips" "$scratch/raw"
cat >"$scratch/make.py" <<'PYTHON'
import json, struct, sys
chip = {
    "opprof_chip": "1.0", "series": "Flint", "uses": ["onboard"], "socs": {"Flint1": {}},
    "cores": {"count": 1}, "pmu": {
        "operator": {"type": "core"}, "kinds": [{"name": "core"}],
        "defaults": {"rated_freq": 1000, "scheduler_khz": 1000},
        "records": {
            "counters": {"size": 24, "fields": {"block": {"at": 0, "bits": 16},
                                                "cycles": {"at": 8, "bits": 64}},
                         "counters": {"at": 16, "count": 1}},
            "task_log": {"size": 16, "fields": {"function": {"at": 0, "bits": 8},
                                                "time": {"at": 8, "bits": 64}},
                         "start": 1, "end": 2}},
        "events": {"7": {"name": "busy"}}, "rounds": {"core": [[7]]},
        "groups": {"Use": {"core": [7]}}},
    "metrics": {"choices": {"Use": {"groups": ["Use"]}},
                "tables": {"Use": {"columns": [{"name": "busy", "is": "e(busy)"}]}}},
    "simulator": {}}
exec(sys.argv[2])
with open(sys.argv[1] + "/chips/Flint.json", "w") as file:
    json.dump(chip, file)
def write(name, data):
    with open(sys.argv[1] + "/raw/" + name, "wb") as file:
        file.write(data)
write("DeviceProf1.bin", struct.pack("<H6xQQ", 0, 10, 5))
write("duration.bin", struct.pack("<B7xQ", 1, 5000) + struct.pack("<B7xQ", 2, 5004))
write("op_basic_info.txt", b"Op Name=demo\nBlock Dim=1\nRun Soc Version=Flint1\nDevice Id=0\n"
                           b"Pid=1\nCurrent Freq=1000\nRated Freq=1000\n")
PYTHON
export OPPROF_CHIP_PATH=$scratch/chips:${OPPROF_CHIP_PATH:?set by the makefile}

# run CODE METRICS CHANGE TEXT...: a run with a changed chip file ends with the code and says the
# texts
run() {
    python3 "$scratch/make.py" "$scratch" "$3"
    "$OPPROF_RUN" "$scratch/raw" --set "metrics=$2" --output "$scratch/result" --flat >/dev/null \
        2>"$scratch/err" && code=0 || code=$?
    [ "$code" -eq "$1" ] || { cat -- "$scratch/err" >&2; fail "$3: exit code $code"; }
    for text in "${@:4}"; do
        grep -qF -- "$text" "$scratch/err" || {
            cat -- "$scratch/err" >&2; fail "$3: not reported: $text"
        }
    done
    rm -rf -- "$scratch/result"
}

run 0 Use pass
run 4 Memory pass "nothing is made of the metrics 'Memory' (the chip file states no table"
run 4 Use 'chip["metrics"].pop("tables")' \
    "nothing is made of the metrics 'Use' (the chip file states no table"
run 4 Use 'chip["metrics"]["choices"]["Use"]["groups"] = ["Uze"]' \
    "nothing is made of the metrics 'Use'"
run 4 Use 'chip["pmu"].pop("rounds")' \
    "all counters are left out: the chip file does not say which events they count (pmu.rounds)"
run 0 Use,Roofline pass \
    "there is no roofline, because the chip file states no graphs in metrics.roofline"

# The chip is found from its data: the mistake in its file is reported, not an unknown metric.
run 2 Use 'chip["cores"]["count"] = 0' \
    "Metric 'Use' is not available: no chip whose facts are right has it" \
    "Flint.json at /cores/count: 0 is out of range"
# A mistake in what only simulators need does not keep a launch from being read.
run 0 Use 'chip["simulator"]["pair_by"] = "pcc"'
