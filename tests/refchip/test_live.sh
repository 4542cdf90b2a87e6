#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Operators that are profiled while they run: the same results as from their dump, filters,
# processes, ends.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
all=PipeUtilization,ResourceConflictRatio,PMSampling,Overhead
# What ran is another thing in a live run and in one over its dump, though they find the same.
title=(--set title=operator)
cd "$scratch"

# live NAME CODE [OPTION]... -- COMMAND...: runs sim-live into ./NAME; what it says is in ./said and
# ./why
live() {
    local name=$1 wanted=$2 code=0
    shift 2
    "$OPPROF_RUN" "${title[@]}" --output "$name" --flat "${@:1:$(($(index_of -- "$@") - 1))}" \
        sim-live "${@:$(index_of -- "$@")}" >said 2>why </dev/null || code=$?
    [ "$code" = "$wanted" ] || { cat said why >&2; fail "$name: exit code $code, not $wanted"; }
}
index_of() {
    local wanted=$1 place=1
    shift
    while [ "$1" != "$wanted" ]; do place=$((place + 1)); shift; done
    echo "$place"
}
says() { grep -qF -- "$1" why || { cat why >&2; fail "not reported: $1"; }; }
is_there() { [ -e "$1" ] || fail "there is no $1"; }
is_gone() { [ ! -e "$1" ] || fail "there is $1"; }

# equal A B: two directories of results are the same, byte for byte, but for the records of their
# runs
equal() {
    diff -r -x run.json -x dump -x 'device[0-9]*' "$1" "$2" >&2 || fail "$1 and $2 differ"
    [ -n "$(find "$1" -name trace.json)" ] || fail "$1 has no timeline"
}
# equal_folder FOLDER OFFLINE: what an operator has in its folder is what its dump gives; the rest
# is of the whole run
equal_folder() {
    diff -r -x run.json -x dump -x advice.csv -x 'report.*' -x results.sqlite -x trace.pftrace \
        "$1" "$2" >&2 || fail "$1 and $2 differ"
    [ -n "$(find "$1" -name trace.json)" ] || fail "$1 has no timeline"
    for file in run.json advice.csv report.html results.sqlite trace.pftrace; do
        is_gone "$1/$file"
    done
}
offline() {
    "$OPPROF_RUN" "${title[@]}" -q --pipeline sim-dump --set input="$1" --set chip="$2" \
        --set metrics="$all" --output "$3" --flat >said || fail "$3: exit code $?"
}

