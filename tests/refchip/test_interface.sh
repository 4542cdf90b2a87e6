#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs that use the runtime as others do, alone and while they are profiled on a simulator and
# on a device: their results and exit codes are the same, and every launch is accounted for.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=("$OPPROF_REFCHIP_COMMAND" --devices 8)
export INTERFACE_KERNEL=$REFCHIP_KERNELS/vector_add.o
cd "$scratch"
LC_ALL=C sed 's/\x00vector_add\x00/\x00vector_sum\x00/g' "$INTERFACE_KERNEL" >second.o
export INTERFACE_SECOND=$PWD/second.o

# both NAME CODE LAUNCHES [CODE LAUNCHES]: how opprof-run ends, and how many launches it profiles;
# on a device, if it differs there
settings=() options=()
both() {
    local pipeline code count
    env "${settings[@]}" "${chip[@]}" "$REFCHIP_INTERFACE" "$1" >said 2>why </dev/null ||
        { cat said why >&2; fail "$1: alone it fails"; }
    for pipeline in sim-live onboard-live; do
        code=0
        more=()
        [ $pipeline = sim-live ] ||
            more=(--set metrics=BasicInfo --set clear_cache=off --set warm_up=1)
        env "${settings[@]}" "$OPPROF_RUN" --output "$1-$pipeline" --flat --set launch_count=100 \
            "${more[@]}" "${options[@]}" $pipeline -- "${chip[@]}" "$REFCHIP_INTERFACE" "$1" >said \
            2>why-$pipeline </dev/null || code=$?
        if [ $pipeline = onboard-live ] && [ $# -gt 3 ]; then set -- "$1" "$4" "$5"; fi
        [ "$code" = "$2" ] || { cat said why-$pipeline >&2; fail "$1, $pipeline: exit code $code"; }
        grep -qx verified said || { cat said >&2; fail "$1, $pipeline: its results are wrong"; }
        count=$(sed -n 's/^.*"launches profiled": \([0-9]*\).*$/\1/p' "$1-$pipeline/run.json")
        [ "$count" = "$3" ] ||
            { cat why-$pipeline >&2; fail "$1, $pipeline: $count profiled, not $3"; }
    done
}
says() { # both pipelines say it
    local pipeline
    for pipeline in sim-live onboard-live; do
        tr -s ' \n' ' ' <why-$pipeline | grep -qF -- "$1" ||
            { cat why-$pipeline >&2; fail "$pipeline does not say: $1"; }
    done
}

# A graph is captured once and executed five times; a stream that joins belongs to it. Before and
# after it launches are profiled.
both capture 4 2
says "3 launches count when executed: 'vector_add', recorded into a graph"
says "5 launches are not profiled: 'vector_add', executed by aclmdlRIExecuteAsync, whose"
says 'kernels are on several streams'
grep -q '"launches passed by": 5' capture-onboard-live/run.json ||
    fail "run.json does not count them"
both relaxed 4 2
# What is executed on one stream is repeated as a whole, with counters of each of its kernels; on a
# simulator, if these are one. One run is a launch, then five times three, and three of another.
both graphs 4 4 0 19
python3 - graphs-onboard-live <<'PY' || fail "kernels of a graph do not have their own counters"
import csv, pathlib, sys
rows = [(path.parent.parent.name, next(csv.DictReader(open(path))))
        for path in pathlib.Path(sys.argv[1]).rglob('OpBasicInfo.csv')]
names = [row['Op Name'] for _, row in rows]
assert (names.count('vector_add'), names.count('vector_sum')) == (14, 5), names
assert all(folder == row['Op Name'] and 0.5 < float(row['Task Duration(us)']) < 2
           for folder, row in rows), rows
PY
# Records of this chip do not say which kernel of several they are of.
code=0
"$OPPROF_RUN" --output nameless --flat --set launch_count=100 --set metrics=BasicInfo onboard-live \
    -- "${chip[@]}" --chip Ascend310P3 "$REFCHIP_INTERFACE" graphs >said 2>why </dev/null || code=$?
[ "$code" = 4 ] && grep -q "'vector_add' in a graph of several kernels is not profiled" why ||
    { cat why >&2; fail "a chip without tasks in its records: exit code $code"; }
[ "$(find nameless -name OpBasicInfo.csv | wc -l)" = 4 ] || fail "its graphs of one kernel"
# A single launch that is one of a graph has its folder as well.
code=0
"$OPPROF_RUN" --output one --flat --set launch_skip=2 --set metrics=BasicInfo onboard-live -- \
    "${chip[@]}" "$REFCHIP_INTERFACE" graphs >said 2>why </dev/null || code=$?
[ "$code" = 0 ] && [ -s one/device0/vector_sum/0/OpBasicInfo.csv ] ||
    { cat why >&2; fail "a single launch of a graph: exit code $code"; }
# Functions of the host are called as often as without opprof, so such a graph is not repeated.
both callbacks 4 2
says 'executed by aclmdlRIExecuteAsync, which calls functions of the host'
# A program that is run again for each pass repeats nothing.
options=(--set replay_mode=application)
both_device() { # the same on a device alone
    local code=0
    "$OPPROF_RUN" --output "$1-device" --flat --set launch_count=100 --set metrics=BasicInfo \
        "${options[@]}" onboard-live -- "${chip[@]}" "$REFCHIP_INTERFACE" "$1" >said 2>why \
        </dev/null || code=$?
    [ "$code" = "$2" ] || { cat why >&2; fail "$1, ${options[*]}: exit code $code, not $2"; }
    grep -qx verified said || { cat said >&2; fail "$1, ${options[*]}: its results are wrong"; }
}
both_device graphs 4
grep -q 'which replay_mode=application does not repeat' why || fail "the reason is not said"
# Launches into a graph of kernels that are not wanted, and its executions, are left out.
options=(--set kernel_name=other)
both capture 4 0
if grep -q 'not profiled:' why-sim-live why-onboard-live; then
    fail "executions of unwanted kernels are said"
fi
grep -q '"launches left out by kernel_name": 7' capture-sim-live/run.json ||
    fail "run.json does not have what is left out"
options=(--set kernel_name=vector_sum)
both recorded 0 1
both graphs 4 0 0 5
options=()
both recorded 4 1
both beside 4 1
says "1 launch counts when executed: 'vector_add', recorded into a graph"
says "1 launch is not profiled: 'vector_add', launched while a graph is recorded"
both models 4 5 4 8
says "3 launches count when executed: 'vector_add', recorded into a model"
for name in aclmdlExecute aclmdlExecuteAsync; do
    says "$name"
done

# Every name that launches have: each is profiled, or counted.
both launches 4 9
says '5 launches are not profiled: by rtFftsPlusTaskLaunch, rtFftsPlusTaskLaunchWithFlag (2), rtMult'
says 'rtMultipleTaskInfoLaunch, rtStarsTaskLaunch, whose tasks only the runtime can read'
says '2 launches are not profiled: by rtKernelLaunchEx, rtsLaunchCpuKernel, on the AI CPU'
says '2 launches are not profiled: executions by aclopExecuteV2, aclopCompileAndExecute, whose kern'

both unknown 4 1
says '1 launch is not profiled: a kernel of unknown name'

# Devices by their contexts, and as the process sees them: 6 and 5 of the driver's.
settings=(OPPROF_REFCHIP="account=$PWD/account")
both contexts 0 2
ls -d contexts-onboard-live/device1/vector_add >/dev/null || fail "device 1 has no launches"
settings=(ASCEND_RT_VISIBLE_DEVICES=6,5 OPPROF_REFCHIP="account=$PWD/account")
rm -f account
both contexts 0 2
python3 - account <<'PY' || fail "channels were not those of the driver's device"
import json, sys
runs = [json.loads(line) for line in open(sys.argv[1])]
devices = {run["device"] for run in runs if run["channels"]}
assert devices == {5}, devices
PY
settings=()

# What other devices may write to is not put back, so such launches run unprofiled.
rm -rf alone && "${chip[@]}" "$REFCHIP_INTERFACE" shared >/dev/null || fail "shared: alone it fails"
code=0
"$OPPROF_RUN" --output shared --flat --set launch_count=100 --set metrics=BasicInfo \
    onboard-live -- "${chip[@]}" "$REFCHIP_INTERFACE" shared >said 2>why </dev/null || code=$?
[ "$code" = 4 ] || { cat why >&2; fail "shared: exit code $code"; }
grep -qx verified said || fail "shared: its results are wrong"
grep -q 'which is shared or of an unknown allocation' why || fail "shared: the reason is not said"
[ "$(find shared -name OpBasicInfo.csv | wc -l)" = 0 ] ||
    fail "a launch with shared memory was repeated"

# mstx of CANN 8.1 has a shorter table than later ones; ranges of domains count as well.
options=(--set mstx=on)
both old-mstx 0 2
both new-mstx 0 2

# In a range every call keeps its place.
both order 0 8
options=()
both meanwhile 0 4
options=(--set mstx=on --set replay_mode=range)
code=0
"$OPPROF_RUN" --output range --flat --set launch_count=100 --set metrics=BasicInfo --set warm_up=1 \
    "${options[@]}" onboard-live -- "${chip[@]}" "$REFCHIP_INTERFACE" order >said 2>why \
    </dev/null || code=$?
[ "$code" = 0 ] || { cat said why >&2; fail "range: exit code $code"; }
grep -qx verified said || { cat said >&2; fail "range: its results are wrong"; }
# Launches by every name, whose recording is made or lost.
named() { # named PROGRAM FAULT CODE LAUNCHES
    local code=0
    rm -rf range
    OPPROF_REFCHIP=$2 "$OPPROF_RUN" --output range --flat --set launch_count=100 \
        --set metrics=BasicInfo --set warm_up=1 "${options[@]}" onboard-live -- "${chip[@]}" \
        "$REFCHIP_INTERFACE" "$1" >said 2>why </dev/null || code=$?
    grep -qx verified said || { cat said why >&2; fail "$1, $2: its results are wrong"; }
    [ "$code" = "$3" ] || { cat why >&2; fail "$1, $2: exit code $code, not $3"; }
    [ "$(find range -name OpBasicInfo.csv | wc -l)" = "$4" ] || fail "$1, $2: not $4 launches"
}
named named '' 0 10
if grep -q 'in parts' why; then fail "a range with all forms of arguments is repeated in parts"; fi
named named error_capture=1 4 0
grep -q 'has lost its recording of [0-9]* launch' why || fail "the loss is not reported"
# Of a launch that fails the recording has nothing.
named mixed '' 4 4
both_device callbacks 0
if grep -q 'tasks, not of' why; then fail "a launch that failed counts as recorded"; fi
