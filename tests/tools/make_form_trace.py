#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_form_trace.py FORM FILE: the trace of make_plain_trace.py as other profilers write it (nsys,
rocprof, jax, ascend, ascend-db), for mutate_files.py."""
import json
import sqlite3
import sys

from make_plain_trace import base


def parts():
    """Work and calls as (name, stream or thread, start, end, correlation, bytes), in ns, and ranges
    of the host; without graphs."""
    work, calls, ranges = [], [], []
    for event in base():
        if event.get("ph") != "X" or event["cat"] in ("cuda_sync",
                                                      "python_function") or "raph" in event["name"]:
            continue
        start = round(1000 * event["ts"])
        end, args = start + round(1000 * event["dur"]), event["args"]
        one = (event["name"], args.get("stream", event["tid"]), start, end, args.get("correlation"),
               args.get("bytes"))
        {"kernel": work, "gpu_memcpy": work, "cuda_runtime": calls}.get(event["cat"],
                                                                        ranges).append(one)
    return work, calls, ranges


def nsys(path):
    work, calls, ranges = parts()
    db = sqlite3.connect(path)
    texts = sorted({one[0] for one in work + calls + ranges})
    db.executescript("""
        CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT, correlationId INT, globalPid INT, demangledName INT);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT, end INT, deviceId INT, streamId INT, correlationId INT, globalPid INT, bytes INT, copyKind INT);
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, globalTid INT, correlationId INT, nameId INT);
        CREATE TABLE NVTX_EVENTS (start INT, end INT, eventType INT, text TEXT, globalTid INT, textId INT);""")
    db.executemany("INSERT INTO StringIds VALUES (?, ?)", enumerate(texts))
    for name, stream, start, end, number, size in work:
        if size is None:
            db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,0,?,?,?,?)",
                       (start, end, stream, number, 5 << 24, texts.index(name)))
        else:
            db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?,?,0,?,?,?,?,1)",
                       (start, end, stream, number, 5 << 24, size))
    for name, thread, start, end, number, _ in calls:
        db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,?,?,?)",
                   (start, end, 5 << 24 | thread, number, texts.index(name)))
    for name, thread, start, end, _, _ in ranges:
        db.execute("INSERT INTO NVTX_EVENTS VALUES (?,?,59,NULL,?,?)",
                   (start, end, 5 << 24 | thread, texts.index(name)))
    db.commit()
    db.close()


def rocprof(path):
    work, calls, _ = parts()
    symbols = sorted({one[0] for one in work if one[5] is None})
    names = sorted({one[0].replace("cuda", "hip") for one in calls})
    records = {"kernel_dispatch": [], "memory_copy": [], "hip_api": []}
    for name, stream, start, end, number, size in work:
        one = {"correlation_id": {"internal": number, "external": 0}, "thread_id": 5,
               "start_timestamp": start, "end_timestamp": end, "stream_id": {"handle": stream}}
        if size is None:
            one.update(kind=1, operation=0,
                       dispatch_info={"agent_id": {"handle": 77}, "queue_id": {"handle": 5},
                                      "kernel_id": symbols.index(name)})
            records["kernel_dispatch"].append(one)
        else:
            one.update(kind=2, operation=1, bytes=size, dst_agent_id={"handle": 77},
                       src_agent_id={"handle": 66})
            records["memory_copy"].append(one)
    for name, thread, start, end, number, _ in calls:
        records["hip_api"].append({"correlation_id": {"internal": number, "external": 0},
                                   "thread_id": thread, "kind": 3,
                                   "operation": names.index(name.replace("cuda", "hip")),
                                   "start_timestamp": start, "end_timestamp": end})
    operations = [["NONE"], ["KERNEL_DISPATCH"], ["MEMORY_COPY_NONE", "MEMORY_COPY_HOST_TO_DEVICE"],
                  names]
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"rocprofiler-sdk-tool": [{
            "metadata": {"pid": 5}, "agents": [{"id": {"handle": 66}, "type": 1},
                                               {"id": {"handle": 77}, "type": 2}],
            "strings": {"buffer_records": [{"kind": "K%d" % i, "operations": o} for i,
                                           o in enumerate(operations)]},
            "kernel_symbols": [{"kernel_id": i, "formatted_kernel_name": n} for i,
                               n in enumerate(symbols)],
            "buffer_records": records}]}, out)


def jax(path):
    work, calls, ranges = parts()
    events = [{"ph": "M", "pid": 701, "name": "process_name", "args": {"name": "/device:GPU:0"}},
              {"ph": "M", "pid": 5, "name": "process_name", "args": {"name": "/host:CPU"}},
              {"ph": "M", "pid": 701, "tid": 4, "name": "thread_name", "args": {"name": "Steps"}}]
    for stream in sorted({one[1] for one in work}):
        events.append({"ph": "M", "pid": 701, "tid": 100 + stream, "name": "thread_name",
                       "args": {"name": "Stream #%d(Compute)" % stream}})
    for name, _, start, end, _, _ in ranges:
        if name.startswith("ProfilerStep"):
            events.append({"ph": "X", "pid": 701, "tid": 4, "name": name[-1], "ts": start / 1000,
                           "dur": (end - start) / 1000})
    for name, stream, start, end, number, _ in work:
        events.append({"ph": "X", "pid": 701, "tid": 100 + stream, "name": name, "ts": start / 1000,
                       "dur": (end - start) / 1000,
                       "args": {"correlation_id": str(number), "hlo_op": "dot.%d" % number,
                                "hlo_module": "jit_train"}})
    for name, thread, start, end, number, _ in calls:
        events.append({"ph": "X", "pid": 5, "tid": thread, "name": name, "ts": start / 1000,
                       "dur": (end - start) / 1000, "args": {"correlation_id": str(number)}})
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"displayTimeUnit": "ns", "traceEvents": events}, out)


def united(spans):
    """Spans that overlap as one."""
    result = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


def ascend(path):
    """trace_view.json: tasks with flows from the operators that launched them, and the profiler's
    own sums."""
    work, calls, ranges = parts()
    meta = [(5, "Python"), (6, "CANN"), (3, "Ascend Hardware"), (4, "Overlap Analysis")]
    events = [{"ph": "M", "pid": pid, "name": "process_name", "args": {"name": name}} for pid,
              name in meta]
    for tid, name in enumerate(("Computing", "Communication", "Communication(Not Overlapped)",
                                "Free")):
        events.append({"ph": "M", "pid": 4, "tid": tid, "name": "thread_name",
                       "args": {"name": name}})
    at = {number: start for _, _, start, _, number, _ in calls}
    for name, thread, start, end, number, _ in calls:
        events.append({"ph": "X", "pid": 6, "tid": thread, "name": "Node@launch", "ts": "%.3f" %
                       (start / 1000), "dur": (end - start) / 1000,
                       "args": {"connection_id": number}})
    for name, thread, start, end, _, _ in ranges:
        events.append({"ph": "X", "pid": 5, "tid": thread, "cat": "cpu_op", "name": name,
                       "ts": "%.3f" % (start / 1000), "dur": (end - start) / 1000, "args": {}})
    for i, (name, stream, start, end, number, size) in enumerate(work):
        args = {"Task Type": "AI_CORE" if size is None else "SDMA", "Stream Id": stream,
                "Task Id": i, "connection_id": number}
        if "nccl" in name: # collectives have no type
            name, args = "hcom_allReduce__1_0_1", {"connection_id": number}
        events.append({"ph": "X", "pid": 3, "tid": stream, "name": name, "ts": "%.3f" %
                       (start / 1000), "dur": (end - start) / 1000, "args": args})
        events.append({"ph": "s", "bp": "e", "cat": "HostToDevice", "id": str(i),
                       "name": "HostToDevice", "pid": 6, "tid": 5, "ts": "%.3f" %
                       (at[number] / 1000)})
        events.append({"ph": "f", "bp": "e", "cat": "HostToDevice", "id": str(i),
                       "name": "HostToDevice", "pid": 3, "tid": stream, "ts": "%.3f" %
                       (start / 1000)})
    for tid, (name, is_shown) in enumerate((("Computing", lambda one: one[0] == "gemm"),
                                            ("Communication", lambda one: "nccl" in one[0]))):
        for start, end in united([one[2:4] for one in work if is_shown(one)]):
            events.append({"ph": "X", "pid": 4, "tid": tid, "name": name, "ts": "%.3f" %
                           (start / 1000), "dur": (end - start) / 1000})
    with open(path, "w", encoding="utf-8") as out:
        json.dump(events, out)


def ascend_db(path):
    """The database of the same profiler: tasks of kernels have names in a table of their own,
    collectives are operators with two tasks each."""
    work, calls, ranges = parts()
    work = [(one[0].replace("nccl", "hcom_"),) + one[1:] for one in work]
    db = sqlite3.connect(path)
    texts = sorted({one[0] for one in work + calls + ranges} | {"AI_CORE", "SDMA", "launch",
                                                                "group"})
    db.executescript("""
        CREATE TABLE STRING_IDS (id INTEGER, value TEXT);
        CREATE TABLE TASK (startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER, globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER);
        CREATE TABLE COMPUTE_TASK_INFO (name INTEGER, globalTaskId INTEGER, blockDim INTEGER, taskType INTEGER, opType INTEGER);
        CREATE TABLE COMMUNICATION_OP (opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER, groupName INTEGER, opId INTEGER, count INTEGER);
        CREATE TABLE COMMUNICATION_TASK_INFO (name INTEGER, globalTaskId INTEGER, taskType INTEGER, opId INTEGER);
        CREATE TABLE CANN_API (startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER, name INTEGER);
        CREATE TABLE PYTORCH_API (startNs INTEGER, endNs INTEGER, globalTid INTEGER, connectionId INTEGER, name INTEGER);
        CREATE TABLE STEP_TIME (id INTEGER, startNs INTEGER, endNs INTEGER);""")
    db.executemany("INSERT INTO STRING_IDS VALUES (?, ?)", enumerate(texts))
    id_of = texts.index
    for i, (name, stream, start, end, number, size) in enumerate(work):
        kind = "AI_CORE" if name == "gemm" else "SDMA"
        tasks = ((start, end, i),)
        if "hcom" in name:
            tasks = ((start, (start + end) // 2, i), ((start + end) // 2, end, 1000 + i))
            db.execute("INSERT INTO COMMUNICATION_OP VALUES (?,?,?,?,?,?,1)",
                       (id_of(name), start, end, number, id_of("group"), i))
            db.executemany("INSERT INTO COMMUNICATION_TASK_INFO VALUES (?,?,?,?)",
                           [(id_of(name), task, id_of(kind), i) for _, _, task in tasks])
        db.executemany("INSERT INTO TASK VALUES (?,?,0,?,?,5,?,0,?,?,0)",
                       [(begin, done, number, task, id_of(kind), stream, task) for begin, done,
                        task in tasks])
        if name == "gemm":
            db.execute("INSERT INTO COMPUTE_TASK_INFO VALUES (?,?,1,?,?)",
                       (id_of(name), i, id_of(kind), id_of(name)))
    for name, thread, start, end, number, _ in calls:
        db.execute("INSERT INTO CANN_API VALUES (?,?,10000,?,?,?)",
                   (start, end, thread, number, id_of("launch")))
    for name, thread, start, end, _, _ in ranges:
        if name.startswith("ProfilerStep"):
            db.execute("INSERT INTO STEP_TIME VALUES (?,?,?)", (int(name[13:]), start, end))
        else:
            db.execute("INSERT INTO PYTORCH_API VALUES (?,?,?,NULL,?)",
                       (start, end, thread, id_of(name)))
    db.commit()
    db.close()


if __name__ == "__main__":
    {"nsys": nsys, "rocprof": rocprof, "jax": jax, "ascend": ascend, "ascend-db": ascend_db}[
        sys.argv[1]](sys.argv[2])
