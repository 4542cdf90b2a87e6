#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Operators profiled on a device: counts equal to the chip's own account, memory put back, filters,
# faults, ends.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
driver=$REFCHIP_BOARD_DRIVER
export BOARD_KERNEL=$REFCHIP_KERNELS/vector_add.o BOARD_HANG=$scratch/hang.o
account=$root/tests/refchip/board_account.py
cd "$scratch"

# board NAME CODE WORD... : onboard-live with the options in $set on a chip with $faults over a
# command into ./NAME
set=() faults=
board() {
    local name=$1 wanted=$2 code=0
    shift 2
    OPPROF_REFCHIP="account=$PWD/$name.account $faults" "$OPPROF_RUN" --output "$name" --flat \
        --set clear_cache=off --set warm_up=1 "${set[@]}" onboard-live -- "$@" >said 2>why \
        </dev/null || code=$?
    [ "$code" = "$wanted" ] || { cat said why >&2; fail "$name: exit code $code, not $wanted"; }
}
verified() {
    grep -qx verified said || { cat said why >&2; fail "the operator's own result is wrong"; }
}
says() { grep -qF -- "$1" why || { cat why >&2; fail "not reported: $1"; }; }
# The deadline of a second is longer where the program's own launch took long.
says_endless() {
    grep -qE -- "$1 within [0-9]{4,} ms" why || { cat why >&2; fail "not reported: $1"; }
}
is_there() { [ -e "$1" ] || fail "there is no $1"; }
is_gone() { [ ! -e "$1" ] || fail "there is $1"; }
passes() { python3 -c 'import json, sys
print(sum(1 for line in open(sys.argv[1]) if json.loads(line)["channels"]))' "$1.account"; }

# One operator: passes for all groups and one for the L2 cache; every counter is what the chip
# counted.
set=(--set dump=on --set warm_up=5 --set clear_cache=on --set "metrics=Roofline,Occupancy")
board matmul 0 "$chip" matmul --double-buffer
verified
[ "$(tail -n 1 said)" = "$PWD/matmul" ] || fail "the last line is not the path of the results"
python3 "$account" matmul.account matmul/dump matmul || fail "the counts are not the chip's"
[ "$(wc -l <matmul.account)" = 17 ] || fail "$(wc -l <matmul.account) launches, not 5 + 11 + 1"
for file in matmul/dump/*.bin; do
    [ "$(stat -c %a "$file")" = 640 ] || fail "$file has mode $(stat -c %a "$file")"
done
[ "$(stat -c %a matmul/dump)" = 750 ] || fail "matmul/dump has mode $(stat -c %a matmul/dump)"
"$OPPROF_RUN" -q --pipeline onboard-dump --set input=matmul/dump --set metrics=Roofline,Occupancy \
    --output offline --flat >/dev/null 2>why || { cat why >&2; fail "onboard-dump: exit code $?"; }
for table in matmul/*.csv; do
    cmp "$table" "offline/${table#matmul/}" || fail "live and offline differ in $table"
done
cmp matmul/visualize_data.bin offline/visualize_data.bin ||
    fail "live and offline differ in the viewer's container"

# Cube and vector cores together: each core's counters, by its own kind's events.
set=(--set dump=on)
board mixed 0 "$chip" matmul --relu
verified
python3 "$account" mixed.account mixed/dump || fail "the mixed operator's counts are not the chip's"

# In place: ten launches, five of them profiled after two; memory is what it would be without.
set=(--set launch_count=5 --set launch_skip=2)
board inplace 0 "$chip" "$driver" inplace 10
verified
says '5 of 10 launches were profiled; left out: 2 by launch_skip=2, 3 by launch_count=5'
for order in 0 1 2 3 4; do is_there "inplace/device0/vector_add/$order/OpBasicInfo.csv"; done
is_gone inplace/device0/vector_add/5
is_gone inplace/OpBasicInfo.csv
is_gone inplace/device0/vector_add/0/dump/DeviceProf1.bin
is_there inplace/device0/vector_add/0/dump/aicore_binary.o
[ "$(passes inplace)" = 55 ] || fail "$(passes inplace) passes, not 55"

# Results of another run are not mixed in.
board inplace 0 "$chip" "$driver" inplace 10
says "'device0' of an earlier run is now 'device0.1'"
is_there inplace/device0.1/vector_add/4/OpBasicInfo.csv
is_there inplace/device0/vector_add/4/OpBasicInfo.csv

# Names.
set=(--set kernel_name='mat*|other')
board none 4 "$chip" "$driver" inplace
says 'No launch was profiled: 1 were made, 0 of them'
set=(--set kernel_name='vector_|x')
board prefix 0 "$chip" "$driver" inplace
set=(--set kernel_name='*_add')
board pattern 0 "$chip" "$driver" inplace
verified

# Processes count for themselves; so do devices, and threads share their process's number.
set=(--set launch_count=2 --set dump=on)
board processes 0 "$chip" "$driver" fork 3
verified
[ "$(find processes -name OpBasicInfo.csv | wc -l)" = 8 ] ||
    fail "$(find processes -name OpBasicInfo.csv | wc -l) launches of four processes"
board threads 0 "$chip" --devices 2 "$driver" threads 2
verified
[ "$(find threads/device0 -name OpBasicInfo.csv | wc -l)" = 2 ] ||
    fail "device 0 has other launches"
[ "$(find threads/device1 -name OpBasicInfo.csv | wc -l)" = 2 ] ||
    fail "device 1 has other launches"
python3 - threads <<'END' || fail "files of launches mix"
import glob, os, sys
for folder in glob.glob(sys.argv[1] + "/device*/*/*/dump"):
    assert {os.path.getsize(f) for f in glob.glob(folder + "/DeviceProf*.bin")} == {512}, folder
    assert os.path.getsize(folder + "/duration.bin") == 128 and os.path.getsize(
        folder + "/L2Cache.bin") == 72, folder
END

# BasicInfo alone is one pass.
set=(--set metrics=BasicInfo)
board basic 0 "$chip" "$driver" inplace
[ "$(passes basic)" = 1 ] || fail "$(passes basic) passes for BasicInfo"

# The whole program again and again: the same launches, merged.
set=(--set replay_mode=application --set launch_count=2 --set dump=on --set metrics=Default)
board application 0 "$chip" "$driver" inplace 2
grep -q 'launches were profiled' why && fail "launches of later rounds count as left out"
[ "$(grep -cx verified said)" = 11 ] ||
    fail "the program ran $(grep -cx verified said) times, not 11"
# A program that launches something else when it is run again: that is not the same operator.
set=(--set replay_mode=application --set metrics=Default)
board changing 4 sh \
    -c "if mkdir once 2>/dev/null; then '$chip' '$driver' inplace; else '$chip' matmul --blocks 1; fi"
says "Run 2 of the program launches 'matmul' with 1 block as number 1 of device 0, the first run 'vector_add' with 4 blocks; it is left out"
# And one that launches nothing any more.
board fewer 4 sh -c "if mkdir first 2>/dev/null; then '$chip' '$driver' inplace; fi"
says "Run 11 of the program launches 'vector_add' on device 0 less often than the first run"
set=(--set replay_mode=application --set launch_count=2 --set dump=on --set metrics=Default)
for order in 0 1; do is_there "application/device0/vector_add/$order/dump/DeviceProf10.bin"; done
[ "$(wc -l <application.account)" = 22 ] || fail "$(wc -l <application.account) launches, not 22"

# Modules above the runtime hear of profiling, by the switches of the series.
export DRIVER_KERNEL=$BOARD_KERNEL
set=(--set metrics=BasicInfo)
board heard 0 "$chip" "$REFCHIP_DRIVER" heard
verified
grep -qx 'type 1 of 5424 bytes: command 1, switches 0x100000010, 1 devices, the first is 0' said ||
    { cat said >&2; fail "no module hears of profiling"; }

# What cannot be put back is not repeated.
set=()
board managed 4 "$chip" "$driver" managed
verified
says 'uses memory at 0x'
[ "$(wc -l <managed.account)" = 1 ] || fail "an operator on unknown memory was repeated"
board peer 4 "$chip" --devices 2 "$driver" peer
verified
says 'it uses memory of device 1 at 0x'
[ "$(wc -l <peer.account)" = 1 ] || fail "an operator on another device's memory was repeated"
faults=memory=1000000 board full 4 "$chip" "$driver" full
verified
says 'the device has not enough free memory'
[ "$(wc -l <full.account)" = 1 ] || fail "an operator whose memory was not saved was repeated"
faults=error_malloc=4 board allocation 4 "$chip" "$driver" inplace
verified

# Faults of channels: what is missing is said, what is there is read, and the program never notices.
faults=fail_start=50 board start 4 "$chip" "$driver" inplace
verified
says 'does not start channel 50'
faults=fail_start=53 board start53 4 "$chip" "$driver" inplace
verified
faults=fail_read=53 board read 4 "$chip" "$driver" inplace
verified
says 'Reading channel 53 failed'
faults=fail_poll=53 board poll 4 "$chip" "$driver" inplace
verified
says 'Waiting for the profiling channels failed'
faults=lose_stop=53 board lost 4 "$chip" "$driver" inplace
verified
says 'lost records'
faults=silent=53 board silent 4 "$chip" "$driver" inplace
verified
says 'Channel 53 gave no records'
set=(--set dump=on)
faults=late=53 board late 0 "$chip" "$driver" inplace
python3 "$account" late.account late/dump late || fail "late records are lost"
faults=short_read=7 board short 0 "$chip" "$driver" inplace
python3 "$account" short.account short/dump short || fail "short reads lose records"

# A signal within a pass, and a collector that dies.
set=(--set dump=on)
faults=interrupt_start=5 board interrupt 4 "$chip" "$driver" inplace
says 'Interrupted after 5 of 13 passes'
says 'was ended by signal 2'
is_there interrupt/dump/DeviceProf4.bin
is_gone interrupt/dump/DeviceProf5.bin
# A warm-up and five passes; the signal comes right after the program's own launch was handed over,
# which may still run.
launches=$(wc -l <interrupt.account)
[ "$launches" = 6 ] || [ "$launches" = 7 ] || fail "$launches launches, not 6 or 7"
# What such a kernel is of is what its passes show, and else unknown.
faults=interrupt_start=1 board early 4 "$chip" matmul --size 64
faults=interrupt_start=2 board later 4 "$chip" matmul --size 64
types=$(tail -qn 1 early/OpBasicInfo.csv later/OpBasicInfo.csv | cut -d , -f 2 | tr '\n' ' ')
[ "$types" = 'NA cube ' ] || fail "after one pass and two, a matrix product is of '$types'"
# As Ctrl+C does, it comes to all processes; one that started another ends at once, and the other
# one's operator is not lost.
cat >starts.py <<'END'
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
while True:
    signal.pause()
END
code=0
OPPROF_REFCHIP=visit_start=5 REFCHIP_VISITOR='kill -INT 0' setsid -w env --default-signal=INT \
    "$OPPROF_RUN" -q --output starts --flat --set clear_cache=off onboard-live -- python3 \
    starts.py "$chip" "$driver" inplace >said 2>why </dev/null || code=$?
[ "$code" = 4 ] || { cat why >&2; fail "starts: exit code $code"; }
! grep -F 'stopped before' why >&2 || fail "an operator is lost"
is_there starts/OpBasicInfo.csv
faults=crash_start=5 board within 4 "$chip" "$driver" inplace
says 'was ended by signal 11'
is_there within/OpBasicInfo.csv
(OPPROF_REFCHIP=orphan_start=5 exec "$OPPROF_RUN" -q --output orphan --flat --set clear_cache=off \
    onboard-live -- "$chip" "$driver" inplace) 2>why | cat >said || true
verified

# Every launch function; wherever a toolkit keeps aclrt*Impl; kernels that are registered before
# main.
set=()
for launch in host-args config device-args device-args-v2 binary-data entry rt-stub rt-flag \
    rt-handle rt-handle-v2; do
    board "launch-$launch" 0 "$chip" vector-add --size 8192 --launch "$launch"
    verified
    [ "$(passes "launch-$launch")" = 11 ] || fail "$launch: $(passes "launch-$launch") passes"
done
for layout in acl_rt_impl ascendcl_impl; do
    OPPROF_REFCHIP_LIBRARIES=$REFCHIP_LAYOUTS/$layout/.libs board "$layout" 0 "$chip" vector-add \
        --size 8192
    verified
    [ "$(passes "$layout")" = 11 ] || fail "$layout: $(passes "$layout") passes"
done
OPPROF_REFCHIP_LIBRARIES=$REFCHIP_LAYOUTS/no_channels/.libs board channels 4 "$chip" "$driver" \
    inplace
verified
says 'has no prof_drv_start'
DRIVER_KERNEL=$BOARD_KERNEL DRIVER_EARLY=1 board early 0 "$chip" "$REFCHIP_DRIVER" once
verified

# An operator that does not end is aborted at the deadline; the program's own limit still holds.
cat >hang.s <<'END'
.kernel hang vector
loop:
    JUMP loop
END
"$REFCHIP_AS" hang.s hang.s hang.o
set=(--set deadline=1)
faults=patience=1000000000000 board hang 4 "$chip" "$driver" hang
verified
says_endless 'does not end'

# So is the wait for earlier work: what does not end keeps nobody from launching.
set=(--set deadline=1 --set kernel_name=vector_add)
faults=patience=1000000000000 board busy 4 "$chip" "$driver" busy
verified
says_endless 'earlier work of the device does not end'

# No room for the results: it says so, and the program's result is right.
code=0
(ulimit -f 16 && exec "$OPPROF_RUN" --output no-room --flat --set dump=on onboard-live -- "$chip" \
    "$driver" inplace) >said 2>why </dev/null ||
    code=$?
[ "$code" = 1 ] || [ "$code" = 4 ] || fail "full disk: exit code $code"
# A run that fails as a whole ends the program, which may not have come to its result then.
if [ "$code" = 4 ] || grep -qx wrong said; then verified; fi
says 'File too large'

# Ends.
set=(--set launch_count=5)
board crash 4 "$chip" "$driver" crash
says 'signal 11'
is_there crash/device0/vector_add/0/OpBasicInfo.csv
set=(--set kill=on)
board killed 0 sh -c "'$chip' '$driver' inplace; exec tail -f /dev/null"
is_there killed/OpBasicInfo.csv
set=()
board failed 4 sh -c "'$chip' '$driver' inplace; exit 3"
says 'exit code 3'
board nothing 4 true
says 'did not use the runtime'
board a5 0 "$chip" --chip Ascend950PR_9599 "$driver" inplace
verified

# Wrong words are refused before anything runs.
refused() {
    local code=0
    "$OPPROF_RUN" --output refused --flat "${@:2}" onboard-live -- touch ran >said 2>why || code=$?
    [ "$code" = 2 ] || fail "${*:2}: exit code $code"
    says "$1"
    is_gone ran
}
refused 'kernel_name' --set kernel_name='a b'
refused 'launch_count' --set launch_count=5001
refused 'launch_skip' --set launch_skip=1001
refused 'warm_up' --set warm_up=501
refused 'mstx=on' --set mstx_include=loop
refused 'replay_mode' --set replay_mode=never
refused 'TimelineDetail' --set replay_mode=application --set metrics=TimelineDetail
refused 'kill' --set replay_mode=application --set kill=on
