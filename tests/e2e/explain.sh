#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opprof-run --explain: what a metric of a chip is calculated from, and what becomes of unknown
# names.
. "$(dirname "$0")/lib.sh"

# says TEXT...: each is in the last command's standard output
says() {
    local text
    for text in "$@"; do
        checks=$((checks + 1))
        grep -qF -- "$text" "$WORK/.stdout" || fail "not reported: $text"
    done
}

chips=${OPPROF_CHIP_PATH:?set by the makefile}

# With its unit and without; the expected text is the reference's definition of the metric.
for name in 'aic_mte3_active_bw(GB/s)' aic_mte3_active_bw AIC_MTE3_Active_bw; do
    opprof --explain "$name" --set chip=Ascend910B1
    expect 0
    says "aic_mte3_active_bw(GB/s)" "unit: GiB/s" \
        "formula: gib_s(diff(4 * e(19) + e(518), e(524)) * 128, e(13) / freq)" \
        "source: $chips/910B.json, metrics.tables.PipeUtilization.columns[" \
        "event 13 (0xd) mte3_busy_cyc: MTE3 pipe busy cycles" \
        "counted by cube: replay 9, counter 0; vector: replay 9, counter 4" \
        "freq  [MHz]" "the chip file says 1850: $chips/910B.json, pmu.defaults.rated_freq"
done

# Rows and lines of the views: members, request sizes, peaks and the columns that come of them.
opprof --explain 'L1 Read MTE' --set chip=910B
expect 0
says "is: row of the memory table 'L1'" "bytes: 256" "peak(GM_TO_L1) = 264  [GiB/s]" \
    "peaks.families.910B1.default.GM_TO_L1" \
    "column 'peak(%)'  [%]: 100 * min(gib_s(requests * bytes, over), limit) / limit"
opprof --explain 'Cube All Active' --set chip=910B
expect 0
says "is: compute load of 'cube' cores" "formula: e(73) + e(74)" \
    "share  [%]: 100 * is / total_cycles"
opprof --explain 'GM Read + Write' --set chip=910B
expect 0
says "is: line of the roofline 'GM/L2'" "bytes: gm_bytes" "memory_peak(GM) = 1.8  [TB/s]"
opprof --explain hit_rate --set chip=910B
expect 0
says "is: load that the occupancy compares" "unit: %" "= e(1280) +"
opprof --explain 'Vector F16' --set chip=950
expect 0
says "formula: operand_instructions(F16)" "pmu.operands"
# Another SoC of the series has other peaks.
opprof --explain 'peak(GM_TO_L1)' --set chip=Ascend910B4
expect 0
says "peak(GM_TO_L1) = 222  [GiB/s]" "peaks.families.910B4.default.GM_TO_L1"
opprof --explain cube_busy_cyc --set chip=910B
expect 0
says "event 10 (0xa) cube_busy_cyc: cube pipe busy cycles"

opprof --explain PipeUtilization --set chip=910B
expect 0
says "is: table of metrics" "    aic_mte2_ratio"
opprof --explain all --set chip=910B
expect 0
says "aic_mte3_active_bw(GB/s)                  GiB/s         column of the table \
'PipeUtilization'" \
    "row of the memory table 'L1'" "line of the roofline 'GM/L2'" "event 1292"

# Names of other sections: raw files, keys, rules and records of instrumentation, instructions of
# simulators, pipes.
opprof --explain counters --set chip=910B
expect 0
says "is: raw file of launches" "file: DeviceProf<k>.bin" "facts/raw.json, raw.files.counters"
opprof --explain rated_freq --set chip=910B
expect 0
says "is: key of the file that describes the operator" "key: Rated Freq"
opprof --explain aligned-bursts --set chip=910B
expect 0
says "is: rule of instrumentation records" \
    "meaning: Bursts of bytes: the global memory counts bytes" \
    "fields: bursts, length, src_stride" \
    "    read: from == global ? length : align(length, 32)" "  runs[0]:" \
    "    src_step: read + (from == global ? src_stride : 32 * src_stride)" \
    "dbi-rules.json, dbi.rules.aligned-bursts"
