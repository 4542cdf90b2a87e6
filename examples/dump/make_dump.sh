#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a simulator dump to try opprof on: a vector addition, done tile by tile with two buffers, on
# the vector cores of Ascend910B1. The files have the form that the cycle-accurate simulator writes;
# their times come from a small model of the three pipes and always the same random numbers.
#
#   make_dump.sh DIRECTORY [TILES [CORES]]      default: 24 tiles on each of 2 cores; a tile is 17
#                                               instructions
set -euo pipefail

directory=${1:?usage: make_dump.sh DIRECTORY [TILES [CORES]]}
tiles=${2:-24}
cores=${3:-2}
mkdir -p -- "$directory"

# One core: its issue log to one file, its retire log to the other, its cache misses to the third.
one_core() {
    awk -v block="$1" -v sub_block="$2" -v tiles="$tiles" -v popped="$3" -v retired="$4" \
        -v misses="$5" '
    function random(limit) {
        seed = (seed * 16807) % 2147483647
        return int(seed / 2147483647 * limit)
    }

    # One line in each log; the lines are put into order of their ticks afterwards.
    function line(file, tick, pc, pipe, name, operands) {
        printf "[info] [%08d] (PC: 0x%08x) %-9s: (Binary: 0x%08x) %s  %s\n", tick,
               284712960 + pc, pipe, 1073741824 + pc * 64, name, operands > file
    }
    function log_both(pc, pipe, name, operands, from, to) {
        line(popped, from, pc, pipe, name, operands)
        line(retired, to, pc, pipe, name, operands)
        free[pipe] = to
        return to
    }
    function run(pc, pipe, name, operands, ticks,   from) {
        issue += 1 + random(2)
        from = issue > free[pipe] ? issue : free[pipe]
        return log_both(pc, pipe, name, operands, from, from + ticks)
    }
    function set_flag(pc, from, to, id) {
        return done[from, to, id] = run(pc, from, "SET_FLAG", \
            "PIPE:" from ", TRIGGER PIPE:" to ", FLAG ID:" id ",", 1)
    }
    function wait_flag(pc, from, to, id,   begin, end) {
        issue += 1
        begin = issue > free[to] ? issue : free[to]
        end = done[from, to, id] + 1 > begin + 1 ? done[from, to, id] + 1 : begin + 1
        return log_both(pc, to, "WAIT_FLAG", \
            "PIPE:" from ", TRIGGER PIPE:" to ", FLAG ID:" id ",", begin, end)
    }
    function tile(number,   id, ready) {
        id = number % 2
        ready = done["VEC", "MTE3", id]
        issue = issue > ready ? issue : ready
        run(64, "SCALAR", "MOV_XD_XN", "XD:X3=" number ", XN:X4=" number ",", 1)
        run(68, "SCALAR", "MUL", \
            "dtype:S64, XD:X5=" number * 4096 ", XN:X3=" number ", XM:X6=0x1000,", 4)
        run(72, "SCALAR", "ADD", \
            "dtype:S64, XD:X7=" number * 4096 ", XN:X5=" number * 4096 ", XM:X0=0,", 1)
        wait_flag(76, "VEC", "MTE2", id)
        run(80, "MTE2", "MOV_OUT_TO_UB", \
            "Src:OUT, Dst:UB, XD:X9=0, XN:X0=0x113f9600, XM:X3=0x800010,", 240 + random(90))
        run(84, "MTE2", "MOV_OUT_TO_UB", \
            "Src:OUT, Dst:UB, XD:X9=0x1000, XN:X1=0x11409600, XM:X3=0x800010,", 230 + random(90))
        set_flag(88, "MTE2", "VEC", id)
        wait_flag(92, "MTE2", "VEC", id)
        wait_flag(96, "MTE3", "VEC", id)
        run(100, "VEC", "VADD", \
            "XD:X16=0x2000, XN:X13=0, XM:X14=0x1000, XT:X8=0x100080808010101, Dtype:F16,", \
            150 + random(20))
        run(104, "VEC", "VMULS", \
            "XD:X16=0x2000, XN:X16=0x2000, XM:X15=0x3c00, XT:X8=0x100080808010101, Dtype:F16,", \
            140 + random(20))
        set_flag(108, "VEC", "MTE2", id)
        set_flag(112, "VEC", "MTE3", id)
        wait_flag(116, "VEC", "MTE3", id)
        run(120, "MTE3", "MOV_UB_TO_OUT", \
            "Src:UB, Dst:OUT, XD:X9=0x11419600, XN:X0=0x2000, XM:X3=0x80020,", 300 + random(110))
        set_flag(124, "MTE3", "VEC", id)
        run(128, "SCALAR", "BRANCH", "XN:X3=" number ",", 2)
    }
    function miss(tick, pc) {
        printf "[info] %d: icache read address is 0x%08x, ", tick, 284712960 + pc > misses
        print "size is 0x00000080, type:1, last:0, status is MISS" > misses
    }
    BEGIN {
        seed = 1 + block * 2 + sub_block
        issue = 1000 + random(200)
        miss(issue, 0)
        issue += 380 + random(100)
        run(0, "SCALAR", "MOV_XD_SPR", "XD:X11=" block ", SPR:BLOCKID,", 1)
        run(4, "SCALAR", "MOV_XD_SPR", "XD:X14=" sub_block ", SPR:SUBBLOCKID,", 1)
        run(8, "SCALAR", "MOV_SPR_XN", "SPR:LPCNT, XN:X6=0x80000000,", 1)
        set_flag(12, "VEC", "MTE2", 0)
        set_flag(16, "VEC", "MTE2", 1)
        set_flag(20, "MTE3", "VEC", 0)
        set_flag(24, "MTE3", "VEC", 1)
        for (number = 0; number < tiles; number++) {
            if (number == 1) {
                miss(issue, 128)
                issue += 200
            }
            tile(number)
        }
        wait_flag(132, "MTE3", "VEC", (tiles - 1) % 2)
        if (free["VEC"] > issue) {
            issue = free["VEC"]
        }
        run(136, "SCALAR", "MOV_SPR_XN", "SPR:LPCNT, XN:X6=0xc0000000,", 1)
        run(140, "SCALAR", "BAR", "PIPE:ALL,", 12)
        run(144, "SCALAR", "END", "", 1)
    }'
}

scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
for ((core = 0; core < cores; core++)); do
    name=core$((core / 2)).veccore$((core % 2))
    one_core $((core / 2)) $((core % 2)) "$scratch/popped" "$scratch/retired" \
        "$directory/$name.ifu.icache_log.dump"
    LC_ALL=C sort -s -k 2,2 "$scratch/popped" >"$directory/$name.instr_popped_log.dump"
    LC_ALL=C sort -s -k 2,2 "$scratch/retired" >"$directory/$name.instr_log.dump"
done
