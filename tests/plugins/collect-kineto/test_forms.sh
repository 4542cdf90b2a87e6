#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What real recordings of other profilers have: ids of 64 bits, devices that each process numbers
# for itself, copies between devices, ranges that are still open, directories of logs, files that a
# packer adds. The timeline is that of make_inputs.py.
here=$(realpath "$0")
. "$(dirname "$0")/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77
python3 "$(dirname "$here")/make_inputs.py" . || exit 99

# kineto INPUT: run the pipeline on an input, results in out/.
kineto() {
    input=$1
    rm -rf out
    opprof --pipeline kineto --set "input=$input" --output out --flat
}

# has FILE LINE: the results have that line.
has() {
    checks=$((checks + 1))
    grep -qxF -- "$2" "out/$1" || fail "$input: out/$1 lacks '$2': $(cat "out/$1")"
}

# lacks FILE TEXT: the results have no line with that text.
lacks() {
    checks=$((checks + 1))
    grep -qF -- "$2" "out/$1" && fail "$input: out/$1 has '$2': $(cat "out/$1")"
}

breakdown='40.000,70.000,50.000,160.000,25.0000,43.7500,31.2500'
kineto kineto.json
cp -r out first
same() {
    kineto "$1"
    expect 0
    for table in temporal_breakdown temporal_breakdown_by_device kernel_breakdown idle_breakdown \
        launch_stats memory_bandwidth queue_length; do
        checks=$((checks + 1))
        cmp -s "first/$table.csv" "out/$table.csv" ||
            fail "$1: $table.csv differs: $(diff "first/$table.csv" "out/$table.csv")"
    done
}

# rocprofv3: ids of hardware and of the program use all 64 bits.
python3 - <<'PY' || exit 99
import json
def save(name, change):
    trace = json.load(open("rocprof.json"))
    change(trace["rocprofiler-sdk-tool"][0])
    json.dump(trace, open(name, "w"))
def ids(process):
    process["agents"][1].update({"hive_id": 11441372935420217931, "uuid": {"value": 2**64 - 1}})
    process["strings"]["marker_api"] = [{"key": 2**63,
                                         "value": "a \"range\" of 18446744073709551615"},
                                        {"key": 2**63 + 1, "value": "a mark"}]
    process["strings"]["buffer_records"].append({"kind": "MARKER_CORE_API",
                                                 "operations": ["roctxMarkA", "roctxRangePushA"]})
    for kind in ("kernel_dispatch", "hip_api", "memory_copy"):
        for record in process["buffer_records"][kind]:
            record["correlation_id"] = {"internal": 2**63 + record["correlation_id"]["internal"],
                                        "external": 2**64 - 1}
    process["buffer_records"]["marker_api"] = [
        {"kind": 4, "operation": operation, "correlation_id": {"internal": 2**63 + (operation == 0),
                                                               "external": 0}, "thread_id": 11,
         "start_timestamp": 85000, "end_timestamp": end} for operation,
        end in ((1, 200000), (0, 85000))]
save("ids.json", ids)
def copies(process):
    process["agents"].append({"id": {"handle": 78}, "type": 2})
    process["strings"]["buffer_records"][2]["operations"] = ["MEMORY_COPY_NONE",
                                                             "MEMORY_COPY_HOST_TO_HOST",
                                                             "MEMORY_COPY_DEVICE_TO_DEVICE"]
    copy = process["buffer_records"]["memory_copy"][0]
    process["buffer_records"]["memory_copy"] = [
        {**copy, "operation": operation, "src_agent_id": {"handle": source},
         "dst_agent_id": {"handle": target}, "start_timestamp": start,
         "end_timestamp": start + 10000} for operation, source, target,
        start in ((2, 77, 78, 200000), (2, 77, 77, 300000), (1, 66, 66, 400000),
                  (0, 77, 66, 500000))]
save("copies.json", copies)
# With both interfaces recorded, a copy belongs to the inner call.
def inner(process):
    process["strings"]["buffer_records"].append({"kind": "HSA_AMD_EXT_API", "operations":
                                                 ["hsa_amd_memory_async_copy_on_engine"]})
    copy = process["buffer_records"]["memory_copy"][0]
    call = next(c for c in process["buffer_records"]["hip_api"]
                if c["correlation_id"] == copy["correlation_id"])
    copy["correlation_id"] = {"internal": 9, "external": 0,
                              "ancestor": call["correlation_id"]["internal"]}
    process["buffer_records"]["hsa_api"] = [{**call, "kind": 4, "operation": 0,
                                             "correlation_id": copy["correlation_id"]}]
