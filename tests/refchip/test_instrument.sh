#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Instrumented kernels: executions, bytes and hits of the L2 cache are the chip's own; every form of
# arguments; tools that are missing or fail; record areas that are too small.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
account=$root/tests/refchip/instrument_account.py
cd "$scratch"

# board NAME CODE WORD... : onboard-live with the options in $set on a chip with $faults over a
# command into ./NAME
set=() faults=
board() {
    local name=$1 wanted=$2 code=0
    shift 2
    OPPROF_REFCHIP="account=$PWD/$name.account $faults" "$OPPROF_RUN" --output "$name" --flat \
        --set warm_up=1 "${set[@]}" onboard-live -- "$@" >said 2>why </dev/null || code=$?
    [ "$code" = "$wanted" ] || { cat said why >&2; fail "$name: exit code $code, not $wanted"; }
}
verified() {
    grep -qx verified said || { cat said why >&2; fail "the operator's own result is wrong"; }
}
says() { tr '\n' ' ' <why | grep -qF -- "$1" || { cat why >&2; fail "not reported: $1"; }; }
is_there() { [ -e "$1" ] || fail "there is no $1"; }
is_gone() { [ ! -e "$1" ] || fail "there is $1"; }
views() {
    python3 -B "$root/tests/refchip/views_account.py" "$1.account" "$1" \
        "$root/refchip/kernels/$2.s" ||
        fail "$1: the views, hot lines or regions of memory are not the chip's"
}
executions() { python3 -c 'import csv, sys
print(sum(int(row["Instructions Executed"])
          for row in csv.DictReader(open(sys.argv[1] + "/HotInstructions.csv"))))' "$1"; }

# Each kind of data by itself: tables, roofline, heat maps, hot spots; each number is the chip's.
set=(--set dump=on)
board cube 0 "$chip" matmul --blocks 1
verified
python3 "$account" cube.account cube alone ||
    fail "the cube kernel reported other numbers than the chip's"
views cube matmul
board shared 0 "$chip" matmul --double-buffer
verified
views shared matmul_double
python3 "$account" shared.account shared ||
    fail "kernels that share data reported other numbers than the chip's"
board vector 0 "$chip" vector-add --double-buffer --blocks 7
verified
views vector vector_add_double
python3 "$account" vector.account vector alone ||
    fail "the vector kernel reported other numbers than the chip's"
board mixed 0 "$chip" matmul --relu
verified
python3 "$account" mixed.account mixed ||
    fail "the mixed kernel reported other numbers than the chip's"
python3 - mixed <<'END' || fail "the viewer's data lacks something"
import json, struct, sys
data, at, found = open(sys.argv[1] + "/visualize_data.bin", "rb").read(), 0, {}
while at < len(data):
    size, kind, padding = struct.unpack_from("<QBB", data, at)
    at += 12 + (4096 if kind == 1 else 0)
    found[kind] = data[at:at + size - padding]
    at += size
# facts, load, memory, roofline, cache, instructions
assert {5, 6, 7, 8, 9, 13, 14, 4} <= set(found), found.keys()
END

# The raw files alone give the same again.
"$OPPROF_RUN" -q --pipeline onboard-dump --set input=shared/dump --set metrics=All \
    --output offline --flat >/dev/null 2>why ||
    { cat why >&2; fail "onboard-dump: exit code $?"; }
for part in shared/*.csv shared/visualize_data.bin; do
    cmp "$part" "offline/${part#shared/}" || fail "live and offline differ in $part"
done

# Every form of arguments gets the pointer, and the kernel the arguments that it had.
set=(--set metrics=Source)
for launch in host-args config device-args device-args-v2 binary-data entry rt-stub rt-flag \
    rt-handle rt-handle-v2; do
    board "launch-$launch" 0 "$chip" vector-add --size 8192 --launch "$launch"
    verified
    [ "$(executions "launch-$launch")" = "$(executions launch-host-args)" ] ||
        fail "$launch: $(executions "launch-$launch") executions"
done

# Each launch tells; the program is run again for each kind of instrumentation.
set=(--set metrics=Source --set launch_count=3)
board repeated 0 "$chip" vector-add --size 8192 --repeat 3
verified
for order in 0 1 2; do
    [ "$(executions "repeated/device0/vector_add/$order")" = "$(executions launch-host-args)" ] ||
        fail "launch $order reported other counts"
done
set=(--set replay_mode=application --set dump=on)
board application 0 "$chip" vector-add
[ "$(grep -cx verified said)" = 13 ] ||
    fail "the program ran $(grep -cx verified said) times, not 13"
python3 "$account" application.account application alone ||
    fail "an application that is run again reported other numbers"

# Without a tool: nobody asked in particular, so it is a warning; else the results lack something.
export OPPROF_INSTRUMENTER=
set=()
board untold 0 "$chip" vector-add --size 8192
says 'Kernels are not instrumented'
is_gone untold/HotLines.csv
set=(--set metrics=Source)
board notool 4 "$chip" vector-add --size 8192
verified
says "'bisheng-tune' cannot be run"
set=(--set metrics=MemoryDetail)
board unknown 4 "$chip" vector-add --size 8192
says 'No known tool instruments kernels of Ascend910B1 for this'
# What a program says of a tool is shown to the user, and not run.
printf '#!/bin/sh\necho run >"%s"\n' "$scratch/was-run" >tool && chmod 755 tool
board named 4 env OPPROF_INSTRUMENTER="$scratch/tool" "$chip" vector-add --size 8192
says "Say --set instrumenter=$scratch/tool"
is_gone was-run
export OPPROF_INSTRUMENTER=$REFCHIP_AS
# Nor is one that others may change.
chmod 666 tool
set=(--set metrics=Source --set instrumenter="$scratch/tool")
board open 1 "$chip" vector-add --size 8192
says "/tool': everyone may write to it"
printf '#!/bin/sh\necho "it is broken" >&2\nexit 3\n' >tool && chmod 755 tool
board broken 4 "$chip" vector-add --size 8192
verified
says 'it is broken'
# It does not hold up the end of a run, and passes that were counted are not lost.
mkfifo up
printf '#!/bin/sh\necho up >%s\ntail -f /dev/null\n' "$scratch/up" >tool
"$OPPROF_RUN" -q --output stopped --flat --set clear_cache=off --set metrics=Source \
    --set instrumenter="$scratch/tool" --set instrumenter_deadline=3600 onboard-live -- "$chip" \
    vector-add --size 8192 >said 2>why </dev/null &
run=$!
read -r _ <up
kill -TERM "$run"
code=0
wait "$run" || code=$?
[ "$code" = 4 ] || { cat why >&2; fail "stopped: exit code $code"; }
says "/tool' was ended because the run was stopped"
[ -s stopped/OpBasicInfo.csv ] || fail "stopped: passes are lost"
# One that never ends is ended, and one that never stops talking as well.
set=(--set metrics=Source --set instrumenter="$scratch/tool" --set instrumenter_deadline=1)
for words in 'exec tail -f /dev/null' 'exec yes'; do
    printf '#!/bin/sh\n%s\n' "$words" >tool
    board slow 4 "$chip" vector-add --size 8192
    verified
    says "/tool' did not end within 1 s and was ended"
    rm -rf slow
done
set=(--set metrics=Source --set instrumenter="$scratch/tool")
printf '#!/bin/sh\n' >tool
board empty 4 "$chip" vector-add --size 8192
says 'left no kernel'
# shellcheck disable=SC2016 # for the tool to expand
printf '#!/bin/sh\nfor last; do :; done\necho nothing >"$last"\n' >tool
board nomap 4 "$chip" vector-add --size 8192
says 'left no map of basic blocks'
# shellcheck disable=SC2016 # for the tool to expand
printf '#!/bin/sh\nfor last; do :; done\necho nothing >"$last"\nfor word; do case $word in --map=*) echo BBB id >"${word#--map=}"; esac; done\n' >tool
board refused 4 "$chip" vector-add --size 8192
verified
says 'The runtime refuses the instrumented kernel'

# The vendor's tool, by its own words.
mkdir bin
cat >bin/bisheng-tune <<'END'
#!/bin/sh
[ "$1 $2" = "--action=block-count-instr --tune-bbbend-offset" ] && [ "$5" = -o ] || exit 9
exec "$REFCHIP_AS" --instrument=blocks --argument="${3#--tune-argsize=}" --map="$6.bbbmap" "$4" "$6"
END
chmod 755 bin/bisheng-tune
export REFCHIP_AS
set=(--set metrics=Source)
OPPROF_INSTRUMENTER='' PATH=$PWD/bin:$PATH board vendor 4 "$chip" vector-add --size 8192
says 'memory detail: No known tool'
[ "$(executions vendor)" = "$(executions launch-host-args)" ] ||
    fail "with the vendor's options the counts differ"

# Too little memory for the area, and an area that is too small for the records.
set=(--set metrics=MemoryDetail)
faults=memory=600000000 board full 4 "$chip" vector-add --size 8192
verified
says 'MiB free for its record area'
mkdir facts
sed 's/"bytes": 104857600/"bytes": 1024/' "$root/plugins/parse-dbi/facts/dbi.json" >facts/dbi.json
set=(--set metrics=MemoryDetail --set dump=on)
OPPROF_CHIP_PATH=$PWD/facts:$OPPROF_CHIP_PATH board lost 4 "$chip" vector-add --size 1048576
verified
python3 - lost.account lost/run.json <<'END' || fail "the number of lost records is wrong"
import json, re, sys
runs = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
run = [run for run in runs if 50 in run["channels"]][-1]
moves = sum(one["executed"] for one in run["instructions"] if one["gm_bytes"])
stored = 4 * ((1024 - 176 - 8 - 48) // 56 + 1)
lost = dict(re.findall(r"slot (\d+) was full: (\d+) requests",
                       open(sys.argv[2], encoding="utf-8").read()))
assert len(lost) == 4 and sum(map(int, lost.values())) == moves - stored, (moves, stored, lost)
END

# Wrong words.
for words in "--instrument=other a b" "--instrument=blocks a" \
    "--instrument=memory --argument=7 a b"; do
    # shellcheck disable=SC2086
    "$REFCHIP_AS" $words >/dev/null 2>&1 && fail "refchip-as takes: $words"
done
printf 'no kernel' >none.o
"$REFCHIP_AS" --instrument=blocks none.o out.o 2>why &&
    fail "refchip-as instruments a file without a kernel"
says 'it is not a kernel of the reference chip'