# The running operator gives what its dump gives, and that dump is the simulator's own.
live matmul 0 --set dump=on --set metrics="$all" -- "$chip" matmul --double-buffer
grep -qx verified said || fail "the operator's own result is wrong"
[ "$(tail -n 1 said)" = "$PWD/matmul" ] || fail "the last line is not the path of the results"
offline matmul/dump Ascend910B1 matmul-offline
equal matmul matmul-offline
mkdir own
CAMODEL_LOG_PATH=$PWD/own "$chip" matmul --double-buffer >said
cp matmul/dump/aicore_binary.o matmul/dump/pc_start_addr.txt own
diff -r own matmul/dump || fail "the dump is not the simulator's own"
live again 0 --set metrics="$all" -- "$chip" matmul --double-buffer
equal matmul again
[ "$(ls again/dump)" = "aicore_binary.o
pc_start_addr.txt" ] || fail "without dump=on, logs are left behind"
grep -q 'refchip/kernels/matmul_double.s:' again/core0.cubecore0/core0.cubecore0_code_exe.csv ||
    fail "no source lines"

# A kernel that uses cube and vector cores: twelve parts of four cores.
live mixed 0 --set dump=on --set metrics="$all" -- "$chip" matmul --relu
grep -qx verified said || fail "the mixed operator's own result is wrong"
[ "$(find mixed/dump -name '*.instr_log.dump' | wc -l)" = 12 ] ||
    fail "not all cores of the mixed operator are there"
offline mixed/dump Ascend910B1 mixed-offline
equal mixed mixed-offline
grep -q 'WAIT_FLAG_DEV' mixed/core3.veccore1/core3.veccore1_instr_exe.csv ||
    fail "flags between cores are missing"

# The other series, whose logs carry ids.
live a5 0 --set dump=on -- "$chip" --chip Ascend950PR_9599 vector-add
"$OPPROF_RUN" "${title[@]}" -q --pipeline sim-dump --set input=a5/dump --set chip=Ascend950PR_9599 \
    --output a5-offline --flat >said ||
    fail "the dump of the 950: exit code $?"
equal a5 a5-offline
live a3 0 -- "$chip" --chip Ascend910_9391 vector-add --double-buffer

# Every launch function is seen once, with its kernel.
for launch in host-args config device-args device-args-v2 binary-data entry rt-stub rt-flag \
    rt-handle rt-handle-v2; do
    live "launch-$launch" 0 --set kill=off -- "$chip" vector-add --size 8192 --launch "$launch"
    is_there "launch-$launch/core0.veccore0/trace.json"
    is_there "launch-$launch/dump/aicore_binary.o"
    is_gone "launch-$launch/device0"
done

# Filters: names, numbers, what to skip; each further operator has a place of its own.
live none 4 --set kernel_name='mat*|other' -- "$chip" vector-add --size 8192
says 'No operator was collected: 1 were launched, 0 of them'
# Launches that are not selected are not logged into files either.
live quiet 4 --set kernel_name=other -- sh \
    -c "'$chip' vector-add --size 8192; ls \"\$CAMODEL_LOG_PATH\" >listed"
is_there listed
[ ! -s listed ] || fail "an operator that is not wanted left dump files: $(cat listed)"
live prefix 0 --set kernel_name='mat*|vector_' -- "$chip" vector-add --size 8192
live pattern 0 --set kernel_name='*_add' -- "$chip" vector-add --size 8192
live several 0 --set launch_count=3 --set launch_skip=1 --set dump=on -- "$chip" vector-add \
    --size 8192 --repeat 5
says '3 of 5 launches were profiled; left out: 1 by launch_skip=1, 1 by launch_count=3'
python3 - several/run.json <<'END' || fail "run.json does not say how many launches there were"
import json, sys
counts = next(s["counts"] for s in json.load(open(sys.argv[1]))["stages"] if s["id"] == "live")
launches = {name: n for name, n in counts.items() if name.startswith("launches ")}
assert launches == {"launches seen": 5, "launches profiled": 3, "launches left out by launch_skip":
                    1,
                    "launches left out by launch_count": 1}, launches
END
is_there several/core0.veccore0/trace.json
# n is the number of the launch: 0 is the first one, whose results are those of the run.
is_gone several/device0/vector_add/0
is_there several/device0/vector_add/1/core0.veccore0/trace.json
is_there several/device0/vector_add/2/trace.json
is_gone several/device0/vector_add/3
[ "$(tail -n +2 several/launches.csv | cut -d, -f1-3 | sort | tr '\n' ' ')" = "vector_add,device0,0 vector_add,device0,1 vector_add,device0,2 " ] ||
    { cat several/launches.csv >&2; fail "launches are not numbered from 0"; }
# The second launch finds in the L2 cache what the first one loaded; the third and fourth are alike.
equal several/device0/vector_add/1 several/device0/vector_add/2

# Launches of the runtime's own interface do not say where the kernel is loaded; the smallest
# executed address does.
live stub 0 -- "$chip" vector-add --size 8192
for way in rt-stub rt-flag rt-handle rt-handle-v2; do
    live "$way" 0 -- "$chip" vector-add --size 8192 --launch "$way"
    grep -q 'vector_add.s:' "$way/core0.veccore0/core0.veccore0_code_exe.csv" ||
        fail "$way: there are no source lines"
    diff -r -x run.json -x dump stub "$way" >&2 ||
        fail "$way: other results than by aclrtLaunchKernel"
done

# Later operators are counted while they run and read while the program goes on: it ends only after
# the second one is.
mkfifo go log
cat >waits.sh <<'END'
"$1" vector-add --size 8192 --repeat 2
read -r word <go
END
"$OPPROF_RUN" -v --output meanwhile --flat --set launch_count=2 sim-live -- sh waits.sh "$chip" \
    >said 2>log </dev/null &
run=$!
read=0 counted=0
while read -r line; do
    case $line in
    *'Counted while it ran: cores=4'*) counted=$((counted + 1)) ;;
    *'Read operator'*) read=$((read + 1)); [ "$read" -ne 2 ] || echo go >go ;;
    esac
done <log
wait "$run" || fail "meanwhile: exit code $?"
[ "$read" = 2 ] || fail "the second operator was not read while the program ran"
[ "$counted" = 2 ] || fail "the operators were not counted while they ran"
is_there meanwhile/device0/vector_add/1/core0.veccore0/trace.json