save("inner.json", inner)
PY
same inner.json
same ids.json
has annotations.csv \
    '0,"a ""range"" of 18446744073709551615",1,115.000,115.000,110.000,110.000,3,3,20.333'
lacks annotations.csv 'mark'
kineto copies.json
expect 0
# Between two devices it is the target's; between host memories it is of no device, least of all of
# one named after the process.
has memory_bandwidth.csv \
    '0,Memcpy PtoP,1,100.0,NA,100.0,100.0,100.0,100.0,100.0,1000000,rank 0 device 1'
has memory_bandwidth.csv \
    '0,Memcpy DtoD,1,100.0,NA,100.0,100.0,100.0,100.0,100.0,1000000,rank 0 device 0'
has memory_bandwidth.csv \
    '0,Memcpy HtoH,1,100.0,NA,100.0,100.0,100.0,100.0,100.0,1000000,rank 0 device -1'
has memory_bandwidth.csv \
    '0,Memcpy Unknown,1,100.0,NA,100.0,100.0,100.0,100.0,100.0,1000000,rank 0 device 0'

# Nsight Systems: two processes that see one GPU each, both as device 0; calls of a default stream
# per thread; migrations of unified memory; ranges of imported text, and one that is open at the
# end.
python3 - <<'PY' || exit 99
import shutil, sqlite3
def save(name, sql):
    shutil.copy("nsys.sqlite", name)
    with sqlite3.connect(name) as db:
        db.executescript(sql)
save("streams.sqlite", "UPDATE StringIds SET value = replace(value, '_v', '_ptsz_v') WHERE value "
                       "LIKE 'cuda%';")
save("driver.sqlite", "UPDATE StringIds SET value = 'cuMemcpyHtoDAsync_v2_ptsz' WHERE value LIKE "
                      "'cudaMemcpy%'; UPDATE StringIds SET value = 'cuLaunchKernel_ptsz' WHERE "
                      "value LIKE 'cudaLaunch%';")
processes = "".join(f"""
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT start, end, deviceId, streamId, correlationId, 20 << 24, demangledName, shortName FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE globalPid = 10 << 24;
    INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY SELECT start, end, deviceId, streamId, correlationId, 20 << 24, bytes, copyKind FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE globalPid = 10 << 24;
    INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT start, end, eventClass, 20 << 24 | 21, correlationId, nameId FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE globalTid = (10 << 24 | 11);
    """)
save("processes.sqlite", processes + """
    CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL, uuid TEXT, numMultiprocessors INTEGER NOT NULL);
    INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (2, 0, 10, 'a', 132), (5, 0, 20, 'b', 132);
    """)
save("unified.sqlite", "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = 11;")
save("ranges.sqlite", """
    INSERT INTO NVTX_EVENTS VALUES (80000, NULL, 59, 'open', 10 << 24 | 11, NULL), (85000, 200000, 71, 'imported', 10 << 24 | 11, NULL), (90000, NULL, 34, 'a mark', 10 << 24 | 11, NULL);
    """)
save("calls.sqlite", "".join(f"INSERT INTO NVTX_EVENTS VALUES ({at}, {at + 1000}, 59, "
                             f"'aten::mm{tail}', 10 << 24 | 11, NULL);" for at, tail in (
    (300000, ""), (301000, ", seq = 7, op_id = 900"), (302000, ", seq = 8"),
    (303000, ", op_id = 903"), (304000, ", seq = 9, op_id = 906, sizes = [[2, 3], [3, 4]], "
                                        "input_op_ids = [(5,0)]"), (305000, ", sizes = [[2]]"))))
PY
same streams.sqlite
same driver.sqlite
kineto processes.sqlite
expect 0
for device in 2 5; do
    has queue_length.csv \
        "$device,13,2,0.5,0.7071067811865476,0.0,0.25,0.5,0.75,1.0,0.000,0.0000,rank $device device $device"
