#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Folders that MindInsight's parsers wrote, GPUs and clusters: the numbers of the specification,
# columns by their headings, and what is said about them.
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

# rows QUERY…: answers the question about `out`
rows() {
    "$OPPROF_RUN" --query "$1" out --format csv "${@:2}" | tail -n +2
}

# advice: topics, subjects and values
advice() {
    python3 -c 'import csv, os
if os.path.exists("out/advice.csv"):
    for row in sorted((row["topic"], row["subject"], row["value"])
                      for row in csv.DictReader(open("out/advice.csv", encoding="utf-8"))):
        print(*row[:2], round(float(row[2]), 2), sep=",")'
}

# same EXPECTED COMMAND…: its output, lines joined by blanks
same() {
    local wanted=$1 found
    shift
    checks=$((checks + 1))
    found=$("$@" 2>&1 | tr '\n' ' ')
    [ "${found% }" = "$wanted" ] || fail "$*: '$found' instead of '$wanted'"
}

# ---- the first folder ----

tables "$data/parsed"
expect 0 "fits pipeline 'mindspore-dump'"
same "Cast-op53,Cast,4.879 Cast-op10,Cast,4.66" rows mindspore_operators \
    --where "kernel_type = Cast" --sort mean_us:desc \
    --columns kernel_name,kernel_type,mean_us --limit 2
same "Default/AtomicAddrClean-op104,1.33,1" rows mindspore_operators \
    --columns op_name,mean_us,executions --limit 1
same "333.0,33.0,333.0,333.0,33.0" rows mindspore_operators --where "kernel_name = Cast-op10" \
    --columns cube_mflops,cube_utilization,vector_mflops,vector_gflops,vector_utilization
same 10 bash -c 'tail -n +2 out/operators.csv | wc -l'
holds python3 - <<'PYTHON'
import csv
types = {row["kernel_type"]: row for row in csv.DictReader(open("out/operator_types.csv"))}
for name, us, count, share in (("AtomicAddrClean", 7.283, 6, 0.547128), ("Cast", 53.395, 13, 4.011),
                               ("TransData", 121.8, 5, 9.15), ("Conv2D", 63.656, 2, 4.782),
                               ("MatMul", 1085.0, 9, 81.51)):
    assert abs(float(types[name]["mean_sum(us)"]) - us) < 1e-9, name
    assert types[name]["operators"] == str(count), name
    assert abs(float(types[name]["share"]) - share) < 6e-4, name
    assert types[name]["executions"] == "NA"
PYTHON
# Steps are those of the raw log, and so are their collectives.
mv out parsed
tables "$data/raw_small"
for table in steps step_summary step_collectives; do
    holds cmp out/$table.csv parsed/$table.csv
done
# A tree of operations gives the same table, with the operation without a queue replaced.
wanted="0,Batch,NA,[1],NA 1,Shuffle,0.3125,\"[2, 3]\",0 2,TFReader,0.3125,NA,1"
same "$wanted 3,TFReader,0.3125,NA,1" \
    rows mindspore_pipeline --columns op_id,op_type,queue_usage,children,parent_id
same "20.0,64,\"[10, 20, 30]\"" rows mindspore_pipeline --where "op_id = 1" \
    --columns queue_average,queue_length,queue_sizes
rm -rf out && mv parsed out
same "device,user_utilization,2,15.0 device,idle_utilization,2,10.0" rows mindspore_cpu \
    --where "scope = device" --where "metric in user_utilization|idle_utilization" \
    --columns scope,metric,samples,mean
same "device_queue,1,1,0,0.0,4000.0,4000.0" rows mindspore_queues \
    --columns queue,batches,empty,full,mean_get_us,mean_push_us,mean_total_us
same "data pipeline,device 0 TFReader_2,0.31 data pipeline,device 0 TFReader_3,0.31 data queue,device 0,100.0 host cpu,device 0,90.0 iteration interval,device 0,90353.6" advice

# ---- the second ----

tables "$data/parsed_run2"
expect 0 "fits pipeline 'mindspore-dump'" \
    "1 file(s) of the profiler hold what is not read, such as 'step_trace_point_info.json'"
