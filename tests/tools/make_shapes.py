# SPDX-License-Identifier: Apache-2.0
"""A trace of operators with the shapes of their inputs: make_shapes.py DEVICE FILE"""
import json
import sys

events, n, at = [], 0, 0


def operator(name, dims, kernels, type="c10::Half", concrete=None):
    global n, at
    args = {"External id": n, "Input Dims": dims, "Input type": [type] * len(dims)}
    if concrete:
        args["Concrete Inputs"] = concrete
    events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": at,
                   "dur": 50, "args": args})
    for dur in kernels:
        n += 1
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1,
                       "tid": 1, "ts": at + 1, "dur": 1, "args": {"correlation": n}})
        events.append({"ph": "X", "cat": "kernel", "name": "k%d" % n, "pid": 0, "tid": 7, "ts": at +
                       10, "dur": dur,
                       "args": {"device": 0, "stream": 7, "correlation": n}})
    at += 1000


operator("aten::mm", [[4096, 1024], [1024, 512]], [50])
operator("aten::mm", [[4096, 1024], [1024, 512]], [30])
operator("aten::addmm", [[8], [16, 4096], [4096, 8], [], []], [10, 2])
operator("aten::mm", [[2, 2], [2, 2]], [1], "float")
operator("aten::mm", [[7, 2], [2, 2]], [1], "quint4x2")
operator("aten::mm", [], [1])
operator("aten::add", [[4, 4]], [1])
json.dump({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": sys.argv[1]}],
           "distributedInfo": {"rank": 0}, "traceEvents": events},
          open(sys.argv[2], "w", encoding="utf-8"))
