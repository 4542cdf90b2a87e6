#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pipeline finds a described workload again: what was moved, how busy the units were, how long
# it took.
. "$(dirname -- "${BASH_SOURCE[0]}")/../../e2e/lib.sh"
GEN=${TEST_TOOLS:?set by the makefile}/gen_onboard

# workload CHIP OPTION...: generate into $WORK/raw and run into $WORK/result
workload() {
    rm -rf -- "$WORK/raw" "$WORK/result"
    "$GEN" --chip "$@" --describe "$WORK/workload.txt" --blocks 3 --name told "$WORK/raw" ||
        fail "gen_onboard $*"
    opprof --pipeline onboard-dump --set "input=$WORK/raw" --output "$WORK/result" --flat --quiet
    expect 0
}

# cells FILE COLUMN WANTED...: all values of a column but NA, each once, are the wanted numbers
# within a rounding
cells() {
    local file=$1 column=$2
    shift 2
    checks=$((checks + 1))
    python3 - "$WORK/result/$file" "$column" "$@" <<'PYTHON' || fail "$file, $column: not $*"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
found = sorted({row[sys.argv[2]] for row in rows} - {"NA"}, key=float)
wanted = sorted(map(float, sys.argv[3:]))
good = len(found) == len(wanted) and all(
    abs(float(a) - b) <= 1e-6 + 1e-5 * abs(b) for a, b in zip(found, wanted))
if not good:
    print("found", found)
sys.exit(not good)
PYTHON
}

cat >"$WORK/workload.txt" <<'TEXT'
# What is checked below was calculated by hand from these numbers.
duration_us = 125
cube.cycles = 200000
cube.busy.cube = 62.5
cube.busy.mte1 = 40
cube.busy.mte2 = 31.25
cube.busy.fixp = 12.5
cube.bytes.gm_l1 = 1048576
cube.bytes.l1_l0a = 524288
cube.bytes.l1_l0b = 262144
cube.bytes.l0c_gm = 131072
cube.steps.cube = 4096
cube.l2_hit = 75
vector.cycles = 160000
vector.busy.vec = 50
vector.busy.mte2 = 25
vector.busy.mte3 = 20
vector.busy.scalar = 10
vector.bytes.gm_ub = 262144
vector.bytes.ub_gm = 65536
vector.bytes.ub_read = 524288
vector.bytes.ub_write = 131072
vector.steps.vec = 1024
vector.l2_hit = 50
TEXT

# --- 910B and 910_93: cube and vector operators, whose ratios are of the cycles ---
for chip in 910b 910_93; do
    workload $chip --op cube --freq 1600
    cells OpBasicInfo.csv 'Task Duration(us)' 125
    cells OpBasicInfo.csv 'Current Freq' 1600
    cells PipeUtilization.csv 'aic_time(us)' 125
    cells PipeUtilization.csv aic_total_cycles 200000
    cells PipeUtilization.csv aic_cube_ratio 0.625
    cells PipeUtilization.csv aic_mte1_ratio 0.4
    cells PipeUtilization.csv aic_mte2_ratio 0.3125
    cells PipeUtilization.csv aic_fixpipe_ratio 0.125
    cells Memory.csv 'GM_to_L1_datas(KB)' 1024
    cells Memory.csv 'L0C_to_GM_datas(KB)' 128
    cells Memory.csv 'L0C_to_L1_datas(KB)' 0
    cells Memory.csv 'L1_to_GM_datas(KB)(estimate)' 0
    cells Memory.csv 'read_main_memory_datas(KB)' 1024
    cells Memory.csv 'write_main_memory_datas(KB)' 128
    # 1 MiB in 125 us, in GiB/s
    cells Memory.csv 'aic_l1_write_bw(GB/s)' 7.8125
    cells Memory.csv 'aic_l1_read_bw(GB/s)' 5.859375
    cells MemoryL0.csv 'aic_l0a_write_bw(GB/s)' 3.90625
    cells MemoryL0.csv 'aic_l0b_write_bw(GB/s)' 1.953125
    # 8192 reads and 256 writes, of which three quarters hit
    cells L2Cache.csv aic_r0_read_cache_hit 3072
    cells L2Cache.csv aic_r1_read_cache_miss_allocate 1024
    cells L2Cache.csv aic_write_cache_hit 192
    cells L2Cache.csv aic_write_cache_miss_allocate 64
    cells L2Cache.csv 'aic_read_hit_rate(%)' 75
    cells L2Cache.csv 'aic_total_hit_rate(%)' 75
    workload $chip --op vector --freq 1600
    cells PipeUtilization.csv 'aiv_time(us)' 100
    cells PipeUtilization.csv aiv_vec_ratio 0.5
    cells PipeUtilization.csv aiv_mte3_ratio 0.2
    cells PipeUtilization.csv aiv_scalar_ratio 0.1
    cells Memory.csv 'GM_to_UB_datas(KB)' 256
    cells Memory.csv 'UB_to_GM_datas(KB)' 64
    cells MemoryUB.csv 'aiv_ub_read_bw_vector(GB/s)' 4.8828125
    cells L2Cache.csv 'aiv_total_hit_rate(%)' 50
