#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Operators that communicate, on several devices: passes of all ranks together, their timelines,
# clocks and overlap are what the chip did, and the operator's results are right.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
cd "$scratch"

# mc2 NAME CODE DEVICES OPTION... : onboard-live with the options in $set over all-gather on so many
# devices into ./NAME
set=() faults=
mc2() {
    local name=$1 wanted=$2 devices=$3 code=0
    shift 3
    OPPROF_REFCHIP="account=$PWD/$name.account meeting=600000 $faults" "$OPPROF_RUN" --output "$name" \
        --flat --set deadline=600 "${set[@]}" onboard-live -- \
        "$chip" --devices "$devices" all-gather "$@" >said 2>why </dev/null || code=$?
    [ "$code" = "$wanted" ] || { cat said why >&2; fail "$name: exit code $code, not $wanted"; }
    grep -qx verified said || { cat said why >&2; fail "the operator's own result is wrong"; }
}
says() { grep -qF -- "$1" why || { cat why >&2; fail "not reported: $1"; }; }

cat >check.py <<'END'
"""check.py NAME DEVICES BYTES: what is drawn against what gather.c says the AI CPU does."""
import csv, json, sys
name, devices, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
MHZ, AHEAD = 1850, 123456789
lines = [json.loads(line) for line in open(name + ".account", encoding="utf-8")]
for device in range(devices):
    own = [line for line in lines if line["device"] == device]
    # A warm-up, one pass for the L2 cache and ten for the counters; the program's own launch is among them.
    assert len(own) == 12, (device, len(own))
    assert own[0]["channels"] == [] and own[1]["channels"] == [47] and own[-1]["channels"] == [50, 53, 143], own
    assert all(line["channels"] == [53] for line in own[2:-1]), own
    events = json.load(open(f"{name}/device{device}/all_gather/0/trace.json", encoding="utf-8"))["traceEvents"]
    tasks = [e for e in events if e["ph"] == "X" and e["pid"] == "HCCL TASK"]
    assert len(tasks) == 3 * (devices - 1), (device, len(tasks))
    for peer in range(devices):
        plane = {e["name"]: e for e in tasks if e["tid"] == f"PLANE{peer}"}
        if peer == device:
            assert not plane
            continue
        assert sorted(plane) == ["Memcpy", "Notify_Record", "Notify_Wait"], plane.keys()
        assert abs(plane["Notify_Record"]["dur"] - 50 / MHZ) <= 0.0201, plane["Notify_Record"]
        assert abs(plane["Memcpy"]["dur"] - (100 + size / 64) / MHZ) <= 0.0201, plane["Memcpy"]
        assert plane["Memcpy"]["args"]["size(Byte)"] == str(size), plane["Memcpy"]
        ranks = plane["Memcpy"]["args"]
        assert (ranks["src rank"], ranks["dst rank"]) == (str(device), str(peer)), ranks
        heard = (2000 + 300 * peer + 900 + 100 * ((device - peer) % devices) + 50 + 80) - (2000 + 300 * device)
        told = 900 + 100 * ((peer - device) % devices) + 50
        wait = max(heard - told, 20)
        assert abs(plane["Notify_Wait"]["dur"] - wait / MHZ) <= 0.0201, (device, peer, plane["Notify_Wait"], wait / MHZ)
    turn = [e for e in events if e["ph"] == "X" and e["pid"] == "AI CPU" and e["tid"] == "TURN0"]
    assert [e["name"] for e in sorted(turn, key=lambda e: e["ts"])] == [
        "StartServer", "TaskWaitRequest", "TaskOrchestration", "TaskLaunch", "TaskExecute", "Finalize"], turn
    assert sum(e["name"] == "vector time" for e in events) == own[-1]["blocks"], "blocks"
starts = {line["device"]: line["start"] for line in lines}
for device in range(devices):
    far = AHEAD * device * 50 / MHZ
    assert abs(starts[device] - starts[0] - far) <= 2, ("clocks of devices have nothing in common", starts)
