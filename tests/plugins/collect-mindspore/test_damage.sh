#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Damaged raw files of MindSpore's profiler: what is good is kept, the run is incomplete and says
# which file lacks what.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77
data=$here/../../data/mindspore
hwts=hwts.log.data.45.dev.profiler_default_tag.1.slice_0
b=PROF_000001_20211103150926_ABCDEF/device_0/data

# begin SAMPLE: a fresh copy of it in `in`
begin() {
    rm -rf in && cp -r "$data/$1" in && chmod -R u+w in
}

# tables: a run of `in` into out
tables() {
    rm -rf out
    opprof mindspore-dump in --without html --output out --flat
}

# rows TABLE: how many
rows() {
    echo $(($(wc -l <"out/$1.csv") - 1))
}

# change FILE CODE: `data` are its bytes
change() {
    python3 -c "import sys
data = open(sys.argv[1], 'rb').read()
$2
open(sys.argv[1], 'wb').write(data)" "$1" || exit 99
}

# ---- logs of records ----

begin raw_hwts
truncate -s -10 "in/$hwts"
tables
expect 4 "'$hwts' is cut: 54 of 262134 byte(s) are of records that are not whole"
holds grep -q '^1,hwts,A,1,262134,4095,0,0,54,0' out/sources.csv

begin raw_hwts
change "in/$hwts" 'data = data[:640] + data[640 + 3 * 64:]' # three records are gone
tables
expect 4 "at least 3 record(s) were lost before they were written, the first before record 11"

begin raw_hwts
change "in/$hwts" 'data = data[:66] + b"xx" + data[68:]'
tables
expect 4 "1 record(s) are of no known form or stand alone and are left out, the first is record 2"
holds grep -q '^1,hwts,A,1,262144,4096,0,1,0,0' out/sources.csv

begin raw_hwts
change "in/$hwts" 'data = data[:128] + b" " * 64 + data[128:]' # blank records are none
tables
expect 0
holds [ "$(rows operators)" = 183 ]

