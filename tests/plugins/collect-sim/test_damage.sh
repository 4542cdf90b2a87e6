#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sim-dump never calls a dump complete if one of its files is cut, empty, missing, doubled or
# something else.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
gen_dump=${GEN_DUMP:-${TEST_TOOLS:-tests/tools}/gen_dump}; [ -x "$gen_dump" ] ||
    fail "there is no $gen_dump"
damage() {
    python3 "$root/tests/tools/damage_inputs.py" "$@" || fail "damage has not been reported"
}

# dump SERIES: a dump of two cores in $scratch/SERIES
dump() {
    "$gen_dump" --cores "$2" --instructions 1500 --pcs 90 --flags 5 --series "$1" "$scratch/$1"
}

dump a2 1
damage --set chip=Ascend910B1 sim-dump "$scratch/a2" <<'TABLE'
core0.veccore0.instr_popped_log.dump    cut:10 cut:45 cut:90 cut:99 lines:10 lines:45 lines:90 tail:45 middle:10 middle:40 thin:2 thin:10 thin:50 empty remove double text zero
core0.veccore1.instr_log.dump           cut:10 cut:45 cut:90 cut:99 lines:10 lines:45 lines:90 tail:45 middle:10 middle:40 thin:5 thin:10 thin:50 empty remove double text zero
# No other log knows how many misses there were.
core0.veccore0.ifu.icache_log.dump      cut:10 cut:45 cut:90 lines:45=0 empty remove double text zero
TABLE

dump 950 1
damage --set chip=Ascend950PR_9599 sim-dump "$scratch/950" <<'TABLE'
# Other records than instructions have ids in the instr log, so that many without an instruction may be normal.
core0.veccore0.instr_popped_log.dump    cut:45 lines:45 tail:45 middle:60 thin:50=0 thin:80 empty remove double text zero
core0.veccore0.instr_log.dump           cut:45 lines:45 tail:45 middle:60 thin:10 empty remove double text
TABLE

# A dump of one core: without a log there is nothing to read, which is an error.
dump 310p 1
damage --set chip=Ascend310P1 sim-dump "$scratch/310p" <<'TABLE'
core0.instr_popped_log.dump             cut:45 lines:45 tail:45 middle:10 thin:10 empty remove double text
core0.instr_log.dump                    cut:45 lines:45 tail:45 middle:10 thin:10 empty remove double text
TABLE

# Rotated logs: each piece a part of the lines, the oldest with the highest number.
rotate() {
    local log=$1 lines
    lines=$(wc -l <"$log.dump")
    sed -n "1,$((lines / 4))p" "$log.dump" >"$log.3.dump"
    sed -n "$((lines / 4 + 1)),$((lines / 2))p" "$log.dump" >"$log.2.dump"
    sed -n "$((lines / 2 + 1)),$((lines * 3 / 4))p" "$log.dump" >"$log.1.dump"
    sed "1,$((lines * 3 / 4))d" "$log.dump" >"$scratch/rest"
    mv -- "$scratch/rest" "$log.dump"
}
rotate "$scratch/a2/core0.veccore0.instr_popped_log"
rotate "$scratch/a2/core0.veccore0.instr_log"
damage --set chip=Ascend910B1 --name core0.veccore0.instr_popped_log.dump sim-dump "$scratch/a2" \
    <<'TABLE'
core0.veccore0.instr_popped_log.?.dump  cut:45 remove double
core0.veccore0.instr_popped_log.dump    cut:45 remove double
TABLE
damage --set chip=Ascend910B1 --name core0.veccore0.instr_log.dump sim-dump "$scratch/a2" <<'TABLE'
core0.veccore0.instr_log.?.dump         cut:45 remove double
TABLE

# With Overhead and PMSampling, logs of fetches, issues and memory transfer engines count as well.
# Each instruction is fetched 9 and issued 2 ticks before it starts, and has one request.
rm -rf -- "$scratch/a2"
dump a2 1
python3 - "$scratch/a2" <<'PYTHON'
import re, sys
head = re.compile(r"\[info\] \[(\d+)\] \(PC: (0x[0-9a-f]+)\)")
mte = []
for core in ("core0.veccore0", "core0.veccore1"):
    with open(f"{sys.argv[1]}/{core}.instr_popped_log.dump") as popped:
        starts = [(int(m[1]), m[2]) for m in map(head.match, popped) if m]
    with open(f"{sys.argv[1]}/{core}.ifu.icache_log.dump", "a") as log:
        log.writelines(f"[info] {tick - 9}: lookup_tag is fetch req addr:{pc}\n" for tick,
                       pc in starts)
    with open(f"{sys.argv[1]}/{core}.ccu_log.dump", "w") as log:
        log.writelines(f"[info] {tick - 2}: is_single_issue instr, pc:{pc}\n" for tick,
                       pc in starts)
    mte += [(tick, core[-1] + str(number)) for number, (tick, pc) in enumerate(starts)]