same "InitData,7906.0,150.0 GetNext,888.0,132.0 EndOfSequence,282.0,78.0 GetNext,293.0,73.0 EndOfSequence,325.0,91.0" \
    rows mindspore_aicpu --columns kernel_name,total_us,dispatch_us
same "total,1,23709.05 iteration_interval,1,0.0 fp_and_bp,1,23668.08 tail,1,40.97" \
    rows mindspore_step_summary --columns part,steps,mean_us
same "device_queue,1,1,0 get_next,3,0,0" rows mindspore_queues --columns queue,batches,empty,full
same "3,1.0 2,0.0 1,1.0" rows mindspore_queue_steps --where "queue = get_next" \
    --columns size,total_us

# ---- data pipelines, with the thresholds ----

tables "$data/pipeline"
expect 0 "fits pipeline 'mindspore-dump'"
same "data pipeline,device 0 Shuffle_4,0.16 data pipeline,device 0 TFReader_2,0.31 data pipeline,device 0 TFReader_3,0.31 data pipeline,device 1 Shuffle_1,0.16 data pipeline,device 3 TFReader_2,0.16 data pipeline,device 3 TFReader_3,0.16" advice

# ---- GPUs ----

tables "$data/made_gpu"
expect 0 "fits pipeline 'mindspore-dump'"
holds python3 - "$data/made_gpu" <<'PYTHON'
import csv, sys
lines = [line.split() for line in open(sys.argv[1] + "/step_trace_profiling_0.txt")]
pairs = [[tuple(map(int, pair.split(","))) for pair in line[1:]] for line in lines]
rows = list(csv.DictReader(open("out/steps.csv")))
assert len(rows) == 4
for k, row in enumerate(rows):
    start = pairs[0][0][0] if k == 0 else pairs[2][k - 1][0]
    wanted = (start, pairs[2][k][1], pairs[0][k][0], pairs[1][k][1])
    assert tuple(int(row[name + "_tick"]) for name in ("start", "end", "fp", "bp")) == wanted, k
    assert float(row["tail(us)"]) == (wanted[1] - wanted[3]) / 100
rows = list(csv.DictReader(open("out/step_collectives.csv")))
wanted = [(str(k + 1), str(place), name, str(start), str(end)) for k in range(4)
          for place, (start, end, name) in enumerate(sorted(
              (*pairs[i][k], lines[i][0].split("/")[-1]) for i in (3, 4)))]
assert [(row["step"], row["place"], row["name"], row["start_tick"], row["end_tick"])
        for row in rows] == wanted and rows[0]["stream"] == "NA"
PYTHON
same "fp_start,Default/Conv2D-op1 bp_end,Gradients/Default/Conv2D-op9" rows mindspore_step_points \
    --columns point,op_name
same "Conv2D-op1,30,1212.5,40.417,900.25,60 Assign-op20,3,788.0,262.667,700.0,3" \
    rows mindspore_gpu_operators \
    --columns kernel_name,executions,total_us,mean_us,cuda_us,cuda_calls
same '"void conv<float, 4>(int)",3,"128,1,1",60,900.25' rows mindspore_gpu_activities \
    --columns name,stream,block_dim,count,total_us
same "device_queue,12,4,5 get_next,12,4,0" rows mindspore_queues --columns queue,batches,empty,full
same "data pipeline,device 0 GeneratorOp_5,0.42 data pipeline,device 0 TFReader_4,0.27 data queue,device 0,33.33" advice
# The host's queue is full enough, but the device's was empty: then the pipeline is not the reason.
cp -r "$data/made_gpu" gpu
chmod -R u+w gpu
sed -i 's/^1 8 \([0-9]*\) 0 /1 8 \1 5 /' gpu/device_queue_profiling_0.txt
tables gpu
same "data transmission,device 0,4.0" advice
# One line for each step, in ns.
printf '%s\n' 'a/s,1000 a/fp,1500 a/bp,2100 a/e,3009 x/AllReduce-op1,1600,1700' \
    'a/s,3009 a/fp,3500 a/bp,4000 a/e,5000' >gpu/step_trace_profiling_0.txt