done
lacks temporal_breakdown_by_device.csv 'device 0'
# A range of each call of an operator (emit_nvtx of PyTorch) is a call of the operator: six of 1 us.
kineto calls.sqlite
expect 0
has annotations.csv '0,aten::mm,6,6.000,6.000,0.000,0.000,0,0,NA'
kineto unified.sqlite
expect 0
has memory_bandwidth.csv \
    '0,Memcpy HtoD,1,100.0,NA,100.0,100.0,100.0,100.0,100.0,1000000,rank 0 device 0'
has kernel_breakdown.csv \
    'Memcpy HtoD (Unified),10.000,10.000,10.000,0.000,10.000,MEMORY,0,1,7.14,1,Memcpy HtoD (Unified),NA'
kineto ranges.sqlite
expect 0
has annotations.csv '0,open,1,180.000,65.000,140.000,30.000,4,1,8.000'
has annotations.csv '0,imported,1,115.000,115.000,110.000,110.000,3,3,20.333'
lacks annotations.csv 'a mark'

# Ranges that overlap instead of nesting: what is launched after the end of one is not in it, though
# one that began inside goes on.
python3 - <<'PY' || exit 99
import shutil, sqlite3
shutil.copy("nsys.sqlite", "crossed.sqlite")
with sqlite3.connect("crossed.sqlite") as db:
    db.execute("DELETE FROM NVTX_EVENTS")
    for name, start, end in (("around", 80, 240), ("first", 85, 155), ("second", 100, 230),
                             ("second", 215, 235)):
        db.execute("INSERT INTO NVTX_EVENTS VALUES (?, ?, 60, ?, 10 << 24 | 11, NULL)",
                   (start * 1000, end * 1000, name))
PY
kineto crossed.sqlite
expect 0
has annotations.csv '0,around,1,160.000,10.000,140.000,0.000,4,0,NA'
has annotations.csv '0,first,1,70.000,15.000,110.000,40.000,3,1,5.000'
has annotations.csv '0,second,2,130.000,135.000,100.000,100.000,3,3,21.333'

# A graph that was recorded as a whole hides its kernels.
python3 - <<'PY' || exit 99
import shutil, sqlite3
shutil.copy("nsys.sqlite", "graph.sqlite")
with sqlite3.connect("graph.sqlite") as db:
    db.executescript("""
        CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INT, end INT, deviceId INT, graphId INT, graphExecId INT, contextId INT, streamId INT, correlationId INT, globalPid INT);
        INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (300000, 350000, 0, 3, 4, 1, 7, 9, 10 << 24);
        INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (280000, 285000, 0, 10 << 24 | 11, 9, (SELECT id FROM StringIds WHERE value = 'a range'));
        """)
PY
kineto graph.sqlite
expect 0 "1 CUDA graph(s) are one piece of computation each" "--cuda-graph-trace=node"
has kernel_breakdown.csv \
    'CUDA graph 3,50.000,50.000,50.000,0.000,50.000,COMPUTATION,0,1,26.32,1,CUDA graph 3,NA'

# A database of which some is in its log, as when another program has it open: what is in the file
# counts, and nothing is written beside it.
python3 - <<'PY' || exit 99
import shutil, sqlite3
shutil.copy("nsys.sqlite", "open.sqlite")
db = sqlite3.connect("open.sqlite")
db.execute("PRAGMA journal_mode=WAL")
db.execute("CREATE TABLE notes (text TEXT)")
db.execute("DELETE FROM NVTX_EVENTS")
db.commit()
shutil.copy("open.sqlite", "log.sqlite")
shutil.copy("open.sqlite-wal", "log.sqlite-wal")
PY
holds [ -s log.sqlite-wal ]
cp log.sqlite-wal before
kineto log.sqlite
expect 4 \
    "changes in the file with the same name and '-wal' are not read: the database is still written, or was not closed"
holds grep -q 'a range' out/annotations.csv
holds [ ! -e log.sqlite-shm ]
holds cmp log.sqlite-wal before
cp nsys.sqlite hot.sqlite && echo journal >hot.sqlite-journal
kineto hot.sqlite
expect 4 "'-journal' are not read"

# Names with escapes are names of annotations like others.
python3 - <<'PY' || exit 99
import json
trace = json.load(open("kineto.json"))
for name, start in (('say "hi"', 85), ("ProfilerStep#3", 80)):
    trace["traceEvents"].append({"ph": "X", "cat": "user_annotation", "name": name, "pid": 10,
                                 "tid": 11, "ts": start, "dur": 170})
