#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every mistake in a chip file is found by --validate and before a run, with its place and the nearest name; of several
# all are reported at once.
. "$(dirname "$0")/lib.sh"
script=$(cd "$(dirname "$0")" && pwd)/chip_mistakes.py
cd "$WORK" || exit 99
mkdir own input
export OPPROF_CHIP_PATH=$WORK/own:$OPPROF_CHIP_PATH

# The pipelines whose plugins own the sections; a mistake in the simulator's facts belongs to the other path.
pipeline_of() {
    case $1 in
    simulator.* | operands) echo sim-dump ;;
    dbi.*) echo dbi-dump ;;
    mc2.*) echo mc2-dump ;;
    *) echo onboard-dump ;;
    esac
}

validate() { # PIPELINE
    opprof --validate --pipeline "$1" --set input=input --set chip=Tiler1
}

python3 "$script" own/tiler.json
for pipeline in onboard-dump sim-dump; do
    validate $pipeline
    expect 0
done

python3 "$script" >table
while IFS=$'\t' read -r name pointer text; do
    python3 "$script" own/tiler.json "$name"
    validate "$(pipeline_of "$name")"
    expect 2 "own/tiler.json at $pointer: " "$text"
done <table
[ "$(wc -l <table)" -ge 15 ] || fail "the table is short"

# All at once, where they do not hide one another.
names=(feilds rounds.tle group-tiel of-tiel peak compute_load.tiel operator.advice operator.core_time operator.type table-Pips)
python3 "$script" own/tiler.json "${names[@]}"
validate onboard-dump
expect 2 "The facts of chip 'Tiler1' have 10 mistakes"
for name in "${names[@]}"; do
    pointer=$(awk -F '\t' -v name="$name" '$1 == name { print $2 }' table)
    grep -qF -- "at ${pointer/Pipes/Pips}" .stderr || grep -qF -- "at $pointer" .stderr || fail "not among all: $pointer"
done

# The same of a simulator.
names=(simulator.icache_miss simulator.fetches simulator.issues simulator.pair_by simulator.line simulator.ccu_file simulator.metrics
    simulator.guess simulator.start simulator.logical_core simulator.requests simulator.lane simulator.other_rank)
python3 "$script" own/tiler.json "${names[@]}"
validate sim-dump
expect 2 "The facts of chip 'Tiler1' have 14 mistakes" # the wrong member of logical_core hides the right one, which is missing
for name in "${names[@]}"; do
    pointer=$(awk -F '\t' -v name="$name" '$1 == name { print $2 }' table)
    grep -qF -- "at $pointer" .stderr || fail "not among all: $pointer"
done

# A chip that only the data names: the run ends before it uses the file.
python3 "$script" own/tiler.json of-tiel
printf 'Op Name=demo\nBlock Dim=1\nRun Soc Version=Tiler1\nDevice Id=0\nPid=1\nCurrent Freq=1000\nRated Freq=1000\n' >input/op_basic_info.txt
python3 -c 'import struct
open("input/DeviceProf1.bin", "wb").write(struct.pack("<H6xQQQ", 0, 2000, 1500, 1024))
open("input/duration.bin", "wb").write(struct.pack("<B7xQ", 1, 5000) + struct.pack("<B7xQ", 2, 5004))'
opprof --pipeline onboard-dump --set input=input --output out --flat
[ "$code" != 0 ] || fail "a run with a wrong chip file succeeds"
expect "$code" "own/tiler.json at /metrics/tables/Use/columns/1/of: there is no 'tiel'. Did you mean 'tile'?"
python3 "$script" own/tiler.json
opprof --pipeline onboard-dump --set input=input --output good --flat
expect 0
finish
