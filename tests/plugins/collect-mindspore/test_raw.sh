#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Raw files of MindSpore's profiler: the numbers of the specification, and each cell of the tables
# against an independent reading of the same bytes.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77
data=$here/../../data/mindspore

# tables INPUT [OPTION…]: a run of it into out
tables() {
    rm -rf out
    opprof "$@" --without html --output out --flat
}

# row FILE PATTERN EXPECTED: the row of a table that begins like this
row() {
    checks=$((checks + 1))
    local found
    found=$(grep -- "^$2" "out/$1.csv" | cut -c1-"${#3}" | head -n 1)
    [ "$found" = "$3" ] || fail "$1: '$found' instead of '$3'"
}

# count FILE ROWS
count() {
    checks=$((checks + 1))
    local rows
    rows=$(($(wc -l <"out/$1.csv") - 1))
    [ "$rows" -eq "$2" ] || fail "$1 has $rows rows instead of $2"
}

for name in raw_small raw_aicpu raw_hwts made_b; do
    rm -rf out
    opprof "$data/$name" --output "out_$name" --flat --without html
    expect 0 "fits pipeline 'mindspore-dump'"
    run python3 "$here/mindspore.py" "$data/$name" "out_$name"
    expect 0
done

# ---- the operators of a real log ----

mv out_raw_hwts out
row sources 1,hwts 1,hwts,A,1,262144,4096,0,0,0,0
count operators 183
row operators 1,Default/AssignAdd-op414 \
    1,Default/AssignAdd-op414,AssignAdd-op414,AssignAdd,Default,519,1,1,2.66,2.66,2.66,2.66,
row operators '1,.*/Mul-op31,' \
    1,Default/network-TrainStepWrap/optimizer_d-Adam/Mul-op31,Mul-op31,Mul,Default,519,1,1,1.22,
row operator_types 1,Slice 1,Slice,16,16,20444.91,
row operator_types 1,Concat 1,Concat,4,4,5836.4,
# The report names operators by the end of their paths, without their inputs.
holds grep -q '^  ~.*/GatherV2-op55 #.*  47.5 % ' out/report.txt
# The sum is exact, in ticks of 10 ns.
holds python3 - <<'PYTHON'
import csv
rows = list(csv.DictReader(open("out/operators.csv", encoding="utf-8")))
assert sum(round(float(row["total(us)"]) * 100) for row in rows) == 8880199, "sum of ticks"
assert rows[-1]["kernel_name"] == "AtomicAddrClean-op434" and rows[-1]["stream"] == "541"
assert [row["mean(us)"] for row in rows[:4]] == ["2.66", "2.15", "1.5", "1.22"], rows[:4]
PYTHON
checks=$((checks + 1))
"$OPPROF_RUN" --query mindspore_operators out --where 'kernel_type = GatherV2' \
    --sort total_us:desc --columns kernel_name,total_us --limit 1 --format csv >query
[ "$(wc -l <query)" -eq 2 ] || fail "the query has not one row"

# ---- steps ----

rm -rf out && mv out_raw_small out
count steps 20
row steps 0,1, 0,1,45000030081,45004033128,45000030081,45001733025,40030.47,0.0,17029.44,23001.03
row steps 0,20, \
    0,20,45238848430,45251899738,45247879385,45249598280,130513.08,90309.55,17188.95,23014.58
row step_points 0,fp_start 0,fp_start,Default/Cast-op6
holds python3 - <<'PYTHON'
import csv
rows = {row["part"]: row for row in csv.DictReader(open("out/step_summary.csv", encoding="utf-8"))}
for part, ms, share in (("total", 130.4561, 100), ("iteration_interval", 90.3536, 69.26),
                        ("fp_and_bp", 17.0945, 13.1), ("tail", 23.008, 17.64)):
    assert round(float(rows[part]["mean(us)"]) / 1000, 4) == ms, part
    assert round(float(rows[part]["share"]), 2) == share, part
    assert rows[part]["steps"] == "20"
PYTHON

# ---- the device's CPU ----

rm -rf out && mv out_raw_aicpu out
count aicpu 3
row aicpu 0,1, 0,1,InitData,InitData,NA,NA,1567.0,100.0,129.0,2298200409.0,
row aicpu 0,2, 0,2,GetNext,GetNext,NA,NA,989.0,87.0,48.0,2302769932.0,
row aicpu 0,3, 0,3,TruncatedNormal,TruncatedNormal,NA,NA,1566.0,105.0,129.0,4098200409.0,

