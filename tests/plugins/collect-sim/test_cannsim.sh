#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cannsim's instr.bin gives the results of the dump whose lines it holds; what is cut, strange or
# doubled in it is reported.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
here=$(dirname -- "${BASH_SOURCE[0]}")
data=$root/tests/data/sim
title=(--set title=dump)

# run CODE NAME INPUT [OPTION...]: into $scratch/NAME
run() {
    local wanted=$1 name=$2 input=$3 status=0
    shift 3
    rm -rf -- "${scratch:?}/$name"
    "$OPPROF_RUN" "${title[@]}" "$input" "$@" --output "$scratch/$name" --flat >"$scratch/out" \
        2>"$scratch/err" || status=$?
    [ "$status" -eq "$wanted" ] || {
        cat -- "$scratch/err" >&2; fail "$name: exit code $status, not $wanted"
    }
}

# says TEXT: the last run did
says() {
    grep -qF -- "$1" "$scratch/err" || { cat -- "$scratch/err" >&2; fail "not reported: $1"; }
}

# What names the input or the moment differs.
compare() {
    rm -f -- "$scratch/$1/"{run.json,results.sqlite} "$scratch/$2/"{run.json,results.sqlite}
    diff -r -- "$scratch/$1" "$scratch/$2" >"$scratch/diff" || {
        head -c 2000 -- "$scratch/diff" >&2; fail "$2 differs from $1"
    }
}

pack() {
    python3 "$here/cannsim.py" "$@" || fail "$1 cannot be packed"
}

for name in a5_synthetic a5_950 a2_synthetic; do
    chip=Ascend950DT_9581
    [ "$name" != a2_synthetic ] || chip=Ascend910B1
    mkdir -- "$scratch/dump_$name"
    cp -- "$data/$name/"*instr*.dump "$scratch/dump_$name"
    # What is not a record has no place in the file; a line ends.
    sed -i -e '/^\[info\]/!d' -e '$a\' "$scratch/dump_$name/"*
    run 0 "usual_$name" "$scratch/dump_$name" --set "chip=$chip"
    for how in parts whole halves; do
        pack "$scratch/dump_$name" "$scratch/packed_$name" "$how"
        run 0 packed "$scratch/packed_$name" --set "chip=$chip"
        cp -r -- "$scratch/usual_$name" "$scratch/usual"
        compare usual packed
        rm -rf -- "$scratch/usual"
    done
done
[ -s "$scratch/packed/trace.json" ] || fail "there is no timeline"

# Without a name, the chip is found as for a dump.
run 0 guessed "$scratch/packed_a5_synthetic"
says "fits pipeline 'sim-dump'"
says "taken to be Ascend950"

# damage CODE WHAT TEXT: of a copy, by a line of Python that changes `records`
damage() {
    rm -rf -- "$scratch/damaged"
    cp -r -- "$scratch/packed_a5_synthetic" "$scratch/damaged"
    python3 - "$scratch/damaged/instr.bin" "$2" <<'PYTHON' || fail "cannot damage: $2"
import sys
data = open(sys.argv[1], "rb").read()
records = [bytearray(data[at : at + 424]) for at in range(0, len(data), 424)]
names = {"records": records}
exec(sys.argv[2], names)
open(sys.argv[1], "wb").write(b"".join(names["records"]))
PYTHON
    run "$1" result "$scratch/damaged" --set chip=Ascend950DT_9581
    says "$3"
}
size=$(stat -c %s -- "$scratch/packed_a5_synthetic/instr.bin")
damage 4 'records[-1] = records[-1][:100]' \
    "instr.bin' ends in the middle of a record, at byte $((size - 324))"
damage 4 'records[1][8] = 64' \
    "1 record of '$scratch/damaged/instr.bin' is not of an instruction of a core, and left out, the first at byte 424"
damage 4 'records[2][12] = 3; records[3][12] = 10' \
    "2 records of '$scratch/damaged/instr.bin' are not of an instruction of a core, and left out, the first at byte 848"
damage 4 'records[2][:] = bytes(424)' \
    "1 record of '$scratch/damaged/instr.bin' is not of an instruction of a core"
damage 4 'records[:] = records + records' "it holds the same log twice"
damage 4 'records[1][24:424] = b"?" * 400' \
    "1 record of '$scratch/damaged/instr.bin' is not of an instruction of a core, and left out, the first at byte 424"
damage 4 'at = records[1].find(b"(PC: 0x"); records[1][at + 6] = 121' \
    "1 instruction of dump file '$scratch/damaged/instr.bin' that cannot be read"

# No core with both logs; nothing; another file of this name.
python3 -c 'import sys; d = open(sys.argv[1], "rb").read(); r = [d[i:i+424] for i in range(0, len(d), 424)]
open(sys.argv[2], "wb").write(b"".join(x for x in r if x[8] < 32))' \
    "$scratch/packed_a5_synthetic/instr.bin" "$scratch/damaged/instr.bin"
run 1 result "$scratch/damaged" --pipeline sim-dump
says "has no core with records of instructions that are issued and of such that end"
: >"$scratch/damaged/instr.bin"
run 1 result "$scratch/damaged" --pipeline sim-dump
head -c 4096 /dev/zero | tr '\0' x >"$scratch/damaged/instr.bin"
run 2 result "$scratch/damaged"
run 1 result "$scratch/damaged" --pipeline sim-dump
