#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tables of Ascend profilers: each cell equals an independent reading; directories without a trace
# run, too; what is lost is reported.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77
data=$here/../../data/ascend

# tables INPUT: a run of it into out
tables() {
    rm -rf out
    opprof kineto "$1" --without html --output out --flat
}

# holds COMMAND…
holds() {
    checks=$((checks + 1))
    "$@" || fail "$*"
}

# ---- whole directories ----

for name in ms pt_tables; do
    rm -rf out
    opprof "$data/$name" --output out --flat
    expect 0 "fits pipeline 'kineto'"
    run python3 "$here/ascend_tables.py" "$data/$name" out
    expect 0
done
tables "$data/pt_tables"
expect 0 "has tables of an Ascend profiler, but no trace"
# The directory of one rank, its output directory, and a folder with ranks of both kinds, one of
# them twice.
for place in "$data"/pt_tables/*_ascend_pt "$data"/pt_tables/*_ascend_pt/ASCEND_PROFILER_OUTPUT; do
    tables "$place"
    expect 0
    holds [ "$(wc -l <out/ascend_kernels.csv)" -gt 1 ]
done
mkdir all && cp -r "$data"/ms/* "$data"/pt_tables/* all &&
    cp -r all/host_4000_20250618083000000_ascend_pt all/host_4009_20250618083000009_ascend_pt
rm all/*/ASCEND_PROFILER_OUTPUT/trace_view.json
tables all
expect 0
holds [ "$(cut -d, -f1 out/ascend_steps.csv | sort -u | tr '\n' ' ')" = "0 0#2 0#3 1 rank " ]

# Where a trace was read, its rank is called as the collector calls it: a second recording that runs
# at the same time, one that begins an hour later, and one in the folder of a recording that began
# while the program ran.
mkdir same && cp -r "$data"/ms/host_4000* same && cp -r same/host_4000* same/host_4001_ascend_ms
mkdir later && cp -r "$data"/ms/host_4000* later && cp -r later/host_4000* later/host_4001_ascend_ms
python3 -c '
import decimal, json, sys
events = json.load(open(sys.argv[1]), parse_float=decimal.Decimal)
for event in events:
    if "ts" in event:
        event["ts"] = str(decimal.Decimal(str(event["ts"])) + 3600000000)
json.dump(events, open(sys.argv[1], "w"), default=str)' \
    later/host_4001_ascend_ms/ASCEND_PROFILER_OUTPUT/trace_view.json
mkdir -p dynamic/rank0_start1_stop2 dynamic/rank0_start5_stop6 &&
    cp -r later/host_4000* dynamic/rank0_start1_stop2 &&
    cp -r later/host_4001* dynamic/rank0_start5_stop6