done
# In a mix operator ratios are of the task's duration.
workload 910b --op mix --freq 1600
cells PipeUtilization.csv aic_cube_ratio 0.625
cells PipeUtilization.csv aiv_vec_ratio 0.4
cells Memory.csv 'read_main_memory_datas(KB)' 1024 256
cells OpBasicInfo.csv 'Mix Block Dim' 6

# --- 950 ---
workload 950 --op cube --freq 1600
cells OpBasicInfo.csv 'Task Duration(us)' 125
cells PipeUtilization.csv 'aic_time(us)' 125
cells PipeUtilization.csv aic_cube_ratio 0.625
cells PipeUtilization.csv aic_mte1_ratio 0.4
cells PipeUtilization.csv aic_fixpipe_ratio 0.125
cells Memory.csv 'GM_to_L1_datas(KB)' 1024
cells Memory.csv 'L0C_to_GM_datas(KB)' 128
cells Memory.csv 'read_main_memory_datas(KB)' 1024
cells L2Cache.csv 'aic_read_hit_rate(%)' 75
cells L2Cache.csv 'aic_write_hit_rate(%)' 75
workload 950 --op vector --freq 1600
cells PipeUtilization.csv aiv_vec_ratio 0.5
cells PipeUtilization.csv aiv_mte2_ratio 0.25
cells Memory.csv 'GM_to_UB_datas(KB)' 256
cells L2Cache.csv 'aiv_read_hit_rate(%)' 50

# --- 310P: one row, of the cores described as 'cube.' ---
sed -i 's/^vector\.cycles.*//; s/^vector\.l2_hit.*//; s/^vector\.busy\.mte2.*//
    s/^vector\./cube./' "$WORK/workload.txt"
workload 310p --freq 1600
cells OpBasicInfo.csv 'Task Duration(us)' 125
cells PipeUtilization.csv aic_total_cycles 200000
cells PipeUtilization.csv aic_cube_ratio 0.625
cells PipeUtilization.csv aic_vec_ratio 0.5
cells PipeUtilization.csv aic_mte2_ratio 0.3125
cells L2Cache.csv 'aic_l2_cache_hit_rate(%)' 75

# --- the generator ---
run "$GEN" --help
expect 0
holds grep -q 'bytes.PATH' "$WORK/.stdout"
printf 'spread = 10\n' >>"$WORK/workload.txt"
for seed in 1 1 2; do
    rm -rf -- "$WORK/raw"
    "$GEN" --describe "$WORK/workload.txt" --op cube --seed $seed "$WORK/raw"
    cat -- "$WORK/raw"/* | cksum >>"$WORK/sums"
done
holds test "$(sort -u "$WORK/sums" | wc -l)" -eq 2
for line in 'cube.busy.cube = 101' 'cube.cycles = 1.5' 'cube.colour = 3' 'cycles = 3' 'spread' \
    'spread = 3 4' 'spread = x'; do
    printf 'duration_us = 5\n\n%s # no\n' "$line" >"$WORK/bad.txt"
    run "$GEN" --describe "$WORK/bad.txt" "$WORK/none"
    expect 2 "bad.txt:3: no 'key = value' that a workload has"
done
run "$GEN" --describe "$WORK/missing.txt" "$WORK/none"
expect 2 "missing.txt"
finish