open("escapes.json", "w").write(json.dumps(trace).replace("ProfilerStep#3", "Profiler\\u0053tep#3"))
PY
kineto escapes.json
expect 0
has annotations.csv '0,"say ""hi""",1,170.000,170.000,140.000,140.000,4,4,17.250'
holds [ "$(sed -n 2p out/steps.csv | cut -d, -f1-5)" = '0,ProfilerStep#3,0,0.000,170.000' ]

# Directories as JAX and TensorBoard have them, with the same trace once more for another viewer.
run=logs/plugins/profile/2026_01_02_03_04_05
mkdir -p "$run"
cp jax.json.gz "$run/host1.trace.json.gz"
cp jax.json.gz "$run/perfetto_trace.json.gz"
printf x >"$run/host1.xplane.pb"
(cd logs && python3 -m zipfile -c ../logs.zip plugins)
for place in logs logs/plugins/profile "$run" logs.zip; do
    kineto "$place"
    expect 0
    holds [ "$(sed -n 2p out/temporal_breakdown.csv)" = "0,$breakdown" ]
    holds [ "$(wc -l <out/temporal_breakdown.csv)" = 2 ]
done
mkdir copy && cp jax.json.gz copy/perfetto_trace.json.gz
kineto copy
expect 0
mkdir -p logs/plugins/profile/2026_01_02_04_00_00
cp jax.json.gz logs/plugins/profile/2026_01_02_04_00_00/host1.trace.json.gz
kineto logs
expect 1 "Directory 'logs' has more than one recording" "logs/plugins/profile/2026_01_02_04_00_00'"
mkdir -p bare/plugins/profile/empty
kineto bare
expect 1 "Cannot find traces in directory 'bare'"

# Beside streams, XLA's operations are sums of their work, whichever is named first.
python3 - <<'PY' || exit 99
import gzip, json
for name, first in (("before.json", True), ("after.json", False)):
    trace = json.load(gzip.open("jax.json.gz"))
    events = trace["traceEvents"]
    place = next(i for i, e in enumerate(events) if e.get("name") == "thread_name"
                 and e["args"]["name"].startswith("Stream"))
    events.insert(place if first else place + 2, {"ph": "M", "pid": 1, "tid": 50,
                                                  "name": "thread_name",
                                                  "args": {"name": "XLA Ops"}})
    events += [{"ph": "X", "pid": 1, "tid": 50, "name": "fusion.1", "ts": 100, "dur": 80},
               {"ph": "X", "pid": 1, "tid": 50, "name": "dot.4", "ts": 230, "dur": 30}]
    json.dump(trace, open(name, "w"))
PY
for place in before.json after.json; do
    kineto "$place"
    expect 0
    has temporal_breakdown.csv "0,$breakdown"
    lacks kernel_breakdown.csv 'dot.4'
done

# Copies of XLA state their bytes in a text. It usually writes a million events at most, or five:
# with exactly so many it may have left out more.
python3 - <<'PY' || exit 99
import gzip, json
trace = json.load(gzip.open("jax.json.gz"))
for event in trace["traceEvents"]:
    if event.get("name") == "Memcpy HtoD":
        event["name"] = "MemcpyH2D"
        event["args"][
            "memcpy_details"] = "kind_src:pinned kind_dst:device size:1000000 dest:0 async:1"
json.dump(trace, open("details.json", "w"))
complete = sum(event.get("ph") == "X" for event in trace["traceEvents"])
head = json.dumps(trace)[:-4]
assert head.endswith("}, "), head[-9:]
more = '{"ph":"X","pid":1,"tid":9,"ts":91,"dur":1,"name":"jit_train"},' * (1000000 - complete)
gzip.open("limit.json.gz", "wt", 1).write(head + more + "{}]}")
gzip.open("below.json.gz", "wt", 1).write(head + more[more.index("},") + 2:] + "{}]}")
gzip.open("above.json.gz", "wt", 1).write(head + more + more[:more.index("},") + 2] + "{}]}")
PY
kineto details.json
expect 0
has memory_bandwidth.csv \
    '0,MemcpyH2D,1,100.0,NA,100.0,100.0,100.0,100.0,100.0,1000000,rank 0 device 0'
