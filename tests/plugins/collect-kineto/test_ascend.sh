#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tasks of Ascend devices by their types, and the sums that the profiler writes beside them.
. "$(dirname "$0")/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77

# kineto INPUT [OPTION...]: run the pipeline on an input, results in out/.
kineto() {
    local input=$1
    shift
    rm -rf out
    opprof --pipeline kineto --set "input=$input" --output out --flat "$@"
}

# has FILE LINE: the results have that line.
has() {
    checks=$((checks + 1))
    grep -qxF -- "$2" "out/$1" || fail "$input: out/$1 lacks '$2': $(cat "out/$1")"
}

# tasks FILE TYPE...: a trace with a task of 10 us of each type, one after the other, from 100 us
# on. A type may be TYPE:NAME.
tasks() {
    python3 - "$@" <<'PY' || exit 99
import json, sys
events = [{"ph": "M", "name": "process_name", "pid": 7, "tid": 0,
           "args": {"name": "Ascend Hardware"}}]
for i, word in enumerate(sys.argv[2:]):
    kind, _, name = word.partition(":")
    events.append({"ph": "X", "name": name or "task", "pid": 7, "tid": 3, "ts": "%d" %
                   (100 + 10 * i), "dur": 10,
                   "args": {"Task Type": kind, "Stream Id": 3}})
json.dump(events, open(sys.argv[1], "w"))
PY
}

# Each type between two tasks of the matrix unit: 20 us of computation, and 10 us of what the type
# is.
one() { # WANTED TYPE...
    local wanted=$1 kind line
    shift
    case $wanted in
    computation) line='0,0.000,30.000,0.000,30.000,0.0000,100.0000,0.0000' ;;
    work) line='0,0.000,20.000,10.000,30.000,0.0000,66.6667,33.3333' ;;
    nothing) line='0,10.000,20.000,0.000,30.000,33.3333,66.6667,0.0000' ;;
    esac
    for kind; do
        tasks one.json AI_CORE "$kind" AI_CORE
        input="one.json ($kind)"
        kineto one.json
        expect 0
        has temporal_breakdown.csv "$line"
        checks=$((checks + 1))
        grep -qF "say nothing" "$WORK/.stderr" &&
            fail "$kind is in a list, and is said to say nothing"
    done
}
one computation KERNEL_AICORE KERNEL_AIVEC KERNEL_AICPU KERNEL_MIX_AIC KERNEL_MIX_AIV \
    KERNEL_FUSION AI_VECTOR_CORE AI_CPU MIX_AIV \
    AIV_SQE DSA_SQE MULTIPLE_TASK
one work SDMA SDMA_SQE PCIE_DMA_SQE MEMCPY_ASYNC REDUCE_ASYNC_V2 RDMA_SEND RDMA_DB_SEND CCU_LAUNCH \
    UB_DB_SEND ROCCE_SQE
one nothing NOP BARRIER MAINTENANCE MODEL_MAINTAINCE MODEL_EXECUTE EVENT_RECORD EVENT_WAIT \
    EVENT_RESET REMOTE_EVENT_WAIT NOTIFY_WAIT_SQE \
    STREAM_ACTIVE LABEL_SET "Label Switch" PROFILER_TRACE_EX PROFILING_ENABLE NPU_GET_FLOAT_STATUS \
    NPU_CLEAR_FLOAT_STATUS WriteValueTask MEM_WRITE_VALUE MEM_WAIT_VALUE DEBUG_REGISTER \
    AICPU_LOADINFO FLIP_TASK CMO FFTS_PLUS CAPTURE_WAIT IPC_EVENT_RECORD \
    PLACE_HOLDER_SQE C_CORE_SQE DQS_ENQUEUE TASK_TIMEOUT_SET

# Types that no list has are work, by their names, and are named.
input=odd.json
tasks odd.json AI_CORE TENSOR_SQE Other UNKNOWN Other:hcom_allReduce_ Other:EVENT_RESET "N/A" \
    AI_CORE
kineto odd.json
expect 0 \
    "the types of 5 task(s) say nothing: 'TENSOR_SQE' (1), 'Other' (2), 'UNKNOWN' (1), 'N/A' (1); they are taken as work"
# 80 us: two listed and four unlisted of computation, one of communication, one mark
has temporal_breakdown.csv '0,10.000,60.000,10.000,80.000,12.5000,75.0000,12.5000'
echo '{"opprof_vocabulary": "1.0", "uncategorised": {"idle_tasks_contain": ["sqe", "other", "n/a", "unknown"]}}' >mine.json
kineto odd.json --set kineto.vocabulary=mine.json
expect 0
has temporal_breakdown.csv '0,60.000,20.000,0.000,80.000,75.0000,25.0000,0.0000'

# sums FILE COMPUTING_US COMMUNICATION_US: two devices' work, 100 + 50 us of computation (120 us of
# tasks on the first, which overlap) and 40 us of communication; and what the profiler says of both.
sums() {
    python3 - "$@" <<'PY' || exit 99
import json, sys
def task(pid, ts, dur, kind="AI_CORE", tid=3):
    return {"ph": "X", "name": "MatMul", "pid": pid, "tid": tid, "ts": str(ts), "dur": dur,
            "args": {"Task Type": kind, "Stream Id": tid}}
def own(pid, name, ts, dur):
    return {"ph": "X", "name": name, "pid": pid, "tid": 1, "ts": str(ts), "dur": dur, "args": {}}
events = [task(32, 100, 60), task(32, 140, 60, tid=4), task(64, 120, 50),
          {"ph": "X", "name": "hcom_allReduce__1_2_3", "pid": 32, "tid": 9, "ts": "210", "dur": 40,
           "args": {"connection_id": 1}}]
computing, communication = float(sys.argv[2]), float(sys.argv[3])
events += [own(90, "Computing", 100, computing - 50), own(91, "Computing", 120, 50),
           own(90, "Communication", 210, communication), own(90, "Communication(Not Overlapped)",
                                                             210, 7000),
           own(5, "Computing", 0, 9000)]
# the names of processes come last
events += [{"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": name}}
           for pid, name in ((32, "Ascend Hardware"), (64, "Ascend Hardware"),
                             (90, "Overlap Analysis"), (91, "Overlap Analysis"), (5, "Python"))]
json.dump(events, open(sys.argv[1], "w"))
PY
    kineto "$1"
}
sums same.json 150 40
expect 0
holds [ "$(grep -c "its profiler says" "$WORK/.stderr")" = 0 ]
sums lost.json 170 40
expect 4 \
    "its profiler says that the devices had 170.000 us of computation, its tasks have 150.000 us"
sums talk.json 150 55
expect 4 \
    "its profiler says that the devices had 55.000 us of communication, its tasks have 40.000 us"
sums more.json 120 40
expect 0 \
    "its profiler says that the devices had 120.000 us of computation, its tasks have 150.000 us"
finish
