#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every mistake in a chip file is found by --validate, whatever the pipeline, with its place and the
# nearest name; of several all are reported at once. Before a run those are found that its modules
# could read.
. "$(dirname "$0")/lib.sh"
script=$(cd "$(dirname "$0")" && pwd)/chip_mistakes.py
header=$(cd "$srcdir" && pwd)/kit/include/opprof/kit/facts.h
cd "$WORK" || exit 99
mkdir own input
export OPPROF_CHIP_PATH=$WORK/own:$OPPROF_CHIP_PATH

of_pipeline() { # PIPELINE OPTION
    opprof "$2" --pipeline "$1" --set input=input --set chip=Tiler1
}

python3 "$script" own/tiler.json
for pipeline in onboard-dump sim-dump; do
    of_pipeline $pipeline --validate
    expect 0
done

# The pipeline that has least to do with chips finds them all.
python3 "$script" >table
while IFS=$'\t' read -r name pointer text; do
    python3 "$script" own/tiler.json "$name"
    of_pipeline biu-dump --validate
    expect 2 "own/tiler.json at $pointer: " "$text"
done <table
python3 "$script" --kinds "$header" || fail "kinds of facts without a mistake"

# A run checks the facts that its own modules read, and those that the kit reads for all.
check_run() { # PIPELINE NAME STATUS
    python3 "$script" own/tiler.json "$2"
    of_pipeline "$1" --graph
    expect "$3"
}
check_run sim-dump dbi.let 0
check_run dbi-dump dbi.let 2
check_run onboard-dump simulator.pair_by 0
check_run sim-dump simulator.pair_by 2
check_run dbi-dump accept 2

# All at once, where they do not hide one another.
names=(feilds rounds.tle group-tiel of-tiel peak compute_load.tiel operator.advice \
    operator.core_time operator.type table-Pips)
python3 "$script" own/tiler.json "${names[@]}"
of_pipeline onboard-dump --validate
expect 2 "The facts of chip 'Tiler1' have 10 mistakes"
for name in "${names[@]}"; do
    pointer=$(awk -F '\t' -v name="$name" '$1 == name { print $2 }' table)
    grep -qF -- "at ${pointer/Pipes/Pips}" .stderr || grep -qF -- "at $pointer" .stderr ||
        fail "not among all: $pointer"
done

# The same of a simulator.
names=(simulator.icache_miss simulator.fetches simulator.issues simulator.pair_by simulator.line \
    simulator.ccu_file simulator.metrics
    simulator.guess simulator.start simulator.logical_core simulator.requests simulator.lane \
        simulator.other_rank)
python3 "$script" own/tiler.json "${names[@]}"
of_pipeline sim-dump --validate
# The wrong member of logical_core hides the right one, which is missing.
expect 2 "The facts of chip 'Tiler1' have 14 mistakes"
finish