kineto below.json.gz
expect 0
kineto above.json.gz
expect 0
kineto limit.json.gz
expect 4 "Trace 'limit.json.gz' has 1000000 events, a limit of XLA, which leaves out later ones"
has temporal_breakdown.csv "0,$breakdown"
rm limit.json.gz below.json.gz above.json.gz
echo '{"opprof_vocabulary": "1.0", "devices": {"event_limits": ["'"$(python3 -c 'import json; print(sum(e.get("ph") == "X" for e in json.load(open("details.json"))["traceEvents"]))')"'"]}}' >limits.json
opprof --pipeline kineto --set input=details.json --set kineto.vocabulary=limits.json --output out \
    --flat
expect 4 "a limit of XLA"

# An Ascend profiler's directory by any name; one that was not analysed.
output=r_70_ascend_pt/ASCEND_PROFILER_OUTPUT
python3 -m zipfile -e ascend.zip . || exit 99
for place in "$output" "$output/" "$output//" r_70_ascend_pt/ "$output/trace_view.json"; do
    kineto "$place"
    expect 0
    has temporal_breakdown.csv "5,$breakdown"
done
for place in . ./ trace_view.json .. ../; do
    rm -rf out
    cd "$output" || exit 99
    opprof --pipeline kineto --set "input=$place" --output "$WORK/out" --flat
    cd "$WORK" || exit 99
    expect 0
    has temporal_breakdown.csv "5,$breakdown"
done
mkdir ms && cp -r r_70_ascend_pt ms/r_70_ascend_ms && cp -r r_71_ascend_pt ms/r_71_ascend_ms
kineto ms
expect 0
has temporal_breakdown.csv "5,$breakdown"
has temporal_breakdown.csv "6,$breakdown"
mkdir -p raw/r_1_ascend_pt/PROF_1
echo '{}' >raw/r_1_ascend_pt/profiler_info_0.json
for place in raw raw/r_1_ascend_pt; do
    kineto "$place"
    expect 1 \
        "Directory '$place' of an Ascend profiler has no ASCEND_PROFILER_OUTPUT/trace_view.json" \
        "torch_npu.profiler.profiler.analyse('$place')"
done
# Work by the types of tasks that newer drivers have, too.
python3 - <<'PY' || exit 99
import json
types = ["KERNEL_AICORE", "KERNEL_AIVEC", "KERNEL_MIX_AIC", "KERNEL_MIX_AIV", "KERNEL_AICPU",
         "AI_CORE", "NOTIFY_WAIT_SQE", "EVENT_RECORD"]
json.dump([{"ph": "X", "name": t, "pid": 7, "tid": 3, "ts": "%d" % (100 + 10 * i), "dur": 10,
            "args": {"Task Type": t, "Physic Stream Id": 3}}
           for i, t in enumerate(types)], open("tasks.json", "w"))
PY
kineto tasks.json
expect 0
has temporal_breakdown.csv '0,0.000,60.000,0.000,60.000,0.0000,100.0000,0.0000'

# Waits and marks of MTIA's streams are no work.
python3 - <<'PY' || exit 99
import json
json.dump([{"ph": "X", "cat": "mtia_ccp_events", "name": name, "pid": 0, "tid": 7, "ts": 100 + 10 * i,
            "dur": 10, "args": {"device": 0, "stream": 7}}
           for i, name in enumerate(("matmul", "event_wait", "event_record", "matmul"))],
          open("mtia.json", "w"))
PY
kineto mtia.json
expect 0
has temporal_breakdown.csv '0,20.000,20.000,0.000,40.000,50.0000,50.0000,0.0000'
lacks kernel_breakdown.csv event_

# macOS packs a hidden file beside each one. An archive of nothing is an archive.
python3 - <<'PY' || exit 99
import zipfile
with zipfile.ZipFile("mac.zip", "w") as file:
    file.write("kineto.json", "deep/kineto.json")
    file.writestr("__MACOSX/deep/._kineto.json", b"\0\5\x16\7")
zipfile.ZipFile("nothing.zip", "w").close()
PY
same mac.zip
kineto nothing.zip
expect 1 "Cannot find traces in archive 'nothing.zip'"

# What else lies around says how to make a trace of it.
printf 'QDSTRM' >report.nsys-rep
kineto report.nsys-rep
expect 1 "it is not JSON" "nsys export --type sqlite"
python3 -c 'import sqlite3; db = sqlite3.connect("results.db"); db.execute("CREATE TABLE rocpd_metadata (id)"); db.commit()'
kineto results.db
expect 1 "none of the tables of Nsight Systems" "--output-format json"
finish
