#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every launch function and every form of arguments, wherever a toolkit keeps them: the kernel sees
# the same block unprofiled, on a simulator and on a device, and each launch is one operator. What
# programs ask of a simulated chip.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
cd "$scratch"
"$REFCHIP_AS" "$root/tests/refchip/echo.s" echo.s echo.o
export CALLS_KERNEL=$PWD/echo.o
launches=15 # of all ways together: symbol has 2, device has 3, aicpu none

all_right() {
    grep -qx verified said || { cat said why >&2; fail "$1: arguments are wrong"; }
}
for layout in runtime acl_rt_impl ascendcl_impl; do
    if [ "$layout" != runtime ]; then
        export OPPROF_REFCHIP_LIBRARIES=$REFCHIP_LAYOUTS/$layout/.libs
    fi
    "$chip" "$REFCHIP_CALLS" >said 2>why || true
    all_right "$layout, unprofiled"
    "$chip" "$REFCHIP_CALLS" captured >said 2>why || true
    all_right "$layout, captured"
    for way in simt-array simt-host; do
        "$chip" "$REFCHIP_CALLS" "$way" >said 2>why || true
        all_right "$layout, $way, unprofiled"
    done
    "$OPPROF_RUN" --output "sim-$layout" --flat --set launch_count=100 --set dump=on sim-live \
        -- "$chip" "$REFCHIP_CALLS" >said 2>why </dev/null || {
            cat why >&2; fail "$layout, sim-live: exit code $?"
        }
    all_right "$layout, sim-live"
    count=$(find "sim-$layout" -name aicore_binary.o | wc -l)
    [ "$count" = $launches ] || fail "$layout, sim-live: $count operators, not $launches"
    "$OPPROF_RUN" --output "board-$layout" --flat --set launch_count=100 --set metrics=BasicInfo \
        --set clear_cache=off --set warm_up=1 onboard-live -- "$chip" "$REFCHIP_CALLS" >said 2>why \
        </dev/null ||
        { cat why >&2; fail "$layout, onboard-live: exit code $?"; }
    all_right "$layout, onboard-live"
    count=$(find "board-$layout" -name OpBasicInfo.csv | wc -l)
    [ "$count" = $launches ] || fail "$layout, onboard-live: $count launches, not $launches"
done
unset OPPROF_REFCHIP_LIBRARIES

# Launches that cannot be profiled are named, and pass with all their arguments.
for pipeline in sim-live onboard-live; do
    code=0
    "$OPPROF_RUN" --output "simt-$pipeline" --flat "$pipeline" -- "$chip" vector-add --size 8192 \
        --repeat 3 --launch simt >said 2>why </dev/null || code=$?
    [ "$code" = 4 ] || { cat why >&2; fail "simt, $pipeline: exit code $code, not 4"; }
    all_right "simt, $pipeline"
    [ "$(grep -c "3 launches are not .*: by aclrtLaunchSIMTKernelWithHostArgs" why)" = 1 ] || {
        cat why >&2; fail "simt, $pipeline: not named once"
    }
done

# Each of those functions hands on every register and what lies on the stack, wherever a toolkit
# keeps it.
unprofiled() { # LAYOUT PIPELINE WAY FUNCTION
    local code=0
    "$OPPROF_RUN" --output "$1-$2-$3" --flat "$2" -- "$chip" "$REFCHIP_CALLS" "$3" >said 2>why \
        </dev/null || code=$?
    [ "$code" = 4 ] || { cat why >&2; fail "$3, $2, $1: exit code $code, not 4"; }
    all_right "$3, $2, $1"
    [ "$(grep -c "not profiled: by $4, whose" why)" = 1 ] || {
        cat why >&2; fail "$3, $2, $1: not named once"
    }
    [ -z "$(find "$1-$2-$3" -name aicore_binary.o -o -name OpBasicInfo.csv)" ] ||
        fail "$3, $2, $1: an operator was collected"
}
for layout in runtime acl_rt_impl ascendcl_impl; do
    if [ "$layout" != runtime ]; then
        export OPPROF_REFCHIP_LIBRARIES=$REFCHIP_LAYOUTS/$layout/.libs
    fi
    unprofiled "$layout" sim-live simt-array aclrtLaunchSIMTKernelWithArgsArray
    unprofiled "$layout" sim-live simt-host aclrtLaunchSIMTKernelWithHostArgs
done
unset OPPROF_REFCHIP_LIBRARIES
unprofiled runtime onboard-live simt-array aclrtLaunchSIMTKernelWithArgsArray

# The chip says what it is; of a toolkit's simulator, the collector does.
chip_is() {
    [ "$("${@:2}")" = "$1" ] || fail "the chip is '$("${@:2}")', not '$1'"
}
chip_is 'Ascend910B1 Ascend910B1 Ascend910B1 24 24 24 24 48, 1 1 devices, status of the last 0' \
    "$chip" "$REFCHIP_CALLS" chip
chip_is 'Ascend910B4 Ascend910B4 Ascend910B4 20 20 20 20 40, 16 16 devices, status of the last 0' \
    "$chip" env LD_PRELOAD="$OPPROF_INJECT_LIBRARY" OPPROF_LIVE_CHIP='Ascend910B4 20 40' \
    "$REFCHIP_CALLS" chip
