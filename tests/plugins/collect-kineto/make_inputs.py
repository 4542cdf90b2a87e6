#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes one short timeline in each form that collect-kineto reads.

    make_inputs.py DIRECTORY

Microseconds; the launching calls are on thread 11 of process 10:

    call 90..95    gemm_a          device 0 stream 7    100..140
    call 100..104  an all-reduce   device 0 stream 13   120..180
    call 150..160  a copy          device 0 stream 7    200..210   1,000,000 bytes
    call 220..222  gemm_b          device 0 stream 7    230..260
"""
import gzip
import io
import json
import os
import sqlite3
import sys
import zipfile

GEMM_A, REDUCE, COPY, GEMM_B = "gemm_a", "ncclDevKernel_AllReduce", "Memcpy HtoD", "gemm_b"
LAUNCH, ASYNC = "cudaLaunchKernel", "cudaMemcpyAsync"
# name, stream, start, end, bytes, call, start and end of the call
WORK = [(GEMM_A, 7, 100, 140, None, LAUNCH, 90, 95), (REDUCE, 13, 120, 180, None, LAUNCH, 100, 104),
        (COPY, 7, 200, 210, 1000000, ASYNC, 150, 160), (GEMM_B, 7, 230, 260, None, LAUNCH, 220,
                                                        222)]


def write(path, text):
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def kineto():
    events = []
    for n, (name, stream, start, end, size, call, call_start, call_end) in enumerate(WORK, 1):
        args = {"device": 0, "stream": stream, "correlation": n}
        if size is not None:
            args.update({"bytes": size, "memory bandwidth (GB/s)": size / (end - start) / 1000})
        events.append({"ph": "X", "cat": "kernel" if size is None else "gpu_memcpy", "name": name,
                       "pid": 0, "tid": stream, "ts": start, "dur": end - start, "args": args})
        events.append({"ph": "X", "cat": "cuda_runtime", "name": call, "pid": 10, "tid": 11,
                       "ts": call_start, "dur": call_end - call_start, "args": {"correlation": n}})
    return json.dumps({"distributedInfo": {"rank": 0}, "traceEvents": events})


def rocprof():
    calls = [LAUNCH.replace("cuda", "hip"), ASYNC.replace("cuda", "hip")]
    names = sorted({w[0] for w in WORK if w[4] is None})
    kernels, copies, api = [], [], []
    for n, (name, stream, start, end, size, call, call_start, call_end) in enumerate(WORK, 1):
        base = {"correlation_id": {"internal": n, "external": 0}, "thread_id": 11,
                "start_timestamp": start * 1000, "end_timestamp": end * 1000,
                "stream_id": {"handle": stream}}
        if size is None:
            kernels.append({**base, "kind": 1, "operation": 0, "dispatch_info": {
                "agent_id": {"handle": 77}, "queue_id": {"handle": 5},
                "kernel_id": names.index(name)}})
        else:
            copies.append({**base, "kind": 2, "operation": 1, "bytes": size,
                           "dst_agent_id": {"handle": 77}, "src_agent_id": {"handle": 66}})
        api.append({"correlation_id": {"internal": n, "external": 0}, "thread_id": 11, "kind": 3,
                    "operation": calls.index(call.replace("cuda", "hip")),
                    "start_timestamp": call_start * 1000, "end_timestamp": call_end * 1000})
    operations = [["NONE"], ["KERNEL_DISPATCH"], ["MEMORY_COPY_NONE", "MEMORY_COPY_HOST_TO_DEVICE"],
                  calls]
    return json.dumps({"rocprofiler-sdk-tool": [{
        "metadata": {"pid": 10},
        "agents": [{"id": {"handle": 66}, "type": 1}, {"id": {"handle": 77}, "type": 2}],
        "strings": {"callback_records": [], "buffer_records": [
            {"kind": "K%d" % i, "operations": o} for i, o in enumerate(operations)]},
        "kernel_symbols": [{"kernel_id": i, "formatted_kernel_name": n} for i,
                           n in enumerate(names)],
        "callback_records": {"x": [1, {"y": []}]},
        "buffer_records": {"kernel_dispatch": kernels, "scratch_memory": [{"z": "]"}],
                           "hip_api": api, "memory_copy": copies}}]})


def jax():
    events = [{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:0"}},
              {"ph": "M", "pid": 10, "name": "process_name", "args": {"name": "/host:CPU"}}]
    threads = {7: 2, 13: 3}
    for stream, tid in threads.items():
        events.append({"ph": "M", "pid": 1, "tid": tid, "name": "thread_name",
                       "args": {"name": "Stream #%d(Compute)" % stream}})
    events.append({"ph": "M", "pid": 1, "tid": 9, "name": "thread_name",
                   "args": {"name": "XLA Modules"}})
    events.append({"ph": "X", "pid": 1, "tid": 9, "name": "jit_train", "ts": 90, "dur": 400})
    events.append({"ph": "M", "pid": 1, "tid": 4, "name": "thread_name", "args": {"name": "Steps"}})
    events += [{"ph": "X", "pid": 1, "tid": 4, "name": name, "ts": ts, "dur": 110}
               for name, ts in (("7", 90), ("train 8", 200))]
    for n, (name, stream, start, end, _, call, call_start, call_end) in enumerate(WORK, 1):
        events.append({"ph": "X", "pid": 1, "tid": threads[stream], "name": name, "ts": start,
                       "dur": end - start, "args": {"correlation_id": str(n), "hlo_op": "dot.%d" %
                                                    n,
                                "hlo_module": "jit_train"}})
        events.append({"ph": "X", "pid": 10, "tid": 11, "name": call, "ts": call_start,
                       "dur": call_end - call_start, "args": {"correlation_id": str(n)}})
    return json.dumps({"displayTimeUnit": "ns", "metadata": {"highres-ticks": True},
                       "traceEvents": events + [{}]})


def nsys(path):
    db = sqlite3.connect(path)
    pid = 10 << 24
    texts = sorted({w[0] for w in WORK} | {LAUNCH + "_v7000", ASYNC + "_v3020", "a range"})
    db.executescript("""
        CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT, correlationId INT,
            globalPid INT, demangledName INT, shortName INT);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT, end INT, deviceId INT, streamId INT, correlationId INT,
            globalPid INT, bytes INT, copyKind INT);
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, eventClass INT, globalTid INT,
            correlationId INT, nameId INT);
        CREATE TABLE NVTX_EVENTS (start INT, end INT, eventType INT, text TEXT, globalTid INT, textId INT);
    """)
    db.executemany("INSERT INTO StringIds VALUES (?, ?)", enumerate(texts))
    for n, (name, stream, start, end, size, call, call_start, call_end) in enumerate(WORK, 1):
        if size is None:
            db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,0,?,?,?,?,0)",
                       (start * 1000, end * 1000, stream, n, pid, texts.index(name)))
        else:
            db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?,?,0,?,?,?,?,1)",
                       (start * 1000, end * 1000, stream, n, pid, size))
        versioned = call + ("_v7000" if call == LAUNCH else "_v3020")
        db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,0,?,?,?)",
                   (call_start * 1000, call_end * 1000, pid | 11, n, texts.index(versioned)))
    db.execute("INSERT INTO NVTX_EVENTS VALUES (85000, 200000, 59, NULL, ?, ?)",
               (pid | 11, texts.index("a range")))
    db.commit()
    db.close()


def plain_rank():
    """The same without its rank."""
    text = kineto().replace('"distributedInfo": {"rank": 0}', '"unused": 0')
    assert "rank" not in text
    return text


def archive(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members:
            file.writestr(name, data)
    return out.getvalue()


def main():
    os.chdir(sys.argv[1])
    write("kineto.json", kineto())
    write("rocprof.json", rocprof())
    write("jax.json.gz", gzip.compress(jax().encode()))
    nsys("nsys.sqlite")
    write("nsys.sqlite.gz", gzip.compress(open("nsys.sqlite", "rb").read()))
    write("one.zip", archive([("readme.txt", "no trace"), ("deep/trace.json", kineto())]))
    packed = gzip.compress(kineto().encode())
    write("ranks.zip", archive([("rank10.json.gz", packed), ("rank2.json.gz", packed)]))
    write("nsys.zip",
          archive([("readme.txt", "no trace"), ("deep/report.sqlite",
                                                open("nsys.sqlite", "rb").read())]))
    ascend = [("r_%d_ascend_pt/%s" % (place, name), text) for place in (70, 71)
              for name, text in (("profiler_info_%d.json" % (place - 65), "{}"),
                                 ("ASCEND_PROFILER_OUTPUT/trace_view.json", plain_rank()),
                                 ("ASCEND_PROFILER_OUTPUT/communication.json", '{"step": {}}'))]
    write("ascend.zip", archive(ascend))
    write("one_ascend.zip",
          archive([("profiler_info_9.json", "{}"), ("ASCEND_PROFILER_OUTPUT/trace_view.json",
                                                    plain_rank())]))
    write("empty.zip", archive([("readme.txt", "no trace")]))


main()