# In ten thousand slices, of any size, it is the same; without one of them most of it is.
begin raw_hwts
tables
mv out whole
python3 - "in/$hwts" <<'PYTHON'
import os, sys
path = sys.argv[1]
data = open(path, "rb").read()
os.remove(path)
for i in range(10000):
    with open(path[:-1] + str(i), "wb") as file:
        file.write(data[i * len(data) // 10000:(i + 1) * len(data) // 10000])
PYTHON
tables
expect 0
holds cmp whole/operators.csv out/operators.csv
holds grep -q '^1,hwts,A,10000,262144,4096,0,0,0,0' out/sources.csv
rm "in/${hwts%0}5000"
tables
expect 4 "1 slice(s) are missing before 'in/${hwts%0}5001'" "is cut: "
holds grep -Eq '^1,hwts,A,9999,[0-9]*,409[45],[12],0,[0-9]*,0' out/sources.csv
rm "in/${hwts%0}0"
tables
expect 4 "1 slice(s) are missing before 'in/${hwts%0}1'"
holds [ "$(rows operators)" -gt 180 ]

# Records without marks cannot be found again after a gap, unless slices have whole ones.
for size in 480 490; do
    begin raw_small
    (cd in && split -b "$size" -d -a 1 training_trace* x && rm training_trace* &&
        for i in 0 1 2 3 4 5 6 7 8 9; do
            mv "x$i" "training_trace.46.dev.profiler_default_tag.0.slice_$i"
        done
        rm ./training*slice_5)
    tables
    expect 4 "slice(s) are missing before 'in/training_trace"
    holds [ "$(rows steps)" -ge $((size == 480 ? 16 : 9)) ]
done

# ---- tables of tasks ----

begin raw_hwts
task=in/Framework.host.vm.task_desc_info.1.slice_0
truncate -s -3 $task
tables
expect 4 "'Framework.host.vm.task_desc_info.1.slice_0' is cut: "
holds [ "$(rows operators)" = 183 ] # the last task did not run
begin raw_hwts
sed -i '7s/ [0-9]* /  many /; 9s/.*/what is this line/' $task
tables
expect 4 "'Framework.host.vm.task_desc_info.1.slice_0': 2 line(s) cannot be read, the first is line 7"
holds [ "$(rows operators)" = 181 ]

# Names with commas, quotes, line ends and broken UTF-8, and one that no hash has.
begin made_b
rm -r in/PROF*/device_1
cat in/$b/Framework.hash_dic* >names
rm in/$b/Framework.hash_dic*
change names 'data = data.replace(b"Cast-op0", b"Ca,\"st\xff\r\x01").replace(b"13817", b"13818")
data = data.replace(b"3462451246290872808", b"3")'
cp names in/$b/Framework.hash_dic.0.slice_0
tables
expect 4 "'Framework.task_desc_info.0.slice_0': 1 name(s) are unknown, the first of record 2: their hashes are in no hash_dic"
holds grep -q '^0,519_7,519_7,' out/operators.csv
run python3 -c 'import csv
rows = list(csv.DictReader(open("out/operators.csv", encoding="utf-8", errors="replace", newline="")))
assert len(rows) == 6 and "Ca,\"st" in rows[0]["op_name"], rows[0]'
expect 0

# ---- other things ----

begin raw_aicpu
change in/DATA* 'data = b"\0".join(part for part in data.split(b"\0") if b"Node" not in part) + b"\0"'
tables
expect 0 "has 3 record(s) of threads, but none of an operator"
begin raw_aicpu
change in/DATA* 'parts = data.split(b"\0"); data = b"\0".join(parts[:1] + parts[2:])'
tables
expect 4 "1 record(s) are of no known form or stand alone"
holds [ "$(rows aicpu)" = 2 ]
begin raw_aicpu
change in/DATA* 'data = data.replace(b"dispatchTime=87", b"dispatchTime=x")'
tables
expect 4 "1 record(s) cannot be read, the first is record 4"
holds [ "$(rows aicpu)" = 2 ]

# A step that lacks a point, a collective that lacks its end.
begin raw_small
change in/training* 'data = data.replace(b"\x02" + bytes(7), b"\x01" + bytes(7), 1)'
tables
expect 4 "1 step(s) have no beginning of the forward pass or no end of the backward pass and are left out, the first is step 1"
holds [ "$(rows steps)" = 19 ]
begin raw_small
change in/training* 'data = data.replace(b"\x04" + bytes(7), b"\x03" + bytes(7), 1)'
tables
expect 4 "2 record(s) are of no known form or stand alone and are left out"
holds [ "$(rows step_collectives)" = 79 ]

# ---- records that contradict each other ----

begin raw_hwts
change "in/$hwts" 'data = data[:6400] + data[3200:]' # 50 records of 64 bytes come again
tables
expect 4 "record(s) are there twice, or earlier than those before them, the first is record 10"
begin raw_small
change in/training* 'data = data[:220] + data[240:]' # the end of the first of twenty steps
tables
expect 4 "2 record(s) are of no known form or stand alone"
begin raw_small
truncate -s -20 in/training*
tables
expect 4 "ends within a step, which is left out"
holds [ "$(rows steps)" = 19 ]
begin parsed
sed -i 5d in/step_trace_raw_0_detail_time.csv
tables
expect 4 "by their numbers, at least 2 record(s) are missing" # the number, and the mean
begin parsed
sed -i '$d' in/step_trace_raw_0_detail_time.csv
tables
expect 4 "by their numbers, at least 1 record(s) are missing"
begin parsed
sed -i 3d in/minddata_pipeline_raw_0.csv
tables
expect 4 "'minddata_pipeline_raw_0.csv': by their numbers, at least 1 record(s) are missing"
begin made_gpu
sed -i 6d in/device_queue_profiling_0.txt
tables
expect 4 "'device_queue_profiling_0.txt': by their numbers, at least 1 record(s) are missing"
begin made_gpu
sed -i 1d in/step_trace_profiling_0.txt
tables
expect 4 "4 record(s) are there twice, or earlier than those before them"

# Empty files, and other files under known names.
begin raw_hwts
: >"in/$hwts"
tables
expect 4 "'in/$hwts' is empty"
for file in raw_hwts/$hwts raw_small/training_trace.46.dev.profiler_default_tag.0.slice_0 \
    raw_aicpu/DATA_PREPROCESS.dev.AICPU.0.slice_0 made_b/$b/ts_track.data.0.slice_0 \
    raw_hwts/Framework.host.vm.task_desc_info.1.slice_0 made_b/$b/Framework.hash_dic.0.slice_0 \
    raw_hwts/Framework.host.vm.graph_desc_info.1.slice_0 made_b/$b/../info.json.0; do
    begin "${file%%/*}"
    python3 -c 'import random, sys
open(sys.argv[1], "wb").write(b"\x89PNG\r\n\x1a\n" + random.Random(7).randbytes(40000))' \
        "in/${file#*/}"
    tables
    expect 4 "'$(basename "$file")"
done
printf 'no files of it' >"in/readme" && rm -rf in/PROF*
tables
expect 1 "'in' has no files of MindSpore's profiler"

finish
