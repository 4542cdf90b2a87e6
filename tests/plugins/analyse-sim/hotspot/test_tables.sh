#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pipeline sim-dump finds the hot spots that the reference found, on each of its dumps.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../../lib.sh"
data=$root/tests/data/sim
kernels=${TEST_KERNELS:-tests/data/source}
[ -f "$kernels/mapped.o" ] || fail "there is no kernel '$kernels/mapped.o'"

# run NAME INPUT CHIP STATUS [OPTION...]: into $scratch/NAME
run() {
    local name=$1 input=$2 chip=$3 wanted=$4 status=0
    shift 4
    "$OPPROF_RUN" --pipeline sim-dump --set "input=$input" --set "chip=$chip" "$@" \
        --output "$scratch/$name" --flat >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$wanted" ] || { cat -- "$scratch/err" >&2; fail "$name: exit code $status"; }
}

# same NAME SET [OPTION...]: the hot spots are the reference's
same() {
    local name=$1 set=$2
    shift 2
    python3 "$root/tests/tools/compare_hotspots.py" "$scratch/$name" "$data/expected/$set" \
        "$@" || fail "$name: hot spots differ"
}

while read -r set chip; do
    case $set in
    # their last lines are cut, instructions cannot be read, or end before they start
    a2_910B | a5_950 | mte_a2 | sample_a2 | edge_lines | prune_rotate)
        run "$set" "$data/$set" "$chip" 4 ;;
    *) run "$set" "$data/$set" "$chip" 0 ;;
    esac
    case $set in
    edge_lines) same "$set" "$set" --added CR ;; # its line ends in CR LF, which the reference drops
    a2_synthetic | prune_rotate) ;;              # compared below
    gpr_bytes) same "$set" "$set" --without "Process Bytes" ;; # see docs/using/differences.md
    *) same "$set" "$set" ;;
    esac
done <<'SETS'
a2_910B Ascend910B1
a2_synthetic Ascend910B1
a5_950 Ascend950PR_9599
a5_synthetic Ascend950PR_9599
edge_lines Ascend910B1
gpr_bytes Ascend910B1
mte_a2 Ascend910B4
p310_310P Ascend310P1
prune_rotate Ascend910B1
sample_a2 Ascend910B1
SETS

# The reference reads rotated logs in two different orders, so the rows of one address pair up
# differently.
grep -qxF 'ADD,4176,SCALAR,3,30,0.020000,"XD:X1=0x1,XN:X2=0x2,"' \
    "$scratch/prune_rotate/core0.veccore0/core0.veccore0_instr_exe.csv" ||
    fail "prune_rotate: rotated logs"

# Without ResourceConflictRatio flags are left out.
run no_conflict "$data/a2_910B" Ascend910B1 4 --set metrics=PipeUtilization
same no_conflict a2_910B_no_conflict

# With source lines, of a kernel that is named or lies in the dump, and a start that is given or
# found. The kernels were made with the makefile's spelling of the source tree.
sources=${TEST_DATA:-$root/tests/data}/source
code=(--rename "$sources/add_custom.cpp=/demo/src/add_custom.cpp"
    --rename "$sources/ascend-toolkit/vec.h=/opt/ascend-toolkit/tikcfw/impl/vec.h")
overhead=(--set metrics=PipeUtilization,ResourceConflictRatio,Overhead)
run named "$data/a2_synthetic" Ascend910B1 0 --set "kernel=$kernels/mapped.o" "${overhead[@]}"
same named a2_synthetic "${code[@]}"
mkdir "$scratch/dump"
cp -- "$data"/a2_synthetic/*.dump "$scratch/dump/"
cp -- "$kernels/mapped.o" "$scratch/dump/aicore_binary.o"
echo 0x10f86000 >"$scratch/dump/pc_start_addr.txt"
run default "$scratch/dump" Ascend910B1 0 "${overhead[@]}"
same default a2_synthetic "${code[@]}"

# Events have the call stacks of their addresses.
python3 - "$scratch/default" "$data/expected/a2_synthetic" "${code[1]}" "${code[3]}" \
    <<'PYTHON' || fail "call stacks differ"
import json, sys
def read(directory, name):
    with open(f"{directory}/{name}") as file:
        text = file.read()
    for rename in sys.argv[3:]:
        text = text.replace(*rename.split("="))
    events = json.loads(text)["traceEvents"]
    return sorted((e["name"], e["args"].get("pc_addr", ""), e["args"].get("code", ""),
                   e["args"].get("trace_start", ""), e["args"].get("trace_stop", ""))
                  for e in events
                  if e["ph"] in "XB" and e["name"] not in ("cache_time", "ccu_time"))
for name in ("trace.json", "core2.veccore1/trace.json"):
    ours, theirs = read(sys.argv[1], name), read(sys.argv[2], name)
    if ours != theirs:
        print(*sorted(set(ours) ^ set(theirs)), sep="\n")
        sys.exit(1)
PYTHON

# Without lines, instructions are worth a look all the same.
run wrong "$data/a2_synthetic" Ascend910B1 4 --set "kernel=$data/README.md"
grep -q 'not an ELF file' "$scratch/err" || fail "a file that is not a kernel is not reported"
[ -s "$scratch/wrong/core2.veccore1/core2.veccore1_instr_exe.csv" ] ||
    fail "no instructions without a kernel"
run stripped "$data/a2_synthetic" Ascend910B1 0 --set "kernel=$kernels/stripped.so"
grep -q 'no debug information' "$scratch/err" ||
    fail "a kernel without debug information is not reported"