opprof --explain DMA_MOV --set chip=910B
expect 0
says "is: record of instrumentation" "rule: bursts"
opprof --explain MOV_SRC_TO_DST_ALIGN --set chip=910B
expect 0
says "is: instruction that moves data" "needs: xn, xd, xm, xt, src" "    burst: bits(xm, 16, 21)" \
    "bytes: src > OUT ? 0 : (src == UB ? align(burst, 32) : burst) * bits(xm, 4, 12)" \
    "simulated.json, instructions.a2.moves[3]"
opprof --explain vadd --set chip=310P
expect 0
says "is: instruction of the vector unit" "repeats: repeat" "      address: dest_addr"
opprof --explain XT --set chip=910B
expect 0
says "is: value of operands" "form: XT:X<digits>=<hex>"
opprof --explain MTE2 --set chip=910B
expect 0
says "is: pipe of simulated instructions" "colour: thread_state_iowait" "rank: 6"
opprof --explain all --set chip=910B
expect 0
says "rule of instrumentation records" "raw file of launches" "instruction that moves data"

# Facts by their path: what a table allows, what the chip states, and where.
opprof --explain pmu.records.counters.size --set chip=910B
expect 0
says "is: fact of chip files" "may be: a whole number (8..4096 bytes)" "required: yes" \
    "value: 128" "chips/910B.json"
opprof --explain pmu.records.counters --set chip=910B
expect 0
says "may be: an object with size, byte_order, fields, counters, accept, known"
opprof --explain 'metrics.tables.PipeUtilization.columns[0].unit' --set chip=910B
expect 0
says "may be: a text"
opprof --explain biu.groups --set chip=910B
expect 0
says "may be: a whole number (1..256)" "otherwise: 6"
opprof --explain simulator.pair_by --set chip=910B
expect 0
says "may be: a name of 'pc','id'" "value: pc"
opprof --explain raw.files.counters --set chip=910B
expect 0
says "may be: a text; or an array, each a text" "value: DeviceProf<k>.bin" "facts/raw.json"
opprof --explain perfmon.mode --set chip=910B
expect 0
says "source: no chip file states it"
for name in dbi.area.slots mc2.cube_cores caches.l2.ways pmu.max_rounds channels.command \
    cores.vectors; do
    opprof --explain $name --set chip=910B
    expect 0
    says "is: fact of chip files"
done
opprof --explain pmu.records.counters.siez --set chip=910B
expect 2 "no fact 'pmu.records.counters.siez'" "Did you mean 'size'?"

opprof --explain countres --set chip=910B
expect 2 "The chip 'Ascend910B1' has no 'countres'" "Did you mean 'counters'?"
opprof --explain MOV_SRC_TO_DST_ALING --set chip=910B
expect 2 "Did you mean 'MOV_SRC_TO_DST_ALIGN'?"

# What a screen shows needs no chip: columns by name, heading and words, tables by title and type,
# words of the report.
for word in running_us 'running_time(us)' 'Running time'; do
    opprof --explain "$word"
    expect 0
    says "running_time(us): column of 'Hot instructions', of sim-hotspot, in us" \
        "Time in which at least one of them ran"
done
for word in 'hot instructions' sim.instr-exe; do
    opprof --explain "$word"
    expect 0
    says "Hot instructions: table of sim-hotspot, 'sim.instr-exe'" "running_time(us)"
done
# Values of columns, as their meanings say them: the first, one in the middle, the last.
opprof --explain host
expect 0
says "host: value of the column 'part' of 'Critical path', of trace-critical-path" \
    "  operators and calls"