# A later operator, too, gives what its dump gives, whether its records pair by address or by id.
later() { # NAME SOC METRICS CORES COMMAND...
    live "$1" 0 -v --set launch_count=2 --set dump=on --set metrics="$3" -- "$chip" --chip "$2" \
        "${@:5}" --repeat 2
    says "Counted while it ran: cores=$4"
    dump=$(echo "$1"/device0/*/1/dump)
    "$OPPROF_RUN" "${title[@]}" -q --pipeline sim-dump --set input="$dump" --set chip="$2" \
        --set metrics="$3" --output "$1-offline" --flat >said ||
        fail "the dump of $1: exit code $?"
    equal_folder "${dump%/dump}" "$1-offline"
}
later later-mixed Ascend910B1 "$all" 12 matmul --relu
later later-a5 Ascend950PR_9599 PipeUtilization 4 vector-add --size 8192

# Several operators: a folder for each, and one report, page, database and recording over all.
live one 0 --set launch_count=3 --set metrics="$all" -- "$chip" matmul --size 128
ports='instructions marks icache-misses issues mte core-ends' record=() replay=()
for port in $ports; do
    record+=(--record "live.$port=$port.oprec"); replay+=(--replay "live.$port=$port.oprec")
done
live both 0 --set formats=perfetto,spans --set launch_count=3 --set metrics="$all" "${record[@]}" \
    -- sh -c "'$chip' matmul --size 128; '$chip' vector-add --size 8192"
is_there both/device0/vector_add/0/visualize_data.bin
[ "$(find both -name report.html)$(find both -name results.sqlite)$(find both -name run.json)" = \
    both/report.htmlboth/results.sqliteboth/run.json ] ||
    fail "there are several reports: $(find both -name 'r*')"
for file in report.txt report.html trace.pftrace; do
    grep -qa vector_add "both/$file" || fail "$file does not know the second operator"
done
# Kernels are no records: they lie beside the results of a replay as they do beside those of the
# run.
mkdir -p replayed/device0/vector_add/0
cp -r both/dump replayed
cp -r both/device0/vector_add/0/dump replayed/device0/vector_add/0
"$OPPROF_RUN" "${title[@]}" -q --output replayed --flat --set formats=perfetto,spans sim-live \
    "${replay[@]}" >said || fail "--replay: exit code $?"
diff -r -x run.json both replayed >&2 || fail "the recording gives other results than the run"
"$OPPROF_RUN" -q --show both >said || fail "--show: exit code $?"
grep -q 'vector_add' said || fail "--show does not know the second operator"
"$OPPROF_RUN" --diff one both >said || fail "--diff: exit code $?"
grep -q 'new .*vector_add' said || { cat said >&2; fail "--diff does not see the second operator"; }
grep -qE '^ +(faster|slower|gone) .*cubecore' said && fail "--diff finds the first operator changed"
python3 - both <<'END' || fail "the tables of two operators are wrong"
import csv, glob, sqlite3, sys
out = sys.argv[1]
database = sqlite3.connect(out + "/results.sqlite")
rows = database.execute(
    'SELECT device, kernel, "order", core, running_us FROM sim_core_summary').fetchall()
assert {row[:3] for row in rows} == {(None, None, None), ("device0", "vector_add", "0")}, rows
for folder, place in (out, None), (out + "/device0/vector_add/0", "vector_add"):
    file = {row["core_name"]: float(row["running_time(us)"])
            for row in csv.DictReader(open(folder + "/core_summary.csv"))}
    assert file == {core: time for _, kernel, _, core, time in rows if kernel ==
                    place}, (folder, rows)
documents = {row[0] for row in database.execute("SELECT DISTINCT document FROM opprof_tracks")}
assert {"trace", "device0/vector_add/0/trace",
        "device0/vector_add/0/core0.veccore0/trace"} <= documents, documents
advice = {row["subject"] for row in csv.DictReader(open(out + "/advice.csv"))}
assert "vector_add" in advice, advice
END

# Several processes, one after the other's fork and through exec, count for themselves and do not
# mix.
live processes 0 --set dump=on -- sh \
    -c "'$chip' vector-add --size 8192 & '$chip' matmul --size 64 & wait"
python3 - processes <<'END' || fail "processes mix"
import glob, os, sys
kernels = {}
for d in [sys.argv[1] + '/dump'] + glob.glob(sys.argv[1] + '/device0/*/0/dump'):
    logs = [os.path.basename(f) for f in glob.glob(d + '/*instr_log.dump')]
    kinds = {'veccore' in f for f in logs}
    assert len(logs) == 4 and len(kinds) == 1, (d, logs)
    kernels[kinds.pop()] = d
assert len(kernels) == 2, kernels
END

# Ends: kill, exit codes, signals, no runtime at all, a command that is not there.
live killed 0 --set kill=on -- sh -c "'$chip' vector-add --size 8192; exec tail -f /dev/null"
is_there killed/trace.json
live failed 4 -- sh -c "'$chip' vector-add --size 8192; exit 3"
says "'sh' ended with exit code 3"
is_there failed/trace.json
live crashed 4 -- sh -c "'$chip' vector-add --size 8192; kill -SEGV \$\$"
says 'signal 11'
live nothing 4 -- true
says 'did not use the runtime of a simulator'
live missing 1 -- ./no-such-program
says "Cannot start './no-such-program'"
live fault 4 -- "$chip" vector-add --size 8192 --blocks 128
says 'failed with'

# Wrong words are refused before anything runs.
refused() {
    local code=0
    "$OPPROF_RUN" --output refused --flat "${@:2}" sim-live -- touch ran >said 2>why || code=$?
    [ "$code" = 2 ] || fail "${*:2}: exit code $code"
    says "$1"
    is_gone ran
}
refused 'kernel_name' --set kernel_name='a b'
refused 'kernel_name' --set kernel_name='a||b'
refused 'launch_count' --set launch_count=0
refused 'launch_count' --set launch_count=5001
refused 'launch_skip' --set launch_skip=1001
refused 'mstx=on' --set mstx_include=loop
refused 'mstx_include' --set mstx=on --set mstx_include='a*'
refused 'timeout' --set timeout=2881
refused 'kill' --set kill=maybe
refused 'core_id' --set core_id=50
refused 'PMSampling' --set chip=Ascend310P1 --set metrics=PMSampling
# The dump of an earlier run into the directory stays, with another name.
cp matmul/dump/aicore_binary.o earlier-kernel
live matmul 0 -- "$chip" vector-add
says "'dump' of an earlier run is now 'dump.1'"
cmp matmul/dump.1/aicore_binary.o earlier-kernel || fail "the earlier dump was changed"
! cmp -s matmul/dump/aicore_binary.o earlier-kernel || fail "the dump is not the new one's"

# Where others may write, nothing is run unless the user says so.
mkdir open
chmod 0777 open
live open/refused 1 -- touch ran
says "open': everyone may write to it"
is_gone ran
live open/allowed 0 --set unsafe_paths=on -- "$chip" vector-add --size 8192
is_there open/allowed/trace.json

# A run that is stopped reads all operators that were recorded, not only the one that it was at.
rm -f log
mkfifo log
env --default-signal=INT "$OPPROF_RUN" -v --output stopped --flat --set launch_count=60 sim-live \
    -- "$chip" vector-add --size 65536 --repeat 60 >said 2>log </dev/null &
run=$!
while read -r line; do
    case $line in
    *'Read operator'*) [ -e interrupted ] || kill -INT $run; : >interrupted ;;
    esac
done <log
code=0
wait $run || code=$?
[ "$code" = 4 ] || fail "stopped: exit code $code, not 4"
python3 - stopped <<'END' || fail "a stopped run has not read all that was recorded"
import csv, json, sys
stages = json.load(open(sys.argv[1] + "/run.json"))["stages"]
live = next(s for s in stages if s["id"] == "live")
rows = list(csv.DictReader(open(sys.argv[1] + "/launches.csv")))
# the one that the program was stopped in may have no record yet
empty = sum("has no core" in why for why in live["incomplete"])
assert len(rows) == live["counts"]["operators"] - empty > 1, (live["counts"], live["incomplete"],
                                                              len(rows))
END

# opprof-run that dies leaves the program alone.
cat >after.sh <<'END'
kill -KILL "$(cat pid)"
exec "$@"
END
(exec sh -c 'echo $$ >pid; exec "$@"' - "$OPPROF_RUN" -q --output dies --flat sim-live -- sh \
    after.sh "$chip" vector-add --size 8192) 2>why | cat >said || true
grep -qx verified said || fail "the program did not go on without opprof-run"
