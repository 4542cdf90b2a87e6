#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The injection library as a guest: other layouts of libraries, threads, forks, early calls, bad
# peers, signals.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
talk=$root/tests/refchip/talk.py
cd "$scratch"
export DRIVER_KERNEL=$REFCHIP_KERNELS/vector_add.o

# live NAME CODE WORD... : sim-live with the options in $set over a command into ./NAME
set=()
live() {
    local name=$1 wanted=$2 code=0
    shift 2
    "$OPPROF_RUN" --output "$name" --flat "${set[@]}" sim-live -- "$@" >said 2>why </dev/null ||
        code=$?
    [ "$code" = "$wanted" ] || { cat said why >&2; fail "$name: exit code $code, not $wanted"; }
}
says() { grep -qF -- "$1" why || { cat why >&2; fail "not reported: $1"; }; }
is_there() { [ -e "$1" ] || fail "there is no $1"; }
operators() { find "$1" -name aicore_binary.o | wc -l; }

# Wherever a toolkit keeps aclrt*Impl, one launch is one operator.
for layout in acl_rt_impl ascendcl_impl; do
    export OPPROF_REFCHIP_LIBRARIES=$REFCHIP_LAYOUTS/$layout/.libs
    set=(--set launch_count=5)
    for launch in host-args config device-args entry; do
        live "$layout-$launch" 0 "$chip" vector-add --size 8192 --launch "$launch"
        grep -qx verified said || fail "$layout: the result of $launch is wrong"
        [ "$(operators "$layout-$launch")" = 1 ] ||
            fail "$layout: $launch is $(operators "$layout-$launch") operators"
        [ -s "$layout-$launch/dump/pc_start_addr.txt" ] ||
            fail "$layout: $launch has no start address"
    done
done
unset OPPROF_REFCHIP_LIBRARIES

# Threads on two devices; each operator is whole and alone.
set=(--set launch_count=6 --set dump=on)
live threads 0 "$chip" --devices 2 "$REFCHIP_DRIVER" threads
grep -qx verified said || fail "threads: the result is wrong"
[ "$(operators threads)" = 12 ] || fail "threads: $(operators threads) operators, not 12"
python3 - threads <<'END' || fail "operators of threads mix"
import glob, sys
for dump in glob.glob(sys.argv[1] + '/dump') + glob.glob(sys.argv[1] + '/device*/*/*/dump'):
    logs = glob.glob(dump + '/*instr_log.dump')
    counts = {sum(1 for _ in open(f)) for f in logs}
    ends = [sum('END' in line for line in open(f)) for f in logs]
    assert len(logs) == 4 and len(counts) == 1 and ends == [1] * 4, (dump, counts, ends)
END

# A child after fork counts for itself and leaves its parent's connection alone; kernels registered
# before main count.
set=()
live fork 0 "$chip" "$REFCHIP_DRIVER" fork
[ "$(operators fork)" = 2 ] || fail "fork: $(operators fork) operators, not 2"
DRIVER_EARLY=1 live early 0 "$chip" "$REFCHIP_DRIVER" once
[ "$(operators early)" = 1 ] || fail "a kernel registered before main is not collected"

# A guest leaves errno, descriptors and signals as they were.
env --default-signal=INT,TERM,PIPE "$chip" "$REFCHIP_DRIVER" guest >plain </dev/null
live guest 0 "$chip" "$REFCHIP_DRIVER" guest
sed '$d' said | diff plain - || fail "the guest leaves traces"
grep -q '^environment as it was' plain || fail "the driver does not look at its environment"
"$OPPROF_RUN" -q --output guest-board --flat --set warm_up=0 \
    --set metrics=BasicInfo onboard-live -- "$chip" "$REFCHIP_DRIVER" guest >said 2>why \
    </dev/null || {
        cat why >&2; fail "guest-board"
    }
sed '$d' said | diff plain - || fail "the guest leaves traces on a device"

# Four children that go on without exec: each counts for itself.
export BOARD_KERNEL=$DRIVER_KERNEL
set=(--set launch_count=2)
live forks 0 "$chip" "$REFCHIP_BOARD_DRIVER" fork 3
grep -qx verified said || fail "forks: the result is wrong"
[ "$(operators forks)" = 8 ] || fail "forks: $(operators forks) operators, not 8"
set=()

# A program that closes all descriptors keeps none of ours, and is served again; its own descriptors
# get none of our messages.
set=(--set launch_count=2)
OPPROF_LIVE_PATIENCE=5 live closed 0 "$chip" "$REFCHIP_DRIVER" closed
grep -qx verified said || fail "closed: the program's own descriptors were used"
[ "$(operators closed)" = 2 ] || fail "closed: $(operators closed) operators, not 2"
set=()
# A program that closes the runtime, opens it again, and finds it elsewhere.
cat >reopen.py <<'END'
import _ctypes, ctypes, mmap, os
others = []
for _ in range(2):
    acl = ctypes.CDLL("libascendcl.so")
    stream, binary, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    arguments = (ctypes.c_uint64 * 7)()
    assert acl.aclrtSetDevice(0) == 0 and acl.aclrtCreateStream(ctypes.byref(stream)) == 0
    assert acl.aclrtBinaryLoadFromFile(os.environ["DRIVER_KERNEL"].encode(), None, ctypes.byref(binary)) == 0
    assert acl.aclrtBinaryGetFunction(binary, b"vector_add", ctypes.byref(function)) == 0
    assert acl.aclrtLaunchKernelWithHostArgs(function, 1, stream, None, arguments, ctypes.c_size_t(56), None, ctypes.c_size_t(0)) == 0
    assert acl.aclrtSynchronizeStream(stream) == 0 and acl.aclrtDestroyStream(stream) == 0
    _ctypes.dlclose(acl._handle)
    others += [mmap.mmap(-1, 1 << 20) for _ in range(40)]  # where it was
