#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One Ctrl+C, SIGTERM or a timeout writes what there is and marks it cut; a second Ctrl+C aborts.
. "$(dirname "$0")/lib.sh"
stop_at_random=$(cd "$(dirname "$0")/../stress" && pwd)/stop_at_random.sh
cd "$WORK" || exit 99

# A dump that is longer than what fits between the records read first and the tap.
mkdir dump
awk -v n=300000 'BEGIN { for (i = 0; i < n; i++)
    printf "[info] [%08d] (PC: 0x%x) SCALAR   : (Binary: 0x003bd781) ADD  XD:X1=0x%x,\n", i + 100, 4096 + 4 * (i % 50), i }' \
    >dump/core0.veccore0.instr_popped_log.dump
cp dump/core0.veccore0.instr_popped_log.dump dump/core0.veccore0.instr_log.dump

start() {
    rm -rf out
    start_into_pipe --pipeline sim-dump --set input=dump --set chip=Ascend910B1 --output out \
        --flat --tap dump.instructions=pipe "$@"
}

run_says_cut() {
    python3 - out/run.json "$1" <<'PY'
import json, sys
run = json.load(open(sys.argv[1]))
sys.exit(0 if run["cut"] and not run["complete"] and sys.argv[2] in run["reasons"][0] else 1)
PY
}

for signal in INT TERM HUP; do
    start
    kill -$signal "$runner"
    wait_for stopping
    go_on
    expect 4 "stopping; the data read so far is being written" "The run was cut short: SIG$signal"
    holds run_says_cut "SIG$signal"
    holds is_json out/trace.json
    holds is_json out/core0.veccore0/trace.json
    holds [ -s out/visualize_data.bin ]
done

# While a run writes into a directory, no other one does.
start
opprof --pipeline sim-dump --set input=dump --set chip=Ascend910B1 --output out --flat
expect 1 "Another run is writing its results into 'out'"
go_on
expect 0
holds is_json out/trace.json

# Who starts opprof-run may ignore the ends of children; opprof-run waits for its own (those that
# try modules).
run env --ignore-signal=CHLD "$OPPROF_RUN" --pipeline sim-dump --set input=dump \
    --set chip=Ascend910B1 --output out --flat --timeout 600
expect 0

# No machine reads the dump in a millisecond.
rm -rf out
opprof --pipeline sim-dump --set input=dump --set chip=Ascend910B1 --output out --flat \
    --timeout 0.001
expect 4 "The run was cut short: the timeout was reached"
holds run_says_cut timeout

# Results that are shown are checked first, which takes its time: a run that is stopped then has not
# failed.
rm -rf shown
opprof --pipeline sim-dump --set input=dump --set chip=Ascend910B1 --set formats=spans \
    --output shown --flat
expect 0
for seconds in 0.001 0.003 0.005 0.007 0.01 0.015 0.02 0.025; do
    opprof --show shown --timeout $seconds
    expect 4 "The run was cut short: the timeout was reached"
done
rm -rf shown

# Aborted: nothing half-written is left, and the exit code is the signal's.
start
kill -INT "$runner"
wait_for stopping
kill -INT "$runner"
wait_for aborting
go_on
expect 130
holds [ -z "$(find out -name '*part*')" ]
[ ! -e out/trace.json ] || holds is_json out/trace.json

# A parser does not go on for as long as pieces of a file are on their way: each word of a damaged
# stream can be an event.
mkdir biu
python3 - "$(cd "$(dirname "$stop_at_random")/../tools" && pwd)" <<'PY' || exit 99
import sys
sys.path.insert(0, sys.argv[1])
import mc2_raw
mc2_raw.put("biu", "op_basic_info.txt", mc2_raw.info("950", "plain", "Current Freq=1000\n"))
words = b"".join(mc2_raw.word(10, (0xF008, 0xF000)[i % 2]) for i in range(1 << 16))
mc2_raw.put("biu", "perfmon.core0.aiv0", mc2_raw.stamp(1000, 0) + words * 160)
PY
rm -rf out
start_into_pipe --pipeline biu-dump --set input=biu --output out --flat --tap biu.events=pipe
kill -INT "$runner"
wait_for stopping
go_on
expect 4 "The run was cut short: SIGINT" " bytes of 'perfmon.core0.aiv0'"
holds [ -z "$(grep "ends at byte" "$WORK/.stderr")" ] # the file is not cut
read_bytes=$(grep -oE "stopped after [0-9]+" "$WORK/.stderr" | head -n 1 | grep -oE '[0-9]+')
holds [ "$read_bytes" -lt $((4 << 20)) ]

# Nor does an analysis go on for as long as records wait for it: a damaged one can stand for
# millions of lines. There are more than can wait, so the file is not read to its end either, which
# the parser does not take for damage.
python3 - "$(cd "$(dirname "$stop_at_random")/../tools" && pwd)" <<'PY' || exit 99
import sys
sys.path.insert(0, sys.argv[1])
import dbi_kernels
import dbi_raw
dbi_kernels.KERNELS["long"] = lambda: {0: [dbi_raw.dma_mov(0, dbi_kernels.BASE, 0x100, 1000, 65535,
                                                           0, 0, "GM>UB")] * 300000}
dbi_kernels.write("long", "long")
PY
cat >long.json <<'JSON'
{ "opprof_pipeline": "1.0", "stages": [
    { "id": "dump", "use": "collect-onboard", "params": { "input": "long", "files": "info,code_start,dbi_packets" } },
    { "id": "records", "use": "parse-dbi" }, { "id": "cache", "use": "l2-cache" }, { "id": "csv", "use": "csv" } ] }
JSON
rm -rf out
start_into_pipe --pipeline long.json --output out --flat --tap records.accesses=pipe
kill -INT "$runner"
wait_for stopping
go_on
expect 4 "the run was stopped: the L2 model lacks " "the run was stopped after "
holds [ -z "$(grep "in the middle" "$WORK/.stderr")" ]
holds [ -s out/L2CacheModel.csv ]

# A plugin that hangs when the run is over does not keep the program; the exit code stays that of
# the run.
mkdir late
cp "${TEST_MODULES:?set by the makefile}/crash-at-end.so" late/
echo '{ "opprof_pipeline": "1.0", "stages": [ { "id": "s", "use": "crash-at-end" } ] }' >late.json
for signal in INT TERM; do
    : >"$WORK/.stderr" # else what is waited for may be that of the one before
    HANG_AT_END=1 env --default-signal=INT,TERM,HUP "$OPPROF_RUN" --plugin-path late \
        --pipeline late.json --validate >"$WORK/.stdout" 2>"$WORK/.stderr" </dev/null &
    runner=$!
    wait_for hangs
    kill -$signal "$runner"
    wait_for "the run is over"
    kill -$signal "$runner"
    code=0
    wait "$runner" || code=$?
    expect 0
done

# The same at random places; by hand with many more rounds.
run "$stop_at_random" dump Ascend910B1 5
cat .stdout
expect 0
finish