# ---- task ids beyond 16 bits, GE's tables, the device's queue ----

# The table tells that ids go on; two streams wrap apart from each other, and an end may come after
# the next start.
mkdir wide
holds python3 - <<'PYTHON'
import struct
def name(text, size):
    return struct.pack("<B7x", 1) + text.encode().ljust(size - 8, b"\0")
tasks = [(s, t) for s in (3, 4) for t in (65534, 65535, 65536, 65537)]
with open("wide/Framework.task_desc_info.0.slice_0", "wb") as out:
    for stream, task in tasks:
        out.write(struct.pack("<HHI", 0x5a5a, 23, 0) + name(f"Default/Op-{stream}-{task}", 128) +
                  name("Op", 64) + struct.pack("<QQIIIIII16x", 1, 0, 0, 8, 1, stream, task, 0))
moves = [(0, 3, 65534), (0, 3, 65535), (1, 3, 65534), (0, 3, 65536), (1, 3, 65535),
         (0, 4, 65534), (1, 3, 65536), (1, 4, 65534), (0, 4, 65535), (0, 3, 65537),
         (1, 4, 65535), (1, 3, 65537), (0, 4, 65536), (1, 4, 65536)]
with open("wide/hwts.data.0.slice_0", "wb") as out:
    for number, (kind, stream, task) in enumerate(moves):
        out.write(struct.pack("<BBHHHQI44x", kind | (number & 15) << 4, 0, 0x6bd3, 0,
                              task & 65535, 1000 + 100 * number, stream))
PYTHON
tables wide
expect 0
count operators 7
row sources 0,hwts 0,hwts,B,1,896,14,0,0,0,2
for place in '3-65534,Op,Default,3,8,1,2.0' '3-65535,Op,Default,3,8,1,3.0' \
    '3-65536,Op,Default,3,8,1,3.0' '3-65537,Op,Default,3,8,1,2.0' '4-65536,Op,Default,4,8,1,1.0'; do
    row operators "0,Default/Op-${place%%,*}" \
        "0,Default/Op-${place%%,*},Op-${place%%,*},${place#*,}"
done
mkdir ge && printf 'Default/a/Add-op1 7 5 3\n' >ge/Framework.host.task_desc_info.12.slice_0
printf '%s\n' 'op_name:Default/a/Add-op1 op_type:Add input_id:0 input_format:29 input_data_type:1 input_shape:"2,3" output_id:0 output_format:3 output_data_type:77 output_shape:"2"' \
    >ge/Framework.host.graph_desc_info.12.slice_0
python3 -c 'import struct, sys
sys.stdout.buffer.write(b"".join(struct.pack("<BBHHHQI44x", k | k << 4, 0, 0x6bd3, 0, 5, 9 + 9 * k,
                                             3) for k in (0, 1)))' \
    >ge/hwts.log.data.45.dev.profiler_default_tag.12.slice_0
printf 'Node:GetNext_dequeue_wait, queue size:3, Run start:100, Run end:150\n\0Node:Other, Run start:1, Run end:2\0Node:GetNext_x, Run start:200, Run end:260, queue size:0\0' \
    >ge/DATA_PREPROCESS.dev.AICPUMI.12.slice_0
tables ge --set device=12
expect 0
row operators 12, 12,Default/a/Add-op1,Add-op1,Add,Default,3,7,1,0.09,
holds grep -qF '{""format"":""FRACTAL_NZ"",""data_type"":""FLOAT16"",""shape"":""2,3""}' \
    out/operators.csv
holds grep -qF '{""format"":""NC1HWC0"",""data_type"":""UNKNOWN"",""shape"":""2""}' \
    out/operators.csv
row data_queues 12 12,get_next,2,1,0,NA,NA,55.0

# ---- devices and places ----

tables "$data/made_b" --set device=1
expect 0
checks=$((checks + 1))
[ "$(cut -d, -f1 out/operators.csv | sort -u | tr '\n' ' ')" = "1 device " ] || fail "devices"
tables "$data/made_b" --set device=7
expect 1 "has no files of the devices that are asked for"
tables "$data"/made_b/PROF*/device_0/data
expect 0 "fits pipeline 'mindspore-dump'"
# The facts beside the folder are known: shares of the peak need them.
run python3 "$here/mindspore.py" "$data"/made_b/PROF*/device_0 out
expect 0
mkdir -p job/profiler && cp -r "$data/made_b/"PROF* job/profiler
tables job
expect 0 "fits pipeline 'mindspore-dump'"
count operators 15

finish
