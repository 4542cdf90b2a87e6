#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kernels of a 950 tell their operations: by core and type they are the chip's own, and so is the
# roofline made of them. Without a tool, and with too little memory, the roofline is missing, which
# is reported if a metric asks for it.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
account=$root/tests/refchip/operand_account.py
cd "$scratch"

# board NAME CODE WORD... : onboard-live with the options in $set on a 950 with $faults over a
# command into ./NAME
set=() faults=
board() {
    local name=$1 wanted=$2 code=0
    shift 2
    OPPROF_REFCHIP="account=$PWD/$name.account $faults" "$OPPROF_RUN" --output "$name" --flat \
        --set warm_up=0 --set deadline=600 "${set[@]}" \
        onboard-live -- "$chip" --chip Ascend950PR_9599 "$@" >said 2>why </dev/null || code=$?
    [ "$code" = "$wanted" ] || { cat said why >&2; fail "$name: exit code $code, not $wanted"; }
    grep -qx verified said || {
        cat said why >&2; fail "$name: the operator's own result is wrong"
    }
}
says() { tr '\n' ' ' <why | grep -qF -- "$1" || { cat why >&2; fail "not reported: $1"; }; }
is_gone() { [ ! -e "$1" ] || fail "there is $1"; }

set=(--set dump=on)
board cube 0 matmul --double-buffer
python3 -B "$account" cube.account cube ||
    fail "the cube kernel reported other operations than the chip's"
board mixed 0 matmul --relu
python3 -B "$account" mixed.account mixed ||
    fail "the mixed kernel reported other operations than the chip's"
# No more slots than the vendor has, however many cores run.
board vector 0 vector-add --blocks 40
board threads 0 vector-add --simt --size 32768
python3 -B "$account" threads.account threads ||
    fail "threads reported other operations than the chip's"
python3 -B "$account" vector.account vector ||
    fail "the vector kernel reported other operations than the chip's"

# The raw files alone give the same again.
"$OPPROF_RUN" -q --pipeline onboard-dump --set input=cube/dump --set metrics=All --output offline \
    --flat >/dev/null 2>why ||
    { cat why >&2; fail "onboard-dump: exit code $?"; }
for part in cube/*.csv cube/visualize_data.bin; do
    cmp "$part" "offline/${part#cube/}" || fail "live and offline differ in $part"
done

# A round of its own of an application; each launch tells.
set=(--set dump=on --set replay_mode=application --set metrics=Roofline)
board application 0 matmul
[ "$(grep -cx verified said)" = 8 ] || fail "the program ran $(grep -cx verified said) times, not 8"
python3 -B "$account" application.account application ||
    fail "an application that is run again reported other operations"
set=(--set dump=on --set launch_count=2 --set metrics=Roofline)
board repeated 0 matmul --repeat 2
cmp repeated/device0/matmul/0/dump/OperandRecord.bin \
    repeated/device0/matmul/1/dump/OperandRecord.bin ||
    fail "the second launch reported other operations"

# Where no events are counted, operations are not either.
set=(--set dump=on --set metrics=BasicInfo)
board basic 0 matmul
is_gone basic/dump/OperandRecord.bin

# Without a tool the roofline is left out, and missing where it is asked for; and so it is without
# memory for the records.
set=(--set dump=on)
OPPROF_INSTRUMENTER='' board untold 0 matmul
says 'Kernels are not instrumented'
set=(--set dump=on --set metrics=Roofline)
OPPROF_INSTRUMENTER='' board notool 4 matmul
says 'so its results lack operations: No known tool'
says 'operations are unknown, so there is no roofline'
faults=memory=20000000 board full 4 matmul
says 'MiB free for its record area'
