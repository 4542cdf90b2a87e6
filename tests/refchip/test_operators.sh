#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sample operators on the reference chip: results, times, logs that the offline path reads, faults.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
cd "$scratch"

# dump NAME [CHIP OPTION]... -- OPERATOR...: runs an operator and leaves its dump in ./NAME
dump() {
    local name=$1 options=() said
    shift
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    mkdir "$name"
    said=$(CAMODEL_LOG_PATH=$PWD/$name "$chip" "${options[@]}" "$@") || fail "$name: exit code $?"
    [ "$said" = verified ] || fail "$name said '$said'"
}
last_tick() {
    sed 's/.*\[\([0-9]*\)\] (PC.*/\1/' "$1"/*instr_log.dump | sort -n | tail -n 1 | sed 's/^0*//'
}

for operator in matmul vector-add; do
    dump "$operator" -- "$operator"
    dump "$operator-double" -- "$operator" --double-buffer
    single=$(last_tick "$operator")
    double=$(last_tick "$operator-double")
    [ $((double * 10)) -lt $((single * 9)) ] ||
        fail "$operator: $double cycles with two buffers, $single with one"
done

# Cube and vector cores together: the vector cores of a block begin with a tile after its cube core
# has told them.
dump mixed -- matmul --relu --size 512 --blocks 3
python3 - mixed <<'END' || fail "vector cores do not wait for their cube core"
import re, sys
def ticks(name, instruction):
    return [int(m[1]) for m in (re.match(r"\[info\] \[(\d+)\].*\) " + instruction + r"\b", line)
            for line in open(f"{sys.argv[1]}/{name}.instr_log.dump")) if m]
for core in range(3):
    told = ticks(f"core{core}.cubecore0", "FFTS_CROSS_CORE_SYNC")
    assert len(told) in (21, 22), (core, len(told))  # of 64 tiles
    for vector in range(2):
        heard = ticks(f"core{core}.veccore{vector}", "WAIT_FLAG_DEV")
        assert len(heard) == len(told) and all(h >= t + 30 for h,
                                               t in zip(heard, told)), (core, vector)
END
dump mixed-a5 --chip Ascend950PR_9599 -- matmul --relu

# Equal runs give equal logs, with one thread as with four; another seed gives others.
dump again -- matmul
diff -r matmul again || fail "two runs differ"
OPPROF_REFCHIP="threads=1" dump one -- matmul
diff -r matmul one || fail "one thread gives other logs than two"
OPPROF_REFCHIP="threads=4 seed=7" dump seed7 -- matmul
OPPROF_REFCHIP="seed=7" dump seed7again -- matmul
diff -r seed7 seed7again || fail "two runs with one seed differ"
diff -rq matmul seed7 >/dev/null && fail "the seed changes nothing"

# Sizes, cores, devices, chips; every launch function gives the kernel the same arguments.
dump big -- matmul --size 512 --blocks 24
dump odd -- vector-add --size 1000 --blocks 3
dump second --devices 2 -- vector-add --device 1
dump a3 --chip Ascend910_9391 -- matmul
dump a5 --chip Ascend950PR_9599 -- vector-add --double-buffer
for launch in config device-args device-args-v2 binary-data entry rt-stub rt-flag rt-handle \
    rt-handle-v2; do
    "$chip" matmul --launch "$launch" >said || fail "--launch $launch: exit code $?"
    grep -qx verified said || fail "--launch $launch is wrong"
done

# In each log of a core, time does not go back.
for log in big/*instr_log.dump big/*instr_popped_log.dump; do
    sed 's/^\[info\] \[\([0-9]*\)\].*/\1/' "$log" | sort -c || fail "$log: time goes back"
done

# The offline path reads it, lines of the kernel's source included.
cp "$REFCHIP_KERNELS/matmul_double.o" matmul-double/aicore_binary.o
echo 0x10f86000 >matmul-double/pc_start_addr.txt
"$OPPROF_RUN" -q --pipeline sim-dump --set input=matmul-double --set chip=Ascend910B1 \
    --set metrics=PipeUtilization,ResourceConflictRatio,PMSampling,Overhead --output out --flat \
    >said ||
    fail "sim-dump: exit code $?"
