#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What goes wrong far below reaches the user whole: which stage, which launch, core or trace, which
# file, where in it, and why. A row for each kind of failure.
. "$(dirname "$0")/lib.sh"
tree=$(cd "$(dirname "$0")/../.." && pwd)
cd "$WORK" || exit 99
# shellcheck source=tests/tools/ready_inputs.sh
. "$tree/tests/tools/ready_inputs.sh"
mkdir inputs
ready_inputs "$tree" "$WORK/inputs" >/dev/null || exit 99
pmu=$DATA/pmu/cases/910b_mix/input
dump=$DATA/sim/gpr_bytes
trace=$DATA/kineto/sampled_rank-0.json.gz

in_order() {
    python3 - "$WORK/.stderr" "$@" <<'PY'
import sys
said = open(sys.argv[1], encoding="utf-8", errors="replace").read()
at = 0
for text in sys.argv[2:]:
    at = said.find(text, at)
    if at < 0:
        sys.exit(f"not in this order: {text}")
    at += len(text)
PY
}

# says CODE PIPELINE INPUT [NAME=VALUE | --OPTION=VALUE]... -- TEXT...: runs the pipeline; the texts
# are in its standard error in
# this order, from the stage to the reason.
says() {
    local wanted=$1 pipeline=$2 options=(--set "input=$3")
    shift 3
    while [ "$1" != -- ]; do
        case $1 in
        --*) options+=("${1%%=*}" "${1#*=}") ;;
        *) options+=(--set "$1") ;;
        esac
        shift
    done
    shift
    run timeout 300 "$OPPROF_RUN" --pipeline "$pipeline" "${options[@]}" --output out --flat
    expect "$wanted" "$@"
    holds in_order "$@"
    rm -rf out
}

# copy_of FOLDER: as `damaged`, which may be changed.
copy_of() {
    rm -rf damaged
    cp -rL "$1" damaged
    chmod -R u+w damaged
}

# ---- chips ----

chips=${OPPROF_CHIP_PATH:?set by the makefile}

# with_chip FILE SED-SCRIPT: the file, changed, comes before all others.
with_chip() {
    rm -rf chips
    mkdir chips
    sed "$2" "$chips/$1.json" >"chips/$1.json"
    cmp -s "chips/$1.json" "$chips/$1.json" && fail "$1 is as it was after $2"
    export OPPROF_CHIP_PATH=$WORK/chips
}

with_chip 910B '10s/:/;/'
says 1 onboard-dump "$pmu" -- "Stage 'pmu' (parse-pmu" "Cannot parse launch '.'" \
    "Cannot load the chip 'Ascend910B1'" "$WORK/chips/910B.json' line 10, column" "not valid JSON"
says 1 onboard-dump "$pmu" -- "Launch '.' is left out: Cannot load the chip 'Ascend910B1'" \
    "chips/910B.json' line 10, column" "not valid JSON"
says 2 sim-dump "$dump" chip=Ascend910B1 -- "stage 'dump'" "Cannot load the chip 'Ascend910B1'" \
    "chips/910B.json' line 10, column"
says 4 dbi-dump inputs/dbi \
    -- "Stage 'records': Launch '.': Files that need the chip are left out, 'DbiPackets.bin' first: Cannot load the chip" \
    "chips/910B.json' line 10, column" "not valid JSON"
with_chip 910B 's/"series": "[^"]*"/"series": 5/'
says 1 onboard-dump "$pmu" -- "Cannot parse launch '.'" "Cannot load the chip" \
    "chips/910B.json' at '/series': expected a string, found a number"
with_chip 910B '0,/"time": *{/s//"time": {"is": "1 +", /'
says 1 onboard-dump "$pmu" -- "Cannot parse launch '.'" "The facts of chip 'Ascend910B1' have" \
    "chips/910B.json at /"
with_chip 950 '10s/:/;/'
says 1 biu-dump inputs/biu -- "Stage 'biu' (parse-biu" "Cannot parse launch '.'" \
    "Cannot load the chip" "chips/950.json' line 10, column"
rm chips/950.json
ln -s 910B.json chips/910B.json
says 1 onboard-dump "$pmu" -- "Cannot parse launch '.'" \
    "Cannot open '$WORK/chips/910B.json': Too many levels of symbolic links"
export OPPROF_CHIP_PATH=$chips

# ---- dumps of a simulator ----

says 1 sim-dump nowhere chip=Ascend910B1 -- "Stage 'dump' (collect-sim" \
    "Cannot read dump directory 'nowhere': No such file or directory"
copy_of "$dump"
ln -sf core0.veccore0.instr_log.dump damaged/core0.veccore0.instr_log.dump
says 1 sim-dump damaged chip=Ascend910B1 -- "Dump directory 'damaged' has no core" \
    "Cannot access 'damaged/core0.veccore0.instr_log.dump': Too many levels of symbolic links"
says 1 sim-dump damaged \
    -- "Cannot access 'damaged/core0.veccore0.instr_log.dump': Too many levels of symbolic links"

# ---- raw files of a device ----

says 1 onboard-dump nowhere -- "Stage 'dump' (collect-onboard" \
    "Cannot list 'nowhere': No such file or directory" "Give the directory of a run"
copy_of "$pmu"
ln -sf DeviceProf1.bin damaged/DeviceProf1.bin
says 4 onboard-dump damaged \
    -- "Stage 'dump': 'damaged/DeviceProf1.bin' is left out: it cannot be opened: Too many levels of symbolic links"