with open(f"{sys.argv[1]}/core0.mte_log.dump", "w") as log:
    log.writelines(f"[info] {tick}: BRIF send_cmd, size: 256, instr_id: {id}, req_id: {id}.\n"
                   for tick, id in sorted(mte))
PYTHON
damage --set chip=Ascend910B1 --set metrics=PipeUtilization,Overhead,PMSampling sim-dump \
    "$scratch/a2" <<'TABLE'
core0.veccore0.ccu_log.dump             thin:10 thin:50 cut:45 lines:45 tail:45 middle:10 middle:40 empty remove double text
core0.veccore0.ifu.icache_log.dump      cut:45 lines:45=0 empty remove double text  # misses and fetches end nowhere
core0.mte_log.dump                      cut:45 lines:45 tail:45 middle:40 empty remove double text
TABLE

# One damaged line in each kind of log: the message names the file and the line.
# spoil FILE LINE SCRIPT TEXT: the run says TEXT after the script of sed was applied to that line of
# the file
spoil() {
    local file=$1 line=$2 script=$3 text=$4 code=0
    cp -- "$scratch/a2/$file" "$scratch/kept"
    sed -i "${line}$script" "$scratch/a2/$file"
    "$OPPROF_RUN" --pipeline sim-dump --set "input=$scratch/a2" --output "$scratch/spoilt" --flat \
        --set chip=Ascend910B1 --set metrics=PipeUtilization,Overhead,PMSampling >"$scratch/out" \
        2>"$scratch/err" || code=$?
    mv -- "$scratch/kept" "$scratch/a2/$file"
    [ "$code" = 4 ] || fail "$file, line $line, $script: exit code $code"
    grep -qF -- "$text" "$scratch/err" || {
        cat -- "$scratch/err" >&2; fail "'$text' is not reported"
    }
}
icache=core0.veccore0.ifu.icache_log.dump
miss=$(grep -n -m 2 'status is MISS' "$scratch/a2/$icache" | sed -n '2s/:.*//p')
spoil $icache "$miss" 's/address is 0x/address is ?/' \
    "1 line of dump file '$scratch/a2/$icache' that cannot be read is left out, the first in line $miss"
fetch=$(grep -n -m 2 'lookup_tag' "$scratch/a2/$icache" | sed -n '2s/:.*//p')
spoil $icache "$fetch" 's/addr:0x/addr:/' \
    "$icache' that cannot be read is left out, the first in line $fetch"
spoil core0.veccore0.ccu_log.dump 7 's/pc:0x.*/pc:/' \
    "core0.veccore0.ccu_log.dump' that cannot be read is left out, the first in line 7"
spoil core0.mte_log.dump 9 's/size: 2/size: o/' \
    "1 request of dump file '$scratch/a2/core0.mte_log.dump' that cannot be read is left out, the first is number 9 of the log"

# Things that are asked for and not there.
# asked TEXT OPTION...: the run is not called whole, and says TEXT
asked() {
    local text=$1
    shift
    if "$OPPROF_RUN" --pipeline sim-dump --set "input=$scratch/a2" --output "$scratch/asked" \
        --flat "$@" >"$scratch/out" 2>"$scratch/err"; then
        fail "$*: exit code 0"
    fi
    grep -q -- "$text" "$scratch/err" || {
        cat -- "$scratch/err" >&2; fail "$*: '$text' is not reported"
    }
}
asked "has no core 7" --set chip=Ascend910B1 --set core_id=7
asked "has no core 7" --set chip=Ascend910B1 --set core_id=0,7
asked "named after sub-cores" --set chip=Ascend310P1
asked "no instruction ids" --set chip=Ascend950PR_9599
rm -- "$scratch"/a2/*ccu_log.dump "$scratch"/a2/*mte_log.dump
asked "ccu_log.dump' is missing" --set chip=Ascend910B1 --set metrics=Overhead
asked "mte_log.dump' is missing" --set chip=Ascend910B1 --set metrics=PMSampling