python3 - matmul-double out <<'END' || fail "what sim-dump made of it is wrong"
import csv, glob, json, re, sys
dump, out = sys.argv[1:]
lines = sum(1 for f in glob.glob(dump + '/*instr_log.dump') for _ in open(f))
tables = glob.glob(out + '/*/*_instr_exe.csv')
calls = sum(int(r['call_count']) for t in tables for r in csv.DictReader(open(t)))
assert len(tables) == 4 and calls == lines, (len(tables), calls, lines)
moved = [r for r in csv.DictReader(open(tables[0])) if r['instr'] == 'MOV_OUT_TO_L1']
assert moved and all(int(r['process_bytes']) % 16384 == 0 for r in moved if 'process_bytes' in r)
code = list(csv.DictReader(open(glob.glob(out + '/*/*_code_exe.csv')[0])))
assert any(re.fullmatch(r'refchip/kernels/matmul_double\.s:\d+', r['code']) for r in code), code[:3]
END
"$OPPROF_RUN" -q --pipeline sim-dump --set input=a5 --set chip=Ascend950PR_9599 --output out5 \
    --flat >said ||
    fail "sim-dump of the 950: exit code $?"

# What must not work.
refused() {
    local wanted=$1 code=0
    shift
    "$@" >said 2>why || code=$?
    [ "$code" -ne 0 ] || fail "$* works"
    grep -q -- "$wanted" why || { cat why >&2; fail "$*: does not say '$wanted'"; }
}
kernel() {
    printf '.kernel vector_add vector\n%s\n END\n' "$2" >"$1.s"
    "$REFCHIP_AS" "$1.s" "$1.s" "$1.o" || fail "$1.s does not assemble"
}
kernel outside ' LI X1, 0x1000
 LD_XD_XN_IMM X2, X1, 0'
kernel overflow ' LI X1, 0x100000
 MOV_XD_SPR X0, PARA_BASE
 LI X2, 0x10010
 MOV_OUT_TO_UB X1, X0, X2'
kernel hang ' WAIT_FLAG MTE2, VEC, 0'

refused 'no memory at 0x1000' "$chip" vector-add --kernel outside.o
refused 'outside a buffer' "$chip" vector-add --kernel overflow.o
refused 'without a SET_FLAG' "$chip" vector-add --kernel hang.o
refused 'failed with 100000' "$chip" vector-add --kernel outside.s
refused 'failed with 200000' env OPPROF_REFCHIP=error_malloc=2 "$chip" vector-add
refused 'failed with 200000' env OPPROF_REFCHIP=memory=4096 "$chip" vector-add
refused 'aclrtSetDevice failed' "$chip" vector-add --device 1
refused 'No chip file' "$chip" --chip Nothing matmul
refused '310P' "$chip" --chip Ascend310B1 matmul
refused 'number from 1' "$chip" --devices 9 matmul
refused 'COMMAND is missing' "$chip"
refused 'Cannot run' "$chip" no-such-program

# wrong SOURCE LINE TEXT: the assembler says where and what is wrong
wrong() {
    printf '%b' "$1" >wrong.s
    refused "wrong.s:$2: .*$3" "$REFCHIP_AS" wrong.s wrong.s wrong.o
}
wrong ' ADD X1, X2, X3\n' 1 'no .kernel'
wrong '.kernel k cube\n ADD X1, X2\n' 2 'not a register'
wrong '.kernel k cube\n ADD X1, X2, X32\n' 2 'X32'
wrong '.kernel k cube\n ADD X1, X2, X3, X4\n' 2 'too many'
wrong '.kernel k cube\n\n FLY X1\n' 3 'not an instruction'
wrong '.kernel k cube\n JUMP nowhere\n' 2 'not defined'
wrong '.kernel k cube\na:\na: END\n' 3 'twice'
wrong '.kernel k cube\n MOV_XD_IMM X1, 0x10000\n' 2 'more than'
wrong '.kernel k round\n' 1 'cube'
wrong '' 0 'no instruction'
wrong '.kernel k mix\n ADD X1, X2, X3\n' 2 'no .part'
wrong '.kernel k mix\n.part vector\n' 2 "begins with '.part cube'"
wrong '.kernel k mix\n.part cube\n END\n' 3 "no '.part vector'"
wrong '.kernel k cube\n.part cube\n' 2 "A 'mix' kernel"