copy_of "$pmu"
rm damaged/DeviceProf1.bin
mkdir damaged/DeviceProf1.bin
says 4 onboard-dump damaged -- "Stage 'pmu': Launch '.': 'DeviceProf1.bin' is missing"
copy_of inputs/dbi
head -c 300 inputs/dbi/DbiPackets.bin >damaged/DbiPackets.bin
says 4 dbi-dump damaged \
    -- "Stage 'records': Launch '.': 'DbiPackets.bin' at byte 260: slot 2: the file ends in the middle"
copy_of inputs/dbi
echo 'not a kernel' >damaged/aicore_binary.o
says 4 dbi-dump damaged \
    -- "Stage 'hotspot': Launch '.': source lines are unknown: Cannot read kernel 'aicore_binary.o': it is not an ELF file"
echo '{' >broken.json
says 1 mc2-dump inputs/mc2 timeline.display=broken.json -- "Stage 'timeline' (mc2-timeline" \
    "Cannot read the display configuration" "'broken.json' line 2, column 0: not valid JSON"

# ---- traces of frameworks ----

printf 'hello' >text.json
says 1 kineto text.json -- "Stage 'kineto' (collect-kineto" "Cannot read trace 'text.json'" \
    "it is not JSON"
zcat "$trace" >whole.json
head -c 30000 whole.json >cut.json
says 4 kineto cut.json \
    -- "Stage 'kineto': Trace 'cut.json' is damaged at byte 30000 of its text: the text ends in the middle"
printf '{"traceEvents": [{"ph":"X", "ts": }]}' >event.json
says 4 kineto event.json \
    -- "Trace 'event.json': 1 event was left out: not JSON; the first is at byte 17 of its text"
head -c 2000 "$trace" >cut.json.gz
says 4 kineto cut.json.gz -- "Trace 'cut.json.gz' is damaged at byte" \
    "the compressed data ends in the middle at byte 2000 of the file"
python3 - <<'PY' || exit 99
import gzip, sqlite3, zipfile
with zipfile.ZipFile("whole.zip", "w") as archive:
    archive.writestr("a.json", "{}")
data = open("whole.zip", "rb").read()
open("cut.zip", "wb").write(data[:-10])
database = sqlite3.connect("whole.sqlite")
database.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT)")
database.commit()
database.close()
data = open("whole.sqlite", "rb").read()
gzip.open("packed.sqlite.gz", "wb").write(data)
open("damaged.sqlite", "wb").write(data[:100] + b"\xff" * 4000 + data[4100:])
PY
says 1 kineto cut.zip -- "Cannot read trace 'cut.zip'" \
    "Cannot read the directory of archive 'cut.zip'"
mkdir ranks
cp cut.zip "$trace" ranks
says 4 kineto ranks \
    -- "File 'ranks/cut.zip' was left out: Cannot read the directory of archive 'ranks/cut.zip'"
says 1 kineto damaged.sqlite -- "Cannot read trace 'damaged.sqlite'" \
    "reading table sqlite_master fails: database disk image is malformed"
TMPDIR=/nonexistent says 1 kineto packed.sqlite.gz -- "Cannot read trace 'packed.sqlite.gz'" \
    "in '/nonexistent'" "No such file or directory"
for param in kineto.vocabulary groups.groups efficiency.peaks html.comparison; do
    says 2 kineto "$trace" "$param=broken.json" -- "stage '${param%.*}'" \
        "'broken.json' line 2, column 0: not valid JSON"
done

# ---- results ----

opprof --pipeline onboard-dump --set "input=$pmu" --output results --flat
expect 0
head -c 20000 results/results.sqlite >cut.sqlite
opprof --show cut.sqlite
expect 1 "Stage 'results' (collect-results" \
    "Cannot read 'cut.sqlite': database disk image is malformed"
python3 - <<'PY' || exit 99
import sqlite3
root, size = sqlite3.connect("results/results.sqlite").execute(
    "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = "
    "'PipeUtilization'").fetchone()
data = bytearray(open("results/results.sqlite", "rb").read())
data[(root - 1) * size:root * size] = b"\xff" * size
open("damaged.sqlite", "wb").write(data)
PY
opprof --show damaged.sqlite
expect 1 "Stage 'results' (collect-results" "database disk image is malformed"
holds in_order "amaged.sqlite'" "Page "

says 1 onboard-dump "$pmu" --tap=pmu.launches=/dev/full -- "Stage 'tap-1'" \
    "Cannot write '/dev/full': No space left on device"
says 1 onboard-dump "$pmu" --record=dump.chunks=/dev/full -- "Stage 'record-1'" \
    "Cannot take a batch of '.'" "Cannot write '/dev/full': No space left on device"
says 1 onboard-dump "$pmu" --stats=/dev/full -- "Cannot write '/dev/full': No space left on device"
# A directory is in the place of a result, in turn for each exporter.
for file in results.sqlite visualize_data.bin report.html advice.csv report.txt; do
    mkdir -p "out/$file"
    says 1 onboard-dump "$pmu" -- "Stage '" \
        "Cannot make '$WORK/out/$file': a directory is in the way"
done
for file in trace.json trace.pftrace; do
    mkdir -p "out/$file"
    says 1 kineto "$trace" --set=formats=perfetto -- "Stage '" \
        "Cannot make '$WORK/out/$file': a directory is in the way"
done
# Files may have 8 KiB: each exporter that needs more says which file ended where.
run bash -c '(ulimit -f 8; exec "$@") 2>&1 | cat >&2; exit ${PIPESTATUS[0]}' limited "$OPPROF_RUN" \
    --pipeline onboard-dump --set "input=$pmu" --output out --flat
expect 1 "Cannot write '$WORK/out/report.html' at byte 8192: File too large" \
    "Cannot write '$WORK/out/results.sqlite': File too large" \
    "Cannot write '$WORK/out/visualize_data.bin' at byte 8192: File too large"
rm -rf out
finish
