#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What goes wrong while an operator is collected on a simulator: signals at every phase, crashes,
# hangs, a full disk, peers that say nothing. The program's results do not depend on opprof, nothing
# hangs, and the recorded part is there.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
talk=$root/tests/refchip/talk.py
cd "$scratch"
export DRIVER_KERNEL=$REFCHIP_KERNELS/vector_add.o BOARD_KERNEL=$REFCHIP_KERNELS/vector_add.o

# live NAME CODE WORD... : sim-live with the options in $set, on a chip with $faults, over a command
# into ./NAME
set=() faults=
live() {
    local name=$1 wanted=$2 code=0
    shift 2
    OPPROF_REFCHIP=$faults "$OPPROF_RUN" --output "$name" --flat "${set[@]}" sim-live -- "$@" \
        >said 2>why </dev/null || code=$?
    [ "$code" = "$wanted" ] || { cat said why >&2; fail "$name: exit code $code, not $wanted"; }
}
says() { grep -qF -- "$1" why || { cat why >&2; fail "not reported: $1"; }; }
is_there() { [ -e "$1" ] || fail "there is no $1"; }

# Ctrl+C while a program is connected, greeted, asks, runs an operator, logs, or waits for its end.
for phase in connected greeted asking started logging finishing finished; do
    live "stopped-$phase" 4 python3 "$talk" stopped "$phase"
    is_there "stopped-$phase/run.json"
    case $phase in
    logging | finishing | finished) is_there "stopped-$phase/core0.veccore0/trace.json" ;;
    esac
done

# The program crashes or is interrupted within an operator.
faults=crash_run=2
set=(--set launch_count=3)
live crash 4 "$chip" vector-add --size 8192 --repeat 3
says 'was ended by signal 11'
says "ended within operator 'vector_add'"
is_there crash/core0.veccore0/trace.json
faults=interrupt_run=2 live interrupt 4 "$chip" vector-add --size 8192 --repeat 3
says 'was ended by signal 2'
is_there interrupt/core0.veccore0/trace.json
faults=error_malloc=2 live allocation 4 "$chip" vector-add --size 8192
says 'ended with exit code 1'
says 'failed with 200000'

# The collector dies within an operator: the program goes on, and its result is right.
(OPPROF_REFCHIP=orphan_run=2 exec "$OPPROF_RUN" -q --output orphan --flat --set launch_count=3 \
    sim-live -- "$chip" vector-add --size 8192 --repeat 3) 2>why | cat >said || true
grep -qx verified said || fail "the program did not go on without opprof-run"

# An operator that does not end: the limit ends the program, and what it logged is there.
cat >hang.s <<'END'
.kernel hang vector
loop:
    BAR ALL
    JUMP loop
END
"$REFCHIP_AS" hang.s hang.s hang.o
set=(--set timeout=1)
# limited FILE WORD...: under a limit that is longer each time, until the program came before it to
# what is in the file
limited() {
    local name=${1%%/*}
    for ms in 300 3000 20000 60000 600000; do
        rm -rf "$name"
        OPPROF_LIVE_MINUTE_MS=$ms live "$name" 4 "${@:2}"
        says 'was stopped after 1 minutes (timeout)'
        if [ -e "$1" ]; then break; fi
    done
    is_there "$1"
}
faults=patience=1000000000000 BOARD_HANG=$PWD/hang.o limited hang/core0.veccore0/trace.json \
    "$chip" "$REFCHIP_BOARD_DRIVER" hang
says "within operator 'hang'"
# A program that does not want to end is made to.
limited stubborn/dump/aicore_binary.o sh \
    -c "trap '' INT; '$chip' vector-add --size 8192; exec tail -f /dev/null"

# Ctrl+C twice: the second one ends opprof-run as it would any program.
mkfifo words
cat >twice.py <<'END'
import signal, sys
signal.signal(signal.SIGINT, lambda *_: print("asked", flush=True))
print("ready", flush=True)
while sys.stdin.read(1):
    pass
END
mkfifo held
"$OPPROF_RUN" -q --output twice --flat sim-live -- sh -c 'exec python3 twice.py <held' >words \
    2>why &
run=$!
exec 5<words 6>held
read -r word <&5
[ "$word" = ready ] || fail "the program said '$word'"
kill -INT "$run"
read -r word <&5
[ "$word" = asked ] || fail "after Ctrl+C the program said '$word'"
kill -INT "$run"
code=0
wait "$run" || code=$?
exec 5<&- 6>&- # the program ends, for nobody writes to it any more
[ "$code" = 130 ] || fail "Ctrl+C twice: exit code $code"

# Another user is not let in; he must not see what the operators are.
set=()
if [ "$(id -u)" = 0 ]; then
    live other-user 4 python3 "$talk" other-user
    grep -qx 'let go' said || fail "another user was let in"
    says 'did not use the runtime'
    # A program that gives up its rights says itself why nothing is collected.
    if command -v setpriv >said; then
        live gives-up 4 setpriv --reuid=65534 "$chip" vector-add --size 8192
        says 'runs as user 65534 of group'
        live other-group 4 sh \
            -c "'$chip' vector-add --size 8192; setpriv --regid=65534 --clear-groups '$chip' vector-add --size 8192"
        says 'of group 65534, and opprof-run as user 0 of group'
    fi
fi

# A collector that says nothing costs the program its patience and no more.
OPPROF_LIVE_PATIENCE=1 TALK_SILENT=yes python3 "$talk" server "$chip" "$REFCHIP_DRIVER" once >said \
    2>why ||
    fail "the program did not go on"
grep -qx verified said || fail "the program waits for a silent collector"

# No room for the results: it says so, and the program's result is right.
set=(--set dump=on)
code=0
(ulimit -f 64 && exec "$OPPROF_RUN" --output full --flat --set dump=on sim-live -- "$chip" \
    matmul) >said 2>why </dev/null || code=$?
[ "$code" = 1 ] || [ "$code" = 4 ] || fail "full disk: exit code $code"
grep -qx verified said || fail "the program failed because of the full disk"
says 'File too large'
