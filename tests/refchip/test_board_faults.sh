#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every fault of channels, memory and processes at every place where an operator is profiled on a
# device: nothing hangs, the program's memory is exact, what is missing is reported, and the rest is
# read.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
driver=$REFCHIP_BOARD_DRIVER
export BOARD_KERNEL=$REFCHIP_KERNELS/vector_add.o
cd "$scratch"

# Of what differs only in its number, one in OPPROF_PHASE_STEP is tried, always the same ones.
step=${OPPROF_PHASE_STEP:-8}
cell=0
is_tried() {
    cell=$((cell + 1))
    [ $((cell % step)) = 0 ]
}

# board CODE FAULTS WORD...: two of three launches in place, on a chip with the faults; the exit
# code is CODE, or any of 0 and 4
number=0
board() {
    local wanted=$1 faults=$2 code=0
    shift 2
    number=$((number + 1))
    OPPROF_REFCHIP="$faults account=$PWD/$number.account" timeout -k 5 1800 "$OPPROF_RUN" \
        --output "$number" --flat --set clear_cache=off \
        --set warm_up=1 --set launch_count=2 onboard-live -- "$chip" "$driver" inplace 3 >said \
        2>why </dev/null || code=$?
    case $wanted:$code in
    any:0 | any:4 | "$code:$code") ;;
    *) cat said why >&2; fail "$faults: exit code $code, not $wanted" ;;
    esac
    [ -e "$number/run.json" ] || fail "$faults: there are no results"
}
exact() {
    grep -qx verified said || { cat said why >&2; fail "$1: the program's memory is not exact"; }
}
says() { grep -qF -- "$1" why || { cat why >&2; fail "not reported: $1"; }; }

# Each channel, in each way. Without a fault, both launches have all their records.
board 0 ''
exact 'no fault'
passes=$(python3 -c 'import json, sys
print(sum(1 for line in open(sys.argv[1]) if json.loads(line)["channels"]))' 1.account)
[ "$passes" = 22 ] || fail "$passes passes, not 22"
for channel in 47 50 53; do
    for fault in fail_start fail_read lose_stop silent; do
        is_tried || continue
        board 4 "$fault=$channel"
        exact "$fault=$channel"
        grep -qE "hannel ${channel}[ :]" why || {
            cat why >&2; fail "$fault=$channel is not reported"
        }
    done
    is_tried || continue
    board 0 "late=$channel"
    exact "late=$channel"
done
for bytes in 1 63 100; do
    is_tried || continue
    board 0 "short_read=$bytes"
    exact "short_read=$bytes"
done

# A poll that fails: the first of all, in the middle of a pass, in a later launch.
for poll in 1 2 7 30; do
    is_tried || continue
    board any "error_poll=$poll"
    exact "error_poll=$poll"
done

# Allocations that fail: the program's own are two, then those for copies, arguments and the cache.
for allocation in 3 4 5 6 7 8 12 16; do
    is_tried || continue
    board any "error_malloc=$allocation"
    if grep -qx wrong said; then # that of an argument block, which is the program's launch as well
        says 'failed with 2'
    else
        exact "error_malloc=$allocation"
    fi
done

# Signals at the start of each channel, and at each run of a kernel: warm-up, passes, and the
# program's own launch.
for place in interrupt_start=1 interrupt_start=2 interrupt_start=12 interrupt_run=1 \
    interrupt_run=2 interrupt_run=6 interrupt_run=12; do
    is_tried || continue
    board 4 "$place"
    says 'was ended by signal 2'
done
board 4 interrupt_run=13 # the program's own launch
for place in crash_start=1 crash_start=6 crash_run=1 crash_run=6 crash_run=13; do
    is_tried || continue
    board 4 "$place"
    says 'was ended by signal 11'
done

# The collector dies at each of these places; the program goes on, and its memory is exact.
for place in orphan_start=1 orphan_start=2 orphan_start=7 orphan_run=1 orphan_run=7 \
    orphan_run=13; do
    is_tried || continue
    (OPPROF_REFCHIP=$place exec timeout -k 5 1800 "$OPPROF_RUN" -q --output "$place" --flat \
        --set clear_cache=off --set launch_count=2 onboard-live -- "$chip" "$driver" inplace \
        3) 2>why | cat >said || true
    exact "$place"
done