tables gpu
expect 0
same "1,100,300,150,210 2,300,500,350,400" rows mindspore_steps \
    --columns step,start_tick,end_tick,fp_tick,bp_tick
same "1,AllReduce-op1,160,170,0.1" rows mindspore_step_collectives \
    --columns step,name,start_tick,end_tick,duration_us
for text in 'a 1,2 3,4\nb 1,2 3,4\n' 'a 1,2 3,4\nb 1,2 3,4\nc 1,2\n'; do
    printf '%b' "$text" >gpu/step_trace_profiling_0.txt
    tables gpu
    expect 4 "'step_trace_profiling_0.txt' has no steps" "set PROFILING_FP_START and PROFILING_BP_END"
    holds [ -s out/gpu_operators.csv ]
done

# ---- clusters ----

tables "$data/made_cluster"
expect 0 "fits pipeline 'mindspore-dump'"
holds python3 - "$data/made_cluster" <<'PYTHON'
import csv, json, sys
folder = sys.argv[1]
rows = {row["rank"]: row for row in csv.DictReader(open("out/ranks.csv"))}
for rank in "0123":
    mean = list(csv.reader(open(
        f"{folder}/ascend_cluster_analyse_pipeline-parallel_2_4_{rank}.csv")))[-1]
    row = rows[rank]
    for name, ms in zip(("computation", "communication", "stage", "receive", "collective"), mean):
        assert abs(float(row[name + "(us)"]) - 1000 * float(ms)) < 1e-6, (rank, name)
    step = list(csv.DictReader(open(f"{folder}/step_trace_raw_{rank}_detail_time.csv")))[-1]
    assert float(row["iteration_interval(us)"]) == int(step["iteration_interval"]) / 100
    flops = json.load(open(f"{folder}/flops_summary_{rank}.json"))
    assert (float(row["mflops"]), float(row["gflops"])) == (flops["FLOPs"], flops["FLOPS"])
    assert float(row["peak_memory"]) == json.load(
        open(f"{folder}/memory_usage_summary_{rank}.json"))["peak_mem"]
    assert (row["mode"], row["stage"]) == ("pipeline-parallel", str(int(rank) // 2 + 1))
PYTHON
same "0,NA,0,1,SDMA,500.0,1024.0,450000000.0" rows mindspore_links --where "rank = 0" \
    --where "step is null" --where "dst != 0"
same 32 bash -c 'tail -n +2 out/links.csv | wc -l'
same "slow computation,rank 2,76.48 slow computation,rank 3,27.26 slow link,2-3 SDMA,150000000.0 slow rank,rank 2,65.45" \
    bash -c "$(declare -f advice); advice | grep ^slow"

# ranks MODE INTERVALS: files of a cluster in which only these are made
ranks() {
    rm -rf ranks && mkdir ranks
    python3 - "$@" <<'PYTHON'
import sys
for rank, ms in enumerate(sys.argv[2].split()):
    ticks = int(float(ms) * 100000)
    with open(f"ranks/step_trace_raw_{rank}_detail_time.csv", "w") as file:
        file.write("step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,"
                   "fp_and_bp,tail\n")
        for step in ("1", "2", "-"):
            file.write(f"{step},1000,9001000,9000000,{1000 + ticks},8000000,{ticks},10,10\n")
    if sys.argv[1]:
        with open(f"ranks/ascend_cluster_analyse_{sys.argv[1]}_2_4_{rank}.csv", "w") as file:
            file.write("computation_time,communication_alone_time,stage_time,receive_alone_time,"
                       "collective_communication_alone_time\n5,5,5,5,5\n")
            file.write("80,20,1,12,16\n" if rank > 1 else "90,20,1,12,3\n")
        with open(f"ranks/flops_summary_{rank}.json", "w") as file:
            file.write('{"FLOPs": %d, "FLOPS": 5}' % (900 if rank > 1 else 300))
PYTHON
    tables ranks
}
ranks "" "0.1 0.1 0.1 0.15"
expect 0
same "slow rank,rank 3,33.33" advice
ranks "" "0.1 0.1 0.1 0.12"
expect 0
same "" advice
ranks data-parallel "0.1 0.1 0.1 0.1"
same "communication share,all ranks,19.05" advice
ranks pipeline-parallel "0.1 0.1 0.1 0.1"
wanted="pipeline bubbles,all ranks,11.43 stage communication,stage 2,16.0"
same "$wanted stage work,stage 2,50.0" advice
rm ranks/flops_summary_0.json # not all have the file
tables ranks
same "$wanted" advice

# ---- headings, names, damage ----

mkdir odd
printf '%b' '\xef\xbb\xbfexecution_frequency,full_op_name,execution_time\r\n' \
    '2,"a,""b""\nc/d-op1",0.5\r\n' \
    >odd/aicore_intermediate_3_detail.csv
printf 'full_op_name,GFLOPS(10^9), MFLOPs(10^6)\nx\xff/y,7,8\n' >odd/flops_3.txt
tables odd
expect 0
same '2,1000.0,500.0,NA' rows mindspore_operators --columns executions,total_us,mean_us,mflops
printf 'x/y,many,0.5\n7,b/c,soon\n1,2\n3,d/e,0.2\n4,f/g' >>odd/aicore_intermediate_3_detail.csv
printf 'op_type,nothing\na,1\n' >odd/aicore_intermediate_3_type.csv
: >odd/framework_raw_3.csv
printf 'serial_number,kernel_type,total_time' >odd/aicpu_intermediate_3.csv
printf '0 1 x 4 10\nwhat\n1 64 1\n' >odd/device_queue_profiling_3.txt
printf '{"sampling_interval": 1' >odd/pipeline_profiling_3.json
printf '[1]' >odd/minddata_cpu_utilization_3.json
printf 'step_num,link_info\n1,"{""01"": {""x"": [1]}}"\n2,no\n' >odd/hccl_raw_3.csv
tables odd
expect 4 "'aicore_intermediate_3_detail.csv': 3 line(s) cannot be read, the first is line" \
    "'aicore_intermediate_3_detail.csv' ends in the middle of line 8, which is left out" \
    "'aicore_intermediate_3_type.csv' is left out: its heading has no column 'total_time'" \
    "framework_raw_3.csv' is empty" "'aicpu_intermediate_3.csv' ends in the middle of line 1" \
    "'device_queue_profiling_3.txt': 3 line(s) cannot be read, the first is line 1" \
    "'pipeline_profiling_3.json': 1 record(s) cannot be read" \
    "'minddata_cpu_utilization_3.json': 1 record(s) cannot be read" \
    "'hccl_raw_3.csv': 2 line(s) cannot be read, the first is line 2"
same '3,200.0' rows mindspore_operators --where "op_name = d/e" --columns executions,mean_us
# Of inference there is no backward pass.
mkdir inference
printf '%s\n' step_num,start_point,end_point,total,fp_point,iteration_interval,fp \
    1,1000,2000,1000,1100,100,900 2,2000,4000,2000,2400,400,1600 -,2000,4000,2000,2400,400,1600 \
    >inference/step_trace_raw_0_detail_time.csv
tables inference
expect 0
same "1,1100,NA,1.0,9.0,NA 2,2400,NA,4.0,16.0,NA" rows mindspore_steps \
    --columns step,fp_tick,bp_tick,iteration_interval_us,fp_and_bp_us,tail_us
same "total,20.0 iteration_interval,4.0 fp_and_bp,16.0" rows mindspore_step_summary \
    --columns part,mean_us
# Raw files win.
cp -r "$data/raw_hwts" both
sed 's/full_kernel_time/full_op_name/' "$data/parsed/aicore_intermediate_1_detail.csv" \
    >both/aicore_intermediate_1_detail.csv
tables both
expect 0
same 183 bash -c 'tail -n +2 out/operators.csv | wc -l'
# Today's folders are read by another pipeline.
mkdir -p living/x_ascend_ms/ASCEND_PROFILER_OUTPUT
cp "$data/parsed/minddata_pipeline_raw_0.csv" living/x_ascend_ms/ASCEND_PROFILER_OUTPUT
rm -rf out
opprof living --output out --flat --without html
expect 0 "fits pipeline 'kineto'"
finish