END
set=(--set launch_count=5)
live reopen 0 "$chip" python3 reopen.py
[ "$(operators reopen)" = 2 ] || fail "reopen: $(operators reopen) operators, not 2"
set=()

# What it does with its environment changes nothing.
live bare 0 "$chip" "$REFCHIP_DRIVER" bare
[ "$(operators bare)" = 1 ] || fail "bare: $(operators bare) operators, not 1"

# Threads that the program cancels within a launch leave nothing locked.
live cancelled 0 "$chip" "$REFCHIP_DRIVER" cancelled
grep -qx verified said || fail "cancelled: the program's own launches do not go on"
"$OPPROF_RUN" -q --output cancelled-board --flat --set warm_up=0 --set metrics=BasicInfo \
    onboard-live -- "$chip" "$REFCHIP_DRIVER" cancelled >said 2>why </dev/null || {
        cat why >&2; fail "cancelled-board"
    }
grep -qx verified said || fail "cancelled: the program's own launches do not go on a device"

# Kernels whose names differ only in letters that no folder has are not mixed.
for name in first a.b a_b; do
    sed "s/^\.kernel vector_add /.kernel $name /" "$root/refchip/kernels/vector_add.s" >"$name.s"
    "$REFCHIP_AS" "$name.s" "$name.s" "$name.o"
done
cat >names.sh <<'END'
for name in first a.b a_b; do DRIVER_NAME=$name DRIVER_KERNEL=$PWD/$name.o "$@" once || exit; done
END
set=(--set launch_count=2)
live alike 0 sh names.sh "$chip" "$REFCHIP_DRIVER"
[ "$(operators alike)" = 3 ] || fail "alike: $(operators alike) operators, not 3"
"$OPPROF_RUN" -q --output alike-board --flat "${set[@]}" --set warm_up=0 --set metrics=BasicInfo \
    onboard-live -- sh names.sh "$chip" "$REFCHIP_DRIVER" >said 2>why </dev/null || {
        cat why >&2; fail "alike-board"
    }