# ranks FILE: the names in its column 'rank'
ranks() { python3 -c 'import csv, sys
print(*sorted({row["rank"] for row in csv.DictReader(open(sys.argv[1], newline=""))} - {"all"}))' "$1"; }
for pair in "same/ 0#2" "later 0-cycle2" "dynamic 0-cycle2"; do
    tables "${pair% *}"
    holds [ "$(ranks out/ascend_kernels.csv)" = "0 ${pair#* }" ]
    holds [ "$(ranks out/ascend_kernels.csv)" = "$(ranks out/temporal_breakdown.csv)" ]
done
# The first has no trace, and its number is the name of the second.
rm later/host_4000*/ASCEND_PROFILER_OUTPUT/trace_view.json
tables later
expect 4 "was left out: Cannot open trace"
holds [ "$(cut -d, -f1 out/ascend_steps.csv | uniq | tr '\n' ' ')" = "rank 0#2 0 " ]
# A trace that cannot be read does not cost the tables beside it.
rm -r later/host_4000*
: >later/host_4001_ascend_ms/ASCEND_PROFILER_OUTPUT/trace_view.json
tables later
expect 4 "was left out: The text is not a trace: it is empty"
holds [ "$(ranks out/ascend_kernels.csv)" = 0 ]

# ---- archives, compressed files, and files that are not read ----

# same FOLDER: its tables are those of `out`
same() {
    local file
    for file in "$1"/ascend_*.csv "$1"/data_pipeline.csv; do
        checks=$((checks + 1))
        cmp -s "$file" "out/$(basename "$file")" || fail "$file differs"
    done
}
for name in ms pt_tables; do
    tables "$data/$name"
    rm -rf plain "packed_$name" && mv out plain
    mkdir -p "packed_$name"
    python3 -c 'import shutil, sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[2])' \
        "packed_$name/all" "$data/$name"
    rm -rf out
    opprof "packed_$name/all.zip" --output out --flat
    expect 0 "fits pipeline 'kineto'"
    same plain
    tables "packed_$name"
    expect 0
    same plain
done
cp -r "$data/pt_tables" gzip && gzip gzip/*/ASCEND_PROFILER_OUTPUT/*
rm -rf out
opprof gzip --output out --flat
expect 0 "fits pipeline 'kineto'"
same plain
# What no table of ours has is named, once for all ranks; the rest of the run is complete.
for folder in gzip/*/ASCEND_PROFILER_OUTPUT; do
    touch "$folder"/{npu_module_mem,l2_cache}.csv "$folder/communication_matrix.json"
done
cp -r gzip/*_ascend_pt gzip/host_4009_20250618083000009_ascend_pt
tables gzip
expect 0
holds python3 -c '
import json
said = [text for stage in json.load(open("out/run.json"))["stages"] for text in stage["warnings"] if "not read" in text]
assert len(said) == 1 and "'"'communication_matrix.json', 'l2_cache.csv'"'" in said[0] and said[0].count("l2_cache") == 1, said
'

# ---- headings, forms of cells ----

# one NAME TEXT: a rank of which this is the only table
one() {
    rm -rf one_ascend_pt
    mkdir -p one_ascend_pt/ASCEND_PROFILER_OUTPUT
    printf '%b' "$2" >"one_ascend_pt/ASCEND_PROFILER_OUTPUT/$1"
    tables one_ascend_pt
}
# is FILE LINE TEXT: a line of a result
is() {
    checks=$((checks + 1))
    [ "$(sed -n "$2p" "out/$1")" = "$3" ] ||
        fail "line $2 of $1 is '$(sed -n "$2p" "out/$1")', not '$3'"
}
head='Start Time(us),Name,Duration(us)'
# Any order, a byte-order mark, CR LF, tabs within quotes, commas, quotes and line ends in names,
# rows alike, a column of an unknown name.
one kernel_details.csv \
    "\xef\xbb\xbf$head,Colour\r\n\"1750000000000010.151\t\",\"a,\"\"b\"\"\nc\",1.5,red\r\n\"1750000000000010.151\t\",\"a,\"\"b\"\"\nc\",1.5,red\r\n,x,-,N/A\r\n"
expect 0
holds grep -q '^rank,step,device,model,task,stream,name,.*,context,Colour$' out/ascend_kernels.csv
holds [ "$(python3 -c 'import csv
rows = csv.DictReader(open("out/ascend_kernels.csv", newline=""))
print([[r[k] for k in ("name", "start_ns", "duration(us)", "Colour")] for r in rows])')" = \
    "[['a,\"b\"\nc', '1750000000000010151', '1.5', 'red'], ['a,\"b\"\nc', '1750000000000010151', '1.5', 'red'], ['x', 'NA', 'NA', 'NA']]" ]
# A further column of numbers only is one of numbers; with a text in it, one of texts.
one op_statistic.csv \
    'OP Type,Count,Total Time(us),mac_ratio,note\nMatMul,2,3.5,0.25,1\nAdd,1,2,N/A,x\n'
expect 0
is ascend_operator_types.csv 1 \
    'rank,device,type,core,count,total(us),min(us),mean(us),max(us),share,mac_ratio,note'
is ascend_operator_types.csv 2 '0,NA,MatMul,NA,2,3.5,NA,NA,NA,NA,0.25,1'
is ascend_operator_types.csv 3 '0,NA,Add,NA,1,2.0,NA,NA,NA,NA,NA,x'
# Each byte of broken UTF-8 becomes a question mark; all else of the row stays.
one kernel_details.csv "$head\n1.5,a\xff\xfeb,2\n"
expect 0
holds grep -q ',a??b,' out/ascend_kernels.csv

# The data pipeline: what does not keep up with its input, and slow reading; nothing where all
# queues are filled.
head_of_pipeline='op_id,op_type,num_workers,output_queue_size,output_queue_average_size,output_queue_length,output_queue_usage_rate,sample_interval,parent_id,children_id'
one minddata_pipeline_raw_0.csv \
    "$head_of_pipeline\n0,DataQueue,1,,,,,10,,[1]\n1,Batch,2,,1,16,0.2,10,0,[2]\n2,Map,2,,1,16,0.3,10,1,[3]\n3,TFReader,2,,1,16,0.41,10,2,\n"
expect 0
holds [ "$(grep -o 'data pipeline,device 0 [A-Za-z]*_[0-9]' out/advice.csv | tr '\n' ';')" = "data pipeline,device 0 Map_2;data pipeline,device 0 TFReader_3;" ]
one minddata_pipeline_raw_0.csv \
    "$head_of_pipeline\n0,DataQueue,1,,,,,10,,[1]\n1,Batch,2,,1,16,0.8,10,0,[2]\n2,Map,2,,1,16,0.95,10,1,\n"
expect 0
holds [ -z "$(grep 'data pipeline,' out/advice.csv 2>/dev/null)" ]

# Kernels on the CPU of the device: 30 of the 100 us from the first kernel to the end of the last.
rows='0,a,10,MatMul,AI_CORE\n20,b,20,GetNext,AI_CPU\n50,c,10,Cast,AI_CPU\n90,d,10,Add,AI_VECTOR_CORE\n'
one kernel_details.csv "$head,Type,Accelerator Core\n$rows"
expect 0
holds grep -q 'rank 0,2 kernels run on the CPU of the device (most of the time GetNext) for 30.0 % of' \
    out/advice.csv
holds python3 -c '
import csv
rows = list(csv.DictReader(open("out/advice.csv", newline="")))
said = [(row["rule"], float(row["gain_us"]), float(row["whole_us"])) for row in rows]
assert said == [("device-cpu-kernels", 30, 100)], said
'
one kernel_details.csv "$head,Type,Accelerator Core\n${rows//AI_CPU/AI_CORE}"
expect 0
holds [ ! -e out/advice.csv ]

# A transfer of 4.5 s over RDMA: data was lost and sent again; one of 3.5 s, and others over HCCS,
# are slow only.
# link TRANSPORT MS
link() { printf '"%s": {"Transit Size(MB)": 5, "Transit Time(ms)": %s}' "$1" "$2"; }
# links RDMA-MS HCCS-MS
links() {
    one communication.json "{\"step0\": {\"collective\": {\"all@g\": {
\"Communication Time Info\": {\"Elapse Time(ms)\": 9},
\"Communication Bandwidth Info\": {$(link RDMA "$1"), $(link HCCS "$2")}}}}}\n"
}
links 4500 1
expect 0
holds grep -q 'communication,rank 0,"all moves data over RDMA for 4.5 s' out/advice.csv
links 3500 4500
expect 0
holds [ ! -e out/advice.csv ]

# Packets: 60 of 0.5 MB take 60 ms over RDMA, 10 of 2 MB take 20 ms: 30 MB would take 30 ms in
# large ones. Over SDMA 10 are small, but none is large: too few to say anything; not so 101.
# packets RDMA SDMA: distributions of sizes
packets() {
    one communication.json "{\"step0\": {\"collective\": {\"all@g\": {
\"Communication Time Info\": {\"Elapse Time(ms)\": 9}, \"Communication Bandwidth Info\": {
\"RDMA\": {\"Transit Size(MB)\": 50, \"Transit Time(ms)\": 80, \"Size Distribution\": {$1}},
\"SDMA\": {\"Transit Size(MB)\": 80, \"Transit Time(ms)\": 5, \"Size Distribution\": {$2}}}}}}}\n"
}
# said COLUMN…: those of the advice
said() { python3 -c 'import csv, sys
rows = csv.DictReader(open("out/advice.csv", newline=""))
print(*[[row[name] for name in sys.argv[1:]] for row in rows])' "$@"; }
packets '"0.5": [60, 60], "2": [10, 20]' '"8": [10, 5]'
expect 0
holds [ "$(said rule gain_us whole_us)" = "['small-packets', '30000.000', '60000.000']" ]
holds grep -q '86 % of the packets over RDMA are small, 0.5 MB on average, below 1 MB' \
    out/advice.csv
packets '"0.5": [1, 1], "2": [10, 20]' '"8": [101, 5]'
expect 0
holds [ "$(said rule gain_us)" = "['small-packets', 'NA']" ]
packets '"0.5": [1, 1], "2": [10, 20]' '"8": [100, 5], "32": [600, 90]'
expect 0
holds [ ! -e out/advice.csv ]

# Clocks of the cores: 1,800 MHz and 1,620 MHz, 10 % less; not 1,750 MHz, nor numbers that no clock
# has.
# clocks CYCLES: rank 1 has these in 10 us, rank 0 has 18,000
clocks() {
    local rank cycles=18000
    rm -rf both
    for rank in a b; do
        mkdir -p both/${rank}_ascend_pt/ASCEND_PROFILER_OUTPUT
        printf '%s\n' "$head,aicore_time(us),aic_total_cycles" "1,m,200,10,$cycles" \
            >both/${rank}_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv
        cycles=$1
    done
    tables both
    expect 0
}
clocks 16200
holds [ "$(said rule subject value gain_us)" = "['slow-clock', 'rank 1', '1620.0', '20.000']" ]
clocks 17500
holds [ ! -e out/advice.csv ]
clocks 5
holds [ ! -e out/advice.csv ]

# Communication that nothing hides, from the sums of the profiler's steps alone: of two steps with
# 90 and 60 us of computation 10 and 30 us, 4 of them receive; 10 us are free. Nothing under 2 %.
head_of_steps='Step,Computing,Communication(Not Overlapped),Free'
excluded='Communication(Not Overlapped and Exclude Receive)'
one step_trace_time.csv "$head_of_steps,$excluded\n1,90,10,5,10\n2,60,30,5,26\n"
expect 0
holds python3 -c '
import csv
rows = list(csv.DictReader(open("out/advice.csv", newline="")))
said = [(row["rule"], row["subject"], float(row["gain_us"]), float(row["whole_us"])) for row in rows]
assert said == [("exposed-communication", "rank 0", 36, 200)], said
'
holds grep -q 'Only communication runs for 18.0 % of the steps' out/advice.csv
one step_trace_time.csv "$head_of_steps\n1,90,1,9\n"
expect 0
holds [ ! -e out/advice.csv ]
# Where there is a trace, the rule about its work speaks instead.
tables "$data/ms"
holds grep -q '^overlap,\|,overlap,' out/advice.csv
holds [ "$(grep -c exposed-communication out/advice.csv)" = 0 ]

# ---- what is lost ----

one kernel_details.csv "$head\n1.5,a,2\n2.5,b,3"
expect 4 "kernel_details.csv' ends in the middle of line 3, which is left out"
holds [ "$(wc -l <out/ascend_kernels.csv)" = 2 ]
one kernel_details.csv "$head\n1.5,a,2\n2.5,b\n3.5,c,3,4\n4.5,d,4\n"
expect 4 \
    "2 row(s) that cannot be read or have other columns than the heading are left out, the first in line 3"
holds [ "$(wc -l <out/ascend_kernels.csv)" = 3 ]
one kernel_details.csv "$head\n1.5,a,two\n2.5,b,3\n"
expect 4 "1 cell(s) are not a number where one is due, the first in line 2, column 'duration_us'"
one kernel_details.csv "$head\n1.5,\"a,2\n2.5,b,3\n"
expect 4 "row(s) that cannot be read"
holds grep -q ',b,' out/ascend_kernels.csv
one kernel_details.csv ""
expect 4
one kernel_details.csv "$head"
expect 4 "it ends in its heading"
one kernel_details.csv "$head\n"
expect 4 \
    "Nothing in 'one_ascend_pt' is a row of a table: 1 file(s) of an Ascend profiler's tables are empty, and there is no trace"
one kernel_details.csv "a,b,c\n1,2,3\n"
expect 4 \
    "Table 'one_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv' was left out: its heading has no column"
python3 -c 'print("Start Time(us),Name,Duration(us)\n1,a,2\n2," + "x" * 3000000 + ",2\n3,c,4")' \
    >long && one kernel_details.csv "$(cat long)\n"
expect 4 "row(s) that cannot be read"
holds grep -q ',c,' out/ascend_kernels.csv

# A document that is cut: the operators before that.
folder=cut_ascend_ms/ASCEND_PROFILER_OUTPUT
mkdir -p $folder
whole="$data/ms/host_4000_20250618083000000_ascend_ms/ASCEND_PROFILER_OUTPUT"
cp "$whole"/{communication.json,step_trace_time.csv} $folder
head -c 2500 $folder/communication.json >part && mv part $folder/communication.json
tables cut_ascend_ms
expect 4 "communication.json': it is damaged at byte"
holds [ "$(wc -l <out/ascend_communication.csv)" = 3 ]
echo '[1]' >$folder/communication.json
tables cut_ascend_ms
expect 4 "it is another document"

# Records of memory in any order and form; one that is damaged costs its rows alone.
memory_head='Device Type,Total Active(MB),Timestamp(us),Total Allocated(MB),Component,Colour'
mkdir memory_ascend_ms && cp -r "$data"/ms/host_4000*/* memory_ascend_ms
folder=memory_ascend_ms/ASCEND_PROFILER_OUTPUT
printf "\xef\xbb\xbf$memory_head\r\n" >$folder/memory_record.csv
# samples: the times in ns and values of a curve of the run
samples() {
    python3 -c '
import decimal, json
events = json.load(open("out/trace.json"), parse_float=decimal.Decimal)["traceEvents"]
print(*[(int(event["ts"] * 1000) - 1750000000000000000, *((key, float(value)) for key, value in event["args"].items()))
        for event in events if event["ph"] == "C" and event["pid"] == "rank 0 memory"])'
}
printf '%s\r\n' 'NPU:0,N/A,"1750000000000010.151	",2,A,x' ',1,1750000000000004,0.5,A,x' \
    >>$folder/memory_record.csv
tables memory_ascend_ms
expect 0
holds [ "$(samples)" = "(4000, ('allocated(MB)', 0.5)) (4000, ('active(MB)', 1.0)) (10151, ('allocated(MB)', 2.0))" ]
printf 'NPU:0,1,soon,2,A,x\nNPU:0,1\nNPU:0,1,17500' >>$folder/memory_record.csv
tables memory_ascend_ms
expect 4 "memory_record.csv' ends in the middle of line 6" \
    "1 cell(s) are not a number where one is due, the first in line 4, column 'time_ns'" \
    "1 row(s) that cannot be read or have other columns than the heading are left out, the first in line 5"
holds [ "$(samples | wc -c)" -gt 60 ]
# The totals of a device are of all its streams: rows of two streams are one curve.
printf '%s\n' 'Component,Timestamp(us),Total Allocated(MB),Stream Ptr,Device Type' \
    PTA,1750000000000004,1,187,NPU:0 PTA,1750000000000006,3,188,NPU:0 \
    PTA,1750000000000005,2,188,NPU:0 >$folder/memory_record.csv
tables memory_ascend_ms
expect 0
holds [ "$(samples)" = "(4000, ('allocated(MB)', 1.0)) (5000, ('allocated(MB)', 2.0)) (6000, ('allocated(MB)', 3.0))" ]
holds [ "$(python3 -c 'import json
print(len({event["name"] for event in json.load(open("out/trace.json"))["traceEvents"] if event["ph"] == "C" and event["pid"] == "rank 0 memory"}))')" = 1 ]
printf "$memory_head\nNPU:0,1,1,2,A,x\n" >$folder/memory_record.csv
tables memory_ascend_ms
expect 4 "begins over seven days away from the traces: its curves begin with them"

# Other inputs cost nothing and show no empty tables.
python3 "$here/../../tools/make_plain_trace.py" plain.json
tables plain.json
expect 0
holds [ -z "$(ls out | grep '^ascend_')" ]
finish
