#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ranges of launches that are repeated together: each launch has its own counters, by the chip's
# account; the program's memory is what it would be; ranges that overlap, are empty, wait within or
# are never ended.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
driver=$REFCHIP_RANGE_DRIVER
export BOARD_KERNEL=$REFCHIP_KERNELS/vector_add.o
cd "$scratch"

# range NAME CODE WAY : onboard-live with the options in $set on a chip with $faults over the driver
# into ./NAME
set=() faults=
range() {
    local code=0
    OPPROF_REFCHIP="account=$PWD/$1.account $faults" "$OPPROF_RUN" --output "$1" --flat \
        --set clear_cache=off --set warm_up=1 --set mstx=on \
        --set replay_mode=range --set launch_count=20 --set dump=on "${set[@]}" onboard-live \
        -- "$chip" "$driver" "$3" >said 2>why </dev/null || code=$?
    [ "$code" = "$2" ] || { cat said why >&2; fail "$1: exit code $code, not $2"; }
}
verified() {
    grep -qx verified said || { cat said why >&2; fail "the program's own result is wrong"; }
}
says() { tr '\n' ' ' <why | grep -qF -- "$1" || { cat why >&2; fail "not reported: $1"; }; }
is_there() { [ -e "$1" ] || fail "there is no $1"; }
is_gone() { [ ! -e "$1" ] || fail "there is $1"; }
# lines NAME ORDER WANTED : what output.txt of a range has, by the last parts of its lines
lines() {
    local got
    got=$(sed 's,.*/device,device,; s,/dump$,,' "$1"/tmp_dump/device0/*/"$2"/output.txt |
        tr '\n' ' ')
    [ "$got" = "$3 " ] || fail "$1, range $2: $got, not $3"
}
launches() {
    [ "$(wc -l <"$1.account")" = "$2" ] || fail "$1: $(wc -l <"$1.account") launches, not $2"
}

# A range is read when it has ended, while the program goes on: then its raw files are gone. It goes
# on until it is let go. The test keeps both ends of the pipe, so that nobody waits for the other to
# open it, and no word is lost.
mkfifo go
exec 9<>go
: >why # there before it is looked at
# shellcheck disable=SC2016 # for the program to expand
"$OPPROF_RUN" -vv --output early --flat --set clear_cache=off --set warm_up=1 --set mstx=on \
    --set replay_mode=range --set launch_count=20 onboard-live -- \
    sh -c '"$@" && read -r word <go && echo "$word"' sh "$chip" "$driver" one >said 2>why \
    </dev/null 9<&- &
runner=$!
grep -q "Removed raw files: .*/device0/vector_add/2/dump, files=[1-9]" < <(tail -n +1 -f -s 0.1 \
    --pid="$runner" why 2>/dev/null) ||
    fail "a range is not read while the program goes on"
is_gone early/device0/vector_add/2/dump/op_basic_info.txt
echo gone >&9
code=0
wait "$runner" || code=$?
exec 9<&-
[ "$code" = 0 ] || { cat said why >&2; fail "early: exit code $code"; }
grep -qx gone said || { cat said why >&2; fail "the program did not go on"; }
is_there early/device0/vector_add/2/OpBasicInfo.csv

# One range: a warm-up, ten passes, and once more as the program meant it; one launch before and one
# after it.
range one 0 one
verified
lines one 0 "device0/vector_add/0 device0/vector_add/1 device0/vector_add/2"
launches one $((1 + 3 * (1 + 10 + 1) + 1))
cat >check.py <<'END'
# usage: check.py NAME RANGE... : the numbers of launches of each range, one after the other
import csv, json, sys
name, sizes = sys.argv[1], [int(size) for size in sys.argv[2:]]
runs = [json.loads(line) for line in open(name + ".account", encoding="utf-8")]
timed = [run for run in runs if 50 in run["channels"]]
assert len(timed) == sum(sizes), (len(timed), sizes)
assert len([run for run in runs if 53 in run["channels"]]) == 10 * sum(sizes)
for order, run in enumerate(timed):
    folder = f"{name}/device0/vector_add/{order}/"
    rows = list(csv.DictReader(open(folder + "PipeUtilization.csv", encoding="utf-8")))
    assert len(rows) == run["blocks"] == len(run["cores"]), (order, len(rows), run["blocks"])
    for row in rows:
        core = next(core for core in run["cores"] if core["block"] == int(row["block_id"]))
        assert int(row["aiv_total_cycles"]) == core["cycles"], (order, row, core["cycles"])
        assert abs(float(row["aiv_mte2_ratio"]) - core["mte2_busy"] / core["cycles"]) < 2e-6, (order, row)
    facts = next(csv.DictReader(open(folder + "OpBasicInfo.csv", encoding="utf-8")))
    assert int(facts["Block Dim"]) == run["blocks"]
    assert abs(float(facts["Task Duration(us)"]) - (run["end"] - run["start"]) / 50) < 2e-6, (order, facts, run["start"], run["end"])
    memory = list(csv.DictReader(open(folder + "MemoryUB.csv", encoding="utf-8")))
    assert len(memory) == run["blocks"]
END
python3 check.py one 3 || fail "the counts are not the chip's"
"$OPPROF_RUN" -q --pipeline onboard-dump --set input=one --set metrics=All --output offline --flat \
    >/dev/null 2>why || {
    cat why >&2; fail "onboard-dump: exit code $?"
}
for table in one/device0/vector_add/*/*.csv; do
    cmp "$table" "offline/${table#one/device0/}" || fail "live and offline differ in $table"
done

# Two of them; a launch within one that is not selected has its line.
range two 0 two
verified
lines two 0 "device0/vector_add/0 device0/vector_add/1"
lines two 1 "device0/vector_add/2 device0/vector_add/3"
python3 check.py two 2 2 || fail "the counts of two ranges are not the chip's"
set=(--set launch_count=2 --set launch_skip=1)
range some 0 two
verified
lines some 0 "device0/vector_add/0"
lines some 1 "device0/vector_add/1 -1"
set=(--set mstx_include=two)
range named 0 two
verified
lines named 0 "device0/vector_add/0 device0/vector_add/1"
python3 check.py named 2 || fail "the counts of a named range are not the chip's"

# A range goes to the end of its own; what comes after that in the other is a range of its own.
set=()
range overlap 0 overlap
verified
lines overlap 0 "device0/vector_add/0 device0/vector_add/1"
lines overlap 1 "device0/vector_add/2"
python3 check.py overlap 2 1 || fail "the counts of overlapping ranges are not the chip's"
range empty 4 empty
verified
says 'No launch was profiled'
is_gone empty/tmp_dump
range stream 4 stream
verified
says 'Launches on other streams than that of the range that is open are not profiled'
lines stream 0 "device0/vector_add/0 device0/vector_add/1"

# Waits, copies, other threads, ends: a call that looks sees what was launched.
range wait 0 wait
verified
says 'it is repeated in parts'
lines wait 0 "device0/vector_add/0"
lines wait 1 "device0/vector_add/1 device0/vector_add/2"
lines wait 2 "device0/vector_add/3"
python3 check.py wait 1 2 1 || fail "the counts of parts are not the chip's"
range thread 0 thread
verified
lines thread 0 "device0/vector_add/0"
range open 0 open
verified
lines open 0 "device0/vector_add/0 device0/vector_add/1"

# Without raw files at the end; faults.
set=(--set dump=off)
range tidy 0 one
[ -z "$(find tidy -name '*.bin' ! -name visualize_data.bin)" ] || fail "raw files stay"
is_there tidy/device0/vector_add/2/PipeUtilization.csv
set=()
faults=fail_start=50 range start 4 one
verified
says 'does not start channel 50'
faults=memory=120000 range full 4 one
verified
says 'the device has not enough free memory'
# A recording that is lost is made from copies of its launches, in their order and once.
faults=error_capture=1 range lost 4 one
verified
says 'The runtime has lost its recording of 3 launches, which run unprofiled'
launches lost 5
faults=error_capture=1 range parts 4 wait
verified
lines parts 0 "device0/vector_add/1 device0/vector_add/2"
lines parts 1 "device0/vector_add/3"
faults=interrupt_start=4 range interrupt 4 one
says 'Interrupted after'

# Wrong words.
refused() {
    local code=0
    "$OPPROF_RUN" --output refused --flat --set replay_mode=range "${@:2}" onboard-live -- touch \
        ran >said 2>why || code=$?
    [ "$code" = 2 ] || fail "${*:2}: exit code $code"
    says "$1"
    is_gone ran
}
refused 'mstx=on' --set warm_up=1
refused 'warm_up' --set mstx=on --set warm_up=0
refused 'kill' --set mstx=on --set kill=on
refused 'MemoryDetail' --set mstx=on --set metrics=MemoryDetail