grep -hE '^(Op Name|a)' alike-board/device0/a_b/*/OpBasicInfo.csv | cut -d, -f1 | sort -u |
    tr '\n' ' ' >named
[ "$(cat named)" = 'Op Name a.b a_b ' ] || fail "on a device the kernels are: $(cat named)"
set=()

# More processes at the same time than there is room for: it says so.
live crowd 4 python3 "$talk" crowd
says '256 others are connected at the same time'

# Versions that differ are named by opprof-run, and the program goes on as if nothing were.
live version 4 python3 "$talk" client version
says 'speaks version 8 of the protocol, and this collector version 7'
python3 "$talk" server "$chip" "$REFCHIP_DRIVER" once >said 2>why ||
    fail "the program did not go on"
grep -qx verified said || fail "the program did not go on"
[ ! -s why ] || fail "on the program's standard error: $(cat why)"

# Peers that break the protocol are dropped; what was good before is kept.
for way in no-hello unknown-type too-long short-logs cut-record count kind slot pieces log \
    sub-core cut-message finish gone; do
    live "bad-$way" 4 python3 "$talk" client "$way"
    case $way in
    gone) says 'ended within operator' ;;
    no-hello) if grep -qF 'dropped' why; then fail "a stranger counts"; fi ;;
    *) says 'was dropped' && is_there "bad-$way/core0.veccore0/trace.json" ;;
    esac
done
for way in fragments name other newline; do
    set=(--set dump=on)
    live "good-$way" 0 python3 "$talk" client "$way"
    is_there "good-$way/core0.veccore0/trace.json"
done
live core 4 python3 "$talk" client core
says 'could not be kept'

# Of a simulator without log callbacks, the dump files are taken: the same logs, and nothing is left
# of them elsewhere.
set=(--set dump=on --set launch_count=2)
live logs 0 "$chip" vector-add --size 8192 --repeat 2
OPPROF_REFCHIP_LIBRARIES=$REFCHIP_LIBRARIES_310P live no-logs 0 "$chip" vector-add --size 8192 \
    --repeat 2
grep -qx verified said || fail "without log callbacks, the result is wrong"
for place in . device0/vector_add/1; do
    (cd "logs/$place" && find dump -name '*instr*') | sort >names
    [ -s names ] || fail "there are no logs in logs/$place"
    while read -r name; do
        cmp "logs/$place/$name" "no-logs/$place/$name" ||
            fail "without log callbacks, $place/$name differs"
    done <names
    is_there "no-logs/$place/core0.veccore0/trace.json"
done
[ -z "$(find no-logs -name '.*.part-*')" ] || fail "the simulator's own files are left behind"
set=()
cat >two.sh <<'END'
mkfifo first
"$1" "$2" wait >first &
read -r word <first
"$1" "$2" once
kill $!
wait $! || true
END
OPPROF_REFCHIP_LIBRARIES=$REFCHIP_LIBRARIES_310P live no-logs-two 4 sh two.sh "$chip" \
    "$REFCHIP_DRIVER"
says 'write the same dump files'

# mstx ranges: of the thread that launches, open, and of a message that is named.
mstx() { # NAME CODE OPERATORS [OPTION]...
    set=(--set launch_count=20 --set mstx=on "${@:4}")
    live "mstx-$1" "$2" "$chip" "$REFCHIP_DRIVER" mstx
    grep -qx verified said || fail "mstx $1: the program is wrong"
    [ "$(operators "mstx-$1")" = "$3" ] || fail "mstx $1: $(operators "mstx-$1") operators, not $3"
}
mstx any 0 4
mstx one 0 3 --set mstx_include=one
mstx two 0 2 --set 'mstx_include=three|two'
mstx part 4 0 --set mstx_include=on
says 'launched none within an mstx range'

# The program has the signals of one that a shell starts.
set=()
live mask 4 grep -E '^Sig(Blk|Ign)' /proc/self/status
grep -q 'SigBlk:.*0000000000000000' said || fail "the program runs with signals blocked"

# Ctrl+C: the program is asked to end, what it ran is there.
# NAME SIGNAL COMMAND...: sends opprof-run the signal when the command says that it is ready; its
# output is in ./said
stop() {
    local name=$1 signal=$2 word process
    shift 2
    rm -f ready
    mkfifo ready
    "$OPPROF_RUN" -q --output "$name" --flat sim-live -- "$@" >ready 2>why </dev/null &
    run=$!
    exec 5<ready
    read -r word process <&5 # the second, if any, is the number of the process
    [ "$word" = ready ] || fail "$name: the program said '$word'"
    kill "-$signal" "$run"
    cat <&5 >said # until all that were started have ended
    code=0
    wait "$run" || code=$?
    exec 5<&-
    [ "$code" = 4 ] || fail "$name: exit code $code"
    is_there "$name/core0.veccore0/trace.json"
    is_there "$name/run.json"
}
stop interrupted INT "$chip" "$REFCHIP_DRIVER" wait
# A program that saves its work first goes on, unprofiled, and is asked only once, also where the
# terminal does that.
stop saving INT "$chip" "$REFCHIP_DRIVER" interrupted
{ grep -qx 'interrupts: 1' said && grep -qx verified said; } ||
    fail "the program did not come to its end: $(cat said)"
# shellcheck source=tests/tools/terminals.sh
. "$root/tests/tools/terminals.sh"
if has_terminals; then
python3 - "$OPPROF_RUN" -q --output terminal --flat sim-live -- "$chip" "$REFCHIP_DRIVER" \
    interrupted >said <<'END'
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:  # all of it was read
        break
    if b"ready" in text + data and b"ready" not in text:
        os.write(terminal, b"\x03")
    text += data
print(text.decode().replace("\r", ""))
print("exit code", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
END
{ grep -qx 'interrupts: 1' said && grep -qx verified said; } ||
    fail "Ctrl+C: the program did not come to its end: $(cat said)"
grep -qx 'exit code 4' said || fail "Ctrl+C: $(tail -n 1 said)"
else
    echo "without pseudo terminals (/dev/pts): Ctrl+C was not tried" >&2
fi

# A process that opprof-run does not answer for too long goes on without it, and that is known.
rm -f ready
mkfifo ready
OPPROF_LIVE_PATIENCE=1 "$OPPROF_RUN" -q --output late --flat sim-live -- "$chip" "$REFCHIP_DRIVER" \
    interrupted >ready 2>why </dev/null &
run=$!
exec 5<ready
read -r word process <&5
kill -STOP "$run"
kill -INT "$process"
while read -r word <&5 && [ "$word" != verified ]; do true; done
kill -CONT "$run"
[ "$word" = verified ] || fail "late: the program said '$word'"
code=0
wait "$run" || code=$?
exec 5<&-
[ "$code" = 4 ] || fail "late: exit code $code"
says 'no answer of opprof-run came within 1 s'

# What a shell starts is ended as well, by a signal and by kill=on.
stop below TERM sh -c "'$chip' '$REFCHIP_DRIVER' wait; true"
set=(--set kill=on)
live kill-below 0 sh -c "'$chip' '$REFCHIP_DRIVER' wait; true"
set=()

# Who starts opprof-run may ignore the ends of children; opprof-run does not.
env --ignore-signal=CHLD "$OPPROF_RUN" --output children --flat sim-live -- "$chip" \
    "$REFCHIP_DRIVER" once >said 2>why </dev/null ||
    { cat why >&2; fail "children: exit code $?"; }
