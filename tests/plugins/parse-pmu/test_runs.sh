#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whole runs, and damaged files: the good part is kept, the rest is reported.
. "$(dirname -- "${BASH_SOURCE[0]}")/../../e2e/lib.sh"
GEN=${TEST_TOOLS:?set by the makefile}/gen_onboard
CASE=$DATA/pmu/cases/910b_mix/input

# onboard INPUT [OPTION...]: into $WORK/result
onboard() {
    local input=$1
    shift
    rm -rf -- "$WORK/result"
    opprof --pipeline onboard-dump --set "input=$input" --output "$WORK/result" --flat --quiet "$@"
}

# damaged: a copy of the case to be damaged, in $RAW
RAW=$WORK/raw
damaged() {
    rm -rf -- "$RAW"
    cp -r -- "$CASE" "$RAW"
    chmod -R u+w -- "$RAW"
}

# cell FILE ROW COLUMN WANTED: a value of a table; rows count from 1
cell() {
    local found
    found=$(awk -F, -v row="$2" -v name="$3" \
        'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
        NR == row + 1 { print $at }' "$WORK/result/$1")
    checks=$((checks + 1))
    [ "$found" = "$4" ] || fail "$1, row $2, $3: $found, not $4"
}

files() {
    (cd "$WORK/result" && find . -name '*.csv' ! -name advice.csv ! -name launches.csv \
        ! -name kernels.csv | sed 's,^\./,,; s,/[^/]*$,/,; s,^[^/]*csv$,,' | sort -u | tr '\n' ' ')
}

tables() {
    (cd "$WORK/result" && for table in *.csv; do [ "$table" = advice.csv ] ||
        printf '%s ' "$table"; done | sed 's/ $//')
}

# --- the layout of results ---
"$GEN" --devices 2 --launches 2 --op vector --work add:5000 "$WORK/run"
onboard "$WORK/run"
expect 0
holds test "$(files)" = \
    "device0/made_up_add/0/ device0/made_up_add/1/ device1/made_up_add/0/ device1/made_up_add/1/ "
holds test -s "$WORK/result/device1/made_up_add/1/visualize_data.bin"
holds cmp -s "$WORK/result/device0/made_up_add/0/OpBasicInfo.csv" \
    "$WORK/result/device1/made_up_add/0/OpBasicInfo.csv" -i 9999
onboard "$WORK/run/device0"
expect 0
holds test "$(files)" = "made_up_add/0/ made_up_add/1/ "
mkdir "$WORK/one"
mv -- "$WORK/run/device1" "$WORK/one/"
onboard "$WORK/one"
expect 0
holds test "$(files)" = "made_up_add/0/ made_up_add/1/ "
rm -r -- "$WORK/one/device1/made_up_add/1"
onboard "$WORK/one"
expect 0
holds test "$(files)" = " "
holds test -s "$WORK/result/visualize_data.bin"
# One folder of raw files, and the folder above it, of a whole run or not.
onboard "$WORK/run/device0/made_up_add/0/dump"
expect 0
cp -- "$WORK/result/OpBasicInfo.csv" "$WORK/first"
onboard "$WORK/run/device0/made_up_add/0"
expect 0
holds cmp -s "$WORK/first" "$WORK/result/OpBasicInfo.csv"
# Folders of more digits are launches, too, other folders of a run are not.
mkdir -p "$WORK/run/device0/made_up_add/1000/dump" "$WORK/run/device0/made_up_add/x/dump"
cp -- "$CASE"/* "$WORK/run/device0/made_up_add/1000/dump/"
onboard "$WORK/run"
expect 0
holds test "$(files)" = "made_up_add/0/ made_up_add/1/ made_up_add/1000/ "
# Two operators of one name, and one launch that says nothing.
mkdir -p "$WORK/run/device0/other/0/dump" "$WORK/run/device0/empty/7/dump"
cp -- "$WORK/run/device0/made_up_add/0/dump"/* "$WORK/run/device0/other/0/dump/"
: >"$WORK/run/device0/empty/7/dump/op_basic_info.txt"
onboard "$WORK/run"
expect 4 "Launch 'device0/empty/7' is left out: The data does not name its SoC"
holds test "$(files)" = "made_up_add/0/ made_up_add/1/ made_up_add/1000/ other/0/ "
holds cmp -s "$WORK/result/made_up_add/0/Memory.csv" "$WORK/result/other/0/Memory.csv"

# --- no launch ---
onboard "$WORK/nothing"
expect 1 "nothing"
mkdir "$WORK/void"
onboard "$WORK/void"
expect 1 "No raw files of an operator in" "hint:"

# --- damaged files ---
damaged
printf 'half a record' >>"$RAW/DeviceProf3.bin"
printf 'rest' >>"$RAW/duration.bin"
onboard "$RAW"
expect 4 "'DeviceProf3.bin' ends within a record at byte 1152: 13 of 128 bytes are there" \
    "'duration.bin' ends within a record"
python3 "$(dirname -- "${BASH_SOURCE[0]}")/../../tools/compare_csv.py" "$WORK/result" \
    "$CASE/../expected" --differences "$DATA/pmu/differences/910b_mix.txt" >"$WORK/.stdout" ||
    fail "half a record changes the tables"

damaged
: >"$RAW/DeviceProf4.bin"
onboard "$RAW"
expect 4 "'DeviceProf4.bin' is missing or holds no record"
cell Memory.csv 1 aic_mte1_instructions NA
cell Memory.csv 1 'aic_l1_read_bw(GB/s)' "$(cut -d, -f5 "$CASE/../expected/Memory.csv" | sed -n 2p)"

damaged
head -c 100 "$CASE/DeviceProf10.bin" >"$RAW/DeviceProf10.bin"
onboard "$RAW"
expect 4 "'DeviceProf10.bin'"
cell PipeUtilization.csv 1 'aic_cube_time(us)' NA

# Records of other kinds: one of a whole task, which is known and holds nothing of a block, and two
# of no known kind.
damaged
head -c 128 /dev/zero | sed 's/^./\x28/' >"$WORK/foreign"
printf '\x28' | dd of="$WORK/foreign" conv=notrunc status=none
cat -- "$WORK/foreign" >>"$RAW/DeviceProf1.bin"
onboard "$RAW"
expect 0
printf '\x11' | dd of="$WORK/foreign" conv=notrunc status=none
cat -- "$WORK/foreign" "$WORK/foreign" >>"$RAW/DeviceProf1.bin"
opprof --pipeline onboard-dump --set "input=$RAW" --output "$WORK/result2" --flat \
    --tap "pmu.raw=$WORK/raw.tsv" --tap "pmu.raw=$WORK/raw.hex"
expect 4 "2 records are of kinds that the chip's file does not know" "1 record is of whole tasks"
# Those of no known kind are kept as they are, counted, and can be looked at.
size=$(stat -c %s "$RAW/DeviceProf1.bin")
holds test "$(cut -f 1,2 "$WORK/raw.tsv" | sed 1d | tr '\t\n' '  ')" = \
    "DeviceProf1.bin $((size - 256)) DeviceProf1.bin $((size - 128)) "
holds test \
    "$(grep -c '^    +0000  11 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ' "$WORK/raw.hex")" = 2
holds grep -q '"records of unknown kinds": 2' "$WORK/result2/run.json"
holds cmp -s "$WORK/result/Memory.csv" "$WORK/result2/Memory.csv"

# The L2 counters and the moves of data have an exact size.
"$GEN" --chip 310p --work add:9999 "$WORK/p"
onboard "$WORK/p"
expect 0
cell L2Cache.csv 1 'aic_l2_cache_hit_rate(%)' "$(sed -n 2p "$WORK/result/L2Cache.csv" | tr -d ,)"
holds grep -q '^[0-9]' "$WORK/result/L2Cache.csv"
printf x >>"$WORK/p/L2Cache.bin"
onboard "$WORK/p"
expect 4 "'L2Cache.bin'"
cell L2Cache.csv 1 'aic_l2_cache_hit_rate(%)' NA
"$GEN" --moves "$WORK/m"
printf x >>"$WORK/m/MemoryChart.bin"
onboard "$WORK/m" --set metrics=default,memorydetail
expect 4 "'MemoryChart.bin'"

# Cycles of 0 have no ratios; a block number has 16 bits.
damaged
python3 - "$RAW" <<'PYTHON'
import glob, struct, sys
for path in glob.glob(sys.argv[1] + "/DeviceProf*.bin"):
    data = bytearray(open(path, "rb").read())
    for at in range(0, len(data), 128):
        block, = struct.unpack_from("<H", data, at + 30)
        if block == 0:
            struct.pack_into("<Q", data, at + 32, 0)
        if block == 2:
            struct.pack_into("<H", data, at + 30, 65535)
    open(path, "wb").write(data)
PYTHON
onboard "$RAW" --set metrics=default,kernelscale,occupancy
expect 0
cell PipeUtilization.csv 1 aic_cube_ratio NA
cell PipeUtilization.csv 1 'aic_time(us)' NA
cell PipeUtilization.csv 1 'aic_cube_time(us)' \
    "$(cut -d, -f5 "$CASE/../expected/PipeUtilization.csv" | sed -n 2p)"
cell PipeUtilization.csv 7 block_id 65535
holds grep -q 65535 "$WORK/result/visualize_data.bin"

# Each way to damage a file of counters or the log is reported, with the file.
damaged
python3 "$(dirname -- "${BASH_SOURCE[0]}")/../../tools/damage_inputs.py" onboard-dump "$RAW" \
    <<'TABLE' || fail "damage has not been reported"
DeviceProf1.bin     cut:45 cut:99 empty remove double zero
DeviceProf10.bin    cut:45 cut:99 empty remove double zero
duration.bin        cut:99 empty remove double zero text
L2Cache.bin         cut:45 empty remove double text
TABLE

# --- what the chip is ---
damaged
sed -i 's/Ascend910B1$/Ascend910B77/' "$RAW/op_basic_info.txt"
onboard "$RAW"
expect 1 "No chip file serves 'Ascend910B77'" "such as chip="
opprof --pipeline onboard-dump --set "input=$RAW" --output "$WORK/result" --flat --set chip=910B
expect 0 "The data is from 'Ascend910B77', but the facts of 'Ascend910B1' are used, as requested"
holds grep -q "Ascend910B77" "$WORK/result/visualize_data.bin"
damaged
sed -i '/Run Soc Version/d; s/^Current Freq=.*/Current Freq=NA/' "$RAW/op_basic_info.txt"
onboard "$RAW"
expect 1 "such as chip="
onboard "$RAW" --set chip=Ascend910B1
expect 0
cell OpBasicInfo.csv 1 'Current Freq' NA
damaged
rm -- "$RAW/op_basic_info.txt" "$RAW/duration.bin"
onboard "$RAW" --set chip=Ascend910B4
expect 4 "there is no 'op_basic_info.txt'" "no 'duration.bin' states"
cell OpBasicInfo.csv 1 'Op Name' NA
cell OpBasicInfo.csv 1 'Op Type' mix
cell OpBasicInfo.csv 1 'Task Duration(us)' NA

# --- what is asked for ---
onboard "$CASE" --set metrics=Memry
expect 2 "Metric 'Memry' is not available" "hint:"
onboard "$CASE" --set metrics=Memory,PMSampling
expect 2 "Metric 'PMSampling' is not available: it is a metric of simulated runs"
onboard "$DATA/pmu/cases/a5_mix/input" --set metrics=PipeTimeline,InstrTimeline
expect 1 "'PipeTimeline'" "'InstrTimeline'"
# Items in any case and with blanks; empty ones are left out, so a list of these asks for
# everything.
for metrics in memory,L2CACHE ',memory,, L2Cache ,'; do
    onboard "$CASE" --set "metrics=$metrics"
    expect 0
    holds test "$(tables)" = "L2Cache.csv Memory.csv OpBasicInfo.csv"
done
every="ArithmeticUtilization.csv L2Cache.csv Memory.csv MemoryL0.csv MemoryUB.csv OpBasicInfo.csv \
PipeUtilization.csv ResourceConflictRatio.csv"
for metrics in , '' Default kernelscale basicinfo,DEFAULT Roofline; do
    onboard "$CASE" --set "metrics=$metrics"
    expect 0
    holds test "$(tables)" = "$every"
done
onboard "$CASE" --set metrics=Occupancy
expect 0
holds test "$(tables)" = "OpBasicInfo.csv"
onboard "$CASE" --set metrics=MemoryDetail
expect 4 "MemoryDetail makes nothing: instrumentation records such as"
holds test "$(tables)" = "$every"
onboard "$CASE" --set metrics=Source,Default
expect 4 "nothing is made of the metrics 'Source'"
holds test "$(tables)" = "$every"
for metrics in Source TimelineDetail Occupancy,Source,TimelineDetail; do
    onboard "$CASE" --set "metrics=$metrics"
    expect 4 "nothing is made of the metrics"
    holds test "$(tables)" = "OpBasicInfo.csv"
done
# Up to 200 letters with their commas.
long=$(printf 'memory,%.0s' $(seq 27))
onboard "$CASE" --set "metrics=${long}KernelScale"
expect 0
onboard "$CASE" --set "metrics=${long}MemoryDetail"
expect 2 "The list of metrics has 201 letters, more than 200"
# What each series of chips offers.
offered() {
    local chip=$1 item wanted
    for item in ArithmeticUtilization L2Cache Memory MemoryL0 MemoryUB PipeUtilization \
        ResourceConflictRatio Default BasicInfo KernelScale Occupancy Roofline MemoryDetail Source \
        PcSampling PipeTimeline InstrTimeline TimelineDetail \
        PMSampling Overhead Nonsense; do
        wanted=2
        case " $2 " in *" $item "*) wanted=0 ;; esac
        opprof --pipeline onboard-dump --set "input=$CASE" --set "chip=$chip" \
            --set "metrics=Memory,$item" --validate
        checks=$((checks + 1))
        [ "$code" = "$wanted" ] || fail "$item of $chip: exit code $code, not $wanted"
    done
}
tables="ArithmeticUtilization L2Cache Memory MemoryL0 MemoryUB PipeUtilization ResourceConflictRatio"
common="$tables Default BasicInfo Roofline"
instrumented="KernelScale Occupancy MemoryDetail Source TimelineDetail"
offered Ascend310P3 "$common"
offered Ascend910B4 "$common $instrumented"
offered Ascend910_9391 "$common $instrumented"
offered Ascend950PR_9599 "$common $instrumented PcSampling PipeTimeline InstrTimeline"
opprof --pipeline onboard-dump --set "input=$CASE" --set chip=950 \
    --set metrics=InstrTimeline,pipetimeline --validate
expect 2 "'InstrTimeline'" "'PipeTimeline'"
onboard "$CASE" --set metrics=BasicInfo
expect 0
holds test "$(tables)" = "OpBasicInfo.csv"
onboard "$DATA/pmu/cases/310p_mix/input" --set metrics=Occupancy
expect 1 "Metric 'Occupancy' is not available: chips of the series '310P' have none" "Roofline"
finish