opprof --explain 'Outside operators'
expect 0
says "the host, outside of all operators and calls"
opprof --explain random
expect 0
says "random: value of the column 'policy' of 'L2 cache model', of l2-cache" "  any of them"
opprof --explain 'operators and calls'
expect 2 "No rule, table, column or word of the report is called 'operators and calls'"
opprof --explain 'up to'
expect 0
says "up to: word of the report" "The largest share of the run's time that could be saved"
opprof --explain 'share of the peak' --json
expect 0
says '"chip": null' 'Measured rate divided by the largest one'
opprof --explain running_us --set chip=910B
expect 0
says "column of 'Hot instructions'"

# Unknown names, and names of several.
opprof --explain aic_mte3_actvie_bw --set chip=910B
expect 2 "No metric 'aic_mte3_actvie_bw' of the chip 'Ascend910B1'" \
    "Did you mean 'aic_mte3_active_bw'?" "The name 'all' lists all"
opprof --explain mte3_active --set chip=910B
expect 2 "Did you mean one of 'aic_mte3_active_bw(GB/s)', 'aiv_mte3_active_bw(GB/s)'?"
opprof --explain aic_cube_ratio
expect 2 "No rule, table, column or word of the report is called 'aic_cube_ratio'" \
    "--set chip=Ascend910B1"
opprof --explain aic_cube_ratio --set chip=Ascend910Z
expect 2 "No chip file serves 'Ascend910Z'" "Did you mean 'Ascend910A'?"
opprof --explain aic_cube_ratio --set chip=610
expect 2 "No metric 'aic_cube_ratio' of the chip"

mkdir "$WORK/chips"
cat >"$WORK/chips/two.json" <<'JSON'
{ "opprof_chip": "1.0", "series": "Two", "extends": "910B", "socs": { "Two1": {} },
  "metrics": { "tables": { "Extra": { "columns": [
    { "name": "load(us)", "is": "time", "unit": "us" }, { "name": "load(%)", "is": "1 +" } ] } } } }
JSON
OPPROF_CHIP_PATH=$WORK/chips:$chips opprof --explain load --set chip=Two1
expect 2 "Several metrics could be meant with 'load'" "Say which: 'load(us)', 'load(%)'"
OPPROF_CHIP_PATH=$WORK/chips:$chips opprof --explain 'load(us)' --set chip=Two1
expect 0
says "source: $WORK/chips/two.json, metrics.tables.Extra.columns[0]" \
    "from $chips/910B.json, metrics.symbols.time"
OPPROF_CHIP_PATH=$WORK/chips:$chips opprof --explain 'load(%)' --set chip=Two1
expect 2 "Formula 'load(%)', column 4: expected a number, a name or '(', found the end"

# A module from outside of the tree explains a section of its own in a chip file; the others still
# explain theirs.
cat >"$WORK/chips/acme.json" <<'JSON'
{ "opprof_chip": "1.0", "series": "Acme", "extends": "910B", "socs": { "Acme1": { "acme": { "bar": { "hz": 8 } } } },
  "acme": { "bar": { "hz": 7 }, "foot": { "hz": 2.5 } } }
JSON
stranger=${OPPROF_BUILD_DIR:?set by the makefile}/tests/cli/modules/.libs
stranger_says() {
    OPPROF_CHIP_PATH=$WORK/chips:$chips opprof --plugin-path "$stranger" --explain "$1" \
        --set chip=Acme1
}
stranger_says bar
expect 0
says "bar" "chip: Acme1" "beats: 8 a second" "source: $WORK/chips/acme.json, acme.bar"
stranger_says foot
expect 0
says "beats: 2.5 a second"
stranger_says aic_cube_ratio
expect 0
says "formula: e(10) / ratio_cycles"
stranger_says all
expect 0
says "foot  " "aic_cube_ratio"
stranger_says nobody
expect 2 "No metric 'nobody' of the chip"
opprof --plugin-path "$stranger" --inspect stranger
expect 0
says "Reads from chip files: acme"
OPPROF_PLUGIN_PATH='' opprof --explain bar --set chip=910B
expect 2 "No module explains 'bar'" "--plugin-path"
finish
