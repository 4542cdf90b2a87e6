#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Functions that a driver or a runtime lacks: each is named with what is lost without it, and
# everything else works as before.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
libraries=$REFCHIP_LIBRARIES
export DRIVER_KERNEL=$REFCHIP_KERNELS/vector_add.o
cd "$scratch"

# hide LIBRARY NAME... : libraries whose functions of these names have other names, in ./hidden
hide() {
    local library=$1 name
    shift
    rm -rf hidden && mkdir hidden
    cp -L -- "$libraries/$library" "hidden/$library"
    for name; do
        LC_ALL=C sed -i "s/\\x00$name\\x00/\\x00_${name:1}\\x00/g" "hidden/$library"
    done
}
# board NAME CODE WORD... : onboard-live with these libraries in front over a command into ./NAME
set=()
board() {
    local name=$1 wanted=$2 code=0
    shift 2
    OPPROF_REFCHIP="account=$PWD/$name.account" OPPROF_REFCHIP_LIBRARIES=$PWD/hidden "$OPPROF_RUN" \
        --output "$name" --flat --set warm_up=1 --set deadline=600 --set metrics=Default \
        "${set[@]}" onboard-live -- "$@" >said 2>why </dev/null || code=$?
    [ "$code" = "$wanted" ] || { cat said why >&2; fail "$name: exit code $code, not $wanted"; }
    grep -qx verified said || {
        cat said why >&2; fail "$name: the operator's own result is wrong"
    }
}
says() { tr '\n' ' ' <why | grep -qF -- "$1" || { cat why >&2; fail "not reported: $1"; }; }
passes() { python3 -c 'import json, sys
print(sum(1 for line in open(sys.argv[1]) if json.loads(line)["channels"]))' "$1.account"; }
cell() {
    python3 -c 'import csv, sys; print(next(csv.DictReader(open(sys.argv[1])))[sys.argv[2]])' "$1" \
        "$2"
}

# Nothing is missing: nothing is said.
mkdir hidden
board whole 0 "$chip" vector-add
if grep -q 'has no ' why; then cat why >&2; fail "something is reported as missing"; fi
[ "$(passes whole)" = 11 ] || fail "$(passes whole) passes, not 11"

# Without one of these, all passes are made.
lacks() { # NAME SENTENCE
    hide libascend_hal.so "$1"
    board "$1" 0 "$chip" vector-add
    says "libascend_hal.so has no $1: $2"
    [ "$(passes "$1")" = 11 ] || fail "$1: $(passes "$1") passes, not 11"
}
lacks halGetDeviceInfo "the rated clock and the chip's version are unknown"
[ "$(cell halGetDeviceInfo/OpBasicInfo.csv 'Rated Freq')" = NA ] ||
    fail "the rated clock is known from nowhere"
lacks halGetDeviceInfoByBuff 'the current clock is unknown'
[ "$(cell halGetDeviceInfoByBuff/OpBasicInfo.csv 'Current Freq')" = NA ] ||
    fail "the current clock is known from nowhere"
lacks halGetAPIVersion 'the driver is taken for an old one'
lacks drvMemGetAttribute \
    'memory that was allocated by other means is not recognised, and not put back'
hide libprofapi.so profSetProfCommand
board command 0 "$chip" vector-add
says 'libprofapi.so has no profSetProfCommand: layers above the runtime do not know that they are profiled'

# Without one of these, nothing is counted.
for name in prof_drv_start prof_stop prof_channel_read prof_channel_poll; do
    hide libascend_hal.so "$name"
    board "$name" 4 "$chip" vector-add
    says "The driver (libascend_hal.so) has no $name: nothing can be counted"
done

# Of a runtime: either layer's function will do. (The samples need some themselves.)
hide libruntime.so rtDeviceSynchronizeWithTimeout
board upper 0 "$chip" vector-add
if grep -q 'has no ' why; then
    cat why >&2; fail "reported as missing, although the upper layer has it"
fi
hide libruntime.so rtDeviceSynchronizeWithTimeout aclrtSynchronizeDeviceWithTimeoutImpl
board device 0 "$chip" vector-add
says 'libruntime.so has no aclrtSynchronizeDeviceWithTimeoutImpl and no rtDeviceSynchronizeWithTimeout: before a launch only its own stream is waited for'
hide libruntime.so rtStreamAbort aclrtStreamAbortImpl
board abort 0 "$chip" "$REFCHIP_DRIVER" once
says 'libruntime.so has no aclrtStreamAbortImpl and no rtStreamAbort: a launch that does not end cannot be ended'
hide libruntime.so rtStreamSynchronizeWithTimeout aclrtSynchronizeStreamWithTimeoutImpl
board stream 4 "$chip" "$REFCHIP_DRIVER" once
says 'libruntime.so has no aclrtSynchronizeStreamWithTimeoutImpl and no rtStreamSynchronizeWithTimeout: no launch can be waited for, so none is profiled'
# What operators wait at, and what makes a recording.
hide libhccl.so HcclBarrier
board barrier 4 "$chip" --devices 2 all-gather
says 'libhccl.so has no HcclBarrier'

# Which of the driver's devices a visible one is: CANN 8.1 has the lower function alone.
# Without both, that is said.
export ASCEND_RT_VISIBLE_DEVICES=6,5
recorded() { # NAME: the driver's devices whose channels were on
    python3 -c 'import json, sys
print(*sorted({run["device"] for run in map(json.loads, open(sys.argv[1])) if run["channels"]}))' \
        "$1.account"
}
hide libruntime.so aclrtGetPhyDevIdByLogicDevIdImpl
board lower 0 "$chip" --devices 8 "$REFCHIP_DRIVER" once
[ "$(recorded lower)" = 6 ] || fail "channels of device '$(recorded lower)', not 6"
hide libruntime.so aclrtGetPhyDevIdByLogicDevIdImpl rtGetVisibleDeviceIdByLogicDeviceId
board neither 4 "$chip" --devices 8 "$REFCHIP_DRIVER" once
says 'The runtime does not say which of the devices in ASCEND_RT_VISIBLE_DEVICES device 0 is, so what is recorded may be of another one'