with open(name + "/clock_alignment.csv", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
assert len(rows) == devices, rows
for row in rows[1:]:
    # All operators began at the same cycle, whatever their counters say: there is no true offset.
    assert row["how"] == "notices in both directions", row
    assert abs(float(row["offset_us"])) <= float(row["error_us"]) < 1, row
with open(name + "/overlap.csv", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
assert [row["rank"] for row in rows] == [f"device{i}/all_gather/0" for i in range(devices)], rows
for row in rows:
    parts = [float(row[key]) for key in ("compute_only_us", "communication_only_us", "overlapped_us", "idle_us")]
    assert abs(sum(parts) - float(row["span_us"])) < 0.01 and parts[2] > 0, row
print(devices, "devices")
END

set=(--set dump=on --set formats=perfetto)
faults=limit=30 mc2 four 0 4 # the program's own, whatever opprof does with its arguments
python3 check.py four 4 32768 || fail "four devices"
for file in trace.json trace.pftrace; do
    [ -s "four/$file" ] || fail "all cards together have no $file"
done
[ -s four/device3/all_gather/0/PipeUtilization.csv ] || fail "there are no counters"
for device in 0 1 2 3; do
    [ "$(stat -c %s "four/device$device/all_gather/0/dump/aicpu.bin")" = 1792 ] ||
        fail "records of the AI CPU of device $device"
done
mc2 eight 0 8 --size 100000
python3 check.py eight 8 425984 || fail "eight devices"

# Each rank is a process of its own: as many passes, clocks that were never read by the others, the
# same pictures.
mc2 processes 0 4 --processes
python3 check.py processes 4 32768 || fail "four processes"
[ "$(grep -o '"process":[0-9]*' processes.account | sort -u | wc -l)" = 4 ] ||
    fail "the ranks are not four processes"
# A table lists them.
printf '{"version":"1.0","server_list":[{"device":[{"device_id":"0","rank_id":"0"},{"device_id":"1","rank_id":"1"},{"device_id":"2","rank_id":"2"}]}]}\n' >ranks.json
mc2 table 0 3 --processes --rank-table "$PWD/ranks.json"
python3 check.py table 3 32768 || fail "three ranks of a table"
mc2 more 0 3 --processes --repeat 2 --size 100000

# Several launches of each rank; every rank makes as many passes as the others.
set=(--set launch_count=2 --set launch_skip=1)
mc2 several 0 3 --repeat 4
for device in 0 1 2; do
    for order in 0 1; do
        [ -s "several/device$device/all_gather/$order/trace.json" ] ||
            fail "device $device has no launch $order"
    done
    launches=$(grep -c "\"device\":$device," several.account)
    [ "$launches" = 26 ] || fail "device $device made $launches launches, not 2 + 2 * 12"
done

# A single rank has nobody to wait for.
set=(--set metrics=Default)
mc2 single 0 1
# Of a chip whose timelines are not described, there are the counters.
code=0
"$OPPROF_RUN" --output undescribed --flat "${set[@]}" onboard-live -- "$chip" --chip Ascend310P3 \
    --devices 2 all-gather >said 2>why </dev/null || code=$?
[ "$code" = 4 ] || { cat why >&2; fail "a chip without timelines: exit code $code, not 4"; }
says "Launch 'device0/all_gather/0/dump': there is no timeline of its communication: \
The chip file of 'Ascend310P3' does not describe timelines"
[ -s undescribed/device1/all_gather/0/PipeUtilization.csv ] || fail "there are no counters"

# The whole program again for each pass: the launches of each device correspond, in whatever order
# the ranks come, and one run's tasks are drawn.
set=(--set replay_mode=application --set metrics=Default --set launch_count=2)
mc2 application 0 3 --repeat 2
[ "$(grep -cx verified said)" = 11 ] || fail "$(grep -cx verified said) of 11 runs are right"
for place in device{0,1,2}/all_gather/{0,1}; do
    [ "$(grep -o '"pid":"HCCL TASK"' "application/$place/trace.json" | wc -l)" -ge 6 ] ||
        fail "application/$place: no tasks"
done
# Without a barrier there is no pass, and the kernels run as the program launched them.
code=0
OPPROF_REFCHIP='error_barrier=1 only=2' "$OPPROF_RUN" --output alone --flat --set deadline=1 \
    "${set[@]}" onboard-live -- "$chip" --devices 3 all-gather --processes >said 2>why \
    </dev/null || code=$?
[ "$code" = 4 ] || { cat why >&2; fail "without a barrier: exit code $code, not 4"; }
[ "$(grep -cx verified said)" = 11 ] ||
    fail "without a barrier, $(grep -cx verified said) of 11 runs are right"
says 'Not all ranks came to the barrier'

# A kernel that communicates by itself, by the section that it has: eleven passes, the last of which
# is the program's own launch; nothing is put back, so x has grown eleven times.
python3 - "$REFCHIP_KERNELS/vector_add.o" lccl.o <<'END'
import sys
data = open(sys.argv[1], "rb").read()
names = b"\0.debug_abbrev\0.debug_line\0"
assert data.count(names) == 1
open(sys.argv[2], "wb").write(data.replace(names, b"\0Attr_Section_Lcal\0".ljust(len(names),
                                                                                 b"\0")))
END
BOARD_KERNEL=$PWD/lccl.o OPPROF_REFCHIP="account=$PWD/lccl.account" "$OPPROF_RUN" --output lccl \
    --flat --set dump=on onboard-live -- \
    sh -c "'$chip' '$REFCHIP_BOARD_DRIVER' inplace || true" >said 2>why </dev/null || {
        cat why >&2; fail "lccl: exit code $?"
    }
grep -qx wrong said || fail "a collective kernel was put back"
[ "$(wc -l <lccl.account)" = 11 ] ||
    fail "$(wc -l <lccl.account) launches of a collective kernel, not 11"
grep -qx 'Is Lccl=1' lccl/device0/vector_add/0/dump/op_basic_info.txt ||
    fail "it is not reported that the kernel is collective"

# A kernel that takes its peers' parts itself: as many passes of each device as of the others, or
# they would wait for each other for ever; all have all parts, the last launch being the last pass.
"$REFCHIP_AS" "$root/tests/refchip/gather.s" gather.s plain-gather.o
python3 - plain-gather.o gather.o <<'END'
import sys
data = open(sys.argv[1], "rb").read()
names = b"\0.debug_abbrev\0.debug_line\0"
assert data.count(names) == 1
open(sys.argv[2], "wb").write(data.replace(names, b"\0Attr_Section_Lcal\0".ljust(len(names),
                                                                                 b"\0")))
END
# gathered NAME CODE LAUNCHES: three devices of them, with the options in $set and $faults, into
# ./NAME
gathered() {
    local code=0
    BOARD_KERNEL=$REFCHIP_KERNELS/vector_add.o BOARD_GATHER=$PWD/gather.o \
        OPPROF_REFCHIP="account=$PWD/$1.account $faults" "$OPPROF_RUN" --output "$1" --flat \
        --set dump=on "${set[@]}" onboard-live -- "$chip" --devices 3 "$REFCHIP_BOARD_DRIVER" \
        gather "$3" >said 2>why </dev/null || code=$?
    [ "$code" = "$2" ] || { cat said why >&2; fail "$1: exit code $code, not $2"; }
}
set=(--set deadline=600) faults=patience=10000000000
gathered gathered 0 2
grep -qx verified said || { cat said why >&2; fail "parts did not come"; }
for device in 0 1 2; do
    [ "$(grep -c "\"device\":$device," gathered.account)" = 12 ] ||
        fail "device $device made other launches than 11 passes and one more"
    grep -qx 'Is Lccl=1' "gathered/device$device/gather/0/dump/op_basic_info.txt" ||
        fail "it is not reported that device $device gathers"
    [ -s "gathered/device$device/gather/0/OpBasicInfo.csv" ] || fail "device $device has no results"
done
# One of them fails in its third pass: the others do not wait for longer than the deadline.
set=(--set deadline=1 --set warm_up=0)
faults='error_run=3 only=2' gathered gather-fails 4 1
tr '\n' ' ' <why | grep -qE 'does not end within [0-9]{4,} ms' || {
    cat why >&2; fail "the deadline of the others is not reported"
}
set=() faults=

# Two ranks of such a kernel, each on its device, and two of one device: every launch has its
# passes, and channels do not mix.
for ranks in ranks:22 threads:44; do
    BOARD_KERNEL=$PWD/lccl.o OPPROF_REFCHIP="account=$PWD/$ranks.account" "$OPPROF_RUN" \
        --output "$ranks" --flat --set dump=on --set deadline=600 \
        --set launch_count=2 onboard-live -- "$chip" --devices 2 sh \
        -c "'$REFCHIP_BOARD_DRIVER' ${ranks%:*} || true" >said 2>why </dev/null ||
        { cat why >&2; fail "$ranks: exit code $?"; }
    [ "$(wc -l <"$ranks.account")" = "${ranks#*:}" ] ||
        fail "$(wc -l <"$ranks.account") launches of collective kernels, not ${ranks#*:}"
    python3 - "$ranks" <<'END' || fail "passes of ranks mix"
import glob, json, os, sys
runs = [json.loads(line) for line in open(sys.argv[1] + ".account", encoding="utf-8")]
assert all(run["channels"] in ([47], [53], [50, 53]) for run in runs), [run["channels"]
                                                                        for run in runs]
for folder in glob.glob(sys.argv[1] + "/device*/*/*/dump"):
    assert len(glob.glob(folder + "/DeviceProf*.bin")) == 10, folder
    assert {os.path.getsize(file) for file in glob.glob(folder + "/DeviceProf*.bin")} == {
        512}, folder
END
done

# Nobody's operator: both kernels run as the program says.
set=(--set kernel_name=other)
mc2 nobody 4 2
says 'No launch was profiled: 2 were made, 0 of them'
[ "$(wc -l <nobody.account)" = 2 ] || fail "$(wc -l <nobody.account) launches, not 2"
set=(--set metrics=BasicInfo)
mc2 basic 0 2
[ "$(wc -l <basic.account)" = 4 ] ||
    fail "$(wc -l <basic.account) launches, not a warm-up and a pass of each"
[ -s basic/device1/all_gather/0/trace.json ] || fail "BasicInfo has no timeline"

# A rank is lost: right before its first pass, in the first launch, in the middle of a pass, in the
# last one. The others wait for it as long as a deadline says, and end. What is too slow for that
# deadline is reported in the same words.
for place in crash_start=1 crash_gather=1 crash_run=1 crash_gather=5 crash_run=12; do
    code=0
    OPPROF_REFCHIP="$place only=2 meeting=1000" "$OPPROF_RUN" --output "lost-$place" --flat \
        --set deadline=1 onboard-live -- "$chip" --devices 3 all-gather --processes >said 2>why \
        </dev/null || code=$?
    [ "$code" = 4 ] || { cat said why >&2; fail "a lost rank, $place: exit code $code, not 4"; }
    # Messages of several ranks may be reported as one; which one stands for them is not fixed.
    grep -qE 'Process [0-9]+ ended while|Not all ranks came|does not end within [0-9]{4,} ms|The operator failed with|gave no records' why ||
        { cat why >&2; fail "$place: the lost rank is not reported"; }
done

# Without profiling, on one device and on all.
for devices in 1 8; do
    [ "$("$chip" --devices "$devices" all-gather)" = verified ] ||
        fail "all-gather on $devices devices"
done
