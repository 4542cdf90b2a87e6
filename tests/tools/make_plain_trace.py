#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_plain_trace.py FILE: a complete trace of a framework, a sample for mutate_files.py."""
import json
import sys


def base():
    """Five iterations of two operators, with a copy, a collective, a graph of three kernels, waits
    and flows; times in nanoseconds."""
    events = []
    correlation = 0

    def host(cat, name, ts, dur, tid=5, **args):
        events.append({"ph": "X", "cat": cat, "name": name, "pid": 5, "tid": tid, "ts": ts + 0.125,
                       "dur": dur + 0.25, "args": args})

    def work(cat, name, ts, dur, number, stream=7, **args):
        events.append({"ph": "X", "cat": cat, "name": name, "pid": 0, "tid": stream, "ts": ts +
                       0.375, "dur": dur + 0.5,
                       "args": {"device": 0, "stream": stream, "correlation": number, **args}})

    def launch(name, ts, number):
        host("cuda_runtime", name, ts, 4, correlation=number)

    events.append({"ph": "M", "name": "process_name", "pid": 5, "tid": 0,
                   "args": {"name": "python"}})
    for step in range(5):
        at = 2000 * step
        host("user_annotation", "ProfilerStep#%d" % step, at, 1900)
        host("python_function", "nn.Module: Linear_%d" % (step % 2), at + 10, 800)
        for part in range(2):
            correlation += 4
            start = at + 20 + 300 * part
            host("cpu_op", "aten::linear", start, 120)
            host("cpu_op", "aten::addmm", start + 5, 90)
            launch("cudaMemcpyAsync", start + 10, correlation)
            launch("cudaLaunchKernel", start + 30, correlation + 1)
            launch("cudaLaunchKernel", start + 50, correlation + 2)
            launch("cudaGraphLaunch", start + 70, correlation + 3)
            events.append({"ph": "s", "id": correlation, "cat": "fwdbwd", "name": "fwdbwd",
                           "pid": 5, "tid": 5, "ts": start + 5.125})
            work("gpu_memcpy", "Memcpy HtoD", start + 40, 20, correlation, bytes=4096)
            work("kernel", "gemm", start + 70, 60, correlation + 1)
            work("kernel", "ncclDevKernel_AllReduce", start + 90, 80, correlation + 2, stream=20)
            for piece in range(3):
                work("kernel", "graph_%d" % piece, start + 140 + 20 * piece, 15, correlation + 3)
        host("cuda_runtime", "cudaStreamSynchronize", at + 700, 90, correlation=9000 + step)
        events.append({"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": 7,
                       "ts": at + 700.5, "dur": 80.5, "args": {"device": 0, "stream": 7,
                                                               "correlation": 9000 + step}})
    return events


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        json.dump({"distributedInfo": {"rank": 0}, "traceEvents": base()}, out)
