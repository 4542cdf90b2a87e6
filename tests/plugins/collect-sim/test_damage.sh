#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sim-dump never calls a dump whole of which a file is cut, empty, missing, doubled or something else.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
gen_dump=${GEN_DUMP:-tests/tools/gen_dump}; [ -x "$gen_dump" ] || fail "there is no $gen_dump"
damage() { python3 "$root/tests/tools/damage_inputs.py" "$@" || fail "damage has not been told"; }

# dump SERIES: a dump of two cores in $scratch/SERIES
dump() {
    "$gen_dump" --cores "$2" --instructions 1500 --pcs 90 --flags 5 --series "$1" "$scratch/$1"
}

dump a2 1
damage --set chip=Ascend910B1 sim-dump "$scratch/a2" <<'TABLE'
core0.veccore0.instr_popped_log.dump    cut:10 cut:45 cut:90 cut:99 lines:10 lines:45 lines:90 tail:45 empty remove double text
core0.veccore1.instr_log.dump           cut:10 cut:45 cut:90 cut:99 lines:10 lines:45 lines:90 tail:45 empty remove double text
# No other log knows how many misses there were.
core0.veccore0.ifu.icache_log.dump      cut:10 cut:45 cut:90 lines:45=0 empty remove double text
TABLE

dump 950 1
damage --set chip=Ascend950PR_9599 sim-dump "$scratch/950" <<'TABLE'
core0.veccore0.instr_popped_log.dump    cut:45 lines:45 tail:45 empty remove double text
core0.veccore0.instr_log.dump           cut:45 lines:45 tail:45 empty remove double text
TABLE

# A dump of one core: without a log there is nothing to read, which is an error.
dump 310p 1
damage --set chip=Ascend310P1 sim-dump "$scratch/310p" <<'TABLE'
core0.instr_popped_log.dump             cut:45 lines:45 tail:45 empty remove double text
core0.instr_log.dump                    cut:45 lines:45 tail:45 empty remove double text
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
damage --set chip=Ascend910B1 --name core0.veccore0.instr_popped_log.dump sim-dump "$scratch/a2" <<'TABLE'
core0.veccore0.instr_popped_log.?.dump  cut:45 remove double
core0.veccore0.instr_popped_log.dump    cut:45 remove double
TABLE
damage --set chip=Ascend910B1 --name core0.veccore0.instr_log.dump sim-dump "$scratch/a2" <<'TABLE'
core0.veccore0.instr_log.?.dump         cut:45 remove double
TABLE
